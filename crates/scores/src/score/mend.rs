//! The cheapest misprints that would make a score playable.

use std::fmt;

use notation::Notation;
use referee::StartPosition;
use rules::{Choices, Try};

use super::{
    file::{ScoreFile, Written},
    read::{Desk, Score},
    remark::number,
    search::{Limits, Trust},
};

/// A move that was written otherwise.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Change {
    /// Which half-move, by its number.
    pub ply: usize,
    /// The notation of its column.
    pub notation: Notation,
    /// What is written.
    pub written: Written,
    /// What may have been meant.
    pub meant: String,
    /// The move.
    pub as_move: Try,
}

/// A way to make the whole score playable.
#[derive(Clone, Debug)]
pub struct Mend {
    /// How many characters change.
    pub cost: u32,
    /// The moves that change, in order.
    pub changes: Vec<Change>,
    /// The score so mended.
    pub score: Score,
}

/// The mends of a score, the cheapest first.
#[derive(Clone, Debug)]
pub struct Mends {
    /// Those that were found.
    pub mends: Vec<Mend>,
    /// Whether all that change at most three moves were looked at that cost
    /// no more than one character beyond the cheapest.
    pub whole: bool,
}

/// Who mends more than this invents.
const LIMITS: Limits = Limits {
    answers: 8,
    beyond: 1,
    changes: 3,
    states: u64::MAX,
};

impl ScoreFile {
    /// Searches for the cheapest changes (in characters: a wrong file, wing,
    /// rank, man or sign) that make the whole score playable, until `stop`
    /// says that it took long enough. At most three moves are changed.
    ///
    /// What is found, and in which order, depends on nothing but the score;
    /// `stop` only cuts the list.
    pub fn mend(
        &self,
        start: StartPosition,
        choices: &Choices,
        stop: &mut dyn FnMut() -> bool,
    ) -> Mends {
        let desk = Desk::new(self, start, choices);
        let found = desk.search(Trust::Nobody, LIMITS).run(stop);
        let mends = found
            .answers
            .into_iter()
            .map(|answer| {
                let changes = changes(&desk, &answer.moves);
                Mend {
                    cost: answer.cost,
                    changes,
                    score: desk.score(answer.moves),
                }
            })
            .collect();
        Mends {
            mends,
            whole: found.whole,
        }
    }
}

fn changes(desk: &Desk<'_>, moves: &[Try]) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut position = *desk.start.position();
    for (i, t) in moves.iter().copied().enumerate() {
        for token in desk.tokens.iter().filter_map(|column| column.get(i)) {
            if !token.names(&position).contains(&t) {
                changes.push(Change {
                    ply: desk.first_ply + i,
                    notation: token.notation,
                    written: token.written.clone(),
                    meant: token.near(&position, t).text,
                    as_move: t,
                });
            }
        }
        position.play(t, desk.drops);
    }
    changes
}

impl fmt::Display for Mend {
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
