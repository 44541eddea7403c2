//! Starts the tasks of tables: when the club opens, and when somebody asks for a table.

use std::{
    slice,
    sync::{Arc, Weak},
    time::Duration,
};

use futures_util::{StreamExt, stream};
use rules::{ByListener, chess::ByColor};
use store::{AppendError, GameId, GameRecord, Row, StoreError};
use tokio::{
    task::{JoinSet, spawn_blocking},
    time::sleep,
};
use wire::GameStatus;

use crate::{
    account::Account,
    actor::Actor,
    error::ClubError,
    handle::Handle,
    inner::{DAMAGED, Inner, damaged},
    listed::ListedGame,
    sync::lock,
    table::{ListenerState, Table},
    time::Speed,
};

/// Logs of unfinished games with at least this many rows are replayed on a blocking thread.
const MANY_ROWS: usize = 200;
/// Number of games of days that are loaded at the same time after the opening. It is small, so that
/// requests do not wait for them.
const LOADED_LATER: usize = 16;
/// Delay before a game of days is loaded again if the store fails.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// A table, and the state of each listener.
type Folded = (Table, ByListener<ListenerState>);

impl Inner {
    /// Credits an outage and starts every running game. Games of days are only listed: each is
    /// loaded when somebody asks for it, or after the opening.
    pub(super) async fn begin(self: &Arc<Self>) -> Result<(), StoreError> {
        // The lobby needs every offer. If any offer cannot be read, the club does not open.
        self.store.offers().await?;
        let mut waiting = self.store.running().await?.into_iter();
        let (mut loading, mut later) = (JoinSet::new(), Vec::new());
        loop {
            while loading.len() < self.settings.games_loaded_at_once
                && let Some(record) = waiting.next()
            {
                let club = Arc::clone(self);
                loading.spawn(async move {
                    let loaded = club.load(&record).await;
                    (record, loaded)
                });
            }
            let Some(loaded) = loading.join_next().await else {
                break;
            };
            let (record, loaded) = loaded.map_err(|error| StoreError::Other(error.to_string()))?;
            match loaded {
                // A running game has no rematch yet.
                Ok((players, Some(folded))) => drop(self.start(record, players, folded, false)),
                Ok((players, None)) => {
                    later.push(record.id);
                    self.list(&record, &players, GameStatus::Running);
                }
                Err(StoreError::Damaged(why)) => {
                    lock(&self.damaged).push((record.id, why));
                }
                Err(error) => return Err(error),
            }
        }
        if later.is_empty() {
            self.liveness.has_loaded();
        } else {
            tokio::spawn(load_later(Arc::downgrade(self), later));
        }
        self.read_offers().await
    }

    /// Reads the players of a running game, and its table unless moves take days.
    async fn load(
        &self,
        record: &GameRecord,
    ) -> Result<(ByColor<Account>, Option<Folded>), StoreError> {
        let player = async |id| {
            if let Some(known) = lock(&self.names).get(&id) {
                return Ok(known.clone());
            }
            match self.store.account(id).await {
                Err(StoreError::Absent) => Err(StoreError::Damaged(format!(
                    "game {}: a player has no account",
                    record.id
                ))),
                found => found.map(|account| self.remember(Account::from(account))),
            }
        };
        let players = ByColor {
            white: player(record.players.white).await?,
            black: player(record.players.black).await?,
        };
        let folded = match takes_days(record) {
            true => None,
            false => Some(self.load_credited(record).await?),
        };
        Ok((players, folded))
    }

    /// Reads the table of a running game, and credits the time in which no club ran.
    async fn load_credited(&self, record: &GameRecord) -> Result<Folded, StoreError> {
        let rows = self.store.rows(record.id, 0).await?;
        let (mut table, mut states) = Table::open(record, &rows).map_err(StoreError::Damaged)?;
        let ahead = table.time_ahead(self.time.now());
        let now = self.time.now().saturating_add(ahead);
        let outage = self.liveness.outage().map(|outage| outage.later_by(ahead));
        let credit = outage.and_then(|of| table.judge_outage(of.from, of.until, now));
        let Some(credit) = credit.or_else(|| table.judge_credit(None, now)) else {
            return Ok((table, states));
        };
        let expected = table.expected(self.fence);
        let appended = self
            .store
            .append(record.id, expected, slice::from_ref(&credit.row), None);
        appended.await.map_err(|error| match error {
            AppendError::Store(error) => error,
            AppendError::Conflict => StoreError::Damaged(format!(
                "game {}: no row can be appended to its log",
                record.id
            )),
        })?;
        let row = Row {
            seq: table.rows(),
            at: credit.row.at,
            act: credit.row.act,
            request: None,
        };
        table.fold(&row, &mut states);
        Ok((table, states))
    }

