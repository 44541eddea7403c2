//! Events, and their text form. The list of a game's events is its only record.

use std::{borrow::Cow, fmt, str::FromStr};

use rules::{
    Answer, Choices, Direction, Directions, EnemyCount, Over, Ruleset, Tries, Try, Verdict, Winner,
    chess::{Bitboard, Color, Square},
};

use position::StartPosition;

/// Version of the rules and of the text form of events.
pub const VERSION: u8 = 1;

/// Opening of a game: everything that a replay needs to start.
#[derive(Clone, PartialEq, Debug)]
pub struct Opened {
    /// Id of the ruleset.
    pub rules: Cow<'static, str>,
    /// Version of the rules and of the events: [`VERSION`].
    pub version: u8,
    /// Choices of the ruleset, after the switches of this game were applied.
    pub choices: Choices,
    /// Position and counters at the start.
    pub start: StartPosition,
}

impl Opened {
    /// Creates the opening of a game. `choices` are the ruleset's choices after
    /// the switches of this game were applied.
    pub fn new(ruleset: &Ruleset, choices: Choices, start: StartPosition) -> Opened {
        Opened {
            rules: ruleset.id.clone(),
            version: VERSION,
            choices,
            start: start.under(&choices),
        }
    }
}

/// One thing that happened in a game, with everything that the referee decided
/// about it.
///
/// [`Game::apply`](crate::Game::apply) needs only the event. A game can be
/// rebuilt from the list of its events, which begins with [`Event::Opened`].
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// The game was opened. Always the first event, and never a later one.
    Opened(Box<Opened>),
    /// A try was legal and was played.
    Moved {
        /// The player who moved.
        by: Color,
        /// The move as played, with the default promotion if none was named.
        what: Try,
        /// Directions from which the opponent's king is now in check.
        check: Directions,
        /// What is announced about the pawn tries of the opponent, who is to move now.
        tries: Tries,
        /// The end of the game, if this move ended it.
        over: Option<Over>,
    },
    /// A try was not played, because it was answered "no", "nonsense" or
    /// "repeat no".
    Rebuffed {
        /// The player who tried.
        by: Color,
        /// The refused try.
        what: Try,
        /// Any verdict except [`Verdict::Moved`].
        verdict: Verdict,
        /// The end of the game, if this answer ended it (exhausted tries).
        over: Option<Over>,
    },
    /// Any? was asked.
    Any {
        /// The player who asked.
        by: Color,
        /// The answer: yes or no; `None` if the question was nonsense.
        answer: Option<bool>,
    },
    /// The player asked how often the opponent was rebuffed.
    Count {
        /// The player who asked.
        by: Color,
        /// Number of the opponent's rebuffs: in the opponent's last turn, or in the current turn
        /// if the opponent is to move.
        count: u32,
    },
    /// The player asked for the announcements of the last move again.
    Recap {
        /// The player who asked.
        by: Color,
    },
    /// A player resigned.
    Resigned {
        /// The player who resigned.
        by: Color,
    },
    /// A draw was offered.
    Offered {
        /// The player who offered.
        by: Color,
    },
    /// A draw offer was accepted.
    Agreed {
        /// The player who accepted.
        by: Color,
    },
    /// A draw offer was declined.
    Declined {
        /// The player who declined.
        by: Color,
    },
    /// A player withdrew their own draw offer.
    Withdrew {
        /// The player who withdrew the offer.
        by: Color,
    },
    /// The time of a player is up.
    Flagged {
        /// The side whose time is up.
        color: Color,
        /// The result: the opponent wins, or the game is a draw.
        winner: Winner,
    },
    /// A player has left the game.
    Left {
        /// The side that has left.
        color: Color,
        /// The result: the opponent wins, or the game is a draw because the opponent chose it.
        winner: Winner,
    },
    /// The game was aborted, without a result.
    Aborted,
}

