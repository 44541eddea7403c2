//! The club: the stub that every door uses.

mod games;
mod lobby;
mod people;
mod pulse;
mod tables;

pub(crate) use self::pulse::{GAP, Pulse};

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak, atomic::Ordering},
    time::Duration,
};

use rand::{RngExt, SeedableRng, rngs::StdRng};
use rules::chess::ByColor;
use store::{AppendError, GameRecord, Hint, Store, StoreError};
use tokio::{
    sync::{broadcast, mpsc, watch},
    time::timeout,
};

use crate::{
    Account, AccountId, Clock, GameId, Millis, Settings,
    actor::{Actor, Life},
    error::{ClubError, Code},
    handle::{Handle, Tables},
    passwords::Passwords,
    table::Table,
};

/// How long closing waits for a store that does not answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// Names kept at hand.
const MOST_NAMES: usize = 10_000;

/// The club. Cheap to clone; all clones are one, and when the last is dropped
/// without [`close`](Club::close) it is as if the machine had stopped.
#[derive(Clone)]
pub struct Club(pub(crate) Arc<Inner>);

pub(crate) struct Inner {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) clock: Arc<dyn Clock>,
    settings: Settings,
    passwords: Passwords,
    tables: Tables,
    lobby: watch::Sender<u64>,
    names: Mutex<HashMap<AccountId, Account>>,
    programs: Mutex<Vec<Account>>,
    chance: Mutex<StdRng>,
    life: watch::Sender<Life>,
    /// Held by every task; when all have ended, closing is done.
    tasks: mpsc::Sender<()>,
    tasks_end: Mutex<Option<mpsc::Receiver<()>>>,
    /// Signs of life of this club and of others over this store.
    pub(crate) pulse: Arc<Pulse>,
    /// This club's own number.
    number: u64,
    /// Running games whose logs cannot be read.
    damaged: Mutex<Vec<(GameId, String)>>,
}

impl Club {
    /// Opens the club over a store: an outage is credited, and every running
    /// game goes on.
    ///
    /// # Errors
    /// If the store cannot.
    pub async fn open(
        store: Arc<dyn Store>,
        clock: Arc<dyn Clock>,
        settings: Settings,
    ) -> Result<Club, StoreError> {
        let passwords = Passwords::new(&settings).map_err(|e| StoreError::Other(e.to_string()))?;
        let chance = match settings.seed {
            Some(seed) => StdRng::seed_from_u64(seed),
            None => StdRng::from_seed(rand::random()),
        };
        let (tasks, tasks_end) = mpsc::channel(1);
        let hints = store.hints();
        let club = Club(Arc::new(Inner {
            store,
            pulse: Arc::new(Pulse::new(Arc::clone(&clock))),
            clock,
            settings,
            passwords,
            tables: Tables::default(),
            lobby: watch::Sender::new(0),
            names: Mutex::default(),
            programs: Mutex::default(),
            chance: Mutex::new(chance),
            life: watch::Sender::new(Life::Open),
            tasks,
            tasks_end: Mutex::new(Some(tasks_end)),
            number: rand::random::<u64>() >> 1,
            damaged: Mutex::default(),
        }));
        club.0.begin().await?;
        let pulse = Arc::clone(&club.0.pulse);
        tokio::spawn(pulse::watch(Arc::downgrade(&club.0), pulse));
        tokio::spawn(pulse::tell(Arc::downgrade(&club.0), club.0.tasks.clone()));
        tokio::spawn(hear_hints(Arc::downgrade(&club.0), hints));
        Ok(club)
    }

    /// Closes in order: what is being stored is finished, clocks are paused,
    /// every listening ends.
    pub async fn close(&self) {
        let pause = !self.0.pulse.has_others();
        self.0.life.send_replace(Life::Closing { pause });
        let end = lock(&self.0.tasks_end).take();
        let handles: Vec<_> = lock(&self.0.tables).drain().collect();
        if let Some(mut end) = end {
            // The club's own sender lives as long as the club; the tables' end.
            let all = async {
                while self.0.tasks.strong_count() > 1 {
                    let _tick = timeout(Duration::from_millis(10), end.recv()).await;
                }
            };
            // What is not stored by then is credited when the club opens again.
            let _late = timeout(PATIENCE, all).await;
        }
        drop(handles);
    }

    /// Whether the club's file takes what is written: the club writes into it twice
    /// a second.
    ///
    /// # Errors
    /// [`Code::Unavailable`] if it has not done so for ten seconds.
    pub async fn check_file(&self) -> Result<(), ClubError> {
        let last = self.0.store.last_alive().await?;
        let since = last.map(|last| self.now().saturating_sub(last));
        if since.is_some_and(|since| since <= WRITES) {
            return Ok(());
        }
        Err(ClubError::new(
            Code::Unavailable,
            "the club's file takes nothing: the keeper of this club must look at its disk",
        ))
    }

