//! IBOARD: the board, with the castling rights and the en passant column, which the men alone do
//! not show.

use referee::StartPosition;
use rules::chess::{Bitboard, CastlingSide, Color, Role, Square};

/// IBOARD: the men, the side to move, the castling rights and the en passant
/// column.
///
/// `men` and `icolor` are as in the article of 1975; the work areas `icastl` and `ipassh` have a
/// layout of our own. A castling right is valid only if king and rook are on their initial squares.
/// A column in `ipassh` is valid only if a pawn on it can have advanced two squares with the last
/// move.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub struct Iboard {
    /// Codes of the men: `men[v - 1][h - 1]` is the man on column h, row v. 1
    /// king, 2 pawn, 3 knight, 4 bishop, 5 queen, 6 rook. The codes of black
    /// men are negative; 0 is an empty square.
    pub men: [[i8; 8]; 8],
    /// ICOLOR: 1 if White is to move, -1 if Black is to move, 0 if the game is
    /// over.
    pub icolor: i8,
    /// Castling rights, 1 or 0: White on the king's side, White on the queen's
    /// side, Black on the king's side, Black on the queen's side.
    pub icastl: [i8; 4],
    /// The column, 1-8, of the pawn that advanced two squares with the last
    /// move; 0 if the last move was a different one.
    pub ipassh: i8,
}

/// Colour, wing and corner of each castling right, in the order of `icastl`.
pub(crate) const CORNERS: [(Color, CastlingSide, Square); 4] = [
    (Color::White, CastlingSide::KingSide, Square::H1),
    (Color::White, CastlingSide::QueenSide, Square::A1),
    (Color::Black, CastlingSide::KingSide, Square::H8),
    (Color::Black, CastlingSide::QueenSide, Square::A8),
];

/// Returns the code of a white man of this role.
pub(crate) const fn code(role: Role) -> i8 {
    match role {
        Role::King => 1,
        Role::Pawn => 2,
        Role::Knight => 3,
        Role::Bishop => 4,
        Role::Queen => 5,
        Role::Rook => 6,
    }
}

/// Returns 1 for White and -1 for Black: the value of ICOLOR, and the sign of
/// the codes of this colour's men.
pub(crate) const fn sign(color: Color) -> i8 {
    match color {
        Color::White => 1,
        Color::Black => -1,
    }
}

impl Default for Iboard {
    /// Returns the usual start position.
    fn default() -> Iboard {
        Iboard::from(&StartPosition::initial())
    }
}

impl From<&StartPosition> for Iboard {
    fn from(start: &StartPosition) -> Iboard {
        let position = start.position();
        let mut men = [[0; 8]; 8];
        for color in Color::ALL {
            for sq in position.side(color) {
                if let Some(role) = position.role_at(sq) {
                    men[sq.rank() as usize][sq.file() as usize] = sign(color) * code(role);
                }
            }
        }
        Iboard {
            men,
            icolor: sign(position.turn()),
            icastl: CORNERS.map(|(color, side, _)| i8::from(position.castling(color).has(side))),
            ipassh: position
                .legal_en_passant()
                .map_or(0, |sq| sq.file() as i8 + 1),
        }
    }
}

impl Iboard {
    /// Makes a board from men alone. A side with king and rook on their initial squares has the
    /// right to castle. No pawn has just advanced two squares.
    pub fn of_men(men: [[i8; 8]; 8], icolor: i8) -> Iboard {
        let mut board = Iboard {
            men,
            icolor,
            icastl: [1; 4],
            ipassh: 0,
        };
        board.icastl = CORNERS.map(|right| i8::from(board.is_home(right)));
        board
    }

    pub(crate) fn man(&self, sq: Square) -> i8 {
        self.men[sq.rank() as usize][sq.file() as usize]
    }

    pub(crate) fn put(&mut self, sq: Square, man: i8) {
        self.men[sq.rank() as usize][sq.file() as usize] = man;
    }

    /// Whether king and rook of this castling right are on their initial squares.
    fn is_home(&self, (color, _, corner): (Color, CastlingSide, Square)) -> bool {
        let home = color.fold_wb(Square::E1, Square::E8);
        self.man(home) == sign(color) * code(Role::King)
            && self.man(corner) == sign(color) * code(Role::Rook)
    }

    /// Returns the corners of the castling rights that agree with the men.
    pub(crate) fn rights(&self) -> Bitboard {
        let mut rights = Bitboard::EMPTY;
        if self.icastl != [0; 4] {
            for (right, cell) in CORNERS.into_iter().zip(self.icastl) {
                if cell == 1 && self.is_home(right) {
                    rights.add(right.2);
                }
            }
        }
        rights
    }

    /// Returns the square that a pawn has just passed, if the men agree with
    /// `ipassh`. `mover` is the side to move.
    pub(crate) fn passed(&self, mover: Color) -> Option<Square> {
        if self.ipassh == 0 {
            return None;
        }
        let on = |row: i32| crate::idata::square(self.ipassh.into(), row);
        let (start, passed, stands) = match mover {
            Color::White => (on(7)?, on(6)?, on(5)?),
            Color::Black => (on(2)?, on(3)?, on(4)?),
        };
        let pawn = sign(mover.other()) * code(Role::Pawn);
        (self.man(stands) == pawn && self.man(passed) == 0 && self.man(start) == 0)
            .then_some(passed)
    }
}
