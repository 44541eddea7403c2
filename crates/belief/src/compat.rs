//! Rules of other collections of positions, for comparison alone.

use referee::kernel::Position;
use rules::chess::{Bitboard, Role, attacks};

use crate::opponent_refusals::TheirTurn;

/// Departures from the rules, for problems made under others.
///
/// ```
/// use belief::{Compat, Settings};
///
/// let settings = Settings { compat: Some(Compat::BerkeleyDatabase), ..Settings::default() };
/// assert_ne!(settings, Settings::default());
/// ```
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Compat {
    /// The Berkeley Kriegspiel mate database (Russell and Wolfe, 2005).
    ///
    /// A refusal of the opponent counts only if it is pseudo-legal from its own
    /// men, a promotion counting four; in check only if it moves the king, or
    /// lands on an announced line through the king, own men not blocking. A
    /// lone king that stands next to mating material cannot go on playing. And
    /// positions are counted apart if they differ in a pawn's double step just
    /// made, capture legal or not.
    BerkeleyDatabase,
}

impl Compat {
    /// How many tries of the side to move can be answered no.
    pub(crate) fn refusable(self, turn: &TheirTurn, position: &Position) -> u32 {
        let Compat::BerkeleyDatabase = self;
        let by = position.turn();
        let own = position.own(by);
        let all = own.all();
        let last = Bitboard::from_rank(own.last_rank());
        let Some(king) = own.king() else { return 0 };
        let answers = turn.check.map(|directions| {
            let mut each = directions.iter();
            match (each.next(), each.next()) {
                (Some(direction), None) => direction.reach(king, Bitboard::EMPTY),
                _ => Bitboard::EMPTY,
            }
        });
        let mut count = 0;
        position.each_legal_man(&position.seen(), |from, role, legal| {
            let mut wrong = own.targets(role, from, all) & !legal;
            if let Some(lines) = answers {
                wrong &= if role == Role::King {
                    attacks::king_attacks(from)
                } else {
                    lines
                };
            }
            let each = wrong.count() as u32;
            let promoting = if role == Role::Pawn {
                (wrong & last).count() as u32
            } else {
                0
            };
            count += each + 3 * promoting;
        });
        count
    }

    /// Whether the database ends the game in this position, in which a move
    /// was just made.
    pub(crate) fn ends(self, position: &Position) -> bool {
        let Compat::BerkeleyDatabase = self;
        let by = position.turn().other();
        if position.side(position.turn()).count() > 1 {
            return false;
        }
        let king = position.king(by);
        let near =
            |role: Role| position.men(role) & position.side(by) & attacks::king_attacks(king);
        let edge =
            Bitboard::from_file(rules::chess::File::A) | Bitboard::from_file(rules::chess::File::H);
        let bishops = near(Role::Bishop);
        (near(Role::Queen) | near(Role::Rook) | (near(Role::Pawn) & !edge)).any()
            || bishops.count() >= 2
            || (bishops.any() && near(Role::Knight).any())
    }
}
