//! Knowledge of the room.

use rules::{
    Announcement, Calls, Choices, Heard, Listener, MoveAnnouncements, Over, Reserve, ReserveUse,
    Start,
    chess::{ByColor, Color},
};

use crate::{
    losses::{self, Losses},
    table::TableView,
};

/// Knowledge of every listener who is no player: what was said aloud.
#[derive(Clone, PartialEq, Debug)]
pub struct SpectatorView {
    choices: Choices,
    table: TableView,
}

impl SpectatorView {
    /// Opens the view of a spectator.
    pub fn open(choices: Choices, start: &Start) -> SpectatorView {
        SpectatorView {
            choices,
            table: TableView::new(&choices, start.reserves),
        }
    }

    /// Hears one thing.
    pub fn hear(&mut self, heard: &Heard) {
        self.table.hear(heard);
        if let (Heard::Announced(Announcement::Capture(capture)), Some(by)) =
            (heard, self.table.moved)
        {
            losses::of(&mut self.table.losses, by.other()).note(capture);
        }
    }

    /// Hears, of what is said upon one event, all that is said to the room.
    pub fn hear_calls(&mut self, calls: &Calls) {
        for call in calls {
            if call.audience.includes(Listener::Room) {
                self.hear(&call.heard);
            }
        }
    }

    /// The choices played by.
    pub fn choices(&self) -> &Choices {
        &self.choices
    }

    /// The side to move; `None` when the game is over.
    pub fn to_move(&self) -> Option<Color> {
        self.table.to_move
    }

    /// The end of the game.
    pub fn over(&self) -> Option<Over> {
        self.table.over
    }

    /// Announcements since the last completed move.
    pub fn this_turn(&self) -> MoveAnnouncements {
        self.table.this_turn
    }

    /// Announcements a turn before.
    pub fn last_turn(&self) -> MoveAnnouncements {
        self.table.last_turn
    }

    /// Returns what is known of captures.
    pub fn losses(&self) -> &Losses {
        &self.table.losses
    }

    /// Both reserves; empty where men cannot be dropped.
    pub fn reserves(&self) -> ByColor<Reserve> {
        match self.choices.reserve {
            ReserveUse::None => ByColor::default(),
            ReserveUse::Drops => self.table.reserves,
        }
    }
}
