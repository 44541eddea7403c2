//! Refusals: attempts that cannot be judged.

/// Reason why a call was not judged; no array was changed.
#[derive(Copy, Clone, Eq, PartialEq, Debug, thiserror::Error)]
pub enum Refusal {
    /// MTERMN says that the game is over, or ICOLOR is 0.
    #[error("the game is over; start another")]
    Over,
    /// MTERMN is not 1, 2 or 3: nobody has started the game.
    #[error("MTERMN is {0}: the game has not been started")]
    NotStarted(i16),
    /// A try request under Western rules.
    #[error(
        "a try request (ITRYRQ 1) belongs to Eastern rules; under Western rules tries are told unasked"
    )]
    NoRequests,
    /// MRULES is neither 1 nor 2.
    #[error("MRULES is {0}: it must be 1 (Western) or 2 (Eastern)")]
    Rules(i16),
    /// The board cannot be judged.
    #[error(transparent)]
    Board(#[from] BoardFault),
}

/// Reason why a board cannot be judged.
#[derive(Copy, Clone, Eq, PartialEq, Debug, thiserror::Error)]
pub enum BoardFault {
    /// A cell holds no man's code.
    #[error("column {h}, row {v} of IBOARD holds {code}: it must be from -6 to 6")]
    Code {
        /// The column, from 1.
        h: u8,
        /// The row, from 1.
        v: u8,
        /// Code in the cell.
        code: i8,
    },
    /// A side has no king, or more than one.
    #[error("each side must have exactly one king (codes 1 and -1)")]
    Kings,
    /// A pawn on the first or last row.
    #[error("a pawn stands on row 1 or row 8")]
    PawnRow,
    /// A side has more than eight pawns.
    #[error("a side has more than eight pawns")]
    Pawns,
    /// ICOLOR is none of 1, -1, 0.
    #[error("ICOLOR is {0}: it must be 1 (White moves) or -1 (Black moves)")]
    Color(i8),
    /// The side that is not to move is in check.
    #[error("the side to move could take the king")]
    OppositeCheck,
}
