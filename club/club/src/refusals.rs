//! Refusals with their texts. No refusal depends on anything that the asker may not know.

use referee::Refusal;
use wire::RefusalCode;

use crate::error::ClubError;

pub(crate) fn not_a_player() -> ClubError {
    ClubError::new(
        RefusalCode::Forbidden,
        "you do not play in this game: you hear what spectators hear",
    )
}

pub(crate) fn game_over() -> ClubError {
    ClubError::new(
        RefusalCode::GameOver,
        "the game is over: offer a rematch, or review the game",
    )
}

pub(crate) fn adjourned() -> ClubError {
    ClubError::new(
        RefusalCode::Adjourned,
        "the game is adjourned: offer to resume; the game continues when your opponent accepts",
    )
}

/// Converts a refusal of the referee. The referee puts nothing about the true position into a
/// refusal.
pub(crate) fn refusal(refusal: Refusal) -> ClubError {
    if refusal == Refusal::GameOver {
        return game_over();
    }
    let Refusal::NotYourTurn { to_move } = refusal else {
        return ClubError::new(RefusalCode::NotPossible, refusal.to_string());
    };
    ClubError::new(
        RefusalCode::NotYourTurn,
        format!("it is {to_move}'s turn: wait until you hear that it is your turn"),
    )
}

pub(crate) fn no_offer() -> ClubError {
    ClubError::new(
        RefusalCode::NotFound,
        "there is no such offer: it was accepted or withdrawn, or the address is wrong",
    )
}

pub(crate) fn gone() -> ClubError {
    ClubError::new(
        RefusalCode::Taken,
        "somebody was quicker: the offer was accepted or withdrawn",
    )
}

pub(crate) fn too_many(what: &str) -> ClubError {
    ClubError::new(RefusalCode::TooMany, what.to_owned())
}
