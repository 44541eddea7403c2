//! The trait of all stores, and their errors.

use std::fmt;

use async_trait::async_trait;
use rules::{Over, chess::Color};
use tokio::sync::broadcast;

use crate::{
    account::{Account, AccountChange, AccountChanges, AccountId, NewAccount, Session, TokenHash},
    game::{GameRecord, NewGame, Offer, OfferId},
    id::{GameId, GameSeat},
    message::MessageStore,
    row::{Millis, NewRow, RequestId, Row},
};

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

/// Error of an append. No row was appended, except possibly after [`StoreError::NoAnswer`].
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum AppendError {
    /// Another writer has appended first, or the log already has a row with the id of one of the
    /// requests. The caller must read the log and judge again.
    #[error("the log has grown meanwhile")]
    Conflict,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// End of a log, as the caller of an append knows it.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct LogEnd {
    /// Number of rows.
    pub rows: u32,
    /// Time of the last row. If this row has another time in the log, the append fails with
    /// [`AppendError::Conflict`]. The times differ if the database server was replaced by an older
    /// copy, and other rows were appended since then. If `None`, the times are not compared.
    pub last_at: Option<Millis>,
}

impl From<u32> for LogEnd {
    /// Returns the end of a log with this number of rows. The time of the last row is not known.
    fn from(rows: u32) -> LogEnd {
        LogEnd {
            rows,
            last_at: None,
        }
    }
}

/// Hint that something has changed. A lost hint only delays a reader. A hint contains no position, no
/// try and no answer.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Hint {
    /// Rows were appended to a game's log.
    Rows {
        /// Game whose log has grown.
        game: GameId,
        /// Length of the log after this append, in rows. The log may be longer now.
        rows: u32,
    },
    /// Another club may have made or closed an offer.
    Lobby,
    /// The players who are connected to another club have changed.
    Presence,
}

/// Last heartbeat of one club. A heartbeat is a note in the store that the club is running.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Debug)]
pub struct Heartbeat {
    /// The club's number.
    pub club: u64,
    /// Time of the heartbeat, by that club's clock.
    pub at: Millis,
}

/// A heartbeat is deleted at this age: a month, in milliseconds.
pub(crate) const HEARTBEAT_LIFETIME: Millis = 30 * 24 * 3600 * 1000;

/// Capacity of the queue of hints for each subscriber. If the queue is full, the
/// oldest hints are lost.
pub(crate) const HINT_QUEUE_CAPACITY: usize = 1024;

/// What the clubs of one store tell each other: which club plays the built-in bots of a game, and
/// which players are connected to a club.
#[async_trait]
pub trait NodeStore: Send + Sync + 'static {
    /// Claims the built-in bots of these running games for a club. Only the club with the claim
    /// plays the bots of a game. If another club has claimed the bots of a game already, that claim
    /// stays. Claims of the clubs in `dead`, which no longer run, do not count. A game that another
    /// store changes at this moment may get no claim.
    async fn claim_bots(&self, games: &[GameId], club: u64, dead: &[u64])
    -> Result<(), StoreError>;

    /// Returns the running games with claimed built-in bots, each with the club that has claimed
    /// the bots.
    async fn bot_claims(&self) -> Result<Vec<(GameId, u64)>, StoreError>;

    /// Ends all claims of a club.
    async fn release_bots(&self, club: u64) -> Result<(), StoreError>;

    /// Writes which players are connected to a club, in the place of what the club wrote before.
    /// `version` is a number that the club has not used before.
    async fn set_presence(
        &self,
        club: u64,
        version: i64,
        seats: &[GameSeat],
    ) -> Result<(), StoreError>;

    /// Returns the clubs that have written which players are connected to them. Each club is
    /// returned with the version of its last [`set_presence`](NodeStore::set_presence).
    async fn presences(&self) -> Result<Vec<(u64, i64)>, StoreError>;

    /// Returns the seats of the players who are connected to a club; [`StoreError::Absent`] if the
    /// club has written nothing.
    async fn presence(&self, club: u64) -> Result<Vec<GameSeat>, StoreError>;
}

