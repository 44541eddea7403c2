//! NOS: the attempts that were answered *no* in this turn.

use rules::chess::Square;

/// NOS: the attempts that were answered *no* since the last legal move.
///
/// The array of 1975 holds 49 attempts. Further attempts are not recorded. Our type has a different
/// layout, with room for every attempt: every pair of an origin and a target square. Squares are
/// numbered from 0: a1, b1 ... h8. A cell of `to` is valid only if the bit of the cell's square is
/// set in `from`. So `from = 0` clears all cells.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub struct Nos {
    /// Origin squares of the attempts, one bit for each square.
    pub from: u64,
    /// Target squares of the attempts. Each element belongs to one origin square, and has one bit
    /// for each target square.
    pub to: [u64; 64],
}

impl Default for Nos {
    fn default() -> Nos {
        Nos {
            from: 0,
            to: [0; 64],
        }
    }
}

impl Nos {
    /// Whether the attempt was answered *no* in this turn.
    pub fn has(&self, from: Square, to: Square) -> bool {
        self.from & bit(from) != 0 && self.to[from.to_usize()] & bit(to) != 0
    }

    /// Adds an attempt that was answered *no*.
    pub fn note(&mut self, from: Square, to: Square) {
        let row = &mut self.to[from.to_usize()];
        if self.from & bit(from) == 0 {
            self.from |= bit(from);
            *row = 0;
        }
        *row |= bit(to);
    }

    /// Removes all attempts, for a new turn.
    pub fn clear(&mut self) {
        self.from = 0;
    }
}

fn bit(sq: Square) -> u64 {
    1 << sq.to_u32()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nos_holds_every_pair_of_squares_until_cleared() {
        let mut nos = Nos::default();
        let pairs = || {
            Square::ALL
                .into_iter()
                .flat_map(|a| Square::ALL.map(|b| (a, b)))
        };
        for (from, to) in pairs() {
            assert!(!nos.has(from, to));
            nos.note(from, to);
            assert!(nos.has(from, to));
        }
        nos.clear();
        assert!(pairs().all(|(from, to)| !nos.has(from, to)));
        nos.note(Square::E2, Square::E4);
        assert!(!nos.has(Square::E2, Square::E3));
    }
}
