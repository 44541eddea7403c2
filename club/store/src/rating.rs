//! Ratings of accounts, and the results of their finished games.

use async_trait::async_trait;
use rules::Winner;

use crate::{
    account::{AccountId, AccountKind},
    error::StoreError,
    game::GameRecord,
    id::GameId,
    row::Millis,
};

/// Kind of the opponents for whom a rating counts.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub enum Against {
    /// People.
    People,
    /// Programs.
    Programs,
}

impl Against {
    /// Both kinds.
    pub const ALL: [Against; 2] = [Against::People, Against::Programs];

    /// Returns the word for the kind.
    pub const fn name(self) -> &'static str {
        match self {
            Against::People => "people",
            Against::Programs => "programs",
        }
    }

    /// Returns the kind with this name.
    pub fn from_name(name: &str) -> Option<Against> {
        Against::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// A rating of an account, after one change.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct StoredRating {
    /// Account.
    pub account: AccountId,
    /// Family of rulesets.
    pub family: String,
    /// Kind of the opponents.
    pub against: Against,
    /// Number of the change among those of the same account, family and kind, from 1.
    pub n: u32,
    /// Rating, in thousandths of a point.
    pub rating: i64,
    /// Deviation, in thousandths of a point.
    pub deviation: i64,
    /// Volatility, in millionths.
    pub volatility: i64,
    /// Time of the change.
    pub at: Millis,
    /// Game that changed the rating; `None` for a correction and for a fixed rating.
    pub game: Option<GameId>,
}

/// Search of finished games.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct GameSearch {
    /// One of the players.
    pub player: Option<AccountId>,
    /// The other player; only with `player`.
    pub opponent: Option<AccountId>,
    /// Id of the ruleset.
    pub rules: Option<String>,
    /// Result.
    pub winner: Option<Winner>,
    /// Whether `player` won; `Some(false)`: whether the opponent won. Only with `player`.
    pub won: Option<bool>,
    /// Least time of creation.
    pub since: Millis,
    /// Games that were created before this time.
    pub before: Millis,
}

impl Default for GameSearch {
    fn default() -> GameSearch {
        GameSearch {
            player: None,
            opponent: None,
            rules: None,
            winner: None,
            won: None,
            since: Millis::MIN,
            before: Millis::MAX,
        }
    }
}

impl GameSearch {
    /// Returns the search for all finished games of an account.
    pub fn of(player: AccountId) -> GameSearch {
        GameSearch {
            player: Some(player),
            ..GameSearch::default()
        }
    }
}

/// Number of finished games of an account with the same colour, ruleset and result.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct ResultCount {
    /// Whether the account played White.
    pub is_white: bool,
    /// Opponent; `None`: all opponents together.
    pub opponent: Option<AccountId>,
    /// Id of the ruleset.
    pub rules: String,
    /// Result.
    pub winner: Winner,
    /// Number of games.
    pub games: u32,
}

/// Storage of ratings and searches of finished games. It is a part of every
/// [`Store`](crate::Store).
#[async_trait]
pub trait RatingStore: Send + Sync + 'static {
    /// Returns the rated games that are over and not counted yet, oldest first.
    async fn uncounted(&self) -> Result<Vec<GameRecord>, StoreError>;

    /// Adds ratings, and marks `game` as counted if it is given: everything or nothing. Ratings of
    /// deleted accounts are left out.
    ///
    /// # Errors
    /// [`StoreError::Taken`] if the game is counted already or not over, or if a rating has this
    /// number already; [`StoreError::Absent`] if there is no such account or game.
    async fn rate(&self, game: Option<GameId>, ratings: &[StoredRating]) -> Result<(), StoreError>;

    /// Returns the present ratings of an account, ordered by family and kind.
    async fn ratings(&self, account: AccountId) -> Result<Vec<StoredRating>, StoreError> {
        self.rating_changes(account, 1).await
    }

    /// Returns the last `limit` changes of each rating of an account, oldest first.
    async fn rating_changes(
        &self,
        account: AccountId,
        limit: u32,
    ) -> Result<Vec<StoredRating>, StoreError>;

    /// Returns the highest present ratings of active accounts of this kind, whose deviation is at
    /// most `deviation` (in thousandths), highest first.
    async fn best(
        &self,
        family: &str,
        against: Against,
        kind: AccountKind,
        deviation: i64,
        limit: u32,
    ) -> Result<Vec<StoredRating>, StoreError>;

    /// Returns the finished games that match, newest first. Returns at most `limit` games, and also
    /// the games that have the same time as the last of them. So the time of the last game is
    /// `before` of the next call. `limit` is at least 1.
    async fn finished(
        &self,
        search: &GameSearch,
        limit: u32,
    ) -> Result<Vec<GameRecord>, StoreError>;

    /// Counts the finished games of an account: against all opponents together if `among` is empty,
    /// else against each of these accounts.
    async fn results(
        &self,
        account: AccountId,
        among: &[AccountId],
    ) -> Result<Vec<ResultCount>, StoreError>;

    /// Returns at most `limit` opponents of an account, those with the most finished games first.
    /// Games without a result do not count.
    async fn opponents(&self, account: AccountId, limit: u32)
    -> Result<Vec<AccountId>, StoreError>;
}
