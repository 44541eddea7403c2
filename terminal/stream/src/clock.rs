//! The clock of a game that a person referees.

use std::{fmt, time::Duration};

use rules::chess::{ByColor, Color};

/// Longest time to which the clock of a side can be set.
const MAX_LENGTH: Duration = Duration::from_secs(24 * 60 * 60);

/// A clock for two players. The clock only measures time. The umpire decides when a flag falls;
/// without an umpire, the session decides.
pub struct TableClock {
    /// Time of each side at the start.
    initial: Duration,
    left: ByColor<Duration>,
    increment: Duration,
    /// The side whose clock runs, and the value of `now` when this clock was started.
    running: Option<(Color, Duration)>,
    /// Returns the time since some fixed moment.
    now: Box<dyn Fn() -> Duration>,
}

/// State of a clock at one moment.
#[derive(Copy, Clone)]
pub(crate) struct ClockState {
    left: ByColor<Duration>,
    running: Option<(Color, Duration)>,
}

impl fmt::Debug for TableClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TableClock")
            .field("left", &self.left)
            .finish()
    }
}

impl TableClock {
    /// Reads a clock from a text: `10+5`, `10` or `2:30+5`. The part before the `+` is the initial
    /// time in minutes, or in minutes and seconds. The part after the `+` is the increment in
    /// seconds.
    ///
    /// # Errors
    /// The text is not a clock. The error says how a clock is written.
    pub fn read(text: &str, now: impl Fn() -> Duration + 'static) -> Result<TableClock, String> {
        let wrong = || {
            format!(
                "`{}` is not a clock: write minutes and the seconds added after each move (10+5), or only minutes (10)",
                notation::printable(text)
            )
        };
        let (time, increment) = text.split_once('+').unwrap_or((text, "0"));
        let increment: u16 = increment.trim().parse().map_err(|_| wrong())?;
        let time = time_left(time.trim()).ok_or_else(wrong)?;
        Ok(TableClock {
            initial: time,
            left: ByColor::new_with(|_| time),
            increment: Duration::from_secs(increment.into()),
            running: None,
            now: Box::new(now),
        })
    }

    /// Reads the clock times from a comment of the record. Returns `false` if the comment has no
    /// times.
    pub(crate) fn restore(&mut self, comment: &str) -> bool {
        let words: Vec<&str> = comment.split_whitespace().collect();
        let ["clock", "white", white, "black", black] = *words else {
            return false;
        };
        let (Some(white), Some(black)) = (time_left(white), time_left(black)) else {
            return false;
        };
        self.left = ByColor { white, black };
        true
    }

    /// Returns a comment with the times of both sides, for the record. [`TableClock::restore`]
    /// reads this comment.
    pub(crate) fn note(&self) -> String {
        format!(
            " clock white {} black {}",
            shown(self.left(Color::White)),
            shown(self.left(Color::Black))
        )
    }

    /// Returns the time left for a side.
    pub(crate) fn left(&self, color: Color) -> Duration {
        let left = *self.left.get(color);
        match self.running {
            Some((running, since)) if running == color => {
                left.saturating_sub((self.now)().saturating_sub(since))
            }
            _ => left,
        }
    }

    /// Whether the clock runs.
    pub(crate) fn runs(&self) -> bool {
        self.running.is_some()
    }

    /// Stops the clock that runs, and starts the clock of `to_move`. The side `moved` has just
    /// completed a move and gets the increment.
    pub(crate) fn turn(&mut self, to_move: Option<Color>, moved: Option<Color>) {
        self.stop();
        if let Some(by) = moved {
            let left = self.left.get_mut(by);
            // A side whose time is up gets no increment: first the umpire must decide whether the
            // flag falls.
            if !left.is_zero() {
                *left += self.increment;
            }
        }
        self.running = to_move.map(|color| (color, (self.now)()));
    }

    /// Returns the present state, for [`TableClock::set_state`].
    pub(crate) fn state(&self) -> ClockState {
        ClockState {
            left: self.left,
            running: self.running,
        }
    }

    /// Sets an earlier state. If a side's clock ran then, it has run since then.
    pub(crate) fn set_state(&mut self, state: ClockState) {
        self.left = state.left;
        self.running = state.running;
    }

    /// Stops the clock.
    pub(crate) fn stop(&mut self) {
        self.left = ByColor::new_with(|color| self.left(color));
        self.running = None;
    }

    /// Sets both sides to the initial time, for a new game. The clock is stopped.
    pub(crate) fn reset(&mut self) {
        self.left = ByColor::new_with(|_| self.initial);
        self.running = None;
    }

    /// Sets the time of a side.
    pub(crate) fn set(&mut self, color: Color, time: &str) -> Result<(), String> {
        let time = time_left(time).ok_or_else(|| {
            "write a time as 5 (minutes) or 4:30, for example `clock white 4:30`".to_owned()
        })?;
        let running = self.running.map(|(color, _)| color);
        self.stop();
        *self.left.get_mut(color) = time;
        self.turn(running, None);
        Ok(())
    }
}

/// Reads a time: `5` (minutes) or `4:30` (minutes and seconds).
fn time_left(text: &str) -> Option<Duration> {
    let (minutes, seconds) = text.split_once(':').unwrap_or((text, "0"));
    let (minutes, seconds): (u64, u64) = (minutes.parse().ok()?, seconds.parse().ok()?);
    let all = Duration::from_secs(minutes.checked_mul(60)?.checked_add(seconds)?);
    (seconds < 60 && all <= MAX_LENGTH).then_some(all)
}

/// Writes a time as minutes and seconds. A part of a second is rounded up.
pub(crate) fn shown(time: Duration) -> String {
    let seconds = time.as_millis().div_ceil(1000);
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use std::{cell::Cell, rc::Rc};

    use super::*;

    #[test]
    fn side_to_move_uses_time_and_a_move_adds_the_increment() {
        let time = Rc::new(Cell::new(0));
        let now = Rc::clone(&time);
        let mut clock = TableClock::read("10+5", move || Duration::from_secs(now.get())).unwrap();
        clock.turn(Some(Color::White), None);
        time.set(20);
        clock.turn(Some(Color::Black), Some(Color::White));
        time.set(50);
        assert_eq!(clock.note(), " clock white 9:45 black 9:30");
        clock.set(Color::Black, "0:10").unwrap();
        time.set(70);
        assert!(clock.left(Color::Black).is_zero());
        // No increment for a side whose time is up.
        clock.turn(Some(Color::White), Some(Color::Black));
        clock.stop();
        assert_eq!(clock.note(), " clock white 9:45 black 0:00");
        let mut other = TableClock::read("1", || Duration::ZERO).unwrap();
        assert!(other.restore(&clock.note()) && !other.restore(" no clock"));
        assert_eq!(other.note(), clock.note());
    }

    #[test]
    fn invalid_clock_is_refused() {
        for text in [
            "",
            "x",
            "10+",
            "10+x",
            "-1",
            "1:60",
            "99999999999999",
            "2000",
        ] {
            let said = TableClock::read(text, || Duration::ZERO).expect_err(text);
            assert!(said.contains("(10+5)"), "{said}");
        }
    }
}
