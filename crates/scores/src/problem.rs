//! Problems: what one seat heard of a game, each as one JSON line.
//!
//! The data are those of the Berkeley Kriegspiel mate database, as JSON. The seat
//! is White and the game begins from the usual start position. `history` has
//! White's turns (`own`, `capture`, `check`, `refused`) and Black's turns
//! (`opponent` with `capture`, `check`, `refused_count`) alternately. Moves are in
//! SAN as White writes them, knowing only White's own men. The labels
//! (`own_moves`, `positions`, `mate`) may be missing.

use rules::{
    Announcement, Capture, Direction, Directions, Heard, Own, Reply, Reserve, Verdict, Wings,
    chess::{Board, Color, Square},
};
use serde::Deserialize;

use crate::pgn::read_own_san;

/// A problem: what White heard, and what the database says about it.
#[derive(Clone, PartialEq, Debug)]
pub struct Problem {
    /// Name of the problem.
    pub id: String,
    /// Number of own moves that the problem asks for, if given.
    pub own_moves: Option<u32>,
    /// Number of positions that are possible at the end of the history, if given.
    pub positions: Option<u64>,
    /// Whether White can force mate, if given.
    pub mate: Option<bool>,
    /// Everything that White heard; White's own verdicts include the attempt.
    pub heard: Vec<Heard>,
}

/// Error: a line is not a problem.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum ProblemError {
    /// The line is not the JSON of a problem.
    #[error("not a problem: {0}")]
    Json(String),
    /// No move of White's own men can be meant by the text.
    #[error("turn {turn}: White's own men cannot make the move {san:?}")]
    Move {
        /// Number of the turn in the history, from 1.
        turn: usize,
        /// The move as written.
        san: String,
    },
    /// An invalid square, an invalid direction, a square without a man, or another
    /// fault of a turn.
    #[error("turn {turn}: {said}")]
    Turn {
        /// Number of the turn in the history, from 1.
        turn: usize,
        /// Description of the fault.
        said: String,
    },
}

/// Maximum number of turns in a problem, and maximum number of refused tries in a turn.
const MOST: usize = 2_000;

#[derive(Deserialize)]
#[serde(expecting = "an object with `id` and `history`")]
struct Written {
    id: String,
    history: Vec<WrittenTurn>,
    #[serde(default)]
    own_moves: Option<u32>,
    #[serde(default)]
    positions: Option<u64>,
    #[serde(default)]
    mate: Option<bool>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum WrittenTurn {
    Own {
        own: String,
        #[serde(default)]
        capture: Option<String>,
        #[serde(default)]
        check: Vec<String>,
        #[serde(default)]
        refused: Vec<String>,
    },
    Theirs {
        opponent: WrittenReply,
    },
}

#[derive(Deserialize)]
struct WrittenReply {
    #[serde(default)]
    capture: Option<String>,
    #[serde(default)]
    check: Vec<String>,
    #[serde(default)]
    refused_count: usize,
}

impl Problem {
    /// Reads a problem from one line.
    ///
    /// # Errors
    /// The line is not a problem. The error says where the fault is.
    pub fn read(line: &str) -> Result<Problem, ProblemError> {
        let written: Written =
            serde_json::from_str(line).map_err(|error| ProblemError::Json(error.to_string()))?;
        let mut reader = ProblemReader {
            own: Own::of(&Board::new(), Color::White, Wings::BOTH, Reserve::EMPTY),
            turn: 0,
            heard: vec![turn_of(Color::White)],
        };
        if written.history.len() > MOST {
            return Err(ProblemError::Json(format!("more than {MOST} turns")));
        }
        for turn in written.history {
            reader.turn += 1;
            let due = reader.turn % 2 == 1;
            match turn {
                WrittenTurn::Own {
                    own,
                    capture,
                    check,
                    refused,
                } if due => reader.own_turn(&own, capture.as_deref(), &check, &refused)?,
                WrittenTurn::Theirs { opponent } if !due => reader.their_turn(&opponent)?,
                WrittenTurn::Own { .. } | WrittenTurn::Theirs { .. } => {
                    return Err(reader.fault("the turns of White and Black do not alternate"));
                }
            }
        }
        Ok(Problem {
            id: written.id,
            own_moves: written.own_moves,
            positions: written.positions,
            mate: written.mate,
            heard: reader.heard,
        })
    }
}

fn turn_of(to_move: Color) -> Heard {
    Announcement::Turn { to_move }.into()
}

/// Reader of the turns of a problem. It holds the number of turns read, what
/// White heard, and White's own men.
struct ProblemReader {
    own: Own,
    turn: usize,
    heard: Vec<Heard>,
}

impl ProblemReader {
    fn fault(&self, said: impl Into<String>) -> ProblemError {
        ProblemError::Turn {
            turn: self.turn,
            said: said.into(),
        }
    }

