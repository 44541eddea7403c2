//! Bodies of the HTTP API that no message of the WebSocket contains.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    cause::CauseJson,
    club::{GameRowJson, Millis, PlayerJson, TermsJson},
    says::{RefusalCode, TableAct},
    text::is_false,
};

/// Request to create an account.
#[derive(Clone, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct NewAccountJson {
    /// Name of the new account.
    pub name: String,
    /// Password of the new account.
    pub password: String,
    /// Whether the account is used by a program. Other players can see this.
    #[serde(default)]
    pub program: bool,
    /// Whether the answer should contain the token; see
    /// [`CredentialsJson::token`].
    #[serde(default)]
    pub token: bool,
}

/// Request to sign in.
#[derive(Clone, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct CredentialsJson {
    /// Name of the account.
    pub name: String,
    /// Password of the account.
    pub password: String,
    /// Whether the answer should contain the token. Programs need the token in the answer. If this
    /// is false, the answer sets the token as a cookie that scripts cannot read.
    #[serde(default)]
    pub token: bool,
}

/// Request to sign in as a guest.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct GuestJson {
    /// Whether the answer should contain the token; see
    /// [`CredentialsJson::token`].
    #[serde(default)]
    pub token: bool,
}

/// Answer to a sign-in: a new session.
#[derive(Clone, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct SessionJson {
    /// Account of the caller.
    pub you: PlayerJson,
    /// Token of the session, if it was requested. It is never shown again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// Recovery codes of a new account; otherwise empty. They are never shown again.
    #[serde(default)]
    pub recovery_codes: Vec<String>,
}

/// Version of the API, account of the caller, and time of the server.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct MeJson {
    /// Version of the API.
    pub version: u32,
    /// Account of the caller; null if the caller is not signed in.
    pub you: Option<PlayerJson>,
    /// Current time of the server, in milliseconds since 1970.
    pub now: Millis,
}

/// Request to challenge a player.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct NewChallengeJson {
    /// Name of the player who is challenged.
    pub to: String,
    /// Terms of the game.
    pub terms: TermsJson,
}

/// An attempt for the referee.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct TryJson {
    /// Id that the client chooses, unique for the player in this game. A second
    /// request with the same id gets the same answer and is not judged again.
    pub id: String,
    /// Number of the last hearing that the client knows. An attempt that was
    /// made for an earlier turn is refused.
    pub after: u32,
    /// The attempt as typed: a move in any notation, or a word like `any` or
    /// `resign`.
    pub text: String,
    /// Whether the club asks back before it tells the referee, as in the message `try`.
    #[serde(default, skip_serializing_if = "is_false")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<bool>"))]
    pub ask: bool,
}

/// An action at a table that does not go to the referee.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct ActJson {
    /// Id that the client chooses, as for an attempt.
    pub id: String,
    /// What the player wants to do.
    pub act: TableAct,
}

/// Tries that a player makes in advance.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct ConditionalJson {
    /// Id that the client chooses, as for an attempt.
    pub id: String,
    /// The tries, separated by `;`; empty to end them.
    pub text: String,
}

/// The answer to an attempt or an action.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct SaidJson {
    /// Number of the hearing that the attempt caused; null for an action.
    pub n: Option<u32>,
    /// The answer in one word, as the player hears it.
    pub answer: String,
    /// Why the referee refused the attempt; absent if it was not refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<CauseJson>,
    /// What the answer means, as a sentence.
    #[cfg_attr(feature = "typescript", ts(skip))]
    pub why: String,
}

/// Answer to an accepted offer: the new game.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct AcceptedJson {
    /// Id of the new game.
    #[serde(deserialize_with = "crate::text::word")]
    pub game: String,
}

/// Answer to a challenge. Built-in bots accept at once.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct ChallengedJson {
    /// Id of the challenge.
    #[serde(deserialize_with = "crate::text::word")]
    pub id: String,
    /// Id of the game, if the challenge was accepted at once; otherwise null.
    pub game: Option<String>,
}

/// Finished games, newest first.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct GamesJson {
    /// A page of the list.
    pub games: Vec<GameRowJson>,
    /// Value of `?before=` in the request for the next, older page. Null if this page is not full,
    /// because then there are no older games.
    pub next: Option<Millis>,
}

/// Answer to a request that was refused. Nothing has changed, except possibly if the code is
/// `unavailable`.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct RefusedJson {
    /// Reason, for programs.
    pub refused: RefusalCode,
    /// Reason, more exactly than `refused`; null if the code says everything.
    #[serde(default)]
    pub reason: Option<String>,
    /// Values in the sentence, by name.
    #[serde(default)]
    pub args: BTreeMap<String, String>,
    /// After this time, in milliseconds, the same request is no longer refused for this reason. Null
    /// if this time is not known, or if waiting does not help.
    #[serde(default)]
    pub retry_after_ms: Option<u64>,
    /// Reason, as a sentence that also says what to do.
    #[cfg_attr(feature = "typescript", ts(skip))]
    pub why: String,
}

