//! Errors of the club.

use std::{borrow::Cow, time::Duration};

use store::StoreError;
use wire::RefusalCode;

/// Error: the club refuses a request. Nothing has changed, except possibly if the code is
/// [`RefusalCode::Unavailable`].
///
/// Neither the code nor the text depends on anything that the asker may not know.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("{why}")]
pub struct ClubError {
    /// Reason, for programs.
    pub code: RefusalCode,
    /// Reason, more exactly than the code, for programs that have texts of their own.
    pub reason: &'static str,
    /// Values in the text, by name.
    pub args: Vec<(&'static str, String)>,
    /// Reason as text, with what the reader can do about it.
    pub why: Cow<'static, str>,
    /// After this time, the club no longer refuses the same request for this reason. `None` if the
    /// club does not know this time.
    pub wait: Option<Duration>,
}

impl ClubError {
    pub(crate) fn new(
        code: RefusalCode,
        reason: &'static str,
        why: impl Into<Cow<'static, str>>,
    ) -> ClubError {
        ClubError {
            code,
            reason,
            args: Vec::new(),
            why: why.into(),
            wait: None,
        }
    }

    /// Adds a value that the text contains.
    #[must_use]
    pub(crate) fn with(mut self, name: &'static str, value: impl ToString) -> ClubError {
        self.args.push((name, value.to_string()));
        self
    }

    /// Refuses a request that may be sent again after `wait`. `why` makes the text from a number of
    /// seconds: the smallest whole number that is greater than `wait`.
    pub(crate) fn too_soon(
        wait: Duration,
        reason: &'static str,
        why: impl FnOnce(u64) -> String,
    ) -> ClubError {
        let seconds = wait.as_secs() + 1;
        ClubError {
            wait: Some(wait),
            ..ClubError::new(RefusalCode::TooMany, reason, why(seconds)).with("seconds", seconds)
        }
    }

    pub(crate) fn closing() -> ClubError {
        ClubError::new(
            RefusalCode::Unavailable,
            "club-closing",
            "the club is closing: nothing was done; try again in a minute",
        )
    }
}

impl From<StoreError> for ClubError {
    fn from(error: StoreError) -> ClubError {
        let code = match error {
            StoreError::Taken => RefusalCode::Taken,
            StoreError::Absent => RefusalCode::NotFound,
            StoreError::Full
            | StoreError::ReadOnly(_)
            | StoreError::Fenced
            | StoreError::NoAnswer(_)
            | StoreError::Damaged(_)
            | StoreError::Other(_) => RefusalCode::Unavailable,
        };
        ClubError::new(code, "store", store_words(&error))
    }
}

/// Conversions of [`StoreError::Absent`] and [`StoreError::Taken`], which callers often handle
/// separately.
pub(crate) trait StoreAnswer<T> {
    /// Returns the value, or `None` if the store does not have it.
    fn found(self) -> Result<Option<T>, ClubError>;

    /// Replaces [`StoreError::Taken`] by the error that `taken` returns.
    fn or_taken(self, taken: fn() -> ClubError) -> Result<T, ClubError>;
}

impl<T> StoreAnswer<T> for Result<T, StoreError> {
    fn found(self) -> Result<Option<T>, ClubError> {
        match self {
            Ok(found) => Ok(Some(found)),
            Err(StoreError::Absent) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    fn or_taken(self, taken: fn() -> ClubError) -> Result<T, ClubError> {
        self.map_err(|error| {
            if error == StoreError::Taken {
                taken()
            } else {
                error.into()
            }
        })
    }
}

/// Describes an error of the store in a text that anybody may read. The text of a damaged row is
/// left out, because it may contain the true position of a running game.
pub(crate) fn store_words(error: &StoreError) -> String {
    if matches!(error, StoreError::Damaged(_)) {
        return "the stored data cannot be read: the operator of this club must look at it with \
                `kriegspiel store check`"
            .to_owned();
    }
    // The reason names servers, which only the operator may know.
    if matches!(error, StoreError::NoAnswer(_)) {
        return "the club's database does not answer: send your request again in a moment"
            .to_owned();
    }
    error.to_string()
}
