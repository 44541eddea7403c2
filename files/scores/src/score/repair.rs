//! Finds the smallest changes that make a score with misprints playable.

use std::fmt;

use notation::Notation;
use referee::StartPosition;
use rules::{Choices, Try};

use super::{
    file::ScoreFile,
    read::{ParsedColumns, Score},
    remark::number,
    search::{CandidateMoves, Limits},
    written::Written,
};

/// A change of the text that one column has for a half-move.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Change {
    /// Index of the half-move; 0 is White's first move.
    pub ply: usize,
    /// Notation of the column.
    pub notation: Notation,
    /// The move as written.
    pub written: Written,
    /// Text of the move that may have been meant.
    pub meant: String,
    /// The move that may have been meant.
    pub as_move: Try,
}

/// A set of changes that makes the whole score playable.
#[derive(Clone, Debug)]
pub struct Repair {
    /// Number of characters that change.
    pub cost: u32,
    /// Changes, in the order of the half-moves.
    pub changes: Vec<Change>,
    /// The score after the changes.
    pub score: Score,
}

/// Repairs of a score, the cheapest first.
#[derive(Clone, Debug)]
pub struct Repairs {
    /// The repairs that were found.
    pub repairs: Vec<Repair>,
    /// Whether `repairs` contains all repairs of the lowest cost. A repair does not count if it has
    /// an unnecessary change, a change of more than four characters, or more than three moves that
    /// no column names. `repairs` can also contain repairs that cost one character more, but perhaps
    /// not all of them.
    pub whole: bool,
}

/// Limits of the search. A repair with larger changes would be a guess, not a correction.
const LIMITS: Limits = Limits {
    answers: 256,
    extra_cost: 1,
    changes: 3,
    states: u64::MAX,
    dearer: 10_000,
};

/// Maximum number of repairs in the result.
const MAX_REPAIRS: usize = 12;

impl ScoreFile {
    /// Searches for the smallest changes that make the whole score playable, until `stop` returns
    /// true. The cost of a change is the number of changed characters. At most three moves of a
    /// repair are named by no column.
    ///
    /// The repairs and their order depend only on the score. `stop` can only shorten the
    /// list.
    pub fn repairs(
        &self,
        start: StartPosition,
        choices: &Choices,
        stop: &mut dyn FnMut() -> bool,
    ) -> Repairs {
        let parsed = ParsedColumns::new(self, start, choices);
        let found = parsed.search(CandidateMoves::AllLegal, LIMITS).run(stop);
        let mut repairs: Vec<Repair> = Vec::new();
        let mut whole = found.whole && found.answers.len() < LIMITS.answers;
        for answer in found.answers {
            let changes = changes(&parsed, &answer.moves);
            // Skip a repair that only adds changes to a known repair: the added changes are
            // unnecessary.
            let idle = |known: &Repair| known.changes.iter().all(|c| changes.contains(c));
            if repairs.iter().any(idle) {
                continue;
            }
            if repairs.len() == MAX_REPAIRS {
                whole = false;
                break;
            }
            repairs.push(Repair {
                cost: answer.cost,
                changes,
                score: parsed.score(answer.moves),
            });
        }
        Repairs { repairs, whole }
    }
}

fn changes(parsed: &ParsedColumns<'_>, moves: &[Try]) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut position = *parsed.start.position();
    for (i, t) in moves.iter().copied().enumerate() {
        for token in parsed.tokens.iter().filter_map(|column| column.get(i)) {
            if !token.names(&position).contains(&t) {
                changes.push(Change {
                    ply: parsed.first_ply + i,
                    notation: token.notation,
                    written: token.written.clone(),
                    meant: token.near(&position, t).text,
                    as_move: t,
                });
            }
        }
        position.play(t, parsed.drops);
    }
    changes
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = if self.cost == 1 { "" } else { "s" };
        write!(f, "{} character{plural}:", self.cost)?;
        for (i, change) in self.changes.iter().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            let number = number(change.ply);
            write!(
                f,
                "{comma} {number}{} -> {number}{}",
                change.written.text, change.meant
            )?;
        }
        Ok(())
    }
}
