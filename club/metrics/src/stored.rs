//! A store whose calls are measured.

use std::{future::Future, sync::Arc};

use async_trait::async_trait;
use rules::{Over, chess::Color};
use store::{
    Account, AccountChange, AccountChanges, AccountId, AppendError, GameId, GameRecord, GameSeat,
    Heartbeat, Hint, LogEnd, MessageChanges, MessageStore, MessageTo, Millis, NewAccount, NewGame,
    NewMessage, NewRow, NodeStore, Offer, OfferId, RequestId, Row, Session, Store, StoreError,
    StoredMessage, TokenHash,
};
use tokio::sync::broadcast::{self, error::RecvError};

use crate::values::Metrics;

struct Measured {
    store: Arc<dyn Store>,
    metrics: Metrics,
}

impl Metrics {
    /// Returns a store that forwards every call to `store`, and measures the calls in these metrics.
    ///
    /// # Panics
    /// Outside of a runtime of tokio.
    pub fn measured(&self, store: Arc<dyn Store>) -> Arc<dyn Store> {
        tokio::spawn(count_hints(self.clone(), store.hints()));
        Arc::new(Measured {
            store,
            metrics: self.clone(),
        })
    }
}

async fn count_hints(metrics: Metrics, mut hints: broadcast::Receiver<Hint>) {
    loop {
        match hints.recv().await {
            Ok(Hint::Rows { .. }) => metrics.hints(1),
            Ok(Hint::Lobby | Hint::Presence) => {}
            Err(RecvError::Lagged(missed)) => metrics.hints(missed),
            Err(RecvError::Closed) => return,
        }
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

    async fn appended<T>(
        &self,
        name: &'static str,
        rows: usize,
        call: impl Future<Output = Result<T, AppendError>>,
    ) -> Result<T, AppendError> {
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

/// Implements a trait: forwards each call to the store, and measures the call under its own name.
macro_rules! measured_calls {
    ($trait:ident: $($name:ident($($argument:ident: $type:ty),*) -> $result:ty;)+) => {
        #[async_trait]
        impl $trait for Measured {
            $(
                async fn $name(&self, $($argument: $type),*) -> Result<$result, StoreError> {
                    self.call(stringify!($name), self.store.$name($($argument),*)).await
                }
            )+
        }
    };
}

/// Implements [`Store`]: forwards each call, and measures the call under its own name. But
/// `append_beside` is measured as `append`, and `hints` is not measured.
macro_rules! measured {
    ($($name:ident($($argument:ident: $type:ty),*) -> $result:ty;)+) => {
        #[async_trait]
        impl Store for Measured {
            async fn append(
                &self,
                game: GameId,
                expected: u32,
                rows: &[NewRow],
                over: Option<Over>,
            ) -> Result<(), AppendError> {
                let call = self.store.append(game, expected, rows, over);
                self.appended("append", rows.len(), call).await
            }

            async fn append_beside(
                &self,
                game: GameId,
                expected: LogEnd,
                others: &[(Color, RequestId)],
                rows: &[NewRow],
                over: Option<Over>,
            ) -> Result<u32, AppendError> {
                let call = self.store.append_beside(game, expected, others, rows, over);
                self.appended("append", rows.len(), call).await
            }

            fn hints(&self) -> broadcast::Receiver<Hint> {
                self.store.hints()
            }

            // The label is the earlier name of this call, so that the alert rules of operators
            // still work.
            async fn heartbeats(&self) -> Result<Vec<Heartbeat>, StoreError> {
                self.call("signs_of_life", self.store.heartbeats()).await
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
    create_game(game: &NewGame) -> ();
    game(game: GameId) -> GameRecord;
    running() -> Vec<GameRecord>;
    running_lengths() -> Vec<(GameId, u32)>;
    finished(account: AccountId, before: Millis, limit: u32) -> Vec<GameRecord>;
    create_account(account: &NewAccount) -> AccountId;
    account(id: AccountId) -> Account;
    account_named(name: &str) -> Account;
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
    alive(club: u64, now: Millis) -> ();
    now() -> Option<Millis>;
    gone(club: u64) -> ();
}

measured_calls! {
    MessageStore:
    add_message(message: &NewMessage) -> u32;
    messages(to: MessageTo, after: u32) -> Vec<StoredMessage>;
    messages_by(sender: AccountId) -> Vec<StoredMessage>;
    remove_messages(to: AccountId, last: u32) -> ();
    message_changes(after: i64) -> MessageChanges;
    set_mute(account: AccountId, muted: AccountId, on: bool) -> ();
    mutes(account: AccountId) -> Vec<AccountId>;
    keep_settings(account: AccountId, door: &str, text: &str) -> ();
    settings(account: AccountId, door: &str) -> Option<String>;
}

measured_calls! {
    NodeStore:
    claim_bots(games: &[GameId], club: u64, dead: &[u64]) -> ();
    bot_claims() -> Vec<(GameId, u64)>;
    release_bots(club: u64) -> ();
    set_presence(club: u64, version: i64, seats: &[GameSeat]) -> ();
    presences() -> Vec<(u64, i64)>;
    presence(club: u64) -> Vec<GameSeat>;
}
