//! Writes a game as a transcript.

use referee::Game;
use rules::ByListener;

use super::loss::{Loss, Losses, lose, lose_head};
use crate::{
    Answered, Asked, Entry, Header, Transcript, TranscriptLine,
    audit::{Followed, Outcome, answered},
    opening::{is_usual, switches},
    recorded_game::RecordedGame,
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
    let mut transcript = Transcript {
        header,
        entries: Vec::new(),
    };
    let mut game = Game::open(opened.clone());
    let mut add = |asked: Asked, answered, heard| {
        transcript.entries.push(Entry::Line(TranscriptLine {
            asked,
            answered,
            heard: Some(heard),
        }));
    };
    add(Asked::Start, None, ByListener::from(&game.opening_calls()));
    for step in &followed.steps {
        let asked = writable(&step.asked, step.line, losses);
        match &step.outcome {
            Outcome::Ruled(event) => {
                let heard = ByListener::from(&game.calls(event));
                let answered = answered(&game, event);
                game.apply(event);
                add(asked, answered, heard);
            }
            Outcome::Refused(_) => add(asked, Some(Answered::Refused), ByListener::default()),
            Outcome::Unread => add(asked, Some(Answered::NotUnderstood), ByListener::default()),
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
