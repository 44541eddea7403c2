//! Reason why a change was not written.

use sqlx::error::ErrorKind;

use crate::{error::StoreError, store::AppendError};

/// Reason why a change was not written.
#[derive(Debug)]
pub(super) enum NotDone {
    /// The stored data does not allow the change. The transaction is still
    /// valid.
    Refused(AppendError),
    /// SQLite failed. The whole transaction is lost.
    Broken(sqlx::Error),
}

impl From<sqlx::Error> for NotDone {
    fn from(error: sqlx::Error) -> NotDone {
        let kind = error.as_database_error().map(|said| said.kind());
        if matches!(kind, Some(ErrorKind::ForeignKeyViolation)) {
            return StoreError::Absent.into();
        }
        NotDone::Broken(error)
    }
}

impl From<StoreError> for NotDone {
    fn from(error: StoreError) -> NotDone {
        NotDone::Refused(error.into())
    }
}
