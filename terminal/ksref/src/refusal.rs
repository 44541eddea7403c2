//! Reasons why an attempt cannot be judged.

/// Reason why an attempt was not judged. No array was changed.
#[derive(Copy, Clone, Eq, PartialEq, Debug, thiserror::Error)]
pub enum Refusal {
    /// The game is over: MTERMN is 2 or 3, or ICOLOR is 0.
    #[error("the game is over; start another")]
    Over,
    /// The game has not been started: MTERMN is not 1, 2 or 3.
    #[error("MTERMN is {0}: the game has not been started")]
    NotStarted(i16),
    /// A try request was made under Western rules.
    #[error(
        "a try request (ITRYRQ 1) belongs to Eastern rules; under Western rules, pawn tries are announced without a request"
    )]
    NoRequests,
    /// MRULES is neither 1 nor 2.
    #[error("MRULES is {0}: it must be 1 (Western) or 2 (Eastern)")]
    Rules(i16),
    /// IBOARD does not contain a board that can be judged.
    #[error(transparent)]
    Board(#[from] BoardFault),
}

/// Reason why a board cannot be judged.
#[derive(Copy, Clone, Eq, PartialEq, Debug, thiserror::Error)]
pub enum BoardFault {
    /// A code is out of range.
    #[error("column {h}, row {v} of IBOARD holds {code}: it must be from -6 to 6")]
    Code {
        /// Column of the cell, from 1.
        h: u8,
        /// Row of the cell, from 1.
        v: u8,
        /// Code that was found in the cell.
        code: i8,
    },
    /// A side has no king, or more than one.
    #[error("each side must have exactly one king (codes 1 and -1)")]
    Kings,
    /// A pawn is on the first or last row.
    #[error("a pawn is on row 1 or row 8")]
    PawnRow,
    /// A side has more than eight pawns.
    #[error("a side has more than eight pawns")]
    Pawns,
    /// ICOLOR is not 1, -1 or 0.
    #[error("ICOLOR is {0}: it must be 1 (White moves) or -1 (Black moves)")]
    Color(i8),
    /// The side that is not to move is in check.
    #[error("the side to move could capture the king")]
    OppositeCheck,
}
