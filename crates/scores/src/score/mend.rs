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
    /// The half-move's number.
    pub ply: usize,
    /// The notation of its column.
    pub notation: Notation,
    /// The text as written.
    pub written: Written,
    /// The move that may have been meant.
    pub meant: String,
    /// The move.
    pub as_move: Try,
}

/// A way to make the whole score playable.
#[derive(Clone, Debug)]
pub struct Mend {
    /// Number of characters that change.
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
    /// Whether all are here that cost no more than the cheapest (and change
    /// at most three moves, none without need). Of dearer ones, by one
    /// character, only some are looked for.
    pub whole: bool,
}

/// Limits of a search for mends; a larger change would be an invention.
const LIMITS: Limits = Limits {
    answers: 256,
    beyond: 1,
    changes: 3,
    states: u64::MAX,
    dearer: 10_000,
};

/// Largest number of mends that are listed.
const LISTED: usize = 12;

impl ScoreFile {
    /// Searches for the cheapest changes (in characters: a wrong file, wing,
    /// rank, man or sign) that make the whole score playable, until `stop`
    /// says that it took long enough. At most three moves are changed.
    ///
    /// The moves found and their order depend only on the score; `stop` only
    /// cuts the list.
    pub fn mend(
        &self,
        start: StartPosition,
        choices: &Choices,
        stop: &mut dyn FnMut() -> bool,
    ) -> Mends {
        let desk = Desk::new(self, start, choices);
        let found = desk.search(Trust::Nobody, LIMITS).run(stop);
        let mut mends: Vec<Mend> = Vec::new();
        let mut whole = found.whole && found.answers.len() < LIMITS.answers;
        for answer in found.answers {
            let changes = changes(&desk, &answer.moves);
            // Who changes more than is needed mends nothing.
            let idle = |known: &Mend| known.changes.iter().all(|c| changes.contains(c));
            if mends.iter().any(idle) {
                continue;
            }
            if mends.len() == LISTED {
                whole = false;
                break;
            }
            mends.push(Mend {
                cost: answer.cost,
                changes,
                score: desk.score(answer.moves),
            });
        }
        Mends { mends, whole }
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
