//! Clocks of both sides, and the time limit for the first moves.

use rules::chess::{ByColor, Color};

use store::{Millis, TimeControl};

use crate::{facts::Clocks, time::Speed};

/// Clocks of a table. Only public rows change the clocks, so the clocks do not reveal private rows.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct TableClock {
    time: TimeControl,
    left: ByColor<Millis>,
    /// Time that the side to move has left for its first move, in milliseconds.
    first_move_left: Millis,
    /// Side to move; `None` if the game is over.
    turn: Option<Color>,
    /// Time at which each side last moved.
    moved: ByColor<Option<Millis>>,
    paused: bool,
    adjourned: bool,
    /// Time of the last row that changed the clocks.
    at: Millis,
}

/// A game without running clocks is aborted after this time without a move: a year, in
/// milliseconds.
const MAX_IDLE_GAME: Millis = 365 * 24 * 3600 * 1000;

/// The same until both sides have moved: a week.
const MAX_UNBEGUN_GAME: Millis = 7 * 24 * 3600 * 1000;

/// Which time is running.
enum Runs {
    Nothing,
    FirstMove,
    MainTime(Color),
}

impl TableClock {
    pub(crate) fn new(time: TimeControl, turn: Option<Color>, at: Millis) -> TableClock {
        let initial = match time {
            TimeControl::Clock { initial, .. } | TimeControl::Days { initial, .. } => initial,
            TimeControl::Unlimited => 0,
        };
        TableClock {
            time,
            left: ByColor::new_with(|_| initial),
            first_move_left: Speed::of(time).first_move().unwrap_or(0),
            turn,
            moved: ByColor::default(),
            paused: false,
            adjourned: false,
            at,
        }
    }

    fn runs(&self) -> Runs {
        let standing = self.paused || self.adjourned || self.time == TimeControl::Unlimited;
        match self.turn {
            Some(turn) if !standing => {
                if self.both_moved() {
                    Runs::MainTime(turn)
                } else {
                    Runs::FirstMove
                }
            }
            Some(_) | None => Runs::Nothing,
        }
    }

    /// Subtracts from the running clock the time that has passed between the last change of the
    /// clocks and `until`. `at` is the time of the row that changes the clocks now.
    fn spend(&mut self, until: Millis, at: Millis) {
        let span = until.saturating_sub(self.at).max(0);
        match self.runs() {
            Runs::Nothing => {}
            Runs::FirstMove => self.first_move_left = (self.first_move_left - span).max(0),
            Runs::MainTime(color) => {
                let left = self.left.get_mut(color);
                *left = (*left - span).max(0);
            }
        }
        self.at = at;
    }

    /// Returns the time of the last row that changed the clocks.
    pub(crate) fn touched_at(&self) -> Millis {
        self.at
    }

    pub(crate) fn both_moved(&self) -> bool {
        self.moved.white.is_some() && self.moved.black.is_some()
    }

    /// Returns the time at which that side last moved.
    pub(crate) fn moved_at(&self, color: Color) -> Option<Millis> {
        *self.moved.get(color)
    }

    pub(crate) fn adjourned(&self) -> bool {
        self.adjourned
    }

    pub(crate) fn paused(&self) -> bool {
        self.paused
    }

    /// Records a move of `by` that does not end the game.
    pub(crate) fn move_made(&mut self, by: Color, at: Millis) {
        let counted = matches!(self.runs(), Runs::MainTime(_));
        self.spend(at, at);
        if counted {
            let left = self.left.get_mut(by);
            *left = match self.time {
                TimeControl::Clock { increment, .. } => left.saturating_add(increment),
                TimeControl::Days { increment, cap, .. } => left.saturating_add(increment).min(cap),
                TimeControl::Unlimited => *left,
            };
        }
        *self.moved.get_mut(by) = Some(at);
        self.turn = Some(by.other());
        self.first_move_left = Speed::of(self.time).first_move().unwrap_or(0);
    }

    /// Stops the clocks at the end of the game.
    pub(crate) fn stop(&mut self, at: Millis) {
        self.spend(at, at);
        self.turn = None;
    }

    pub(crate) fn pause(&mut self, at: Millis) {
        self.spend(at, at);
        self.paused = true;
    }

    /// Continues the clocks at `at`. The clocks do not count the time from `from` to `at`. If they
    /// were paused, they do not count the time of the pause either.
    pub(crate) fn credit(&mut self, from: Millis, at: Millis) {
        self.spend(from.min(at), at);
        self.paused = false;
    }

