//! Counts how often a position has occurred.

use position::Position;
use rules::{
    Try,
    chess::{Bitboard, ByColor, ByRole, Role, Square},
};

/// Record of earlier positions or moves, for counting repetitions.
///
/// If captured men cannot be dropped, the record holds the moves since the last move that cannot be
/// undone. An earlier position occurs again if and only if the moves after that position bring
/// every man back to its square.
///
/// If captured men can be dropped, a captured man can return to the board. Then the record holds
/// every position as a whole.
///
/// The record uses no hashes, so a hash collision cannot cause a wrong count.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub(crate) struct Repetitions {
    /// The moves since the last move that cannot be undone. The latest move comes last.
    moves: Vec<Shift>,
    /// Whether the position before these moves can occur again. The position cannot occur again if
    /// a capture en passant is legal in it.
    start_can_recur: bool,
    /// For each side, the squares that its men have left in these moves.
    left: ByColor<Bitboard>,
    /// All positions of the game. Used only if captured men can be dropped.
    positions: Vec<Position>,
}

/// A move of one man from a square to another, without capture or promotion.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
struct Shift {
    man: Role,
    from: Square,
    to: Square,
    /// All occupied squares before the move. They allow a quick comparison: if these squares
    /// differ, the positions differ.
    before: Bitboard,
}

impl Shift {
    /// Returns the move `what` of `man` that led to `position`; `None` for a
    /// drop.
    #[inline]
    fn into(position: &Position, man: Role, what: Try) -> Option<Shift> {
        let Try::Step { from, to, .. } = what else {
            return None;
        };
        let mut before = position.occupied();
        before.toggle(Bitboard::from_square(from) | Bitboard::from_square(to));
        Some(Shift {
            man,
            from,
            to,
            before,
        })
    }

    fn squares(self) -> Bitboard {
        Bitboard::from_square(self.from) | Bitboard::from_square(self.to)
    }
}

/// Returns the position in the form for comparisons. It has the en passant square only if a capture
/// there is legal.
fn compared(position: &Position) -> Position {
    let mut position = *position;
    if position.passed().is_some() {
        position.forget_idle_en_passant();
    }
    position
}

impl Repetitions {
    /// Creates the record at the start of a game. The record has capacity for
    /// 128 half-moves, so that it seldom has to grow.
    pub(crate) fn from_start(position: &Position, drops: bool) -> Repetitions {
        let mut past = Repetitions::default();
        if drops {
            past.positions.reserve(128);
            past.record_position(position);
        } else {
            past.moves.reserve(128);
            past.restart(position);
        }
        past
    }

    /// Records a move that can be undone. Only for games without drops.
    #[inline]
    pub(crate) fn record_move(&mut self, position: &Position, man: Role, what: Try) {
        if let Some(shift) = Shift::into(position, man, what) {
            let by = position.turn().other();
            self.left.get_mut(by).add(shift.from);
            self.moves.push(shift);
        }
    }

    /// Clears the record after a move that cannot be undone, because no earlier
    /// position can occur again.
    #[inline]
    pub(crate) fn restart(&mut self, position: &Position) {
        self.left = ByColor::default();
        self.moves.clear();
        self.start_can_recur = position.passed().is_none() || position.legal_en_passant().is_none();
    }

    /// Records a position. Only for games with drops.
    pub(crate) fn record_position(&mut self, position: &Position) {
        self.positions.push(compared(position));
    }

    /// Returns how often `position` has occurred before. `what` is the move of `man` that has just
    /// led to `position`; this move can be undone. Only for games in which captured men cannot be
    /// dropped.
    ///
    /// A cheap test comes first. Take the target square of each side's last move. If the position
    /// has occurred before, that side had a man on the square then, and the man left the square
    /// later.
    #[inline]
    pub(crate) fn count(&self, position: &Position, man: Role, what: Try) -> usize {
        let Some(theirs) = self.moves.last() else {
            return 0;
        };
        let back = self.left.get(position.turn().other()).contains(what.to())
            & self.left.get(position.turn()).contains(theirs.to);
        if back {
            self.count_back(position, man, what)
        } else {
            0
        }
    }

