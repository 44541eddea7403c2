//! Profiles and leaderboards.

use serde::{Deserialize, Serialize};

use crate::{
    club::{AccountKind, Millis, PlayerJson},
    noun::Side,
};

/// Kind of the opponents for whom a rating counts.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum AgainstJson {
    /// People.
    People,
    /// Programs.
    Programs,
}

/// People who are here.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct PeopleJson {
    /// The people, by name.
    pub people: Vec<PlayerJson>,
}

/// What everybody may know of an account.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct PersonJson {
    /// Name of the account.
    pub name: String,
    /// Whether the account is a person, a guest or a program.
    pub kind: AccountKind,
    /// Time of creation, in milliseconds since 1970.
    pub since: Millis,
    /// What the owner says; empty if nothing.
    pub about: String,
    /// Present ratings; none for guests and before the first rated game.
    pub ratings: Vec<PersonRatingJson>,
    /// Results of all finished games by ruleset and colour, without games that have no result.
    pub record: Vec<RecordJson>,
    /// Results against the most frequent opponents, at most 20, most games first.
    pub opponents: Vec<OpponentJson>,
    /// Whether the reader blocks (mutes) this account.
    pub muted: bool,
}

/// A rating of an account, with its last changes.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct PersonRatingJson {
    /// Family of rulesets.
    pub family: String,
    /// Kind of the opponents.
    pub against: AgainstJson,
    /// The rating, rounded.
    pub points: i32,
    /// Its deviation, rounded.
    pub deviation: i32,
    /// Whether the rating is provisional.
    pub provisional: bool,
    /// The last 100 changes, oldest first.
    pub changes: Vec<RatingChangeJson>,
}

/// A change of a rating.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct RatingChangeJson {
    /// End of the game, in milliseconds since 1970.
    pub at: Millis,
    /// Rating after it, rounded.
    pub points: i32,
    /// Id of the game; null for a correction by the operator, and for the fixed rating of a level.
    pub game: Option<String>,
}

/// Numbers of games.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct ScoreJson {
    /// Games that the account won.
    pub won: u32,
    /// Drawn games.
    pub drawn: u32,
    /// Games that the account lost.
    pub lost: u32,
}

/// Results of an account under one ruleset with one colour.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct RecordJson {
    /// Id of the ruleset.
    pub rules: String,
    /// Colour of the account.
    pub seat: Side,
    /// Numbers of games.
    pub score: ScoreJson,
}

/// Results of an account against one opponent.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct OpponentJson {
    /// The opponent.
    pub player: PlayerJson,
    /// Numbers of games.
    pub score: ScoreJson,
}

/// What the owner of an account says in the profile.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct AboutJson {
    /// A line of at most 400 characters; empty to say nothing.
    pub text: String,
}

/// The highest ratings that are not provisional.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct LeaderboardJson {
    /// Family of rulesets.
    pub family: String,
    /// Kind of the listed accounts.
    pub kind: AgainstJson,
    /// Kind of the opponents for whom the ratings count.
    pub against: AgainstJson,
    /// At most 100 accounts, highest rating first.
    pub rows: Vec<LeaderJson>,
}

/// An account with its rating.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct LeaderJson {
    /// The account.
    pub player: PlayerJson,
    /// The rating, rounded.
    pub points: i32,
    /// Its deviation, rounded.
    pub deviation: i32,
    /// For a program among programs: its results in finished games of the family against each of the
    /// first 20 rows; without those that it has not met.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scores: Vec<OpponentJson>,
}