/// Storage of a club.
///
/// When a method returns `Ok`, its changes are durable. When a method returns `Err`, it has changed
/// nothing, except possibly for [`StoreError::NoAnswer`].
#[async_trait]
pub trait Store: MessageStore + NodeStore {
    /// Appends rows with the numbers `expected`, `expected + 1` and so on: all of them or none. If
    /// `over` is given, the same transaction marks the game as ended in the index. Rows may be
    /// appended after the end (for example the offer of a rematch), but a game ends only once.
    ///
    /// # Errors
    /// [`AppendError::Conflict`] if the log does not have exactly `expected` rows, or if it already
    /// has a row with the request id of one of the new rows; [`StoreError::Absent`] if there is no
    /// such game; [`StoreError::Taken`] if `over` is given and the game has ended already.
    async fn append(
        &self,
        game: GameId,
        expected: u32,
        rows: &[NewRow],
        over: Option<Over>,
    ) -> Result<(), AppendError> {
        let appended = self.append_beside(game, expected.into(), &[], rows, over);
        appended.await.map(drop)
    }

    /// Appends rows like [`append`](Store::append). But the log may already have more rows than
    /// `expected`, if each additional row answers one of the requests `others`. The caller must
    /// know that the rows which answer these requests do not change the new rows. Returns the
    /// number of the first new row.
    ///
    /// # Errors
    /// As for [`append`](Store::append). Also [`AppendError::Conflict`] if `expected` contains the
    /// time of the last row, and this row has another time in the log.
    async fn append_beside(
        &self,
        game: GameId,
        expected: LogEnd,
        others: &[(Color, RequestId)],
        rows: &[NewRow],
        over: Option<Over>,
    ) -> Result<u32, AppendError>;

    /// Returns the rows of a game's log from number `from` on; no rows if the log is shorter.
    ///
    /// # Errors
    /// [`StoreError::Absent`] if there is no such game.
    async fn rows(&self, game: GameId, from: u32) -> Result<Vec<Row>, StoreError>;

    /// Creates a game with its first rows and closes its offer. An accepted invitation is kept with
    /// the id of the game. An accepted seek or challenge is deleted.
    ///
    /// # Errors
    /// [`StoreError::Taken`] if the offer was accepted or withdrawn meanwhile, or if a game has
    /// this id already; [`StoreError::Absent`] if a player has no active account.
    async fn create_game(&self, game: &NewGame) -> Result<(), StoreError>;

    /// Returns the index entry of a game; [`StoreError::Absent`] if there is none.
    async fn game(&self, game: GameId) -> Result<GameRecord, StoreError>;

    /// Returns every game that is not over, oldest first.
    async fn running(&self) -> Result<Vec<GameRecord>, StoreError>;

    /// Returns the number of rows in the log of every game that is not over.
    async fn running_lengths(&self) -> Result<Vec<(GameId, u32)>, StoreError>;

    /// Returns the finished games of an account that were created before `before`, newest first.
    /// Returns at most `limit` games, and also the games that have the same time as the last of
    /// them. So the time of the last game is `before` of the next call. `limit` is at least 1.
    async fn finished(
        &self,
        account: AccountId,
        before: Millis,
        limit: u32,
    ) -> Result<Vec<GameRecord>, StoreError>;

    /// Creates an account.
    ///
    /// # Errors
    /// [`StoreError::Taken`] if the name is in use.
    async fn create_account(&self, account: &NewAccount) -> Result<AccountId, StoreError>;

    /// Returns the account with this number; [`StoreError::Absent`] if there is none.
    async fn account(&self, id: AccountId) -> Result<Account, StoreError>;

    /// Returns the account with this name, without regard to upper and lower case;
    /// [`StoreError::Absent`] if there is none.
    async fn account_named(&self, name: &str) -> Result<Account, StoreError>;

    /// Returns all accounts, oldest first.
    async fn accounts(&self) -> Result<Vec<Account>, StoreError>;

    /// Returns the accounts that are to be deleted when their last game is over.
    async fn leaving(&self) -> Result<Vec<Account>, StoreError>;

