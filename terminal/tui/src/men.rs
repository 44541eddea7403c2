//! Boards and squares in the text form of a club's messages.

use rules::chess::{Board, Color, Square};

/// Parses the board of a FEN. An invalid board becomes an empty one.
pub(crate) fn board(fen: &str) -> Board {
    let board = fen.split([' ', '[']).next().unwrap_or_default();
    Board::from_ascii_board_fen(board.as_bytes()).unwrap_or_else(|_| Board::empty())
}

/// Returns a board with only the men of one side.
pub(crate) fn side(board: &Board, color: Color) -> Board {
    let men = board.iter().filter(|(_, man)| man.color == color);
    men.collect()
}

/// Parses the name of a square.
pub(crate) fn square(name: &str) -> Option<Square> {
    name.parse().ok()
}

/// Returns origin and target of a try. A drop has no origin.
pub(crate) fn ends(text: &str) -> Option<(Option<Square>, Square)> {
    if let Some((_, to)) = text.split_once('@') {
        return Some((None, square(to)?));
    }
    Some((Some(square(text.get(..2)?)?), square(text.get(2..4)?)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_is_read_from_its_fen() {
        let men = board("r6k/8/8/8/4P3/8/8/7K b - - 0 1");
        assert_eq!(men.piece_at(Square::A8), Some(Color::Black.rook()));
        assert_eq!(men.piece_at(Square::E4), Some(Color::White.pawn()));
        assert_eq!(side(&men, Color::White).piece_at(Square::A8), None);
        assert_eq!(
            side(&men, Color::Black).piece_at(Square::H8),
            Some(Color::Black.king())
        );
        let with_reserve = board("8/8/8/8/8/8/8/K6k[Qp] w - - 0 1");
        assert_eq!(with_reserve.occupied().count(), 2);
        assert_eq!(board("rubbish/9/xxxxxxxxxxxx"), Board::empty());
    }

    #[test]
    fn origin_and_target_of_a_try_are_read() {
        assert_eq!(ends("e2e4"), Some((Some(Square::E2), Square::E4)));
        assert_eq!(ends("e7e8q"), Some((Some(Square::E7), Square::E8)));
        assert_eq!(ends("N@f5"), Some((None, Square::F5)));
        assert_eq!(ends("Nf3"), None);
        assert_eq!(ends("any"), None);
    }
}
