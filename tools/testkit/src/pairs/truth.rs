//! The truth about one of the two games of a pair: the true position and its history. The truth is
//! recorded while the game is replayed.

use referee::{Event, Game};
use rules::{
    Listener,
    chess::{Board, Color},
};

/// One game with its events and all its boards.
///
/// The comparison uses the boards to count for how many moves the true positions
/// differ. Planted leaks take the secret data from this type.
#[derive(Clone, Debug)]
pub struct Truth {
    /// The game, with the true position.
    pub game: Game,
    /// Events since the opening.
    pub log: Vec<Event>,
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
            log: Vec::new(),
            boards,
            listener,
        }
    }

    pub(super) fn happen(&mut self, event: Event) {
        self.game.apply(&event);
        if matches!(event, Event::Moved { .. }) {
            self.boards.push(self.game.sheet().board());
        }
        self.log.push(event);
    }

    /// Returns a colour whose men the listener must not see. For a player, this is the opponent's
    /// colour. The spectators must see no men of either colour; for them, the function returns
    /// Black.
    pub fn unseen(&self) -> Color {
        match self.listener {
            Listener::White | Listener::Room => Color::Black,
            Listener::Black => Color::White,
        }
    }

    /// Returns the current true board.
    pub fn board(&self) -> &Board {
        self.boards
            .last()
            .expect("the list contains the board of the start")
    }

    /// Returns the last completed move, with the board before it.
    pub fn last_move(&self) -> Option<(Color, rules::Try, &Board)> {
        let (by, what) = self.log.iter().rev().find_map(|event| {
            if let Event::Moved { by, what, .. } = *event {
                Some((by, what))
            } else {
                None
            }
        })?;
        let before = self.boards.len().checked_sub(2)?;
        Some((by, what, &self.boards[before]))
    }
}