    /// Changes an account, and records the change for [`account_changes`](Store::account_changes).
    /// If `generation` is given, the account must have this generation. An equal generation proves
    /// that nobody has ended the sessions of the account since the caller read it.
    ///
    /// # Errors
    /// [`StoreError::Absent`] if there is no such account or recovery code, or if the account was
    /// deleted or has another generation. [`StoreError::Taken`] in four cases:
    ///
    /// - the new name is in use;
    /// - a guest is to become a person, but the account is not a guest;
    /// - the account is to be deleted, but has running games;
    /// - the change expects other recovery codes than the account has.
    async fn change_account(
        &self,
        id: AccountId,
        generation: Option<i64>,
        change: &AccountChange,
    ) -> Result<(), StoreError>;

    /// Returns the hash of the recovery code with this number; [`StoreError::Absent`] if there is
    /// none.
    async fn recovery_code(&self, account: AccountId, number: u32) -> Result<String, StoreError>;

    /// Returns the hashes of an account's unused recovery codes, in the order of their numbers.
    async fn recovery_codes(&self, account: AccountId) -> Result<Vec<String>, StoreError>;

    /// Returns the accounts that were changed after the change with number `after`. The end of a
    /// session is a change of its account too. The result includes changes through other stores.
    async fn account_changes(&self, after: i64) -> Result<AccountChanges, StoreError>;

    /// Creates a session. Also deletes all sessions whose end is not after the start of the new
    /// session.
    ///
    /// # Errors
    /// [`StoreError::Taken`] if there is a session with the same token; [`StoreError::Absent`] if
    /// there is no such account, if it has another generation than the session, or if its state
    /// does not allow sessions.
    async fn create_session(&self, session: &Session) -> Result<(), StoreError>;

    /// Returns the session whose token has this hash; [`StoreError::Absent`] if there is none. The
    /// store has no clock: the caller must check whether the session has expired.
    async fn session(&self, token: TokenHash) -> Result<Session, StoreError>;

    /// Returns the sessions of an account, oldest first.
    async fn sessions_of(&self, account: AccountId) -> Result<Vec<Session>, StoreError>;

    /// Deletes a session, and records the change of its account. Does nothing if the session does
    /// not exist.
    async fn end_session(&self, token: TokenHash) -> Result<(), StoreError>;

    /// Creates an offer.
    ///
    /// # Errors
    /// [`StoreError::Taken`] if the id is in use; [`StoreError::Absent`] if the maker or the
    /// addressee has no active account.
    async fn create_offer(&self, offer: &Offer) -> Result<(), StoreError>;

    /// Returns an open offer or an accepted invitation; [`StoreError::Absent`] if there is none
    /// with this id.
    async fn offer(&self, id: &OfferId) -> Result<Offer, StoreError>;

    /// Returns every open offer, oldest first.
    async fn offers(&self) -> Result<Vec<Offer>, StoreError>;

    /// Deletes an offer that was withdrawn or declined.
    ///
    /// # Errors
    /// [`StoreError::Absent`] if there is no such offer; [`StoreError::Taken`] if it is an
    /// invitation that was accepted.
    async fn close_offer(&self, id: &OfferId) -> Result<(), StoreError>;

    /// Records a heartbeat: the club with number `club` is running at `now`. Deletes all heartbeats
    /// that are later than `now` or older than a month. If the club of a deleted heartbeat is still
    /// running, it soon writes its next heartbeat.
    async fn alive(&self, club: u64, now: Millis) -> Result<(), StoreError>;

    /// Returns the last heartbeat of each club that uses this store, in the
    /// order of the clubs' numbers.
    async fn heartbeats(&self) -> Result<Vec<Heartbeat>, StoreError>;

    /// Returns the time of a clock that all clubs of this store share; `None` if there is no such
    /// clock.
    async fn now(&self) -> Result<Option<Millis>, StoreError> {
        Ok(None)
    }

    /// Deletes two things of a club that has closed: its heartbeat, and the list of players who are
    /// connected to it.
    async fn gone(&self, club: u64) -> Result<(), StoreError>;

    /// Subscribes to hints about changes through this store. If the implementation can detect
    /// changes through other stores, there are hints about these changes too.
    fn hints(&self) -> broadcast::Receiver<Hint>;
}
