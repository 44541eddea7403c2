//! Causes of events: attempts of players, and the clock.

use rules::{Attempt, Winner, chess::Color};

use crate::event::Event;

/// Request to the referee that makes an event happen.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Cause {
    /// An attempt of a player.
    Attempt {
        /// The player.
        by: Color,
        /// The attempt.
        attempt: Attempt,
    },
    /// The end of the game by time or absence.
    End(EndCause),
}

/// End of a game by time or absence.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum EndCause {
    /// A side's time is up.
    Flag(Color),
    /// A side has left, and loses.
    Gone(Color),
    /// A side has left, and the other is content with a draw.
    GoneDraw(Color),
    /// The game is broken off without a result.
    Abort,
}

impl EndCause {
    /// The cause of that word: `flag`, `gone`, `gone-draw` (each of a side) or
    /// `abort`.
    pub fn from_word(word: &str, color: Color) -> Option<EndCause> {
        let all = [
            EndCause::Flag(color),
            EndCause::Gone(color),
            EndCause::GoneDraw(color),
            EndCause::Abort,
        ];
        all.into_iter().find(|cause| cause.word() == word)
    }

    /// The cause's word.
    pub const fn word(self) -> &'static str {
        match self {
            EndCause::Flag(_) => "flag",
            EndCause::Gone(_) => "gone",
            EndCause::GoneDraw(_) => "gone-draw",
            EndCause::Abort => "abort",
        }
    }

    /// The side whose time is up or that has left; `None` if the game is broken
    /// off.
    pub const fn color(self) -> Option<Color> {
        match self {
            EndCause::Flag(color) | EndCause::Gone(color) | EndCause::GoneDraw(color) => {
                Some(color)
            }
            EndCause::Abort => None,
        }
    }
}

impl Event {
    /// Attempt or end that was asked for when the event happened; `None` for the opening. A draw
    /// that is agreed is an offer accepted, and a `px` the capture that it came
    /// to.
    pub const fn cause(&self) -> Option<Cause> {
        let (by, attempt) = match *self {
            Event::Moved { by, what, .. } | Event::Rebuffed { by, what, .. } => {
                (by, Attempt::Try(what))
            }
            Event::Any { by, .. } => (by, Attempt::Any),
            Event::Count { by, .. } => (by, Attempt::Count),
            Event::Recap { by } => (by, Attempt::Recap),
            Event::Resigned { by } => (by, Attempt::Resign),
            Event::Offered { by } => (by, Attempt::OfferDraw),
            Event::Agreed { by } => (by, Attempt::AcceptDraw),
            Event::Declined { by } => (by, Attempt::DeclineDraw),
            Event::Withdrew { by } => (by, Attempt::WithdrawDraw),
            Event::Flagged { color, .. } => return Some(Cause::End(EndCause::Flag(color))),
            Event::Left {
                color,
                winner: Winner::Draw,
            } => return Some(Cause::End(EndCause::GoneDraw(color))),
            Event::Left { color, .. } => return Some(Cause::End(EndCause::Gone(color))),
            Event::Aborted => return Some(Cause::End(EndCause::Abort)),
            Event::Opened(_) => return None,
        };
        Some(Cause::Attempt { by, attempt })
    }
}
