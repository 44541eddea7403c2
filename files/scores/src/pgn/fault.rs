//! Faults of a game in PGN.

use referee::{FenError, ParseEventError};

use super::san::SanFault;

/// Maximum length of a game, in bytes. A longer game is reported as an error and skipped.
pub const MAX_GAME: usize = 16 << 20;

/// Error: a game cannot be read.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("line {line}, column {column}: {fault}")]
pub struct Damaged {
    /// Line of the file, from 1.
    pub line: u64,
    /// Column in bytes, from 1.
    pub column: u64,
    /// The fault.
    #[source]
    pub fault: PgnFault,
}

/// Fault of a game in PGN.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum PgnFault {
    /// The game is longer than [`MAX_GAME`].
    #[error("a game longer than {} MiB is not read; is this a PGN file?", MAX_GAME >> 20)]
    TooLong,
    /// A line of the header is not a tag.
    #[error("a line of the header must have the form [Name \"value\"]")]
    Tag,
    /// The start position is invalid.
    #[error("the start position: {0}")]
    Fen(FenError),
    /// The tag FEN and the log have different start positions.
    #[error("the tag FEN and the start position in [%ks opened ...] are not the same; remove one")]
    FenDisagrees,
    /// The tags of a player's view do not give valid men of one side.
    #[error("the tags Men and Castling of a player's view do not name the men of one side")]
    Men,
    /// The game is of a chess variant other than Kriegspiel.
    #[error("a game of `{0}`, which is neither Kriegspiel nor plain chess")]
    OtherGame(String),
    /// A comment is not closed.
    #[error("a comment begins with {{, but does not end with }}")]
    OpenComment,
    /// A closing brace is outside a comment.
    #[error("a }} without a {{ before it; a comment cannot contain a comment")]
    StrayBrace,
    /// A variation is not closed, or was not opened.
    #[error("a variation has no closing bracket, or no opening bracket")]
    Variation,
    /// A move cannot be read or played.
    #[error("move {number} `{text}`: {fault}")]
    Move {
        /// Number of the move, as `12.` or `12...`.
        number: String,
        /// The move as written.
        text: String,
        /// Fault of the move.
        fault: SanFault,
    },
    /// A move is shown, but earlier moves of the same side are hidden.
    #[error("move {number} `{text}` is shown, but earlier moves of this side are hidden")]
    HiddenSide {
        /// Number of the move.
        number: String,
        /// The move as written.
        text: String,
    },
    /// The log cannot be read.
    #[error("in [%ks]: {0}")]
    Event(#[from] ParseEventError),
    /// Log and main line do not agree.
    #[error("[%ks] says `{event}`, but the move is {shown}")]
    EventDisagrees {
        /// Event of the log.
        event: String,
        /// Move of the main line.
        shown: String,
    },
    /// Some moves have no event in the log.
    #[error(
        "the game has {moves} moves, but [%ks] has only {events} of them; remove all [%ks] to judge the game again"
    )]
    EventsMissing {
        /// Number of moves in the main line.
        moves: usize,
        /// Number of moves in the log.
        events: usize,
    },
    /// The opening event of the log is in the wrong place, or occurs twice.
    #[error("[%ks opened ...] must occur once, before the first move")]
    OpenedLate,
    /// There is text after the result.
    #[error("unexpected `{0}` after the result; a new game begins with a line [Event \"...\"]")]
    AfterResult(String),
    /// The header gives a result, but the moves end without a result.
    #[error(
        "the game is cut off: its header gives the result {0}, but the moves end without a result"
    )]
    CutOff(String),
}
