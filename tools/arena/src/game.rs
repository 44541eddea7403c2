//! One game of a run.

use rules::chess::Color;

use crate::play::Played;

/// One game of a run.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct GameOfRun {
    /// Number of the game in the run, from 0.
    pub number: u64,
    /// Colour of the first player of the pair in this game; Black if colours were swapped.
    pub first: Color,
    /// Result of the game.
    pub played: Played,
}

/// Returns the name of the file of a game, given its number from 0.
pub fn file_name(number: u64) -> String {
    format!("game-{:06}.jsonl", number + 1)
}
