//! Problems, each as one JSON line. A problem holds what one seat heard of a game, or the positions
//! that are possible for this seat.
//!
//! There are two formats. A line with `history` has the format of a database (see below). Any other
//! line has this project's own format. Such a line must have `id`, `rules` (a ruleset's id),
//! `mate_in`, and exactly one of `positions` (a list of FEN) and `heard`. It may have `seat` (`white`
//! or `black`; without `seat`, the seat is White), `author`, `source`, and `mate` (whether the seat
//! can force mate). `heard` is everything that the seat heard after the start, as short forms
//! ([`Short`](crate::Short)) or as the objects of `kriegspiel referee --json`. If the game of a
//! line with `heard` does not begin in the usual start position, `start` gives the FEN of its start
//! position. If the squares of the opponent's men at the start are unknown, `men` contains the
//! letters of these men, for example `kq`, and `start` contains only the seat's men.
//!
//! A line with `history` contains data of the Berkeley Kriegspiel mate database, converted to JSON.
//! The seat is White, and the game begins in the usual start position. `history` alternates between
//! White's turns (`own`, `capture`, `check`, `refused`) and Black's turns (`opponent` with
//! `capture`, `check`, `refused_count`). Moves are in SAN. Only White's own men decide whether the
//! SAN of a move is ambiguous. Three more keys are labels from the database, and may be missing:
//! `own_moves`, `positions` and `mate`.

use rules::{
    Announcement, Capture, Direction, Directions, Heard, Own, Reply, Reserve, Verdict, Wings,
    chess::{Board, Color, Square},
    rulesets,
};
use serde::{Deserialize, Serialize};
use wire::{HeardJson, ParsedHeard};

use crate::{
    pgn::read_own_san,
    short::{Short, parse_heard},
};

/// A problem: what a seat heard, or the possible positions, and what the file says about it.
#[derive(Clone, PartialEq, Debug)]
pub struct Problem {
    /// Name of the problem.
    pub id: String,
    /// Id of the ruleset.
    pub rules: String,
    /// The seat that is to mate.
    pub seat: Color,
    /// Number of own moves within which the seat is to mate, if given.
    pub own_moves: Option<u32>,
    /// Number of positions that are possible at the end of the history, if given.
    pub positions: Option<u64>,
    /// Whether the seat can force mate, if given.
    pub mate: Option<bool>,
    /// Start position of the game.
    pub start: ProblemStart,
    /// Everything that the seat heard. The verdicts on the seat's own tries include the attempt.
    pub heard: Vec<Heard>,
    /// Composer of the problem, if given.
    pub author: Option<String>,
    /// Publication in which the problem appeared, if given.
    pub source: Option<String>,
}

/// Start position of the game of a problem.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum ProblemStart {
    /// The usual start position.
    Usual,
    /// The position with this FEN.
    Fen(String),
    /// A position with these men of the seat, and with these men of the opponent on unknown
    /// squares.
    Unknown {
        /// FEN without the opponent's men.
        own: String,
        /// Letters of the opponent's men.
        men: String,
    },
    /// The problem lists the possible positions instead of what the seat heard.
    Positions(Vec<String>),
}

/// Error: a line is not a problem.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum ProblemError {
    /// The line is not the JSON of a problem.
    #[error("not a problem: {0}")]
    Json(String),
    /// The text fits no move of White's own men.
    #[error("turn {turn}: White's own men cannot make the move {san:?}")]
    Move {
        /// Number of the turn in the history, from 1.
        turn: usize,
        /// The move as written.
        san: String,
    },
    /// An invalid square, an invalid direction, a square without a man, or another
    /// fault of a turn.
    #[error("turn {turn}: {fault}")]
    Turn {
        /// Number of the turn in the history, from 1.
        turn: usize,
        /// Description of the fault.
        fault: String,
    },
    /// An item of `heard` cannot be read.
    #[error("heard {index}: {fault}")]
    Heard {
        /// Number of the item in the list, from 1.
        index: usize,
        /// Description of the fault.
        fault: String,
    },
}

/// Maximum number of turns in a `history`, White's and Black's turns together. Also the maximum
/// number of refused tries in one of these turns.
const MAX: usize = 2_000;

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

/// A problem in this project's own format.
#[derive(Deserialize)]
#[serde(expecting = "an object with `id`, `rules`, `mate_in`, and `heard` or `positions`")]
struct OwnFormat {
    id: String,
    rules: String,
    #[serde(default)]
    seat: Option<String>,
    #[serde(default)]
    start: Option<String>,
    #[serde(default)]
    men: Option<String>,
    #[serde(default)]
    heard: Option<Vec<HeardText>>,
    #[serde(default)]
    positions: Option<Vec<String>>,
    mate_in: u32,
    #[serde(default)]
    mate: Option<bool>,
    #[serde(default)]
    author: Option<String>,
    #[serde(default)]
    source: Option<String>,
}

