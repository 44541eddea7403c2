//! Ratings: Glicko-2 (Glickman 2013), a number for each family of rulesets and kind of opponents.

use std::collections::HashMap;

use rules::{Family, Winner, chess::ByColor};
use skillratings::{
    Outcomes,
    glicko2::{Glicko2Config, Glicko2Rating, decay_deviation, glicko2},
};
use store::{AccountId, AccountKind, Against, GameId, Millis, StoredRating};

/// A rating period in which a player plays no rated game, in milliseconds. Each rated game is a
/// period of its own.
const IDLE_PERIOD: Millis = 7 * 24 * 3600 * 1000;
/// After this number of idle periods, every deviation has reached its maximum.
const MAX_IDLE_PERIODS: Millis = 1200;
/// A rating with a greater deviation is provisional.
const MAX_DEVIATION: f64 = 110.0;
/// Number of moves of each side from which a rated game counts.
pub(crate) const MIN_MOVES: usize = 2;

/// A rating after one change.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct PlayerRating {
    /// Points.
    pub points: f64,
    /// Deviation.
    pub deviation: f64,
    /// Time of the change.
    pub at: Millis,
    /// Game that changed the rating; `None` for a correction by the operator, and for the fixed
    /// rating of a level.
    pub game: Option<GameId>,
}

impl PlayerRating {
    /// Whether the deviation is so great that the rating is provisional.
    pub fn is_provisional(&self) -> bool {
        self.deviation > MAX_DEVIATION
    }

    /// Returns the points as a whole number.
    pub fn whole_points(&self) -> i32 {
        self.points.round() as i32
    }

    /// Returns the deviation as a whole number.
    pub fn whole_deviation(&self) -> i32 {
        self.deviation.round() as i32
    }
}

impl From<&StoredRating> for PlayerRating {
    fn from(stored: &StoredRating) -> PlayerRating {
        let Glicko2Rating {
            rating, deviation, ..
        } = glicko(stored);
        PlayerRating {
            points: rating,
            deviation,
            at: stored.at,
            game: stored.game,
        }
    }
}

/// Greatest deviation of a rating that is not provisional, as it is stored.
pub(crate) const MAX_STORED_DEVIATION: i64 = MAX_DEVIATION as i64 * 1000;

/// The changes of one rating of an account.
#[derive(Clone, Debug)]
pub(crate) struct Series {
    pub(crate) account: AccountId,
    pub(crate) family: Family,
    pub(crate) against: Against,
    pub(crate) last: Option<StoredRating>,
}

impl Series {
    /// Returns the next change.
    pub(crate) fn next(
        &self,
        rating: Glicko2Rating,
        at: Millis,
        game: Option<GameId>,
    ) -> StoredRating {
        let whole = |value: f64| value.round() as i64;
        StoredRating {
            account: self.account,
            family: self.family.name().to_owned(),
            against: self.against,
            n: self
                .last
                .as_ref()
                .map_or(1, |last| last.n.saturating_add(1)),
            rating: whole(rating.rating * 1e3),
            deviation: whole(rating.deviation * 1e3),
            volatility: whole(rating.volatility * 1e6),
            at,
            game,
        }
    }

    /// Returns the rating at a time: the deviation grows in each period without a game.
    fn at(&self, at: Millis) -> Glicko2Rating {
        let Some(last) = &self.last else {
            return Glicko2Rating::new();
        };
        let idle = at.saturating_sub(last.at) / IDLE_PERIOD;
        (0..idle.min(MAX_IDLE_PERIODS)).fold(glicko(last), |rating, _| decay_deviation(&rating))
    }
}

#[expect(clippy::cast_precision_loss, reason = "the numbers are small")]
fn glicko(stored: &StoredRating) -> Glicko2Rating {
    Glicko2Rating {
        rating: stored.rating as f64 / 1e3,
        deviation: stored.deviation as f64 / 1e3,
        volatility: stored.volatility as f64 / 1e6,
    }
}

/// Returns the kind of opponents to which an account of this kind belongs.
pub(crate) fn as_opponent(kind: AccountKind) -> Against {
    match kind {
        AccountKind::Person | AccountKind::Guest => Against::People,
        AccountKind::Program => Against::Programs,
    }
}

