//! A store that takes its time over an append, or holds it until it is let go.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use rules::Over;
use store::{
    Account, AccountId, AppendError, GameId, GameRecord, Hint, MemoryStore, Millis, NewAccount,
    NewGame, NewRow, Offer, OfferId, Row, Session, Store, StoreError, TokenHash,
};
use tokio::{
    sync::{Semaphore, broadcast},
    time::sleep,
};

/// Which rows are held, and when.
pub type Held = dyn Fn(&[NewRow]) -> Option<Arc<Semaphore>> + Send + Sync;

/// A store in memory whose appends take time.
pub struct LateStore {
    inner: MemoryStore,
    /// Before, and again after, a row is stored.
    takes: Duration,
    before: Box<Held>,
    after: Box<Held>,
}

impl LateStore {
    /// One whose appends take twice that span.
    pub fn new(takes: Duration) -> LateStore {
        LateStore {
            inner: MemoryStore::default(),
            takes,
            before: Box::new(|_| None),
            after: Box::new(|_| None),
        }
    }

    /// One that holds some rows before or after they are stored.
    pub fn holding(before: Box<Held>, after: Box<Held>) -> LateStore {
        LateStore {
            before,
            after,
            ..LateStore::new(Duration::ZERO)
        }
    }
}

async fn wait(gate: Option<Arc<Semaphore>>, takes: Duration) {
    if let Some(gate) = gate {
        let permit = gate.acquire().await.expect("a gate is never closed");
        permit.forget();
    }
    if takes > Duration::ZERO {
        sleep(takes).await;
    }
}

#[async_trait]
impl Store for LateStore {
    async fn append(
        &self,
        game: GameId,
        expected: u32,
        rows: &[NewRow],
        over: Option<Over>,
    ) -> Result<(), AppendError> {
        wait((self.before)(rows), self.takes).await;
        let result = self.inner.append(game, expected, rows, over).await;
        wait((self.after)(rows), self.takes).await;
        result
    }

    async fn rows(&self, game: GameId, from: u32) -> Result<Vec<Row>, StoreError> {
        self.inner.rows(game, from).await
    }

    async fn create_game(&self, game: &NewGame) -> Result<(), StoreError> {
        self.inner.create_game(game).await
    }

    async fn game(&self, game: GameId) -> Result<GameRecord, StoreError> {
        self.inner.game(game).await
    }

    async fn running(&self) -> Result<Vec<GameRecord>, StoreError> {
        self.inner.running().await
    }

    async fn finished(
        &self,
        account: AccountId,
        before: Millis,
        limit: u32,
    ) -> Result<Vec<GameRecord>, StoreError> {
        self.inner.finished(account, before, limit).await
    }

    async fn create_account(&self, account: &NewAccount) -> Result<AccountId, StoreError> {
        self.inner.create_account(account).await
    }

    async fn account(&self, id: AccountId) -> Result<Account, StoreError> {
        self.inner.account(id).await
    }

    async fn account_named(&self, name: &str) -> Result<Account, StoreError> {
        self.inner.account_named(name).await
    }

    async fn create_session(&self, session: &Session) -> Result<(), StoreError> {
        self.inner.create_session(session).await
    }

    async fn session(&self, token: TokenHash) -> Result<Session, StoreError> {
        self.inner.session(token).await
    }

    async fn end_session(&self, token: TokenHash) -> Result<(), StoreError> {
        self.inner.end_session(token).await
    }

    async fn create_offer(&self, offer: &Offer) -> Result<(), StoreError> {
        self.inner.create_offer(offer).await
    }

    async fn offer(&self, id: &OfferId) -> Result<Offer, StoreError> {
        self.inner.offer(id).await
    }

    async fn offers(&self) -> Result<Vec<Offer>, StoreError> {
        self.inner.offers().await
    }

    async fn close_offer(&self, id: &OfferId) -> Result<(), StoreError> {
        self.inner.close_offer(id).await
    }

    async fn alive(&self, club: u64, now: Millis) -> Result<(), StoreError> {
        self.inner.alive(club, now).await
    }

    async fn last_alive(&self) -> Result<Option<Millis>, StoreError> {
        self.inner.last_alive().await
    }

    fn hints(&self) -> broadcast::Receiver<Hint> {
        self.inner.hints()
    }
}
