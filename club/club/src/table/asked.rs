//! Requests, and the check whether a row answers a request.

use referee::{Cause, EndCause, Event};
use rules::{
    Attempt, Px, Tries, Try,
    chess::{Color, Role},
};
use store::{Act, ConditionalTries, RequestId, TableEvent};
use views::PlayerView;
use wire::TableAct;

/// A request of a player, before it is parsed.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Request {
    /// Seat of the player who asks.
    pub seat: Color,
    /// Id of the request, unique for the seat.
    pub id: RequestId,
    /// Content of the request.
    pub body: Body,
}

/// Content of a request, before it is parsed.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum Body {
    /// What the player says to the referee.
    Say {
        /// Number of the last hearing that the seat had heard.
        after: u32,
        /// Text as the player typed it.
        text: String,
    },
    /// What the player does at the table.
    Act(TableAct),
    /// Text of the tries that the player makes in advance, from now on.
    Conditional(String),
}

/// Content of a request, after it is parsed.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum Asked {
    /// An attempt, for the referee.
    Attempt(Attempt),
    /// An act, for the club.
    Act(TableAct),
    /// Tries in advance.
    Conditional(ConditionalTries),
}

/// Returns the attempt that an event records. For an agreed draw, returns the acceptance of the
/// offer.
pub(super) fn recorded_attempt(act: &Act) -> Option<Attempt> {
    let Act::Game(event) = act else { return None };
    match event.cause()? {
        Cause::Attempt { attempt, .. } => Some(attempt),
        Cause::End(_) => None,
    }
}

/// Returns the act of a player that a row records; `None` for other rows.
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
            TableEvent::Paused | TableEvent::Credited { .. } | TableEvent::Conditional(..) => {
                return None;
            }
        },
    })
}

/// Returns the result of an act as text for its player; `None` if the result comes to the player as
/// a hearing.
pub(super) fn act_words(act: &Act) -> Option<&'static str> {
    let Act::Table(event) = act else {
        return None;
    };
    Some(match event {
        TableEvent::AdjournOffered(_) => {
            "You offer to adjourn. The game continues until your opponent accepts."
        }
        TableEvent::AdjournDeclined(_) => "The offer is no longer open.",
        TableEvent::Adjourned(_) => "The game is adjourned. The clocks are stopped.",
        TableEvent::ResumeOffered(_) => {
            "You offer to resume the game. The clocks are stopped until your opponent accepts."
        }
        TableEvent::Resumed(_) => "The game continues.",
        TableEvent::RematchOffered(_) => "You offer a rematch with colours changed.",
        TableEvent::RematchDeclined(_) => "The offer of a rematch is no longer open.",
        TableEvent::Rematch(_) => "The rematch begins.",
        TableEvent::Conditional(_, tries) if tries.0.is_empty() => "Nothing is tried in advance.",
        TableEvent::Conditional(..) => "The club makes these tries when it is your turn.",
        TableEvent::Paused | TableEvent::Credited { .. } => "",
    })
}

/// Whether a row answers an attempt. `view` is the seat's view before the row. If the attempt is
/// `px`, the row contains the pawn capture that was played, because `px` is only another way to
/// write this capture.
pub(super) fn is_answered(view: &PlayerView, attempt: Attempt, act: &Act) -> bool {
    let Act::Game(event) = act else { return false };
    match (attempt, recorded_attempt(act)) {
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
        // If the opponent's draw offer is open, a draw offer accepts it.
        (Attempt::OfferDraw, Some(Attempt::AcceptDraw)) => true,
        (asked, recorded) => Some(asked) == recorded,
    }
}

/// Whether `what` is the try `asked`. If `asked` names no promotion piece, `what` may promote to a
/// queen, because the ruleset adds the queen.
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
    fn try_without_piece_means_promotion_to_a_queen() {
        let a_try = |text: &str| match text.parse() {
            Ok(Attempt::Try(what)) => what,
            _ => panic!("{text} must be a try"),
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
