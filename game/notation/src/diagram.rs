//! Draws boards as text.

use std::fmt;

use rules::chess::{Board, Color, File, Piece, Rank, Role, Square};

/// How men are drawn.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Men {
    /// As letters: `K` is White's king, `k` is Black's.
    Letters,
    /// As chess figures (Unicode).
    Figures,
}

/// A board to be drawn as text. The [`Display`](fmt::Display) of a diagram writes eight lines for
/// the ranks and one for the names of the files.
///
/// A diagram shows only the board that it is given. If the board has own men
/// only, the diagram shows nothing of the other side.
///
/// # Examples
///
/// ```
/// use notation::{Diagram, Men};
/// use rules::chess::{Board, Color};
///
/// let board: Board = "4k3/8/8/8/8/8/4P3/4K3".parse()?;
/// let diagram = Diagram::new(&board, Color::White, Men::Letters).to_string();
/// assert_eq!(diagram.lines().next(), Some("8  . . . . k . . ."));
/// assert_eq!(diagram.lines().last(), Some("   a b c d e f g h"));
/// # Ok::<(), rules::chess::fen::ParseFenError>(())
/// ```
#[derive(Copy, Clone, Debug)]
pub struct Diagram<'a> {
    board: &'a Board,
    below: Color,
    men: Men,
}

impl<'a> Diagram<'a> {
    /// Creates the diagram of a board, with the side `below` at the bottom.
    pub const fn new(board: &'a Board, below: Color, men: Men) -> Diagram<'a> {
        Diagram { board, below, men }
    }

    fn man(&self, piece: Piece) -> char {
        match self.men {
            Men::Letters => piece.char(),
            Men::Figures => figure(piece),
        }
    }
}

/// Returns the Unicode chess figure of a man.
const fn figure(piece: Piece) -> char {
    match (piece.color, piece.role) {
        (Color::White, Role::King) => '\u{2654}',
        (Color::White, Role::Queen) => '\u{2655}',
        (Color::White, Role::Rook) => '\u{2656}',
        (Color::White, Role::Bishop) => '\u{2657}',
        (Color::White, Role::Knight) => '\u{2658}',
        (Color::White, Role::Pawn) => '\u{2659}',
        (Color::Black, Role::King) => '\u{265a}',
        (Color::Black, Role::Queen) => '\u{265b}',
        (Color::Black, Role::Rook) => '\u{265c}',
        (Color::Black, Role::Bishop) => '\u{265d}',
        (Color::Black, Role::Knight) => '\u{265e}',
        (Color::Black, Role::Pawn) => '\u{265f}',
    }
}

impl fmt::Display for Diagram<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut ranks = Rank::ALL;
        let mut files = File::ALL;
        match self.below {
            Color::White => ranks.reverse(),
            Color::Black => files.reverse(),
        }
        for rank in ranks {
            write!(f, "{rank} ")?;
            for file in files {
                let man = self.board.piece_at(Square::from_coords(file, rank));
                write!(f, " {}", man.map_or('.', |piece| self.man(piece)))?;
            }
            writeln!(f)?;
        }
        f.write_str("  ")?;
        for file in files {
            write!(f, " {file}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use rules::{Own, Reserve, Wings};

    use super::*;

    #[test]
    fn board_is_drawn_from_both_sides() {
        let board = Board::new();
        let white = Diagram::new(&board, Color::White, Men::Letters).to_string();
        assert_eq!(
            white,
            "8  r n b q k b n r\n\
             7  p p p p p p p p\n\
             6  . . . . . . . .\n\
             5  . . . . . . . .\n\
             4  . . . . . . . .\n\
             3  . . . . . . . .\n\
             2  P P P P P P P P\n\
             1  R N B Q K B N R\n   a b c d e f g h"
        );
        let black = Diagram::new(&board, Color::Black, Men::Figures).to_string();
        assert!(
            black.starts_with("1  \u{2656} \u{2658} \u{2657} \u{2654} \u{2655}"),
            "{black}"
        );
        assert!(black.ends_with("   h g f e d c b a"), "{black}");
    }

    #[test]
    fn own_men_alone_show_nothing_of_the_other_side() {
        let own = Own::of(&Board::new(), Color::Black, Wings::BOTH, Reserve::EMPTY);
        let text = Diagram::new(&own.board(), Color::Black, Men::Letters).to_string();
        assert!(!text.contains(|c: char| c.is_ascii_uppercase()), "{text}");
    }
}
