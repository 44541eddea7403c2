//! The men of the side that mates.

use std::fmt;

use rules::{
    Own, Try,
    chess::{Bitboard, Color, Rank, Role, Square, attacks},
};

use super::geometry::{LONG_RISING, Symmetry};

/// The men of the side that mates: the king and one or two more men. If the men are Black's, the
/// ranks are mirrored, so that pawns always move up the board.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub struct OwnMen {
    king: Square,
    /// The other men, sorted. If there is only one other man, both entries contain it.
    others: [(Role, Square); 2],
}

/// What the men attack.
#[derive(Copy, Clone, Debug)]
pub(super) struct Attacked {
    /// Squares to which the lone king must not move. The attack of a queen, rook or bishop does not
    /// end at the square of the lone king. If the king moves away along the line of the attack, the
    /// king is still attacked.
    pub any: u64,
    /// For each direction, the squares where a lone king is in check from this direction. The order
    /// is that of [`Direction`](rules::Direction).
    pub directions: [u64; 5],
}

impl OwnMen {
    /// Returns the men, or `None` if they are not a king and one or two more men on different
    /// squares. Also returns `None` if a pawn is on the first or the last rank.
    pub fn new(king: Square, others: &[(Role, Square)]) -> Option<OwnMen> {
        let others = match *others {
            [one] => [one, one],
            [one, two] if one.1 != two.1 => [one.min(two), one.max(two)],
            _ => return None,
        };
        let wrong = |(role, square): (Role, Square)| {
            role == Role::King
                || square == king
                || role == Role::Pawn && matches!(square.rank(), Rank::First | Rank::Eighth)
        };
        (!others.into_iter().any(wrong)).then_some(OwnMen { king, others })
    }

    /// Returns the men of a player, with the ranks mirrored if the player is Black. Returns `None`
    /// if they are not a king and one or two more men.
    pub fn of(own: &Own) -> Option<OwnMen> {
        let turned = |square: Square| match own.color {
            Color::White => square,
            Color::Black => square.flip_vertical(),
        };
        let mut others = Vec::new();
        for (role, squares) in own.men.zip_role() {
            for square in squares.into_iter().filter(|_| role != Role::King) {
                others.push((role, turned(square)));
            }
        }
        OwnMen::new(turned(own.king()?), &others)
    }

    /// Square of the king.
    pub const fn king(self) -> Square {
        self.king
    }

    /// The men other than the king: one or two.
    pub fn others(&self) -> &[(Role, Square)] {
        if self.others[0] == self.others[1] {
            &self.others[..1]
        } else {
            &self.others
        }
    }

    /// Squares of all men.
    pub fn squares(&self) -> Bitboard {
        Bitboard::from_square(self.king)
            .with(self.others[0].1)
            .with(self.others[1].1)
    }

    /// Returns the image of the men under a symmetry.
    pub(super) fn image(self, symmetry: Symmetry) -> OwnMen {
        let [(r0, s0), (r1, s1)] = self.others;
        let (one, two) = ((r0, symmetry.square(s0)), (r1, symmetry.square(s1)));
        OwnMen {
            king: symmetry.square(self.king),
            others: [one.min(two), one.max(two)],
        }
    }

    /// Returns the men after an accepted try. The try must be one of [`OwnMen::tries`].
    #[must_use]
    pub fn after(self, tried: Try) -> OwnMen {
        let Try::Step {
            from,
            to,
            promotion,
        } = tried
        else {
            return self;
        };
        if from == self.king {
            return OwnMen { king: to, ..self };
        }
        let moved = self.others.map(|(role, square)| {
            if square == from {
                (promotion.unwrap_or(role), to)
            } else {
                (role, square)
            }
        });
        OwnMen {
            king: self.king,
            others: [moved[0].min(moved[1]), moved[0].max(moved[1])],
        }
    }

