//! Comparing what three listeners heard with what they should have heard.

use rules::{Capture, CapturedMan, Heard, Listener, Reply, chess::Role};

use super::finding::{Fault, What};
use crate::ShortList;

/// What White, Black and the room hear.
pub(super) type Columns = [Vec<Heard>; 3];

/// A difference about one kind of announcement.
pub(super) struct Difference {
    pub what: What,
    pub fault: Fault,
    pub listeners: Vec<Listener>,
    pub said: String,
    pub should: String,
}

/// A pawn is a pawn, whether men are named or pawns told from pieces: some
/// forms do not keep them apart.
fn plain(heard: &Heard) -> Heard {
    heard.with_capture(|capture| match capture.man {
        Some(CapturedMan::Exactly(Role::Pawn)) => Capture {
            man: Some(CapturedMan::Pawn),
            ..capture
        },
        None | Some(CapturedMan::Pawn | CapturedMan::Piece | CapturedMan::Exactly(_)) => capture,
    })
}

fn about(column: &[Heard], what: What) -> Vec<Heard> {
    column
        .iter()
        .filter(|heard| What::of(heard) == what)
        .map(plain)
        .collect()
}

/// The same as others hear it, who are not told which attempt it was.
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

/// Every difference, at most one a kind of announcement.
pub(super) fn differences(should: &Columns, said: &Columns) -> Vec<Difference> {
    if should == said {
        return Vec::new();
    }
    let mut all: Vec<Difference> = What::ALL
        .into_iter()
        .filter_map(|what| difference(what, should, said))
        .collect();
    if all.iter().any(|d| d.what == What::Over) {
        // Turn and tries are announced if and only if the game goes on.
        all.retain(|d| !matches!(d.what, What::Turn | What::Tries));
    }
    if all.is_empty() {
        all.extend(order(should, said));
    }
    all
}

fn difference(what: What, should: &Columns, said: &Columns) -> Option<Difference> {
    let of = |columns: &Columns| [0, 1, 2].map(|i: usize| about(&columns[i], what));
    let (should, said) = (of(should), of(said));
    if should == said {
        return None;
    }
    let differing: Vec<usize> = (0..3).filter(|i| should[*i] != said[*i]).collect();
    let wrong = differing
        .iter()
        .any(|i| !should[*i].is_empty() && !said[*i].is_empty());
    let missing = differing.iter().any(|i| said[*i].is_empty());
    let superfluous = differing.iter().any(|i| should[*i].is_empty());
    let known = |heard: &Heard| {
        let all = should.iter().flatten();
        all.map(aloud).any(|other| other == aloud(heard))
    };
    let fault = if wrong {
        Fault::Wrong
    } else if superfluous {
        let for_others = differing.iter().any(|i| said[*i].iter().any(known));
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
        listeners: differing.iter().map(|i| Listener::ALL[*i]).collect(),
        said: shown(&said, &differing),
        should: shown(&should, &differing),
    })
}

/// What those who differ hear, once if it is the same.
fn shown(columns: &Columns, listeners: &[usize]) -> String {
    let mut texts: Vec<String> = Vec::new();
    for i in listeners {
        let text = ShortList(&columns[*i]).to_string();
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts.join(" / ")
}

fn order(should: &Columns, said: &Columns) -> Option<Difference> {
    let plain = |column: &[Heard]| column.iter().map(plain).collect::<Vec<_>>();
    let differing: Vec<usize> = (0..3)
        .filter(|i| plain(&should[*i]) != plain(&said[*i]))
        .collect();
    let first = *differing.first()?;
    let at = should[first]
        .iter()
        .zip(&said[first])
        .find(|(a, b)| What::of(a) != What::of(b));
    Some(Difference {
        what: at.map_or(What::Verdict, |(a, _)| What::of(a)),
        fault: Fault::Order,
        listeners: differing.iter().map(|i| Listener::ALL[*i]).collect(),
        said: shown(said, &differing),
        should: shown(should, &differing),
    })
}
