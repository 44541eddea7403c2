//! Calls of the referee, and their audiences.

use arrayvec::ArrayVec;

use crate::{chess::Color, heard::Heard};

/// One who listens: a player's seat, or the room (every listener who is no
/// player).
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub enum Listener {
    /// White's seat.
    White,
    /// Black's seat.
    Black,
    /// Everybody else.
    Room,
}

impl Listener {
    /// The two seats and the room.
    pub const ALL: [Listener; 3] = [Listener::White, Listener::Black, Listener::Room];

    /// The seat's colour; `None` for the room.
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

/// To whom something is said. Only the referee chooses it.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Audience {
    /// Aloud: both seats and the room.
    Everyone,
    /// Both players, not the spectators.
    Players,
    /// One seat alone.
    Seat(Color),
    /// Everyone but one seat, who hears it in fuller words.
    AllBut(Color),
}

impl Audience {
    /// Whether the listener is among them.
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
    /// Listeners who hear it.
    pub audience: Audience,
    /// The thing heard.
    pub heard: Heard,
}

/// All that is said upon one event, in order.
///
/// Never more than: a verdict in two wordings, lost, capture, drop, promotion,
/// check, tries, turn or over.
pub type Calls = ArrayVec<Call, 10>;

/// Things that a listener hears of some calls, in order.
pub fn heard_by(calls: &[Call], listener: Listener) -> impl Iterator<Item = Heard> {
    let heard = calls
        .iter()
        .filter(move |call| call.audience.includes(listener));
    heard.map(|call| call.heard)
}

/// Receiver of calls as they are made: a list, or the listeners themselves.
///
/// A sink must pass each call on to its audience and to nobody else.
pub trait CallSink {
    /// Something is said to an audience.
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
