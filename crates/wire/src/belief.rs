//! Knowledge of one seat at each moment of a finished game.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::noun::Side;

/// Knowledge of one seat about the other side's men in a finished game, from
/// what it heard and its own attempts alone.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct BeliefJson {
    /// The seat.
    pub seat: Side,
    /// The most positions that were kept at once; where more are possible, a
    /// sample stands for them.
    pub limit: u32,
    /// One for each step at which the seat heard something, in order; the
    /// opening is the first.
    pub moments: Vec<MomentJson>,
    /// Reason why there is no moment after the last of these; null where all are there.
    pub ended: Option<String>,
}

/// Knowledge of a seat at one moment.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct MomentJson {
    /// Number of possible positions, an estimate at most 10^12; null if it is
    /// not known.
    pub positions: Option<u64>,
    /// Meaning of that number.
    pub regime: RegimeJson,
    /// Probability of each of the other side's men on each square.
    pub heat: HeatJson,
    /// Certain facts, a sentence each.
    pub facts: Vec<String>,
}

/// Relation between the positions that are kept and all that are possible.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum RegimeJson {
    /// They are all, and the number is exact.
    Exact,
    /// They are all, and perhaps some that repetition or the fifty-move rule
    /// excludes: the number is an upper bound.
    Superset,
    /// They are a sample, and the number is an estimate.
    Sampled,
    /// None is left; only what can stand where is known.
    Envelope,
}

/// For each role the squares on which such a man could stand, each with the
/// probability in per cent, rounded: 0 is less than half of one.
#[derive(Clone, Eq, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct HeatJson {
    /// The king.
    pub king: BTreeMap<String, u8>,
    /// Queens.
    pub queen: BTreeMap<String, u8>,
    /// Rooks.
    pub rook: BTreeMap<String, u8>,
    /// Bishops.
    pub bishop: BTreeMap<String, u8>,
    /// Knights.
    pub knight: BTreeMap<String, u8>,
    /// Pawns.
    pub pawn: BTreeMap<String, u8>,
    /// Any man.
    pub any: BTreeMap<String, u8>,
}
