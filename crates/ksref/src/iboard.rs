//! IBOARD: the board, with what a board alone does not show.

use referee::StartPosition;
use rules::chess::{Bitboard, CastlingSide, Color, Role, Square};

/// IBOARD: the men, who moves, and the two rights that come from the past.
///
/// `men` and `icolor` are the paper's; the two work areas `icastl` and `ipassh`
/// are ours. A right counts only while the men agree with it: a cell of
/// `icastl` needs king and rook on their first squares, `ipassh` needs a pawn
/// that can just have advanced two squares.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub struct Iboard {
    /// The men: `men[v - 1][h - 1]` stands on column h, row v. 1 king, 2 pawn,
    /// 3 knight, 4 bishop, 5 queen, 6 rook; negative for Black; 0 is empty.
    pub men: [[i8; 8]; 8],
    /// ICOLOR: 1 White moves, -1 Black moves, 0 the game is over.
    pub icolor: i8,
    /// 1 where castling is still allowed, else 0: White on the king's side,
    /// White on the queen's side, Black on the king's side, Black on the
    /// queen's side.
    pub icastl: [i8; 4],
    /// The column, 1-8, of the pawn that went two squares with the last move;
    /// 0 if none did.
    pub ipassh: i8,
}

/// The castling rights in the order of `icastl`: colour, wing, corner.
pub(crate) const CORNERS: [(Color, CastlingSide, Square); 4] = [
    (Color::White, CastlingSide::KingSide, Square::H1),
    (Color::White, CastlingSide::QueenSide, Square::A1),
    (Color::Black, CastlingSide::KingSide, Square::H8),
    (Color::Black, CastlingSide::QueenSide, Square::A8),
];

/// The code of a white man.
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

/// The sign of a colour: ICOLOR, and the sign of its men.
pub(crate) const fn sign(color: Color) -> i8 {
    match color {
        Color::White => 1,
        Color::Black => -1,
    }
}

impl Default for Iboard {
    /// The usual start position.
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
    /// Makes a board of men alone: a side with king and rook on their first
    /// squares may castle, and no pawn has just advanced two squares.
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

    /// Whether king and rook of that wing stand on their first squares.
    fn is_home(&self, (color, _, corner): (Color, CastlingSide, Square)) -> bool {
        let home = color.fold_wb(Square::E1, Square::E8);
        self.man(home) == sign(color) * code(Role::King)
            && self.man(corner) == sign(color) * code(Role::Rook)
    }

    /// Returns the corners of castling rights that the men agree with.
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
    /// it.
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
