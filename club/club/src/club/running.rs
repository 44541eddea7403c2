//! Starts the tasks of tables: when the club opens, when somebody asks for a table, and when
//! another club has begun a game.

use std::{
    slice,
    sync::{Arc, Weak, atomic::Ordering},
};

use rules::{
    ByListener,
    chess::{ByColor, Color},
};
use store::{
    Act, AppendError, GameId, GameRecord, Heartbeat, Hint, Millis, Row, StoreError, TableEvent,
};
use tokio::{
    sync::broadcast,
    task::{JoinSet, spawn_blocking},
};

use crate::{
    account::Account,
    actor::Actor,
    error::ClubError,
    facts::Status,
    handle::Handle,
    inner::{Inner, closing, damaged},
    listed::ListedGame,
    sync::lock,
    table::{ListenerState, Table},
    time::OUTAGE_LEAST,
};

/// Logs of unfinished games with at least this many rows are replayed on a blocking thread.
const MANY_ROWS: usize = 200;

/// Maximum number of times that the club tries to credit an outage to one game, so that the clocks
/// do not count the outage. A try fails if another club has appended rows to the log meanwhile.
const MAX_CREDIT_ROUNDS: u32 = 50;

/// A table, and the state of each listener.
type Folded = (Table, ByListener<ListenerState>);

impl Inner {
    /// Credits an outage and starts every running game.
    pub(super) async fn begin(self: &Arc<Self>) -> Result<(), StoreError> {
        let heartbeats = self.store.heartbeats().await?;
        self.liveness.begin(&heartbeats);
        let outage = outage_from(&heartbeats, self.time.now());
        // The lobby needs every offer. If any offer cannot be read, the club does not open.
        self.store.offers().await?;
        let mut waiting = self.store.running().await?.into_iter();
        let mut loading = JoinSet::new();
        loop {
            while loading.len() < self.settings.games_loaded_at_once
                && let Some(record) = waiting.next()
            {
                let club = Arc::clone(self);
                loading.spawn(async move {
                    let loaded = club.load(&record, outage).await;
                    (record, loaded)
                });
            }
            let Some(loaded) = loading.join_next().await else {
                break;
            };
            let (record, loaded) = loaded.map_err(|error| StoreError::Other(error.to_string()))?;
            match loaded {
                // A running game has no rematch yet.
                Ok((players, folded)) => drop(self.start(record, players, folded, false)),
                Err(StoreError::Damaged(why)) => {
                    lock(&self.damaged).push((record.id, why));
                }
                Err(error) => return Err(error),
            }
        }
        self.read_offers().await?;
        let now = self.time.now();
        self.store.alive(self.number, now).await?;
        self.liveness.has_written(now);
        Ok(())
    }

    /// Reads the players and the table of a running game.
    async fn load(
        &self,
        record: &GameRecord,
        outage: Option<Millis>,
    ) -> Result<(ByColor<Account>, Folded), StoreError> {
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
        Ok((players, self.load_credited(record, outage).await?))
    }