    /// The club's time.
    pub fn now(&self) -> Millis {
        self.0.clock.now()
    }

    /// Running games whose logs could not be read when the club opened, and
    /// why: for its keeper's eyes, since the text of a row is the truth.
    pub fn damaged(&self) -> Vec<(GameId, String)> {
        lock(&self.0.damaged).clone()
    }
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // What is locked is changed in single steps, so it is whole after a panic.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file into which nothing was written for so long takes nothing.
const WRITES: Millis = 10_000;

/// Why it cannot be read is for the keeper's eyes: the text of a row is the truth.
pub(crate) fn damaged(game: GameId) -> ClubError {
    ClubError::new(
        Code::Unavailable,
        format!(
            "the log of game {game} cannot be read: the keeper of this club must look at it with \
             `kriegspiel store check`"
        ),
    )
}

impl Inner {
    /// Credits an outage and starts every running game.
    async fn begin(self: &Arc<Self>) -> Result<(), StoreError> {
        let now = self.clock.now();
        let last = self.store.last_alive().await?;
        let outage = last.filter(|last| now.saturating_sub(*last) > GAP);
        if let Some(last) = last {
            // It may be this club's own, of before a short crash: that is known in a moment.
            self.pulse.hear_other(last);
        }
        for record in self.store.running().await? {
            match self.load_credited(&record, outage).await {
                Ok(table) => {
                    let players = self.players(&record).await.map_err(stored)?;
                    // A game that is running has no rematch yet.
                    self.start(record, players, table, false);
                }
                Err(StoreError::Damaged(why)) => {
                    lock(&self.damaged).push((record.id, why));
                }
                Err(error) => return Err(error),
            }
        }
        self.store.alive(self.number, self.clock.now()).await
    }

    /// A running game's table; clock time since `outage`, or since it was
    /// paused, is not counted.
    async fn load_credited(
        &self,
        record: &GameRecord,
        outage: Option<Millis>,
    ) -> Result<Table, StoreError> {
        let open = |rows: &[store::Row]| {
            Table::open(record, rows).map_err(|e| StoreError::Damaged(e.to_string()))
        };
        let mut rows = self.store.rows(record.id, 0).await?;
        let mut table = open(&rows)?;
        loop {
            // Another club may have been quicker, or have died while it credited: what was
            // credited is not credited again, and what came after that is.
            let credited = |row: &&store::Row| {
                matches!(
                    row.act,
                    store::Act::Table(store::TableEvent::Credited { .. })
                )
            };
            let before = rows.iter().rev().find(credited).map(|row| row.at);
            let now = self.clock.now();
            let outage = outage
                .map(|last| last.max(before.unwrap_or(last)))
                .filter(|from| now.saturating_sub(*from) > GAP);
            let Some(credit) = table.judge_credit(outage, now) else {
                return Ok(table);
            };
            let appended = self
                .store
                .append(record.id, table.rows(), &credit.rows, None)
                .await;
            match appended {
                Ok(()) | Err(AppendError::Conflict) => {}
                Err(AppendError::Store(error)) => return Err(error),
            }
            // What this club or another has appended: a long log is not read again.
            let old = rows.len();
            rows.extend(self.store.rows(record.id, table.rows()).await?);
            let added = &rows[old..];
            let arranges = |row: &store::Row| matches!(row.act, store::Act::Table(_));
            if added.iter().all(arranges) {
                for row in added {
                    table.apply(row);
                }
            } else {
                table = open(&rows)?;
            }
        }
    }

    /// Starts the task of a table, unless it runs already. `next_made`: the game of
    /// its rematch exists.
    fn start(
        self: &Arc<Self>,
        record: GameRecord,
        players: ByColor<Account>,
        table: Table,
        next_made: bool,
    ) -> Arc<Handle> {
        let mut tables = lock(&self.tables);
        if let Some(running) = tables.get(&record.id) {
            return Arc::clone(running);
        }
        let id = record.id;
        let (handle, queue) =
            Handle::new(record, players, &table, next_made, Arc::clone(&self.pulse));
        let handle = Arc::new(handle);
        tables.insert(id, Arc::clone(&handle));
        drop(tables);
        let actor = Actor::new(
            Arc::clone(&handle),
            self,
            self.life.subscribe(),
            table,
            next_made,
        );
        let task = self.tasks.clone();
        tokio::spawn(async move {
            actor.run(queue).await;
            drop(task);
        });
        handle
    }

    fn is_closing(&self) -> bool {
        *self.life.borrow() != Life::Open
    }

    /// Every table looks around.
    fn wake_tables(&self) {
        for handle in lock(&self.tables).values() {
            handle.wake.notify_one();
        }
    }

