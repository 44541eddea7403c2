//! Splits the text of a PGN file into games.

use std::io::{self, BufRead};

use super::{
    PgnGame,
    fault::{Damaged, MAX_GAME, PgnFault},
    parse::parse,
    san::Written,
};
use crate::lines::read_line;

/// Iterator over the games of a PGN file. It keeps only one game in memory.
///
/// The text is first split into games, and then each game is parsed alone. So a fault in a game
/// does not change where the other games begin.
///
/// An item is a game, or the reason why the game is damaged. An [`io::Error`]
/// means that reading the input itself failed; the iterator then ends.
#[derive(Debug)]
pub struct PgnReader<R> {
    input: R,
    /// Text of the current game.
    game: Vec<u8>,
    /// The line that was read last. It can be the first line of the next game.
    ahead: Vec<u8>,
    /// Lines of the next game that were read as lines of the game before it.
    back: Vec<u8>,
    /// Number of bytes of `back` that were read again.
    again: usize,
    /// Line of the file on which the current game begins, from 1.
    first: u64,
    /// Number of lines up to the line in `ahead`.
    lines: u64,
    bytes: u64,
    ended: bool,
    /// The part of the last damaged game before its fault.
    part: Option<Box<PgnGame>>,
}

/// What a reader has met of a game.
#[derive(Copy, Clone, Eq, PartialEq, Default, Debug)]
enum Place {
    /// Nothing but text that belongs to no game.
    #[default]
    Before,
    /// Tags.
    Head,
    /// Moves.
    Moves,
    /// The result after the moves.
    Over,
}

/// State of the reader in the current game.
#[derive(Default)]
struct Cut {
    place: Place,
    /// Names of the tags, up to [`MAX_NAMES`].
    names: Vec<Vec<u8>>,
    after_blank: bool,
    in_comment: bool,
    /// Number of open variations.
    depth: usize,
    too_long: bool,
    /// Place in the text and line of the file where the next game may begin. The following lines
    /// decide.
    doubt: Option<(usize, u64)>,
}

/// Maximum number of names of tags that are compared.
const MAX_NAMES: usize = 100;

/// What the reader does with a line.
enum Step {
    /// The line belongs to the game.
    Take,
    /// The line belongs to the game; what came before it is not part of a game.
    Begin,
    /// The next game may begin with this line.
    Doubt,
    /// The next game begins with this line.
    End,
    /// The next game begins where it was in doubt.
    EndAtDoubt,
}

impl<R: BufRead> PgnReader<R> {
    /// Creates a reader of `input`.
    pub fn new(input: R) -> PgnReader<R> {
        PgnReader {
            input,
            game: Vec::new(),
            ahead: Vec::new(),
            back: Vec::new(),
            again: 0,
            first: 1,
            lines: 0,
            bytes: 0,
            ended: false,
            part: None,
        }
    }

    /// Returns the number of bytes read.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns the part of the last damaged game before its fault; `None` if the fault is in the
    /// tags. If reading the input failed, returns what was read of the last game.
    pub fn take_part(&mut self) -> Option<PgnGame> {
        self.part.take().map(|part| *part)
    }

    /// Reads a line into `self.ahead`, cut off at the maximum length of a game.
    /// Returns false at the end of the input.
    fn next_line(&mut self) -> io::Result<bool> {
        let read = if self.again < self.back.len() {
            let mut rest = &self.back[self.again..];
            let read = read_line(&mut rest, &mut self.ahead, |_| MAX_GAME + 1)?;
            self.again += self.ahead.len();
            read
        } else {
            self.back.clear();
            self.again = 0;
            let read = read_line(&mut self.input, &mut self.ahead, |_| MAX_GAME + 1)?;
            self.bytes += read;
            self.ended = read == 0;
            read
        };
        self.lines += u64::from(read > 0);
        Ok(read > 0)
    }

    /// Moves the lines from `doubt` on, and the line in `self.ahead`, back to the input.
    fn put_back(&mut self, (at, line): (usize, u64)) {
        let mut back = self.game.split_off(at);
        back.extend_from_slice(&self.ahead);
        back.extend_from_slice(&self.back[self.again..]);
        (self.back, self.again) = (back, 0);
        self.ahead.clear();
        self.ended = false;
        self.lines = line - 1;
    }

    /// Reads the text of the next game into `self.game`; returns `None` at the end of the input.
    fn cut(&mut self) -> io::Result<Option<Cut>> {
        self.game.clear();
        let mut cut = Cut::default();
        if self.ahead.is_empty() && !self.next_line()? {
            return Ok(None);
        }
        self.first = self.lines;
        loop {
            match cut.step(&self.ahead) {
                Step::End => return Ok(Some(cut)),
                Step::EndAtDoubt => {
                    if let Some(doubt) = cut.doubt {
                        self.put_back(doubt);
                    }
                    return Ok(Some(cut));
                }
                Step::Doubt => cut.doubt = Some((self.game.len(), self.lines)),
                Step::Begin => {
                    self.game.clear();
                    self.first = self.lines;
                }
                Step::Take => {}
            }
            if self.game.is_empty() && !cut.too_long {
                self.first = self.lines;
            }
            cut.take(&self.ahead);
            if self.game.len() + self.ahead.len() > MAX_GAME {
                cut.too_long = cut.place != Place::Before;
                cut.doubt = None;
                self.game.clear();
            } else if !(cut.too_long || self.game.is_empty() && blank(&self.ahead)) {
                self.game.extend_from_slice(&self.ahead);
            }
            if !self.next_line()? {
                if let Some(doubt) = cut.doubt {
                    self.put_back(doubt);
                }
                return Ok((cut.place != Place::Before).then_some(cut));
            }
        }
    }
}

