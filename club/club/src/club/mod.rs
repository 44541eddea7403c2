//! Opening and closing of a [`Club`], the handle that every door calls.

mod accounts;
mod bots;
mod games;
mod heartbeat;
mod lobby;
mod messages;
mod people;
mod presence;
mod running;
mod tables;

pub use self::accounts::{Leaving, OwnAccount, OwnSession};

use std::{
    sync::{Arc, Mutex, atomic::AtomicU64},
    time::Duration,
};

use store::{GameId, Millis, Store, StoreError};
use tokio::{
    sync::{broadcast, mpsc, watch},
    time::timeout,
};

use crate::{
    account_changes::CHANGE_QUEUE_CAPACITY,
    bot_claims::BotClaims,
    error::{ClubError, Code},
    handle::Tables,
    inner::{Club, Inner, Life},
    liveness::Liveness,
    messages::Messages,
    passwords::Passwords,
    replays::Replays,
    settings::Settings,
    sign_in_brake::SignInBrake,
    sync::lock,
    time::{Clock, ClubTime},
};

/// Timeout for storing the last rows of running tables when the club closes.
const STORE_TIMEOUT: Duration = Duration::from_secs(10);

/// Timeout of each of two steps when the club closes: it ends its claims to play built-in bots, and
/// it deletes its heartbeat.
const GONE_TIMEOUT: Duration = Duration::from_secs(1);

impl Club {
    /// Opens the club over a store, and continues every running game. The clocks do not count the
    /// time in which no club ran.
    ///
    /// # Errors
    /// If the store fails, or if the password cost in the settings is out of range.
    pub async fn open(
        store: Arc<dyn Store>,
        clock: Arc<dyn Clock>,
        settings: Settings,
    ) -> Result<Club, StoreError> {
        let passwords = Passwords::new(&settings).map_err(|e| StoreError::Other(e.to_string()))?;
        let (tasks, tasks_end) = mpsc::channel(1);
        let hints = store.hints();
        let shared = store.now().await?.is_some();
        let time = ClubTime::begin_shared(&*store, &*clock).await?;
        let number = rand::random::<u64>() >> 1;
        let last_account_change = store.account_changes(i64::MAX).await?.last;
        let last_message = store.message_changes(i64::MAX).await?.last;
        let club = Club(Arc::new(Inner {
            store,
            liveness: Arc::new(Liveness::new(time.clone(), number, shared)),
            time,
            chance: Mutex::new(settings.rng()),
            settings,
            passwords,
            sign_in_brake: SignInBrake::default(),
            tables: Tables::default(),
            replays: Replays::default(),
            lobby: watch::Sender::new(0),
            listed: Mutex::default(),
            names: Mutex::default(),
            names_version: AtomicU64::new(0),
            account_changes: broadcast::Sender::new(CHANGE_QUEUE_CAPACITY),
            last_account_change: tokio::sync::Mutex::new(last_account_change),
            programs: Mutex::default(),
            messages: Messages::new(last_message),
            bot_game_locks: Mutex::default(),
            bot_claims: BotClaims::default(),
            others: Arc::default(),
            life: watch::Sender::new(Life::Open),
            tasks,
            tasks_end: Mutex::new(Some(tasks_end)),
            number,
            rows_lost: watch::Sender::new(false),
            damaged: Mutex::default(),
        }));
        club.0.begin().await?;
        let weak = || Arc::downgrade(&club.0);
        tokio::spawn(heartbeat::tick(weak()));
        tokio::spawn(heartbeat::write_heartbeats(weak(), club.0.tasks.clone()));
        tokio::spawn(heartbeat::see_others(weak(), club.0.tasks.clone()));
        tokio::spawn(running::hear_hints(weak(), hints));
        tokio::spawn(presence::follow(weak()));
        Ok(club)
    }

