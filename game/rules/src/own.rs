//! The men and rights of one side, and the tries that are imaginable from them.

use crate::{
    attempt::Try,
    chess::{Bitboard, Board, ByRole, CastlingSide, Color, Piece, Rank, Role, Square, attacks},
    choices::PromotionMan,
    reserve::Reserve,
};

/// Returns the role of the man on a square.
///
/// This function has no branch: a branch would depend on the man on the square, and the CPU could
/// not predict it.
#[inline]
fn role_on(men: &ByRole<Bitboard>, sq: Square) -> Option<Role> {
    const ROLES: [Option<Role>; 8] = [
        None,
        Some(Role::Pawn),
        Some(Role::Knight),
        Some(Role::Bishop),
        Some(Role::Rook),
        Some(Role::Queen),
        Some(Role::King),
        None,
    ];
    let on = |squares: Bitboard| (squares.0 >> sq.to_u32()) & 1;
    let index = on(men.pawn)
        | (on(men.knight) * 2)
        | (on(men.bishop) * 3)
        | (on(men.rook) * 4)
        | (on(men.queen) * 5)
        | (on(men.king) * 6);
    ROLES[(index & 7) as usize]
}

/// Squares that a man can reach on an empty board, indexed by role and by origin square. Row 0 is
/// for black pawns, row 1 for white pawns, and rows 2 to 6 are for the roles from knight to king.
/// The squares on which a pawn may capture are included.
static REACH: [[Bitboard; 64]; 7] = {
    let mut reach = [[Bitboard::EMPTY; 64]; 7];
    let mut i = 0;
    while i < 64 {
        let sq = Square::new(i as u32);
        reach[0][i] = pawn_reach(Color::Black, sq);
        reach[1][i] = pawn_reach(Color::White, sq);
        reach[2][i] = attacks::knight_attacks(sq);
        reach[3][i] = attacks::bishop_attacks(sq, Bitboard::EMPTY);
        reach[4][i] = attacks::rook_attacks(sq, Bitboard::EMPTY);
        reach[5][i] = attacks::queen_attacks(sq, Bitboard::EMPTY);
        reach[6][i] = attacks::king_attacks(sq);
        i += 1;
    }
    reach
};

const fn pawn_reach(color: Color, from: Square) -> Bitboard {
    let (step, start) = match color {
        Color::White => (8, Rank::Second),
        Color::Black => (-8, Rank::Seventh),
    };
    let one = Bitboard::from_square(from).shift(step);
    let pushes = if from.rank() as u32 == start as u32 {
        one.with_const(one.shift(step))
    } else {
        one
    };
    pushes.with_const(attacks::pawn_attacks(color, from))
}

/// Whether a step is imaginable for a man of this colour and role. `all` are the squares of the own
/// men. For castling, the result is false. For all other steps, the result agrees with
/// [`Own::targets`].
///
/// The function uses one formula for all roles and no branch, because the CPU cannot predict the
/// role.
#[inline]
pub fn reaches(color: Color, role: Role, from: Square, to: Square, all: Bitboard) -> bool {
    let kind = match (role, color) {
        (Role::Pawn, Color::Black) => 0,
        _ => role as usize,
    };
    let way = attacks::between(from, to) | Bitboard::from_square(to);
    REACH[kind][from.to_usize()].contains(to) && (way & all).is_empty()
}

/// The wings where a side still has the right to castle.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Default)]
pub struct Wings(u8);

impl Wings {
    /// No castling right.
    pub const NONE: Wings = Wings(0);
    /// Castling rights on both wings.
    pub const BOTH: Wings = Wings(3);

    const fn bit(side: CastlingSide) -> u8 {
        match side {
            CastlingSide::KingSide => 1,
            CastlingSide::QueenSide => 2,
        }
    }

    /// Whether there is a castling right on this wing.
    pub const fn has(self, side: CastlingSide) -> bool {
        self.0 & Wings::bit(side) != 0
    }

    /// Adds the right on this wing.
    pub fn add(&mut self, side: CastlingSide) {
        self.0 |= Wings::bit(side);
    }