impl Event {
    /// Returns the answer in one word, for the umpire's record; `None` for the opening.
    pub fn answer(&self) -> Option<Answer> {
        Some(match self {
            Event::Opened(_) => return None,
            Event::Moved { .. } => Answer::Moved,
            Event::Rebuffed { verdict, .. } => (*verdict).into(),
            Event::Any { answer, .. } => match answer {
                Some(true) => Answer::Yes,
                Some(false) => Answer::None,
                None => Answer::Nonsense,
            },
            Event::Count { .. } => Answer::Count,
            Event::Recap { .. } => Answer::Recap,
            Event::Resigned { .. } => Answer::Resigned,
            Event::Offered { .. } => Answer::Offered,
            Event::Agreed { .. } => Answer::Drawn,
            Event::Declined { .. } => Answer::Declined,
            Event::Withdrew { .. } => Answer::Withdrawn,
            Event::Flagged { .. } => Answer::Flag,
            Event::Left { .. } => Answer::Gone,
            Event::Aborted => Answer::Aborted,
        })
    }

    /// Returns the move, if the event is a move.
    pub fn played(&self) -> Option<Try> {
        match *self {
            Event::Moved { what, .. } => Some(what),
            Event::Opened(_)
            | Event::Rebuffed { .. }
            | Event::Any { .. }
            | Event::Count { .. }
            | Event::Recap { .. }
            | Event::Resigned { .. }
            | Event::Offered { .. }
            | Event::Agreed { .. }
            | Event::Declined { .. }
            | Event::Withdrew { .. }
            | Event::Flagged { .. }
            | Event::Left { .. }
            | Event::Aborted => None,
        }
    }

    /// Returns the name of the answer, or `opened` for the opening.
    fn word(&self) -> &'static str {
        self.answer().map_or("opened", Answer::name)
    }
}

/// Error in the text form of an event.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("not an event of a game's log: `{text}` ({why})")]
pub struct ParseEventError {
    /// The text, cut after 200 characters.
    pub text: String,
    /// What is wrong with the text.
    pub why: String,
}

fn squares(f: &mut fmt::Formatter<'_>, set: Bitboard) -> fmt::Result {
    for (i, sq) in set.into_iter().enumerate() {
        write!(f, "{}{sq}", if i > 0 { "," } else { "" })?;
    }
    Ok(())
}

fn end(f: &mut fmt::Formatter<'_>, over: Option<Over>) -> fmt::Result {
    match over {
        Some(over) => write!(f, " ={}:{}", over.winner.score(), over.reason.name()),
        None => Ok(()),
    }
}

