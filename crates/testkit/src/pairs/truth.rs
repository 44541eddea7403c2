//! One of the two games as it is played again: the truth and its past.

use referee::{Event, Game};
use rules::{
    Listener,
    chess::{Board, Color},
};

/// One game, all that happened in it, and every board that stood.
///
/// The comparison reads the boards to count how long the truths differ;
/// planted leaks read what they should not.
#[derive(Clone, Debug)]
pub struct Truth {
    /// The game.
    pub game: Game,
    /// Events since the opening.
    pub log: Vec<Event>,
    /// The boards after each completed move, the opening's first.
    pub boards: Vec<Board>,
    /// Listener.
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

    /// The colour that the listener must not see.
    pub fn unseen(&self) -> Color {
        match self.listener {
            Listener::White | Listener::Room => Color::Black,
            Listener::Black => Color::White,
        }
    }

    /// The board that stands.
    pub fn board(&self) -> &Board {
        self.boards.last().expect("the opening's board is there")
    }

    /// The last completed move, with the board on which it was made.
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
