//! Remarks on a score that can be read all the same.

use std::fmt;

use notation::Place;
use rules::{Try, chess::Color};

/// A remark, and where it belongs.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Remark {
    /// Place of the remark.
    pub at: Place,
    /// Content of the remark.
    pub said: RemarkKind,
}

/// Content of a remark.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum RemarkKind {
    /// The file is Latin-1.
    Latin1,
    /// A number that does not continue the numbering, as half-moves.
    Number {
        /// The number it says.
        found: usize,
        /// The number that is due.
        expected: usize,
    },
    /// A check that is not marked.
    CheckUnmarked {
        /// The half-move.
        ply: usize,
        /// As written.
        text: String,
    },
    /// A mark of check at a move that gives none.
    NoCheck {
        /// The half-move.
        ply: usize,
        /// As written.
        text: String,
    },
    /// A mark of mate where there is none.
    NoMate {
        /// The half-move.
        ply: usize,
        /// As written.
        text: String,
    },
    /// No check is marked in the whole column, though some were given.
    NoCheckMarks {
        /// Number of checks given.
        checks: usize,
    },
    /// A text that fits several moves, of which only one lets the rest of the
    /// score be played, or agrees with the other column.
    Resolved {
        /// The half-move.
        ply: usize,
        /// As written.
        text: String,
        /// The move.
        as_move: Try,
    },
    /// The fair copy has another move.
    FairCopy {
        /// The half-move.
        ply: usize,
        /// As written in the fair copy.
        text: String,
        /// The move that was read.
        read: Option<Try>,
    },
}

/// A half-move's number: `25.` or `25...`.
pub(super) fn number(ply: usize) -> String {
    let dots = match side(ply) {
        Color::White => ".",
        Color::Black => "...",
    };
    format!("{}{dots}", ply / 2 + 1)
}

/// Returns the side that makes a half-move.
pub(super) const fn side(ply: usize) -> Color {
    if ply.is_multiple_of(2) {
        Color::White
    } else {
        Color::Black
    }
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.at)?;
        match &self.said {
            RemarkKind::Latin1 => f.write_str("the file is not UTF-8, and is read as Latin-1"),
            RemarkKind::Number { found, expected } => write!(
                f,
                "the number says {}, but {} comes next",
                number(*found),
                number(*expected)
            ),
            RemarkKind::CheckUnmarked { ply, text } => {
                write!(f, "{}{text} gives check, which is not marked", number(*ply))
            }
            RemarkKind::NoCheck { ply, text } => write!(f, "{}{text} gives no check", number(*ply)),
            RemarkKind::NoMate { ply, text } => write!(f, "{}{text} is not mate", number(*ply)),
            RemarkKind::NoCheckMarks { checks } => {
                write!(f, "no check is marked in this column, {checks} were given")
            }
            RemarkKind::Resolved { ply, text, as_move } => write!(
                f,
                "{}{text} fits several moves; only {as_move} agrees with the rest",
                number(*ply)
            ),
            RemarkKind::FairCopy { ply, text, read } => {
                write!(f, "the fair copy has {}{text}, read was ", number(*ply))?;
                match read {
                    Some(t) => write!(f, "{t}"),
                    None => f.write_str("nothing"),
                }
            }
        }
    }
}
