//! What a listener hears, as JSON.

use rules::{Attempt, Direction, chess::Square};
use serde::{Deserialize, Serialize};

use crate::{
    captured::CapturedJson,
    noun::{Man, ReasonJson, ResultJson, Side},
    start::{CastlingJson, ReservesJson},
    text::{Text, not_null, present},
};

/// One thing that one listener hears. The key `kind` names the kind of thing.
#[derive(Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum HeardJson {
    /// A game begins.
    Start {
        /// Id of the ruleset.
        rules: String,
        /// The listener's own men, as the board part of a FEN; null for
        /// spectators.
        #[serde(deserialize_with = "present")]
        men: Option<String>,
        /// The listener's own castling rights; null for spectators.
        #[serde(deserialize_with = "present")]
        castling: Option<CastlingJson>,
        /// Both reserves. Absent if both are empty.
        #[serde(
            default,
            skip_serializing_if = "Option::is_none",
            deserialize_with = "not_null"
        )]
        reserves: Option<ReservesJson>,
    },
    /// A try was legal, and the move was played.
    Moved {
        /// Side that moved.
        by: Side,
        /// The move as it was played. Only the player who moved hears the move.
        #[serde(
            default,
            skip_serializing_if = "Option::is_none",
            deserialize_with = "not_null"
        )]
        #[cfg_attr(feature = "schema", schema(value_type = Option<String>))]
        attempt: Option<Text<Attempt>>,
    },
    /// A try is illegal, and was answered "no".
    No {
        /// Side that tried.
        by: Side,
        /// The try. Only the player who tried hears which try it was.
        #[serde(
            default,
            skip_serializing_if = "Option::is_none",
            deserialize_with = "not_null"
        )]
        #[cfg_attr(feature = "schema", schema(value_type = Option<String>))]
        attempt: Option<Text<Attempt>>,
    },
    /// An attempt is nonsense.
    Nonsense {
        /// Side that made the attempt.
        by: Side,
        /// The attempt. Only the player who made the attempt hears which attempt it was.
        #[serde(
            default,
            skip_serializing_if = "Option::is_none",
            deserialize_with = "not_null"
        )]
        #[cfg_attr(feature = "schema", schema(value_type = Option<String>))]
        attempt: Option<Text<Attempt>>,
    },
    /// A try was already refused in this turn.
    RepeatNo {
        /// Side that tried.
        by: Side,
        /// The try. Only the player who tried hears which try it was.
        #[serde(
            default,
            skip_serializing_if = "Option::is_none",
            deserialize_with = "not_null"
        )]
        #[cfg_attr(feature = "schema", schema(value_type = Option<String>))]
        attempt: Option<Text<Attempt>>,
    },
    /// Any? was asked and answered.
    Any {
        /// Side that asked.
        by: Side,
        /// Whether the side that asked has a legal pawn capture.
        answer: bool,
    },
    /// A man of the listener was captured. Only the owner of the man hears this.
    Lost {
        /// Square of the man.
        #[cfg_attr(feature = "schema", schema(value_type = String))]
        square: Text<Square>,
        /// The man that was captured.
        man: Man,
    },
    /// A capture is announced.
    Capture {
        /// The announced square; null if none is announced.
        #[serde(deserialize_with = "present")]
        #[cfg_attr(feature = "schema", schema(value_type = Option<String>))]
        square: Option<Text<Square>>,
        /// What is announced about the captured man; null if nothing is
        /// announced.
        #[serde(deserialize_with = "present")]
        man: Option<CapturedJson>,
        /// Whether the announcement says that the capture is en passant.
        en_passant: bool,
    },
    /// A man was dropped from the reserve.
    Drop {
        /// Side that dropped the man.
        by: Side,
        /// The man that was dropped.
        man: Man,
    },
    /// A pawn was promoted.
    Promotion {
        /// Side that promoted.
        by: Side,
    },
    /// The player to move is in check.
    Check {
        /// The announced directions; empty if none are announced.
        #[cfg_attr(feature = "schema", schema(value_type = Vec<String>))]
        directions: Vec<Text<Direction>>,
    },
    /// What is announced about the pawn tries of the player to move. The object has
    /// one of four forms: `any`, `count`, `squares`, or `squares` with `double`.
    Tries {
        /// Whether there is a pawn try.
        #[serde(
            default,
            skip_serializing_if = "Option::is_none",
            deserialize_with = "not_null"
        )]
        any: Option<bool>,
        /// Number of pawn tries.
        #[serde(
            default,
            skip_serializing_if = "Option::is_none",
            deserialize_with = "not_null"
        )]
        count: Option<u8>,
        /// Target squares of the pawn tries. If the ruleset names pawn tries by their origin, the
        /// origin squares. If `double` is present, only the target squares that exactly one pawn can
        /// reach.
        #[serde(
            default,
            skip_serializing_if = "Option::is_none",
            deserialize_with = "not_null"
        )]
        #[cfg_attr(feature = "schema", schema(value_type = Option<Vec<String>>))]
        squares: Option<Vec<Text<Square>>>,
        /// Target squares that two pawns can reach.
        #[serde(
            default,
            skip_serializing_if = "Option::is_none",
            deserialize_with = "not_null"
        )]
        #[cfg_attr(feature = "schema", schema(value_type = Option<Vec<String>>))]
        double: Option<Vec<Text<Square>>>,
    },
    /// The turn passes to a player.
    Turn {
        /// The player to move.
        to_move: Side,
    },
    /// A player asked how often the opponent was rebuffed (got the answer "no"), and the referee
    /// answers.
    Rebuffs {
        /// Side that asked.
        by: Side,
        /// Number of times that the opponent of `by` was rebuffed.
        count: u32,
    },
    /// A player asked for the announcements of the last completed move, and the referee repeats
    /// them.
    Recap {
        /// Side that asked.
        by: Side,
        /// The repeated announcements.
        #[cfg_attr(feature = "schema", schema(no_recursion))]
        said: Vec<HeardJson>,
    },
    /// A player offers a draw.
    DrawOffer {
        /// Side that offers the draw.
        by: Side,
    },
    /// A player declines the draw offer.
    DrawDeclined {
        /// Side that declines.
        by: Side,
    },
    /// A player withdraws a draw offer.
    DrawWithdrawn {
        /// Side that withdraws its offer.
        by: Side,
    },
    /// The game is over.
    Over {
        /// Result of the game.
        result: ResultJson,
        /// Reason why the game ended.
        reason: ReasonJson,
    },
}

/// Error: the JSON is well-formed, but no referee can say this.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum HeardError {
    /// A `start` is given, but an announcement is expected.
    #[error("`start` is the opening of a game, not an announcement")]
    Start,
    /// `tries` does not have exactly one of its forms.
    #[error(
        "`tries` must have exactly one of `any`, `count` and `squares` (with or without `double`)"
    )]
    Tries,
    /// `recap` contains an item that is not an announcement, or one kind of
    /// announcement twice.
    #[error(
        "`recap` may contain only capture, drop, promotion, check, tries and turn, each at most once"
    )]
    Recap,
    /// `men` is not a board with men of one side only.
    #[error("`men` must be the board part of a FEN with the men of one side only, not `{men}`")]
    Men {
        /// The text that was given.
        men: String,
    },
    /// Only one of `men` and `castling` is given.
    #[error("`men` and `castling` must be both given (for a seat) or both null (for the room)")]
    HalfSeat,
    /// A reserve contains a letter that does not stand for a man.
    #[error("a reserve must consist of the letters QRBNP, not `{reserve}`")]
    Reserve {
        /// The text that was given.
        reserve: String,
    },
}
