//! Bodies of the HTTP API that no message of the socket carries.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    club::{GameRowJson, Millis, PlayerJson, TermsJson},
    says::{RefusalCode, TableAct},
};

/// An account that is to be made.
#[derive(Clone, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct NewAccountJson {
    /// The name.
    pub name: String,
    /// The password.
    pub password: String,
    /// Whether a program will play by it; everybody is told so.
    #[serde(default)]
    pub program: bool,
    /// As for [`CredentialsJson::token`].
    #[serde(default)]
    pub token: bool,
}

/// Name and password, to sign in.
#[derive(Clone, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct CredentialsJson {
    /// The name.
    pub name: String,
    /// The password.
    pub password: String,
    /// Whether the token is wanted in the answer, for a program; otherwise it
    /// comes as a cookie that no script can read.
    #[serde(default)]
    pub token: bool,
}

/// A guest's wish.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct GuestJson {
    /// As for [`CredentialsJson::token`].
    #[serde(default)]
    pub token: bool,
}

/// A session has begun.
#[derive(Clone, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct SessionJson {
    /// Account of the caller.
    pub you: PlayerJson,
    /// The session's token, if it was asked for; shown this once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
}

/// Account of the caller, and the version of the API.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct MeJson {
    /// The version of the API.
    pub version: u32,
    /// You; null for a visitor.
    pub you: Option<PlayerJson>,
    /// The server's time.
    pub now: Millis,
}

/// A challenge that is to be made.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct NewChallengeJson {
    /// Player who is challenged.
    pub to: String,
    /// Terms of the game.
    pub terms: TermsJson,
}

/// An attempt, or any other word to the referee.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct TryJson {
    /// Made by the client, unique for the seat: the same id again gets the same answer.
    pub id: String,
    /// The last number heard.
    pub after: u32,
    /// Text of the line.
    pub text: String,
}

/// Something between the players and the club.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct ActJson {
    /// As for a try.
    pub id: String,
    /// The action.
    pub act: TableAct,
}

/// The answer to a try or an act.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct SaidJson {
    /// The number of what you heard upon it; null for an act.
    pub n: Option<u32>,
    /// Answer that you heard, in one word.
    pub answer: String,
    /// Meaning of the answer here, in words.
    pub why: String,
}

/// An offer was accepted: this is the game.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct AcceptedJson {
    /// Its id.
    pub game: String,
}

/// A challenge was made; one to a program is accepted at once.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct ChallengedJson {
    /// The challenge's id.
    pub id: String,
    /// The game, if it was accepted at once.
    pub game: Option<String>,
}

/// The reader's own finished games, newest first.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct GamesJson {
    /// The games.
    pub games: Vec<GameRowJson>,
    /// Ask with `?before=` this for older ones; null when there are none.
    pub next: Option<Millis>,
}

/// A request was refused: nothing has changed.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct RefusedJson {
    /// A word for programs.
    pub refused: RefusalCode,
    /// Text of the refusal, with the remedy.
    pub why: String,
}

/// A ruleset in plain words.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct RulesetJson {
    /// Its id.
    pub id: String,
    /// Title, in a few words.
    pub title: String,
    /// Summary for a player before the game, in a few sentences.
    pub summary: String,
    /// Listeners who hear that a try was refused.
    pub refusals_heard_by: RefusalsHeardBy,
    /// The value of every choice.
    pub choices: BTreeMap<String, String>,
    /// Choices of the ruleset, in sentences.
    pub sections: Vec<SectionJson>,
    /// Sources of the rules.
    pub sources: Vec<String>,
    /// Points on which the sources are silent, or we depart from them.
    pub notes: Vec<String>,
    /// Questions that can be asked.
    pub asks: AsksJson,
}

/// A custom ruleset, to be checked.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct RulesetTextJson {
    /// The text of its file (TOML).
    pub text: String,
}

/// A custom ruleset that can be played, and how it differs from a named one.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct CheckedRulesetJson {
    /// It, in plain words.
    pub ruleset: RulesetJson,
    /// The id of the named ruleset that it starts from.
    pub base: String,
    /// Title of the base.
    pub base_title: String,
    /// Differences from the base; empty when there are none.
    pub changes: Vec<ChangeJson>,
}

/// A choice that differs from the ruleset's base.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct ChangeJson {
    /// The choice.
    pub choice: String,
    /// Subject of the choice.
    pub about: String,
    /// Choice here, in a sentence.
    pub here: String,
    /// Choice there, in a sentence.
    pub there: String,
}

/// Listeners who hear that a try was refused.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum RefusalsHeardBy {
    /// The mover alone.
    Mover,
    /// Everybody.
    All,
}

/// A heading and what stands under it.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct SectionJson {
    /// The heading.
    pub heading: String,
    /// The sentences.
    pub sentences: Vec<String>,
}

/// Questions that can be asked under a ruleset.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct AsksJson {
    /// Any?
    pub any: bool,
    /// Number of times the opponent was rebuffed.
    pub count: bool,
    /// The last announcements again.
    pub recap: bool,
    /// `px` plays the one pawn capture announced.
    pub px: bool,
}

/// The rulesets side by side.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct ComparisonJson {
    /// Heads of the columns, the ruleset first.
    pub columns: Vec<String>,
    /// A row a ruleset, a cell a column, in short words.
    pub rows: Vec<Vec<String>>,
    /// Meaning of the short words.
    pub legend: String,
}
