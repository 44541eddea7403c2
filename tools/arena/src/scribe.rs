//! Recording of games.

use referee::{Event, Game, Refusal};
use rules::{Attempt, Calls, chess::Color};

/// Recorder of a game. The recorder is called for every line of the record. `()` records nothing.
///
/// The parameter `game` is always the state after the event of the line.
pub trait Scribe {
    /// Returns whether anything is recorded. If not, and if no seat wants to hear calls, the arena
    /// passes the calls directly to the views.
    fn writes(&self) -> bool {
        true
    }
    /// Records the start of a game. `asked` is the input line that opened the game;
    /// `calls` are the announcements after the start.
    fn opened(&mut self, game: &Game, asked: &str, calls: &Calls);
    /// Records an attempt that the referee answered.
    fn ruled(&mut self, game: &Game, by: Color, attempt: Attempt, event: &Event, calls: &Calls);
    /// Records an attempt that the referee refused.
    fn refused(&mut self, game: &Game, by: Color, attempt: Attempt, why: &Refusal);
    /// Records a text that is not an attempt.
    fn not_understood(&mut self, game: &Game, text: &str, why: &str);
    /// Records that a player has left the game.
    fn gone(&mut self, game: &Game, by: Color, calls: &Calls);
}

impl Scribe for () {
    fn writes(&self) -> bool {
        false
    }
    fn opened(&mut self, _: &Game, _: &str, _: &Calls) {}
    fn ruled(&mut self, _: &Game, _: Color, _: Attempt, _: &Event, _: &Calls) {}
    fn refused(&mut self, _: &Game, _: Color, _: Attempt, _: &Refusal) {}
    fn not_understood(&mut self, _: &Game, _: &str, _: &str) {}
    fn gone(&mut self, _: &Game, _: Color, _: &Calls) {}
}
