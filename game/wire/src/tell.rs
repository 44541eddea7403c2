//! Converts what was heard to JSON and back.

use rules::{
    Announcement, Attempt, Capture, CaptureMan, CapturedMan, Choices, Directions, DrawTalk, Heard,
    MoveAnnouncements, Reply, Start, Tries, Verdict,
    chess::{Bitboard, Role, Square},
};

use crate::{
    captured::CapturedJson,
    heard::{HeardError, HeardJson},
    noun::{OverJson, Side},
    start::start,
    text::Text,
};

/// Content of a [`HeardJson`]: the opening of a game, or one thing heard.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum ParsedHeard {
    /// A game begins.
    Start(Start),
    /// Anything else.
    Heard(Heard),
}

impl ParsedHeard {
    /// Gives the captured man `"pawn"` its meaning under the ruleset. If the ruleset names captured
    /// men, `"pawn"` is the name of the man. Otherwise `"pawn"` only says that the captured man is not a
    /// piece.
    pub fn under(self, choices: &Choices) -> ParsedHeard {
        match self {
            ParsedHeard::Start(start) => ParsedHeard::Start(start),
            ParsedHeard::Heard(heard) => ParsedHeard::Heard(exactly(heard, choices)),
        }
    }
}

fn exactly(heard: Heard, choices: &Choices) -> Heard {
    heard.with_capture(|capture| match (choices.capture_man, capture.man) {
        (CaptureMan::Exact, Some(CapturedMan::Pawn)) => Capture {
            man: Some(CapturedMan::Exactly(Role::Pawn)),
            ..capture
        },
        (
            CaptureMan::Untold | CaptureMan::Kind | CaptureMan::Exact,
            None | Some(CapturedMan::Pawn | CapturedMan::Piece | CapturedMan::Exactly(_)),
        ) => capture,
    })
}

fn squares(set: Bitboard) -> Vec<Text<Square>> {
    set.into_iter().map(Text).collect()
}

fn set(squares: &[Text<Square>]) -> Bitboard {
    squares.iter().map(|s| s.0).collect()
}

impl From<&Heard> for HeardJson {
    fn from(heard: &Heard) -> HeardJson {
        match *heard {
            Heard::Reply(Reply::Verdict {
                verdict,
                by,
                attempt,
            }) => {
                let (by, attempt) = (by.into(), attempt.map(Text));
                match verdict {
                    Verdict::Moved => HeardJson::Moved { by, attempt },
                    Verdict::No => HeardJson::No { by, attempt },
                    Verdict::Nonsense => HeardJson::Nonsense { by, attempt },
                    Verdict::RepeatNo => HeardJson::RepeatNo { by, attempt },
                }
            }
            Heard::Reply(Reply::Any { by, answer }) => HeardJson::Any {
                by: by.into(),
                answer,
            },
            Heard::Lost { square, man } => HeardJson::Lost {
                square: Text(square),
                man: man.into(),
            },
            Heard::Announced(Announcement::Capture(Capture {
                square,
                man,
                en_passant,
            })) => HeardJson::Capture {
                square: square.map(Text),
                man: man.map(CapturedJson::from),
                en_passant,
            },
            Heard::Announced(Announcement::Drop { by, man }) => HeardJson::Drop {
                by: by.into(),
                man: man.into(),
            },
            Heard::Announced(Announcement::Promotion { by }) => {
                HeardJson::Promotion { by: by.into() }
            }
            Heard::Announced(Announcement::Check { directions }) => HeardJson::Check {
                directions: directions.iter().map(Text).collect(),
            },
            Heard::Announced(Announcement::Tries(tries)) => tries_json(tries),
            Heard::Announced(Announcement::Turn { to_move }) => HeardJson::Turn {
                to_move: to_move.into(),
            },
            Heard::Reply(Reply::Rebuffs { by, count }) => HeardJson::Rebuffs {
                by: by.into(),
                count,
            },
            Heard::Reply(Reply::Recap { by, announcements }) => HeardJson::Recap {
                by: by.into(),
                said: announcements
                    .iter()
                    .map(|one| HeardJson::from(&Heard::from(one)))
                    .collect(),
            },
            Heard::Draw(DrawTalk::Offer { by }) => HeardJson::DrawOffer { by: by.into() },
            Heard::Draw(DrawTalk::Declined { by }) => HeardJson::DrawDeclined { by: by.into() },
            Heard::Draw(DrawTalk::Withdrawn { by }) => HeardJson::DrawWithdrawn { by: by.into() },
            Heard::Over(over) => {
                let OverJson { result, reason } = over.into();
                HeardJson::Over { result, reason }
            }
        }
    }
}

