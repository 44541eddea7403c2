//! What a request asks, and whether a row answers it.

use referee::Event;
use rules::{
    Attempt, Try, Winner,
    chess::{Color, Role},
};
use store::{Act, TableEvent};

use crate::act::TableAct;

/// What a player asks.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Asked {
    /// Of the referee.
    Attempt(Attempt),
    /// Of the club.
    Act(TableAct),
}

impl Asked {
    /// Whether the row could be the answer to this, for a request that comes
    /// again under the same id.
    pub(crate) fn is_answered_by(&self, act: &Act) -> bool {
        match (*self, act) {
            (Asked::Attempt(attempt), Act::Game(event)) => attempted(attempt, event),
            (Asked::Act(asked), act) => acted(asked, act),
            (Asked::Attempt(_), Act::Table(_)) => false,
        }
    }

    /// Whether the row answers an act and not an attempt.
    pub(crate) fn is_act(act: &Act) -> bool {
        match act {
            Act::Table(_) => true,
            Act::Game(event) => matches!(event, Event::Aborted | Event::Left { .. }),
        }
    }

    /// What an act came to, in words, for the one who did it.
    pub(crate) fn act_words(act: &Act, me: Color, spoken: impl FnOnce() -> String) -> String {
        let mine = |by| by == me;
        let words = match *act {
            Act::Game(_) => return spoken(),
            Act::Table(event) => match event {
                TableEvent::AdjournOffered(by) if mine(by) => {
                    "You offer to adjourn; the game goes on until your opponent accepts."
                }
                TableEvent::AdjournDeclined(_) => "The offer no longer stands.",
                TableEvent::Adjourned(_) => "The game is adjourned; the clocks stand.",
                TableEvent::ResumeOffered(by) if mine(by) => {
                    "You offer to go on; the clocks stand until your opponent accepts."
                }
                TableEvent::Resumed(_) => "The game goes on.",
                TableEvent::RematchOffered(by) if mine(by) => {
                    "You offer a rematch with colours changed."
                }
                TableEvent::RematchDeclined(_) => "The rematch is off.",
                TableEvent::Rematch(_) => "The rematch begins.",
                TableEvent::Paused
                | TableEvent::Credited { .. }
                | TableEvent::AdjournOffered(_)
                | TableEvent::ResumeOffered(_)
                | TableEvent::RematchOffered(_) => "",
            },
        };
        words.to_owned()
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

fn attempted(attempt: Attempt, event: &Event) -> bool {
    match *event {
        Event::Moved { what, .. } | Event::Rebuffed { what, .. } => match attempt {
            Attempt::Try(t) => same_try(t, what),
            // px stands for a pawn capture that only the referee could name.
            Attempt::Px { .. } => true,
            Attempt::Any
            | Attempt::Count
            | Attempt::Recap
            | Attempt::Resign
            | Attempt::OfferDraw
            | Attempt::AcceptDraw
            | Attempt::DeclineDraw
            | Attempt::WithdrawDraw => false,
        },
        Event::Any { .. } => attempt == Attempt::Any,
        Event::Count { .. } => attempt == Attempt::Count,
        Event::Recap { .. } => attempt == Attempt::Recap,
        Event::Resigned { .. } => attempt == Attempt::Resign,
        Event::Offered { .. } => attempt == Attempt::OfferDraw,
        Event::Agreed { .. } => matches!(attempt, Attempt::AcceptDraw | Attempt::OfferDraw),
        Event::Declined { .. } => attempt == Attempt::DeclineDraw,
        Event::Withdrew { .. } => attempt == Attempt::WithdrawDraw,
        Event::Opened(_) | Event::Flagged { .. } | Event::Left { .. } | Event::Aborted => false,
    }
}

fn acted(asked: TableAct, act: &Act) -> bool {
    match *act {
        Act::Game(ref event) => match event {
            Event::Aborted => asked == TableAct::Abort,
            Event::Left {
                winner: Winner::Draw,
                ..
            } => asked == TableAct::ClaimDraw,
            Event::Left { .. } => asked == TableAct::ClaimWin,
            Event::Opened(_)
            | Event::Moved { .. }
            | Event::Rebuffed { .. }
            | Event::Any { .. }
            | Event::Count { .. }
            | Event::Recap { .. }
            | Event::Resigned { .. }
            | Event::Offered { .. }
            | Event::Agreed { .. }
            | Event::Declined { .. }
            | Event::Withdrew { .. }
            | Event::Flagged { .. } => false,
        },
        Act::Table(event) => match event {
            TableEvent::AdjournOffered(_) | TableEvent::Adjourned(_) => asked == TableAct::Adjourn,
            TableEvent::ResumeOffered(_) | TableEvent::Resumed(_) => asked == TableAct::Resume,
            TableEvent::AdjournDeclined(_) => asked == TableAct::DeclineAdjourn,
            TableEvent::RematchOffered(_) | TableEvent::Rematch(_) => asked == TableAct::Rematch,
            TableEvent::RematchDeclined(_) => asked == TableAct::DeclineRematch,
            TableEvent::Paused | TableEvent::Credited { .. } => false,
        },
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
