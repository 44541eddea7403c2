//! Text and section of the rule that decides an announcement.

use rules::{Choices, NonsenseRow, Verdict};

use super::finding::{Fault, What};

/// Returns the choices that decide an announcement, and the section of the specification.
fn fields(what: What, fault: Fault) -> (&'static [&'static str], &'static str) {
    match (what, fault) {
        (What::Start, _) => (&[], "2"),
        (What::Verdict, Fault::WrongPerson | Fault::Missing | Fault::Superfluous) => {
            (&["no_heard", "nonsense_heard"], "3")
        }
        (What::Verdict, _) => (&[], "1"),
        (What::Any, _) => (&["pawn_tries"], "3.2"),
        (What::Lost, _) => (&[], "2"),
        (What::Capture, Fault::Wrong | Fault::Order) => {
            (&["capture_square", "capture_man", "en_passant"], "3")
        }
        (What::Capture, _) => (&["capture_heard"], "3"),
        (What::Drop, _) => (&["reserve"], "3"),
        (What::Promotion, _) => (&["promotion"], "3"),
        (What::Check, _) => (&["check"], "3"),
        (What::Tries, _) => (&["pawn_tries"], "3"),
        (What::Turn, _) => (&[], "2"),
        (What::Rebuffs, _) => (&["count"], "3.2"),
        (What::Recap, _) => (&["recap"], "3.2"),
        (What::Draw, _) => (&[], "3.2"),
        (What::Over, _) => (&["mates", "material", "threefold", "fifty"], "3.1"),
        (What::Position, _) => (&[], "1"),
        (What::Tag, _) => (&[], ""),
    }
}

/// Returns the rule that holds for all rulesets, for announcements that no choice decides.
fn common(what: What, fault: Fault) -> &'static str {
    match (what, fault) {
        (_, Fault::Order) => {
            "Announcements are made in this order: verdict, lost, capture, drop, promotion, check, tries, turn or end."
        }
        (What::Start, _) => "At the start each player is told their own men, and no other men.",
        (What::Verdict, _) => {
            "An attempt is answered by the first row of the table of verdicts that applies."
        }
        (What::Lost, _) => "Only the owner of a captured man is told its kind and its square.",
        (What::Turn, _) => {
            "The side to move is announced to everyone after every move that does not end the game."
        }
        (What::Draw, _) => {
            "Both players hear a draw offer, and the spectators do not; the offer ends without an announcement when the other player completes a move."
        }
        (What::Position, _) => "The noted position must be the position after the moves.",
        (
            What::Any
            | What::Capture
            | What::Drop
            | What::Promotion
            | What::Check
            | What::Tries
            | What::Rebuffs
            | What::Recap
            | What::Over
            | What::Tag,
            _,
        ) => "",
    }
}

/// Returns the rule in plain words, and its section of the specification.
pub(super) fn rule(
    choices: &Choices,
    what: What,
    fault: Fault,
    verdict: Option<(Verdict, Option<NonsenseRow>)>,
) -> (String, &'static str) {
    let (names, section) = fields(what, fault);
    // All listeners hear a move under every ruleset, so no choice decides who hears a move.
    let moved = matches!(verdict, Some((Verdict::Moved, _)));
    if what == What::Verdict && (moved || names.is_empty()) {
        let section = if moved { "1" } else { section };
        return (verdict_rule(choices, verdict), section);
    }
    let mut words: Vec<&str> = names
        .iter()
        .filter_map(|name| choices.plain(name))
        .collect();
    let common = common(what, fault);
    if words.is_empty() || fault == Fault::Order {
        words = vec![common];
    }
    (words.join(" "), section)
}

fn verdict_rule(choices: &Choices, verdict: Option<(Verdict, Option<NonsenseRow>)>) -> String {
    let by = |number: &str, field: &str| {
        let words = choices.plain(field).unwrap_or("");
        format!("Row {number} of the table of verdicts: {words}")
    };
    match verdict {
        None => common(What::Verdict, Fault::Wrong).to_owned(),
        Some((Verdict::Moved, _)) => {
            "Row 7 of the table of verdicts: a move that is legal in the true position is played.".to_owned()
        }
        Some((Verdict::No, _)) => {
            "Row 6 of the table of verdicts: a move that is illegal in the true position is answered `no`.".to_owned()
        }
        Some((Verdict::RepeatNo, _)) => by("5", "repeat"),
        Some((Verdict::Nonsense, row)) => match row {
            None => by("2", "any_without_pawns"),
            Some(NonsenseRow::Impossible) => by("2", "impossible"),
            Some(NonsenseRow::NoSuchPawnTry) => by("3", "announced_tries"),
            Some(NonsenseRow::NotAnAnswer) => by("3", "announced_check"),
            Some(NonsenseRow::PawnCaptureDue) => by("4", "obligation"),
            Some(NonsenseRow::TriesSpent) => by("4", "try_limit"),
            Some(NonsenseRow::Repeated) => by("5", "repeat"),
        },
    }
}
