//! Compares what the three listeners heard with what they should have heard.

use rules::{ByListener, Capture, CapturedMan, Heard, Listener, Reply, chess::Role};

use super::finding::{AnnouncementKind, Fault};
use crate::ShortList;

/// What White, Black and the spectators hear.
pub(super) type Columns = ByListener<Vec<Heard>>;

/// A difference in one kind of announcement.
pub(super) struct Difference {
    pub what: AnnouncementKind,
    pub fault: Fault,
    pub listeners: Vec<Listener>,
    pub recorded: String,
    pub expected: String,
}

/// Returns the item, with one change: a captured man that is [`CapturedMan::Exactly`] a pawn
/// becomes [`CapturedMan::Pawn`]. Some formats do not distinguish the two.
pub(crate) fn plain(heard: &Heard) -> Heard {
    heard.with_capture(|capture| match capture.man {
        Some(CapturedMan::Exactly(Role::Pawn)) => Capture {
            man: Some(CapturedMan::Pawn),
            ..capture
        },
        None | Some(CapturedMan::Pawn | CapturedMan::Piece | CapturedMan::Exactly(_)) => capture,
    })
}

fn about(column: &[Heard], what: AnnouncementKind) -> Vec<Heard> {
    column
        .iter()
        .filter(|heard| AnnouncementKind::of(heard) == what)
        .map(plain)
        .collect()
}

/// Returns an item as listeners other than the mover hear it: the same item without the attempt.
fn aloud(heard: &Heard) -> Heard {
    match *heard {
        Heard::Reply(Reply::Verdict { verdict, by, .. }) => Heard::Reply(Reply::Verdict {
            verdict,
            by,
            attempt: None,
        }),
        Heard::Reply(_)
        | Heard::Lost { .. }
        | Heard::Announced(_)
        | Heard::Draw(_)
        | Heard::Over(_) => *heard,
    }
}

/// Returns all differences between what should have been heard and what the record says, at most
/// one for each kind of announcement.
pub(super) fn differences(expected: &Columns, recorded: &Columns) -> Vec<Difference> {
    if expected == recorded {
        return Vec::new();
    }
    let mut all: Vec<Difference> = AnnouncementKind::ALL
        .into_iter()
        .filter_map(|what| difference(what, expected, recorded))
        .collect();
    if all.iter().any(|d| d.what == AnnouncementKind::Over) {
        // If a move ends the game, no turn and no pawn tries are announced. So a wrong end in the
        // record also causes differences in the turn and the pawn tries. These differences are left
        // out.
        all.retain(|d| !matches!(d.what, AnnouncementKind::Turn | AnnouncementKind::Tries));
    }
    if all.is_empty() {
        all.extend(order(expected, recorded));
    }
    all
}

fn difference(
    what: AnnouncementKind,
    expected: &Columns,
    recorded: &Columns,
) -> Option<Difference> {
    let of = |columns: &Columns| ByListener::new_with(|l| about(columns.get(l), what));
    let (expected, recorded) = (of(expected), of(recorded));
    let differing = differing(&expected, &recorded);
    if differing.is_empty() {
        return None;
    }
    let silent = |columns: &Columns, listener: &Listener| columns.get(*listener).is_empty();
    let wrong = differing
        .iter()
        .any(|l| !silent(&expected, l) && !silent(&recorded, l));
    let missing = differing.iter().any(|l| silent(&recorded, l));
    let superfluous = differing.iter().any(|l| silent(&expected, l));
    let known = |heard: &Heard| {
        let mut all = expected.each_ref().into_iter().flatten();
        all.any(|other| aloud(other) == aloud(heard))
    };
    let fault = if wrong {
        Fault::Wrong
    } else if superfluous {
        let for_others = differing.iter().any(|l| recorded.get(*l).iter().any(known));
        if missing || for_others {
            Fault::WrongPerson
        } else {
            Fault::Superfluous
        }
    } else {
        Fault::Missing
    };
    Some(Difference {
        what,
        fault,
        recorded: shown(&recorded, &differing),
        expected: shown(&expected, &differing),
        listeners: differing,
    })
}

/// Returns the listeners for whom the two columns differ.
fn differing(expected: &Columns, recorded: &Columns) -> Vec<Listener> {
    let differs = |l: &Listener| expected.get(*l) != recorded.get(*l);
    Listener::ALL.into_iter().filter(differs).collect()
}

/// Prints what these listeners hear, joined by `/`. Equal texts are printed once.
fn shown(columns: &Columns, listeners: &[Listener]) -> String {
    let mut texts: Vec<String> = Vec::new();
    for listener in listeners {
        let text = ShortList(columns.get(*listener)).to_string();
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts.join(" / ")
}

fn order(expected: &Columns, recorded: &Columns) -> Option<Difference> {
    let of = |columns: &Columns| {
        ByListener::new_with(|l| columns.get(l).iter().map(plain).collect::<Vec<_>>())
    };
    let differing = differing(&of(expected), &of(recorded));
    let first = *differing.first()?;
    let mut both = expected.get(first).iter().zip(recorded.get(first));
    let at = both.find(|(a, b)| AnnouncementKind::of(a) != AnnouncementKind::of(b));
    Some(Difference {
        what: at.map_or(AnnouncementKind::Verdict, |(a, _)| AnnouncementKind::of(a)),
        fault: Fault::Order,
        recorded: shown(recorded, &differing),
        expected: shown(expected, &differing),
        listeners: differing,
    })
}
