//! Rules of another project, used only to compare results with it.

use position::Position;
use rules::{
    Own,
    chess::{Bitboard, Role, attacks},
};

use crate::opponent_refusals::TheirTurn;

/// Changes to the rules, for problems that were made under other rules.
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
    /// The changes:
    ///
    /// - A try of the opponent can be answered "no" only if it is possible for the opponent's own
    ///   men when all other men are ignored. A promotion counts as four tries.
    /// - If the opponent is in check, a try can be answered "no" only in two cases: it moves the
    ///   king, or it lands on the announced line through the king. The opponent's own men do not
    ///   block this line. In double check, only king moves can be answered "no".
    /// - The game ends if the side to move has only its king, and enough men of the other side
    ///   stand next to their own king. Each of these is enough: a queen, a rook, a pawn on a file
    ///   from b to g, two bishops, or a bishop with a knight.
    /// - Two positions count as different if they differ only in the double step that was just
    ///   made, even if no en passant capture is legal.
    BerkeleyDatabase,
}

impl Compat {
    /// Returns how many tries of the side to move can be answered "no".
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

    /// Returns whether the database ends the game after the move that led to this position.
    pub(crate) fn ends(self, position: &Position) -> bool {
        let by = position.turn().other();
        self.is_won(&position.own(by), position.side(position.turn()).count())
    }

    /// Returns whether the database counts a position as won for the side that
    /// has just moved. `own` are the men of that side, `others` is the number of
    /// men of the other side.
    ///
    /// ```
    /// use belief::Compat;
    /// use rules::{Own, Reserve, Wings, chess::{Board, Color}};
    ///
    /// let own = Own::of(&Board::new(), Color::White, Wings::NONE, Reserve::EMPTY);
    /// // The king touches the queen, and the other side has only its king.
    /// assert!(Compat::BerkeleyDatabase.is_won(&own, 1));
    /// assert!(!Compat::BerkeleyDatabase.is_won(&own, 2));
    /// ```
    pub fn is_won(self, own: &Own, others: usize) -> bool {
        let Compat::BerkeleyDatabase = self;
        let Some(king) = own.king() else {
            return false;
        };
        if others > 1 {
            return false;
        }
        let near = |men: Bitboard| men & attacks::king_attacks(king);
        let edge =
            Bitboard::from_file(rules::chess::File::A) | Bitboard::from_file(rules::chess::File::H);
        let bishops = near(own.men.bishop);
        (near(own.men.queen) | near(own.men.rook) | (near(own.men.pawn) & !edge)).any()
            || bishops.count() >= 2
            || (bishops.any() && near(own.men.knight).any())
    }
}
