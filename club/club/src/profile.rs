//! What everybody may know of an account.

use std::ops::AddAssign;

use rules::{Family, Winner, chess::Color};
use store::{Against, Millis};

use crate::{account::Account, ratings::PlayerRating};

/// What everybody may know of an account.
#[derive(Clone, PartialEq, Debug)]
pub struct Profile {
    /// Account.
    pub account: Account,
    /// Time of creation.
    pub at: Millis,
    /// What the owner says; empty if nothing.
    pub about: String,
    /// Ratings, ordered by family and kind of opponents.
    pub ratings: Vec<ProfileRating>,
    /// Results by ruleset and colour.
    pub record: Vec<(String, Color, GameTally)>,
    /// Results against the most frequent opponents, most games first.
    pub opponents: Vec<(Account, GameTally)>,
}

/// A rating in a profile.
#[derive(Clone, PartialEq, Debug)]
pub struct ProfileRating {
    /// Family of rulesets.
    pub family: Family,
    /// Kind of the opponents.
    pub against: Against,
    /// Present rating.
    pub now: PlayerRating,
    /// The last changes, oldest first; the last one is the present rating.
    pub changes: Vec<PlayerRating>,
}

/// A row of a leaderboard.
#[derive(Clone, PartialEq, Debug)]
pub struct Leader {
    /// Account.
    pub account: Account,
    /// Its rating.
    pub rating: PlayerRating,
    /// For a program among programs: results against the first programs of the list.
    pub scores: Vec<(Account, GameTally)>,
}

/// Numbers of games.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub struct GameTally {
    /// Won games.
    pub won: u32,
    /// Drawn games.
    pub drawn: u32,
    /// Lost games.
    pub lost: u32,
}

impl GameTally {
    /// Returns the score of `games` games with the same result.
    pub(crate) fn of(color: Color, winner: Winner, games: u32) -> GameTally {
        let mut score = GameTally::default();
        match winner {
            Winner::Draw => score.drawn = games,
            Winner::Unfinished => {}
            Winner::White | Winner::Black if winner == Winner::from(color) => score.won = games,
            Winner::White | Winner::Black => score.lost = games,
        }
        score
    }

    /// Returns the number of games.
    pub fn games(self) -> u32 {
        self.won + self.drawn + self.lost
    }
}

impl AddAssign for GameTally {
    fn add_assign(&mut self, other: GameTally) {
        self.won += other.won;
        self.drawn += other.drawn;
        self.lost += other.lost;
    }
}
