//! Reads games from a file of any supported format, one game at a time.

use std::io::{self, BufRead, Read as _};

use rules::chess::Color;

use crate::{
    lines::read_line,
    pgn::{PgnGame, PgnReader},
    read::KEYS,
    recorded_game::{
        Act, RecordedAct, RecordedGame, RecordedGameError,
        from_json::{self, JsonLine},
    },
    transcript::Asked,
};

/// File format of games.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Form {
    /// Our transcript: one game, with one column for each listener.
    Transcript,
    /// PGN with tries.
    Pgn,
    /// JSON lines of the umpire's stream.
    Json,
}

/// Maximum length of a transcript, in bytes.
const MAX_TRANSCRIPT: usize = 64 << 20;

/// Maximum length of a JSON line that is not a whole game, in bytes.
const MAX_LINE: usize = 1 << 20;
/// Maximum length of a whole game in one line of JSON, in bytes.
const MAX_GAME: usize = 64 << 20;
/// First bytes of a line of JSON that is a whole game.
const WHOLE: &[u8] = b"{\"game\":";
/// First bytes of the line of JSON with which a game of the umpire's stream begins.
const NEW: &[u8] = b"{\"n\":0,";

impl Form {
    /// Recognises the format by the beginning of a text. JSON begins with `{"`, and a
    /// transcript begins with a header line. All other text is treated as PGN.
    pub fn of(beginning: &[u8]) -> Form {
        let text = beginning.strip_prefix(b"\xef\xbb\xbf").unwrap_or(beginning);
        let text = text.trim_ascii_start();
        if text.starts_with(b"{\"") {
            return Form::Json;
        }
        let head = |word: &str| {
            text.strip_prefix(word.as_bytes())
                .and_then(|rest| rest.first())
                .is_some_and(u8::is_ascii_whitespace)
        };
        if KEYS.into_iter().any(head) {
            Form::Transcript
        } else {
            Form::Pgn
        }
    }
}

/// Iterator over the games of a file in any format. The memory of the iterator does not grow with
/// the number of games.
///
/// An item is a game, or the reason why the game cannot be read. A damaged game changes no other
/// game of the file. An [`io::Error`] means that reading the input itself failed.
#[derive(Debug)]
pub struct RecordedGames<R> {
    reading: Reading<R>,
    number: u64,
    /// The part of the last damaged game before its fault.
    part: Option<RecordedGame>,
    /// The last game, if it is one player's view.
    view: Option<Box<PgnGame>>,
}

#[derive(Debug)]
enum Reading<R> {
    Transcript(Option<R>),
    Pgn(PgnReader<R>),
    Json(Box<JsonGames<R>>),
}

#[derive(Debug)]
struct JsonGames<R> {
    input: R,
    line: u64,
    text: Vec<u8>,
    next: Option<RecordedGame>,
    /// The fault of the next game, if the line with which this game begins is damaged.
    fault: Option<RecordedGameError>,
    /// Whether the reader is skipping lines after an error, until the next game begins.
    lost: bool,
    ended: bool,
}

impl<R: BufRead> RecordedGames<R> {
    /// Reads games. Recognises the format by the beginning of the input.
    ///
    /// # Errors
    /// The input cannot be read.
    pub fn new(mut input: R) -> io::Result<RecordedGames<R>> {
        let form = Form::of(input.fill_buf()?);
        Ok(RecordedGames::of_form(input, form))
    }

    /// Reads games of a given format.
    pub fn of_form(input: R, form: Form) -> RecordedGames<R> {
        let reading = match form {
            Form::Transcript => Reading::Transcript(Some(input)),
            Form::Pgn => Reading::Pgn(PgnReader::new(input)),
            Form::Json => Reading::Json(Box::new(JsonGames {
                input,
                line: 0,
                text: Vec::new(),
                next: None,
                fault: None,
                lost: false,
                ended: false,
            })),
        };
        RecordedGames {
            reading,
            number: 0,
            part: None,
            view: None,
        }
    }

    /// Returns the number of the last game in the file, from 1. Damaged games count.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Returns the part of the last damaged game before its fault. If reading the input failed,
    /// returns what was read of the last game.
    pub fn take_part(&mut self) -> Option<RecordedGame> {
        self.part.take()
    }

    /// Returns the last game, if it could not be read because it is one player's view.
    pub fn take_view(&mut self) -> Option<Box<PgnGame>> {
        self.view.take()
    }

    /// Returns the format of the games.
    pub fn form(&self) -> Form {
        match self.reading {
            Reading::Transcript(_) => Form::Transcript,
            Reading::Pgn(_) => Form::Pgn,
            Reading::Json(_) => Form::Json,
        }
    }
}

impl<R: BufRead> Iterator for RecordedGames<R> {
    type Item = io::Result<Result<RecordedGame, RecordedGameError>>;

    fn next(&mut self) -> Option<Self::Item> {
        (self.part, self.view) = (None, None);
        let item = match &mut self.reading {
            Reading::Transcript(input) => read_transcript(input.take()?, &mut self.part),
            Reading::Pgn(reader) => {
                let item = reader.next()?;
                let part = reader.take_part().map(RecordedGame::from_pgn);
                self.part = part.and_then(Result::ok);
                item.map(|game| {
                    let game = game?;
                    let line = game.line;
                    if game.player().is_some() {
                        self.view = Some(Box::new(game));
                        return Err(RecordedGameError::View { line });
                    }
                    RecordedGame::from_pgn(game)
                })
            }
            Reading::Json(games) => games.next(&mut self.part)?,
        };
        self.number += u64::from(item.is_ok());
        Some(item)
    }
}