    /// Closes the club in an orderly way: ends every subscription, and waits until running tables
    /// have stored their last rows. Pauses the clocks, unless another club that uses the same
    /// store is alive.
    pub async fn close(&self) {
        let lost = self.0.has_lost_rows();
        let pause = !self.0.liveness.has_others() && !lost;
        self.0.life.send_replace(Life::Closing { pause });
        let end = lock(&self.0.tasks_end).take();
        let handles: Vec<_> = lock(&self.0.tables).drain().collect();
        if let Some(mut end) = end {
            // Each task holds a clone of the sender `tasks` until the task ends. When only the
            // club's own sender is left, all tasks have ended.
            let all = async {
                while self.0.tasks.strong_count() > 1 {
                    let _tick = timeout(Duration::from_millis(10), end.recv()).await;
                }
            };
            // If the pause of the clocks cannot be stored within the timeout, the lost time is
            // credited when the club opens again.
            let _late = timeout(STORE_TIMEOUT, all).await;
        }
        // If the claims cannot be ended, another club treats them as claims of a stopped club.
        let _late = timeout(GONE_TIMEOUT, self.0.release_bots()).await;
        // If another club is alive, the heartbeat is deleted. Then the other club knows that this
        // club was closed and did not crash. If the heartbeat cannot be deleted, the other club
        // treats this club as crashed, and the clocks do not count some seconds. If the store has
        // lost rows, the heartbeat is kept. Then the club that opens next credits the time since
        // this heartbeat.
        let gone = self.0.store.gone(self.0.number);
        if !pause && !lost {
            let _late = timeout(GONE_TIMEOUT, gone).await;
        }
        drop(handles);
    }

    /// Whether another club that uses the same store was alive a few seconds ago. If this club
    /// closes, the other club continues every game.
    pub fn has_others(&self) -> bool {
        self.0.liveness.has_others()
    }

    /// Waits until the club finds that its store has lost stored rows. A store loses rows if the
    /// database server is replaced by an older copy. After a loss, the club refuses every request
    /// and writes nothing. The club must be closed, and opened again.
    pub async fn rows_lost(&self) {
        let mut lost = self.0.rows_lost.subscribe();
        // `self` holds the sender, so `wait_for` cannot fail.
        let _lost = lost.wait_for(|lost| *lost).await;
    }

    /// Whether the club has found that its store has lost rows; see
    /// [`rows_lost`](Club::rows_lost).
    pub fn has_lost_rows(&self) -> bool {
        self.0.has_lost_rows()
    }

    /// Checks that the store can be read.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn check_store(&self) -> Result<(), ClubError> {
        self.0.store.offers().await?;
        Ok(())
    }

    /// Checks that this club can write to its store. The club writes a heartbeat twice per second.
    ///
    /// # Errors
    /// [`Code::Unavailable`] if no heartbeat was written in the last ten seconds.
    pub fn check_file(&self) -> Result<(), ClubError> {
        let since = self.0.liveness.since_write();
        if since.is_some_and(|since| since <= MAX_HEARTBEAT_AGE) {
            return Ok(());
        }
        Err(ClubError::new(
            Code::Unavailable,
            match self.0.liveness.is_shared() {
                true => {
                    "the club's database cannot be written: the operator of this club must check the \
                     database server"
                }
                false => {
                    "the club's file cannot be written: the operator of this club must check the disk"
                }
            },
        ))
    }

    /// Returns the club's time: the time when the club was opened, plus the monotonic time since
    /// then. The time of the opening comes from the clock that all clubs of the store share, or
    /// from the wall clock if there is no shared clock.
    pub fn now(&self) -> Millis {
        self.0.time.now()
    }

    /// Returns the number of games that are not over.
    pub fn running_games(&self) -> usize {
        lock(&self.0.listed).games()
    }

    /// Returns the number of tables that this club has in memory.
    pub fn open_tables(&self) -> usize {
        lock(&self.0.tables).len()
    }

    /// Returns the damaged running games, each with the reason. The log of a damaged game could not
    /// be read when the club opened. Only for the operator, because the reason can contain the true
    /// position.
    pub fn damaged(&self) -> Vec<(GameId, String)> {
        lock(&self.0.damaged).clone()
    }
}

/// Maximum age of the last heartbeat, in milliseconds. If the last heartbeat is older, the file can
/// probably not be written.
const MAX_HEARTBEAT_AGE: Millis = 10_000;
