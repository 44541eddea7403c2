//! Signs of life: this club's own, and those of other clubs over the store.

use std::{
    sync::{Arc, Mutex, Weak},
    time::Duration,
};

use rand::{RngExt, SeedableRng, rngs::StdRng};
use tokio::{
    sync::mpsc,
    time::{MissedTickBehavior, interval, sleep, timeout},
};

use super::{Inner, closing, lock};
use crate::{Clock, Millis};

/// How often the club looks whether it still runs.
const TICK: Duration = Duration::from_millis(500);
/// How often it tells the store so, in milliseconds: never quite evenly, so that two clubs
/// never keep writing the same moment.
const TELL: std::ops::RangeInclusive<u64> = 450..=550;
/// Without a sign of life for longer than this, there was an outage.
pub(crate) const GAP: Millis = 1_200;
/// Another club that was not heard of for so long is gone.
const SILENCE: Millis = 3_000;
/// After an outage a club says nothing for so long: clubs that slept together must not
/// take one another for awake meanwhile.
const QUIET: Millis = 2_000;
/// How long a store may take to say who was alive.
const PATIENCE: Duration = Duration::from_secs(1);

/// A time in which this club did not run, and no other did: its machine or its
/// process was stopped.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(crate) struct Outage {
    /// From the last sign of life.
    pub(crate) from: Millis,
    /// Until it was found out.
    pub(crate) until: Millis,
}

/// When this club and others were last alive.
pub(crate) struct Pulse {
    clock: Arc<dyn Clock>,
    signs: Mutex<Signs>,
}

struct Signs {
    /// The last look of this club's own, in memory.
    beat: Millis,
    /// When another club was last known to be alive.
    others: Option<Millis>,
    /// The last outage.
    outage: Option<Outage>,
}

impl Pulse {
    pub(crate) fn new(clock: Arc<dyn Clock>) -> Pulse {
        let signs = Mutex::new(Signs {
            beat: clock.now(),
            others: None,
            outage: None,
        });
        Pulse { clock, signs }
    }

    pub(crate) fn now(&self) -> Millis {
        self.clock.now()
    }

    /// Another club was alive then.
    pub(crate) fn hear_other(&self, at: Millis) {
        lock(&self.signs).others = Some(at);
    }

    /// Whether another club was alive of late.
    pub(crate) fn has_others(&self) -> bool {
        let now = self.now();
        let others = lock(&self.signs).others;
        others.is_some_and(|seen| now.saturating_sub(seen) <= SILENCE)
    }

    /// Whether time has leapt and it is not known yet what of it counts: until then
    /// nothing may be judged.
    pub(crate) fn has_leapt(&self) -> bool {
        self.leapt_from().is_some()
    }

    /// From when on, if so.
    pub(crate) fn leapt_from(&self) -> Option<Millis> {
        let now = self.now();
        let beat = lock(&self.signs).beat;
        (now.saturating_sub(beat) > GAP).then_some(beat)
    }

    /// The last outage since this club was opened.
    pub(crate) fn outage(&self) -> Option<Outage> {
        lock(&self.signs).outage
    }

    /// Whether the club may tell others that it is alive.
    pub(crate) fn may_tell(&self) -> bool {
        let now = self.now();
        let quiet = |outage: Outage| now.saturating_sub(outage.until) < QUIET;
        !self.has_leapt() && !self.outage().is_some_and(quiet)
    }

    /// The club runs. If it did not since the last beat, what of that counts is settled
    /// first. `true` if tables are to be woken.
    async fn beat(&self, club: &Inner) -> bool {
        if !self.has_leapt() {
            lock(&self.signs).beat = self.now();
            return false;
        }
        // A store that cannot say is taken for one without other clubs.
        let last = timeout(PATIENCE, club.store.last_alive()).await;
        let last = last.ok().and_then(Result::ok).flatten();
        let now = self.now();
        let mut signs = lock(&self.signs);
        match last {
            Some(last) if now.saturating_sub(last) <= GAP => signs.others = Some(now),
            Some(_) | None => {
                let from = signs.beat.max(last.unwrap_or(signs.beat));
                signs.outage = Some(Outage { from, until: now });
            }
        }
        signs.beat = now;
        true
    }
}

/// Looks twice a second whether the club still runs.
pub(super) async fn watch(club: Weak<Inner>, pulse: Arc<Pulse>) {
    let mut tick = interval(TICK);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tick.tick().await;
        let Some(club) = club.upgrade() else { return };
        if club.is_closing() {
            return;
        }
        if pulse.beat(&club).await {
            club.wake_tables();
        }
    }
}

/// Tells the store about twice a second that the club is alive, and looks whether others are.
pub(super) async fn tell(club: Weak<Inner>, task: mpsc::Sender<()>) {
    let Some((mut life, seed)) = club
        .upgrade()
        .map(|club| (club.life.subscribe(), club.settings.seed))
    else {
        return;
    };
    // Its own lots: how often others are drawn tells of what is private.
    let mut lots = match seed {
        Some(seed) => StdRng::seed_from_u64(seed),
        None => StdRng::from_seed(rand::random()),
    };
    let (mut mine, mut lobby) = (None, None);
    let mut wait = Duration::ZERO;
    loop {
        tokio::select! {
            () = sleep(wait) => {}
            () = closing(&mut life) => break,
        }
        wait = Duration::from_millis(lots.random_range(TELL));
        let Some(club) = club.upgrade() else { break };
        let now = club.pulse.now();
        if !club.pulse.may_tell() {
            continue;
        }
        // A store that fails now is met by whoever asks for something.
        if let Ok(Some(last)) = club.store.last_alive().await
            && mine.is_some_and(|mine| last > mine)
        {
            club.pulse.hear_other(now);
        }
        if club.store.alive(club.number, now).await.is_ok() {
            mine = Some(now);
        }
        if club.pulse.has_others() {
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
