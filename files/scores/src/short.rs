//! Short text form of what a listener hears.

use std::fmt;

use rules::{
    Announcement, Attempt, Capture, CapturedMan, Directions, DrawTalk, Heard, MoveAnnouncements,
    Over, Reason, Reply, Tries, Verdict, Winner,
    chess::{Bitboard, Color, Role, Square},
};

/// Prints one [`Heard`] in its short form.
///
/// | short form | meaning |
/// | --- | --- |
/// | `moved w e2e4`, `moved w` | White's move was played; the mover hears the first form, and others hear the second form; `no`, `nonsense` and `repeat-no` are used in the same way |
/// | `any w yes` | the answer to White's question Any? is "yes" |
/// | `lost d5 P` | the listener's own pawn on d5 was captured |
/// | `x d5 pawn`, `x d5 Q`, `x piece`, `x d5 ep`, `x` | a capture: square, captured man ("pawn", "piece" or a letter) and en passant, each only if announced |
/// | `drop w N` | White drops a knight |
/// | `promotes w` | White promotes a pawn |
/// | `check rank file`, `check` | a check, with directions or without |
/// | `tries yes`, `tries 2`, `tries d5 e5`, `tries d5 / e5` | pawn tries: whether there are any; their number; their target squares; the squares that one pawn reaches / that two pawns reach (`-` for none) |
/// | `turn b` | Black is to move |
/// | `rebuffs w 3` | White asked for the number of rebuffs; it is 3 |
/// | `recap w [x d5 pawn, turn w]` | White asked for the last announcements again |
/// | `offer w`, `declined w`, `withdrawn w` | White offers a draw, declines a draw, withdraws its own offer |
/// | `over 1-0 checkmate` | the game is over |
#[derive(Copy, Clone, Debug)]
pub struct Short<'a>(pub &'a Heard);

/// Prints a list of [`Heard`] in short form; an empty list as `-`.
#[derive(Copy, Clone, Debug)]
pub struct ShortList<'a>(pub &'a [Heard]);

/// Error: the text is not a short form.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("`{0}` is not a short form of anything that can be heard")]
pub struct ParseHeardError(pub String);

const VERDICTS: [Verdict; 4] = [
    Verdict::Moved,
    Verdict::No,
    Verdict::Nonsense,
    Verdict::RepeatNo,
];

impl fmt::Display for ShortList<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("-");
        }
        for (i, heard) in self.0.iter().enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            write!(f, "{comma}{}", Short(heard))?;
        }
        Ok(())
    }
}

impl fmt::Display for Short<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self.0 {
            Heard::Reply(Reply::Verdict {
                verdict,
                by,
                attempt,
            }) => {
                write!(f, "{} {}", verdict.name(), by.char())?;
                match attempt {
                    Some(attempt) => write!(f, " {attempt}"),
                    None => Ok(()),
                }
            }
            Heard::Reply(Reply::Any { by, answer }) => {
                write!(f, "any {} {}", by.char(), if answer { "yes" } else { "no" })
            }
            Heard::Lost { square, man } => write!(f, "lost {square} {}", man.upper_char()),
            Heard::Announced(one) => write_announcement(f, one),
            Heard::Reply(Reply::Rebuffs { by, count }) => {
                write!(f, "rebuffs {} {count}", by.char())
            }
            Heard::Reply(Reply::Recap { by, announcements }) => {
                let repeated: Vec<Heard> = announcements.iter().map(Heard::from).collect();
                let list = if repeated.is_empty() {
                    String::new()
                } else {
                    ShortList(&repeated).to_string()
                };
                write!(f, "recap {} [{list}]", by.char())
            }
            Heard::Draw(DrawTalk::Offer { by }) => write!(f, "offer {}", by.char()),
            Heard::Draw(DrawTalk::Declined { by }) => write!(f, "declined {}", by.char()),
            Heard::Draw(DrawTalk::Withdrawn { by }) => write!(f, "withdrawn {}", by.char()),
            Heard::Over(over) => write!(f, "over {over}"),
        }
    }
}

