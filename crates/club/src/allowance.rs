//! Limit on the number of a seat's requests that bring nothing new, such as repeated tries.

use std::time::Duration;

use tokio::time::Instant;

/// Number of limited requests that a seat may make immediately one after the other.
const MAX_AT_ONCE: u32 = 40;

/// Interval after which one more limited request is allowed.
const INTERVAL: Duration = Duration::from_secs(5);

/// Counter of the limited requests that a seat may still make.
///
/// Each seat of each table has its own counter, which is the same for all connections and doors.
/// So requests at one table change nothing at other tables.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Allowance {
    /// Time at which the seat may again make `MAX_AT_ONCE` requests immediately.
    whole: Instant,
}

impl Default for Allowance {
    fn default() -> Allowance {
        Allowance {
            whole: Instant::now(),
        }
    }
}

impl Allowance {
    /// Counts one request.
    ///
    /// # Errors Returns the time until one more request is allowed. The refused request is not
    /// counted.
    pub(crate) fn take(&mut self) -> Result<(), Duration> {
        let now = Instant::now();
        let whole = self.whole.max(now) + INTERVAL;
        let latest = now + MAX_AT_ONCE * INTERVAL;
        if whole > latest {
            return Err(whole - latest);
        }
        self.whole = whole;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn forty_at_once_then_one_every_five_seconds() {
        let mut allowance = Allowance::default();
        let taken =
            |allowance: &mut Allowance| (0..1000).take_while(|_| allowance.take().is_ok()).count();
        assert_eq!(taken(&mut allowance), 40);
        assert_eq!(allowance.take(), Err(INTERVAL));
        tokio::time::advance(Duration::from_secs(2)).await;
        assert_eq!(allowance.take(), Err(Duration::from_secs(3)));
        tokio::time::advance(Duration::from_secs(3)).await;
        assert_eq!(taken(&mut allowance), 1);
        tokio::time::advance(Duration::from_secs(3600)).await;
        assert_eq!(taken(&mut allowance), 40);
    }
}
