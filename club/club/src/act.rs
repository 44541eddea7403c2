//! Ids of requests.

use store::RequestId;
use wire::RefusalCode;

use crate::error::ClubError;

/// Maximum length of the id of a request, in bytes.
const MAX_ID_BYTES: usize = 64;

/// Parses the id of a request: 1 to 64 characters of `A-Z a-z 0-9 - _`.
///
/// # Errors
/// [`RefusalCode::Invalid`] for anything else.
pub fn request_id(text: &str) -> Result<RequestId, ClubError> {
    let fits = (1..=MAX_ID_BYTES).contains(&text.len())
        && text
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'));
    if fits {
        Ok(RequestId(text.to_owned()))
    } else {
        Err(ClubError::new(
            RefusalCode::Invalid,
            "request-id",
            "the id of a request must be 1 to 64 letters, digits, `-` or `_`",
        ))
    }
}
