//! Positions that come again.

use rules::{
    Try,
    chess::{Bitboard, ByColor, ByRole, Role, Square},
};

use super::position::Position;

/// Record by which the occurrences of a position are counted.
///
/// If no man can be dropped, it holds the moves since the last one that cannot
/// be undone: an earlier position comes again exactly if the moves since have
/// left every man, taken together, where it was. If men can be dropped, a
/// captured man may return; then it holds every position whole. Neither way
/// needs a key, and neither can be mistaken.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub(crate) struct Past {
    /// The moves that can be undone, the latest last.
    moves: Vec<Shift>,
    /// Whether the position before them can come again: not if a capture en
    /// passant is legal there.
    begins: bool,
    /// The squares each side's men have left with them.
    left: ByColor<Bitboard>,
    /// The positions of the game, where men can be dropped.
    positions: Vec<Position>,
}

/// A man went from one square to another, and that was all.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
struct Shift {
    man: Role,
    from: Square,
    to: Square,
    /// All men before the move: what differs here need not be looked at again.
    before: Bitboard,
}

impl Shift {
    /// The move by which `man` has made a position.
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

/// A position as it is compared: an en passant square counts only if a capture
/// there is legal.
fn compared(position: &Position) -> Position {
    let mut position = *position;
    if position.passed.is_some() {
        position.forget_idle_en_passant();
    }
    position
}

impl Past {
    /// The past of a game that begins, with room for a hundred half-moves and
    /// more, so that it seldom grows.
    pub(crate) fn from_start(position: &Position, drops: bool) -> Past {
        let mut past = Past::default();
        if drops {
            past.positions.reserve(128);
            past.keep(position);
        } else {
            past.moves.reserve(128);
            past.begin_anew(position);
        }
        past
    }

    /// A move was made that can be undone; nobody can drop men.
    #[inline]
    pub(crate) fn go_on(&mut self, position: &Position, man: Role, what: Try) {
        if let Some(shift) = Shift::into(position, man, what) {
            let by = position.turn.other();
            self.left.get_mut(by).add(shift.from);
            self.moves.push(shift);
        }
    }

    /// A move was made that cannot be undone: nothing before comes again.
    #[inline]
    pub(crate) fn begin_anew(&mut self, position: &Position) {
        self.left = ByColor::default();
        self.moves.clear();
        self.begins = position.passed.is_none() || position.legal_en_passant().is_none();
    }

    /// A move was made, and men can be dropped.
    pub(crate) fn keep(&mut self, position: &Position) {
        self.positions.push(compared(position));
    }

    /// Returns the number of times that a position occurred before `man` made
    /// it with `what`, a move that can be undone; nobody can drop men.
    ///
    /// A position comes again only if the man just moved stands where one of
    /// its side's men stood then, and that man has left the square since. The
    /// same holds for the other side's last move.
    #[inline]
    pub(crate) fn count(&self, position: &Position, man: Role, what: Try) -> usize {
        let Some(theirs) = self.moves.last() else {
            return 0;
        };
        let back = self.left.get(position.turn.other()).contains(what.to())
            & self.left.get(position.turn).contains(theirs.to);
        if back {
            self.count_back(position, man, what)
        } else {
            0
        }
    }

    /// Returns the number of times that `position` occurred, where men can be
    /// dropped.
    pub(crate) fn count_whole(&self, position: &Position) -> usize {
        let position = compared(position);
        // In the position last kept the other side was to move, and so in
        // every second one before it.
        let earlier = self.positions.iter().rev().skip(1).step_by(2);
        earlier.filter(|p| **p == position).count()
    }

    #[cold]
    fn count_back(&self, position: &Position, man: Role, what: Try) -> usize {
        let Some(last) = Shift::into(position, man, what) else {
            return 0;
        };
        let all = position.occupied();
        // Before the last move kept the same side was to move, and so before
        // every second one.
        let earlier = self.moves.iter().enumerate().rev().step_by(2);
        earlier
            .filter(|(i, shift)| shift.before == all && self.all_are_back(*i, last))
            .count()
    }

    /// Whether the moves from the one at `since` on, and then `last`, an even
    /// number of them, leave every man where it was.
    fn all_are_back(&self, since: usize, last: Shift) -> bool {
        let moves = &self.moves[since..];
        let mut men = ByRole::<Bitboard>::default();
        let mut sides = [Bitboard::EMPTY; 2];
        for (i, shift) in moves.iter().chain([&last]).enumerate() {
            men.get_mut(shift.man).toggle(shift.squares());
            sides[i % 2].toggle(shift.squares());
        }
        (since > 0 || self.begins)
            && sides.iter().all(|squares| squares.is_empty())
            && men.iter().all(|squares| squares.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use rules::rulesets::WILD16;

    use super::*;
    use crate::{consequence::Step, start::StartPosition};

    const STARTS: [&str; 6] = [
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "4k3/8/8/1NN5/1nn5/8/8/4K3 w - - 0 1",
        "4k3/8/8/1NB5/1nb5/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
        "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1",
        "4k3/p6p/8/1P4P1/8/8/8/R3K3 b Q - 0 1",
    ];

    /// Numbers below `n` that look drawn.
    fn below(state: &mut u64, n: usize) -> usize {
        *state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((*state >> 33) as usize) % n
    }

    #[test]
    fn the_moves_tell_how_often_the_whole_position_occurred() {
        let mut state = 1;
        let mut most = 0;
        for fen in STARTS.into_iter().cycle().take(600) {
            let start = StartPosition::from_fen(fen, &WILD16.choices).expect("a start position");
            let mut position = *start.position();
            let mut past = Past::from_start(&position, false);
            let mut all = vec![compared(&position)];
            let mut last: [Option<Try>; 2] = [None; 2];
            for ply in 0..80 {
                let tries = position.legal_tries();
                if tries.is_empty() {
                    break;
                }
                // As often as not a side takes its last move back.
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
                    past.go_on(&position, man, what);
                } else {
                    assert_eq!(before, 0, "{fen}");
                    past.begin_anew(&position);
                }
                most = most.max(before);
                all.push(now);
            }
        }
        assert!(most > 5, "positions come again");
    }
}