type Item = io::Result<Result<RecordedGame, RecordedGameError>>;

fn read_transcript(input: impl BufRead, part: &mut Option<RecordedGame>) -> Item {
    let mut bytes = Vec::new();
    let read = input
        .take(MAX_TRANSCRIPT as u64 + 1)
        .read_to_end(&mut bytes);
    if bytes.len() > MAX_TRANSCRIPT {
        return Ok(Err(RecordedGameError::TooLong {
            line: 1,
            most: MAX_TRANSCRIPT,
        }));
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    let lines = |bytes: &[u8]| bytes.iter().filter(|b| **b == b'\n').count();
    let mut before = |lines: usize| {
        let text = String::from_utf8_lossy(bytes);
        let text: String = text.split_inclusive('\n').take(lines).collect();
        *part = RecordedGame::from_transcript(&text).ok();
    };
    if let Err(error) = read {
        before(lines(bytes));
        return Err(error);
    }
    let fault = match std::str::from_utf8(bytes) {
        Ok(text) => match RecordedGame::from_transcript(text) {
            Ok(game) => return Ok(Ok(game)),
            Err(error) => RecordedGameError::from(error),
        },
        Err(error) => RecordedGameError::NotUtf8 {
            line: 1 + lines(&bytes[..error.valid_up_to()]) as u64,
        },
    };
    before(usize::try_from(fault.line()).map_or(0, |line| line - 1));
    Ok(Err(fault))
}

impl<R: BufRead> JsonGames<R> {
    /// Reads a line into `self.text`; returns `None` at the end of the input. A line
    /// that is too long is read to its end, and an error is returned.
    fn read(&mut self) -> io::Result<Option<Result<(), RecordedGameError>>> {
        let longest = |line: &[u8]| {
            if line.starts_with(WHOLE) {
                MAX_GAME
            } else {
                MAX_LINE
            }
        };
        if read_line(&mut self.input, &mut self.text, |begun| longest(begun) + 1)? == 0 {
            return Ok(None);
        }
        self.line += 1;
        let (line, most) = (self.line, longest(&self.text));
        Ok(Some(if self.text.len() > most {
            Err(RecordedGameError::TooLong { line, most })
        } else {
            Ok(())
        }))
    }

    fn next(&mut self, part: &mut Option<RecordedGame>) -> Option<Item> {
        if let Some(fault) = self.fault.take() {
            return Some(Ok(Err(fault)));
        }
        while !self.ended {
            match self.read() {
                Err(error) => {
                    self.ended = true;
                    *part = self.next.take();
                    return Some(Err(error));
                }
                Ok(None) => self.ended = true,
                Ok(Some(read)) => match read.and_then(|()| self.take()) {
                    Ok(None) => {}
                    Ok(Some(game)) => return Some(Ok(Ok(game))),
                    Err(error) => {
                        let begins = self.begins();
                        if self.lost && !begins {
                            continue;
                        }
                        self.lost = true;
                        let before = self.next.take();
                        if begins && let Some(game) = before {
                            self.fault = Some(error);
                            return Some(Ok(Ok(game)));
                        }
                        *part = before;
                        return Some(Ok(Err(error)));
                    }
                },
            }
        }
        self.next.take().map(|game| Ok(Ok(game)))
    }

    /// Whether the line in `self.text`, which may be damaged, begins a game.
    fn begins(&self) -> bool {
        let text = self.text.trim_ascii_start();
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        text.starts_with(WHOLE) || text.starts_with(NEW)
    }

    /// Interprets the line in `self.text`. If the line begins a new game, returns the
    /// game that ended before this line.
    fn take(&mut self) -> Result<Option<RecordedGame>, RecordedGameError> {
        let line = self.line;
        let text =
            std::str::from_utf8(&self.text).map_err(|_| RecordedGameError::NotUtf8 { line })?;
        let text = text.trim_start_matches('\u{feff}').trim();
        if text.is_empty() || text.starts_with('#') {
            return Ok(None);
        }
        let to_move = self.next.as_ref().map_or(Color::White, to_move);
        match from_json::read_line(text, line, to_move)? {
            JsonLine::New(game) => {
                self.lost = false;
                Ok(self.next.replace(*game))
            }
            JsonLine::Act(_) if self.lost => Ok(None),
            JsonLine::Act(told) => {
                let game = self.next.get_or_insert_with(|| RecordedGame {
                    line,
                    ..RecordedGame::default()
                });
                game.acts.push(*told);
                Ok(None)
            }
        }
    }
}

/// Guesses the side to move from the last eight acts. The guess is the side that the last
/// announcement of a turn names. Without such an announcement, the guess is the side that made the
/// last attempt. Without an attempt, the guess is White.
fn to_move(game: &RecordedGame) -> Color {
    let turn = |told: &RecordedAct| {
        told.claim.heard.as_ref()?.room.iter().find_map(|heard| {
            if let rules::Heard::Announced(rules::Announcement::Turn { to_move }) = heard {
                Some(*to_move)
            } else {
                None
            }
        })
    };
    let by = |told: &RecordedAct| {
        if let Act::Asked(Asked::Attempt { by, .. }) = told.act {
            Some(by)
        } else {
            None
        }
    };
    let last = game.acts.iter().rev().take(8);
    last.clone()
        .find_map(turn)
        .or_else(|| last.clone().find_map(by))
        .unwrap_or(Color::White)
}
