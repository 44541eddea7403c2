//! Errors of a store.

use std::fmt;

/// Error of a store. Nothing was changed, except possibly after [`StoreError::NoAnswer`].
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum StoreError {
    /// The disk is full.
    #[error("the disk that holds the club's data is full: free some space; nothing was changed")]
    Full,
    /// The file or the database cannot be written.
    #[error("the club's data cannot be written ({0}); nothing was changed")]
    ReadOnly(String),
    /// The name or the id is in use, or the offer was accepted or withdrawn already. Some methods
    /// also return this error for other reasons; the method names them.
    #[error("the name, the id or the offer is taken")]
    Taken,
    /// There is no such account, session, offer or game. Some methods also return this error for
    /// other reasons; the method names them.
    #[error("there is no such account, session, offer or game")]
    Absent,
    /// Stored data cannot be read.
    #[error("the stored data cannot be read: {0}")]
    Damaged(String),
    /// Another process has claimed the games.
    #[error("another server has taken over the games: send your request again in a moment")]
    Fenced,
    /// The database does not answer. The change may have been written nevertheless. If it was an
    /// append and was written, a second append of the same rows gets a conflict.
    #[error("the club's database does not answer ({0})")]
    NoAnswer(String),
    /// Any other error.
    #[error("the club's database: {0}")]
    Other(String),
}

/// Returns the error for stored data that a correct store never writes.
pub(crate) fn damaged(why: impl fmt::Display) -> StoreError {
    StoreError::Damaged(why.to_string())
}
