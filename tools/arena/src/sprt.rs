//! Sequential test of a match.

use std::{collections::BTreeMap, fmt, str::FromStr};

use rules::{Winner, chess::Color};

use crate::{game::GameOfRun, schedule::Schedule, statistics::UnitScores};

/// Probability that the test decides for a score although the other score is true. It is the same
/// for both scores.
const ERROR: f64 = 0.05;

/// A sequential probability ratio test of the score of the first player of a match
/// (A. Wald, "Sequential tests of statistical hypotheses", Annals of Mathematical
/// Statistics 16, 1945), with error probabilities of 5 %.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Sprt {
    /// The score under the first hypothesis.
    pub score0: f64,
    /// The score under the second hypothesis; greater than `score0`.
    pub score1: f64,
}

/// Error: the text is not a pair of scores.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error(
    "`{0}` is not a test; write two scores between 0 and 1, the lower one first, for example 0.5,0.6"
)]
pub struct SprtError(String);

impl FromStr for Sprt {
    type Err = SprtError;

    fn from_str(text: &str) -> Result<Sprt, SprtError> {
        let scores = text.split_once(',').and_then(|(low, high)| {
            let read = |text: &str| text.trim().parse::<f64>().ok();
            Some((read(low)?, read(high)?))
        });
        match scores {
            Some((score0, score1)) if 0.0 < score0 && score0 < score1 && score1 < 1.0 => {
                Ok(Sprt { score0, score1 })
            }
            Some(_) | None => Err(SprtError(text.to_owned())),
        }
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.score0, self.score1)
    }
}

impl Sprt {
    /// Returns the logarithm of the likelihood ratio at which the test decides for
    /// `score1`. The test decides for `score0` at the negative of this number.
    pub fn bound() -> f64 {
        ((1.0 - ERROR) / ERROR).ln()
    }
}

/// A test and the games that it has used.
///
/// A unit is two games with swapped colours, or one game if colours are not swapped. The test uses
/// the units in the order of their numbers, so the decision does not depend on which game finishes
/// first.
#[derive(Clone, PartialEq, Debug)]
pub struct SprtTracker {
    sprt: Sprt,
    schedule: Schedule,
    /// For each unit that the test has not used yet: the half points of the first player, and the
    /// number of finished games.
    waiting: BTreeMap<u64, (u64, u64)>,
    scores: UnitScores,
    ratio: f64,
    /// Number of the first game after the decision; `None` if the test is not decided.
    end: Option<u64>,
}

/// Returns the score of the first player in half points. A stopped game has the score of a
/// draw.
pub(crate) fn half_points(game: &GameOfRun) -> u64 {
    match game.played.over.map(|over| over.winner) {
        Some(Winner::White) => 2 * u64::from(game.first == Color::White),
        Some(Winner::Black) => 2 * u64::from(game.first == Color::Black),
        Some(Winner::Draw | Winner::Unfinished) | None => 1,
    }
}

impl SprtTracker {
    /// Returns a test without games.
    pub fn new(sprt: Sprt, schedule: Schedule) -> SprtTracker {
        SprtTracker {
            sprt,
            schedule,
            waiting: BTreeMap::new(),
            scores: UnitScores::default(),
            ratio: 0.0,
            end: None,
        }
    }

    /// Adds a game of the match.
    pub fn add(&mut self, game: &GameOfRun) {
        let Some(meeting) = self.schedule.meeting(game.number) else {
            return;
        };
        let waits = self.waiting.entry(meeting.unit).or_default();
        waits.0 += half_points(game);
        waits.1 += 1;
        let size = if self.schedule.swap { 2 } else { 1 };
        while self.end.is_none()
            && let Some(next) = self.waiting.first_entry()
            && *next.key() == self.scores.units()
            && next.get().1 == size
        {
            let (halves, games) = next.remove();
            self.scores.add(halves, games);
            let Sprt { score0, score1 } = self.sprt;
            self.ratio = self.scores.log_likelihood_ratio(score0, score1);
            if self.ratio.abs() >= Sprt::bound() {
                self.end = Some(self.scores.units() * size);
            }
        }
    }

