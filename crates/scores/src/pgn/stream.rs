//! A stream of games, cut into games.

use std::io::{self, BufRead};

use super::{
    PgnGame,
    fault::{Damaged, LONGEST_GAME, PgnFault},
    parse::parse,
};
use crate::lines::read_line;

/// Reads games one after the other, in constant memory.
///
/// Each item is a game, or why it is damaged; only a failure of the input
/// itself is an error and ends the stream.
#[derive(Debug)]
pub struct PgnReader<R> {
    input: R,
    game: Vec<u8>,
    /// The first line of the next game.
    ahead: Vec<u8>,
    /// The line on which the game at hand begins.
    first: u64,
    /// Lines read so far.
    lines: u64,
    bytes: u64,
    ended: bool,
}

/// State of the game that is being cut out.
#[derive(Default)]
struct Cut {
    tags: bool,
    event: bool,
    moves: bool,
    in_comment: bool,
    too_long: bool,
}

impl<R: BufRead> PgnReader<R> {
    /// A reader of that input.
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

    /// Reads a line into `self.ahead`, cut off at the longest game; false at the
    /// end of input.
    fn next_line(&mut self) -> io::Result<bool> {
        let read = read_line(&mut self.input, &mut self.ahead, |_| LONGEST_GAME + 1)?;
        self.bytes += read;
        self.lines += u64::from(read > 0);
        self.ended = read == 0;
        Ok(read > 0)
    }

    /// Cuts the next game out of the stream; false at its end.
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
                // Blank lines between games.
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

/// Whether a line is a tag; a command in a comment (`[%clk`) is none.
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

    /// Whether the next game begins with this line. Inside a comment that was
    /// never closed, only a tag `Event` ends the game.
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