fn without_mark(line: &[u8]) -> &[u8] {
    line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line)
}

fn blank(line: &[u8]) -> bool {
    without_mark(line).iter().all(u8::is_ascii_whitespace)
}

/// Returns the name of the tag that a line begins, even if the line has faults. A command in a
/// comment (`[%clk`) is not a tag.
fn tag_name(line: &[u8]) -> Option<&[u8]> {
    let line = without_mark(line).trim_ascii_start().strip_prefix(b"[")?;
    let line = line.trim_ascii_start();
    let is_name = |b: &&u8| b.is_ascii_alphanumeric() || **b == b'_';
    let name = &line[..line.iter().take_while(is_name).count()];
    name.first()
        .is_some_and(u8::is_ascii_alphabetic)
        .then_some(name)
}

/// Whether a line has the form of a tag from its first to its last character.
fn is_whole_tag(line: &[u8]) -> bool {
    let text = line.trim_ascii();
    tag_name(line).is_some() && text.ends_with(b"\"]") && text.contains(&b' ')
}

fn is_result(word: &[u8]) -> bool {
    matches!(word, b"1-0" | b"0-1" | b"1/2-1/2" | b"1/2" | b"*")
}

/// Whether a word is the first word of moves: a move, a hidden move or a result.
fn is_move(word: &[u8]) -> bool {
    is_result(word) || matches!(word, b"--" | b"Z0" | [b'?', ..]) || Written::read(word).is_some()
}

/// Splits a move number from the beginning of a line: the number, and the text after it.
fn numbered(line: &[u8]) -> Option<(u32, &[u8])> {
    let digits = line.iter().take_while(|b| b.is_ascii_digit()).count();
    let number = std::str::from_utf8(&line[..digits]).ok()?.parse().ok()?;
    Some((number, &line[digits..]))
}

/// Whether a line begins with White's first move.
fn is_first_move(line: &[u8]) -> bool {
    let line = without_mark(line).trim_ascii_start();
    matches!(numbered(line), Some((1, [b'.', rest @ ..])) if !rest.starts_with(b"."))
}

/// Whether a line that follows a header can be moves. Directly after a tag, a number alone is not
/// enough: "3. round" is prose.
fn is_moves(line: &[u8], after_blank: bool) -> bool {
    let line = without_mark(line).trim_ascii();
    if matches!(line.first(), Some(b'{' | b';' | b'(' | b'$' | b'}' | b')')) {
        return true;
    }
    let (has_number, rest) = match numbered(line) {
        Some((_, rest)) => (rest.first() == Some(&b'.'), rest.trim_ascii_start()),
        None => (false, line),
    };
    if has_number && after_blank {
        return true;
    }
    let rest = rest.trim_ascii_start();
    let dots = rest.iter().take_while(|b| **b == b'.').count();
    let rest = rest[dots..].trim_ascii_start();
    let end = |b: &u8| b.is_ascii_whitespace() || matches!(b, b'{' | b';' | b'(' | b'$');
    let word = rest.split(end).next().unwrap_or_default();
    is_move(word) || is_move(line.split(end).next().unwrap_or_default())
}

impl Cut {
    /// Decides what a line is, before it is taken.
    fn step(&self, line: &[u8]) -> Step {
        let name = tag_name(line);
        let is_event = name == Some(b"Event");
        if self.too_long {
            return match is_event && is_whole_tag(line) {
                true => Step::End,
                false => Step::Take,
            };
        }
        if self.in_comment {
            return self.step_in_comment(line, is_event);
        }
        if blank(line) || line.first() == Some(&b'%') {
            return Step::Take;
        }
        match (self.place, name) {
            (Place::Before, Some(_)) if self.after_blank || is_event && is_whole_tag(line) => {
                Step::Begin
            }
            (Place::Before, _) => Step::Take,
            (Place::Head, Some(name)) => {
                let again = self.names.iter().any(|known| known == name);
                match again && (is_event || self.after_blank) {
                    true => Step::End,
                    false => Step::Take,
                }
            }
            (Place::Head, None) => Step::Take,
            (Place::Over, Some(_)) => Step::End,
            (Place::Moves, Some(_)) => match self.doubt {
                None if is_event => Step::End,
                None if self.after_blank => Step::Doubt,
                Some(_) if is_event && self.after_blank => Step::End,
                None | Some(_) => Step::Take,
            },
            (Place::Moves, None) => match self.doubt {
                Some(_) => self.step_after_doubt(line),
                None if self.after_blank && self.depth == 0 && is_first_move(line) => Step::End,
                None => Step::Take,
            },
            (Place::Over, None) => {
                let is_comment = matches!(line.trim_ascii_start(), [b'{' | b';', ..]);
                match is_first_move(line) || (self.after_blank && !is_comment) {
                    true => Step::End,
                    false => Step::Take,
                }
            }
        }
    }

