//! Work that the club does about twice per second.

use std::{
    sync::{Arc, Weak},
    time::Duration,
};

use rand::{RngExt, rngs::StdRng};
use store::{Millis, StoreError};
use tokio::{
    sync::{mpsc, watch},
    time::{Instant, sleep, timeout},
};

use crate::inner::{EndReason, Inner, Life};

/// Interval between two renewals, in milliseconds.
const INTERVAL_MS: std::ops::RangeInclusive<u64> = 450..=550;
/// Timeout for reading the store's clock.
const CLOCK_TIMEOUT: Duration = Duration::from_secs(1);
/// Interval between two reads of the open offers.
const OFFERS_INTERVAL: Duration = Duration::from_secs(10);

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

    /// Waits for the next beat. The first call returns immediately. Returns `None` in the phase
    /// `end` of the club, and when the club may write no more.
    async fn next(&mut self, end: Life) -> Option<Arc<Inner>> {
        tokio::select! {
            () = sleep(self.wait) => {}
            _ended = self.life.wait_for(|life| *life >= end) => return None,
        }
        self.wait = Duration::from_millis(self.rng.random_range(INTERVAL_MS));
        self.club.upgrade().filter(|club| club.ended().is_none())
    }
}

/// Renews the ownership of the games. Nothing else is done here, so that no other work delays a
/// renewal.
pub(super) async fn renew(club: Weak<Inner>) {
    let Some(mut beat) = Beat::new(club) else {
        return;
    };
    let mut last = Millis::MIN;
    while let Some(club) = beat.next(Life::Closed).await {
        let serves = club.liveness.serves_if(club.is_credited());
        let began = club.time.now();
        match club.store.renew(club.fence, last, began, serves).await {
            Ok(at) => {
                last = at;
                if club.liveness.has_renewed(began) {
                    club.wake_tables();
                }
            }
            Err(StoreError::Fenced) => club.end(EndReason::Fenced),
            Err(StoreError::Absent) => club.end(EndReason::RowsLost),
            Err(error) => {
                club.liveness.has_failed(error);
                club.wake_tables();
            }
        }
        // If the store's clock cannot be read now, it is read at the next renewal.
        let _later = timeout(CLOCK_TIMEOUT, club.time.follow(&*club.store)).await;
    }
}

/// Looks for changes in the store that other programs have made, and ends what has expired.
pub(super) async fn see_changes(club: Weak<Inner>, task: mpsc::Sender<()>) {
    let Some(mut beat) = Beat::new(club) else {
        return;
    };
    let mut seen = Instant::now();
    while let Some(club) = beat.next(Life::Closing).await {
        club.see_account_changes().await;
        club.see_messages().await;
        if seen.elapsed() >= OFFERS_INTERVAL {
            seen = Instant::now();
            // If the store fails now, the offers are read again after the interval.
            let _later = club.read_offers().await;
        }
        club.expire_offers();
        club.end_ordered().await;
        // If the store fails now, evenings go on about half a second later.
        let _later = club.run_evenings().await;
        // If the store fails now, the ratings change and the accounts are deleted about half a second
        // later. An account is deleted only after its games are counted.
        if club.rate_finished().await.is_ok() {
            let _later = club.delete_leaving().await;
        }
    }
    drop(task);
}