fn write_announcement(f: &mut fmt::Formatter<'_>, one: Announcement) -> fmt::Result {
    match one {
        Announcement::Capture(capture) => write_capture(f, capture),
        Announcement::Drop { by, man } => write!(f, "drop {} {}", by.char(), man.upper_char()),
        Announcement::Promotion { by } => write!(f, "promotes {}", by.char()),
        Announcement::Check { directions } => {
            f.write_str("check")?;
            let mut directions = directions.iter();
            directions.try_for_each(|d| write!(f, " {}", d.name()))
        }
        Announcement::Tries(tries) => write_tries(f, tries),
        Announcement::Turn { to_move } => write!(f, "turn {}", to_move.char()),
    }
}

fn write_capture(f: &mut fmt::Formatter<'_>, capture: Capture) -> fmt::Result {
    f.write_str("x")?;
    if let Some(square) = capture.square {
        write!(f, " {square}")?;
    }
    match capture.man {
        Some(CapturedMan::Pawn) => f.write_str(" pawn")?,
        Some(CapturedMan::Piece) => f.write_str(" piece")?,
        Some(CapturedMan::Exactly(role)) => write!(f, " {}", role.upper_char())?,
        None => {}
    }
    if capture.en_passant {
        f.write_str(" ep")?;
    }
    Ok(())
}

fn write_tries(f: &mut fmt::Formatter<'_>, tries: Tries) -> fmt::Result {
    let squares = |set: Bitboard| {
        if set.is_empty() {
            "-".to_owned()
        } else {
            let names: Vec<String> = set.into_iter().map(|s| s.to_string()).collect();
            names.join(" ")
        }
    };
    match tries {
        Tries::Untold => f.write_str("tries untold"),
        Tries::Whether(true) => f.write_str("tries yes"),
        Tries::Whether(false) => f.write_str("tries no"),
        Tries::Count(count) => write!(f, "tries {count}"),
        Tries::Squares(set) => write!(f, "tries {}", squares(set)),
        Tries::SinglesAndDoubles { singles, doubles } => {
            write!(f, "tries {} / {}", squares(singles), squares(doubles))
        }
    }
}

/// Reads one [`Heard`] from its short form.
///
/// # Errors
/// The text is not a short form. The error contains the text.
pub fn parse_heard(text: &str) -> Result<Heard, ParseHeardError> {
    heard(text.trim()).ok_or_else(|| ParseHeardError(text.trim().to_owned()))
}

/// Reads a list of [`Heard`]; `-` is the empty list.
///
/// # Errors
/// A part is not a short form. The error contains the first such part.
pub fn parse_list(text: &str) -> Result<Vec<Heard>, ParseHeardError> {
    match text.trim() {
        "-" => Ok(Vec::new()),
        text => parts(text).into_iter().map(parse_heard).collect(),
    }
}

/// Splits a list at the commas outside brackets.
fn parts(text: &str) -> Vec<&str> {
    let mut inside = false;
    text.split(|c: char| {
        inside = c == '[' || (inside && c != ']');
        c == ',' && !inside
    })
    .collect()
}

