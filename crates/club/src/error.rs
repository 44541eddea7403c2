//! Errors of the club.

use std::{borrow::Cow, time::Duration};

use store::StoreError;

/// Reason of a refusal, for programs.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Code {
    /// The text is no attempt.
    NotUnderstood,
    /// The text may mean several attempts.
    Ambiguous,
    /// It is not your turn.
    NotYourTurn,
    /// The attempt was made for an earlier turn: hear first.
    Stale,
    /// The id was used for something else.
    IdReused,
    /// The game is over.
    GameOver,
    /// The game is not over yet.
    NotOver,
    /// The game is adjourned.
    Adjourned,
    /// Nothing of that kind can be done here and now.
    NotPossible,
    /// You must sign in.
    SignIn,
    /// It is not yours to do.
    Forbidden,
    /// There is no such thing.
    NotFound,
    /// It is taken.
    Taken,
    /// Name and password do not fit.
    WrongPassword,
    /// A value is out of its range.
    Invalid,
    /// Too many.
    TooMany,
    /// It is too long.
    TooLarge,
    /// The store cannot keep it now; nothing was done.
    Unavailable,
}

/// Error: the club refuses a request; nothing has changed.
///
/// Neither code nor text depends on what the asker may not know.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("{why}")]
pub struct ClubError {
    /// A word for programs.
    pub code: Code,
    /// In words, with the remedy.
    pub why: Cow<'static, str>,
    /// Time after which the same request is not refused for this reason, if the club knows it.
    pub wait: Option<Duration>,
}

impl ClubError {
    pub(crate) fn new(code: Code, why: impl Into<Cow<'static, str>>) -> ClubError {
        ClubError {
            code,
            why: why.into(),
            wait: None,
        }
    }

    pub(crate) fn closing() -> ClubError {
        ClubError::new(
            Code::Unavailable,
            "the club is closing: nothing was done; come again in a minute",
        )
    }
}

impl From<StoreError> for ClubError {
    fn from(error: StoreError) -> ClubError {
        let code = match error {
            StoreError::Taken => Code::Taken,
            StoreError::Absent => Code::NotFound,
            StoreError::Full
            | StoreError::ReadOnly(_)
            | StoreError::Damaged(_)
            | StoreError::Other(_) => Code::Unavailable,
        };
        ClubError::new(code, store_words(&error))
    }
}

/// Conversion of the store's answers, where two of them have words of their own.
pub(crate) trait StoreAnswer<T> {
    /// Returns what was found; `None` if there is no such thing.
    fn found(self) -> Result<Option<T>, ClubError>;

    /// Says in what words it is taken.
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

/// Returns the text that anybody may read: a row that cannot be read may be of a
/// running game, and its text the truth.
pub(crate) fn store_words(error: &StoreError) -> String {
    if matches!(error, StoreError::Damaged(_)) {
        return "what is stored cannot be read: the operator of this club must look at it with \
                `kriegspiel store check`"
            .to_owned();
    }
    error.to_string()
}
