//! Collects what each listener hears while an attempt is answered.

use rules::{
    Heard, Listener,
    chess::{Color, Square},
};

/// What each listener hears: White, Black, the spectators, in this order.
#[derive(Clone, Debug, Default)]
pub(super) struct Hearings {
    heard: [Vec<Heard>; 3],
}

/// Returns the index of a listener: 0 for White, 1 for Black, 2 for the
/// spectators.
pub fn column(listener: Listener) -> usize {
    match listener {
        Listener::White => 0,
        Listener::Black => 1,
        Listener::Room => 2,
    }
}

impl Hearings {
    pub(super) fn seat(&mut self, color: Color, heard: impl Into<Heard>) {
        let heard = heard.into();
        match color {
            Color::White => self.heard[0].push(heard),
            Color::Black => self.heard[1].push(heard),
        }
    }

    pub(super) fn room(&mut self, heard: impl Into<Heard>) {
        self.heard[2].push(heard.into());
    }

    pub(super) fn both_seats(&mut self, heard: impl Into<Heard>) {
        let heard = heard.into();
        self.seat(Color::White, heard);
        self.seat(Color::Black, heard);
    }

    pub(super) fn everyone(&mut self, heard: impl Into<Heard>) {
        let heard = heard.into();
        self.both_seats(heard);
        self.room(heard);
    }

    pub(super) fn done(self) -> [Vec<Heard>; 3] {
        self.heard
    }
}

/// Converts squares to the set type that the calls use.
pub(super) fn set(squares: impl IntoIterator<Item = Square>) -> rules::chess::Bitboard {
    squares.into_iter().collect()
}
