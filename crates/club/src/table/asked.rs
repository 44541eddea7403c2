//! Requests, and whether a row answers one.

use referee::{Cause, EndCause, Event};
use rules::{
    Attempt, Px, Tries, Try,
    chess::{Color, Role},
};
use store::{Act, RequestId, TableEvent};
use views::PlayerView;

use crate::act::TableAct;

/// A request of a player, as it came.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Request {
    /// Seat of the player who asks.
    pub seat: Color,
    /// Its name, unique for the seat.
    pub id: RequestId,
    /// Content of the request.
    pub body: Body,
}

/// Content of a request, as it came.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum Body {
    /// Something said to the referee.
    Say {
        /// The last number that the seat had heard.
        after: u32,
        /// As it was typed.
        text: String,
    },
    /// Something done at the table.
    Act(TableAct),
}

/// Content of a request, once it is understood.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Asked {
    /// Asked of the referee.
    Attempt(Attempt),
    /// Asked of the club.
    Act(TableAct),
}

/// The attempt that an event records. A draw that is agreed is an offer accepted.
fn recorded_attempt(event: &Event) -> Option<Attempt> {
    match event.cause()? {
        Cause::Attempt { attempt, .. } => Some(attempt),
        Cause::End(_) => None,
    }
}

/// Returns the act at the table that a row records, if it records one.
pub(super) fn recorded_act(act: &Act) -> Option<TableAct> {
    Some(match act {
        Act::Game(event) => match event.cause()? {
            Cause::End(EndCause::Abort) => TableAct::Abort,
            Cause::End(EndCause::GoneDraw(_)) => TableAct::ClaimDraw,
            Cause::End(EndCause::Gone(_)) => TableAct::ClaimWin,
            Cause::End(EndCause::Flag(_)) | Cause::Attempt { .. } => return None,
        },
        Act::Table(event) => match event {
            TableEvent::AdjournOffered(_) | TableEvent::Adjourned(_) => TableAct::Adjourn,
            TableEvent::ResumeOffered(_) | TableEvent::Resumed(_) => TableAct::Resume,
            TableEvent::AdjournDeclined(_) => TableAct::DeclineAdjourn,
            TableEvent::RematchOffered(_) | TableEvent::Rematch(_) => TableAct::Rematch,
            TableEvent::RematchDeclined(_) => TableAct::DeclineRematch,
            TableEvent::Paused | TableEvent::Credited { .. } => return None,
        },
    })
}

/// Returns the result of an act in words, for its player; `None` if it was heard.
pub(super) fn act_words(act: &Act) -> Option<&'static str> {
    let Act::Table(event) = act else {
        return None;
    };
    Some(match event {
        TableEvent::AdjournOffered(_) => {
            "You offer to adjourn; the game goes on until your opponent accepts."
        }
        TableEvent::AdjournDeclined(_) => "The offer no longer stands.",
        TableEvent::Adjourned(_) => "The game is adjourned; the clocks stand.",
        TableEvent::ResumeOffered(_) => {
            "You offer to go on; the clocks stand until your opponent accepts."
        }
        TableEvent::Resumed(_) => "The game goes on.",
        TableEvent::RematchOffered(_) => "You offer a rematch with colours changed.",
        TableEvent::RematchDeclined(_) => "The rematch is off.",
        TableEvent::Rematch(_) => "The rematch begins.",
        TableEvent::Paused | TableEvent::Credited { .. } => "",
    })
}

/// Whether a row answers an attempt, as the men stood before it. The row of a `px`
/// holds the capture that it came to: `px` is another way to write that capture where
/// just one was announced, as `Nf3` is another way to write `g1f3`, and of nothing else.
pub(super) fn is_answered(view: &PlayerView, attempt: Attempt, act: &Act) -> bool {
    let Act::Game(event) = act else { return false };
    match (attempt, recorded_attempt(event)) {
        (Attempt::Px { promotion }, Some(Attempt::Try(what @ Try::Step { from, to, .. }))) => {
            let named = Try::Step {
                from,
                to,
                promotion,
            };
            let (own, choices) = (view.own(), view.choices());
            matches!(event, Event::Moved { .. })
                && choices.px == Px::Present
                && view.turn().tries == Tries::Count(1)
                && own.is_pawn_capture(what)
                && own.with_default_promotion(named, choices.promotion_man) == what
        }
        (Attempt::Try(asked), Some(Attempt::Try(what))) => same_try(asked, what),
        // An offer that meets the other's is its acceptance.
        (Attempt::OfferDraw, Some(Attempt::AcceptDraw)) => true,
        (asked, recorded) => Some(asked) == recorded,
    }
}

/// Whether `what` is the try as it was asked, or with the queen that the ruleset
/// supplies where none is named.
fn same_try(asked: Try, what: Try) -> bool {
    match (asked, what) {
        (
            Try::Step {
                from,
                to,
                promotion: None,
            },
            Try::Step {
                from: f,
                to: t,
                promotion: None | Some(Role::Queen),
            },
        ) => (from, to) == (f, t),
        (Try::Step { .. } | Try::Drop { .. }, _) => asked == what,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_try_without_a_man_is_that_with_a_queen_and_no_other() {
        let a_try = |text: &str| match text.parse() {
            Ok(Attempt::Try(what)) => what,
            _ => panic!("{text} is a try"),
        };
        for (asked, what, same) in [
            ("h7g8", "h7g8q", true),
            ("h7g8", "h7g8n", false),
            ("h7g8", "h7g8", true),
            ("h7g8q", "h7g8", false),
            ("h7g8n", "h7g8n", true),
            ("h7g8", "h7h8", false),
        ] {
            assert_eq!(same_try(a_try(asked), a_try(what)), same, "{asked} {what}");
        }
    }
}
