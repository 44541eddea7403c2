//! Problems: lists, and a problem that is being solved, as JSON.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    club::{HearingJson, SeatViewJson},
    noun::Side,
};

/// A page of the list of problems.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct ProblemsJson {
    /// The problems, the composed ones first.
    pub problems: Vec<ProblemRowJson>,
    /// Number of all problems with these properties.
    pub total: u32,
    /// Ids of the rulesets that have problems.
    pub rules: Vec<String>,
    /// Composers.
    pub authors: Vec<String>,
}

/// A problem in a list. Nothing in it says whether there is a forced mate.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct ProblemRowJson {
    /// Name of the problem.
    pub id: String,
    /// Id of the ruleset.
    pub rules: String,
    /// Seat that is to mate.
    pub seat: Side,
    /// Number of own moves within which this seat is to mate.
    pub moves: u8,
    /// Where the problem comes from.
    pub theme: ProblemThemeJson,
    /// Composer; null if there is none.
    pub author: Option<String>,
}

/// Where a problem comes from.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum ProblemThemeJson {
    /// A person has composed it.
    Composed,
    /// From a game, against a king without other men.
    LoneKing,
    /// From a game, against several men.
    Men,
}

/// A problem after some attempts.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct ProblemJson {
    /// The problem.
    pub problem: ProblemRowJson,
    /// Publication; null if there is none.
    pub source: Option<String>,
    /// Number of positions that are possible at the beginning.
    pub possible: u32,
    /// FEN of the beginning, if a single position is possible; else null.
    pub start: Option<String>,
    /// FEN of the position in which the game began, which both players know; if nothing was heard
    /// before the problem, of each position that is possible. Empty for the usual start.
    pub given: Vec<String>,
    /// The choices of the ruleset; mates are announced under each.
    pub choices: BTreeMap<String, String>,
    /// The attempts; `none` says that there is no forced mate.
    pub attempts: Vec<String>,
    /// Everything that the seat has heard, also before the problem begins.
    pub hearings: Vec<HearingJson>,
    /// What the seat knows.
    pub view: SeatViewJson,
    /// Number of own moves that are left.
    pub left: u8,
    /// State of the problem.
    pub outcome: ProblemOutcomeJson,
    /// At most three positions against which together no mate can be forced any more; empty while
    /// one can be forced.
    pub refutations: Vec<RefutationJson>,
    /// Name of the next problem of the same ruleset, length and theme.
    pub next: String,
    /// Number of days since the beginning of 1970, for the problem of the day; else null.
    pub day: Option<u32>,
}

/// The ratings at a problem.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct ProblemRatingJson {
    /// The reader's rating by problems; null without an account.
    pub points: Option<i32>,
    /// Its deviation; null if `points` is.
    pub deviation: Option<i32>,
    /// The problem's rating.
    pub problem: i32,
    /// Whether the reader has a result at this problem; later ones do not count.
    pub counted: bool,
}

/// The end of a first attempt to solve a problem.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct ProblemResultJson {
    /// Whether the problem was solved without a hint.
    pub solved: bool,
}

/// The lessons in their order.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct LessonsJson {
    /// Names of the lessons.
    pub lessons: Vec<String>,
}

/// A lesson after some attempts of White.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct LessonJson {
    /// Name of the lesson.
    pub id: String,
    /// Id of the ruleset.
    pub rules: String,
    /// Its choices.
    pub choices: BTreeMap<String, String>,
    /// The attempts.
    pub attempts: Vec<String>,
    /// Everything that White has heard.
    pub hearings: Vec<HearingJson>,
    /// What White knows.
    pub view: SeatViewJson,
    /// Number of own moves that are left.
    pub left: u8,
    /// Whether the goal is reached (`solved`) or can no longer be reached (`refuted`).
    pub outcome: ProblemOutcomeJson,
    /// FEN of the true position, after the end; else null.
    pub truth: Option<String>,
    /// Square on which White must first put a guess; null if there is none.
    pub guess: Option<String>,
    /// Name of the next lesson; null after the last one.
    pub next: Option<String>,
}

/// State of a problem or of a lesson.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum ProblemOutcomeJson {
    /// The seat is to move.
    Open,
    /// Mate, or there is no forced mate and the last attempt says so.
    Solved,
    /// After the last attempt there is no forced mate in the moves that are left.
    Refuted,
    /// The last attempt says that there is no forced mate, but there is one.
    MateExists,
}

/// A position against which no mate can be forced any more, and how it came about.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct RefutationJson {
    /// FEN at the beginning of the problem.
    pub start: String,
    /// Moves of both sides since then.
    pub moves: Vec<String>,
    /// FEN after these moves.
    pub end: String,
}

/// The answer to a problem from where it stands.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct SolutionJson {
    /// An attempt with which a shortest forced mate begins; null if there is no forced mate.
    pub attempt: Option<String>,
}
