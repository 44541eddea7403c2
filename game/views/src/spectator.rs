//! What the spectators know.

use rules::{
    Announcement, Calls, Choices, Heard, Listener, MoveAnnouncements, Over, Reserve, ReserveUse,
    Start,
    chess::{ByColor, Color},
};

use crate::{
    losses::{self, Losses},
    table::TableView,
};

/// What every listener who is not a player knows: everything that was said to
/// the spectators.
#[derive(Clone, PartialEq, Debug)]
pub struct SpectatorView {
    choices: Choices,
    table: TableView,
}

impl SpectatorView {
    /// Returns the view of a spectator at the start of a game.
    pub fn open(choices: Choices, start: &Start) -> SpectatorView {
        SpectatorView {
            choices,
            table: TableView::new(&choices, start.reserves),
        }
    }

    /// Updates the view with one thing that the spectators heard.
    pub fn hear(&mut self, heard: &Heard) {
        self.table.hear(heard);
        if let (Heard::Announced(Announcement::Capture(capture)), Some(by)) =
            (heard, self.table.moved)
        {
            losses::of(&mut self.table.losses, by.other()).note(capture);
        }
    }

    /// Updates the view with the calls of one event. Calls that the spectators
    /// do not hear are ignored.
    pub fn hear_calls(&mut self, calls: &Calls) {
        for call in calls {
            if call.audience.includes(Listener::Room) {
                self.hear(&call.heard);
            }
        }
    }

    /// Returns the choices of the ruleset.
    pub fn choices(&self) -> &Choices {
        &self.choices
    }

    /// Returns the side to move; `None` if the game is over.
    pub fn to_move(&self) -> Option<Color> {
        self.table.to_move
    }

    /// Returns the end of the game, if it is over.
    pub fn over(&self) -> Option<Over> {
        self.table.over
    }

    /// Returns the announcements about the last completed move.
    pub fn this_turn(&self) -> MoveAnnouncements {
        self.table.this_turn
    }

    /// Returns the announcements about the move before the last one.
    pub fn last_turn(&self) -> MoveAnnouncements {
        self.table.last_turn
    }

    /// Returns what is known about captures.
    pub fn losses(&self) -> &Losses {
        &self.table.losses
    }

    /// Returns both reserves; empty if the ruleset has no drops.
    pub fn reserves(&self) -> ByColor<Reserve> {
        match self.choices.reserve {
            ReserveUse::None => ByColor::default(),
            ReserveUse::Drops => self.table.reserves,
        }
    }
}
