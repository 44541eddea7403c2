//! The wires between the two consoles of a game.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use club::GameId;
use rules::chess::Color;
use tokio::sync::mpsc;

/// Senders of lines to be printed, by seat.
type Ends = HashMap<(GameId, Color), mpsc::UnboundedSender<String>>;

/// Every console that sits at a game. What the club says does not come this
/// way, only what one console types for both.
#[derive(Clone, Debug, Default)]
pub(super) struct Wires(Arc<Mutex<Ends>>);

impl Wires {
    fn ends(&self) -> MutexGuard<'_, Ends> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the seat's end; its previous holder is told.
    pub(super) fn take(&self, game: GameId, color: Color) -> Plug {
        let (lines, inbox) = mpsc::unbounded_channel();
        // The previous sender is dropped, and its inbox ends.
        self.ends().insert((game, color), lines);
        Plug {
            wires: self.clone(),
            seat: (game, color),
            inbox,
        }
    }
}

/// A seat's end of the wire, as long as it lives.
#[derive(Debug)]
pub(super) struct Plug {
    wires: Wires,
    seat: (GameId, Color),
    inbox: mpsc::UnboundedReceiver<String>,
}

impl Plug {
    /// Prints lines at the other console, if it is there.
    pub(super) fn print_there(&self, text: &str) {
        let (game, color) = self.seat;
        if let Some(there) = self.wires.ends().get(&(game, color.other())) {
            let _gone = there.send(text.to_owned());
        }
    }

    /// Returns the next lines to be printed; `None` once another console has
    /// taken the seat. It is cancel safe.
    pub(super) async fn next(&mut self) -> Option<String> {
        self.inbox.recv().await
    }
}

impl Drop for Plug {
    fn drop(&mut self) {
        let mut ends = self.wires.ends();
        // A closed inbox means that another console has the seat.
        if !self.inbox.is_closed() {
            ends.remove(&self.seat);
        }
    }
}
