//! The first place at which a score cannot be played.

use std::fmt;

use notation::{Diagram, Men, Notation};
use referee::StartPosition;
use rules::{Try, chess::Color};

use super::{closest::Near, remark::number, san::san, search::Token, written::Written};

/// The first move of a score that cannot be played.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Stop {
    /// Index of the half-move; 0 is White's first move.
    pub ply: usize,
    /// Notation of the column.
    pub notation: Notation,
    /// The move as written.
    pub written: Written,
    /// Reason why the move cannot be played.
    pub why: Why,
    /// Position before the move, as FEN.
    pub fen: String,
    /// Diagram of that position, from White's side.
    pub diagram: String,
    /// Legal moves whose spelling is closest to the text, the closest first.
    pub closest: Vec<Closest>,
}

/// Reason why a move cannot be played.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum Why {
    /// The text is not in a supported notation.
    NotNotation,
    /// The text hides the move, like `??` and `--`.
    Hidden,
    /// The text fits no legal move.
    NotLegal,
    /// The text fits several legal moves, given in standard algebraic notation.
    Ambiguous(Vec<String>),
}

/// A legal move, and how close its spelling is to the text.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Closest {
    /// The legal move.
    pub as_move: Try,
    /// One of the spellings of the move: the spelling that is closest to the text.
    pub text: String,
    /// Number of characters that differ.
    pub changed: u32,
}

/// Maximum number of legal moves in [`Stop::closest`].
const NAMED: usize = 5;

impl Stop {
    /// Describes why the move of `token` cannot be played. `after` is the position in which the move
    /// should be played.
    pub(super) fn at(ply: usize, token: &Token<'_>, after: &StartPosition, first: usize) -> Stop {
        let position = after.position();
        let named = token.names(position);
        let mut near: Vec<Near> = position
            .legal_tries()
            .into_iter()
            .map(|t| token.near(position, t))
            .collect();
        near.sort_unstable_by(|a, b| (a.cost, &a.text, a.t).cmp(&(b.cost, &b.text, b.t)));
        let why = match (&token.read, named.as_slice()) {
            (None, _) if is_hidden(&token.written.text) => Why::Hidden,
            (None, _) => Why::NotNotation,
            (Some(_), []) => Why::NotLegal,
            (Some(_), several) => {
                Why::Ambiguous(several.iter().map(|t| san(position, *t)).collect())
            }
        };
        let fullmoves = u32::try_from((first + ply) / 2 + 1).unwrap_or(u32::MAX);
        Stop {
            ply: first + ply,
            notation: token.notation,
            written: token.written.clone(),
            why,
            fen: position.fen(
                position.reserves() != Default::default(),
                after.halfmoves(),
                fullmoves,
            ),
            diagram: Diagram::new(&position.board(), Color::White, Men::Letters).to_string(),
            closest: near
                .into_iter()
                .take(NAMED)
                .map(|near| Closest {
                    as_move: near.t,
                    text: near.text,
                    changed: near.cost.max(1),
                })
                .collect(),
        }
    }
}

/// Checks whether a text means a hidden move.
fn is_hidden(text: &str) -> bool {
    matches!(text, "--" | "Z0" | "@@@@" | "0000") || text.chars().all(|c| "?-".contains(c))
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text: String = self.written.text.chars().take(40).collect();
        write!(f, "{}: {}{text} ", self.written.at, number(self.ply))?;
        match &self.why {
            Why::NotNotation => write!(
                f,
                "is not a move in a known notation (put # before lines without moves)"
            )?,
            Why::Hidden => write!(
                f,
                "does not say which move was played: one player's view of a game cannot be read as its score"
            )?,
            Why::NotLegal => write!(f, "cannot be played")?,
            Why::Ambiguous(several) => write!(f, "may be {}", several.join(" or "))?,
        }
        write!(f, "\n{}\n{}", self.fen, self.diagram)?;
        if self.closest.is_empty() {
            write!(f, "\nthere is no legal move: the game was already over")?;
        } else {
            write!(f, "\nclosest: ")?;
            for (i, near) in self.closest.iter().enumerate() {
                let comma = if i == 0 { "" } else { ", " };
                write!(f, "{comma}{} ({})", near.text, near.changed)?;
            }
            write!(f, "  (characters changed)")?;
        }
        Ok(())
    }
}
