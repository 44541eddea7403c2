//! Reads a score: finds and plays every move.

use notation::{CheckMark, Notation, Place};
use referee::StartPosition;
use rules::{Choices, ReserveUse, Try, chess::Color};

use super::{
    ending::Ending,
    file::{Column, ScoreFile},
    fit::check_and_mate,
    remark::{Remark, RemarkKind},
    search::{CandidateMoves, Found, Limits, Search, Token, tokens},
    stop::Stop,
    written::Written,
};

/// A score whose moves can all be played.
#[derive(Clone, Debug)]
pub struct Score {
    /// Start position.
    pub start: StartPosition,
    /// Whether captured men can be dropped.
    pub drops: bool,
    /// Index of the first half-move; 0 is White's first move.
    pub first_ply: usize,
    /// Moves of the score, in order.
    pub moves: Vec<Try>,
    /// Ending of the score.
    pub ending: Ending,
    /// Moves in which a column differs from the moves of the score.
    pub differences: Vec<Difference>,
    /// Other remarks on the score.
    pub remarks: Vec<Remark>,
}

/// A move in which a column differs from the moves of the score.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Difference {
    /// Index of the half-move; 0 is White's first move.
    pub ply: usize,
    /// Notation of the column.
    pub notation: Notation,
    /// The move as the column gives it.
    pub written: Written,
    /// Text that the column should have.
    pub proposed: String,
    /// Whether the move in the column is also legal.
    pub playable: bool,
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let number = super::remark::number(self.ply);
        let can = if self.playable {
            "can also be played"
        } else {
            "cannot be played"
        };
        write!(
            f,
            "{}: {number}{} ({}) differs from the other column and {can}; proposed: {number}{}",
            self.written.at,
            self.written.text,
            self.notation.name(),
            self.proposed
        )
    }
}

const READING: Limits = Limits {
    answers: 2,
    extra_cost: u32::MAX / 2,
    changes: 0,
    states: 200_000,
    dearer: u64::MAX,
};

/// The parsed columns of a score, and the position at its start.
pub(super) struct ParsedColumns<'a> {
    pub file: &'a ScoreFile,
    choices: &'a Choices,
    pub start: StartPosition,
    pub drops: bool,
    pub tokens: Vec<Vec<Token<'a>>>,
    pub first_ply: usize,
}

impl<'a> ParsedColumns<'a> {
    pub(super) fn new(
        file: &'a ScoreFile,
        start: StartPosition,
        choices: &'a Choices,
    ) -> ParsedColumns<'a> {
        let turn = start.position().turn();
        // The side to move comes from the position, and the number of the move comes from the
        // score.
        let first_ply = (file.first_ply & !1) | usize::from(turn == Color::Black);
        ParsedColumns {
            file,
            choices,
            tokens: tokens(&file.columns, turn),
            drops: choices.reserve == ReserveUse::Drops,
            start,
            first_ply,
        }
    }

    pub(super) fn search(&self, candidates: CandidateMoves, limits: Limits) -> Search<'_> {
        Search::new(
            &self.tokens,
            self.start.position(),
            self.drops,
            candidates,
            limits,
        )
    }

    /// Creates a score from the moves that were found, with differences and remarks.
    pub(super) fn score(&self, moves: Vec<Try>) -> Score {
        let mut score = Score {
            start: self.start.clone(),
            drops: self.drops,
            first_ply: self.first_ply,
            ending: Ending::Unfinished,
            differences: Vec::new(),
            remarks: self.file.remarks.clone(),
            moves,
        };
        for (column, tokens) in self.file.columns.iter().zip(&self.tokens) {
            self.compare(column, tokens, &mut score);
        }
        self.corrected_copy(&mut score);
        self.end(&mut score);
        score.remarks.sort_by_key(|remark| remark.at);
        score.differences.sort_by_key(|d| d.written.at);
        score
    }

    /// Finds the ending. Mate and stalemate count more than what is written, and the end of the
    /// moves counts more than a tag.
    fn end(&self, score: &mut Score) {
        let mut last = *score.start.position();
        for t in &score.moves {
            last.play(*t, score.drops);
        }
        let to_move = last.turn();
        let position = match (last.any_legal(), last.checkers().any()) {
            (true, _) => None,
            (false, true) => Some(Ending::Won(to_move.other())),
            (false, false) => Some(Ending::Drawn),
        };
        let begin = Place { line: 1, column: 1 };
        let columns = self.file.columns.iter().filter_map(|c| c.ending);
        let tag = self.file.tag("Result").and_then(Ending::read);
        let written: Vec<(Ending, Place)> = columns.chain(tag.map(|tag| (tag, begin))).collect();
        let first = written.first().map(|(ending, _)| *ending);
        score.ending = position.or(first).unwrap_or(Ending::Unfinished);
        let used = score.result();
        for (ending, at) in written {
            let other = ending.result(to_move);
            if other != used && ending != Ending::Unfinished {
                score.remarks.push(Remark {
                    at,
                    kind: RemarkKind::OtherResult {
                        written: other,
                        used,
                        by_position: position.is_some(),
                    },
                });
            }
        }
    }

    fn compare(&self, column: &Column, tokens: &[Token<'_>], score: &mut Score) {
        let marked = tokens
            .iter()
            .any(|token| token.read.as_ref().is_some_and(|r| r.marks.check.is_some()));
        let mut checks = 0;
        let mut position = *self.start.position();
        for (i, (token, t)) in tokens.iter().zip(score.moves.clone()).enumerate() {
            let ply = self.first_ply + i;
            let named = token.names(&position);
            if !named.contains(&t) {
                score.differences.push(Difference {
                    ply,
                    notation: token.notation,
                    written: token.written.clone(),
                    proposed: token.near(&position, t).text,
                    playable: !named.is_empty(),
                });
            } else if named.len() > 1 {
                score.remarks.push(Remark {
                    at: token.written.at,
                    kind: RemarkKind::Resolved {
                        ply,
                        text: token.written.text.clone(),
                        as_move: t,
                    },
                });
            }
            let (check, mate) = check_and_mate(&position, t);
            checks += usize::from(check);
            let mark = token.read.as_ref().and_then(|read| read.marks.check);
            let text = token.written.text.clone();
            let kind = match mark {
                Some(_) if !check => Some(RemarkKind::NoCheck { ply, text }),
                Some(CheckMark::Mate) if !mate => Some(RemarkKind::NoMate { ply, text }),
                None if check && marked => Some(RemarkKind::CheckUnmarked { ply, text }),
                Some(_) | None => None,
            };
            if let Some(kind) = kind {
                let at = token.written.at;
                score.remarks.push(Remark { at, kind });
            }
            position.play(t, self.drops);
        }
        if !marked
            && checks > 0
            && let Some(first) = column.moves.first()
        {
            score.remarks.push(Remark {
                at: first.at,
                kind: RemarkKind::NoCheckMarks { checks },
            });
        }
    }

    fn corrected_copy(&self, score: &mut Score) {
        for (i, written) in self.file.corrected_copy.iter().enumerate() {
            let read = score.moves.get(i).copied();
            if read.map(|t| t.to_string()) != Some(written.text.to_lowercase()) {
                score.remarks.push(Remark {
                    at: written.at,
                    kind: RemarkKind::CorrectedCopy {
                        ply: self.first_ply + i,
                        text: written.text.clone(),
                        read,
                    },
                });
                return;
            }
        }
    }

    /// Describes the first move of a column that cannot be played. `moves` are the moves before it.
    fn stop(&self, column: usize, moves: &[Try]) -> Box<Stop> {
        let mut position = self.start.clone().under(self.choices);
        for t in moves {
            position.play(*t);
        }
        let token = &self.tokens[column][moves.len()];
        Box::new(Stop::at(moves.len(), token, &position, self.first_ply))
    }

    /// Finds the moves of one column. If a text of the column is ambiguous, the other column
    /// decides.
    fn read_by(&self, column: usize) -> Result<(Vec<Try>, u32), Box<Stop>> {
        let found = self
            .search(CandidateMoves::NamedBy(column), READING)
            .run(&mut || false);
        let Found {
            answers, deepest, ..
        } = found;
        match answers.as_slice() {
            [] => Err(self.stop(column, &deepest)),
            [one] => Ok((one.moves.clone(), one.cost)),
            [one, other, ..] if one.cost < other.cost => Ok((one.moves.clone(), one.cost)),
            [one, other, ..] => {
                let same = one.moves.iter().zip(&other.moves);
                let ply = same.take_while(|(a, b)| a == b).count();
                Err(self.stop(column, &one.moves[..ply]))
            }
        }
    }
}