impl fmt::Display for Event {
    /// Writes the compact text form: one line of words, without brackets or
    /// quotation marks. The store, the `[%ks]` comment of a PGN and the logs
    /// use the same form.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::Opened(opened) => {
                write!(f, "opened v{} {} ", opened.version, opened.rules)?;
                for (i, field) in Choices::FIELDS.iter().enumerate() {
                    let comma = if i > 0 { "," } else { "" };
                    let value = opened.choices.get(field.name).unwrap_or_default();
                    write!(f, "{comma}{}={value}", field.name)?;
                }
                // The usual form of a reserve in a FEN has brackets. A bracket would end the
                // `[%ks]` command of a PGN. So the reserve is written in the older form, after an
                // eighth slash.
                let fen = opened.start.fen().replace('[', "/").replace(']', "");
                write!(f, " {}", fen.replace(' ', "_"))
            }
            Event::Moved {
                by,
                what,
                check,
                tries,
                over,
            } => {
                write!(f, "{} {what} moved", by.char())?;
                for (i, d) in check.iter().enumerate() {
                    write!(f, "{}{d}", if i > 0 { "," } else { " +" })?;
                }
                match tries {
                    Tries::Untold => {}
                    Tries::Whether(true) => f.write_str(" ?yes")?,
                    Tries::Whether(false) => f.write_str(" ?none")?,
                    Tries::Count(n) => write!(f, " ?{n}")?,
                    Tries::Squares(set) => {
                        f.write_str(" ?:")?;
                        squares(f, *set)?;
                    }
                    Tries::SinglesAndDoubles { singles, doubles } => {
                        f.write_str(" ?:")?;
                        squares(f, *singles)?;
                        f.write_str("/")?;
                        squares(f, *doubles)?;
                    }
                }
                end(f, *over)
            }
            Event::Rebuffed {
                by,
                what,
                verdict,
                over,
            } => {
                write!(f, "{} {what} {}", by.char(), verdict.name())?;
                end(f, *over)
            }
            Event::Any { by, .. } => write!(f, "{} any {}", by.char(), self.word()),
            Event::Count { by, count } => write!(f, "{} count {count}", by.char()),
            Event::Flagged { color, winner }
            | Event::Left {
                color,
                winner: winner @ Winner::Draw,
            } => {
                write!(f, "{} {} {}", color.char(), self.word(), winner.score())
            }
            Event::Recap { by }
            | Event::Resigned { by }
            | Event::Offered { by }
            | Event::Agreed { by }
            | Event::Declined { by }
            | Event::Withdrew { by }
            | Event::Left { color: by, .. } => write!(f, "{} {}", by.char(), self.word()),
            Event::Aborted => f.write_str(self.word()),
        }
    }
}

fn parse_squares(text: &str) -> Result<Bitboard, String> {
    let mut set = Bitboard::EMPTY;
    for name in text.split(',').filter(|s| !s.is_empty()) {
        set.add(
            Square::from_ascii(name.as_bytes()).map_err(|_| format!("unknown square `{name}`"))?,
        );
    }
    Ok(set)
}

fn parse_tries(text: &str) -> Result<Tries, String> {
    Ok(match text {
        "yes" => Tries::Whether(true),
        "none" => Tries::Whether(false),
        _ => match text.strip_prefix(':') {
            Some(sets) => match sets.split_once('/') {
                Some((singles, doubles)) => Tries::SinglesAndDoubles {
                    singles: parse_squares(singles)?,
                    doubles: parse_squares(doubles)?,
                },
                None => Tries::Squares(parse_squares(sets)?),
            },
            None => Tries::Count(
                text.parse()
                    .map_err(|_| format!("unknown pawn tries `{text}`"))?,
            ),
        },
    })
}

fn parse_over(text: &str) -> Result<Over, String> {
    let (score, reason) = text
        .split_once(':')
        .ok_or("the end of the game has no reason")?;
    Ok(Over {
        winner: Winner::from_score(score).ok_or_else(|| format!("unknown result `{score}`"))?,
        reason: reason
            .parse()
            .map_err(|_| format!("unknown reason `{reason}`"))?,
    })
}

fn parse_opened(rest: &str) -> Result<Event, String> {
    let [version, id, list, fen] = rest.split(' ').collect::<Vec<_>>()[..] else {
        return Err(
            "an opening must have a version, a ruleset, choices and a start position".to_owned(),
        );
    };
    let version = version
        .strip_prefix('v')
        .and_then(|v| v.parse().ok())
        .ok_or("the version must be `v` and a number")?;
    if version != VERSION {
        return Err(format!(
            "the version is {version}, but this program reads only version {VERSION}"
        ));
    }
    let mut choices = rules::rulesets::RAND.choices;
    // Logs of the first programs do not name this choice.
    choices.enemy_count = EnemyCount::Shown;
    for pair in list.split(',') {
        let (field, value) = pair.split_once('=').ok_or("a choice has no value")?;
        choices.set(field, value).map_err(|e| e.to_string())?;
    }
    let unnamed = usize::from(!list.contains(",enemy_count="));
    if list.split(',').count() + unnamed != Choices::FIELDS.len() {
        return Err("the number of choices is wrong".to_owned());
    }
    choices.check().map_err(|e| e.to_string())?;
    let fen = fen.replace('_', " ");
    let start = StartPosition::from_fen(&fen, &choices).map_err(|e| e.to_string())?;
    let known = rules::rulesets::by_id(id).map(|r| r.id.clone());
    Ok(Event::Opened(Box::new(Opened {
        rules: known.unwrap_or_else(|| Cow::Owned(id.to_owned())),
        version,
        choices,
        start,
    })))
}

