//! NOS: what was answered *no* this turn.

use rules::chess::Square;

/// NOS: the noes since the last legal move.
///
/// The table of 1975 holds 49 of them and forgets the others. Ours holds every
/// pair of squares: its layout is ours. Squares are counted a1, b1 ... h8 from
/// 0. A cell of `to` counts only while the bit of its square is set in `from`,
/// so a new turn begins with `from = 0`.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub struct Nos {
    /// The squares from which an attempt was answered *no*, a bit each.
    pub from: u64,
    /// For each such square: the squares to which, a bit each.
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
    /// Whether that attempt was answered *no* this turn.
    pub fn has(&self, from: Square, to: Square) -> bool {
        self.from & bit(from) != 0 && self.to[from.to_usize()] & bit(to) != 0
    }

    /// Notes a *no*.
    pub fn note(&mut self, from: Square, to: Square) {
        let row = &mut self.to[from.to_usize()];
        if self.from & bit(from) == 0 {
            self.from |= bit(from);
            *row = 0;
        }
        *row |= bit(to);
    }

    /// Begins a new turn.
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
    fn every_pair_is_remembered_and_a_new_turn_forgets() {
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
