//! Splits the text of a PGN file into games.

use std::io::{self, BufRead};

use super::{
    PgnGame,
    fault::{Damaged, LONGEST_GAME, PgnFault},
    parse::parse,
};
use crate::lines::read_line;

/// Iterator over the games of a PGN file. It keeps only one game in memory.
///
/// An item is a game, or the reason why the game is damaged. An [`io::Error`]
/// means that reading the input itself failed; the iterator then ends.
#[derive(Debug)]
pub struct PgnReader<R> {
    input: R,
    game: Vec<u8>,
    /// The line that was read last. It can be the first line of the next game.
    ahead: Vec<u8>,
    /// Line of the file on which the current game begins, from 1.
    first: u64,
    /// Number of lines read so far.
    lines: u64,
    bytes: u64,
    ended: bool,
}

/// Parts of the current game that the reader has met so far.
#[derive(Default)]
struct Cut {
    tags: bool,
    event: bool,
    moves: bool,
    in_comment: bool,
    too_long: bool,
}

impl<R: BufRead> PgnReader<R> {
    /// Creates a reader of `input`.
    pub fn new(input: R) -> PgnReader<R> {
        PgnReader {
            input,
            game: Vec::new(),
            ahead: Vec::new(),
            first: 1,
            lines: 0,
            bytes: 0,
            ended: false,
        }
    }

    /// Returns the number of bytes read.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Reads a line into `self.ahead`, cut off at the maximum length of a game.
    /// Returns false at the end of the input.
    fn next_line(&mut self) -> io::Result<bool> {
        let read = read_line(&mut self.input, &mut self.ahead, |_| LONGEST_GAME + 1)?;
        self.bytes += read;
        self.lines += u64::from(read > 0);
        self.ended = read == 0;
        Ok(read > 0)
    }

    /// Reads the text of the next game into `self.game`; returns `None` at the end of the input.
    fn cut(&mut self) -> io::Result<Option<Cut>> {
        self.game.clear();
        let mut cut = Cut::default();
        self.first = self.lines.max(1);
        if self.ahead.is_empty() && !self.next_line()? {
            return Ok(None);
        }
        loop {
            if cut.ends_before(&self.ahead) {
                return Ok(Some(cut));
            }
            if !cut.begun() && blank(&self.ahead) {
                // Skip blank lines between games.
            } else {
                if self.game.is_empty() && !cut.begun() {
                    self.first = self.lines;
                }
                cut.take(&self.ahead);
                if self.game.len() + self.ahead.len() > LONGEST_GAME {
                    cut.too_long = true;
                    self.game.clear();
                } else if !cut.too_long {
                    self.game.extend_from_slice(&self.ahead);
                }
            }
            if !self.next_line()? {
                return Ok(cut.begun().then_some(cut));
            }
        }
    }
}

fn blank(line: &[u8]) -> bool {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    line.iter().all(u8::is_ascii_whitespace)
}

/// Checks whether a line is a tag. A command in a comment (`[%clk`) is not a tag.
fn is_tag(line: &[u8]) -> bool {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    let line = line.trim_ascii_start();
    line.first() == Some(&b'[')
        && line.get(1).is_some_and(u8::is_ascii_alphabetic)
        && line.contains(&b'"')
}

impl Cut {
    fn begun(&self) -> bool {
        self.tags || self.moves
    }

    /// Checks whether the next game begins with this line. While a comment is open, or after the
    /// maximum length of a game, only the tag `Event` begins a new game.
    fn ends_before(&self, line: &[u8]) -> bool {
        if !self.begun() || !is_tag(line) {
            return false;
        }
        let event = line.trim_ascii_start().starts_with(b"[Event \"");
        if self.in_comment || self.too_long {
            return event;
        }
        self.moves || (event && self.event)
    }

    fn take(&mut self, line: &[u8]) {
        let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        if !self.moves && is_tag(line) {
            self.tags = true;
            self.event |= line.trim_ascii_start().starts_with(b"[Event \"");
            return;
        }
        if !self.in_comment && (blank(line) || line.first() == Some(&b'%')) {
            return;
        }
        self.moves = true;
        for b in line {
            match b {
                b'{' => self.in_comment = true,
                b'}' => self.in_comment = false,
                b';' if !self.in_comment => return,
                _ => {}
            }
        }
    }
}

impl<R: BufRead> Iterator for PgnReader<R> {
    type Item = io::Result<Result<PgnGame, Damaged>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended && self.ahead.is_empty() {
            return None;
        }
        match self.cut() {
            Err(error) => {
                self.ended = true;
                self.ahead.clear();
                Some(Err(error))
            }
            Ok(None) => None,
            Ok(Some(cut)) if cut.too_long => Some(Ok(Err(Damaged {
                line: self.first,
                column: 1,
                fault: PgnFault::TooLong,
            }))),
            Ok(Some(_)) => Some(Ok(parse(&self.game, self.first))),
        }
    }
}
