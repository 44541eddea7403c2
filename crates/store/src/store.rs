//! The trait of all stores.

use async_trait::async_trait;
use rules::Over;
use tokio::sync::broadcast;

use crate::{
    account::{Account, AccountId, NewAccount, Session, TokenHash},
    game::{GameRecord, NewGame, Offer, OfferId},
    id::GameId,
    row::{Millis, NewRow, Row},
};

/// Error of a store; nothing was changed.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum StoreError {
    /// The disk is full.
    #[error("the disk that holds the club's file is full: free some space; nothing was changed")]
    Full,
    /// The file cannot be written.
    #[error(
        "the club's file cannot be written ({0}): it and its folder must be writable; nothing was changed"
    )]
    ReadOnly(String),
    /// A name or an offer is taken.
    #[error("it is taken")]
    Taken,
    /// There is no such thing.
    #[error("there is no such thing")]
    Absent,
    /// Stored data cannot be read.
    #[error("what is stored cannot be read: {0}")]
    Damaged(String),
    /// Anything else.
    #[error("the club's file: {0}")]
    Other(String),
}

/// Error of an append; no row was appended.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum AppendError {
    /// Another writer appended first: read the log and judge again.
    #[error("the log has grown meanwhile")]
    Conflict,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Hint that rows were appended to a game's log. A lost hint only costs time.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct Hint {
    /// The game.
    pub game: GameId,
    /// Number of rows that its log has at least.
    pub rows: u32,
}

/// Last sign of life of one club.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Debug)]
pub struct SignOfLife {
    /// The club's number.
    pub club: u64,
    /// Its time, by that club's clock.
    pub at: Millis,
}

/// Age at which a sign of life is deleted: a month, in milliseconds.
pub(crate) const SIGNS_KEPT: Millis = 30 * 24 * 3600 * 1000;

/// Hints that are queued for a slow listener; then the oldest are lost.
pub(crate) const HINT_QUEUE_CAPACITY: usize = 1024;

/// Storage of a club.
///
/// Every method that changes something is durable when it returns `Ok`, and
/// has changed nothing when it returns `Err`.
#[async_trait]
pub trait Store: Send + Sync + 'static {
    /// Appends rows as numbers `expected`, `expected + 1` and so on, all or none; `over`
    /// closes the game in the index in the same transaction. Rows may follow
    /// the end (a rematch is offered), a second end may not.
    ///
    /// # Errors
    /// [`AppendError::Conflict`] if the log does not have exactly `expected` rows, or has a
    /// row with one of these requests already; [`StoreError::Absent`] if there is no
    /// such game; [`StoreError::Taken`] for a second end.
    async fn append(
        &self,
        game: GameId,
        expected: u32,
        rows: &[NewRow],
        over: Option<Over>,
    ) -> Result<(), AppendError>;

    /// Returns the rows from number `from` on; none if the log is shorter.
    ///
    /// # Errors
    /// [`StoreError::Absent`] if there is no such game.
    async fn rows(&self, game: GameId, from: u32) -> Result<Vec<Row>, StoreError>;

    /// Creates a game with its first rows and closes its offer. An invitation is
    /// kept and names the game; a seek or a challenge is deleted.
    ///
    /// # Errors
    /// [`StoreError::Taken`] if the offer was accepted or withdrawn meanwhile, or the id
    /// names a game already; [`StoreError::Absent`] if a player has no account.
    async fn create_game(&self, game: &NewGame) -> Result<(), StoreError>;

    /// Game in the index.
    async fn game(&self, game: GameId) -> Result<GameRecord, StoreError>;

    /// Returns every game that is not over, oldest first.
    async fn running(&self) -> Result<Vec<GameRecord>, StoreError>;

    /// An account's finished games, newest first, at most `limit`, made before `before`.
    async fn finished(
        &self,
        account: AccountId,
        before: Millis,
        limit: u32,
    ) -> Result<Vec<GameRecord>, StoreError>;

    /// Creates an account.
    ///
    /// # Errors
    /// [`StoreError::Taken`] if the name is.
    async fn create_account(&self, account: &NewAccount) -> Result<AccountId, StoreError>;

    /// An account by its number.
    async fn account(&self, id: AccountId) -> Result<Account, StoreError>;

    /// An account by its name, whatever the case of its letters.
    async fn account_named(&self, name: &str) -> Result<Account, StoreError>;

    /// Begins a session and deletes those that ended before it began.
    ///
    /// # Errors
    /// [`StoreError::Taken`] if the token's hash is; [`StoreError::Absent`] if the
    /// account is.
    async fn create_session(&self, session: &Session) -> Result<(), StoreError>;

    /// Returns the session with that hash of a token. The store has no clock:
    /// the caller checks whether the session has expired.
    async fn session(&self, token: TokenHash) -> Result<Session, StoreError>;

    /// Ends a session. Does nothing if it does not exist.
    async fn end_session(&self, token: TokenHash) -> Result<(), StoreError>;

    /// Creates an offer.
    ///
    /// # Errors
    /// [`StoreError::Taken`] if its name is; [`StoreError::Absent`] if an account is.
    async fn create_offer(&self, offer: &Offer) -> Result<(), StoreError>;

    /// Returns an offer by its name, also an accepted invitation.
    async fn offer(&self, id: &OfferId) -> Result<Offer, StoreError>;

    /// Returns every open offer, oldest first.
    async fn offers(&self) -> Result<Vec<Offer>, StoreError>;

    /// Deletes an offer that is withdrawn or declined.
    ///
    /// # Errors
    /// [`StoreError::Absent`] if there is none; [`StoreError::Taken`] if it is an
    /// invitation that was accepted.
    async fn close_offer(&self, id: &OfferId) -> Result<(), StoreError>;

    /// Records that the club with number `club` is alive at `now`. Signs of other clubs that
    /// are later than `now`, or older than a month, are deleted: a club that lives gives the
    /// next one.
    async fn alive(&self, club: u64, now: Millis) -> Result<(), StoreError>;

    /// Returns the last sign of life of each club on this store, by its number.
    async fn signs_of_life(&self) -> Result<Vec<SignOfLife>, StoreError>;

    /// Subscribes to hints of appends through this store (and, where the store can, by
    /// others).
    fn hints(&self) -> broadcast::Receiver<Hint>;
}
