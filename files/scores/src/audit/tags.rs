//! Compares the tags of a PGN game with the moves and the end of the game.

use referee::{Event, Opened};
use rules::Winner;

use super::{
    finding::{AnnouncementKind, Fault, Finding},
    follow::Followed,
};
use crate::{
    pgn::{UMPIRE_VIEW, termination, variant},
    recorded_game::RecordedGame,
};

/// The rule for all tags.
const RULE: &str = "The tags that say how a game was played and ended must agree with the game.";

/// Finds the tags that contradict the game. A missing tag is not a contradiction.
///
/// A file of another program has no log. For such a file, only the tags that mean the same in
/// every file are compared.
pub(super) fn contradicting(game: &RecordedGame, followed: &Followed) -> Vec<Finding> {
    let opened = &followed.opened;
    // The tags are about the rules of the log, not about rules that the user has chosen.
    let logged = game.opened.as_deref().filter(|own| *own == opened);
    let by_tag = game.opened.is_none() && game.rules.as_deref() == Some(&*opened.rules);
    let mut expected: Vec<(&str, String)> = Vec::new();
    if game.opened.is_some() || game.rules.is_some() {
        let view = UMPIRE_VIEW.split('"').nth(1).unwrap_or_default();
        expected.push(("View", view.to_owned()));
    }
    if logged.is_some() || by_tag {
        expected.push(("RulesVersion", opened.version.to_string()));
    }
    if let Some(opened) = logged {
        expected.push(("Rules", opened.rules.to_string()));
        expected.push(("Variant", variant(&opened.choices).unwrap_or("").to_owned()));
        let is_end_found = followed
            .findings
            .iter()
            .any(|f| f.what == AnnouncementKind::Over);
        if followed.lost.is_none() && !is_end_found {
            expected.extend(ends(followed));
        }
    }
    let wrong = expected.into_iter().filter_map(|(name, expected)| {
        let recorded = game.tags.get(name)?;
        (recorded != expected).then(|| finding(game, opened, name, recorded, expected))
    });
    wrong.collect()
}

/// Returns the correct values of the tags about the end of the game and the number of moves.
fn ends(followed: &Followed) -> Vec<(&'static str, String)> {
    let over = followed.game.over();
    let winner = over.map_or(Winner::Unfinished, |over| over.winner);
    let moves = followed.log().into_iter();
    let moves = moves.filter(|event| matches!(event, Event::Moved { .. }));
    vec![
        ("Result", winner.score().to_owned()),
        ("Termination", termination(over).to_owned()),
        ("PlyCount", moves.count().to_string()),
    ]
}

fn finding(
    game: &RecordedGame,
    opened: &Opened,
    name: &str,
    recorded: &str,
    expected: String,
) -> Finding {
    let sources = rules::rulesets::by_id(&opened.rules);
    Finding {
        line: game.line,
        asked: format!("[{name}]"),
        what: AnnouncementKind::Tag,
        fault: if expected.is_empty() {
            Fault::Superfluous
        } else {
            Fault::Wrong
        },
        listeners: Vec::new(),
        recorded: recorded.chars().take(100).collect(),
        expected: if expected.is_empty() {
            "-".to_owned()
        } else {
            expected
        },
        rule: RULE.to_owned(),
        section: "",
        sources: sources.map_or(Vec::new(), |ruleset| ruleset.sources.to_vec()),
    }
}