fn parse(s: &str) -> Result<Event, String> {
    if let Some(rest) = s.strip_prefix("opened ") {
        return parse_opened(rest);
    }
    if s == "aborted" {
        return Ok(Event::Aborted);
    }
    let mut words = s.split(' ');
    let by = match words.next() {
        Some("w") => Color::White,
        Some("b") => Color::Black,
        _ => return Err("an event must begin with w, b, opened or aborted".to_owned()),
    };
    let what = words.next().ok_or("the event has no second word")?;
    let rest: Vec<&str> = words.collect();
    Ok(match (what, rest.as_slice()) {
        ("any", [word @ ("yes" | "none" | "nonsense")]) => Event::Any {
            by,
            answer: (*word != "nonsense").then_some(*word == "yes"),
        },
        ("count", [n]) => Event::Count {
            by,
            count: n.parse().map_err(|_| format!("not a number: `{n}`"))?,
        },
        ("recap", []) => Event::Recap { by },
        ("resigned", []) => Event::Resigned { by },
        ("offered", []) => Event::Offered { by },
        ("drawn", []) => Event::Agreed { by },
        ("declined", []) => Event::Declined { by },
        ("withdrawn", []) => Event::Withdrew { by },
        ("gone", []) => Event::Left {
            color: by,
            winner: Winner::from(by.other()),
        },
        ("gone", [score]) if Winner::from_score(score) == Some(Winner::Draw) => Event::Left {
            color: by,
            winner: Winner::Draw,
        },
        ("flag", [score]) => Event::Flagged {
            color: by,
            winner: Winner::from_score(score).ok_or_else(|| format!("unknown result `{score}`"))?,
        },
        (what, [verdict, facts @ ..]) => {
            let what: Try = what.parse().map_err(|_| format!("not a move: `{what}`"))?;
            let mut check = Directions::NONE;
            let mut tries = Tries::Untold;
            let mut over = None;
            for fact in facts {
                if let Some(list) = fact.strip_prefix('+') {
                    for name in list.split(',') {
                        let d: Direction = name
                            .parse()
                            .map_err(|_| format!("unknown direction `{name}`"))?;
                        check.add(d);
                    }
                } else if let Some(text) = fact.strip_prefix('?') {
                    tries = parse_tries(text)?;
                } else if let Some(text) = fact.strip_prefix('=') {
                    over = Some(parse_over(text)?);
                } else {
                    return Err(format!("unknown fact `{fact}`"));
                }
            }
            match Verdict::from_name(verdict)
                .ok_or_else(|| format!("unknown verdict `{verdict}`"))?
            {
                Verdict::Moved => Event::Moved {
                    by,
                    what,
                    check,
                    tries,
                    over,
                },
                _ if !check.is_empty() || tries != Tries::Untold => {
                    return Err("a try that was not played cannot have announcements".to_owned());
                }
                verdict @ (Verdict::No | Verdict::Nonsense | Verdict::RepeatNo) => {
                    Event::Rebuffed {
                        by,
                        what,
                        verdict,
                        over,
                    }
                }
            }
        }
        _ => return Err("the try has no verdict".to_owned()),
    })
}

impl FromStr for Event {
    type Err = ParseEventError;

    fn from_str(s: &str) -> Result<Event, ParseEventError> {
        parse(s).map_err(|why| ParseEventError {
            text: s.chars().take(200).collect(),
            why,
        })
    }
}
