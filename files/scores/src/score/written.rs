//! The texts of moves, as a file contains them.

use notation::{BoardNames, MoveText, Notation, Place};
use rules::chess::Color;

use super::text::Word;

/// A move as written.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Written {
    /// Text of the move, with its marks.
    pub text: String,
    /// Place of the text in the file.
    pub at: Place,
}

impl From<Word> for Written {
    fn from(word: Word) -> Written {
        Written {
            text: word.text,
            at: word.at,
        }
    }
}

/// Checks whether a text is a move in some notation.
pub(super) fn is_move(text: &str) -> bool {
    let reads =
        |notation| MoveText::read(text, notation, Color::White, BoardNames::Usual).is_some();
    Notation::ALL.into_iter().any(reads)
}

/// Returns the notation in which most of the moves can be read.
pub(super) fn notation_of(moves: &[Written]) -> Notation {
    let readable = |notation| {
        let reads = |written: &&Written| {
            MoveText::read(&written.text, notation, Color::White, BoardNames::Usual).is_some()
        };
        moves.iter().filter(reads).count()
    };
    if readable(Notation::Descriptive) > readable(Notation::Algebraic) {
        Notation::Descriptive
    } else {
        Notation::Algebraic
    }
}
