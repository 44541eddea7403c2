//! LEGAL: the verdict of 1975 on one attempt.

use referee::kernel::Position;
use rules::{PromotionMan, Try};

use crate::{idata::Idata, nos::Nos};

/// The rules in effect: MRULES.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Rules {
    /// 1: the squares of pawn tries, and the directions of check, are announced
    /// unasked.
    Western = 1,
    /// 2: a player asks whether there is a pawn try; a check is announced
    /// without its direction.
    Eastern = 2,
}

impl Rules {
    /// The rules of a number; `None` if there are none.
    pub const fn of(number: i64) -> Option<Rules> {
        match number {
            1 => Some(Rules::Western),
            2 => Some(Rules::Eastern),
            _ => None,
        }
    }

    /// The number of the rules.
    pub const fn number(self) -> i16 {
        self as i16
    }
}

/// The verdict on an attempt, with the numbers of MATMPT.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Verdict {
    /// 0: legal.
    Legal = 0,
    /// 1: *no*. Illegal, and the mover could not know it.
    No = 1,
    /// 2: *heck-no*. The mover could know that it is illegal.
    HeckNo = 2,
}

impl Verdict {
    /// The number of the verdict: 0, or what MATMPT holds.
    pub const fn number(self) -> i16 {
        self as i16
    }
}

/// Announcement to the mover about pawn tries: MTRYEA.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(crate) enum TriesTold {
    /// Every square, unasked (Western rules).
    Squares,
    /// Nothing yet (Eastern rules).
    Nothing,
    /// There is none.
    None,
    /// There are some: one must be made.
    Some,
}

/// The try of a legal attempt, or why it is not one.
pub(crate) fn judge(
    position: &Position,
    told: TriesTold,
    nos: &Nos,
    idata: &Idata,
) -> Result<Try, Verdict> {
    let t = idata.as_try().ok_or(Verdict::HeckNo)?;
    let may_be_played = told != TriesTold::Some || is_pawn_capture(position, t);
    if may_be_played && position.is_legal(t) {
        return Ok(t);
    }
    Err(refuse(position, told, nos, t))
}

/// The verdict on a try that may not be played.
fn refuse(position: &Position, told: TriesTold, nos: &Nos, t: Try) -> Verdict {
    let own = position.own(position.turn());
    let could_know = || {
        if !own.imaginable(t, PromotionMan::Named) {
            return true;
        }
        if own.is_castling(t) && position.checkers().any() {
            return true;
        }
        let against_the_announcement = match (told, own.is_pawn_capture(t)) {
            (TriesTold::Squares, true) => !position.pawn_tries().landings.contains(t.to()),
            (TriesTold::None, capture) => capture,
            (TriesTold::Some, capture) => !capture,
            (TriesTold::Nothing, _) | (TriesTold::Squares, false) => false,
        };
        against_the_announcement || t.from().is_some_and(|from| nos.has(from, t.to()))
    };
    if could_know() {
        Verdict::HeckNo
    } else {
        Verdict::No
    }
}

fn is_pawn_capture(position: &Position, t: Try) -> bool {
    position.own(position.turn()).is_pawn_capture(t)
}
