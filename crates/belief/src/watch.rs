//! Progress of long work, and a request to stop it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Progress of a long update, and the request to stop the update. A watch is shared
/// with the thread that shows the progress or requests the stop.
///
/// ```
/// use belief::{Belief, Unheard, Watch};
/// use rules::{Announcement, Reply, Verdict, chess::Color, rulesets};
///
/// let wild16 = rulesets::by_id("wild16").expect("the id names a ruleset").choices;
/// let mut black = Belief::usual(wild16, Color::Black);
/// let moved = Reply::Verdict { verdict: Verdict::Moved, by: Color::White, attempt: None };
/// black.hear(&moved.into())?;
/// let watch = Watch::default();
/// watch.stop();
/// let turn = Announcement::Turn { to_move: Color::Black }.into();
/// assert_eq!(black.hear_watched(&turn, &watch), Err(Unheard::Stopped));
/// // The belief is unchanged: White's move was not applied.
/// assert_eq!(black.kept(), 1);
/// # Ok::<(), belief::Unexplained>(())
/// ```
#[derive(Debug, Default)]
pub struct Watch {
    stopped: AtomicBool,
    done: AtomicU64,
    of: AtomicU64,
}

impl Watch {
    /// Asks the update to stop.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Returns whether a stop was requested.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Returns the number of positions processed so far and the total number,
    /// for the present update or the last one.
    pub fn progress(&self) -> (u64, u64) {
        (
            self.done.load(Ordering::Relaxed),
            self.of.load(Ordering::Relaxed),
        )
    }

    pub(crate) fn note(&self, done: usize, of: usize) {
        self.of.store(of as u64, Ordering::Relaxed);
        self.done.store(done as u64, Ordering::Relaxed);
    }
}
