//! Refusals with their texts. No refusal depends on anything that the asker may not know.

use std::time::Duration;

use referee::Refusal;
use wire::RefusalCode;

use crate::error::ClubError;

pub(crate) fn not_a_player() -> ClubError {
    ClubError::new(
        RefusalCode::Forbidden,
        "not-a-player",
        "you do not play in this game: you hear what spectators hear",
    )
}

pub(crate) fn game_over() -> ClubError {
    ClubError::new(
        RefusalCode::GameOver,
        "game-over",
        "the game is over: offer a rematch, or review the game",
    )
}

pub(crate) fn adjourned() -> ClubError {
    ClubError::new(
        RefusalCode::Adjourned,
        "game-adjourned",
        "the game is adjourned: offer to resume; the game continues when your opponent accepts",
    )
}

/// Converts a refusal of the referee. The referee puts nothing about the true position into a
/// refusal.
pub(crate) fn refusal(refusal: Refusal) -> ClubError {
    let why = refusal.to_string();
    let to_move = match refusal {
        Refusal::GameOver => return game_over(),
        Refusal::NotYourTurn { to_move } => to_move,
        Refusal::NoDrops => return not_possible("no-drops", why),
        Refusal::NoAny => return not_possible("no-any", why),
        Refusal::AnyAsked => return not_possible("any-asked", why),
        Refusal::NoCount => return not_possible("no-count", why),
        Refusal::NoRecap => return not_possible("no-recap", why),
        Refusal::NoPx => return not_possible("no-px", why),
        Refusal::PxCount { announced } => {
            return not_possible("px-count", why).with("announced", announced);
        }
        Refusal::PxNeedsMan => return not_possible("px-needs-man", why),
        Refusal::PxNoMan => return not_possible("px-no-man", why),
        Refusal::PxWrongMan => return not_possible("px-wrong-man", why),
        Refusal::NoOffer => return not_possible("no-draw-offer", why),
        Refusal::NoOwnOffer => return not_possible("no-own-draw-offer", why),
        Refusal::OfferStands => return not_possible("draw-offer-stands", why),
    };
    ClubError::new(
        RefusalCode::NotYourTurn,
        "not-your-turn",
        format!("it is {to_move}'s turn: wait until you hear that it is your turn"),
    )
    .with("to_move", to_move)
}

pub(crate) fn no_offer() -> ClubError {
    ClubError::new(
        RefusalCode::NotFound,
        "offer-unknown",
        "there is no such offer: it was accepted or withdrawn, or the address is wrong",
    )
}

pub(crate) fn gone() -> ClubError {
    ClubError::new(
        RefusalCode::Taken,
        "offer-gone",
        "somebody was quicker: the offer was accepted or withdrawn",
    )
}

pub(crate) fn too_many(reason: &'static str, why: &'static str) -> ClubError {
    ClubError::new(RefusalCode::TooMany, reason, why)
}

pub(crate) fn not_possible(
    reason: &'static str,
    why: impl Into<std::borrow::Cow<'static, str>>,
) -> ClubError {
    ClubError::new(RefusalCode::NotPossible, reason, why)
}

/// Returns the error for a limited request if the seat has made too many of them.
pub(crate) fn nothing_new(wait: Duration) -> ClubError {
    ClubError::too_soon(wait, "attempts-fast", |seconds| {
        format!(
            "you have made too many requests that bring nothing new, such as repeated tries: send \
             this request again in {seconds} s; new tries and `resign` are always judged"
        )
    })
}