/// A problem as [`Problem::write`] writes it.
#[derive(Serialize)]
struct WrittenProblem<'a> {
    id: &'a str,
    rules: &'a str,
    seat: &'static str,
    mate_in: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    men: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    positions: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    heard: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'a str>,
}

/// An item of `heard`: its short form, or an object.
#[derive(Deserialize)]
#[serde(untagged)]
enum HeardText {
    Short(String),
    Json(HeardJson),
}

/// Part of a line that shows which of the two formats the line has.
#[derive(Deserialize)]
#[serde(expecting = "an object with `id`")]
struct Either {
    #[serde(default)]
    history: Option<serde::de::IgnoredAny>,
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
        let json = |error: serde_json::Error| ProblemError::Json(error.to_string());
        let either: Either = serde_json::from_str(line).map_err(json)?;
        if either.history.is_none() {
            return serde_json::from_str::<OwnFormat>(line)
                .map_err(json)?
                .problem();
        }
        let written: Written = serde_json::from_str(line).map_err(json)?;
        let mut reader = ProblemReader {
            own: Own::of(&Board::new(), Color::White, Wings::BOTH, Reserve::EMPTY),
            turn: 0,
            heard: vec![turn_of(Color::White)],
        };
        if written.history.len() > MAX {
            return Err(ProblemError::Json(format!("more than {MAX} turns")));
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
            rules: rulesets::BERKELEY.id.to_string(),
            seat: Color::White,
            own_moves: written.own_moves,
            positions: written.positions,
            mate: written.mate,
            start: ProblemStart::Usual,
            heard: reader.heard,
            author: None,
            source: None,
        })
    }

    /// Writes the problem in this project's own format, as one line of JSON.
    ///
    /// [`read`](Problem::read) reads the same problem from this line, with two exceptions. The label
    /// `positions` is lost, because this format has no key for it. If the number of own moves is not
    /// given, `mate_in` is written as 0, and is also read as 0.
    pub fn write(&self) -> String {
        let (start, men, positions) = match &self.start {
            ProblemStart::Usual => (None, None, None),
            ProblemStart::Fen(fen) => (Some(fen.as_str()), None, None),
            ProblemStart::Unknown { own, men } => (Some(own.as_str()), Some(men.as_str()), None),
            ProblemStart::Positions(fens) => (None, None, Some(fens.as_slice())),
        };
        let heard = self.heard.iter().map(|one| Short(one).to_string());
        let written = WrittenProblem {
            id: &self.id,
            rules: &self.rules,
            seat: self.seat.fold_wb("white", "black"),
            mate_in: self.own_moves.unwrap_or(0),
            mate: self.mate,
            start,
            men,
            positions,
            heard: positions.is_none().then(|| heard.collect()),
            author: self.author.as_deref(),
            source: self.source.as_deref(),
        };
        serde_json::to_string(&written).expect("texts and numbers can be written as JSON")
    }
}

impl OwnFormat {
    fn problem(self) -> Result<Problem, ProblemError> {
        let fault = |text: String| ProblemError::Json(text);
        let seat = match self.seat.as_deref() {
            None | Some("white") => Color::White,
            Some("black") => Color::Black,
            Some(other) => return Err(fault(format!("seat is white or black, not {other:?}"))),
        };
        let ruleset = rulesets::by_id(&self.rules).ok_or_else(|| {
            fault(format!(
                "there is no ruleset {:?}; `kriegspiel rules` lists all",
                self.rules
            ))
        })?;
        let mut heard = Vec::new();
        let start = match (self.heard, self.positions) {
            (Some(_), Some(_)) | (None, None) => {
                return Err(fault("give exactly one of heard and positions".to_owned()));
            }
            (None, Some(fens)) => {
                if self.start.is_some() || self.men.is_some() {
                    return Err(fault(
                        "`start` and `men` are allowed only with `heard`".to_owned(),
                    ));
                }
                if fens.is_empty() {
                    return Err(fault("positions is empty".to_owned()));
                }
                ProblemStart::Positions(fens)
            }
            (Some(all), None) => {
                for (i, one) in all.into_iter().enumerate() {
                    let wrong = |fault: String| ProblemError::Heard {
                        index: i + 1,
                        fault,
                    };
                    heard.push(match one {
                        HeardText::Short(text) => {
                            parse_heard(&text).map_err(|error| wrong(error.to_string()))?
                        }
                        HeardText::Json(json) => {
                            let parsed = ParsedHeard::try_from(&json)
                                .map_err(|error| wrong(error.to_string()))?;
                            match parsed.under(&ruleset.choices) {
                                ParsedHeard::Heard(heard) => heard,
                                ParsedHeard::Start(_) if i == 0 => continue,
                                ParsedHeard::Start(_) => {
                                    return Err(wrong("the game starts a second time".to_owned()));
                                }
                            }
                        }
                    });
                }
                match (self.start, self.men) {
                    (None, None) => ProblemStart::Usual,
                    (Some(fen), None) => ProblemStart::Fen(fen),
                    (Some(own), Some(men)) => ProblemStart::Unknown { own, men },
                    (None, Some(_)) => {
                        return Err(fault(
                            "`men` requires `start`, with the seat's own men".to_owned(),
                        ));
                    }
                }
            }
        };
        Ok(Problem {
            id: self.id,
            rules: self.rules,
            seat,
            own_moves: Some(self.mate_in),
            positions: None,
            mate: self.mate,
            start,
            heard,
            author: self.author,
            source: self.source,
        })
    }
}

