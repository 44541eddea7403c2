//! Acts of players at a table that the referee does not judge.

use store::RequestId;

use crate::error::{ClubError, Code};

/// Act of a player at a table that the referee does not judge.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum TableAct {
    /// End the game without a result, before both sides have moved.
    Abort,
    /// Claim a win because the opponent is gone.
    ClaimWin,
    /// Claim a draw because the opponent is gone.
    ClaimDraw,
    /// Offer to adjourn, or accept the opponent's offer to adjourn.
    Adjourn,
    /// Offer to resume an adjourned game, or accept the opponent's offer to resume.
    Resume,
    /// Withdraw an own offer to adjourn or to resume, or decline the opponent's
    /// offer.
    DeclineAdjourn,
    /// After the end: offer a rematch with colours changed, or accept the opponent's offer.
    Rematch,
    /// Withdraw an own offer of a rematch, or decline the opponent's offer.
    DeclineRematch,
}

/// Maximum length of the id of a request, in bytes.
const MAX_ID_BYTES: usize = 64;

/// Parses the id of a request: 1 to 64 characters of `A-Z a-z 0-9 - _`.
///
/// # Errors
/// [`Code::Invalid`] for anything else.
pub fn request_id(text: &str) -> Result<RequestId, ClubError> {
    let fits = (1..=MAX_ID_BYTES).contains(&text.len())
        && text
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'));
    if fits {
        Ok(RequestId(text.to_owned()))
    } else {
        Err(ClubError::new(
            Code::Invalid,
            "the id of a request must be 1 to 64 letters, digits, `-` or `_`",
        ))
    }
}