    /// Removes the right on this wing.
    pub fn discard(&mut self, side: CastlingSide) {
        self.0 &= !Wings::bit(side);
    }

    /// Returns the rights as two bits: 1 is the king's wing, and 2 is the
    /// queen's wing.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Whether there is no castling right.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// Returns the corner of a wing. As long as the side may castle on this wing, its rook is on this
/// corner.
pub const fn corner(color: Color, side: CastlingSide) -> Square {
    match (color, side) {
        (Color::White, CastlingSide::KingSide) => Square::H1,
        (Color::White, CastlingSide::QueenSide) => Square::A1,
        (Color::Black, CastlingSide::KingSide) => Square::H8,
        (Color::Black, CastlingSide::QueenSide) => Square::A8,
    }
}

/// The men, castling rights and reserve of one side: everything that the player
/// of this side always knows of the position.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub struct Own {
    /// The side.
    pub color: Color,
    /// Squares of the men, by role.
    pub men: ByRole<Bitboard>,
    /// Wings on which this side may still castle.
    pub castling: Wings,
    /// Captured men that this side may drop.
    pub reserve: Reserve,
}

impl Own {
    /// Takes the men of one colour from a board.
    pub fn of(board: &Board, color: Color, castling: Wings, reserve: Reserve) -> Own {
        let us = board.by_color(color);
        Own {
            color,
            men: ByRole {
                pawn: board.pawns() & us,
                knight: board.knights() & us,
                bishop: board.bishops() & us,
                rook: board.rooks() & us,
                queen: board.queens() & us,
                king: board.kings() & us,
            },
            castling,
            reserve,
        }
    }

    /// Returns the squares of all own men.
    #[inline]
    pub fn all(&self) -> Bitboard {
        let m = &self.men;
        m.pawn | m.knight | m.bishop | m.rook | m.queen | m.king
    }

    /// Returns the square of the king; `None` if there is no king.
    pub fn king(&self) -> Option<Square> {
        self.men.king.first()
    }

    /// Returns the role of the own man on a square; `None` if no own man is there.
    #[inline]
    pub fn role_at(&self, sq: Square) -> Option<Role> {
        role_on(&self.men, sq)
    }

    /// Returns a board with only the own men.
    pub fn board(&self) -> Board {
        let mut board = Board::empty();
        for (role, squares) in self.men.zip_role() {
            for square in squares {
                board.set_piece_at(
                    square,
                    Piece {
                        color: self.color,
                        role,
                    },
                );
            }
        }
        board
    }

    /// Returns the square to which the king castles on this wing. Returns `None` if the right is
    /// lost, or if an own man is between king and rook. Enemy men are not considered.
    fn castling_target(&self, side: CastlingSide, all: Bitboard) -> Option<Square> {
        let king = self.king()?;
        (self.castling.has(side)
            && (attacks::between(king, corner(self.color, side)) & all).is_empty())
        .then(|| side.king_to(self.color))
    }

    /// Returns the imaginable target squares of castling.
    #[inline]
    pub fn castling_targets(&self) -> Bitboard {
        if self.castling.is_empty() {
            return Bitboard::EMPTY;
        }
        self.targets_of_castling_rights()
    }

    fn targets_of_castling_rights(&self) -> Bitboard {
        let all = self.all();
        let mut targets = Bitboard::EMPTY;
        for side in CastlingSide::ALL {
            if let Some(to) = self.castling_target(side, all) {
                targets.add(to);
            }
        }
        targets
    }

    /// Returns the imaginable target squares of a straight move of a pawn. `all` are the squares of
    /// the own men.
    #[inline]
    pub fn pawn_pushes(&self, from: Square, all: Bitboard) -> Bitboard {
        let (step, start) = match self.color {
            Color::White => (8, Rank::Second),
            Color::Black => (-8, Rank::Seventh),
        };
        let one = Bitboard::from_square(from).shift(step) & !all;
        if from.rank() == start {
            one | (one.shift(step) & !all)
        } else {
            one
        }
    }

