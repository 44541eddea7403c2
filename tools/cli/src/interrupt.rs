//! Progress display and Ctrl-C for long work at the terminal.

use std::{
    io::{self, IsTerminal},
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use belief::Watch;
use indicatif::{ProgressBar, ProgressStyle};

use crate::terminal::tell;

/// Exit code after Ctrl-C, as shells use it.
pub(super) const INTERRUPTED: u8 = 130;
/// Time after which progress is shown. Shorter work shows none.
const DELAY: Duration = Duration::from_secs(1);
const TICK: Duration = Duration::from_millis(200);
/// Time after which the first line of progress is printed if standard error is no terminal, and
/// time between two lines.
pub(super) const LINE_DELAY: Duration = Duration::from_secs(5);
pub(super) const LINE_PERIOD: Duration = Duration::from_secs(60);
/// Time after Ctrl-C in which a read of input should end. If the read takes longer, the program
/// ends, because a read that waits for input cannot be stopped.
const READING: Duration = Duration::from_secs(1);

/// Long work. Its progress is shown, and a signal stops it.
pub(super) struct Work {
    /// Stops the computation that runs now, and counts its progress.
    pub(super) watch: Arc<Watch>,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    over: AtomicBool,
    /// Whether the program waits for input. This wait cannot be stopped.
    reading: AtomicBool,
    moves: AtomicUsize,
}

impl Work {
    /// Begins the work: from now on, SIGINT and SIGTERM stop it. If standard error is a terminal, a
    /// progress bar is shown during long computations.
    pub(super) fn begin() -> anyhow::Result<Work> {
        Work::begin_with(None)
    }

    /// Like [`begin`](Work::begin). If standard error is no terminal, lines of progress are printed
    /// instead of the bar, with a hint how to make the work shorter.
    pub(super) fn begin_with(hint: Option<&'static str>) -> anyhow::Result<Work> {
        let work = Work {
            watch: Arc::default(),
            shared: Arc::default(),
        };
        stop_on_signal(Arc::clone(&work.watch), Arc::clone(&work.shared))?;
        let (watch, shared) = (Arc::clone(&work.watch), Arc::clone(&work.shared));
        if io::stderr().is_terminal() {
            thread::Builder::new().spawn(move || show(&watch, &shared))?;
        } else if let Some(hint) = hint {
            thread::Builder::new().spawn(move || tell_progress(&watch, &shared, hint))?;
        }
        Ok(work)
    }

    /// Records whether the program waits for input now.
    pub(super) fn reads(&self, reading: bool) {
        self.shared.reading.store(reading, Ordering::Relaxed);
    }

    /// Sets the number of half-moves done so far, for the progress display.
    pub(super) fn at(&self, moves: usize) {
        self.shared.moves.store(moves, Ordering::Relaxed);
    }

    /// Whether a signal has stopped the work.
    pub(super) fn is_stopped(&self) -> bool {
        self.watch.is_stopped()
    }

    /// Returns the exit code of stopped work.
    pub(super) fn stopped() -> ExitCode {
        ExitCode::from(INTERRUPTED)
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        self.shared.over.store(true, Ordering::Relaxed);
    }
}

/// Returns a flag that becomes true on the first SIGINT or SIGTERM. The second signal ends the
/// program.
pub(super) fn flag() -> anyhow::Result<Arc<AtomicBool>> {
    let flag = Arc::<AtomicBool>::default();
    set_on_signal(Arc::clone(&flag))?;
    Ok(flag)
}

fn set_on_signal(flag: Arc<AtomicBool>) -> anyhow::Result<()> {
    on_signal(async move || flag.store(true, Ordering::Relaxed))
}

/// Calls `then` on the first SIGINT or SIGTERM. The second signal ends the program.
fn on_signal(then: impl AsyncFnOnce() + Send + 'static) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    // Signals are caught from here on.
    let signal = {
        let _inside = runtime.enter();
        server::signal()
    };
    thread::Builder::new().spawn(move || {
        runtime.block_on(async {
            signal.await;
            then().await;
            std::future::pending::<()>().await;
        });
    })?;
    Ok(())
}

/// The first SIGINT or SIGTERM stops the work, the second one ends the program.
fn stop_on_signal(watch: Arc<Watch>, shared: Arc<Shared>) -> anyhow::Result<()> {
    on_signal(async move || {
        watch.stop();
        tokio::time::sleep(READING).await;
        if shared.reading.load(Ordering::Relaxed) {
            tell("stopped before the whole input was read");
            std::process::exit(INTERRUPTED.into());
        }
    })
}

#[allow(
    clippy::disallowed_methods,
    reason = "the lines of progress have a thread of their own"
)]
fn tell_progress(watch: &Watch, shared: &Shared, hint: &str) {
    let mut wait = LINE_DELAY;
    loop {
        thread::sleep(wait);
        if shared.over.load(Ordering::Relaxed) {
            return;
        }
        if !shared.reading.load(Ordering::Relaxed) {
            let moves = shared.moves.load(Ordering::Relaxed);
            let (done, of) = watch.progress();
            tell(format_args!(
                "after {moves} half-moves: {done} of {of} positions done; {hint}"
            ));
        }
        wait = LINE_PERIOD;
    }
}

#[allow(
    clippy::disallowed_methods,
    reason = "the progress bar has a thread of its own"
)]
fn show(watch: &Watch, shared: &Shared) {
    let began = Instant::now();
    let bar = ProgressBar::hidden();
    if let Ok(style) =
        ProgressStyle::with_template("{msg} {bar:30} {human_pos}/{human_len} positions")
    {
        bar.set_style(style);
    }
    let mut shown = false;
    while !shared.over.load(Ordering::Relaxed) {
        thread::sleep(TICK);
        if began.elapsed() < DELAY {
            continue;
        }
        if !shown {
            bar.set_draw_target(indicatif::ProgressDrawTarget::stderr());
            shown = true;
        }
        let (done, of) = watch.progress();
        bar.set_length(of);
        bar.set_position(done);
        bar.set_message(format!(
            "after {} half-moves",
            shared.moves.load(Ordering::Relaxed)
        ));
        bar.tick();
    }
    bar.finish_and_clear();
}
