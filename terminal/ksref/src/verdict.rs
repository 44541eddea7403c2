//! The verdict on one attempt, as the function LEGAL of the program of 1975 decides it.

use position::Position;
use rules::{Own, PromotionMan, Try};

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

    /// Returns the value of the function LEGAL of 1975: 1, 0 or -1.
    pub(crate) const fn value(self) -> i32 {
        1 - self as i32
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

/// LEGAL with ITYPE 2. Looks only at the board: promotions, announced pawn tries, obligations and
/// repeats are ignored.
pub(crate) fn legal(position: &Position, rules: Rules, idata: &Idata) -> Result<Try, Verdict> {
    let own = position.own(position.turn());
    let step = idata.step().ok_or(Verdict::HeckNo)?;
    let t = own.with_default_promotion(step, PromotionMan::QueenUnlessNamed);
    if position.is_legal(t) {
        return Ok(t);
    }
    let onto_nothing = rules == Rules::Western
        && own.is_pawn_capture(t)
        && !position.occupied().contains(t.to())
        && position.passed() != Some(t.to());
    if onto_nothing || breaks_motion(position, &own, t) {
        Err(Verdict::HeckNo)
    } else {
        Err(Verdict::No)
    }
}

/// Whether the mover's own men cannot make the try, or the try castles out of check.
fn breaks_motion(position: &Position, own: &Own, t: Try) -> bool {
    !own.imaginable(t, PromotionMan::Named) || (own.is_castling(t) && position.checkers().any())
}

/// LEGAL with ITYPE 1. Returns the try if the attempt is legal, and otherwise the verdict.
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
        if breaks_motion(position, &own, t) {
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