/// Returns the ratings of both players after a game; `None` if it had no result.
pub(crate) fn after(
    players: &ByColor<Series>,
    winner: Winner,
    at: Millis,
) -> Option<ByColor<Glicko2Rating>> {
    let outcome = match winner {
        Winner::White => Outcomes::WIN,
        Winner::Black => Outcomes::LOSS,
        Winner::Draw => Outcomes::DRAW,
        Winner::Unfinished => return None,
    };
    let (white, black) = (players.white.at(at), players.black.at(at));
    let (white, black) = glicko2(&white, &black, &outcome, &Glicko2Config::new());
    Some(ByColor { white, black })
}

/// The results at each problem, each with the rating of the account. Read once a day, for those that
/// other servers of the club counted.
#[derive(Default)]
pub(crate) struct ProblemResults {
    pub(crate) day: Millis,
    pub(crate) of: HashMap<String, Vec<(Glicko2Rating, Outcomes)>>,
}

/// Returns a rating with the initial volatility.
pub(crate) fn fixed(points: f64, deviation: f64) -> Glicko2Rating {
    Glicko2Rating {
        rating: points,
        deviation,
        ..Glicko2Rating::new()
    }
}

#[cfg(test)]
mod tests {
    use skillratings::glicko2::glicko2_rating_period;

    use super::*;

    const DAY: Millis = 24 * 3600 * 1000;

    fn series(points: f64, deviation: f64) -> Series {
        let mut series = Series {
            account: AccountId(1),
            family: Family::Wild16,
            against: Against::People,
            last: None,
        };
        series.last = Some(series.next(fixed(points, deviation), 0, None));
        series
    }

    fn shown(rating: Glicko2Rating) -> String {
        let Glicko2Rating {
            rating,
            deviation,
            volatility,
        } = rating;
        format!("{rating:.2} {deviation:.2} {volatility:.5}")
    }

    /// Glickman, "Example of the Glicko-2 system" (2013).
    #[test]
    fn ratings_agree_with_the_published_example() {
        let games = [
            (1400.0, 30.0, Outcomes::WIN),
            (1550.0, 100.0, Outcomes::LOSS),
            (1700.0, 300.0, Outcomes::LOSS),
        ];
        let games = games.map(|(points, deviation, won)| (fixed(points, deviation), won));
        let config = Glicko2Config::new();
        let rated = glicko2_rating_period(&fixed(1500.0, 200.0), &games, &config);
        for (found, published, digit) in [
            (rated.rating, 1464.06, 0.01),
            (rated.deviation, 151.52, 0.01),
            (rated.volatility, 0.05999, 0.00001),
        ] {
            assert!((found - published).abs() < digit, "{found} {published}");
        }
    }

    #[test]
    fn a_game_is_a_rating_period_of_its_own() {
        let config = Glicko2Config::new();
        for (points, deviation, winner, won) in [
            (1400.0, 30.0, Winner::White, Outcomes::WIN),
            (1550.0, 100.0, Winner::Black, Outcomes::LOSS),
            (1700.0, 300.0, Winner::Draw, Outcomes::DRAW),
        ] {
            let players = ByColor {
                white: series(1500.0, 200.0),
                black: series(points, deviation),
            };
            let rated = after(&players, winner, DAY).expect("the game has a result");
            let period = [(fixed(points, deviation), won)];
            let expected = glicko2_rating_period(&fixed(1500.0, 200.0), &period, &config);
            assert_eq!(shown(rated.white), shown(expected));
            assert_eq!(after(&players, Winner::Unfinished, DAY), None);
        }
    }

    #[test]
    fn deviation_grows_with_each_week_without_a_game() {
        let series = series(1500.0, 60.0);
        for (days, deviation) in [(6, 60.0), (7, 60.9), (365, 96.2), (100_000, 350.0)] {
            let found = series.at(days * DAY).deviation;
            assert!((found - deviation).abs() < 0.1, "{days}: {found}");
        }
    }
}
