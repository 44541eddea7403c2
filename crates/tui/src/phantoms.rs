//! One's own guesses of where the enemy's men are. They are in no message;
//! whoever shows the screen may keep them on this machine.

use std::collections::BTreeMap;

use rules::chess::Square;

use crate::men::square;

/// The guesses of one seat at one game.
#[derive(Clone, Default, Debug)]
pub(crate) struct Phantoms(BTreeMap<usize, char>);

impl Phantoms {
    /// Who is guessed to stand there.
    pub(crate) fn at(&self, square: Square) -> Option<char> {
        self.0.get(&usize::from(square)).copied()
    }

    /// Guesses a man there, or nobody.
    pub(crate) fn guess(&mut self, square: Square, man: Option<char>) {
        match man {
            Some(man) => self.0.insert(usize::from(square), man),
            None => self.0.remove(&usize::from(square)),
        };
    }

    /// Takes all guesses back.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// As they are kept: `qe5 nf3`.
    pub(crate) fn text(&self) -> String {
        let named = Square::ALL.into_iter().filter_map(|square| {
            let man = self.at(square)?;
            Some(format!("{man}{square}"))
        });
        named.collect::<Vec<_>>().join(" ")
    }

    /// Reads what was kept; what is no guess is none.
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

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}
