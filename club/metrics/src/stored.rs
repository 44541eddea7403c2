//! A store whose calls are measured.

use std::{future::Future, sync::Arc};

use async_trait::async_trait;
use rules::Over;
use store::{
    Account, AccountChange, AccountChanges, AccountId, AccountKind, AccountNote, Against,
    AppendError, Evening, EveningGame, EveningId, EveningPlayer, EveningStore, Expected, Fence,
    GameId, GameRecord, GameSearch, Lease, MessageChanges, MessageStore, MessageTo, Millis,
    NewAccount, NewGame, NewMessage, NewRow, Offer, OfferId, PushStore, PushSubscription,
    RatingStore, ResultCount, Row, Session, Store, StoreError, StoredMessage, StoredRating,
    StudyRecord, StudyStore, TokenHash,
};

use crate::values::Metrics;

struct Measured {
    store: Arc<dyn Store>,
    metrics: Metrics,
}

impl Metrics {
    /// Returns a store that forwards every call to `store`, and measures the calls in these metrics.
    pub fn measured(&self, store: Arc<dyn Store>) -> Arc<dyn Store> {
        Arc::new(Measured {
            store,
            metrics: self.clone(),
        })
    }
}

/// Returns the kind of a failure. Returns `None` if the error is a usual answer of the store and
/// not a failure, for example if a name is taken.
fn kind(error: &StoreError) -> Option<&'static str> {
    match error {
        StoreError::Taken | StoreError::Absent => None,
        StoreError::Full => Some("full"),
        StoreError::ReadOnly(_) => Some("read-only"),
        StoreError::Damaged(_) => Some("damaged"),
        StoreError::Fenced => Some("fenced"),
        StoreError::NoAnswer(_) => Some("away"),
        StoreError::Other(_) => Some("other"),
    }
}

impl Measured {
    async fn call<T>(
        &self,
        name: &'static str,
        call: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        let under_way = self.metrics.call(name);
        let result = call.await;
        drop(under_way);
        if let Some(kind) = result.as_ref().err().and_then(kind) {
            self.metrics.failed(name, kind);
        }
        result
    }

    async fn appended(
        &self,
        rows: usize,
        call: impl Future<Output = Result<(), AppendError>>,
    ) -> Result<(), AppendError> {
        let name = "append";
        let under_way = self.metrics.call(name);
        let result = call.await;
        drop(under_way);
        match &result {
            Ok(_) => self.metrics.rows(rows),
            Err(AppendError::Conflict) => self.metrics.conflict(),
            Err(AppendError::Store(error)) => {
                if let Some(kind) = kind(error) {
                    self.metrics.failed(name, kind);
                }
            }
        }
        result
    }
}

/// Implements the parts of a store: forwards each call, and measures the call under its own name.
macro_rules! measured_calls {
    ($($part:ident { $($name:ident($($argument:ident: $type:ty),*) -> $result:ty;)+ })+) => {
        $(#[async_trait]
        impl $part for Measured {
            $(async fn $name(&self, $($argument: $type),*) -> Result<$result, StoreError> {
                self.call(stringify!($name), self.store.$name($($argument),*)).await
            })+
        })+
    };
}

/// Implements [`Store`]: forwards each call, and measures the call under its own name.
macro_rules! measured {
    ($($name:ident($($argument:ident: $type:ty),*) -> $result:ty;)+) => {
        #[async_trait]
        impl Store for Measured {
            async fn append(
                &self,
                game: GameId,
                expected: Expected,
                rows: &[NewRow],
                over: Option<Over>,
            ) -> Result<(), AppendError> {
                let call = self.store.append(game, expected, rows, over);
                self.appended(rows.len(), call).await
            }

            $(
                async fn $name(&self, $($argument: $type),*) -> Result<$result, StoreError> {
                    self.call(stringify!($name), self.store.$name($($argument),*)).await
                }
            )+
        }
    };
}

measured! {
    rows(game: GameId, from: u32) -> Vec<Row>;
    create_game(fence: Fence, game: &NewGame) -> ();
    game(game: GameId) -> GameRecord;
    running() -> Vec<GameRecord>;
    order_end(game: GameId) -> ();
    to_end() -> Vec<GameId>;
    create_account(account: &NewAccount) -> AccountId;
    account(id: AccountId) -> Account;
    account_named(name: &str) -> Account;
    account_like(name: &str) -> Account;
    accounts() -> Vec<Account>;
    leaving() -> Vec<Account>;
    change_account(id: AccountId, generation: Option<i64>, change: &AccountChange) -> ();
    recovery_code(account: AccountId, number: u32) -> String;
    recovery_codes(account: AccountId) -> Vec<String>;
    account_changes(after: i64) -> AccountChanges;
    create_session(session: &Session) -> ();
    session(token: TokenHash) -> Session;
    sessions_of(account: AccountId) -> Vec<Session>;
    end_session(token: TokenHash) -> ();
    create_offer(offer: &Offer) -> ();
    offer(id: &OfferId) -> Offer;
    offers() -> Vec<Offer>;
    close_offer(id: &OfferId) -> ();
    claim(now: Millis) -> Option<Lease>;
    renew(fence: Fence, last: Millis, now: Millis, serves: bool) -> Millis;
    release(fence: Fence) -> ();
    now() -> Option<Millis>;
}

store::parts!(measured_calls);
