//! The probability of each of the opponent's men on each square.

use rules::chess::{ByRole, Role, Square};

/// For each square and role, the probability that the opponent has such a man
/// there.
///
/// ```
/// use belief::Belief;
/// use rules::{chess::{Color, Role, Square}, rulesets};
///
/// let wild16 = rulesets::by_id("wild16").expect("a named ruleset").choices;
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
