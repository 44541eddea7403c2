//! Signs of life: this club tells the store of itself, and looks for others.

use std::{sync::Weak, time::Duration};

use rand::RngExt;
use tokio::{
    sync::mpsc,
    time::{MissedTickBehavior, interval, sleep},
};

use crate::inner::{Inner, closing};

/// Interval between looks whether the club still runs.
const TICK: Duration = Duration::from_millis(500);
/// Interval between signs of life to the store, in milliseconds: random, so that two clubs
/// never keep writing the same moment.
const TELL: std::ops::RangeInclusive<u64> = 450..=550;

/// Looks twice a second whether the club still runs.
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

/// Tells the store about twice a second that the club is alive, and looks whether others are.
pub(super) async fn tell(club: Weak<Inner>, task: mpsc::Sender<()>) {
    // Random numbers of its own: how often others are drawn tells of what is private.
    let Some((mut life, mut rng)) = club
        .upgrade()
        .map(|club| (club.life.subscribe(), club.settings.rng()))
    else {
        return;
    };
    let mut lobby = None;
    let mut wait = Duration::ZERO;
    loop {
        tokio::select! {
            () = sleep(wait) => {}
            () = closing(&mut life) => break,
        }
        wait = Duration::from_millis(rng.random_range(TELL));
        let Some(club) = club.upgrade() else { break };
        if !club.liveness.may_tell() {
            continue;
        }
        // If the store fails now, the next request reports it.
        if let Ok(signs) = club.store.signs_of_life().await {
            club.liveness.see(&signs);
        }
        let now = club.liveness.now();
        if club.store.alive(club.number, now).await.is_ok() {
            club.liveness.has_written();
        }
        if club.liveness.has_others() {
            club.join_running().await;
        }
        if club.lobby.receiver_count() > 0 {
            let print = club.lobby_print().await;
            if lobby.is_some() && print.is_some() && print != lobby {
                club.stir_lobby();
            }
            lobby = print.or(lobby);
        }
    }
    drop(task);
}