    /// Reads the table of a running game, and credits lost time: appends a row, so that the clocks
    /// do not count this time. `outage` is the time at which an outage began. The lost time begins
    /// at `outage`. If the clocks are paused, the lost time begins at the pause instead. If no time
    /// was lost, appends nothing.
    async fn load_credited(
        &self,
        record: &GameRecord,
        outage: Option<Millis>,
    ) -> Result<Folded, StoreError> {
        let mut rows = self.store.rows(record.id, 0).await?;
        let (mut table, mut states) = Table::open(record, &rows).map_err(StoreError::Damaged)?;
        for _ in 0..MAX_CREDIT_ROUNDS {
            // Another club may already have appended a row that credits the outage, and may have
            // stopped afterwards. The time before that row is credited already. Only the time after
            // that row is credited here.
            let credited = |row: &&Row| matches!(row.act, Act::Table(TableEvent::Credited { .. }));
            let before = rows.iter().rev().find(credited).map(|row| row.at);
            let now = self.time.now();
            let now = now.saturating_add(table.time_ahead(now));
            let outage = outage
                .map(|last| last.max(before.unwrap_or(last)).max(table.touched_at()))
                .filter(|from| now.saturating_sub(*from) > OUTAGE_LEAST);
            let Some(credit) = table.judge_credit(outage, now) else {
                return Ok((table, states));
            };
            let seq = table.rows();
            let new = slice::from_ref(&credit.row);
            let appended = self
                .store
                .append_beside(record.id, table.log_end(), &[], new, None);
            let more = match appended.await {
                Ok(_) => vec![Row {
                    seq,
                    at: credit.row.at,
                    act: credit.row.act,
                    request: None,
                }],
                // Reads only the rows that another club has appended: a long log is not read
                // again.
                Err(AppendError::Conflict) => self.store.rows(record.id, seq).await?,
                Err(AppendError::Store(error)) => return Err(error),
            };
            if more.is_empty() {
                // The row that caused the conflict cannot be read, so each retry would fail too.
                return Err(StoreError::Damaged(format!(
                    "game {}: row {seq} can neither be appended to its log nor read",
                    record.id
                )));
            }
            for row in more {
                table.fold(&row, &mut states);
                rows.push(row);
            }
        }
        Err(StoreError::Damaged(format!(
            "game {}: after {MAX_CREDIT_ROUNDS} rounds, the time of the outage is still not credited",
            record.id
        )))
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
        if table.status() != Status::Over {
            let listed = ListedGame {
                record: record.clone(),
                players: players.clone(),
                status: table.status(),
                // The table's task sets `played` to false if nobody plays.
                played: true,
            };
            lock(&self.listed).put_game(listed);
            self.notify_lobby();
        }
        let liveness = Arc::clone(&self.liveness);
        let (handle, queues) = Handle::new(record, players, (&table, states), next_made, liveness);
        let handle = Arc::new(handle);
        for color in Color::ALL {
            let is_elsewhere = self.others.is_elsewhere((id, color));
            handle.connections.set_elsewhere(color, is_elsewhere);
        }
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
        if self.has_lost_rows() {
            return Err(ClubError::rows_lost());
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
        let rows = self.store.rows(game, 0).await?;
        let (count, of) = (rows.len(), record.clone());
        let open = move || Table::open(&of, &rows).map_err(|_| damaged(of.id));
        let folded = match (is_over, count) {
            (true, _) => self.replays.work(count, open).await??,
            (false, 0..MANY_ROWS) => open()?,
            (false, _) => spawn_blocking(open)
                .await
                .map_err(|_| ClubError::closing())??,
        };
        // The club may have stopped after the rematch was agreed and before the game of the rematch
        // was created. In this case, the table's task creates that game.
        let next_made = match folded.0.next_game() {
            Some(next) => self.store.game(next).await.is_ok(),
            None => false,
        };
        Ok(self.start(record, players, folded, next_made))
    }

    /// Starts the tables of running games that other clubs have begun. If hints about rows were
    /// lost, lets the tables read these rows. One call of the store serves all tables.
    pub(super) async fn join_running(self: &Arc<Self>) {
        let mut listed = lock(&self.listed).game_ids();
        // If the store fails now, the lengths are read again when the lobby is read again.
        let Ok(running) = self.store.running_lengths().await else {
            return;
        };
        for (game, _) in &running {
            listed.remove(game);
        }
        // If a game is listed here but no longer runs in the store, another club has ended it. The
        // table of this game must read the last rows.
        for game in listed {
            let known = lock(&self.tables).get(&game).cloned();
            if let Some(handle) = known {
                handle.hinted.store(u32::MAX, Ordering::Relaxed);
                handle.wake.notify_one();
            }
        }
        for (game, rows) in running {
            // A game that cannot be read now is read again when the lobby is read again.
            if let Ok(handle) = self.table(game).await {
                let hinted = handle.hinted.fetch_max(rows, Ordering::Relaxed);
                if hinted > rows {
                    // The log may have lost rows: the table reads its last row again.
                    handle.hinted.store(u32::MAX, Ordering::Relaxed);
                }
                if hinted != rows {
                    handle.wake.notify_one();
                }
            }
        }
    }

    /// Passes a hint on. A hint about a game goes to the table of that game, any other hint to the
    /// task that handles it. If another club has begun the game, this club starts a task for the
    /// table too. So the deadlines are kept even if one club goes down.
    fn pass_on(self: &Arc<Self>, hint: Hint) {
        let (game, rows) = match hint {
            Hint::Rows { game, rows } => (game, rows),
            Hint::Lobby => return self.others.lobby_hinted.notify_one(),
            Hint::Presence => return self.others.hinted.notify_one(),
        };
        let known = lock(&self.tables).get(&game).cloned();
        match known {
            Some(handle) => {
                handle.hinted.fetch_max(rows, Ordering::Relaxed);
                handle.wake.notify_one();
            }
            None if rows == 1 => {
                let club = Arc::clone(self);
                tokio::spawn(async move {
                    // A game that cannot be read now is read when somebody asks for it.
                    let _later = club.table(game).await;
                    club.notify_lobby();
                });
            }
            None => {}
        }
    }
}

/// Returns the beginning of the outage that ends when this club opens, or `None` if there was no
/// outage. A heartbeat with a time in the future was written while a wall clock was ahead. If all
/// heartbeats have such a time, the function returns `Millis::MIN`, the earliest possible time.
/// Then the clocks count no time since the last row of each game.
fn outage_from(heartbeats: &[Heartbeat], now: Millis) -> Option<Millis> {
    let past = heartbeats
        .iter()
        .map(|heartbeat| heartbeat.at)
        .filter(|at| *at <= now);
    match past.max() {
        Some(last) => Some(last).filter(|last| now.saturating_sub(*last) > OUTAGE_LEAST),
        None => (!heartbeats.is_empty()).then_some(Millis::MIN),
    }
}

pub(super) async fn hear_hints(club: Weak<Inner>, mut hints: broadcast::Receiver<Hint>) {
    let Some(mut life) = club.upgrade().map(|club| club.life.subscribe()) else {
        return;
    };
    loop {
        let hint = tokio::select! {
            hint = hints.recv() => hint,
            () = closing(&mut life) => return,
        };
        let Some(club) = club.upgrade() else { return };
        match hint {
            Ok(hint) => club.pass_on(hint),
            // Hints were lost, so every table reads its log once.
            Err(broadcast::error::RecvError::Lagged(_)) => {
                let all: Vec<_> = lock(&club.tables).values().cloned().collect();
                for handle in all {
                    handle.hinted.store(u32::MAX, Ordering::Relaxed);
                    handle.wake.notify_one();
                }
            }
            Err(broadcast::error::RecvError::Closed) => return,
        }
    }
}
