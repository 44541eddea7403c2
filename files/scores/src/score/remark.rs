//! Remarks on oddities of a score that do not prevent reading.

use std::fmt;

use notation::Place;
use rules::{Try, chess::Color};

/// A remark on a score.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Remark {
    /// Place in the file.
    pub at: Place,
    /// What the remark is about.
    pub kind: RemarkKind,
}

/// What a remark is about. All indices of half-moves count from 0, White's first move.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum RemarkKind {
    /// The file is Latin-1, or Windows-1252.
    Latin1,
    /// A wrong move number. Both numbers are indices of half-moves.
    Number {
        /// The half-move that the number names.
        found: usize,
        /// The half-move that comes next.
        expected: usize,
    },
    /// A check that is not marked, in a column that has other check marks.
    CheckUnmarked {
        /// Index of the half-move.
        ply: usize,
        /// The move as written.
        text: String,
    },
    /// A check mark at a move that does not give check.
    NoCheck {
        /// Index of the half-move.
        ply: usize,
        /// The move as written.
        text: String,
    },
    /// A mark of mate at a move that does not give mate.
    NoMate {
        /// Index of the half-move.
        ply: usize,
        /// The move as written.
        text: String,
    },
    /// A column without any check mark, in a game with checks.
    NoCheckMarks {
        /// Number of checks.
        checks: usize,
    },
    /// A text that fits several moves, but only one of these moves agrees with the rest of the
    /// score or with the other column.
    Resolved {
        /// Index of the half-move.
        ply: usize,
        /// The move as written.
        text: String,
        /// The move that agrees.
        as_move: Try,
    },
    /// A difference between the score and its corrected copy.
    CorrectedCopy {
        /// Index of the half-move.
        ply: usize,
        /// The move in the corrected copy.
        text: String,
        /// The move in the score; `None` if the score is shorter.
        read: Option<Try>,
    },
    /// A move that is taken from prose, because no other text can be this move.
    FromProse {
        /// Index of the half-move.
        ply: usize,
        /// The move as written.
        text: String,
    },
    /// A numbered move that is not part of the game.
    Aside {
        /// Index of the half-move that the number names.
        ply: usize,
        /// The move as written.
        text: String,
    },
    /// Prose after the last move that may say the result, in a sentence that is not understood.
    ResultInDoubt,
    /// A result that differs from another result of the file, or from the last position.
    OtherResult {
        /// The result that differs.
        written: &'static str,
        /// The result that is used.
        used: &'static str,
        /// Whether the last position decides.
        by_position: bool,
    },
}

/// Returns the move number of a half-move, as `25.` or `25...`.
pub(super) fn number(ply: usize) -> String {
    let dots = match side(ply) {
        Color::White => ".",
        Color::Black => "...",
    };
    format!("{}{dots}", ply / 2 + 1)
}

/// Returns the side that makes a half-move, given its index.
pub(super) const fn side(ply: usize) -> Color {
    if ply.is_multiple_of(2) {
        Color::White
    } else {
        Color::Black
    }
}

impl Remark {
    /// Checks whether the remark is about a move number.
    pub(super) fn is_number(&self) -> bool {
        matches!(self.kind, RemarkKind::Number { .. })
    }
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.at)?;
        match &self.kind {
            RemarkKind::Latin1 => {
                f.write_str("the file is not UTF-8, and is read as Latin-1 (Windows-1252)")
            }
            RemarkKind::Number { found, expected } => write!(
                f,
                "the move number is {}, but the next move is {}",
                number(*found),
                number(*expected)
            ),
            RemarkKind::CheckUnmarked { ply, text } => {
                write!(
                    f,
                    "{}{text} gives check, but has no check mark",
                    number(*ply)
                )
            }
            RemarkKind::NoCheck { ply, text } => write!(
                f,
                "{}{text} has a check mark, but gives no check",
                number(*ply)
            ),
            RemarkKind::NoMate { ply, text } => write!(f, "{}{text} is not mate", number(*ply)),
            RemarkKind::NoCheckMarks { checks } => {
                write!(
                    f,
                    "this column has no check mark; number of checks in the game: {checks}"
                )
            }
            RemarkKind::Resolved { ply, text, as_move } => write!(
                f,
                "{}{text} fits several moves; only {as_move} agrees with the rest",
                number(*ply)
            ),
            RemarkKind::CorrectedCopy { ply, text, read } => {
                write!(
                    f,
                    "the corrected copy has {}{text}, but the score has ",
                    number(*ply)
                )?;
                match read {
                    Some(t) => write!(f, "{t}"),
                    None => f.write_str("nothing"),
                }
            }
            RemarkKind::FromProse { ply, text } => {
                write!(f, "{}{text} is taken from the prose", number(*ply))
            }
            RemarkKind::Aside { ply, text } => write!(
                f,
                "{}{text} is not part of the game, and is skipped as prose",
                number(*ply)
            ),
            RemarkKind::ResultInDoubt => f.write_str(
                "in doubt about the result: the prose after this move may name it; write 1-0, 0-1 or 1/2-1/2",
            ),
            RemarkKind::OtherResult {
                written,
                used,
                by_position,
            } => {
                let why = if *by_position {
                    "the last position"
                } else {
                    "the end of the moves"
                };
                write!(
                    f,
                    "the result {written} contradicts {why}; the result is {used}"
                )
            }
        }
    }
}
