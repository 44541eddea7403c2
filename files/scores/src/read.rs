//! Reads a transcript.

use std::str::FromStr;

use referee::EndCause;
use rules::{Answer, ByListener, GameSwitch, SwitchError, chess::Color};

use crate::{
    print::HEADING,
    short::{ParseHeardError, parse_list},
    transcript::{Answered, Asked, Entry, Header, Transcript, TranscriptLine},
};

/// Error: a text is not a transcript.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("line {line}: {fault}")]
pub struct ParseTranscriptError {
    /// Number of the line, from 1.
    pub line: usize,
    /// Fault of the line.
    #[source]
    pub fault: TranscriptFault,
}

/// Fault of a line of a transcript.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum TranscriptFault {
    /// A header line with an unknown key.
    #[error("unknown header line `{0}`; the keys are title, rules, source, game and fen")]
    UnknownKey(String),
    /// A key that occurs twice.
    #[error("the header has `{0}` twice")]
    Twice(&'static str),
    /// A required key is missing.
    #[error("the header has no `{0}`")]
    Missing(&'static str),
    /// A switch that does not exist.
    #[error(transparent)]
    Switch(SwitchError),
    /// The attempt column cannot be read.
    #[error("`{0}` is not an attempt of a player, and not flag, gone, abort or start")]
    Asked(String),
    /// The answer cannot be read.
    #[error("`{0}` is not an answer")]
    Answered(String),
    /// A column cannot be read.
    #[error(transparent)]
    Heard(#[from] ParseHeardError),
    /// A number of columns other than one or four.
    #[error("a line must have one column, the attempt, or four columns; this line has {0}")]
    Columns(usize),
}

/// Keys of the header. The first two are required.
pub(crate) const KEYS: [&str; 5] = ["title", "rules", "source", "game", "fen"];

impl FromStr for Transcript {
    type Err = ParseTranscriptError;

    fn from_str(text: &str) -> Result<Transcript, ParseTranscriptError> {
        let mut lines = (1..).zip(text.lines());
        let mut transcript = Transcript::default();
        let mut seen = Vec::new();
        let at = |line| move |fault| ParseTranscriptError { line, fault };
        let mut last = 1;
        for (number, line) in lines.by_ref() {
            last = number;
            if line.trim().is_empty() {
                break;
            }
            let key = transcript.header.read(line).map_err(at(number))?;
            if seen.contains(&key) {
                return Err(at(number)(TranscriptFault::Twice(key)));
            }
            seen.push(key);
        }
        for key in &KEYS[..2] {
            if !seen.contains(key) {
                return Err(at(last)(TranscriptFault::Missing(key)));
            }
        }
        let mut headed = false;
        for (number, line) in lines {
            let line = line.trim();
            let entry = if line.is_empty() {
                Entry::Blank
            } else if let Some(comment) = line.strip_prefix('#') {
                Entry::Comment(comment.to_owned())
            } else {
                let cells: Vec<&str> = line.split('|').map(str::trim).collect();
                if !headed && cells == HEADING {
                    headed = true;
                    continue;
                }
                Entry::Line(read_line(&cells).map_err(at(number))?)
            };
            transcript.entries.push(entry);
        }
        Ok(transcript)
    }
}

/// Checks whether a text begins with the header of a transcript.
pub(crate) fn has_header(text: &str) -> bool {
    let lines = text.trim_start_matches(['\u{feff}', '\n', '\r']).lines();
    let header = lines.take_while(|line| !line.trim().is_empty());
    let keys: Vec<&str> = header
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    keys.iter().all(|key| KEYS.contains(key)) && KEYS[..2].iter().all(|key| keys.contains(key))
}

impl Header {
    fn read(&mut self, line: &str) -> Result<&'static str, TranscriptFault> {
        let (key, value) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        let value = value.trim();
        let Some(known) = KEYS.into_iter().find(|known| *known == key) else {
            return Err(TranscriptFault::UnknownKey(key.to_owned()));
        };
        match known {
            "title" => value.clone_into(&mut self.title),
            "rules" => value.clone_into(&mut self.rules),
            "source" => value.clone_into(&mut self.source),
            "game" => {
                let switches = value.split_whitespace().map(GameSwitch::from_word);
                self.game = switches
                    .collect::<Result<_, _>>()
                    .map_err(TranscriptFault::Switch)?;
            }
            _ => self.fen = Some(value.to_owned()),
        }
        Ok(known)
    }
}

fn read_line(cells: &[&str]) -> Result<TranscriptLine, TranscriptFault> {
    let (first, heard) = match *cells {
        [first] => (first, None),
        [first, white, black, room] => {
            let heard = ByListener {
                white: parse_list(white)?,
                black: parse_list(black)?,
                room: parse_list(room)?,
            };
            (first, Some(heard))
        }
        _ => return Err(TranscriptFault::Columns(cells.len())),
    };
    let (asked, rest) = read_asked(first)?;
    let rest = rest.trim();
    let answered = if rest.is_empty() {
        None
    } else {
        let answered = read_answered(rest).filter(|_| asked != Asked::Start);
        Some(answered.ok_or_else(|| TranscriptFault::Answered(rest.to_owned()))?)
    };
    Ok(TranscriptLine {
        asked,
        answered,
        heard,
    })
}

/// Splits a cell into the attempt and the text after it.
fn read_asked(cell: &str) -> Result<(Asked, &str), TranscriptFault> {
    let fault = || TranscriptFault::Asked(cell.to_owned());
    let (word, rest) = cell.split_once(' ').unwrap_or((cell, ""));
    let by = match word {
        "start" => return Ok((Asked::Start, rest)),
        "abort" => return Ok((Asked::End(EndCause::Abort), rest)),
        "white" => Color::White,
        "black" => Color::Black,
        _ => return Err(fault()),
    };
    let rest = rest.trim_start();
    if let Some(quoted) = rest.strip_prefix('"') {
        let (text, rest) = quoted.split_once('"').ok_or_else(fault)?;
        let text = text.to_owned();
        return Ok((Asked::Unread { by, text }, rest));
    }
    let (what, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    let asked = match EndCause::from_word(what, by).filter(|cause| cause.color().is_some()) {
        Some(cause) => Asked::End(cause),
        None => Asked::Attempt {
            by,
            attempt: what.parse().map_err(|_| fault())?,
        },
    };
    Ok((asked, rest))
}

fn read_answered(text: &str) -> Option<Answered> {
    match text {
        "refused" => return Some(Answered::Refused),
        "not-understood" => return Some(Answered::NotUnderstood),
        _ => {}
    }
    let (word, row) = match text.split_once(' ') {
        None => (text, None),
        Some((word, row)) => (word, Some(row.trim().parse().ok()?)),
    };
    let answer = Answer::from_name(word)?;
    Some(Answered::Ruled { answer, row })
}
