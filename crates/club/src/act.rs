//! Acts of players at a table, beside speaking to the referee.

use store::RequestId;

use crate::error::{ClubError, Code};

/// Act of a player at a table, beside speaking to the referee.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum TableAct {
    /// Break the game off before it has begun in earnest.
    Abort,
    /// Claim the win: the opponent is gone.
    ClaimWin,
    /// Claim a draw: the opponent is gone.
    ClaimDraw,
    /// Offer to adjourn, or accept that offer.
    Adjourn,
    /// Offer to resume an adjourned game, or accept that offer.
    Resume,
    /// Take back or decline what is offered of adjourning or going on.
    DeclineAdjourn,
    /// After the end: offer a rematch with colours changed, or accept it.
    Rematch,
    /// Take back or decline the rematch.
    DeclineRematch,
}

/// The most characters of a request's id.
const LONGEST_ID: usize = 64;

/// Reads a request's id: 1 to 64 characters of `A-Z a-z 0-9 - _`.
///
/// # Errors
/// [`Code::Invalid`] for anything else.
pub fn request_id(text: &str) -> Result<RequestId, ClubError> {
    let fits = (1..=LONGEST_ID).contains(&text.len())
        && text
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'));
    if fits {
        Ok(RequestId(text.to_owned()))
    } else {
        Err(ClubError::new(
            Code::Invalid,
            "the id of a request is 1 to 64 letters, digits, `-` or `_`",
        ))
    }
}