    /// Returns the imaginable target squares of a capture by a pawn. `all` are the squares of the
    /// own men.
    #[inline]
    pub fn pawn_captures(&self, from: Square, all: Bitboard) -> Bitboard {
        attacks::pawn_attacks(self.color, from) & !all
    }

    /// Returns every imaginable target square of the man `role` on `from`, castling included. `all`
    /// are the squares of the own men. A step is imaginable if it is possible for some placement of
    /// enemy men on the other squares.
    #[inline]
    pub fn targets(&self, role: Role, from: Square, all: Bitboard) -> Bitboard {
        match role {
            Role::Pawn => self.pawn_pushes(from, all) | self.pawn_captures(from, all),
            Role::Knight => attacks::knight_attacks(from) & !all,
            Role::Bishop => attacks::bishop_attacks(from, all) & !all,
            Role::Rook => attacks::rook_attacks(from, all) & !all,
            Role::Queen => attacks::queen_attacks(from, all) & !all,
            Role::King => (attacks::king_attacks(from) & !all) | self.castling_targets(),
        }
    }

    /// Returns the squares on which a drop of this role is imaginable. `all`
    /// are the squares of the own men.
    pub fn drop_targets(&self, role: Role, all: Bitboard) -> Bitboard {
        if self.reserve.count(role) == 0 {
            Bitboard::EMPTY
        } else if role == Role::Pawn {
            !(all | Bitboard::BACKRANKS)
        } else {
            !all
        }
    }

    /// Returns the rank on which this side's pawns promote.
    pub const fn last_rank(&self) -> Rank {
        match self.color {
            Color::White => Rank::Eighth,
            Color::Black => Rank::First,
        }
    }

    /// Whether the try is a diagonal step of an own pawn.
    pub fn is_pawn_capture(&self, t: Try) -> bool {
        match t {
            Try::Step { from, to, .. } => {
                self.men.pawn.contains(from) && attacks::pawn_attacks(self.color, from).contains(to)
            }
            Try::Drop { .. } => false,
        }
    }

    /// Whether the try is castling: the king moves two squares along its rank.
    pub fn is_castling(&self, t: Try) -> bool {
        match t {
            Try::Step { from, to, .. } => {
                self.men.king.contains(from)
                    && from.rank() == to.rank()
                    && from.file().distance(to.file()) == 2
            }
            Try::Drop { .. } => false,
        }
    }

    /// Whether the try moves an own pawn to the last rank.
    pub fn is_promotion(&self, t: Try) -> bool {
        match t {
            Try::Step { from, to, .. } => {
                self.men.pawn.contains(from) && to.rank() == self.last_rank()
            }
            Try::Drop { .. } => false,
        }
    }

    /// Adds the queen to a promotion that names no man, if the ruleset allows
    /// such a promotion. Returns all other tries unchanged.
    pub fn with_default_promotion(&self, t: Try, rule: PromotionMan) -> Try {
        match (t, rule) {
            (
                Try::Step {
                    from,
                    to,
                    promotion: None,
                },
                PromotionMan::QueenUnlessNamed | PromotionMan::QueenOnly,
            ) if self.is_promotion(t) => Try::Step {
                from,
                to,
                promotion: Some(Role::Queen),
            },
            _ => t,
        }
    }

    /// Whether the try is imaginable: possible from own men, rights and
    /// reserve, for some position of the opponent's men.
    ///
    /// A promotion must name its man here; see
    /// [`with_default_promotion`](Own::with_default_promotion).
    #[inline]
    pub fn imaginable(&self, t: Try, rule: PromotionMan) -> bool {
        let all = self.all();
        match t {
            Try::Step {
                from,
                to,
                promotion,
            } => {
                let Some(role) = self.role_at(from) else {
                    return false;
                };
                let promotes = role == Role::Pawn && to.rank() == self.last_rank();
                let man_fits = match promotion {
                    None => !promotes,
                    Some(man) => {
                        promotes
                            && match rule {
                                PromotionMan::QueenOnly => man == Role::Queen,
                                PromotionMan::Named | PromotionMan::QueenUnlessNamed => {
                                    !matches!(man, Role::Pawn | Role::King)
                                }
                            }
                    }
                };
                man_fits
                    && (reaches(self.color, role, from, to, all)
                        || (role == Role::King && self.castling_targets().contains(to)))
            }
            Try::Drop { role, to } => self.drop_targets(role, all).contains(to),
        }
    }

