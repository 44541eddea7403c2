//! Writing a game as a transcript.

use referee::{Game, Opened};
use rules::{Fifty, GameSwitch, Mates, Threefold, rulesets};

use super::{Loss, Losses, is_usual, lose, lose_head};
use crate::{
    Answered, Asked, Entry, Header, Line, Transcript,
    account::Account,
    audit::{Followed, Outcome, Turn, columns},
};

/// The switches that make a ruleset's choices those of the game; `None` if no
/// switches do.
pub(crate) fn switches(opened: &Opened) -> Option<Vec<GameSwitch>> {
    let ruleset = rulesets::by_id(&opened.rules)?;
    let (own, game) = (&ruleset.choices, &opened.choices);
    let mut all = Vec::new();
    if own.threefold != game.threefold {
        all.push(match game.threefold {
            Threefold::On => GameSwitch::Threefold,
            Threefold::Off => GameSwitch::NoThreefold,
        });
    }
    if own.fifty != game.fifty {
        all.push(match game.fifty {
            Fifty::On => GameSwitch::Fifty,
            Fifty::Off => GameSwitch::NoFifty,
        });
    }
    if own.mates != game.mates {
        all.push(match game.mates {
            Mates::Announced => GameSwitch::Mate,
            Mates::Unseen => GameSwitch::NoMate,
        });
    }
    (ruleset.switched(&all).ok()? == *game).then_some(all)
}

/// The game as a table.
pub(super) fn write(account: &Account, followed: &Followed, losses: &mut Losses) -> String {
    lose_head(account, followed, losses);
    let opened = &followed.opened;
    let game = switches(opened).unwrap_or_else(|| {
        lose(losses, Loss::CustomRules, account.line);
        Vec::new()
    });
    let start = &opened.start;
    let fen = (!is_usual(start)).then(|| start.fen());
    let header = Header {
        title: line_of(&account.title),
        rules: opened.rules.to_string(),
        source: line_of(&account.source),
        game,
        fen,
    };
    let mut transcript = Transcript {
        header,
        entries: Vec::new(),
    };
    let mut game = Game::open(opened.clone());
    let mut turn = Turn::of(opened, &game);
    let mut add = |asked: Asked, answered, heard| {
        transcript.entries.push(Entry::Line(Line {
            asked,
            answered,
            heard: Some(heard),
        }));
    };
    add(Asked::Start, None, columns(&game.opening_calls()));
    for step in &followed.steps {
        let asked = writable(&step.asked, step.line, losses);
        match &step.outcome {
            Outcome::Ruled(event) => {
                let calls = game.calls(event);
                let answered = turn.answered(&game, event);
                turn.note(&game, event, &calls);
                game.apply(event);
                add(asked, answered, columns(&calls));
            }
            Outcome::Refused(_) => add(asked, Some(Answered::Refused), silence()),
            Outcome::Unread => add(asked, Some(Answered::NotUnderstood), silence()),
        }
    }
    transcript.to_string()
}

const fn silence() -> [Vec<rules::Heard>; 3] {
    [Vec::new(), Vec::new(), Vec::new()]
}

/// A value of a head is one line.
fn line_of(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

/// A table holds printable characters without quotation marks and bars.
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
