//! Items that a listener hears, as JSON.

use rules::{Attempt, Direction, chess::Square};
use serde::{Deserialize, Serialize};

use crate::{
    captured::CapturedJson,
    noun::{Man, ReasonJson, ResultJson, Side},
    start::{CastlingJson, ReservesJson},
    text::{Text, not_null, present},
};

/// One thing heard by one listener: an object with its `kind`.
#[derive(Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum HeardJson {
    /// A game opens.
    Start {
        /// The ruleset's id.
        rules: String,
        /// The board of the listener's own men; null for the room.
        #[serde(deserialize_with = "present")]
        men: Option<String>,
        /// The listener's castling rights; null for the room.
        #[serde(deserialize_with = "present")]
        castling: Option<CastlingJson>,
        /// Both reserves, where one is not empty.
        #[serde(
            default,
            skip_serializing_if = "Option::is_none",
            deserialize_with = "not_null"
        )]
        reserves: Option<ReservesJson>,
    },
    /// A try was played.
    Moved {
        /// Side that tried.
        by: Side,
        /// The move as it was played; for the mover alone.
        #[serde(
            default,
            skip_serializing_if = "Option::is_none",
            deserialize_with = "not_null"
        )]
        #[cfg_attr(feature = "schema", schema(value_type = Option<String>))]
        attempt: Option<Text<Attempt>>,
    },
    /// A try is illegal.
    No {
        /// Side that tried.
        by: Side,
        /// The attempt; told to the one who tried alone.
        #[serde(
            default,
            skip_serializing_if = "Option::is_none",
            deserialize_with = "not_null"
        )]
        #[cfg_attr(feature = "schema", schema(value_type = Option<String>))]
        attempt: Option<Text<Attempt>>,
    },
    /// An attempt was nonsense.
    Nonsense {
        /// Side that tried.
        by: Side,
        /// The attempt; told to the one who tried alone.
        #[serde(
            default,
            skip_serializing_if = "Option::is_none",
            deserialize_with = "not_null"
        )]
        #[cfg_attr(feature = "schema", schema(value_type = Option<String>))]
        attempt: Option<Text<Attempt>>,
    },
    /// A try was refused this turn already.
    RepeatNo {
        /// Side that tried.
        by: Side,
        /// The attempt; told to the one who tried alone.
        #[serde(
            default,
            skip_serializing_if = "Option::is_none",
            deserialize_with = "not_null"
        )]
        #[cfg_attr(feature = "schema", schema(value_type = Option<String>))]
        attempt: Option<Text<Attempt>>,
    },
    /// Any? was answered.
    Any {
        /// Side that asked.
        by: Side,
        /// Whether the asker has a legal pawn capture.
        answer: bool,
    },
    /// The listener's own man is gone.
    Lost {
        /// Square on which it stood.
        #[cfg_attr(feature = "schema", schema(value_type = String))]
        square: Text<Square>,
        /// Kind of the man.
        man: Man,
    },
    /// A man was captured.
    Capture {
        /// The square told.
        #[serde(deserialize_with = "present")]
        #[cfg_attr(feature = "schema", schema(value_type = Option<String>))]
        square: Option<Text<Square>>,
        /// Announced kind of the man; null if it is not told.
        #[serde(deserialize_with = "present")]
        man: Option<CapturedJson>,
        /// Whether it was said to be en passant.
        en_passant: bool,
    },
    /// A man was dropped.
    Drop {
        /// By whom.
        by: Side,
        /// Kind of the man.
        man: Man,
    },
    /// A pawn was promoted.
    Promotion {
        /// By whom.
        by: Side,
    },
    /// The player to move is in check.
    Check {
        /// The directions told.
        #[cfg_attr(feature = "schema", schema(value_type = Vec<String>))]
        directions: Vec<Text<Direction>>,
    },
    /// The pawn tries of the player to move, in one of four forms.
    Tries {
        /// Whether there is one.
        #[serde(
            default,
            skip_serializing_if = "Option::is_none",
            deserialize_with = "not_null"
        )]
        any: Option<bool>,
        /// Number of pawn tries, if it is told.
        #[serde(
            default,
            skip_serializing_if = "Option::is_none",
            deserialize_with = "not_null"
        )]
        count: Option<u8>,
        /// The squares; with `double`, those reached by one pawn.
        #[serde(
            default,
            skip_serializing_if = "Option::is_none",
            deserialize_with = "not_null"
        )]
        #[cfg_attr(feature = "schema", schema(value_type = Option<Vec<String>>))]
        squares: Option<Vec<Text<Square>>>,
        /// The squares reached by two pawns.
        #[serde(
            default,
            skip_serializing_if = "Option::is_none",
            deserialize_with = "not_null"
        )]
        #[cfg_attr(feature = "schema", schema(value_type = Option<Vec<String>>))]
        double: Option<Vec<Text<Square>>>,
    },
    /// Side whose turn it is.
    Turn {
        /// The player to move.
        to_move: Side,
    },
    /// The count of rebuffs.
    Rebuffs {
        /// Side that asked.
        by: Side,
        /// Number of times the asker's opponent was rebuffed.
        count: u32,
    },
    /// The announcements of the last completed move again.
    Recap {
        /// Side that asked.
        by: Side,
        /// Announcements that are repeated.
        #[cfg_attr(feature = "schema", schema(no_recursion))]
        said: Vec<HeardJson>,
    },
    /// A draw is offered.
    DrawOffer {
        /// By whom.
        by: Side,
    },
    /// The draw is declined.
    DrawDeclined {
        /// By whom.
        by: Side,
    },
    /// The draw offer is taken back.
    DrawWithdrawn {
        /// By whom.
        by: Side,
    },
    /// The game is over.
    Over {
        /// The score.
        result: ResultJson,
        /// The reason.
        reason: ReasonJson,
    },
}

/// A heard object that is well-formed JSON but says nothing a referee says.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum HeardError {
    /// A `start` where an announcement was expected.
    #[error("`start` opens a game and is no announcement")]
    Start,
    /// Not exactly one form of `tries`.
    #[error("`tries` has exactly one of `any`, `count`, `squares` (with or without `double`)")]
    Tries,
    /// Something in a recapitulation that is not repeated there.
    #[error("`recap` repeats capture, drop, promotion, check, tries and turn, each at most once")]
    Recap,
    /// `men` that are no board of one side's own men.
    #[error("`men` must be the board part of a FEN with the men of one side only, not `{men}`")]
    Men {
        /// As given.
        men: String,
    },
    /// Men without castling rights, or rights without men.
    #[error("`men` and `castling` are both given (a seat) or both null (the room)")]
    HalfSeat,
    /// A letter that is no man of a reserve.
    #[error("a reserve is written with the letters QRBNP, not `{reserve}`")]
    Reserve {
        /// As given.
        reserve: String,
    },
}
