//! Men on a board, as letters of a FEN.

use rules::chess::{Color, File, Rank, Square};

/// A board: the letter of the man on each square, upper case for White.
#[derive(Clone, Eq, PartialEq, Debug)]
pub(crate) struct Men([Option<char>; 64]);

impl Default for Men {
    fn default() -> Men {
        Men([None; 64])
    }
}

impl Men {
    /// Parses the board part of a FEN; squares that cannot be read stay empty.
    pub(crate) fn read(fen: &str) -> Men {
        let mut men = Men::default();
        let board = fen.split([' ', '[']).next().unwrap_or_default();
        for (row, text) in board.split('/').take(8).enumerate() {
            let mut file = 0_u32;
            for c in text.chars() {
                if let Some(n) = c.to_digit(10) {
                    file += n;
                } else if c.is_ascii_alphabetic() && file < 8 {
                    let at = Square::from_coords(File::new(file), Rank::new(7 - row as u32));
                    men.0[usize::from(at)] = Some(c);
                    file += 1;
                }
            }
        }
        men
    }

    /// Returns the man on a square.
    pub(crate) fn at(&self, square: Square) -> Option<char> {
        self.0[usize::from(square)]
    }

    /// Puts a man on a square, or removes it.
    pub(crate) fn set(&mut self, square: Square, man: Option<char>) {
        self.0[usize::from(square)] = man;
    }

    /// Returns the men of one side alone.
    pub(crate) fn of(&self, color: Color) -> Men {
        Men(self.0.map(|man| man.filter(|c| color_of(*c) == color)))
    }
}

/// Returns the colour of a letter.
pub(crate) fn color_of(man: char) -> Color {
    Color::from_white(man.is_ascii_uppercase())
}

/// Returns a man's letter in the case of a side.
pub(crate) fn letter_of(man: char, color: Color) -> char {
    if color.is_white() {
        man.to_ascii_uppercase()
    } else {
        man.to_ascii_lowercase()
    }
}

/// Parses the name of a square.
pub(crate) fn square(name: &str) -> Option<Square> {
    name.parse().ok()
}

/// Returns origin and target of a try; a drop has no origin.
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
        let men = Men::read("r6k/8/8/8/4P3/8/8/7K b - - 0 1");
        assert_eq!(men.at(Square::A8), Some('r'));
        assert_eq!(men.at(Square::E4), Some('P'));
        assert_eq!(men.of(Color::White).at(Square::A8), None);
        assert_eq!(men.of(Color::Black).at(Square::H8), Some('k'));
        assert_eq!(
            Men::read("rubbish/9/xxxxxxxxxxxx"),
            Men::read("rubbish/9/xxxxxxxx")
        );
    }

    #[test]
    fn tries_have_ends() {
        assert_eq!(ends("e2e4"), Some((Some(Square::E2), Square::E4)));
        assert_eq!(ends("e7e8q"), Some((Some(Square::E7), Square::E8)));
        assert_eq!(ends("N@f5"), Some((None, Square::F5)));
        assert_eq!(ends("Nf3"), None);
        assert_eq!(ends("any"), None);
    }
}