impl ScoreFile {
    /// Keeps only the column with this index, counted from 0. Returns false if there is no such
    /// column.
    pub fn keep(&mut self, column: usize) -> bool {
        if column >= self.columns.len() {
            return false;
        }
        self.columns = vec![self.columns.swap_remove(column)];
        true
    }

    /// Plays the score from `start`. If there are two columns, one of them must be playable
    /// as written. If one column is shorter, the longer column must be playable. The other column is
    /// compared with the playable column. If a text of one column is ambiguous, the text of the
    /// other column decides.
    ///
    /// # Errors
    /// A move cannot be played, or is ambiguous. The error describes the first such move. If there
    /// are two columns, the error describes the column that can be played furthest.
    ///
    /// # Examples
    ///
    /// ```
    /// use referee::StartPosition;
    /// use rules::rulesets;
    /// use scores::score::ScoreFile;
    ///
    /// let choices = rulesets::by_id("rand").expect("the ruleset is built in").choices;
    /// let file = ScoreFile::read(b"1. P-K4 P-Q4 2. PxP QxP")?;
    /// let score = file.play(StartPosition::initial(), &choices).expect("every move is legal");
    /// assert_eq!(score.moves.len(), 4);
    ///
    /// let file = ScoreFile::read(b"1. e4 e5 2. Nf4 Nc6")?;
    /// let stop = file.play(StartPosition::initial(), &choices).unwrap_err();
    /// assert_eq!((stop.ply, stop.closest[0].text.as_str()), (2, "Nf3"));
    /// # Ok::<(), scores::score::TextError>(())
    /// ```
    pub fn play(&self, start: StartPosition, choices: &Choices) -> Result<Score, Box<Stop>> {
        let parsed = ParsedColumns::new(self, start, choices);
        let length = parsed.tokens.iter().map(Vec::len).max().unwrap_or(0);
        let mut best: Option<(Vec<Try>, u32)> = None;
        let mut stops: Vec<Box<Stop>> = Vec::new();
        for column in 0..parsed.tokens.len() {
            if parsed.tokens[column].len() < length {
                continue;
            }
            match parsed.read_by(column) {
                Ok(found) if best.as_ref().is_none_or(|(_, cost)| found.1 < *cost) => {
                    best = Some(found);
                }
                Ok(_) => {}
                Err(stop) => stops.push(stop),
            }
        }
        match best {
            Some((moves, _)) => Ok(parsed.score(moves)),
            None => {
                // Report the column that could be played furthest.
                stops.sort_by_key(|stop| std::cmp::Reverse(stop.ply));
                Err(stops.swap_remove(0))
            }
        }
    }

    /// Returns the place in the file of the first move.
    pub fn begins(&self) -> Option<Place> {
        Some(self.columns.first()?.moves.first()?.at)
    }
}
