//! One's own guesses of where the enemy's men are. They are in no message.

use std::collections::BTreeMap;

use rules::chess::Square;

/// Guesses, by game and seat; in this process alone.
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

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}
