//! Messages between people, and mutes.

use serde::{Deserialize, Serialize};

use crate::club::{Millis, PlayerJson};

/// Group of people at a game who read each other's messages.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum TalkGroupJson {
    /// The two players.
    Players,
    /// The spectators; after the end of the game also the players.
    Spectators,
}

/// A message from one person to others.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct MessageJson {
    /// Number among the messages to the same readers, from 1. The reader does not get messages of
    /// accounts that the reader mutes, so some numbers can be missing.
    pub n: u32,
    /// The sender.
    pub from: PlayerJson,
    /// Time at which the message was written, in milliseconds since 1970.
    pub at: Millis,
    /// Text: one line of at most 400 characters.
    pub text: String,
}

/// Messages, oldest first.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct MessagesJson {
    /// The messages.
    pub messages: Vec<MessageJson>,
}

/// A new message to a group at a game.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct NewTalkJson {
    /// Text: one line of at most 400 characters.
    pub text: String,
    /// The group. By default, a player writes to the opponent, and a spectator to the other
    /// spectators.
    #[serde(default)]
    pub group: Option<TalkGroupJson>,
}

/// A new message for one person, who reads it later.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct NewMessageJson {
    /// Name of the person.
    pub to: String,
    /// Text: one line of at most 400 characters.
    pub text: String,
}

/// A report to the operator of the club.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct ReportJson {
    /// Name of the account that is reported.
    pub name: String,
    /// Id of the game in which it happened, if any.
    #[serde(default)]
    pub game: Option<String>,
    /// What happened: one line of at most 400 characters.
    pub text: String,
}

/// The answer to a new message.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct WrittenJson {
    /// Number of the message in its group; null for a message to one person.
    pub n: Option<u32>,
}

/// The accounts that the reader mutes.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct MutesJson {
    /// The accounts.
    pub muted: Vec<PlayerJson>,
}