    /// Returns how often `position` has occurred before, if captured men can be
    /// dropped.
    pub(crate) fn count_whole(&self, position: &Position) -> usize {
        let position = compared(position);
        // In the last recorded position the other side is to move. So this position and every
        // second position before it are skipped.
        let earlier = self.positions.iter().rev().skip(1).step_by(2);
        earlier.filter(|p| **p == position).count()
    }

    #[cold]
    fn count_back(&self, position: &Position, man: Role, what: Try) -> usize {
        let Some(last) = Shift::into(position, man, what) else {
            return 0;
        };
        let all = position.occupied();
        // The move `last` is not recorded yet. So the newest recorded move was made by the side
        // that is to move in `position`. Only the positions before this side's moves are compared,
        // because only in these positions the same side is to move.
        let earlier = self.moves.iter().enumerate().rev().step_by(2);
        earlier
            .filter(|(i, shift)| shift.before == all && self.all_are_back(*i, last))
            .count()
    }

    /// Whether the moves from index `since` on, followed by `last`, bring every man back to its
    /// square. The total number of these moves must be even.
    fn all_are_back(&self, since: usize, last: Shift) -> bool {
        let moves = &self.moves[since..];
        let mut men = ByRole::<Bitboard>::default();
        let mut sides = [Bitboard::EMPTY; 2];
        for (i, shift) in moves.iter().chain([&last]).enumerate() {
            men.get_mut(shift.man).toggle(shift.squares());
            sides[i % 2].toggle(shift.squares());
        }
        (since > 0 || self.start_can_recur)
            && sides.iter().all(|squares| squares.is_empty())
            && men.iter().all(|squares| squares.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use rules::rulesets::WILD16;

    use super::*;
    use crate::consequence::Step;
    use position::StartPosition;

    const STARTS: [&str; 6] = [
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "4k3/8/8/1NN5/1nn5/8/8/4K3 w - - 0 1",
        "4k3/8/8/1NB5/1nb5/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
        "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1",
        "4k3/p6p/8/1P4P1/8/8/8/R3K3 b Q - 0 1",
    ];

    /// Returns a pseudo-random number below `n`.
    fn below(state: &mut u64, n: usize) -> usize {
        *state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((*state >> 33) as usize) % n
    }

    #[test]
    fn moves_and_whole_positions_give_equal_counts() {
        let mut state = 1;
        let mut most = 0;
        for fen in STARTS.into_iter().cycle().take(600) {
            let start = StartPosition::from_fen(fen, &WILD16.choices).unwrap();
            let mut position = *start.position();
            let mut past = Repetitions::from_start(&position, false);
            let mut all = vec![compared(&position)];
            let mut last: [Option<Try>; 2] = [None; 2];
            for ply in 0..80 {
                let tries = position.legal_tries();
                if tries.is_empty() {
                    break;
                }
                // With probability 1/2, a side takes back its last move if this is legal, so that
                // positions are repeated often.
                let back = last[ply % 2].and_then(|t| Some(Try::step(t.to(), t.from()?)));
                let what = match back {
                    Some(t) if below(&mut state, 2) == 0 && tries.contains(&t) => t,
                    _ => tries[below(&mut state, tries.len())],
                };
                last[ply % 2] = Some(what);
                let man = position.man_of(what);
                let step = Step::make(&mut position, 0, false, what, man);
                let now = compared(&position);
                let before = all.iter().filter(|p| **p == now).count();
                if step.undoable {
                    assert_eq!(past.count(&position, man, what), before, "{fen}");
                    past.record_move(&position, man, what);
                } else {
                    assert_eq!(before, 0, "{fen}");
                    past.restart(&position);
                }
                most = most.max(before);
                all.push(now);
            }
        }
        assert!(most > 5, "a position should occur more than six times");
    }
}