fn heard(text: &str) -> Option<Heard> {
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    let words: Vec<&str> = rest.split_whitespace().collect();
    if let Some(verdict) = VERDICTS.into_iter().find(|v| v.name() == word) {
        let (by, attempt) = match *words.as_slice() {
            [by] => (color(by)?, None),
            [by, attempt] => (color(by)?, Some(attempt.parse::<Attempt>().ok()?)),
            _ => return None,
        };
        return Some(Heard::Reply(Reply::Verdict {
            verdict,
            by,
            attempt,
        }));
    }
    match (word, words.as_slice()) {
        ("any", [by, answer]) => Some(Heard::Reply(Reply::Any {
            by: color(by)?,
            answer: match *answer {
                "yes" => true,
                "no" => false,
                _ => return None,
            },
        })),
        ("lost", [square, man]) => Some(Heard::Lost {
            square: square.parse().ok()?,
            man: letter(man)?,
        }),
        ("x", words) => Some(Heard::Announced(Announcement::Capture(capture(words)?))),
        ("drop", [by, man]) => Some(Heard::Announced(Announcement::Drop {
            by: color(by)?,
            man: letter(man)?,
        })),
        ("promotes", [by]) => Some(Heard::Announced(Announcement::Promotion { by: color(by)? })),
        ("check", words) => {
            let directions: Directions = words
                .iter()
                .map(|w| w.parse().ok())
                .collect::<Option<_>>()?;
            Some(Heard::Announced(Announcement::Check { directions }))
        }
        ("tries", words) => Some(Heard::Announced(Announcement::Tries(tries(words)?))),
        ("turn", [to_move]) => Some(Heard::Announced(Announcement::Turn {
            to_move: color(to_move)?,
        })),
        ("rebuffs", [by, count]) => Some(Heard::Reply(Reply::Rebuffs {
            by: color(by)?,
            count: count.parse().ok()?,
        })),
        ("recap", [by, ..]) => Some(Heard::Reply(Reply::Recap {
            by: color(by)?,
            announcements: repeated(rest)?,
        })),
        ("offer", [by]) => Some(Heard::Draw(DrawTalk::Offer { by: color(by)? })),
        ("declined", [by]) => Some(Heard::Draw(DrawTalk::Declined { by: color(by)? })),
        ("withdrawn", [by]) => Some(Heard::Draw(DrawTalk::Withdrawn { by: color(by)? })),
        ("over", [score, reason]) => Some(Heard::Over(Over {
            winner: Winner::from_score(score)?,
            reason: reason.parse::<Reason>().ok()?,
        })),
        _ => None,
    }
}

fn color(text: &str) -> Option<Color> {
    match text {
        "w" => Some(Color::White),
        "b" => Some(Color::Black),
        _ => None,
    }
}

/// Reads a man from its capital letter.
fn letter(text: &str) -> Option<Role> {
    Role::ALL
        .into_iter()
        .find(|r| text.len() == 1 && text.starts_with(r.upper_char()))
}

fn capture(mut words: &[&str]) -> Option<Capture> {
    let mut capture = Capture {
        square: None,
        man: None,
        en_passant: false,
    };
    if let [before @ .., "ep"] = words {
        capture.en_passant = true;
        words = before;
    }
    if let [square, after @ ..] = words
        && let Ok(square) = square.parse::<Square>()
    {
        capture.square = Some(square);
        words = after;
    }
    capture.man = match *words {
        [] => None,
        ["pawn"] => Some(CapturedMan::Pawn),
        ["piece"] => Some(CapturedMan::Piece),
        [man] => Some(CapturedMan::Exactly(letter(man)?)),
        _ => return None,
    };
    Some(capture)
}

fn tries(words: &[&str]) -> Option<Tries> {
    let squares = |words: &[&str]| -> Option<Bitboard> {
        match words {
            ["-"] => Some(Bitboard::EMPTY),
            [] => None,
            names => names.iter().map(|s| s.parse::<Square>().ok()).collect(),
        }
    };
    if let Some(bar) = words.iter().position(|w| *w == "/") {
        return Some(Tries::SinglesAndDoubles {
            singles: squares(&words[..bar])?,
            doubles: squares(&words[bar + 1..])?,
        });
    }
    match words {
        ["untold"] => Some(Tries::Untold),
        ["yes"] => Some(Tries::Whether(true)),
        ["no"] => Some(Tries::Whether(false)),
        [count] if count.starts_with(|c: char| c.is_ascii_digit()) => {
            Some(Tries::Count(count.parse().ok()?))
        }
        names => Some(Tries::Squares(squares(names)?)),
    }
}

/// Reads the announcements in the brackets of a recap.
fn repeated(rest: &str) -> Option<MoveAnnouncements> {
    let inner = rest.split_once('[')?.1.strip_suffix(']')?;
    let heard: Vec<Heard> = match inner.trim() {
        "" => Vec::new(),
        inner => parse_list(inner).ok()?,
    };
    let mut kept = MoveAnnouncements::NOTHING;
    for one in &heard {
        let Heard::Announced(one) = *one else {
            return None;
        };
        kept.note(one);
    }
    // `kept` holds one announcement of each kind, in a fixed order. If the list made from `kept`
    // differs from the parsed list, the text had repetitions or another order, so it is invalid.
    kept.iter().map(Heard::from).eq(heard).then_some(kept)
}
