//! The player's guesses of the squares of the opponent's men. The guesses are never
//! sent in a message; the program may store them on this machine.

use rules::chess::{Board, Piece, Square};

/// Guesses of one seat in one game.
#[derive(Clone, Debug)]
pub(crate) struct Phantoms(pub(crate) Board);

impl Default for Phantoms {
    fn default() -> Phantoms {
        Phantoms(Board::empty())
    }
}

impl Phantoms {
    /// Sets the guessed man on a square, or removes it.
    pub(crate) fn guess(&mut self, square: Square, man: Option<Piece>) {
        match man {
            Some(man) => self.0.set_piece_at(square, man),
            None => self.0.discard_piece_at(square),
        }
    }

    /// Formats the guesses for storage: `qe5 nf3`.
    pub(crate) fn text(&self) -> String {
        let named = Square::ALL.into_iter().filter_map(|square| {
            let man = self.0.piece_at(square)?;
            Some(format!("{}{square}", man.char()))
        });
        named.collect::<Vec<_>>().join(" ")
    }

    /// Parses stored guesses. Invalid words are skipped.
    pub(crate) fn read(text: &str) -> Phantoms {
        let guess = |word: &str| {
            let man = Piece::from_char(word.chars().next()?)?;
            Some((word.get(1..)?.parse().ok()?, man))
        };
        Phantoms(text.split_whitespace().filter_map(guess).collect())
    }

    /// Returns the number of guesses.
    pub(crate) fn len(&self) -> usize {
        self.0.occupied().count()
    }
}
