//! Faults of a game.

use referee::{FenError, ParseEventError};

use super::san::SanFault;

/// The longest game that is read, in bytes; a longer one is reported and
/// skipped.
pub const LONGEST_GAME: usize = 16 << 20;

/// A game that cannot be read: where, and why.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("line {line}, column {column}: {fault}")]
pub struct Damaged {
    /// The line of the file, from 1.
    pub line: u64,
    /// The column, in bytes, from 1.
    pub column: u64,
    /// The fault.
    #[source]
    pub fault: PgnFault,
}

/// Fault of a game.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum PgnFault {
    /// Longer than any game.
    #[error("a game longer than {} MiB is not read; is this a PGN file?", LONGEST_GAME >> 20)]
    TooLong,
    /// A tag that is none.
    #[error("a line of the head is written [Name \"value\"]")]
    Tag,
    /// A start position that is none.
    #[error("the start position: {0}")]
    Fen(FenError),
    /// Tag and log do not agree.
    #[error("the tag FEN and the start position in [%ks opened ...] are not the same; remove one")]
    FenDisagrees,
    /// Own men that are none.
    #[error("the tags Men and Castling of a player's view do not name the men of one side")]
    Men,
    /// A game of something else.
    #[error("a game of `{0}`, which is no Kriegspiel and no plain chess")]
    OtherGame(String),
    /// A comment without an end.
    #[error("a comment is opened with {{ and not closed with }}")]
    OpenComment,
    /// An end without a comment.
    #[error("a }} without its {{; comments do not nest")]
    StrayBrace,
    /// A variation without an end, or an end without a variation.
    #[error("a variation is not closed, or closed and not opened")]
    Variation,
    /// A move that cannot be played.
    #[error("move {number} `{text}`: {fault}")]
    Move {
        /// Its number, as `12.` or `12...`.
        number: String,
        /// As written.
        text: String,
        /// The fault.
        fault: SanFault,
    },
    /// A move of a side whose moves are hidden.
    #[error("move {number} `{text}` is shown, but this side's moves before were hidden")]
    HiddenSide {
        /// Its number.
        number: String,
        /// As written.
        text: String,
    },
    /// A log that cannot be read.
    #[error("in [%ks]: {0}")]
    Event(#[from] ParseEventError),
    /// Log and main line do not agree.
    #[error("[%ks] says `{event}`, but the move is {shown}")]
    EventDisagrees {
        /// The event.
        event: String,
        /// The move of the main line.
        shown: String,
    },
    /// Some moves have an event in the log and some have none.
    #[error(
        "{moves} moves, but {events} of them in [%ks]; remove all [%ks] to have the game judged anew"
    )]
    EventsMissing {
        /// Moves of the main line.
        moves: usize,
        /// Moves of the log.
        events: usize,
    },
    /// An opening that does not open.
    #[error("[%ks opened ...] stands before the first move, once")]
    OpenedLate,
    /// More after the end.
    #[error("`{0}` after the result; a new game begins with a line [Event \"...\"]")]
    AfterResult(String),
    /// The end is missing.
    #[error("the game is cut off: its head says {0}, and no result ends it")]
    CutOff(String),
}
