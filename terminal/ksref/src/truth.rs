//! Converts IBOARD, the board array of the program of 1975, to the referee's position.

use position::Position;
use rules::chess::{Bitboard, Board, ByColor, ByRole, Color, Setup};

use crate::{iboard::Iboard, refusal::BoardFault};

/// A word in which the lowest bit of each byte is set.
const ONES: u64 = 0x0101_0101_0101_0101;

/// Collects the lowest bit of each of eight bytes into one byte. The lowest
/// byte gives the lowest bit.
const fn gather(bytes: u64) -> u64 {
    (bytes & ONES).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// Converts the codes of the men to bitboards; `None` if a cell is out of
/// range.
///
/// The eight cells of a row are treated as eight bytes of one word. Four bits of a code identify
/// the man. Each of these bits is collected from all eight cells at once. This method is four times
/// faster than reading cell by cell.
fn unpack(men: &[[i8; 8]; 8]) -> Option<(ByRole<Bitboard>, ByColor<Bitboard>)> {
    let [mut b0, mut b1, mut b2, mut negative, mut wild] = [0u64; 5];
    for (row, cells) in men.iter().enumerate() {
        let x = u64::from_le_bytes(cells.map(i8::cast_unsigned));
        // In a code from -8 to 7, the bits 3 to 7 are all equal.
        wild |= (x ^ (x >> 1)) & (0x78 * ONES);
        let shift = 8 * row;
        b0 |= gather(x) << shift;
        b1 |= gather(x >> 1) << shift;
        b2 |= gather(x >> 2) << shift;
        negative |= gather(x >> 7) << shift;
    }
    // Black's codes are negative. To negate a code, all its bits are flipped, and 1 is added.
    let m0 = b0;
    let m1 = b1 ^ (negative & b0);
    let m2 = b2 ^ (negative & (b1 | b0));
    if wild != 0 || m0 & m1 & m2 != 0 || negative & !(m0 | m1 | m2) != 0 {
        return None;
    }
    let role = |squares| Bitboard(squares);
    let roles = ByRole {
        king: role(m0 & !m1 & !m2),
        pawn: role(!m0 & m1 & !m2),
        knight: role(m0 & m1 & !m2),
        bishop: role(!m0 & !m1 & m2),
        queen: role(m0 & !m1 & m2),
        rook: role(!m0 & m1 & m2),
    };
    let occupied = m0 | m1 | m2;
    let sides = ByColor {
        white: role(occupied & !negative),
        black: role(negative),
    };
    Some((roles, sides))
}

/// Returns the first cell whose code is out of range.
fn wild_cell(men: &[[i8; 8]; 8]) -> BoardFault {
    for (row, v) in men.iter().zip(1..) {
        for (code, h) in row.iter().zip(1..) {
            if !(-6..=6).contains(code) {
                return BoardFault::Code { h, v, code: *code };
            }
        }
    }
    BoardFault::Kings
}

/// Converts a board to a position, and checks the number of kings and pawns.
pub(crate) fn position(iboard: &Iboard) -> Result<Position, BoardFault> {
    let turn = match iboard.icolor {
        1 => Color::White,
        -1 => Color::Black,
        other => return Err(BoardFault::Color(other)),
    };
    let Some((roles, sides)) = unpack(&iboard.men) else {
        return Err(wild_cell(&iboard.men));
    };
    if (roles.king & sides.white).count() != 1 || (roles.king & sides.black).count() != 1 {
        return Err(BoardFault::Kings);
    }
    if (roles.pawn & Bitboard::BACKRANKS).any() {
        return Err(BoardFault::PawnRow);
    }
    if (roles.pawn & sides.white).count() > 8 || (roles.pawn & sides.black).count() > 8 {
        return Err(BoardFault::Pawns);
    }
    let mut setup = Setup::empty();
    setup.board = Board::try_from_bitboards(roles, sides)
        .expect("the bitboards of one array of cells are consistent");
    setup.turn = turn;
    setup.castling_rights = iboard.rights();
    setup.ep_square = iboard.passed(turn);
    Ok(Position::from_setup(&setup))
}

/// Whether the side to move could capture the opponent's king.
pub(crate) fn can_capture_king(position: &Position) -> bool {
    let us = position.turn();
    position
        .attackers(position.king(us.other()), us, position.occupied())
        .any()
}

#[cfg(test)]
mod tests {
    use rules::chess::Square;

    use super::*;
    use crate::iboard::{code, sign};

    #[test]
    fn every_code_on_every_square_is_read() {
        for sq in Square::ALL {
            for cell in i8::MIN..=i8::MAX {
                let mut men = [[0; 8]; 8];
                men[sq.rank() as usize][sq.file() as usize] = cell;
                let read = unpack(&men);
                assert_eq!(read.is_some(), (-6..=6).contains(&cell), "{cell}");
                let Some((roles, sides)) = read else {
                    continue;
                };
                let here = Bitboard::from_square(sq);
                let mut men_found = 0;
                for (role, squares) in roles.zip_role() {
                    for color in Color::ALL {
                        let expected = cell == sign(color) * code(role);
                        let found = squares & *sides.get(color);
                        assert_eq!(found, if expected { here } else { Bitboard::EMPTY });
                        men_found += found.count();
                    }
                }
                assert_eq!(men_found, usize::from(cell != 0));
            }
        }
    }

    #[test]
    fn first_cell_out_of_range_is_named() {
        let mut board = Iboard::default();
        board.men[4][2] = 7;
        assert_eq!(
            position(&board),
            Err(BoardFault::Code {
                h: 3,
                v: 5,
                code: 7
            })
        );
    }
}
