//! The verdict on one attempt, as the function LEGAL of the program of 1975 decides it.

use referee::kernel::Position;
use rules::{PromotionMan, Try};

use crate::{idata::Idata, nos::Nos};

/// The rules of the game: the value of MRULES.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Rules {
    /// 1: pawn tries are announced with their squares, and checks with their
    /// directions.
    Western = 1,
    /// 2: a player must ask whether there is a pawn try; checks are announced
    /// without direction.
    Eastern = 2,
}

impl Rules {
    /// Returns the rules with this number; `None` if the number is not 1 or 2.
    pub const fn of(number: i64) -> Option<Rules> {
        match number {
            1 => Some(Rules::Western),
            2 => Some(Rules::Eastern),
            _ => None,
        }
    }

    /// Returns the number of the rules, 1 or 2.
    pub const fn number(self) -> i16 {
        self as i16
    }
}

/// The verdict on an attempt. The numbers of the verdicts are the values of MATMPT.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Verdict {
    /// 0: the attempt is legal.
    Legal = 0,
    /// 1: *no*. The attempt is illegal, but the mover could not know this.
    No = 1,
    /// 2: *heck-no*. The attempt is illegal, and the mover could know this.
    HeckNo = 2,
}

impl Verdict {
    /// Returns the number of the verdict: the value of MATMPT.
    pub const fn number(self) -> i16 {
        self as i16
    }
}

/// What the mover knows about pawn tries, according to the rules and MTRYEA.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(crate) enum TriesTold {
    /// All squares of pawn tries (Western rules).
    Squares,
    /// Nothing, because the mover has not asked (Eastern rules).
    Nothing,
    /// There is no pawn try.
    None,
    /// There is a pawn try, so the mover must make one.
    Some,
}

/// Returns the try if the attempt is legal, and otherwise the verdict.
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

/// Decides between *no* and *heck-no* for a try that is refused. A try is refused if it is illegal.
/// It is also refused if the player asked for pawn tries and heard that there is one, but the try
/// is no pawn capture.
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