fn turn_of(to_move: Color) -> Heard {
    Announcement::Turn { to_move }.into()
}

/// Reader of the turns of a problem. The reader holds the number of turns read, what White heard,
/// and White's own men.
struct ProblemReader {
    own: Own,
    turn: usize,
    heard: Vec<Heard>,
}

impl ProblemReader {
    fn fault(&self, text: impl Into<String>) -> ProblemError {
        ProblemError::Turn {
            turn: self.turn,
            fault: text.into(),
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
        if refused.len() > MAX {
            return Err(self.fault(format!("more than {MAX} refused tries")));
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
        if reply.refused_count > MAX {
            return Err(self.fault(format!("more than {MAX} refused tries")));
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
        let not_a_square = || self.fault(format!("{text:?} is not a square"));
        text.parse().map_err(|_| not_a_square())
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
                .map_err(|_| self.fault(format!("{name:?} is not a direction")))?;
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
        let problem = Problem::read(line).unwrap();
        let words: Vec<String> = problem
            .heard
            .iter()
            .map(|heard| Short(heard).to_string())
            .collect();
        assert_eq!(
            words.join(", "),
            "turn w, no w e2d3, moved w e2e4, turn b, no b, moved b, turn w"
        );
        assert_eq!(problem.positions, None);
    }

    #[test]
    fn own_format_has_positions_or_what_was_heard() {
        let line = r#"{"id":"a","rules":"wild16","seat":"black","mate_in":2,"author":"Ida","positions":["8/8/8/8/8/8/8/8 b - - 0 1"]}"#;
        let problem = Problem::read(line).unwrap();
        assert_eq!((problem.seat, problem.own_moves), (Color::Black, Some(2)));
        assert_eq!(problem.author.as_deref(), Some("Ida"));
        assert!(matches!(problem.start, ProblemStart::Positions(fens) if fens.len() == 1));
        let line = r#"{"id":"a","rules":"rand","mate_in":3,"heard":["turn w","moved w e2e4",{"kind":"turn","to_move":"black"}]}"#;
        let problem = Problem::read(line);
        if let Ok(problem) = problem {
            assert_eq!(problem.heard.len(), 3);
            assert_eq!(problem.start, ProblemStart::Usual);
        } else {
            panic!("{problem:?}");
        }
    }

    #[test]
    fn written_problem_is_read_again() {
        for line in [
            r#"{"id":"a","rules":"wild16","seat":"black","mate_in":2,"mate":true,"positions":["8/8/8/8/8/8/8/8 b - - 0 1"],"author":"Ida"}"#,
            r#"{"id":"b","rules":"rand","seat":"white","mate_in":3,"heard":["turn w","moved w e2e4","turn b"],"source":"a book"}"#,
            r#"{"id":"c","rules":"ks","seat":"white","mate_in":1,"start":"8/8/8/8/8/8/8/K6Q w - - 0 1","men":"kp","heard":["turn w"]}"#,
        ] {
            let problem = Problem::read(line).expect(line);
            assert_eq!(problem.write(), line);
        }
    }

    #[test]
    fn bad_lines_say_what_is_wrong() {
        #[rustfmt::skip]
        let rows = [
            ("", "not a problem"),
            (r#"{"id":"x"}"#, "rules"),
            (r#"{"history":[]}"#, "`id`"),
            (r#"{"id":"x","rules":"wild16","mate_in":2}"#, "exactly one of heard and positions"),
            (r#"{"id":"x","rules":"chess","mate_in":2,"positions":[]}"#, "no ruleset"),
            (r#"{"id":"x","rules":"wild16","mate_in":2,"heard":["turn w","moved"]}"#, "heard 2"),
            (r#"{"id":"x","history":[{"opponent":{"refused_count":0}}]}"#, "alternate"),
            (r#"{"id":"x","history":[{"own":"Ke5"}]}"#, "Ke5"),
            (r#"{"id":"x","history":[{"own":"e4"},{"opponent":{"capture":"e5"}}]}"#, "no man on e5"),
            (r#"{"id":"x","history":[{"own":"e4","check":["up"]}]}"#, "is not a direction"),
        ];
        for (line, expected) in rows {
            let error = Problem::read(line).expect_err(line).to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