    fn read(&self, san: &str) -> Result<rules::Try, ProblemError> {
        read_own_san(&self.own, san.as_bytes()).map_err(|_| ProblemError::Move {
            turn: self.turn,
            san: san.chars().take(20).collect(),
        })
    }

    fn own_turn(
        &mut self,
        own: &str,
        capture: Option<&str>,
        check: &[String],
        refused: &[String],
    ) -> Result<(), ProblemError> {
        if refused.len() > MOST {
            return Err(self.fault(format!("more than {MOST} refusals")));
        }
        for san in refused {
            let t = self.read(san)?;
            self.heard
                .push(Heard::own_verdict(Verdict::No, Color::White, t));
        }
        let t = self.read(own)?;
        self.heard
            .push(Heard::own_verdict(Verdict::Moved, Color::White, t));
        self.own.play(t);
        self.capture(capture)?;
        self.check(check)?;
        self.heard.push(turn_of(Color::Black));
        Ok(())
    }

    fn their_turn(&mut self, reply: &WrittenReply) -> Result<(), ProblemError> {
        if reply.refused_count > MOST {
            return Err(self.fault(format!("more than {MOST} refusals")));
        }
        let verdict = |verdict| {
            Heard::Reply(Reply::Verdict {
                verdict,
                by: Color::Black,
                attempt: None,
            })
        };
        self.heard.extend(std::iter::repeat_n(
            verdict(Verdict::No),
            reply.refused_count,
        ));
        self.heard.push(verdict(Verdict::Moved));
        if let Some(text) = &reply.capture {
            let square = self.square(text)?;
            let man = self.own.role_at(square);
            let man = man.ok_or_else(|| self.fault(format!("White has no man on {square}")))?;
            self.heard.push(Heard::Lost { square, man });
            self.own.lose(square);
        }
        self.capture(reply.capture.as_deref())?;
        self.check(&reply.check)?;
        self.heard.push(turn_of(Color::White));
        Ok(())
    }

    fn square(&self, text: &str) -> Result<Square, ProblemError> {
        let said = || self.fault(format!("no square is written {text:?}"));
        text.parse().map_err(|_| said())
    }

    fn capture(&mut self, square: Option<&str>) -> Result<(), ProblemError> {
        if let Some(text) = square {
            let square = Some(self.square(text)?);
            let capture = Announcement::Capture(Capture {
                square,
                man: None,
                en_passant: false,
            });
            self.heard.push(capture.into());
        }
        Ok(())
    }

    fn check(&mut self, check: &[String]) -> Result<(), ProblemError> {
        let mut directions = Directions::NONE;
        for name in check {
            let direction: Direction = name
                .parse()
                .map_err(|_| self.fault(format!("no direction is written {name:?}")))?;
            directions.add(direction);
        }
        if !directions.is_empty() {
            self.heard.push(Announcement::Check { directions }.into());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_history_becomes_what_white_heard() {
        let line = r#"{"id":"x","history":[{"own":"e4","refused":["exd3"]},{"opponent":{"refused_count":1}}]}"#;
        let problem = Problem::read(line).expect("the line is a valid problem");
        let words: Vec<String> = problem
            .heard
            .iter()
            .map(|heard| crate::Short(heard).to_string())
            .collect();
        assert_eq!(
            words.join(", "),
            "turn w, no w e2d3, moved w e2e4, turn b, no b, moved b, turn w"
        );
        assert_eq!(problem.positions, None);
    }

    #[test]
    fn bad_lines_say_what_is_wrong() {
        for (line, said) in [
            ("", "not a problem"),
            (r#"{"id":"x"}"#, "history"),
            (
                r#"{"id":"x","history":[{"opponent":{"refused_count":0}}]}"#,
                "alternate",
            ),
            (r#"{"id":"x","history":[{"own":"Ke5"}]}"#, "Ke5"),
            (
                r#"{"id":"x","history":[{"own":"e4"},{"opponent":{"capture":"e5"}}]}"#,
                "no man on e5",
            ),
            (
                r#"{"id":"x","history":[{"own":"e4","check":["up"]}]}"#,
                "no direction",
            ),
        ] {
            let error = Problem::read(line).expect_err(line).to_string();
            assert!(error.contains(said), "{error}");
        }
    }
}