/// The club's limits. A request beyond one is refused as `too-many`, or waits.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct LimitsJson {
    /// All limits that depend on addresses, accounts or sockets.
    pub limits: Vec<LimitJson>,
}

/// A limit.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct LimitJson {
    /// What is limited, for example `guests`.
    pub what: String,
    /// For each of what it is counted: `address`, `account`, `account-and-game` or `socket`.
    pub each: String,
    /// Maximum number at once.
    pub most: u32,
    /// Time in seconds in which so many become possible again, one by one. Null: they may exist at
    /// the same time.
    pub seconds: Option<u32>,
}

/// Description of a ruleset.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct RulesetJson {
    /// Id of the ruleset.
    pub id: String,
    /// Title, in a few words.
    pub title: String,
    /// Summary for a player who is about to play, in a few sentences.
    #[cfg_attr(feature = "typescript", ts(skip))]
    pub summary: String,
    /// Listeners who hear that a try was refused.
    pub refusals_heard_by: RefusalsHeardBy,
    /// Value of every choice, by name.
    pub choices: BTreeMap<String, String>,
    /// What the ruleset decides, as sentences under headings.
    #[cfg_attr(feature = "typescript", ts(skip))]
    pub sections: Vec<SectionJson>,
    /// The documents that contain the rules.
    #[cfg_attr(feature = "typescript", ts(skip))]
    pub sources: Vec<String>,
    /// Points that the sources do not mention, or that the ruleset decides differently.
    #[cfg_attr(feature = "typescript", ts(skip))]
    pub notes: Vec<String>,
    /// Questions that players may ask.
    pub asks: AsksJson,
}

/// Request to check a custom ruleset.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct RulesetTextJson {
    /// Text of the ruleset file (TOML).
    pub text: String,
}

/// Answer to the request to check a custom ruleset, if the ruleset is valid. The
/// answer says how the custom ruleset differs from a named ruleset.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct CheckedRulesetJson {
    /// Description of the custom ruleset.
    pub ruleset: RulesetJson,
    /// Id of a named ruleset. The custom ruleset is compared with it.
    pub base: String,
    /// Title of that named ruleset.
    #[cfg_attr(feature = "typescript", ts(skip))]
    pub base_title: String,
    /// Choices that differ from that named ruleset. Empty if no choice differs.
    pub changes: Vec<ChangeJson>,
    /// Position in which a game begins, as FEN; null for the usual one.
    pub start: Option<String>,
    /// Whether a screen in a hall may show the true position during a game.
    pub hall: bool,
}

/// A choice that is different in a custom ruleset and in the named ruleset.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct ChangeJson {
    /// Name of the choice.
    pub choice: String,
    /// Value in the custom ruleset.
    pub value: String,
    /// Value in the named ruleset.
    pub base_value: String,
    /// What the choice decides, in a few words.
    #[cfg_attr(feature = "typescript", ts(skip))]
    pub about: String,
    /// Value in the custom ruleset, as a sentence.
    #[cfg_attr(feature = "typescript", ts(skip))]
    pub here: String,
    /// Value in the named ruleset, as a sentence.
    #[cfg_attr(feature = "typescript", ts(skip))]
    pub there: String,
}

/// Listeners who hear that a try was refused.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum RefusalsHeardBy {
    /// Only the player who tried.
    Mover,
    /// Both players and the spectators.
    All,
}

/// A heading and the sentences under it.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct SectionJson {
    /// Text of the heading.
    pub heading: String,
    /// Sentences under the heading.
    pub sentences: Vec<String>,
}

/// Questions that players may ask under a ruleset.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct AsksJson {
    /// Whether the ruleset has Any?: "Have I a legal pawn capture?"
    pub any: bool,
    /// Whether the ruleset has `count`: how often was the opponent rebuffed?
    pub count: bool,
    /// Whether the ruleset has `recap`, which repeats the announcements of the last completed move.
    pub recap: bool,
    /// Whether the ruleset has `px`, which plays the only announced pawn capture.
    pub px: bool,
}

/// Table that compares the rulesets.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct ComparisonJson {
    /// Headings of the columns. The first column is the ruleset's id.
    pub columns: Vec<String>,
    /// One row for each ruleset, with one cell for each column. The cells
    /// contain abbreviations.
    pub rows: Vec<Vec<String>>,
    /// Explanation of the abbreviations.
    pub legend: String,
}
