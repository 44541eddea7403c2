//! Limit on what a seat says that brings nothing new.

use std::time::Duration;

use tokio::time::Instant;

/// Number of such requests that a seat may make at once.
const MAX_AT_ONCE: u32 = 40;

/// Interval after which one more is allowed.
const INTERVAL: Duration = Duration::from_secs(5);

/// Requests that a seat may still make of those that are limited.
///
/// It belongs to one seat of one table, whatever connections and doors the requests come from. So
/// haste at one table shows at no other.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Allowance {
    /// Time at which it is, or was, whole.
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
    /// # Errors
    /// Time until one is allowed; it is not counted.
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
