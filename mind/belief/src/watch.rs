//! Progress of long work, and requests to stop it or to cut it short.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

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
/// let watch = Watch::default();
/// black.hear(&moved.into(), &watch)?;
/// watch.stop();
/// let turn = Announcement::Turn { to_move: Color::Black }.into();
/// assert_eq!(black.hear(&turn, &watch), Err(Unheard::Stopped));
/// // The belief is unchanged: White's move was not applied.
/// assert_eq!(black.kept(), 1);
/// # Ok::<(), belief::Unheard>(())
/// ```
#[derive(Debug, Default)]
pub struct Watch {
    stopped: AtomicBool,
    done: AtomicU64,
    of: AtomicU64,
    late: Option<Late>,
    /// Whether an update can be cut short. After a cut, unlike after a stop, the result of the
    /// update is used.
    cuts: bool,
}

/// Function that returns whether an update is to be cut short.
struct Late(Box<dyn Fn() -> bool + Send + Sync>);

impl fmt::Debug for Late {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Late")
    }
}

impl Watch {
    /// Returns a watch that cuts updates short. If `late` returns true, an update examines no
    /// further positions. The belief then becomes a sample of the positions that follow from the
    /// positions examined until then. If `late` reads a clock, the belief depends on the speed of
    /// the machine.
    ///
    /// ```
    /// use belief::{Belief, Watch};
    /// use rules::{Announcement, Reply, Tries, Verdict, chess::Color, rulesets};
    ///
    /// let wild16 = rulesets::by_id("wild16").expect("the id names a ruleset").choices;
    /// let mut black = Belief::usual(wild16, Color::Black);
    /// let watch = Watch::cut_if(|| true);
    /// let moved = Reply::Verdict { verdict: Verdict::Moved, by: Color::White, attempt: None };
    /// let tries = Announcement::Tries(Tries::Count(0));
    /// let turn = Announcement::Turn { to_move: Color::Black };
    /// for heard in [moved.into(), tries.into(), turn.into()] {
    ///     black.hear(&heard, &watch)?;
    /// }
    /// // An update examines some positions in any case.
    /// assert_eq!(black.kept(), 20);
    /// # Ok::<(), belief::Unheard>(())
    /// ```
    pub fn cut_if(late: impl Fn() -> bool + Send + Sync + 'static) -> Watch {
        Watch {
            late: Some(Late(Box::new(late))),
            cuts: true,
            ..Watch::default()
        }
    }

    /// Returns a watch for an update. If `stop` becomes true, the update ends, and the caller
    /// discards its result. If `stop` stays false, the update is complete.
    ///
    /// If `cuts` is false, the complete update has the same result as with the default watch. If
    /// `cuts` is true, it has the same result as with a watch of [`cut_if`](Watch::cut_if) whose
    /// function never returns true. The two results differ, because an update that can be cut short
    /// examines the positions in random order.
    pub fn discarded_if(stop: Arc<AtomicBool>, cuts: bool) -> Watch {
        Watch {
            late: Some(Late(Box::new(move || stop.load(Ordering::Relaxed)))),
            cuts,
            ..Watch::default()
        }
    }

    /// Returns whether an update can be cut short.
    pub(crate) const fn can_cut(&self) -> bool {
        self.cuts
    }

    /// Returns whether an update is to be cut short now.
    pub(crate) fn is_late(&self) -> bool {
        self.late.as_ref().is_some_and(|Late(late)| late())
    }

    /// Asks the update to stop.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Returns whether a stop was requested.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Returns the number of positions processed so far, and the total number. Both numbers are
    /// about the present update, or about the last update if none is running.
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
