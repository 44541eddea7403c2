//! What a player could know at each moment of a finished game, as JSON.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    club::{HearingJson, SeatViewJson},
    noun::{Man, Side},
    problem::ProblemOutcomeJson,
};

/// What one player could know about the opponent's men in a finished game. This knowledge is
/// computed only from what the player heard and tried.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct BeliefJson {
    /// Colour of the player.
    pub seat: Side,
    /// Largest number of positions that were kept at once. If more positions are
    /// possible, the kept positions are a sample.
    pub limit: u32,
    /// The moments of the game, in order. A step has a moment if the player heard something at that
    /// step. The first moment is the opening.
    pub moments: Vec<MomentJson>,
    /// Whether the list reaches the end of the game.
    pub complete: bool,
    /// Reason why the list ends before the game does; null if the list is
    /// complete.
    #[cfg_attr(feature = "typescript", ts(skip))]
    pub ended: Option<String>,
}

/// How far the computation of a belief is.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct BeliefProgressJson {
    /// Number of computed moments; 0 while the computation waits for its first turn.
    pub done: u32,
    /// Number of all moments; 0 while it is not known.
    pub all: u32,
}

/// What each turn of a player was worth, given only what this player had heard.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct TurnsJson {
    /// The player.
    pub seat: Side,
    /// The player's turns, in order.
    pub turns: Vec<TurnWorthJson>,
    /// Accuracy in percent, 0 to 100; null if no turn has a value.
    pub accuracy: Option<u8>,
    /// Whether all turns of the game are there.
    pub complete: bool,
}

/// What one turn was worth. Values are in hundredths of a pawn, on average over the positions that
/// were possible for the player; from the view of the player.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct TurnWorthJson {
    /// Number of the player's turn, from 1.
    pub turn: u32,
    /// Number of completed moves of both sides before the attempt.
    pub moves: u32,
    /// The first attempt of the turn that could be legal: a move as `e2e4`, a drop as `N@f3`.
    pub made: String,
    /// The best first attempt, after the answer no if Any? should be asked; null if there is none.
    pub best: Option<String>,
    /// Whether Any? should have been asked first.
    pub ask_any: bool,
    /// Whether the best attempts force mate in every position that was possible.
    pub forced_mate: bool,
    /// Value if the attempt is made first and the best ones follow; null in a turn that was decided
    /// by a forced mate or by the hunt of a lone king, and if the sample had no position in which the
    /// attempt is legal.
    pub value: Option<i32>,
    /// Value with the best attempts; null if `value` is.
    pub best_value: Option<i32>,
    /// Probability in percent that the attempt was legal; null if `value` is.
    pub legal: Option<u8>,
    /// Whether a forced mate or a pawn or more was given away.
    pub marked: bool,
    /// What was wrong; empty if the turn is not marked.
    pub lapses: Vec<LapseJson>,
}

/// What was wrong with an attempt. `percent` counts positions that were possible; 100 means all of
/// them, or of the sample.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum LapseJson {
    /// Where the attempt captures, the opponent can retake in so many positions.
    Retaken {
        /// Share of the positions in which it captures.
        percent: u8,
    },
    /// In every position some pawn capture was legal, and the best attempt is one.
    PawnTry,
    /// In so many positions the attempt ends the game in a draw.
    Draw {
        /// Share of the positions.
        percent: u8,
    },
    /// The best attempt is refused in so many positions, and nobody else hears that.
    Free {
        /// Share of the positions.
        percent: u8,
    },
    /// Any? should have been asked; in so many positions the answer is yes.
    AskAny {
        /// Share of the positions.
        percent: u8,
    },
    /// A man stands on the square of the best attempt in so many positions.
    Known {
        /// Kind of the man.
        man: Man,
        /// Its square.
        square: String,
        /// Share of the positions.
        percent: u8,
    },
}

/// What an attempt does, in percent of the positions that were possible.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct OddsJson {
    /// It is played; of Any?: the answer is yes.
    pub played: u8,
    /// It captures a man.
    pub captures: u8,
    /// It captures a man, and the opponent can retake.
    pub retaken: u8,
    /// The opponent can capture the man that moved.
    pub exposed: u8,
    /// It gives check.
    pub checks: u8,
    /// It mates.
    pub mates: u8,
    /// It ends the game in a draw.
    pub draws: u8,
}

/// A turn of a finished game that is tried again, before and after another attempt.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct RetryJson {
    /// The player.
    pub seat: Side,
    /// The choices of the ruleset.
    pub choices: BTreeMap<String, String>,
    /// The new attempt, if there is one.
    pub attempts: Vec<String>,
    /// Everything that the player had heard before the first attempt of the turn.
    pub hearings: Vec<HearingJson>,
    /// What the player knew.
    pub view: SeatViewJson,
    /// `open` before the attempt, `refuted` if the attempt gives a forced mate or a pawn or more
    /// away, or is illegal in all positions; else `solved`.
    pub outcome: ProblemOutcomeJson,
    /// What the attempt is worth; null before it.
    pub found: Option<RetriedJson>,
}

