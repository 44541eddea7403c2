//! A store in memory, for tests.

mod evening_tables;
mod evenings;
mod messages;
mod push;
mod ratings;
mod studies;

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::{Mutex, MutexGuard, PoisonError},
};

use async_trait::async_trait;
use rules::Over;

use self::{evening_tables::EveningTables, messages::MessageTables};
use crate::{
    account::{
        Account, AccountChange, AccountChanges, AccountId, AccountKind, AccountState, DELETED_NAME,
        NewAccount, Session, TokenHash, name_key, plain_name,
    },
    error::StoreError,
    game::{GameRecord, NewGame, Offer, OfferId, OfferKind},
    id::GameId,
    push::PushSubscription,
    rating::StoredRating,
    row::{Millis, NewRow, Row},
    store::{AppendError, Expected, Fence, Lease, Store, is_owned},
    study::StudyRecord,
};

/// A store in memory. It has the same contract as the other stores, except that nothing is durable.
///
/// # Examples
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), store::StoreError> {
/// use store::{AccountKind, MemoryStore, NewAccount, Store, StoreError};
///
/// let store = MemoryStore::default();
/// let anna = NewAccount {
///     name: "Anna".to_owned(),
///     kind: AccountKind::Guest,
///     password: None,
///     at: 0,
/// };
/// let id = store.create_account(&anna).await?;
/// assert_eq!(store.account_named("ANNA").await?.id, id);
/// assert_eq!(store.create_account(&anna).await, Err(StoreError::Taken));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Default)]
pub struct MemoryStore {
    tables: Mutex<Tables>,
}

/// Row of the table `lease`.
#[derive(Debug, Default)]
struct StoredLease {
    fence: Fence,
    renewed: Option<Millis>,
    served_until: Option<Millis>,
    owned: bool,
}

#[derive(Debug, Default)]
struct Tables {
    games: BTreeMap<GameId, GameRecord>,
    logs: HashMap<GameId, Vec<Row>>,
    accounts: Vec<Account>,
    sessions: HashMap<TokenHash, Session>,
    to_end: HashSet<GameId>,
    offers: BTreeMap<OfferId, Offer>,
    recovery_codes: BTreeMap<(AccountId, u32), String>,
    /// One account for each change of an account, in the order of the changes.
    account_changes: Vec<AccountId>,
    /// Number of the ownership, time of its last renewal, and whether it has not ended.
    lease: StoredLease,
    messages: MessageTables,
    /// Rated games that are counted.
    counted: HashSet<GameId>,
    /// Changes of ratings, each after the earlier changes of its key.
    ratings: Vec<StoredRating>,
    subscriptions: Vec<PushSubscription>,
    secrets: BTreeMap<String, String>,
    evenings: EveningTables,
    studies: BTreeMap<String, StudyRecord>,
}

impl MemoryStore {
    fn tables(&self) -> MutexGuard<'_, Tables> {
        // Each method first does everything that can fail, and then changes the tables. So the
        // tables are consistent even after a panic.
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Tables {
    fn account(&self, id: AccountId) -> Result<&Account, StoreError> {
        let found = self.accounts.iter().find(|account| account.id == id);
        found.ok_or(StoreError::Absent)
    }

    fn active(&self, id: AccountId) -> Result<(), StoreError> {
        match self.account(id)?.state {
            AccountState::Active => Ok(()),
            AccountState::Disabled
            | AccountState::Waiting
            | AccountState::Resigning
            | AccountState::Deleted => Err(StoreError::Absent),
        }
    }

    /// Whether the session belongs to the current generation of its account.
    fn valid(&self, session: &Session) -> bool {
        let account = self.account(session.account);
        account.is_ok_and(|account| account.generation == session.generation)
    }

    /// Returns the hashes of an account's recovery codes, in the order of their numbers.
    fn codes_of(&self, id: AccountId) -> impl Iterator<Item = &String> {
        let own = self.recovery_codes.range((id, 0)..=(id, u32::MAX));
        own.map(|(_, hash)| hash)
    }

    fn is_taken(&self, name: &str, by_other_than: Option<AccountId>) -> bool {
        let key = name_key(name);
        let mut living = self
            .accounts
            .iter()
            .filter(|a| a.state != AccountState::Deleted);
        living.any(|a| name_key(&a.name) == key && Some(a.id) != by_other_than)
    }

    /// Checks a change of an account.
    fn check_change(
        &self,
        id: AccountId,
        generation: Option<i64>,
        change: &AccountChange,
    ) -> Result<(), StoreError> {
        let account = self.account(id)?;
        let expected = generation.is_none_or(|generation| generation == account.generation);
        if account.state == AccountState::Deleted || !expected {
            return Err(StoreError::Absent);
        }
        let runs = |game: &GameRecord| game.over.is_none() && game.seat(Some(id)).color().is_some();
        match change {
            AccountChange::Recover { number, code, .. }
                if self.recovery_codes.get(&(id, *number)) != Some(code) =>
            {
                Err(StoreError::Absent)
            }
            AccountChange::RecoveryCodes { old: Some(old), .. }
                if !self.codes_of(id).eq(old.iter()) =>
            {
                Err(StoreError::Taken)
            }
            AccountChange::MakePerson { .. } if account.kind != AccountKind::Guest => {
                Err(StoreError::Taken)
            }
            AccountChange::MakePerson { name, .. } | AccountChange::Rename(name)
                if self.is_taken(name, Some(id)) =>
            {
                Err(StoreError::Taken)
            }
            AccountChange::Delete if self.games.values().any(runs) => Err(StoreError::Taken),
            AccountChange::Password(_)
            | AccountChange::Recover { .. }
            | AccountChange::RecoveryCodes { .. }
            | AccountChange::MakePerson { .. }
            | AccountChange::Rename(_)
            | AccountChange::EndSessions
            | AccountChange::Disable
            | AccountChange::Enable
            | AccountChange::Wait
            | AccountChange::Resign
            | AccountChange::Delete => Ok(()),
        }
    }

    /// Whether the request ids of the new rows are new to the log and different from each other.
    fn requests_are_new(log: &[Row], rows: &[NewRow]) -> bool {
        rows.iter().enumerate().all(|(i, row)| {
            row.request.is_none()
                || (log.iter().all(|old| old.request != row.request)
                    && rows[..i].iter().all(|other| other.request != row.request))
        })
    }

    fn listed(&self, wanted: impl Fn(&GameRecord) -> bool) -> Vec<GameRecord> {
        let games = self.games.values();
        let mut found: Vec<_> = games.filter(|game| wanted(game)).cloned().collect();
        found.sort_by_key(|game| (game.at, game.id));
        found
    }
}

fn extend(log: &mut Vec<Row>, rows: &[NewRow]) {
    for row in rows {
        log.push(Row {
            seq: length(log),
            at: row.at,
            act: row.act.clone(),
            request: row.request.clone(),
        });
    }
}

fn length(log: &[Row]) -> u32 {
    u32::try_from(log.len()).expect("a log of 2^32 rows does not fit into memory")
}

#[async_trait]
impl Store for MemoryStore {
    async fn append(
        &self,
        game: GameId,
        expected: Expected,
        rows: &[NewRow],
        over: Option<Over>,
    ) -> Result<(), AppendError> {
        let mut tables = self.tables();
        let tables = &mut *tables;
        if expected.fence != tables.lease.fence {
            return Err(StoreError::Fenced.into());
        }
        let record = tables.games.get_mut(&game).ok_or(StoreError::Absent)?;
        let log = tables.logs.entry(game).or_default();
        let is_last = |at| log.last().is_some_and(|last| last.at == at);
        if length(log) != expected.rows
            || !expected.last_at.is_none_or(is_last)
            || !Tables::requests_are_new(log, rows)
        {
            return Err(AppendError::Conflict);
        }
        if over.is_some() {
            if record.over.is_some() {
                return Err(StoreError::Taken.into());
            }
            record.over = over;
        }
        extend(log, rows);
        Ok(())
    }

    async fn rows(&self, game: GameId, from: u32) -> Result<Vec<Row>, StoreError> {
        let tables = self.tables();
        let log = tables.logs.get(&game).ok_or(StoreError::Absent)?;
        Ok(log.get(from as usize..).unwrap_or_default().to_vec())
    }

    async fn create_game(&self, fence: Fence, game: &NewGame) -> Result<(), StoreError> {
        let mut tables = self.tables();
        if fence != tables.lease.fence {
            return Err(StoreError::Fenced);
        }
        tables.active(game.players.white)?;
        tables.active(game.players.black)?;
        let open = |id| {
            let offer = tables.offers.get(id);
            offer.is_some_and(|offer| offer.game.is_none())
        };
        if tables.games.contains_key(&game.id)
            || !game.offer.as_ref().is_none_or(open)
            || !Tables::requests_are_new(&[], &game.rows)
        {
            return Err(StoreError::Taken);
        }
        if let Some(id) = &game.offer
            && let Some(offer) = tables.offers.get_mut(id)
        {
            match offer.kind {
                OfferKind::Invitation => offer.game = Some(game.id),
                OfferKind::Seek | OfferKind::Challenge { .. } => {
                    tables.offers.remove(id);
                }
            }
        }
        let record = GameRecord {
            id: game.id,
            players: game.players,
            terms: game.terms.clone(),
            at: game.at,
            over: None,
        };
        tables.games.insert(game.id, record);
        let log = tables.logs.entry(game.id).or_default();
        extend(log, &game.rows);
        Ok(())
    }

    async fn game(&self, game: GameId) -> Result<GameRecord, StoreError> {
        let tables = self.tables();
        tables.games.get(&game).cloned().ok_or(StoreError::Absent)
    }

    async fn running(&self) -> Result<Vec<GameRecord>, StoreError> {
        Ok(self.tables().listed(|game| game.over.is_none()))
    }

    async fn order_end(&self, game: GameId) -> Result<(), StoreError> {
        let mut tables = self.tables();
        let running = tables.listed(|record| record.over.is_none() && record.id == game);
        if running.is_empty() {
            return Err(StoreError::Absent);
        }
        tables.to_end.insert(game);
        Ok(())
    }

    async fn to_end(&self) -> Result<Vec<GameId>, StoreError> {
        let tables = self.tables();
        let running = tables.listed(|game| game.over.is_none() && tables.to_end.contains(&game.id));
        Ok(running.into_iter().map(|game| game.id).collect())
    }

    async fn create_account(&self, account: &NewAccount) -> Result<AccountId, StoreError> {
        let mut tables = self.tables();
        if tables.is_taken(&account.name, None) {
            return Err(StoreError::Taken);
        }
        let last = tables.accounts.last().map_or(0, |account| account.id.0);
        let id = AccountId(last + 1);
        tables.accounts.push(Account {
            id,
            name: account.name.clone(),
            kind: account.kind,
            password: account.password.clone(),
            at: account.at,
            generation: 0,
            state: AccountState::Active,
        });
        Ok(id)
    }

    async fn account(&self, id: AccountId) -> Result<Account, StoreError> {
        self.tables().account(id).cloned()
    }

    async fn account_named(&self, name: &str) -> Result<Account, StoreError> {
        let key = name_key(name);
        let tables = self.tables();
        let mut living = tables
            .accounts
            .iter()
            .filter(|a| a.state != AccountState::Deleted);
        let found = living.find(|a| name_key(&a.name) == key);
        found.cloned().ok_or(StoreError::Absent)
    }

    async fn account_like(&self, name: &str) -> Result<Account, StoreError> {
        let plain = plain_name(name);
        let tables = self.tables();
        let mut living = tables
            .accounts
            .iter()
            .filter(|a| a.state != AccountState::Deleted && a.kind != AccountKind::Guest);
        let found = living.find(|a| plain_name(&a.name) == plain);
        found.cloned().ok_or(StoreError::Absent)
    }

    async fn accounts(&self) -> Result<Vec<Account>, StoreError> {
        Ok(self.tables().accounts.clone())
    }

    async fn leaving(&self) -> Result<Vec<Account>, StoreError> {
        let tables = self.tables();
        let leaving = tables.accounts.iter().filter(|a| a.state.leaves());
        Ok(leaving.cloned().collect())
    }

    async fn change_account(
        &self,
        id: AccountId,
        generation: Option<i64>,
        change: &AccountChange,
    ) -> Result<(), StoreError> {
        let mut tables = self.tables();
        tables.check_change(id, generation, change)?;
        let tables = &mut *tables;
        let found = tables.accounts.iter_mut().find(|account| account.id == id);
        let account = found.ok_or(StoreError::Absent)?;
        let codes = &mut tables.recovery_codes;
        match change {
            AccountChange::Password(hash) => account.password = Some(hash.clone()),
            AccountChange::Recover {
                number, password, ..
            } => {
                codes.remove(&(id, *number));
                account.password = Some(password.clone());
            }
            AccountChange::RecoveryCodes { new, .. } => {
                codes.retain(|(of, _), _| *of != id);
                codes.extend((0..).map(|n| (id, n)).zip(new.iter().cloned()));
            }
            AccountChange::MakePerson { name, password } => {
                account.name.clone_from(name);
                account.password = Some(password.clone());
                account.kind = AccountKind::Person;
            }
            AccountChange::Rename(name) => account.name.clone_from(name),
            AccountChange::Delete => {
                DELETED_NAME.clone_into(&mut account.name);
                account.password = None;
                codes.retain(|(of, _), _| *of != id);
                tables.messages.forget(id);
                tables.evenings.leave(id);
                tables.studies.retain(|_, study| study.owner != id);
                tables.ratings.retain(|rating| rating.account != id);
            }
            AccountChange::EndSessions
            | AccountChange::Disable
            | AccountChange::Enable
            | AccountChange::Wait
            | AccountChange::Resign => {}
        }
        if let Some(state) = change.state() {
            account.state = state;
        }
        if change.ends_sessions() {
            account.generation += 1;
            tables.sessions.retain(|_, session| session.account != id);
        }
        if change.deletes_offers() {
            tables.offers.retain(|_, offer| {
                let to = offer.kind == OfferKind::Challenge { to: id };
                offer.game.is_some() || !(offer.by == id || to)
            });
        }
        tables.account_changes.push(id);
        Ok(())
    }

    async fn recovery_code(&self, account: AccountId, number: u32) -> Result<String, StoreError> {
        let tables = self.tables();
        let found = tables.recovery_codes.get(&(account, number));
        found.cloned().ok_or(StoreError::Absent)
    }

    async fn recovery_codes(&self, account: AccountId) -> Result<Vec<String>, StoreError> {
        Ok(self.tables().codes_of(account).cloned().collect())
    }

    async fn account_changes(&self, after: i64) -> Result<AccountChanges, StoreError> {
        let tables = self.tables();
        let from = usize::try_from(after).unwrap_or(0);
        Ok(AccountChanges {
            last: i64::try_from(tables.account_changes.len()).unwrap_or(i64::MAX),
            accounts: Some(
                tables
                    .account_changes
                    .get(from..)
                    .unwrap_or_default()
                    .to_vec(),
            ),
        })
    }

    async fn create_session(&self, session: &Session) -> Result<(), StoreError> {
        let mut tables = self.tables();
        let account = tables.account(session.account)?;
        if account.generation != session.generation || !account.state.has_sessions() {
            return Err(StoreError::Absent);
        }
        let there = tables.sessions.get(&session.token);
        if there.is_some_and(|there| there.until > session.at) {
            return Err(StoreError::Taken);
        }
        tables.sessions.retain(|_, old| old.until > session.at);
        tables.sessions.insert(session.token, session.clone());
        Ok(())
    }

    async fn session(&self, token: TokenHash) -> Result<Session, StoreError> {
        let tables = self.tables();
        let found = tables.sessions.get(&token);
        let found = found.filter(|session| tables.valid(session));
        found.cloned().ok_or(StoreError::Absent)
    }

    async fn sessions_of(&self, account: AccountId) -> Result<Vec<Session>, StoreError> {
        let tables = self.tables();
        let own = tables.sessions.values().filter(|s| s.account == account);
        let mut own: Vec<_> = own.filter(|s| tables.valid(s)).cloned().collect();
        own.sort_by_key(|session| (session.at, session.token.0));
        Ok(own)
    }

    async fn end_session(&self, token: TokenHash) -> Result<(), StoreError> {
        let mut tables = self.tables();
        if let Some(ended) = tables.sessions.remove(&token) {
            tables.account_changes.push(ended.account);
        }
        Ok(())
    }

    async fn create_offer(&self, offer: &Offer) -> Result<(), StoreError> {
        let mut tables = self.tables();
        tables.active(offer.by)?;
        if let OfferKind::Challenge { to } = offer.kind {
            tables.active(to)?;
        }
        if tables.offers.contains_key(&offer.id) {
            return Err(StoreError::Taken);
        }
        tables.offers.insert(offer.id.clone(), offer.clone());
        Ok(())
    }

    async fn offer(&self, id: &OfferId) -> Result<Offer, StoreError> {
        let tables = self.tables();
        tables.offers.get(id).cloned().ok_or(StoreError::Absent)
    }

    async fn offers(&self) -> Result<Vec<Offer>, StoreError> {
        let tables = self.tables();
        let open = tables.offers.values().filter(|offer| offer.game.is_none());
        let mut open: Vec<_> = open.cloned().collect();
        open.sort_by(|a, b| (a.at, &a.id).cmp(&(b.at, &b.id)));
        Ok(open)
    }

    async fn close_offer(&self, id: &OfferId) -> Result<(), StoreError> {
        let mut tables = self.tables();
        match tables.offers.get(id) {
            None => Err(StoreError::Absent),
            Some(Offer { game: Some(_), .. }) => Err(StoreError::Taken),
            Some(Offer { game: None, .. }) => {
                tables.offers.remove(id);
                Ok(())
            }
        }
    }

    async fn claim(&self, now: Millis) -> Result<Option<Lease>, StoreError> {
        let lease = &mut self.tables().lease;
        if is_owned(lease.owned, lease.renewed, now) {
            return Ok(None);
        }
        lease.fence = lease.fence.saturating_add(1).max(now);
        (lease.renewed, lease.owned) = (Some(now), true);
        let served_until = lease.served_until;
        lease.served_until = served_until.or(Some(now));
        Ok(Some(Lease {
            fence: lease.fence,
            served_until,
        }))
    }

    async fn renew(
        &self,
        fence: Fence,
        last: Millis,
        now: Millis,
        serves: bool,
    ) -> Result<Millis, StoreError> {
        let lease = &mut self.tables().lease;
        if lease.fence > fence {
            return Err(StoreError::Fenced);
        }
        if lease.fence < fence || lease.renewed.is_none_or(|renewed| renewed < last) {
            return Err(StoreError::Absent);
        }
        let renewed = now.max(last);
        lease.renewed = Some(renewed);
        if serves {
            lease.served_until = Some(renewed);
        }
        Ok(renewed)
    }

    async fn release(&self, fence: Fence) -> Result<(), StoreError> {
        let lease = &mut self.tables().lease;
        lease.owned &= lease.fence != fence;
        Ok(())
    }
}
