//! The verdicts, and those of them that need no truth.

use crate::{
    attempt::Try,
    chess::{Rank, Square},
    choices::{AnnouncedCheck, AnnouncedTries, Choices, Impossible, Repeat, TryLimit},
    direction::{Direction, Directions},
    own::Own,
    turn::TurnState,
};

/// Answer to a try.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub enum Verdict {
    /// It is legal and was played.
    Moved,
    /// It is illegal in the true position.
    No,
    /// The mover could have known that it is impossible.
    Nonsense,
    /// It was refused this turn already.
    RepeatNo,
}

impl Verdict {
    /// The verdict's name: `moved`, `no`, `nonsense`, `repeat-no`.
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Moved => "moved",
            Verdict::No => "no",
            Verdict::Nonsense => "nonsense",
            Verdict::RepeatNo => "repeat-no",
        }
    }
}

/// The row of the table of verdicts that makes an attempt nonsense.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub enum NonsenseRow {
    /// Row 2: impossible from the mover's own men.
    Impossible,
    /// Row 3: a pawn capture where the announcement says there is none.
    NoSuchPawnTry,
    /// Row 3: not an answer to the announced check.
    NotAnAnswer,
    /// Row 4: an obligation to capture with a pawn stands.
    PawnCaptureDue,
    /// Row 4: the pawn captures of this turn are spent.
    TriesSpent,
    /// Row 5: refused this turn already.
    Repeated,
}

/// Verdict on a try without the true position.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub enum SeatVerdict {
    /// Nothing: the true position must be asked (rows 6 and 7).
    Open,
    /// Nonsense, by that row.
    Nonsense(NonsenseRow),
    /// Refused this turn already, where the ruleset has a word of its own.
    RepeatNo,
    /// Impossible from own men, where the ruleset has no row 2: a no.
    No,
}

/// Whether the try could answer a check announced in these directions (RAND 7
/// and 15), by own men alone.
///
/// A king move (not castling) always may. With one direction, so may whatever
/// lands on the line of the check within reach of the king, on a knight's
/// square for a knight's check, or a pawn that may take the checking pawn en
/// passant.
pub fn answers_check(own: &Own, directions: Directions, t: Try) -> bool {
    let Some(king) = own.king() else {
        return true;
    };
    if t.from() == Some(king) {
        return !own.is_castling(t);
    }
    let mut each = directions.iter();
    let (Some(direction), None) = (each.next(), each.next()) else {
        return false;
    };
    let all = own.all();
    if direction.reach(king, all).contains(t.to()) {
        return true;
    }
    if !matches!(direction, Direction::Long | Direction::Short) || !own.is_pawn_capture(t) {
        return false;
    }
    let Try::Step { from, to, .. } = t else {
        return false;
    };
    let passed = Square::from_coords(to.file(), from.rank());
    from.rank() == own.color.relative_rank(Rank::Fifth)
        && !all.contains(passed)
        && king.distance(passed) == 1
        && direction.reach(king, all).contains(passed)
}

/// Rows 2 to 5 of the table of verdicts: what the mover's own men, rights, the
/// announcements and this turn's refusals say of a try.
///
/// `t` names a queen where the ruleset lets a promotion name none (see
/// [`Own::with_default_promotion`]).
#[inline]
pub fn seat_verdict(choices: &Choices, own: &Own, turn: &TurnState, t: Try) -> SeatVerdict {
    let imaginable = own.imaginable(t, choices.promotion_man);
    if !imaginable && choices.impossible == Impossible::Nonsense {
        return SeatVerdict::Nonsense(NonsenseRow::Impossible);
    }
    let capture = own.is_pawn_capture(t);
    if capture && choices.announced_tries == AnnouncedTries::Nonsense {
        let admitted = match t {
            Try::Step { from, to, .. } => turn.tries.admits(from, to, choices.pawn_try_square),
            Try::Drop { .. } => true,
        };
        if !admitted {
            return SeatVerdict::Nonsense(NonsenseRow::NoSuchPawnTry);
        }
    }
    if let Some(directions) = turn.check {
        let contradicts = match choices.announced_check {
            AnnouncedCheck::Judged => false,
            AnnouncedCheck::Castling => own.is_castling(t),
            AnnouncedCheck::Answers => !answers_check(own, directions, t),
        };
        if contradicts {
            return SeatVerdict::Nonsense(NonsenseRow::NotAnAnswer);
        }
    }
    let refused = turn.refused_tries.contains(t);
    if turn.obliged && !capture {
        return SeatVerdict::Nonsense(NonsenseRow::PawnCaptureDue);
    }
    if capture
        && !refused
        && choices.try_limit == TryLimit::Three
        && turn.pawn_captures_refused >= 3
    {
        return SeatVerdict::Nonsense(NonsenseRow::TriesSpent);
    }
    if refused {
        // While an obligation stands a repeat is nonsense, also without row 5.
        match (choices.repeat, turn.obliged) {
            (Repeat::Truth, false) => {}
            (Repeat::Truth, true) | (Repeat::Nonsense, _) => {
                return SeatVerdict::Nonsense(NonsenseRow::Repeated);
            }
            (Repeat::RepeatNo, _) => return SeatVerdict::RepeatNo,
        }
    }
    if imaginable {
        SeatVerdict::Open
    } else {
        SeatVerdict::No
    }
}

impl NonsenseRow {
    /// The row's number in the table of verdicts.
    pub const fn number(self) -> u8 {
        match self {
            NonsenseRow::Impossible => 2,
            NonsenseRow::NoSuchPawnTry | NonsenseRow::NotAnAnswer => 3,
            NonsenseRow::PawnCaptureDue | NonsenseRow::TriesSpent => 4,
            NonsenseRow::Repeated => 5,
        }
    }
}
