//! Evenings: hours in which many play against each other.

use serde::{Deserialize, Serialize};

use crate::club::{GameRowJson, Millis, PlayerJson, TermsJson};

/// Status of an evening.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum EveningStatus {
    /// It has not begun.
    Planned,
    /// Players are paired.
    Running,
    /// The last games are played; nobody is paired.
    Ending,
    /// The table is final.
    Over,
}

/// How an evening pairs its players.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum EveningKindJson {
    /// Whoever is free gets the next game.
    #[default]
    Arena,
    /// Everybody meets everybody once, in rounds.
    RoundRobin,
}

/// What a player of an evening does now.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum EveningPlayerState {
    /// Waits for a game.
    Waiting,
    /// Plays a game of the evening.
    Playing,
    /// Neither.
    Away,
}

/// Request to make an evening.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct NewEveningJson {
    /// Kind.
    #[serde(default)]
    pub kind: EveningKindJson,
    /// Name: one line of 1 to 60 characters.
    pub name: String,
    /// Time of its beginning, in milliseconds since 1970: at most 60 days ahead.
    pub begins: Millis,
    /// Length in minutes: 30, 60 or 90.
    pub minutes: u32,
    /// Terms of its games: a built-in ruleset, and a clock that fits. `color` is ignored.
    pub terms: TermsJson,
}

/// An evening in a list.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct EveningRowJson {
    /// Id of the evening.
    #[serde(deserialize_with = "crate::text::word")]
    pub id: String,
    /// Kind.
    pub kind: EveningKindJson,
    /// Name.
    pub name: String,
    /// The account that made it.
    pub by: PlayerJson,
    /// Time of its beginning, in milliseconds since 1970.
    pub begins: Millis,
    /// Length in minutes.
    pub minutes: u32,
    /// Terms of its games.
    pub terms: TermsJson,
    /// Status.
    pub status: EveningStatus,
    /// Number of players in its table.
    pub players: u32,
    /// Whether the reader has joined and not left.
    pub joined: bool,
}

/// The evenings of a club.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct EveningsJson {
    /// Evenings that are not over, the next first.
    pub open: Vec<EveningRowJson>,
    /// The last evenings that are over, the last first.
    pub over: Vec<EveningRowJson>,
}

/// An evening with its table and its games.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct EveningJson {
    /// The evening.
    pub evening: EveningRowJson,
    /// State of the reader; null if the reader is not in the table.
    pub you: Option<EveningPlayerState>,
    /// Players: most points first, then most games won.
    pub table: Vec<EveningPlaceJson>,
    /// Its games that are not over, then the last that are over.
    pub games: Vec<GameRowJson>,
}

/// A player in the table of an evening.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct EveningPlaceJson {
    /// Place, from 1; equal for players with equal points and wins.
    pub place: u32,
    /// Player.
    pub player: PlayerJson,
    /// Two for a win, one for a draw.
    pub points: u32,
    /// Games won.
    pub won: u32,
    /// Games with a result.
    pub games: u32,
    /// What the player does now.
    pub state: EveningPlayerState,
}
