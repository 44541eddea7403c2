//! Processor time.

use std::time::Duration;

/// Returns the processor time that this process has used so far, on all threads;
/// zero if the system does not report it.
#[cfg(unix)]
pub fn time_used() -> Duration {
    use rustix::time::{ClockId, clock_gettime};

    Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).unwrap_or_default()
}

/// Returns zero, because the processor time can be read only on Unix.
#[cfg(not(unix))]
pub fn time_used() -> Duration {
    Duration::ZERO
}
