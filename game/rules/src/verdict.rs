//! Verdicts on tries. The function [`seat_verdict`] decides the verdicts that do not depend on the
//! true position.

use crate::{
    attempt::Try,
    chess::{Rank, Square},
    choices::{AnnouncedCheck, AnnouncedTries, Choices, Impossible, Repeat, TryLimit},
    direction::{Direction, Directions},
    own::Own,
    turn::TurnState,
};

/// The answer to a try.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub enum Verdict {
    /// The try is legal and was played.
    Moved,
    /// The try is illegal in the true position.
    No,
    /// The mover could have known that the try cannot be played.
    Nonsense,
    /// The try was refused in this turn before, and the ruleset has a separate word for this case.
    RepeatNo,
}

impl Verdict {
    /// Returns the name of the verdict: `moved`, `no`, `nonsense` or `repeat-no`.
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Moved => "moved",
            Verdict::No => "no",
            Verdict::Nonsense => "nonsense",
            Verdict::RepeatNo => "repeat-no",
        }
    }
}

/// The reason why a try is nonsense, with its row in the table of verdicts
/// (specification, section 1).
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub enum NonsenseRow {
    /// Row 2: the try is impossible from the mover's own men.
    Impossible,
    /// Row 3: a pawn capture that contradicts the announced pawn tries.
    NoSuchPawnTry,
    /// Row 3: the try cannot end the announced check.
    NotAnAnswer,
    /// Row 4: the player must make or try a pawn capture, but this try is not a pawn capture.
    PawnCaptureDue,
    /// Row 4: the limit of pawn captures in this turn is reached.
    TriesSpent,
    /// Row 5: the try was refused in this turn before.
    Repeated,
}

/// The verdict on a try, as far as it can be decided without the true position.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub enum SeatVerdict {
    /// Not decided: the true position decides (rows 6 and 7).
    Open,
    /// The try is nonsense, for this reason.
    Nonsense(NonsenseRow),
    /// The try was refused in this turn before, and the ruleset has a separate word for this case.
    RepeatNo,
    /// The answer is "no": the try is impossible from the mover's own men, and
    /// the ruleset has no row 2.
    No,
}

/// Whether the try could end a check from these directions, judged from the own men only (rules 7
/// and 15 of RAND).
///
/// A king move, except castling, could always end the check. Any other try could end the check only
/// if the check comes from exactly one direction, and only in these cases:
///
/// - the target square of the try is on the line of the check, and no own man is between
///   the target square and the king;
/// - a knight gives the check, and a knight on the target square would attack the king's square;
/// - the try is a pawn capture that may capture the checking pawn en passant.
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

/// Decides rows 2 to 5 of the table of verdicts. These rows depend on three things: the mover's own
/// men and rights, the announcements, and the tries refused in this turn.
///
/// If the ruleset allows a promotion that names no man, `t` must already name the queen (see
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
        // After the answer "yes" to Any?, the player may still have to make a pawn capture. In this
        // case a repeat is nonsense, even under rulesets without row 5.
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
    /// Returns the number of the row in the table of verdicts.
    pub const fn number(self) -> u8 {
        match self {
            NonsenseRow::Impossible => 2,
            NonsenseRow::NoSuchPawnTry | NonsenseRow::NotAnAnswer => 3,
            NonsenseRow::PawnCaptureDue | NonsenseRow::TriesSpent => 4,
            NonsenseRow::Repeated => 5,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chess::{Board, Color},
        own::Wings,
        reserve::Reserve,
    };

    /// A capture en passant may end a check only if it captures the pawn that gives this check.
    #[test]
    fn a_checking_pawn_may_be_captured_en_passant() {
        for (board, direction, try_text, ends) in [
            // The pawn on d5 gives check to the king on e4.
            ("8/8/8/4P3/4K3/8/8/8", Direction::Long, "e5d6", true),
            // A pawn on d5 cannot check a king on a1 or f3.
            ("8/8/8/4P3/8/8/8/K7", Direction::Long, "e5d6", false),
            ("8/8/8/4P3/8/5K2/8/8", Direction::Long, "e5d6", false),
            // The check comes from another direction.
            ("8/8/8/4P3/4K3/8/8/8", Direction::Short, "e5d6", false),
            ("8/8/8/4P3/4K3/8/8/8", Direction::File, "e5d6", false),
            // From the fourth rank no pawn captures en passant.
            ("8/8/8/8/4P3/4K3/8/8", Direction::Long, "e4d5", false),
            // An own man is on d5.
            ("8/8/8/3NP3/4K3/8/8/8", Direction::Long, "e5d6", false),
            // Only a pawn captures en passant, not a knight.
            ("8/8/8/4N3/4K3/8/8/8", Direction::Long, "e5d7", false),
        ] {
            let board = Board::from_ascii_board_fen(board.as_bytes()).unwrap();
            let own = Own::of(&board, Color::White, Wings::NONE, Reserve::EMPTY);
            let directions: Directions = [direction].into_iter().collect();
            let t = try_text.parse().unwrap();
            let context = format!("{board} {direction:?} {try_text}");
            assert_eq!(answers_check(&own, directions, t), ends, "{context}");
        }
    }
}