    /// The table of a game, started if need be.
    pub(crate) async fn table(self: &Arc<Self>, game: GameId) -> Result<Arc<Handle>, ClubError> {
        if let Some(running) = lock(&self.tables).get(&game) {
            return Ok(Arc::clone(running));
        }
        if self.is_closing() {
            return Err(ClubError::closing());
        }
        let record = self.record(game).await?;
        let players = self.players(&record).await?;
        let rows = self.store.rows(game, 0).await?;
        let table = Table::open(&record, &rows).map_err(|_| damaged(game))?;
        // The club may have died between the rematch and its game: then the table makes it.
        let next_made = match table.next_game() {
            Some(next) => self.store.game(next).await.is_ok(),
            None => false,
        };
        Ok(self.start(record, players, table, next_made))
    }

    /// Forgets a table that nobody holds but the map and its own task.
    pub(crate) fn forget(&self, handle: &Arc<Handle>) -> bool {
        let mut tables = lock(&self.tables);
        // The map, the task, its loop, and what ends it.
        let unused = Arc::strong_count(handle) <= 4;
        if unused {
            tables.remove(&handle.id());
        }
        unused
    }

    /// A table whose task has ended.
    pub(crate) fn remove(&self, handle: &Arc<Handle>) {
        let mut tables = lock(&self.tables);
        let same = |found: &Arc<Handle>| Arc::ptr_eq(found, handle);
        if tables.get(&handle.id()).is_some_and(same) {
            tables.remove(&handle.id());
        }
    }

    async fn record(&self, game: GameId) -> Result<GameRecord, ClubError> {
        self.store.game(game).await.map_err(|e| {
            if e == StoreError::Absent {
                ClubError::new(
                    Code::NotFound,
                    "there is no such game: look at its address again",
                )
            } else {
                e.into()
            }
        })
    }

    async fn account(&self, id: AccountId) -> Result<Account, ClubError> {
        if let Some(known) = lock(&self.names).get(&id) {
            return Ok(known.clone());
        }
        let account = Account::from(self.store.account(id).await?);
        let mut names = lock(&self.names);
        if names.len() >= MOST_NAMES {
            names.clear();
        }
        names.insert(id, account.clone());
        Ok(account)
    }

    async fn players(&self, record: &GameRecord) -> Result<ByColor<Account>, ClubError> {
        Ok(ByColor {
            white: self.account(record.players.white).await?,
            black: self.account(record.players.black).await?,
        })
    }

    /// A name for a game, by lot.
    pub(crate) fn draw_game(&self) -> GameId {
        store::GameId::from_chance(lock(&self.chance).random())
    }

    fn toss(&self) -> bool {
        lock(&self.chance).random()
    }

    /// Some lobby may have changed.
    pub(crate) fn stir_lobby(&self) {
        self.lobby
            .send_modify(|version| *version = version.wrapping_add(1));
    }

    fn add_program(&self, account: &Account) {
        let mut programs = lock(&self.programs);
        if !programs.contains(account) {
            programs.push(account.clone());
            drop(programs);
            self.stir_lobby();
        }
    }

    /// Joins the running games that other clubs have begun.
    async fn join_running(self: &Arc<Self>) {
        for record in self.store.running().await.unwrap_or_default() {
            // If it cannot be read now, it is in a second.
            if let Ok(handle) = self.table(record.id).await {
                handle.wake.notify_one();
            }
        }
    }

    /// Passes a hint on; a game that another club has begun is joined, so
    /// that its deadlines are kept whoever goes down.
    fn pass_on(self: &Arc<Self>, hint: Hint) {
        let known = lock(&self.tables).get(&hint.game).cloned();
        match known {
            Some(handle) => {
                handle.hinted.fetch_max(hint.rows, Ordering::Relaxed);
                handle.wake.notify_one();
            }
            None if hint.rows == 1 => {
                let club = Arc::clone(self);
                tokio::spawn(async move {
                    // If it cannot be read now, it is when somebody asks for it.
                    let _later = club.table(hint.game).await;
                    club.stir_lobby();
                });
            }
            None => {}
        }
    }
}

fn stored(error: ClubError) -> StoreError {
    StoreError::Other(error.to_string())
}

/// Waits until the club closes; it may have done so before anybody listened.
async fn closing(life: &mut watch::Receiver<Life>) {
    // An error is a club that is gone.
    let _closing = life.wait_for(|life| *life != Life::Open).await;
}

async fn hear_hints(club: Weak<Inner>, mut hints: broadcast::Receiver<Hint>) {
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
            // What was missed is found by reading.
            Err(broadcast::error::RecvError::Lagged(_)) => {
                let all: Vec<_> = lock(&club.tables).values().cloned().collect();
                for handle in all {
                    handle.hinted.fetch_add(1, Ordering::Relaxed);
                    handle.wake.notify_one();
                }
            }
            Err(broadcast::error::RecvError::Closed) => return,
        }
    }
}
