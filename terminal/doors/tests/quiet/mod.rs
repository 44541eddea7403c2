//! Checks that a door writes no log lines, because the operator may be a player.

use std::{
    io,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tracing::subscriber::DefaultGuard;
use tracing_subscriber::filter::LevelFilter;

/// Captures all log lines of this thread, of every level and crate.
pub struct Quiet {
    lines: Lines,
    _captures: DefaultGuard,
}

#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Lines {
    fn lock(&self) -> MutexGuard<'_, Vec<u8>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl io::Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.lock().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Quiet {
    pub fn begin() -> Quiet {
        let lines = Lines::default();
        let writer = lines.clone();
        let captures = tracing_subscriber::fmt()
            .with_max_level(LevelFilter::TRACE)
            .with_ansi(false)
            .with_writer(move || writer.clone())
            .finish();
        let quiet = Quiet {
            lines,
            _captures: tracing::subscriber::set_default(captures),
        };
        // This line shows that log lines are captured.
        tracing::trace!("captured");
        let captured = std::mem::take(&mut *quiet.lines.lock());
        assert!(String::from_utf8_lossy(&captured).contains("captured"));
        quiet
    }

    /// Checks that nothing was logged.
    pub fn check(self) {
        let lines = self.lines.lock();
        assert!(
            lines.is_empty(),
            "logged: {}",
            String::from_utf8_lossy(&lines)
        );
    }
}