    /// Plays an own try that was answered "moved". Updates the men (also the
    /// rook when castling, and the man after a promotion), the castling rights
    /// and the reserve.
    pub fn play(&mut self, t: Try) {
        match t {
            Try::Step {
                from,
                to,
                promotion,
            } => {
                let Some(role) = self.role_at(from) else {
                    return;
                };
                self.men.get_mut(role).discard(from);
                self.men.get_mut(promotion.unwrap_or(role)).add(to);
                if !self.castling.is_empty() {
                    self.use_rights(role, from, to);
                }
            }
            Try::Drop { role, to } => {
                self.reserve.take(role);
                self.men.get_mut(role).add(to);
            }
        }
    }

    /// Moves the rook if the king castles. Removes the castling rights that the side has lost by
    /// this move.
    fn use_rights(&mut self, role: Role, from: Square, to: Square) {
        match role {
            Role::King => {
                // A king moves two squares only to castle.
                if from.file().distance(to.file()) == 2 {
                    let side = CastlingSide::from_king_side(to.file() > from.file());
                    self.men.rook.discard(corner(self.color, side));
                    self.men.rook.add(side.rook_to(self.color));
                }
                self.castling = Wings::NONE;
            }
            Role::Rook => self.forget_corner(from),
            Role::Pawn | Role::Knight | Role::Bishop | Role::Queen => {}
        }
    }

    /// Removes the captured man on `sq`. If `sq` is a corner, also removes the castling right of
    /// this corner.
    pub fn lose(&mut self, sq: Square) {
        if let Some(role) = self.role_at(sq) {
            self.men.get_mut(role).discard(sq);
        }
        self.forget_corner(sq);
    }

    fn forget_corner(&mut self, sq: Square) {
        if self.castling.is_empty() {
            return;
        }
        for side in CastlingSide::ALL {
            if corner(self.color, side) == sq {
                self.castling.discard(side);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_castling_right_is_a_bit_of_its_own() {
        let mut wings = Wings::NONE;
        assert!(wings.is_empty());
        assert_eq!(wings.bits(), 0);
        wings.add(CastlingSide::QueenSide);
        assert!(!wings.is_empty());
        assert_eq!(wings.bits(), 2);
        wings.add(CastlingSide::KingSide);
        assert_eq!(wings, Wings::BOTH);
        assert_eq!(wings.bits(), 3);
        wings.discard(CastlingSide::QueenSide);
        assert_eq!(wings.bits(), 1);
    }

    /// [`Own::targets`] and [`reaches`] give the same squares, wherever the own men are.
    #[test]
    fn targets_are_the_squares_that_a_man_reaches() {
        let mut bits: u64 = 0x9E37_79B9_7F4A_7C15;
        let mut random = || {
            bits ^= bits << 13;
            bits ^= bits >> 7;
            bits ^= bits << 17;
            bits
        };
        for color in Color::ALL {
            let own = Own::of(&Board::empty(), color, Wings::NONE, Reserve::EMPTY);
            for (role, from) in Role::ALL
                .into_iter()
                .flat_map(|role| Square::ALL.into_iter().map(move |from| (role, from)))
            {
                if role == Role::Pawn && Bitboard::BACKRANKS.contains(from) {
                    continue;
                }
                for _ in 0..20 {
                    let all = Bitboard(random() & random()) | Bitboard::from_square(from);
                    let reached: Bitboard = Square::ALL
                        .into_iter()
                        .filter(|to| reaches(color, role, from, *to, all))
                        .collect();
                    assert_eq!(
                        own.targets(role, from, all),
                        reached,
                        "{color} {role:?} {from}"
                    );
                }
            }
        }
    }
}