    /// Returns the tries that can be legal if the opponent has only the king. Pawn captures are
    /// left out, because there is nothing to capture.
    pub fn tries(&self) -> Vec<Try> {
        let all = self.squares();
        let mut tries: Vec<Try> = (attacks::king_attacks(self.king) & !all)
            .into_iter()
            .map(|to| Try::step(self.king, to))
            .collect();
        for &(role, from) in self.others() {
            if role == Role::Pawn {
                let Some(one) = from.offset(8).filter(|to| !all.contains(*to)) else {
                    continue;
                };
                if one.rank() == Rank::Eighth {
                    for man in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight] {
                        tries.push(Try::Step {
                            from,
                            to: one,
                            promotion: Some(man),
                        });
                    }
                    continue;
                }
                tries.push(Try::step(from, one));
                if from.rank() == Rank::Second
                    && let Some(two) = from.offset(16).filter(|to| !all.contains(*to))
                {
                    tries.push(Try::step(from, two));
                }
            } else {
                let to = reached(role, from, all) & !all;
                tries.extend(to.into_iter().map(|to| Try::step(from, to)));
            }
        }
        tries
    }

    /// Whether a try moves a pawn.
    pub fn is_pawn_move(&self, tried: Try) -> bool {
        let pawns = self.others().iter().filter(|(role, _)| *role == Role::Pawn);
        pawns
            .into_iter()
            .any(|(_, square)| tried.from() == Some(*square))
    }

    /// What the men attack.
    pub(super) fn attacked(&self) -> Attacked {
        let all = self.squares();
        let mut directions = [0; 5];
        for &(role, from) in self.others() {
            let line = |set: Bitboard| set.0;
            if matches!(role, Role::Rook | Role::Queen) {
                let hit = attacks::rook_attacks(from, all);
                directions[0] |= line(hit & Bitboard::from_rank(from.rank()));
                directions[1] |= line(hit & Bitboard::from_file(from.file()));
            }
            let diagonal = match role {
                Role::Bishop | Role::Queen => attacks::bishop_attacks(from, all).0,
                Role::Pawn => attacks::pawn_attacks(Color::White, from).0,
                Role::Knight => {
                    directions[4] |= attacks::knight_attacks(from).0;
                    0
                }
                Role::Rook | Role::King => 0,
            };
            let rising = diagonal & rising(from);
            let falling = diagonal & !rising;
            directions[2] |= rising & LONG_RISING | falling & !LONG_RISING;
            directions[3] |= rising & !LONG_RISING | falling & LONG_RISING;
        }
        let any = directions.iter().fold(0, |all, one| all | one);
        Attacked {
            any: any | attacks::king_attacks(self.king).0,
            directions,
        }
    }

    /// Returns the possible squares of the opponent's lone king when the side with these men is to
    /// move. Such a square is not attacked by these men, and none of these men is on it.
    pub fn possible_kings(&self) -> Bitboard {
        !(Bitboard(self.attacked().any) | self.squares())
    }

    /// Returns the squares next to an unprotected man. From these squares, a lone king that is to
    /// move can capture the man.
    pub fn exposing(&self) -> Bitboard {
        let loose = self.squares().0 & !self.attacked().any & !(1 << self.king.to_u32());
        Bitboard(super::geometry::spread(loose))
    }
}

/// Writes the men, for example `Kc3,Rd4`.
impl fmt::Display for OwnMen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "K{}", self.king)?;
        for (role, square) in self.others() {
            write!(f, ",{}{square}", role.upper_char())?;
        }
        Ok(())
    }
}

/// Squares that a man other than a pawn attacks.
fn reached(role: Role, from: Square, all: Bitboard) -> Bitboard {
    match role {
        Role::Knight => attacks::knight_attacks(from),
        Role::Bishop => attacks::bishop_attacks(from, all),
        Role::Rook => attacks::rook_attacks(from, all),
        Role::Queen => attacks::queen_attacks(from, all),
        Role::King => attacks::king_attacks(from),
        Role::Pawn => Bitboard::EMPTY,
    }
}

/// Returns the other squares of the rising diagonal (parallel to a1-h8) through a square.
fn rising(square: Square) -> u64 {
    let step = |by: i32| {
        let mut set = 0;
        let mut at = square;
        while let Some(next) = at.offset(by).filter(|next| next.distance(at) == 1) {
            set |= 1 << next.to_u32();
            at = next;
        }
        set
    };
    step(9) | step(-9)
}
