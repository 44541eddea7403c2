//! Limit on the number of a seat's requests that bring nothing new, such as repeated tries.

use std::time::Duration;

use tokio::time::Instant;

/// Rate limit of an action.
pub(crate) struct Rate {
    /// Number of times that the action may be done without a wait.
    pub(crate) at_once: u32,
    /// After each interval of this length, the action may be done once more.
    pub(crate) interval: Duration,
}

/// Rate of the limited requests of a seat.
const REQUESTS: Rate = Rate {
    at_once: 40,
    interval: Duration::from_secs(5),
};

/// Counter of limited requests, which says whether a seat may make another limited request.
///
/// Each seat of each table has its own counter, which is the same for all connections and doors.
/// So requests at one table change nothing at other tables.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Allowance {
    /// Time at which the last of the counted requests stops counting towards the limit.
    all_expired_at: Instant,
}

impl Default for Allowance {
    fn default() -> Allowance {
        Allowance {
            all_expired_at: Instant::now(),
        }
    }
}

impl Allowance {
    /// Counts one request.
    ///
    /// # Errors
    ///
    /// Returns the time until one more request is allowed. The refused request is not counted.
    pub(crate) fn take(&mut self) -> Result<(), Duration> {
        self.take_at(&REQUESTS, 1)
    }

    /// Counts `times` requests at once, at a rate that the caller names. All calls for one counter
    /// must name the same rate.
    ///
    /// # Errors
    ///
    /// Returns the time until `times` requests are allowed. The refused requests are not counted.
    pub(crate) fn take_at(&mut self, rate: &Rate, times: u32) -> Result<(), Duration> {
        let now = Instant::now();
        let all_expired_at = self.all_expired_at.max(now) + times * rate.interval;
        let latest = now + rate.at_once * rate.interval;
        if all_expired_at > latest {
            return Err(all_expired_at - latest);
        }
        self.all_expired_at = all_expired_at;
        Ok(())
    }

    /// Whether all counted requests have expired, so that the full number of requests is allowed.
    pub(crate) fn is_unused(&self, now: Instant) -> bool {
        self.all_expired_at <= now
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn allowance_is_forty_requests_then_one_in_five_seconds() {
        let mut allowance = Allowance::default();
        let taken =
            |allowance: &mut Allowance| (0..1000).take_while(|_| allowance.take().is_ok()).count();
        assert_eq!(taken(&mut allowance), 40);
        assert_eq!(allowance.take(), Err(REQUESTS.interval));
        tokio::time::advance(Duration::from_secs(2)).await;
        assert_eq!(allowance.take(), Err(Duration::from_secs(3)));
        tokio::time::advance(Duration::from_secs(3)).await;
        assert_eq!(taken(&mut allowance), 1);
        tokio::time::advance(Duration::from_secs(3600)).await;
        assert_eq!(taken(&mut allowance), 40);
    }
}
