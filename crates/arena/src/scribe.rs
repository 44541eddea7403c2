//! Recording of games.

use referee::{Event, Game, Refusal};
use rules::{Attempt, Calls, chess::Color};

/// Records a game line by line as it is played. `()` records nothing.
///
/// `game` is always the state after the recorded line.
pub trait Scribe {
    /// Whether anything is recorded. If not, and no seat listens, calls are
    /// passed to the views without being collected.
    fn writes(&self) -> bool {
        true
    }
    /// Records the start of a game. `asked` is the input line that opened it;
    /// `calls` are the announcements after the start.
    fn opened(&mut self, game: &Game, asked: &str, calls: &Calls);
    /// An attempt was answered.
    fn ruled(&mut self, game: &Game, by: Color, attempt: Attempt, event: &Event, calls: &Calls);
    /// An attempt was refused.
    fn refused(&mut self, game: &Game, by: Color, attempt: Attempt, why: &Refusal);
    /// Records a word that is no attempt.
    fn not_understood(&mut self, game: &Game, text: &str, why: &str);
    /// A player is gone.
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
