//! Heartbeats: this club regularly writes to the store that it is alive, and looks for
//! heartbeats of other clubs that use the same store.

use std::{sync::Weak, time::Duration};

use rand::RngExt;
use tokio::{
    sync::mpsc,
    time::{MissedTickBehavior, interval, sleep},
};

use crate::inner::{Inner, closing};

/// Interval at which the club records that it still runs.
const TICK: Duration = Duration::from_millis(500);
/// Interval between the heartbeats written to the store, in milliseconds. The interval is random,
/// so that two clubs do not write at the same moments again and again.
const HEARTBEAT_INTERVAL_MS: std::ops::RangeInclusive<u64> = 450..=550;

/// Records twice per second that the club still runs.
pub(super) async fn watch(club: Weak<Inner>) {
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

/// Writes to the store about twice per second that the club is alive, and checks whether other
/// clubs are alive.
pub(super) async fn write_heartbeats(club: Weak<Inner>, task: mpsc::Sender<()>) {
    // This task has its own random generator. The shared generator is also used after private
    // events, so with that generator the intervals would reveal how many private events happened.
    let Some((mut life, mut rng)) = club
        .upgrade()
        .map(|club| (club.life.subscribe(), club.settings.rng()))
    else {
        return;
    };
    let mut wait = Duration::ZERO;
    loop {
        tokio::select! {
            () = sleep(wait) => {}
            () = closing(&mut life) => break,
        }
        wait = Duration::from_millis(rng.random_range(HEARTBEAT_INTERVAL_MS));
        let Some(club) = club.upgrade() else { break };
        club.see_account_changes().await;
        club.see_messages().await;
        if !club.liveness.may_write_heartbeat() {
            continue;
        }
        // If the store fails now, the next request reports it.
        if let Ok(heartbeats) = club.store.heartbeats().await
            && club.liveness.see(&heartbeats)
        {
            club.wake_tables();
        }
        // If the shared clock cannot be read now, it is read at the next heartbeat.
        let _later = club.time.follow(&*club.store).await;
        let now = club.liveness.now();
        if club.store.alive(club.number, now).await.is_ok() && club.liveness.has_written() {
            club.wake_tables();
        }
        if club.liveness.has_others() {
            // If the store fails now, the lobby is read again at the next heartbeat.
            let _later = club.read_lobby().await;
        }
        club.expire_offers();
        // If the store fails now, the accounts are deleted at the next heartbeat.
        let _later = club.delete_leaving().await;
    }
    drop(task);
}
