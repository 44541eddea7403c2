//! Opening and closing of a [`Club`], the handle that every door calls.

mod accounts;
mod bots;
mod evenings;
mod games;
mod hall;
mod heartbeat;
mod lobby;
mod mail;
mod messages;
mod notices;
mod operator;
mod people;
mod problems;
mod profiles;
mod ratings;
mod running;
mod studies;
mod tables;

pub use self::{
    accounts::{Leaving, OwnAccount, OwnSession},
    evenings::evening_id,
    hall::{HallBoard, hall_address},
    mail::{Digest, OwnMail},
    operator::{MUTED, OPERATOR, SET},
    people::{MAX_LABEL, MAX_TOKEN_DAYS, MAX_TOKENS},
    problems::PROBLEM_RESULTS,
};

use std::{
    sync::{Arc, Mutex, atomic::AtomicU64},
    time::Duration,
};

use store::{GameId, Lease, Millis, Store, StoreError};
use tokio::{
    sync::{Notify, broadcast, mpsc, watch},
    time::{sleep, timeout},
};
use wire::RefusalCode;

use crate::{
    account_changes::CHANGE_QUEUE_CAPACITY,
    error::ClubError,
    guesses::Guesses,
    handle::Tables,
    inner::{Club, EndReason, Inner, Life},
    liveness::Liveness,
    messages::Messages,
    notices::NOTICE_QUEUE_CAPACITY,
    passwords::Passwords,
    replays::Replays,
    settings::Settings,
    sync::lock,
    time::{Clock, ClubTime},
};

/// Timeout for storing the last rows of running tables when the club closes.
const STORE_TIMEOUT: Duration = Duration::from_secs(10);

/// Timeout for the release of the games when the club closes.
const RELEASE_TIMEOUT: Duration = Duration::from_secs(1);

/// A standby claims the games at this interval.
const CLAIM_INTERVAL: Duration = Duration::from_millis(100);

/// After this number of refused claims, a process is a standby. Before, the owner may be ending.
const REFUSED_CLAIMS: u32 = 3;

/// Waits until this process owns the games. Notifies `standby` if another process owns them.
async fn claim(
    store: &dyn Store,
    clock: &dyn Clock,
    standby: &Notify,
) -> Result<Lease, StoreError> {
    let mut is_standby = false;
    let mut refused = 0;
    loop {
        match store.claim(clock.now()).await {
            Ok(Some(lease)) => return Ok(lease),
            Ok(None) => {
                is_standby = true;
                refused += 1;
                if refused == REFUSED_CLAIMS {
                    standby.notify_one();
                }
            }
            Err(error) if !is_standby => return Err(error),
            // A standby waits until the database answers.
            Err(_) => {}
        }
        sleep(CLAIM_INTERVAL).await;
    }
}

impl Club {
    /// Opens the club over a store, and continues every running game. Games of days are loaded when
    /// somebody asks for them, or after the opening. The clocks do not count the time in which no club
    /// ran. While another process owns the games, waits as a standby.
    ///
    /// # Errors
    /// If the store fails, or if the password cost in the settings is out of range.
    pub async fn open(
        store: Arc<dyn Store>,
        clock: Arc<dyn Clock>,
        settings: Settings,
    ) -> Result<Club, StoreError> {
        Club::open_or_wait(store, clock, settings, &Notify::new()).await
    }

