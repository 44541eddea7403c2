//! What is true in every position of a belief.

use rules::chess::{Bitboard, ByRole, Role};

use crate::{
    belief::{Belief, Set, with_pool},
    hidden::Hidden,
    men::Men,
};

/// What is certain about the opponent's men. It is correct in every regime.
///
/// ```
/// use belief::Belief;
/// use rules::{chess::{Color, Square}, rulesets};
///
/// let wild16 = rulesets::by_id("wild16").expect("the id names a ruleset").choices;
/// let certain = Belief::usual(wild16, Color::White).certain();
/// assert_eq!((certain.least.rook, certain.most.rook), (2, 2));
/// assert!(certain.must.king.contains(Square::E8));
/// ```
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct Certain {
    /// Minimum number of men of each role that the opponent has.
    pub least: ByRole<u8>,
    /// Maximum number of men of each role that the opponent has; 64 if unknown.
    pub most: ByRole<u8>,
    /// Squares on which a man of the role can be.
    pub can: ByRole<Bitboard>,
    /// Squares that have a man of the role in every position.
    pub must: ByRole<Bitboard>,
    /// Squares that have a man of the opponent, of any role, in every position.
    pub occupied: Bitboard,
}

/// Value of `most` if no maximum is known: no side can have more than 64 men.
const UNKNOWN: u8 = 64;

impl Certain {
    /// Value before the first position is added.
    const NOTHING: Certain = Certain {
        least: ByRole {
            pawn: UNKNOWN,
            knight: UNKNOWN,
            bishop: UNKNOWN,
            rook: UNKNOWN,
            queen: UNKNOWN,
            king: UNKNOWN,
        },
        most: ByRole {
            pawn: 0,
            knight: 0,
            bishop: 0,
            rook: 0,
            queen: 0,
            king: 0,
        },
        can: ByRole {
            pawn: Bitboard::EMPTY,
            knight: Bitboard::EMPTY,
            bishop: Bitboard::EMPTY,
            rook: Bitboard::EMPTY,
            queen: Bitboard::EMPTY,
            king: Bitboard::EMPTY,
        },
        must: ByRole {
            pawn: Bitboard::FULL,
            knight: Bitboard::FULL,
            bishop: Bitboard::FULL,
            rook: Bitboard::FULL,
            queen: Bitboard::FULL,
            king: Bitboard::FULL,
        },
        occupied: Bitboard::FULL,
    };

    /// Returns what is true for all of these positions of the opponent's men.
    pub(crate) fn of(all: impl IntoIterator<Item = Men>) -> Certain {
        let mut certain = Certain::NOTHING;
        for men in all {
            certain.add(&men);
        }
        certain
    }

    /// Returns whether these men of the opponent agree with everything that is
    /// certain.
    pub fn admits(&self, men: &Men) -> bool {
        let holds = |(role, squares): (Role, Bitboard)| {
            let count = squares.count() as u8;
            (*self.least.get(role)..=*self.most.get(role)).contains(&count)
                && squares.is_subset(*self.can.get(role))
                && self.must.get(role).is_subset(squares)
        };
        men.by_role.zip_role().into_iter().all(holds) && self.occupied.is_subset(men.all())
    }

    fn add(&mut self, men: &Men) {
        for (role, squares) in men.by_role.zip_role() {
            let count = squares.count() as u8;
            let least = self.least.get_mut(role);
            *least = (*least).min(count);
            let most = self.most.get_mut(role);
            *most = (*most).max(count);
            *self.can.get_mut(role) |= squares;
            *self.must.get_mut(role) &= squares;
        }
        self.occupied &= men.all();
    }
}

impl Belief {
    /// Returns what is true in every possible position. If not all positions are kept, the result
    /// comes from the envelope and is less precise.
    pub fn certain(&self) -> Certain {
        if !self.is_complete() || self.kept() == 0 && !self.has_ended_by_refusal() {
            return self.certain_by_envelope();
        }
        with_pool!(&self.set, pool => {
            let all = pool.entries.iter().chain(&pool.ended_by_refusal);
            Certain::of(all.map(|entry| entry.hidden.unpack()))
        })
    }

    fn has_ended_by_refusal(&self) -> bool {
        with_pool!(&self.set, pool => !pool.ended_by_refusal.is_empty())
    }

    fn certain_by_envelope(&self) -> Certain {
        let envelope = self.envelope();
        let occupied = !envelope.vacant;
        let mut certain = Certain {
            least: ByRole::new_with(|_| 0),
            most: ByRole::new_with(|_| UNKNOWN),
            can: envelope.men,
            must: ByRole::new_with(|_| Bitboard::EMPTY),
            occupied,
        };
        for sq in occupied {
            let mut roles = Role::ALL
                .into_iter()
                .filter(|role| envelope.men.get(*role).contains(sq));
            if let (Some(only), None) = (roles.next(), roles.next()) {
                certain.must.get_mut(only).add(sq);
            }
        }
        let king = certain.can.king;
        if king.count() == 1 {
            certain.must.king = king;
        }
        for (role, can) in certain.can.zip_role() {
            *certain.least.get_mut(role) = certain.must.get(role).count() as u8;
            if can.is_empty() {
                *certain.most.get_mut(role) = 0;
            }
        }
        (certain.least.king, certain.most.king) = (1, 1);
        certain
    }
}