    /// A comment that contains a header is closed, or it was never closed and the next game begins
    /// with the header. In the next game a comment begins before a comment ends.
    fn step_in_comment(&self, line: &[u8], is_event: bool) -> Step {
        match (self.doubt, is_event && is_whole_tag(line)) {
            (None, true) => Step::Doubt,
            (Some(_), true) => Step::EndAtDoubt,
            (None, false) => Step::Take,
            (Some(_), false) => {
                let brace = line.iter().find(|b| matches!(b, b'{' | b'}'));
                match brace == Some(&b'{') && !is_whole_tag(line) {
                    true => Step::EndAtDoubt,
                    false => Step::Take,
                }
            }
        }
    }

    /// The text after tags in the middle of a file: the moves of the next game, or the rest of
    /// the moves of this game.
    fn step_after_doubt(&self, line: &[u8]) -> Step {
        let has_start = |name: &&[u8]| self.names.iter().any(|known| known == name);
        let started = [&b"FEN"[..], b"Men"].iter().any(has_start);
        let number = numbered(line.trim_ascii_start());
        match number.is_none_or(|(number, _)| number <= 1) || started {
            true => Step::EndAtDoubt,
            false => Step::Take,
        }
    }

    /// Updates the state with a line of the game.
    fn take(&mut self, line: &[u8]) {
        let line = without_mark(line);
        if !self.in_comment && (blank(line) || line.first() == Some(&b'%')) {
            self.after_blank |= blank(line);
            return;
        }
        let after_blank = std::mem::take(&mut self.after_blank);
        if self.in_comment && self.doubt.is_some() && is_whole_tag(line) {
            return;
        }
        if !self.in_comment
            && let Some(name) = tag_name(line)
        {
            if self.place == Place::Before {
                self.place = Place::Head;
            }
            if self.names.len() < MAX_NAMES {
                self.names.push(name.to_owned());
            }
            return;
        }
        if self.in_comment || matches!(self.place, Place::Moves | Place::Over) {
            // Tags that were in doubt belong to this game.
            if !self.in_comment {
                self.doubt = None;
            }
            self.scan(line);
        } else if is_moves(line, after_blank || self.place == Place::Before) {
            let place = self.place;
            self.place = Place::Moves;
            let words = self.scan(line);
            // A comment does not end a header.
            if words == 0 && self.place == Place::Moves {
                self.place = place;
                self.after_blank = after_blank;
            }
        } else {
            self.after_blank = false;
        }
    }

    /// Reads the words, comments and variations of a line. Returns the number of words outside
    /// comments.
    fn scan(&mut self, line: &[u8]) -> usize {
        let (mut words, mut at) = (0, 0);
        while let Some(b) = line.get(at) {
            at += 1;
            match b {
                b'}' if self.in_comment => {
                    self.in_comment = false;
                    self.doubt = None;
                }
                _ if self.in_comment => {}
                b'{' => self.in_comment = true,
                b';' => return words,
                b'(' => self.depth += 1,
                b')' => self.depth = self.depth.saturating_sub(1),
                b if b.is_ascii_whitespace() => {}
                _ => {
                    let end = |b: &u8| {
                        b.is_ascii_whitespace() || matches!(b, b'{' | b'}' | b';' | b'(' | b')')
                    };
                    let rest = &line[at - 1..];
                    let length = rest.iter().position(end).unwrap_or(rest.len());
                    let word = &rest[..length.max(1)];
                    at += word.len() - 1;
                    words += 1;
                    if self.depth == 0 && is_result(word) {
                        self.place = Place::Over;
                    }
                }
            }
        }
        words
    }
}

impl<R: BufRead> Iterator for PgnReader<R> {
    type Item = io::Result<Result<PgnGame, Damaged>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended && self.ahead.is_empty() {
            return None;
        }
        self.part = None;
        let cut = match self.cut() {
            Err(error) => {
                self.ended = true;
                self.ahead.clear();
                // The last line may be cut off.
                let whole = self.game.iter().rposition(|b| *b == b'\n');
                self.game.truncate(whole.map_or(0, |at| at + 1));
                self.part = match parse(&self.game, self.first) {
                    Ok(game) => Some(Box::new(game.unfinished())),
                    Err((_, part)) => part,
                };
                return Some(Err(error));
            }
            Ok(None) => return None,
            Ok(Some(cut)) => cut,
        };
        if cut.too_long {
            return Some(Ok(Err(Damaged {
                line: self.first,
                column: 1,
                fault: PgnFault::TooLong,
            })));
        }
        Some(Ok(parse(&self.game, self.first).map_err(
            |(damaged, part)| {
                self.part = part;
                damaged
            },
        )))
    }
}