    /// Like [`Club::open`]. Notifies `standby` when it is clear that another process owns the
    /// games.
    ///
    /// # Errors
    /// As for [`Club::open`].
    pub async fn open_or_wait(
        store: Arc<dyn Store>,
        clock: Arc<dyn Clock>,
        settings: Settings,
        standby: &Notify,
    ) -> Result<Club, StoreError> {
        let passwords = Passwords::new(&settings).map_err(|e| StoreError::Other(e.to_string()))?;
        let (tasks, tasks_end) = mpsc::channel(1);
        let lease = claim(&*store, &*clock, standby).await?;
        let time = ClubTime::begin_shared(&*store, &*clock).await?;
        let last_account_change = store.account_changes(i64::MAX).await?.last;
        let last_message = store.message_changes(i64::MAX).await?.last;
        let club = Club(Arc::new(Inner {
            store,
            liveness: Arc::new(Liveness::new(time.clone(), lease)),
            time,
            chance: Mutex::new(settings.rng()),
            settings,
            passwords,
            guesses: Guesses::default(),
            tables: Tables::default(),
            replays: Replays::default(),
            lobby: watch::Sender::new(0),
            listed: Mutex::default(),
            names: Mutex::default(),
            names_version: AtomicU64::new(0),
            account_changes: broadcast::Sender::new(CHANGE_QUEUE_CAPACITY),
            last_account_change: tokio::sync::Mutex::new(last_account_change),
            programs: Mutex::default(),
            notices: broadcast::Sender::new(NOTICE_QUEUE_CAPACITY),
            messages: Messages::new(last_message),
            evenings: tokio::sync::Mutex::default(),
            problem_results: tokio::sync::Mutex::default(),
            bot_game_locks: Mutex::default(),
            life: watch::Sender::new(Life::Open),
            tasks,
            tasks_end: Mutex::new(Some(tasks_end)),
            fence: lease.fence,
            ended: watch::Sender::new(None),
            damaged: Mutex::default(),
        }));
        let weak = || Arc::downgrade(&club.0);
        tokio::spawn(heartbeat::renew(weak()));
        club.0.begin().await?;
        tokio::spawn(heartbeat::see_changes(weak(), club.0.tasks.clone()));
        Ok(club)
    }

    /// Closes the club in an orderly way: ends every subscription, waits until running tables have
    /// stored their last rows and paused their clocks, and releases the games.
    pub async fn close(&self) {
        self.0.life.send_replace(Life::Closing);
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
        self.0.life.send_replace(Life::Closed);
        // If the games cannot be released, the ownership ends a moment later.
        let released = self.0.store.release(self.0.fence);
        let _late = timeout(RELEASE_TIMEOUT, released).await;
        drop(handles);
    }

    /// Waits until the club can write nothing any more: another process owns the games, or the
    /// store has lost stored rows. Then the club refuses every request, and must be closed and
    /// opened again.
    pub async fn end(&self) -> EndReason {
        let mut ended = self.0.ended.subscribe();
        let found = ended.wait_for(Option::is_some).await;
        // `self` holds the sender, so `wait_for` cannot fail.
        found
            .ok()
            .and_then(|found| *found)
            .unwrap_or(EndReason::Fenced)
    }

    /// Returns why the club can write nothing any more; see [`end`](Club::end).
    pub fn ended(&self) -> Option<EndReason> {
        self.0.ended()
    }

    /// Checks that the store can be read.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn check_store(&self) -> Result<(), ClubError> {
        self.0.store.offers().await?;
        Ok(())
    }

    /// Checks that this club can write to its store. The club renews its ownership twice per second.
    ///
    /// # Errors
    /// [`RefusalCode::Unavailable`] if the ownership was not renewed in the last ten seconds.
    pub fn check_file(&self) -> Result<(), ClubError> {
        if self.0.liveness.since_renewal() <= MAX_RENEWAL_AGE {
            return Ok(());
        }
        Err(ClubError::new(
            RefusalCode::Unavailable,
            "store",
            "the club's data cannot be written: the operator of this club must check the disk or the \
             database server",
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

    /// Returns the damaged running games, each with the reason: their logs cannot be read. Only for the operator, because the reason can contain the true
    /// position.
    pub fn damaged(&self) -> Vec<(GameId, String)> {
        lock(&self.0.damaged).clone()
    }
}

/// If the last renewal is older, in milliseconds, the store can probably not be written.
const MAX_RENEWAL_AGE: Millis = 10_000;
