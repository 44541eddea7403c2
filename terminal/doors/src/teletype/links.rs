//! Links between the two consoles of a game.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use club::GameId;
use rules::chess::Color;
use tokio::sync::mpsc;

/// For each seat of a game, the sender of the lines that its console must print.
type Ends = HashMap<(GameId, Color), mpsc::UnboundedSender<String>>;

/// Links of all consoles that play a game. If one user types a line that cannot be parsed, both
/// consoles print the response. The links carry only such responses. Announcements of the club do
/// not use links: they arrive as hearings.
#[derive(Clone, Debug, Default)]
pub(super) struct ConsoleLinks(Arc<Mutex<Ends>>);

impl ConsoleLinks {
    fn ends(&self) -> MutexGuard<'_, Ends> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the link of a seat for a console. If another console held this link, its
    /// [`ConsoleLink::next`] now returns `None`.
    pub(super) fn take(&self, game: GameId, color: Color) -> ConsoleLink {
        let (lines, inbox) = mpsc::unbounded_channel();
        // The insertion drops the previous sender, so the previous inbox closes.
        self.ends().insert((game, color), lines);
        ConsoleLink {
            links: self.clone(),
            seat: (game, color),
            inbox,
        }
    }
}

/// The link of one seat. Dropping it frees the seat.
#[derive(Debug)]
pub(super) struct ConsoleLink {
    links: ConsoleLinks,
    seat: (GameId, Color),
    inbox: mpsc::UnboundedReceiver<String>,
}

impl ConsoleLink {
    /// Prints lines at the opponent's console, if it is connected.
    pub(super) fn print_there(&self, text: &str) {
        let (game, color) = self.seat;
        if let Some(there) = self.links.ends().get(&(game, color.other())) {
            let _gone = there.send(text.to_owned());
        }
    }

    /// Returns the next lines to print, or `None` once another console has
    /// taken the seat. Cancel safe.
    pub(super) async fn next(&mut self) -> Option<String> {
        self.inbox.recv().await
    }
}

impl Drop for ConsoleLink {
    fn drop(&mut self) {
        let mut ends = self.links.ends();
        // A closed inbox means that another console has taken the seat.
        if !self.inbox.is_closed() {
            ends.remove(&self.seat);
        }
    }
}
