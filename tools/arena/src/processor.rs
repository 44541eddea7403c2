//! Processor time and memory of this process.

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

/// Returns the greatest memory that this process has used so far, in bytes; `None` if the
/// system does not report it.
#[cfg(target_os = "linux")]
pub fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

/// Returns `None`, because the memory can be read only on Linux.
#[cfg(not(target_os = "linux"))]
pub fn peak_memory() -> Option<u64> {
    None
}
