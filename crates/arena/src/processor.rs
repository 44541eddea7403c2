//! Processor time.

use std::time::Duration;

/// Processor time that this process has used so far, on all threads. Zero
/// where the system is not asked for it.
#[cfg(unix)]
pub fn time_used() -> Duration {
    use rustix::time::{ClockId, clock_gettime};

    Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).unwrap_or_default()
}

/// Processor time that this process has used so far, on all threads. Zero
/// where the system is not asked for it.
#[cfg(not(unix))]
pub fn time_used() -> Duration {
    Duration::ZERO
}
