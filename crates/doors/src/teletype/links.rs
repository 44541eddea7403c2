//! Links between the two consoles of a game.

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
pub(super) struct ConsoleLinks(Arc<Mutex<Ends>>);

impl ConsoleLinks {
    fn ends(&self) -> MutexGuard<'_, Ends> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the seat's end; its previous holder is told.
    pub(super) fn take(&self, game: GameId, color: Color) -> ConsoleLink {
        let (lines, inbox) = mpsc::unbounded_channel();
        // The previous sender is dropped, and its inbox ends.
        self.ends().insert((game, color), lines);
        ConsoleLink {
            links: self.clone(),
            seat: (game, color),
            inbox,
        }
    }
}

/// A seat's end of a link; dropping it frees the seat.
#[derive(Debug)]
pub(super) struct ConsoleLink {
    links: ConsoleLinks,
    seat: (GameId, Color),
    inbox: mpsc::UnboundedReceiver<String>,
}

impl ConsoleLink {
    /// Prints lines at the other console, if it is there.
    pub(super) fn print_there(&self, text: &str) {
        let (game, color) = self.seat;
        if let Some(there) = self.links.ends().get(&(game, color.other())) {
            let _gone = there.send(text.to_owned());
        }
    }

    /// Returns the next lines to be printed; `None` once another console has
    /// taken the seat. It is cancel safe.
    pub(super) async fn next(&mut self) -> Option<String> {
        self.inbox.recv().await
    }
}

impl Drop for ConsoleLink {
    fn drop(&mut self) {
        let mut ends = self.links.ends();
        // A closed inbox means that another console has the seat.
        if !self.inbox.is_closed() {
            ends.remove(&self.seat);
        }
    }
}