    /// Lists a game that is not over.
    fn list(&self, record: &GameRecord, players: &ByColor<Account>, status: GameStatus) {
        let listed = ListedGame {
            record: record.clone(),
            players: players.clone(),
            status,
            // The table's task corrects this.
            played: !takes_days(record),
        };
        if lock(&self.listed).put_game(listed) {
            self.notify_lobby();
        }
    }

    /// Starts the task of a table, unless the task runs already. `next_made` is true if the game
    /// of the rematch exists.
    fn start(
        self: &Arc<Self>,
        record: GameRecord,
        players: ByColor<Account>,
        (table, states): Folded,
        next_made: bool,
    ) -> Arc<Handle> {
        let mut tables = lock(&self.tables);
        if let Some(running) = tables.get(&record.id) {
            return Arc::clone(running);
        }
        let id = record.id;
        if table.status() != GameStatus::Over {
            self.list(&record, &players, table.status());
        }
        let liveness = Arc::clone(&self.liveness);
        let (handle, queues) = Handle::new(record, players, (&table, states), next_made, liveness);
        let handle = Arc::new(handle);
        tables.insert(id, Arc::clone(&handle));
        drop(tables);
        let actor = Actor::new(Arc::clone(&handle), self, table, queues, next_made);
        let task = self.tasks.clone();
        tokio::spawn(async move {
            actor.run().await;
            drop(task);
        });
        handle
    }

    /// Returns the table of a game. Starts the table's task if the task does
    /// not run.
    pub(crate) async fn table(self: &Arc<Self>, game: GameId) -> Result<Arc<Handle>, ClubError> {
        if let Some(ended) = self.ended() {
            return Err(ended.error());
        }
        if let Some(running) = lock(&self.tables).get(&game) {
            return Ok(Arc::clone(running));
        }
        if self.is_closing() {
            return Err(ClubError::closing());
        }
        let record = self.record(game).await?;
        let players = self.players(&record).await?;
        let is_over = record.over.is_some();
        // Requests for old games must not delay a game that is being played. So only a finished
        // game waits until the limit on replays allows another replay.
        let _place = match is_over {
            true => Some(self.replays.place().await?),
            false => None,
        };
        if let Some(running) = lock(&self.tables).get(&game) {
            return Ok(Arc::clone(running));
        }
        let unreadable = |error| self.unreadable(&record, error);
        let rows = self.store.rows(game, 0).await.map_err(unreadable)?;
        let (count, of) = (rows.len(), record.clone());
        let open = move || Table::open(&of, &rows).map_err(StoreError::Damaged);
        let folded = match (is_over, count) {
            (true, _) => self.replays.work(count, open).await?,
            (false, 0..MANY_ROWS) => open(),
            (false, _) => spawn_blocking(open)
                .await
                .map_err(|_| ClubError::closing())?,
        };
        let folded = folded.map_err(unreadable)?;
        // The club may have stopped after the rematch was agreed and before the game of the rematch
        // was created. In this case, the table's task creates that game.
        let next_made = match folded.0.next_game() {
            Some(next) => self.store.game(next).await.is_ok(),
            None => false,
        };
        Ok(self.start(record, players, folded, next_made))
    }

    /// Returns the error for those who ask for a game whose log cannot be read. If the game is not
    /// over, keeps the reason for the operator.
    fn unreadable(&self, record: &GameRecord, error: StoreError) -> ClubError {
        let StoreError::Damaged(why) = error else {
            return error.into();
        };
        let mut all = lock(&self.damaged);
        if record.over.is_none() && all.iter().all(|(game, _)| *game != record.id) {
            all.push((record.id, why));
        }
        damaged(record.id)
    }
}

fn takes_days(record: &GameRecord) -> bool {
    Speed::of(record.terms.time) == Speed::Correspondence
}

/// Loads games of days.
async fn load_later(club: Weak<Inner>, games: Vec<GameId>) {
    let load = |game| load_one(club.clone(), game);
    stream::iter(games)
        .for_each_concurrent(LOADED_LATER, load)
        .await;
    if let Some(club) = club.upgrade().filter(|club| !club.is_closing()) {
        club.liveness.has_loaded();
    }
}

async fn load_one(club: Weak<Inner>, game: GameId) {
    let open = |club: &Arc<Inner>| !club.is_closing() && club.ended().is_none();
    while let Some(club) = club.upgrade().filter(open) {
        match club.table(game).await {
            Err(error) if error.reason != DAMAGED => {}
            Ok(_) | Err(_) => return,
        }
        drop(club);
        sleep(RETRY_DELAY).await;
    }
}