    pub(crate) fn adjourn(&mut self, at: Millis) {
        self.spend(at, at);
        self.adjourned = true;
    }

    pub(crate) fn resume(&mut self, at: Millis) {
        self.spend(at, at);
        self.adjourned = false;
    }

    /// Returns the clocks as everybody may see them; `None` in a game without clocks.
    pub(crate) fn shown(&self) -> Option<Clocks> {
        (self.time != TimeControl::Unlimited).then(|| Clocks {
            left: self.left,
            running: match self.runs() {
                Runs::MainTime(color) => Some(color),
                Runs::Nothing | Runs::FirstMove => None,
            },
            at: self.at,
        })
    }

    /// Returns the deadline for the first move of the side to move.
    pub(crate) fn first_move_by(&self) -> Option<Millis> {
        match self.runs() {
            Runs::FirstMove => Some(self.at.saturating_add(self.first_move_left)),
            Runs::Nothing | Runs::MainTime(_) => None,
        }
    }

    /// Returns the time at which the game is aborted if no further row changes the clocks: a year
    /// after the last such row, or a week if a side has not moved. Returns `None` while a clock or the time for a first move runs,
    /// while the clocks are paused, and after the end of the game.
    pub(crate) fn idle_abort_at(&self) -> Option<Millis> {
        match self.runs() {
            Runs::Nothing if self.turn.is_some() && !self.paused => Some(self.at.saturating_add(
                if self.both_moved() || self.adjourned() {
                    MAX_IDLE_GAME
                } else {
                    MAX_UNBEGUN_GAME
                },
            )),
            Runs::Nothing | Runs::FirstMove | Runs::MainTime(_) => None,
        }
    }

    /// Returns the time at which the running clock reaches zero, and the side whose clock runs.
    pub(crate) fn flag(&self) -> Option<(Millis, Color)> {
        match self.runs() {
            Runs::MainTime(color) => Some((self.at.saturating_add(*self.left.get(color)), color)),
            Runs::Nothing | Runs::FirstMove => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLITZ: TimeControl = TimeControl::Clock {
        initial: 300_000,
        increment: 2_000,
    };

    fn after_first_moves() -> TableClock {
        let mut clock = TableClock::new(BLITZ, Some(Color::White), 1_000);
        assert_eq!(clock.first_move_by(), Some(31_000));
        clock.move_made(Color::White, 9_000);
        assert_eq!(clock.first_move_by(), Some(39_000));
        assert_eq!(clock.flag(), None);
        clock.move_made(Color::Black, 10_000);
        clock
    }

    #[test]
    fn clocks_run_after_both_players_moved_and_gain_increments() {
        let mut clock = after_first_moves();
        assert_eq!(clock.flag(), Some((310_000, Color::White)));
        clock.move_made(Color::White, 20_000);
        let shown = clock.shown().unwrap();
        assert_eq!((shown.left.white, shown.left.black), (292_000, 300_000));
        assert_eq!((shown.running, shown.at), (Some(Color::Black), 20_000));
        clock.stop(25_000);
        let shown = clock.shown().unwrap();
        assert_eq!((shown.left.black, shown.running), (295_000, None));
    }

    #[test]
    fn an_outage_is_not_counted() {
        let mut clock = after_first_moves();
        clock.credit(15_000, 400_000);
        assert_eq!(clock.flag(), Some((695_000, Color::White)));
        // The last heartbeat (9.5 s) is older than Black's move (10 s). Then the clocks count no
        // time between this move and the credit.
        let mut clock = after_first_moves();
        clock.credit(9_500, 400_000);
        assert_eq!(clock.flag(), Some((700_000, Color::White)));
    }

    #[test]
    fn paused_and_adjourned_clocks_do_not_run() {
        let mut clock = after_first_moves();
        clock.pause(20_000);
        assert_eq!(clock.flag(), None);
        clock.credit(20_000, 900_000);
        assert_eq!(clock.flag(), Some((1_190_000, Color::White)));
        clock.adjourn(901_000);
        clock.pause(905_000);
        clock.credit(905_000, 906_000);
        assert_eq!(clock.flag(), None);
        clock.resume(1_000_000);
        assert_eq!(clock.flag(), Some((1_289_000, Color::White)));
    }
}
