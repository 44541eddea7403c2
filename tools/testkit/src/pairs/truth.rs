//! The truth about one of the two games of a pair: the true position and its history. The truth is
//! recorded while the game is replayed.

use referee::{Event, Game};
use rules::{Listener, chess::Board};

/// One game with all its boards.
///
/// The comparison uses the boards to count for how many moves the true positions
/// differ.
#[derive(Clone, Debug)]
pub struct Truth {
    /// The game, with the true position.
    pub game: Game,
    /// The true board at the start, then the true board after each completed move.
    pub boards: Vec<Board>,
    /// The listener of the pair.
    pub listener: Listener,
}

impl Truth {
    pub(super) fn new(game: Game, listener: Listener) -> Truth {
        let boards = vec![game.sheet().board()];
        Truth {
            game,
            boards,
            listener,
        }
    }

    pub(super) fn happen(&mut self, event: Event) {
        self.game.apply(&event);
        if matches!(event, Event::Moved { .. }) {
            self.boards.push(self.game.sheet().board());
        }
    }

    /// Returns the current true board.
    pub fn board(&self) -> &Board {
        self.boards
            .last()
            .expect("the list contains the board of the start")
    }
}
