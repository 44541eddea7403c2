//! The end of a game.

use std::{fmt, str::FromStr};

use crate::chess::Color;

/// Result of a game.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub enum Winner {
    /// White won.
    White,
    /// Black won.
    Black,
    /// The game is a draw.
    Draw,
    /// The game was not finished; it has no result.
    Unfinished,
}

impl Winner {
    /// Returns the result as in PGN: `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub const fn score(self) -> &'static str {
        match self {
            Winner::White => "1-0",
            Winner::Black => "0-1",
            Winner::Draw => "1/2-1/2",
            Winner::Unfinished => "*",
        }
    }

    /// Returns the side that lost, if any.
    pub const fn loser(self) -> Option<Color> {
        match self {
            Winner::White => Some(Color::Black),
            Winner::Black => Some(Color::White),
            Winner::Draw | Winner::Unfinished => None,
        }
    }

    /// Returns the result with this PGN text.
    pub fn from_score(score: &str) -> Option<Winner> {
        [
            Winner::White,
            Winner::Black,
            Winner::Draw,
            Winner::Unfinished,
        ]
        .into_iter()
        .find(|w| w.score() == score)
    }
}

impl From<Color> for Winner {
    fn from(color: Color) -> Winner {
        match color {
            Color::White => Winner::White,
            Color::Black => Winner::Black,
        }
    }
}

crate::named! {
    /// Reason why a game ended.
    Reason {
        /// The side to move is in check and has no legal move.
        Checkmate = "checkmate";
        /// The side to move is not in check and has no legal move.
        Stalemate = "stalemate";
        /// Neither side has enough material left to mate, under the rules of the ruleset.
        Insufficient = "insufficient";
        /// A position occurred for the third time.
        Threefold = "threefold";
        /// Fifty moves by each side without capture or pawn move.
        Fifty = "fifty";
        /// A player resigned.
        Resignation = "resignation";
        /// The players agreed to a draw.
        Agreement = "agreement";
        /// A player's time is up.
        Time = "time";
        /// The limit of pawn captures in one turn is reached, and no other move
        /// is legal.
        ExhaustedTries = "exhausted-tries";
        /// The game was aborted, without a result.
        Aborted = "aborted";
        /// A player has left the game.
        Abandoned = "abandoned";
    }
}

/// Error: no reason has this name.
#[derive(Copy, Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("not a reason for a game's end")]
pub struct ParseReasonError;

impl FromStr for Reason {
    type Err = ParseReasonError;

    fn from_str(s: &str) -> Result<Reason, ParseReasonError> {
        Reason::from_name(s).ok_or(ParseReasonError)
    }
}

/// End of a game.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub struct Over {
    /// Result of the game.
    pub winner: Winner,
    /// Why the game ended.
    pub reason: Reason,
}

impl fmt::Display for Over {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.winner.score(), self.reason.name())
    }
}