/// What another attempt was worth.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct RetriedJson {
    /// The value, as in the review of the turns; `made` is the new attempt, `any` if it is Any?.
    pub worth: TurnWorthJson,
    /// What the attempt does in the positions.
    pub odds: OddsJson,
}

/// What a player could know at one moment.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct MomentJson {
    /// Number of this step. Only the steps that the seat heard are counted. The opening is step 0.
    pub step: u32,
    /// Number of completed moves of both sides.
    pub moves: u32,
    /// Number of possible positions; an estimate is at most 10^12. Null if the
    /// number is not known.
    pub positions: Option<u64>,
    /// What `positions` means: exact, upper bound, estimate or unknown.
    pub regime: RegimeJson,
    /// Probability of each of the other side's men on each square, in per cent. 100 means that it is
    /// certain, 99 that the probability is over 99 per cent. If no position is kept, the probability of a man is the same on all its possible squares.
    pub heat: HeatJson,
    /// Facts that are certain.
    pub certain: Vec<FactJson>,
    /// The facts of `certain`, one sentence each.
    #[cfg_attr(feature = "typescript", ts(skip))]
    pub facts: Vec<String>,
    /// The mate that the player can force now. Null if there is no forced mate in few moves, if the
    /// search was not made, or if it is not the player's turn.
    pub mate: Option<ForcedMateJson>,
    /// If the player missed a forced mate in the last turn, the number of own moves for this mate.
    /// Otherwise null. A mate is missed in two cases: the player cannot force mate now in fewer
    /// moves, or the game ended and the player did not win.
    pub missed: Option<u8>,
}

/// A mate that a player can force against every possible position.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct ForcedMateJson {
    /// Number of own moves.
    pub moves: u8,
    /// The longest line of the mate: for each own move, the tries in order. The player makes a try
    /// only if the tries before it were refused.
    pub line: Vec<String>,
}

/// The answer to the question whether a player can force mate at a moment, whichever of the possible
/// positions is the true one.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct MateJson {
    /// Number of own moves within which the player is to mate.
    pub moves: u8,
    /// Whether there is an answer: not if too many positions are possible, if the search took too
    /// long, or if the opponent is to move.
    pub decided: bool,
    /// The mate; null if there is none, or no answer.
    pub mate: Option<ForcedMateJson>,
    /// FEN of at most ten positions: of those against which together there is no forced mate.
    pub refuting: Vec<String>,
}

/// A fact about the opponent's men that is true in every possible position.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum FactJson {
    /// All men of this kind are on these squares.
    On {
        /// Kind of the men.
        man: Man,
        /// The squares.
        squares: Vec<String>,
    },
    /// The only man of this kind is on one of these squares.
    OneOf {
        /// Kind of the man.
        man: Man,
        /// The squares.
        squares: Vec<String>,
    },
    /// A man of this kind is on each of these squares, and perhaps on others.
    Among {
        /// Kind of the men.
        man: Man,
        /// The squares.
        squares: Vec<String>,
    },
    /// All men of this kind but one are on known squares; this one is on one of these squares.
    Other {
        /// Kind of the man.
        man: Man,
        /// The squares.
        squares: Vec<String>,
    },
    /// A man of one of these kinds is on the square.
    Occupied {
        /// The square.
        square: String,
        /// The possible kinds.
        men: Vec<Man>,
    },
    /// So many men of this kind are left.
    Left {
        /// Kind of the men.
        man: Man,
        /// Their number.
        count: u8,
    },
}

/// How the kept positions relate to all possible positions.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum RegimeJson {
    /// All possible positions were kept, so the number is exact.
    Exact,
    /// All possible positions were kept, and perhaps some that are excluded by
    /// repetition or by the fifty-move rule. The number is an upper bound.
    Superset,
    /// The kept positions are a sample, so the number is an estimate.
    Sampled,
    /// No position was kept. Only the possible men of each square are known.
    Envelope,
}

/// For each role, the squares on which a man of this role could stand, each with its probability.
/// Probabilities are in per cent and rounded to whole numbers, so 0 means less than 0.5 per cent.
#[derive(Clone, Eq, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct HeatJson {
    /// Probability of the king.
    pub king: BTreeMap<String, u8>,
    /// Probability of a queen.
    pub queen: BTreeMap<String, u8>,
    /// Probability of a rook.
    pub rook: BTreeMap<String, u8>,
    /// Probability of a bishop.
    pub bishop: BTreeMap<String, u8>,
    /// Probability of a knight.
    pub knight: BTreeMap<String, u8>,
    /// Probability of a pawn.
    pub pawn: BTreeMap<String, u8>,
    /// Probability of any man.
    pub any: BTreeMap<String, u8>,
}
