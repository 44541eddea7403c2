//! Writes a game as a transcript.

use referee::Game;
use rules::Calls;

use super::loss::{Loss, Losses, lose, lose_head};
use crate::{
    Answered, Asked, Header, Transcript,
    audit::{Followed, Outcome},
    opening::{is_usual, switches},
    recorded_game::RecordedGame,
    transcript::answered,
};

/// Returns the transcript of a game.
pub(super) fn write(recorded: &RecordedGame, followed: &Followed, losses: &mut Losses) -> String {
    lose_head(recorded, followed, losses);
    let opened = &followed.opened;
    let game = switches(opened).unwrap_or_else(|| {
        lose(losses, Loss::CustomRules, recorded.line);
        Vec::new()
    });
    let start = &opened.start;
    let fen = (!is_usual(start)).then(|| start.fen());
    let header = Header {
        title: line_of(&recorded.title),
        rules: opened.rules.to_string(),
        source: line_of(&recorded.source),
        game,
        fen,
    };
    let mut game = Game::open(opened.clone());
    let mut transcript = Transcript::start(header, &game);
    for step in &followed.steps {
        let asked = writable(&step.asked, step.line, losses);
        match &step.outcome {
            Outcome::Ruled(event) => {
                transcript.add(asked, answered(&game, event), &game.calls(event));
                game.apply(event);
            }
            Outcome::Refused(_) => transcript.add(asked, Some(Answered::Refused), &Calls::new()),
            Outcome::Unread => {
                transcript.add(asked, Some(Answered::NotUnderstood), &Calls::new());
            }
        }
    }
    transcript.to_string()
}

/// Joins the lines of a text into one line, because a value in the header has only one line.
fn line_of(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

/// Replaces the characters that a transcript cannot hold (control characters, quotation
/// marks and bars) by `?`.
fn writable(asked: &Asked, line: u64, losses: &mut Losses) -> Asked {
    let Asked::Unread { by, text } = asked else {
        return asked.clone();
    };
    let fits = |c: char| !c.is_control() && c != '"' && c != '|';
    if text.chars().all(fits) {
        return asked.clone();
    }
    lose(losses, Loss::Characters, line);
    Asked::Unread {
        by: *by,
        text: text
            .chars()
            .map(|c| if fits(c) { c } else { '?' })
            .collect(),
    }
}
