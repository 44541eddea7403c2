//! The trait of all stores, and their errors.

use async_trait::async_trait;
use rules::Over;

use crate::{
    account::{Account, AccountChange, AccountChanges, AccountId, NewAccount, Session, TokenHash},
    error::StoreError,
    evening::EveningStore,
    game::{GameRecord, NewGame, Offer, OfferId},
    id::GameId,
    message::MessageStore,
    push::PushStore,
    rating::RatingStore,
    row::{Millis, NewRow, Row},
    study::StudyStore,
};

/// Error of an append. No row was appended, except possibly after [`StoreError::NoAnswer`].
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum AppendError {
    /// The log does not have the expected end, or already has a row with the id of one of the
    /// requests. The caller must read the log.
    #[error("the log has grown meanwhile")]
    Conflict,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Number of an ownership of the games. It grows with each claim.
pub type Fence = i64;

/// An ownership ends this number of milliseconds after its last renewal.
pub const LEASE_TIME: Millis = 1_500;

/// Ownership of all games: the right to append to their logs.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub struct Lease {
    /// Number of the ownership. 0 before the first claim.
    pub fence: Fence,
    /// Last time at which an owner is known to have served the games, by its own clock. `None` if
    /// there was no owner.
    pub served_until: Option<Millis>,
}

/// State that a log must have for an append.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct Expected {
    /// Number of rows.
    pub rows: u32,
    /// Time of the last row; `None` for any time. The time differs if the database server was
    /// replaced by an older copy, and other rows were appended since then.
    pub last_at: Option<Millis>,
    /// The caller's ownership.
    pub fence: Fence,
}

impl From<u32> for Expected {
    /// Expects this number of rows, in a store whose games nobody has claimed yet.
    fn from(rows: u32) -> Expected {
        Expected {
            rows,
            last_at: None,
            fence: 0,
        }
    }
}

/// Whether the games are owned at `now`. `renewed` is the time of the last renewal. A renewal in
/// the future was written while the wall clock was wrong, so it does not count.
pub(crate) fn is_owned(owned: bool, renewed: Option<Millis>, now: Millis) -> bool {
    let age = renewed.map(|renewed| now.saturating_sub(renewed));
    owned && age.is_some_and(|age| (0..LEASE_TIME).contains(&age))
}

/// Storage of a club.
///
/// When a method returns `Ok`, its changes are durable. When a method returns `Err`, it has changed
/// nothing, except possibly for [`StoreError::NoAnswer`].
#[async_trait]
pub trait Store: MessageStore + PushStore + RatingStore + EveningStore + StudyStore {
    /// Appends rows to a game's log: all of them or none. If `over` is given, the same transaction
    /// marks the game as ended in the index. Rows may be appended after the end (for example the
    /// offer of a rematch), but a game ends only once. Appends are stored in the order of the calls.
    ///
    /// # Errors
    /// [`AppendError::Conflict`] if the log is not as expected, or if it already has a row with the
    /// request id of one of the new rows; [`StoreError::Fenced`] if the caller does not own the
    /// games; [`StoreError::Absent`] if there is no such game; [`StoreError::Taken`] if `over` is
    /// given and the game has ended already.
    async fn append(
        &self,
        game: GameId,
        expected: Expected,
        rows: &[NewRow],
        over: Option<Over>,
    ) -> Result<(), AppendError>;

    /// Returns the rows of a game's log from number `from` on; no rows if the log is shorter.
    ///
    /// # Errors
    /// [`StoreError::Absent`] if there is no such game.
    async fn rows(&self, game: GameId, from: u32) -> Result<Vec<Row>, StoreError>;

    /// Creates a game with its first rows and closes its offer. An accepted invitation is kept with
    /// the id of the game. An accepted seek or challenge is deleted.
    ///
    /// # Errors
    /// [`StoreError::Fenced`] if `fence` is not the number of the ownership; [`StoreError::Taken`]
    /// if the offer was accepted or withdrawn meanwhile, or if a game has this id already;
    /// [`StoreError::Absent`] if a player has no active account.
    async fn create_game(&self, fence: Fence, game: &NewGame) -> Result<(), StoreError>;

    /// Returns the index entry of a game; [`StoreError::Absent`] if there is none.
    async fn game(&self, game: GameId) -> Result<GameRecord, StoreError>;

    /// Returns every game that is not over, oldest first.
    async fn running(&self) -> Result<Vec<GameRecord>, StoreError>;

    /// Orders that a game ends without a result. The club that owns the games obeys.
    ///
    /// # Errors
    /// [`StoreError::Absent`] if there is no such game that is not over.
    async fn order_end(&self, game: GameId) -> Result<(), StoreError>;

    /// Returns the games that are not over and whose end was ordered.
    async fn to_end(&self) -> Result<Vec<GameId>, StoreError>;

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

    /// Returns an account, except of a guest, whose name has the same [`plain_name`](crate::plain_name);
    /// [`StoreError::Absent`] if there is none. It reads all names.
    async fn account_like(&self, name: &str) -> Result<Account, StoreError>;

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

    /// Claims all games. Returns `None` if another owner renewed less than [`LEASE_TIME`] ago. `now`
    /// is the wall time; a store with its own clock ignores it.
    async fn claim(&self, now: Millis) -> Result<Option<Lease>, StoreError>;

    /// Renews an ownership. `last` is the time that the previous call returned, or any earlier time.
    /// `serves` says whether the owner serves the games at its time `now`; an owner that has not yet
    /// credited the time before its claim does not. Returns the time of this renewal, by the clock of
    /// [`claim`](Store::claim).
    ///
    /// # Errors
    /// [`StoreError::Fenced`] if another process has claimed the games; [`StoreError::Absent`] if
    /// the store has lost the renewal `last`, so that it may have lost rows too, or if another file
    /// has taken the place of the open file.
    async fn renew(
        &self,
        fence: Fence,
        last: Millis,
        now: Millis,
        serves: bool,
    ) -> Result<Millis, StoreError>;

    /// Ends an ownership, so that the next claim succeeds at once.
    async fn release(&self, fence: Fence) -> Result<(), StoreError>;

    /// Returns the time of the store's own clock; `None` if it has none.
    async fn now(&self) -> Result<Option<Millis>, StoreError> {
        Ok(None)
    }
}
