//! Compares the remark that follows a move with the announcements of the referee.

use rules::{Calls, Direction, Directions};

use super::finding::{AnnouncementKind, Fault};
use crate::pgn::{Remark, RemarkedCheck};

/// Returns the correct remark: the remark that agrees with the referee's announcements. `count` is
/// the number of pawn tries to write.
pub(super) fn expected(calls: &Calls, count: u8) -> Remark {
    Remark::of(calls.iter().map(|call| &call.heard), Some(count))
}

/// A difference: kind of announcement, fault, text of the record, correct text.
pub(super) type Remarked = (AnnouncementKind, Fault, String, String);

/// Returns every difference between a remark and the correct remark.
pub(super) fn differences(expected: &Remark, recorded: &Remark) -> Vec<Remarked> {
    let same_capture = match (expected.capture, recorded.capture) {
        (Some(expected), Some(Some(recorded))) => expected == Some(recorded),
        (expected, recorded) => expected.is_some() == recorded.is_some(),
    };
    let same_tries = match (expected.tries, recorded.tries) {
        (None, None | Some(Some(0))) | (Some(_), Some(None)) => true,
        (expected, recorded) => expected == recorded,
    };
    let part = |remark: &Remark, what| {
        word(&Remark {
            capture: remark.capture.filter(|_| what == AnnouncementKind::Capture),
            check: remark.check.filter(|_| what == AnnouncementKind::Check),
            tries: remark.tries.filter(|_| what == AnnouncementKind::Tries),
            refused: Vec::new(),
        })
    };
    [
        (AnnouncementKind::Capture, same_capture),
        (
            AnnouncementKind::Check,
            same_check(expected.check, recorded.check),
        ),
        (AnnouncementKind::Tries, same_tries),
    ]
    .into_iter()
    .filter(|(_, same)| !same)
    .map(|(what, _)| difference(what, part(expected, what), part(recorded, what)))
    .collect()
}

/// Returns the announcements of a remark without the refused tries; `-` for none.
fn word(remark: &Remark) -> String {
    let text = remark.to_string();
    let inside = text.trim_start_matches('(').trim_end_matches(":)");
    if inside.is_empty() { "-" } else { inside }.to_owned()
}

fn difference(what: AnnouncementKind, expected: String, recorded: String) -> Remarked {
    let fault = match (expected.as_str(), recorded.as_str()) {
        ("-", _) => Fault::Superfluous,
        (_, "-") => Fault::Missing,
        (_, _) => Fault::Wrong,
    };
    (what, fault, recorded, expected)
}

/// Compares two checks. A check by "diagonal" matches both the long and the short diagonal.
fn same_check(expected: Option<RemarkedCheck>, recorded: Option<RemarkedCheck>) -> bool {
    let (Some(expected), Some(recorded)) = (expected, recorded) else {
        return expected.is_none() && recorded.is_none();
    };
    if !recorded.diagonal {
        return expected == recorded;
    }
    let slanted = |d: &Direction| matches!(d, Direction::Long | Direction::Short);
    let straight: Directions = expected.directions.iter().filter(|d| !slanted(d)).collect();
    expected.directions.iter().any(|d| slanted(&d)) && straight == recorded.directions
}
