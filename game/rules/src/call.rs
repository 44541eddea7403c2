//! Calls of the referee, with their audiences.

use arrayvec::ArrayVec;

use crate::{chess::Color, heard::Heard};

/// A listener: one of the two players, or all spectators together.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub enum Listener {
    /// The player of White.
    White,
    /// The player of Black.
    Black,
    /// The spectators.
    Room,
}

impl Listener {
    /// The two players, then the spectators.
    pub const ALL: [Listener; 3] = [Listener::White, Listener::Black, Listener::Room];

    /// Returns the player's colour; `None` for the spectators.
    pub const fn color(self) -> Option<Color> {
        match self {
            Listener::White => Some(Color::White),
            Listener::Black => Some(Color::Black),
            Listener::Room => None,
        }
    }
}

impl From<Color> for Listener {
    fn from(color: Color) -> Listener {
        match color {
            Color::White => Listener::White,
            Color::Black => Listener::Black,
        }
    }
}

/// The listeners to whom something is said. Only the referee chooses an
/// audience.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Audience {
    /// Both players and the spectators.
    Everyone,
    /// Both players, but not the spectators.
    Players,
    /// One player only.
    Seat(Color),
    /// Everyone except one player. This player hears a longer version in a separate call.
    AllBut(Color),
}

impl Audience {
    /// Whether the listener belongs to this audience.
    #[inline]
    pub fn includes(self, listener: Listener) -> bool {
        match self {
            Audience::Everyone => true,
            Audience::Players => listener != Listener::Room,
            Audience::Seat(color) => listener == Listener::from(color),
            Audience::AllBut(color) => listener != Listener::from(color),
        }
    }
}

/// Something said to an audience.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub struct Call {
    /// The listeners who hear the call.
    pub audience: Audience,
    /// What these listeners hear.
    pub heard: Heard,
}

/// All calls about one event, in order.
///
/// The capacity of 10 is enough. One event has at most two calls for the verdict: one with the
/// attempt, and one without it. An event has at most one call of each of these kinds: loss,
/// capture, drop, promotion, check, pawn tries, and the turn or the end.
pub type Calls = ArrayVec<Call, 10>;

/// Returns what one listener hears of the calls, in order.
pub fn heard_by(calls: &[Call], listener: Listener) -> impl Iterator<Item = Heard> {
    let heard = calls
        .iter()
        .filter(move |call| call.audience.includes(listener));
    heard.map(|call| call.heard)
}

/// Receiver of the calls of an event: a list of calls, or code that passes them
/// on at once.
///
/// An implementation must pass each call to its audience, and to nobody else.
pub trait CallSink {
    /// Receives one call.
    fn call(&mut self, audience: Audience, heard: &Heard);
}

impl CallSink for Calls {
    #[inline]
    fn call(&mut self, audience: Audience, heard: &Heard) {
        self.push(Call {
            audience,
            heard: *heard,
        });
    }
}
