//! Causes of events: attempts of players, and ends of the game that no attempt
//! causes (time, absence, abort).

use rules::{Attempt, Winner, chess::Color};

use crate::event::Event;

/// Request to the referee that leads to an event.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Cause {
    /// An attempt of a player.
    Attempt {
        /// The player who makes the attempt.
        by: Color,
        /// What the player asks for.
        attempt: Attempt,
    },
    /// An end of the game by time, absence or abort.
    End(EndCause),
}

/// End of a game that no attempt causes: time, absence or abort.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum EndCause {
    /// The time of this side is up.
    Flag(Color),
    /// This side has left the game and loses.
    Gone(Color),
    /// This side has left the game, and the opponent chose a draw.
    GoneDraw(Color),
    /// The game is aborted, without a result.
    Abort,
}

impl EndCause {
    /// Returns the cause with this name: `flag`, `gone`, `gone-draw` or
    /// `abort`. `color` is the side concerned; `abort` ignores it.
    pub fn from_word(word: &str, color: Color) -> Option<EndCause> {
        let all = [
            EndCause::Flag(color),
            EndCause::Gone(color),
            EndCause::GoneDraw(color),
            EndCause::Abort,
        ];
        all.into_iter().find(|cause| cause.word() == word)
    }

    /// Returns the name of the cause: `flag`, `gone`, `gone-draw` or `abort`.
    pub const fn word(self) -> &'static str {
        match self {
            EndCause::Flag(_) => "flag",
            EndCause::Gone(_) => "gone",
            EndCause::GoneDraw(_) => "gone-draw",
            EndCause::Abort => "abort",
        }
    }

    /// Returns the side whose time is up or that has left; `None` for an abort.
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
    /// Returns the attempt or the end that leads to this event; `None` for the
    /// opening.
    ///
    /// For an agreed draw, the attempt is always [`Attempt::AcceptDraw`]. For a `px`, the attempt
    /// is the capture that was played.
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
