//! What a listener has recorded of one game.

use tokio::time::Instant;
use wire::{HeardJson, HearingJson, RefusalCode};

/// A request and its answer.
#[derive(Clone, Debug)]
pub(super) struct Ask {
    pub(super) id: String,
    pub(super) after: u32,
    pub(super) text: String,
    /// Time at which the request was first sent.
    pub(super) sent: Instant,
    /// The first answer, in one word.
    pub(super) answer: Option<String>,
    /// Time of the first answer, and the number of the hearing that the answer names.
    pub(super) answered: Option<(Instant, Option<u32>)>,
    /// Refusal of the request.
    pub(super) refused: Option<RefusalCode>,
}

impl Ask {
    pub(super) fn is_open(&self) -> bool {
        self.answer.is_none() && self.refused.is_none()
    }
}

/// Hearings and requests of one listener in one game.
#[derive(Clone, Debug, Default)]
pub(super) struct Journal {
    /// Name of the listener, for messages about faults.
    pub(super) name: String,
    /// Each hearing, in order.
    pub(super) heard: Vec<Vec<HeardJson>>,
    /// Time of each hearing.
    pub(super) times: Vec<Instant>,
    /// Each request, in order. Spectators make none.
    pub(super) asks: Vec<Ask>,
    /// Faults that were found when the messages came.
    pub(super) faults: Vec<String>,
}

impl Journal {
    pub(super) fn new(name: String) -> Journal {
        Journal {
            name,
            ..Journal::default()
        }
    }

    /// Returns the number of the last hearing.
    pub(super) fn last(&self) -> u32 {
        u32::try_from(self.heard.len()).unwrap_or(u32::MAX)
    }

    /// Records a hearing. The client passes each hearing on once, in the order of the numbers. So a
    /// gap in the numbers is a fault.
    pub(super) fn hear(&mut self, hearing: HearingJson) {
        if hearing.n != self.last() + 1 {
            self.faults.push(format!(
                "{}: heard number {} after number {}",
                self.name,
                hearing.n,
                self.last()
            ));
        }
        self.heard.push(hearing.heard);
        self.times.push(Instant::now());
    }

    /// Whether the listener has heard the end of the game.
    pub(super) fn is_over(&self) -> bool {
        let last = self.heard.last();
        last.is_some_and(|heard| {
            heard
                .iter()
                .any(|one| matches!(one, HeardJson::Over { .. }))
        })
    }
}

/// Whether a hearing contains a completed move.
pub(super) fn has_move(hearing: &HearingJson) -> bool {
    let is_move = |one: &HeardJson| matches!(one, HeardJson::Moved { .. });
    hearing.heard.iter().any(is_move)
}
