//! What is true in every position of a belief.

use rules::chess::{Bitboard, ByRole, Role};

use crate::{
    belief::{Belief, Set, with_pool},
    counts::Counts,
    envelope::Envelope,
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
    /// Maximum number of men of each role that the opponent has.
    pub most: ByRole<u8>,
    /// Minimum and maximum number of all men of the opponent, the king included.
    pub total: (u8, u8),
    /// Squares on which a man of the role can be.
    pub can: ByRole<Bitboard>,
    /// Squares that have a man of the role in every position.
    pub must: ByRole<Bitboard>,
    /// Squares that have a man of the opponent, of any role, in every position.
    pub occupied: Bitboard,
}

impl Certain {
    /// Returns what is true for all of these positions of the opponent's men.
    pub(crate) fn of(all: impl IntoIterator<Item = Men>) -> Certain {
        let mut envelope = Envelope::default();
        let mut must = ByRole::new_with(|_| Bitboard::FULL);
        for men in all {
            envelope.add(&men);
            must = must.zip(men.by_role).map(|(must, squares)| must & squares);
        }
        Certain::new(&envelope, must)
    }

    fn new(envelope: &Envelope, must: ByRole<Bitboard>) -> Certain {
        let Counts {
            least, most, total, ..
        } = envelope.counts;
        Certain {
            least,
            most,
            total,
            can: envelope.men,
            must,
            occupied: !envelope.vacant,
        }
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
        men.by_role.zip_role().into_iter().all(holds)
            && (self.total.0..=self.total.1).contains(&(men.all().count() as u8))
            && self.occupied.is_subset(men.all())
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
        let mut certain = Certain::new(&envelope, ByRole::new_with(|_| Bitboard::EMPTY));
        for sq in certain.occupied {
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
        for (role, can) in envelope.men.zip_role() {
            let (least, most) = (certain.least.get_mut(role), certain.most.get_mut(role));
            *most = (*most).min(can.count() as u8);
            *least = (*least)
                .max(certain.must.get(role).count() as u8)
                .min(*most);
            if *most == 0 {
                *certain.can.get_mut(role) = Bitboard::EMPTY;
            }
        }
        (certain.least.king, certain.most.king) = (1, 1);
        certain
    }
}
