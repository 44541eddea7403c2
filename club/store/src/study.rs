//! Studies: documents of accounts that hold games with comments.

use async_trait::async_trait;

use crate::{account::AccountId, error::StoreError, row::Millis};

/// A study.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct StudyRecord {
    /// Random id.
    pub id: String,
    /// Account that keeps it.
    pub owner: AccountId,
    /// Title.
    pub title: String,
    /// Who may read it: `private`, `link` or `public`.
    pub access: String,
    /// Time of the last change.
    pub at: Millis,
    /// The chapters, as text; empty in a list.
    pub body: String,
}

/// Storage of studies. It is a part of every [`Store`](crate::Store).
#[async_trait]
pub trait StudyStore: Send + Sync + 'static {
    /// Stores a study in place of the earlier one with its id. An empty body deletes it.
    ///
    /// # Errors
    /// [`StoreError::Absent`] if the id belongs to a study of another account.
    async fn set_study(&self, study: &StudyRecord) -> Result<(), StoreError>;

    /// Returns a study.
    ///
    /// # Errors
    /// [`StoreError::Absent`] if there is none with this id.
    async fn study(&self, id: &str) -> Result<StudyRecord, StoreError>;

    /// Returns at most `limit` studies without their bodies, the last changed first: those of an
    /// account, or the public ones.
    async fn studies(
        &self,
        of: Option<AccountId>,
        limit: u32,
    ) -> Result<Vec<StudyRecord>, StoreError>;
}
