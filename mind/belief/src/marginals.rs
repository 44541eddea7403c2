//! The probabilities that men of the opponent are on certain squares.

use rules::chess::{ByRole, Role, Square};

use crate::{certain::Certain, envelope::Envelope};

/// Number of men of each role that a side has in the usual start position.
pub(crate) const USUAL: ByRole<u8> = ByRole {
    pawn: 8,
    knight: 2,
    bishop: 2,
    rook: 2,
    queen: 1,
    king: 1,
};

/// For each square and role, the probability that a man of the opponent with
/// this role is on the square.
///
/// ```
/// use belief::Belief;
/// use rules::{chess::{Color, Role, Square}, rulesets};
///
/// let wild16 = rulesets::by_id("wild16").expect("the id names a ruleset").choices;
/// let marginals = Belief::usual(wild16, Color::White).marginals();
/// assert_eq!(marginals.of(Role::King, Square::E8), 1.0);
/// assert_eq!(marginals.occupied(Square::E4), 0.0);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Marginals {
    of: ByRole<[f64; 64]>,
}

impl Marginals {
    pub(crate) fn zero() -> Marginals {
        Marginals {
            of: ByRole::new_with(|_| [0.0; 64]),
        }
    }

    pub(crate) fn add(&mut self, men: &crate::men::Men, weight: f64) {
        for (role, squares) in men.by_role.zip_role() {
            let of = self.of.get_mut(role);
            for sq in squares {
                of[sq.to_usize()] += weight;
            }
        }
    }

    /// Spreads the men of each role evenly over the squares on which they can be. If the number of
    /// men of a role is not known, this function assumes the mean of the minimum and the maximum.
    pub(crate) fn spread(&mut self, envelope: &Envelope, certain: &Certain) {
        for (role, squares) in envelope.men.zip_role() {
            let (least, most) = (*certain.least.get(role), *certain.most.get(role));
            // Promotions are improbable: the number in the usual start position is used as the
            // maximum.
            let most = most.min((*USUAL.get(role)).max(least));
            let men = f64::from(least + most) / 2.0;
            let of = self.of.get_mut(role);
            for sq in squares {
                of[sq.to_usize()] = (men / squares.count() as f64).min(1.0);
            }
        }
        for sq in Square::ALL {
            let all = self.occupied(sq);
            if all > 1.0 {
                for role in Role::ALL {
                    self.of.get_mut(role)[sq.to_usize()] /= all;
                }
            }
        }
    }

    /// Returns the probability that a man of this role is on the square.
    pub fn of(&self, role: Role, sq: Square) -> f64 {
        self.of.get(role)[sq.to_usize()]
    }

    /// Returns the probability that the opponent has a man, of any role, on the
    /// square.
    pub fn occupied(&self, sq: Square) -> f64 {
        Role::ALL.into_iter().map(|role| self.of(role, sq)).sum()
    }
}
