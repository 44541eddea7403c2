//! Compares the remark that follows a move with the announcements of the referee.

use rules::{Calls, Direction, Directions};

use super::finding::{AnnouncementKind, Fault};
use crate::pgn::{Remark, RemarkedCheck};

/// Returns the correct remark. `count` is the number of pawn tries to write.
pub(super) fn expected(calls: &Calls, count: u8) -> Remark {
    Remark::of(calls.iter().map(|call| &call.heard), Some(count))
}

/// A difference: kind of announcement, fault, text of the record, correct text.
pub(super) type Remarked = (AnnouncementKind, Fault, String, String);

/// Returns every difference between a remark and the correct remark.
pub(super) fn differences(should: &Remark, said: &Remark) -> Vec<Remarked> {
    let same_capture = match (should.capture, said.capture) {
        (Some(should), Some(Some(said))) => should == Some(said),
        (should, said) => should.is_some() == said.is_some(),
    };
    let same_tries = match (should.tries, said.tries) {
        (None, None | Some(Some(0))) | (Some(_), Some(None)) => true,
        (should, said) => should == said,
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
            same_check(should.check, said.check),
        ),
        (AnnouncementKind::Tries, same_tries),
    ]
    .into_iter()
    .filter(|(_, same)| !same)
    .map(|(what, _)| difference(what, part(should, what), part(said, what)))
    .collect()
}

/// Returns the announcements of a remark without the refused tries; `-` for none.
fn word(remark: &Remark) -> String {
    let text = remark.to_string();
    let inside = text.trim_start_matches('(').trim_end_matches(":)");
    if inside.is_empty() { "-" } else { inside }.to_owned()
}

fn difference(what: AnnouncementKind, should: String, said: String) -> Remarked {
    let fault = match (should.as_str(), said.as_str()) {
        ("-", _) => Fault::Superfluous,
        (_, "-") => Fault::Missing,
        (_, _) => Fault::Wrong,
    };
    (what, fault, said, should)
}

/// Compares two checks. A check by "diagonal" matches both the long and the short diagonal.
fn same_check(should: Option<RemarkedCheck>, said: Option<RemarkedCheck>) -> bool {
    let (Some(should), Some(said)) = (should, said) else {
        return should.is_none() && said.is_none();
    };
    if !said.diagonal {
        return should == said;
    }
    let slanted = |d: &Direction| matches!(d, Direction::Long | Direction::Short);
    let straight: Directions = should.directions.iter().filter(|d| !slanted(d)).collect();
    should.directions.iter().any(|d| slanted(&d)) && straight == said.directions
}
