//! The rules that the positions of a belief follow.

use std::ops::Deref;

use position::Position;
use rules::{
    Choices, Own,
    chess::{Bitboard, Role, attacks},
};

use crate::opponent_refusals::TheirTurn;

/// The choices of a ruleset, with the changes of the Berkeley database if asked.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct Law {
    /// The choices of the ruleset.
    pub choices: Choices,
    /// Whether the rules of the Berkeley Kriegspiel mate database apply (Russell and Wolfe, 2005).
    ///
    /// - A try of the opponent can be answered "no" only if it is possible for the opponent's own
    ///   men when all other men are ignored. A promotion counts as four tries.
    /// - If the opponent is in check, a try can be answered "no" only if it moves the king, or lands
    ///   on the announced line through the king (own men do not block it). In double check, only
    ///   king moves can be answered "no".
    /// - The game ends if the side to move has only its king, and enough men of the other side
    ///   stand next to their own king: a queen, a rook, a pawn on a file from b to g, two bishops,
    ///   or a bishop with a knight.
    /// - Two positions differ if they differ only in the double step that was just made, even if no
    ///   en passant capture is legal.
    pub berkeley: bool,
}

impl From<Choices> for Law {
    fn from(choices: Choices) -> Law {
        Law {
            choices,
            berkeley: false,
        }
    }
}

impl Deref for Law {
    type Target = Choices;

    #[inline]
    fn deref(&self) -> &Choices {
        &self.choices
    }
}

impl Law {
    /// Returns how many tries of the side to move can be answered "no" under the rules of the
    /// database.
    pub(crate) fn refusable(turn: &TheirTurn, position: &Position) -> u32 {
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

    /// Returns whether the rules of the database apply, and end the game with a win of the side that
    /// has just moved.
    #[inline]
    pub fn is_won(&self, after: &Position) -> bool {
        self.berkeley && touches(after)
    }
}

/// Returns whether the side to move has only its king, and the other king touches enough of its men.
fn touches(after: &Position) -> bool {
    let own: Own = after.own(after.turn().other());
    let Some(king) = own.king() else {
        return false;
    };
    if after.side(after.turn()).count() > 1 {
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
