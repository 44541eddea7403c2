//! Heartbeats. This club regularly writes to the store that it is alive. It also looks for
//! heartbeats of other clubs that use the same store.

use std::{
    sync::{Arc, Weak},
    time::Duration,
};

use rand::{RngExt, rngs::StdRng};
use tokio::{
    sync::{mpsc, watch},
    time::{Instant, MissedTickBehavior, interval, sleep},
};

use crate::inner::{Inner, Life, closing};

/// Interval at which the club records in memory that its process was not stopped. This record is
/// not a heartbeat.
const TICK: Duration = Duration::from_millis(500);
/// Interval between the heartbeats written to the store, in milliseconds. The interval is random,
/// so that two clubs do not write at the same moments again and again.
const HEARTBEAT_INTERVAL_MS: std::ops::RangeInclusive<u64> = 450..=550;

/// While no other club seems to be alive, the lobby and the lengths of the logs are read at this
/// interval.
const ALONE_INTERVAL: Duration = Duration::from_secs(10);

/// Records in memory, twice per second, that the process was not stopped.
pub(super) async fn tick(club: Weak<Inner>) {
    let mut tick = interval(TICK);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tick.tick().await;
        let Some(club) = club.upgrade() else { return };
        if club.is_closing() {
            return;
        }
        if club.liveness.tick(&*club.store).await {
            club.wake_tables();
        }
    }
}

/// Waits for about half a second, again and again, until the club closes or is dropped.
///
/// Each task has its own random generator. The club's generator is also used after private events.
/// If the intervals came from the club's generator, the intervals would reveal how many private
/// events happened.
struct Beat {
    club: Weak<Inner>,
    life: watch::Receiver<Life>,
    rng: StdRng,
    wait: Duration,
}

impl Beat {
    fn new(club: Weak<Inner>) -> Option<Beat> {
        let (life, rng) = club
            .upgrade()
            .map(|club| (club.life.subscribe(), club.settings.rng()))?;
        Some(Beat {
            club,
            life,
            rng,
            wait: Duration::ZERO,
        })
    }

    /// Waits for the next beat. The first call returns immediately. Returns `None` when the club
    /// closes, and when the store has lost rows.
    async fn next(&mut self) -> Option<Arc<Inner>> {
        tokio::select! {
            () = sleep(self.wait) => {}
            () = closing(&mut self.life) => return None,
        }
        self.wait = Duration::from_millis(self.rng.random_range(HEARTBEAT_INTERVAL_MS));
        // A store that has lost rows is not used any more.
        self.club.upgrade().filter(|club| !club.has_lost_rows())
    }
}

/// Writes to the store about twice per second that the club is alive, and checks whether other
/// clubs are alive. Nothing else is done here, so that no other work delays a heartbeat.
pub(super) async fn write_heartbeats(club: Weak<Inner>, task: mpsc::Sender<()>) {
    let Some(mut beat) = Beat::new(club) else {
        return;
    };
    while let Some(club) = beat.next().await {
        if !club.liveness.may_write_heartbeat() {
            continue;
        }
        // This club's last heartbeat is read before a new heartbeat is written. Without this read,
        // the new heartbeat would hide that the database was replaced by an older copy. If the
        // store fails now, the next request reports the error.
        let Ok(heartbeats) = club.store.heartbeats().await else {
            continue;
        };
        if club.liveness.has_lost_heartbeat(&heartbeats) {
            club.lose_rows();
            break;
        }
        if club.liveness.see(&heartbeats) {
            club.wake_tables();
        }
        // If the shared clock cannot be read now, it is read at the next heartbeat.
        let _later = club.time.follow(&*club.store).await;
        let now = club.liveness.now();
        if club.store.alive(club.number, now).await.is_ok() && club.liveness.has_written(now) {
            club.wake_tables();
        }
    }
    drop(task);
}

/// Looks about twice per second for what other clubs have changed in the store.
pub(super) async fn see_others(club: Weak<Inner>, task: mpsc::Sender<()>) {
    let Some(mut beat) = Beat::new(club) else {
        return;
    };
    let mut seen = Instant::now();
    while let Some(club) = beat.next().await {
        club.see_account_changes().await;
        club.see_messages().await;
        if club.may_have_others() {
            // If the store fails now, the claims are read again about half a second later.
            let _later = club.read_bot_claims().await;
        }
        if !club.liveness.may_write_heartbeat() {
            continue;
        }
        if club.liveness.has_others() {
            // If the store fails now, the presence is written and read about half a second later.
            let _later = club.write_presence().await;
            let _later = club.read_presence().await;
        }
        if club.liveness.has_others() || seen.elapsed() >= ALONE_INTERVAL {
            seen = Instant::now();
            // If the store fails now, the lobby is read again about half a second later, or after
            // `ALONE_INTERVAL` if no other club seems to be alive.
            let _later = club.read_lobby().await;
        }
        club.expire_offers();
        // If the store fails now, the accounts are deleted about half a second later.
        let _later = club.delete_leaving().await;
    }
    drop(task);
}