    /// Returns the hypotheses.
    pub fn sprt(&self) -> Sprt {
        self.sprt
    }

    /// Returns the logarithm of the likelihood ratio of `score1` against `score0`.
    pub fn ratio(&self) -> f64 {
        self.ratio
    }

    /// Returns the number of units that the test has used.
    pub fn units(&self) -> u64 {
        self.scores.units()
    }

    /// Returns whether the test is decided.
    pub fn is_decided(&self) -> bool {
        self.end.is_some()
    }

    /// Returns the score for which the test has decided; `None` if it is not decided.
    pub fn decision(&self) -> Option<f64> {
        let for_high = self.ratio > 0.0;
        self.end.map(|_| {
            if for_high {
                self.sprt.score1
            } else {
                self.sprt.score0
            }
        })
    }

    /// Returns the number of the first game after the decision.
    pub(crate) fn end(&self) -> Option<u64> {
        self.end
    }
}

#[cfg(test)]
mod tests {
    use bots::{Dice, Seed};
    use rules::{Over, Reason};

    use super::*;
    use crate::{play::Played, schedule::Shard};

    const SCHEDULE: Schedule = Schedule {
        players: 2,
        swap: true,
        games: 100_000,
        shard: Shard::WHOLE,
    };

    fn game(number: u64, halves: u32) -> GameOfRun {
        let meeting = SCHEDULE.meeting(number).unwrap();
        let winner = match halves {
            0 => Winner::from(meeting.first.other()),
            1 => Winner::Draw,
            _ => Winner::from(meeting.first),
        };
        let over = Over {
            winner,
            reason: Reason::Agreement,
        };
        GameOfRun {
            number,
            first: meeting.first,
            played: Played {
                over: Some(over),
                ..Played::default()
            },
        }
    }

    fn test(share: u32, seed: u64) -> SprtTracker {
        let mut dice = Dice::new(Seed { seed, stream: 0 });
        let sprt = "0.75,0.85".parse().unwrap();
        let mut tracker = SprtTracker::new(sprt, SCHEDULE);
        let mut number = 0;
        while !tracker.is_decided() {
            let halves = if dice.below(100) < share { 2 } else { 0 };
            tracker.add(&game(number, halves));
            number += 1;
        }
        tracker
    }

    #[test]
    fn sequential_test_seldom_decides_wrongly() {
        let (mut wrong, mut units) = (0, 0);
        for seed in 0..400 {
            for (share, right) in [(75, 0.75), (85, 0.85)] {
                let tracker = test(share, seed);
                wrong += u32::from(tracker.decision() != Some(right));
                units += tracker.units();
            }
        }
        assert!(wrong <= 60, "{wrong} of 800 decisions are wrong");
        let games = 2.0 * units as f64 / 800.0;
        assert!((60.0..=140.0).contains(&games), "{games} games");
    }

    #[test]
    fn order_in_which_games_finish_does_not_change_the_decision() {
        let sprt = Sprt {
            score0: 0.5,
            score1: 0.6,
        };
        let ordered = |numbers: &mut dyn Iterator<Item = u64>| {
            let mut tracker = SprtTracker::new(sprt, SCHEDULE);
            for number in numbers {
                tracker.add(&game(number, if number % 5 == 0 { 0 } else { 2 }));
            }
            (tracker.end, tracker.ratio)
        };
        let forth = ordered(&mut (0..400));
        assert!(forth.0.is_some_and(|end| end < 400 && end % 2 == 0));
        assert_eq!(ordered(&mut (0..400).rev()), forth);
    }

    #[test]
    fn text_that_is_no_sprt_is_refused() {
        for text in [
            "0.5", "0.6,0.5", "0,0.5", "0.5,1", "a,b", "NaN,0.5", "0.5,0.5",
        ] {
            assert!(text.parse::<Sprt>().is_err(), "{text}");
        }
    }
}
