//! Text and section of the rule that decides an announcement.

use rules::{Choices, NonsenseRow, Verdict};

use super::finding::{AnnouncementKind, Fault};

/// Returns the choices that decide an announcement, and the section of the specification.
fn fields(what: AnnouncementKind, fault: Fault) -> (&'static [&'static str], &'static str) {
    match (what, fault) {
        (AnnouncementKind::Start, _) => (&[], "2"),
        (AnnouncementKind::Verdict, Fault::WrongPerson | Fault::Missing | Fault::Superfluous) => {
            (&["no_heard", "nonsense_heard"], "3")
        }
        (AnnouncementKind::Verdict, _) => (&[], "1"),
        (AnnouncementKind::Any, _) => (&["pawn_tries"], "3.2"),
        (AnnouncementKind::Lost, _) => (&[], "2"),
        (AnnouncementKind::Capture, Fault::Wrong | Fault::Order) => {
            (&["capture_square", "capture_man", "en_passant"], "3")
        }
        (AnnouncementKind::Capture, _) => (&["capture_heard"], "3"),
        (AnnouncementKind::Drop, _) => (&["reserve"], "3"),
        (AnnouncementKind::Promotion, _) => (&["promotion"], "3"),
        (AnnouncementKind::Check, _) => (&["check"], "3"),
        (AnnouncementKind::Tries, _) => (&["pawn_tries"], "3"),
        (AnnouncementKind::Turn, _) => (&[], "2"),
        (AnnouncementKind::Rebuffs, _) => (&["count"], "3.2"),
        (AnnouncementKind::Recap, _) => (&["recap"], "3.2"),
        (AnnouncementKind::Draw, _) => (&[], "3.2"),
        (AnnouncementKind::Over, _) => (&["mates", "material", "threefold", "fifty"], "3.1"),
        (AnnouncementKind::Position, _) => (&[], "1"),
        (AnnouncementKind::Tag, _) => (&[], ""),
    }
}

/// Returns the rule about an announcement if this rule is the same under every ruleset. Otherwise
/// the text is empty.
fn common(what: AnnouncementKind, fault: Fault) -> &'static str {
    match (what, fault) {
        (_, Fault::Order) => {
            "Announcements are made in this order: verdict, lost, capture, drop, promotion, check, tries, turn or end."
        }
        (AnnouncementKind::Start, _) => {
            "At the start each player is told their own men, and no other men."
        }
        (AnnouncementKind::Verdict, _) => {
            "An attempt is answered by the first row of the table of verdicts that applies."
        }
        (AnnouncementKind::Lost, _) => {
            "Only the owner of a captured man is told its kind and its square."
        }
        (AnnouncementKind::Turn, _) => {
            "The side to move is announced to everyone after every move that does not end the game."
        }
        (AnnouncementKind::Draw, _) => {
            "Both players hear a draw offer, and the spectators do not; the offer ends without an announcement when the other player completes a move."
        }
        (AnnouncementKind::Position, _) => {
            "The noted position must be the position after the moves."
        }
        (
            AnnouncementKind::Any
            | AnnouncementKind::Capture
            | AnnouncementKind::Drop
            | AnnouncementKind::Promotion
            | AnnouncementKind::Check
            | AnnouncementKind::Tries
            | AnnouncementKind::Rebuffs
            | AnnouncementKind::Recap
            | AnnouncementKind::Over
            | AnnouncementKind::Tag,
            _,
        ) => "",
    }
}

/// Returns the rule in plain words, and its section of the specification.
pub(super) fn rule(
    choices: &Choices,
    what: AnnouncementKind,
    fault: Fault,
    verdict: Option<(Verdict, Option<NonsenseRow>)>,
) -> (String, &'static str) {
    let (names, section) = fields(what, fault);
    // All listeners hear a move under every ruleset, so no choice decides who hears a move.
    let moved = matches!(verdict, Some((Verdict::Moved, _)));
    if what == AnnouncementKind::Verdict && (moved || names.is_empty()) {
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
        None => common(AnnouncementKind::Verdict, Fault::Wrong).to_owned(),
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