fn tries_json(tries: Tries) -> HeardJson {
    let (mut any, mut count, mut single, mut double) = (None, None, None, None);
    match tries {
        Tries::Untold => {}
        Tries::Whether(there_is) => any = Some(there_is),
        Tries::Count(n) => count = Some(n),
        Tries::Squares(set) => single = Some(squares(set)),
        Tries::SinglesAndDoubles { singles, doubles } => {
            single = Some(squares(singles));
            double = Some(squares(doubles));
        }
    }
    HeardJson::Tries {
        any,
        count,
        squares: single,
        double,
    }
}

impl TryFrom<&HeardJson> for ParsedHeard {
    type Error = HeardError;

    fn try_from(json: &HeardJson) -> Result<ParsedHeard, HeardError> {
        if let HeardJson::Start {
            rules,
            men,
            castling,
            reserves,
        } = json
        {
            start(rules, men.as_deref(), *castling, reserves.as_ref()).map(ParsedHeard::Start)
        } else {
            Heard::try_from(json).map(ParsedHeard::Heard)
        }
    }
}

impl TryFrom<&HeardJson> for Heard {
    type Error = HeardError;

    fn try_from(json: &HeardJson) -> Result<Heard, HeardError> {
        let verdict = |verdict, by: &Side, attempt: &Option<Text<Attempt>>| {
            Heard::Reply(Reply::Verdict {
                verdict,
                by: (*by).into(),
                attempt: attempt.map(|a| a.0),
            })
        };
        Ok(match json {
            HeardJson::Start { .. } => return Err(HeardError::Start),
            HeardJson::Moved { by, attempt } => verdict(Verdict::Moved, by, attempt),
            HeardJson::No { by, attempt } => verdict(Verdict::No, by, attempt),
            HeardJson::Nonsense { by, attempt } => verdict(Verdict::Nonsense, by, attempt),
            HeardJson::RepeatNo { by, attempt } => verdict(Verdict::RepeatNo, by, attempt),
            HeardJson::Any { by, answer } => Heard::Reply(Reply::Any {
                by: (*by).into(),
                answer: *answer,
            }),
            HeardJson::Lost { square, man } => Heard::Lost {
                square: square.0,
                man: (*man).into(),
            },
            HeardJson::Capture {
                square,
                man,
                en_passant,
            } => Heard::Announced(Announcement::Capture(Capture {
                square: square.map(|s| s.0),
                man: man.map(CapturedMan::from),
                en_passant: *en_passant,
            })),
            HeardJson::Drop { by, man } => Heard::Announced(Announcement::Drop {
                by: (*by).into(),
                man: (*man).into(),
            }),
            HeardJson::Promotion { by } => {
                Heard::Announced(Announcement::Promotion { by: (*by).into() })
            }
            HeardJson::Check { directions } => Heard::Announced(Announcement::Check {
                directions: directions.iter().map(|d| d.0).collect::<Directions>(),
            }),
            HeardJson::Tries {
                any,
                count,
                squares,
                double,
            } => Heard::Announced(Announcement::Tries(match (any, count, squares, double) {
                (Some(any), None, None, None) => Tries::Whether(*any),
                (None, Some(count), None, None) => Tries::Count(*count),
                (None, None, Some(squares), None) => Tries::Squares(set(squares)),
                (None, None, Some(singles), Some(doubles)) => Tries::SinglesAndDoubles {
                    singles: set(singles),
                    doubles: set(doubles),
                },
                _ => return Err(HeardError::Tries),
            })),
            HeardJson::Turn { to_move } => Heard::Announced(Announcement::Turn {
                to_move: (*to_move).into(),
            }),
            HeardJson::Rebuffs { by, count } => Heard::Reply(Reply::Rebuffs {
                by: (*by).into(),
                count: *count,
            }),
            HeardJson::Recap { by, said } => Heard::Reply(Reply::Recap {
                by: (*by).into(),
                announcements: repeated(said)?,
            }),
            HeardJson::DrawOffer { by } => Heard::Draw(DrawTalk::Offer { by: (*by).into() }),
            HeardJson::DrawDeclined { by } => Heard::Draw(DrawTalk::Declined { by: (*by).into() }),
            HeardJson::DrawWithdrawn { by } => {
                Heard::Draw(DrawTalk::Withdrawn { by: (*by).into() })
            }
            HeardJson::Over { result, reason } => Heard::Over(
                OverJson {
                    result: *result,
                    reason: *reason,
                }
                .into(),
            ),
        })
    }
}

fn repeated(said: &[HeardJson]) -> Result<MoveAnnouncements, HeardError> {
    let mut all = MoveAnnouncements::NOTHING;
    for json in said {
        let before = all;
        let Heard::Announced(one) = Heard::try_from(json)? else {
            return Err(HeardError::Recap);
        };
        all.note(one);
        if all.iter().count() != before.iter().count() + 1 {
            return Err(HeardError::Recap);
        }
    }
    Ok(all)
}
