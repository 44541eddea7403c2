//! The player's guesses of the enemy's men. They are in no message; the program
//! may keep them on this machine.

use std::collections::BTreeMap;

use rules::chess::Square;

use crate::men::square;

/// Guesses of one seat in one game.
#[derive(Clone, Default, Debug)]
pub(crate) struct Phantoms(BTreeMap<usize, char>);

impl Phantoms {
    /// Returns the guessed man on a square.
    pub(crate) fn at(&self, square: Square) -> Option<char> {
        self.0.get(&usize::from(square)).copied()
    }

    /// Sets the guessed man on a square, or removes it.
    pub(crate) fn guess(&mut self, square: Square, man: Option<char>) {
        match man {
            Some(man) => self.0.insert(usize::from(square), man),
            None => self.0.remove(&usize::from(square)),
        };
    }

    /// Removes all guesses.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// Formats them for storage: `qe5 nf3`.
    pub(crate) fn text(&self) -> String {
        let named = Square::ALL.into_iter().filter_map(|square| {
            let man = self.at(square)?;
            Some(format!("{man}{square}"))
        });
        named.collect::<Vec<_>>().join(" ")
    }

    /// Parses stored guesses; skips what is no guess.
    pub(crate) fn read(text: &str) -> Phantoms {
        let mut phantoms = Phantoms::default();
        for word in text.split_whitespace() {
            let mut chars = word.chars();
            let man = chars.next().filter(|man| "PNBRQKpnbrqk".contains(*man));
            if let (Some(man), Some(square)) = (man, square(chars.as_str())) {
                phantoms.guess(square, Some(man));
            }
        }
        phantoms
    }

    /// Number of guesses.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}
