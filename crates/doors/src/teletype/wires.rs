//! The wires between the two consoles of a game.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use club::GameId;
use rules::chess::Color;
use tokio::sync::mpsc;

/// Message over a wire.
#[derive(Clone, Eq, PartialEq, Debug)]
pub(super) enum Signal {
    /// Lines to be printed.
    Print(String),
    /// Another console has come with the key of this seat.
    Replaced,
}

#[derive(Debug)]
struct Wire {
    number: u64,
    signals: mpsc::UnboundedSender<Signal>,
}

type Ends = HashMap<(GameId, Color), Wire>;

/// Every console that sits at a game. What the club says does not come this
/// way, only what one console types for both.
#[derive(Clone, Debug, Default)]
pub(super) struct Wires {
    ends: Arc<Mutex<Ends>>,
    last: Arc<AtomicU64>,
}

impl Wires {
    fn ends(&self) -> MutexGuard<'_, Ends> {
        self.ends.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the seat's end; its previous holder is told.
    pub(super) fn take(&self, game: GameId, color: Color) -> Plug {
        let number = self.last.fetch_add(1, Ordering::Relaxed);
        let (signals, inbox) = mpsc::unbounded_channel();
        let wire = Wire { number, signals };
        if let Some(old) = self.ends().insert((game, color), wire) {
            let _gone = old.signals.send(Signal::Replaced);
        }
        Plug {
            wires: self.clone(),
            seat: (game, color),
            number,
            inbox,
        }
    }
}

/// A seat's end of the wire, as long as it lives.
#[derive(Debug)]
pub(super) struct Plug {
    wires: Wires,
    seat: (GameId, Color),
    number: u64,
    inbox: mpsc::UnboundedReceiver<Signal>,
}

impl Plug {
    /// Prints lines at the other console, if it is there.
    pub(super) fn print_there(&self, text: &str) {
        let (game, color) = self.seat;
        if let Some(wire) = self.wires.ends().get(&(game, color.other())) {
            let _gone = wire.signals.send(Signal::Print(text.to_owned()));
        }
    }

    /// Returns the next message. It is cancel safe.
    pub(super) async fn next(&mut self) -> Signal {
        // The sender is kept until another has taken its place, and it speaks first.
        self.inbox.recv().await.unwrap_or(Signal::Replaced)
    }
}

impl Drop for Plug {
    fn drop(&mut self) {
        let mut ends = self.wires.ends();
        if ends
            .get(&self.seat)
            .is_some_and(|w| w.number == self.number)
        {
            ends.remove(&self.seat);
        }
    }
}
