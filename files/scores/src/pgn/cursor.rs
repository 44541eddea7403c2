//! Cursor over the text of a game.

use crate::score::windows1252;

/// Position in a text, with line and column.
#[derive(Copy, Clone, Debug)]
pub(super) struct Cursor<'a> {
    pub(super) text: &'a [u8],
    pub(super) at: usize,
    line: u64,
    line_start: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a [u8], line: u64) -> Cursor<'a> {
        let at = if text.starts_with(b"\xef\xbb\xbf") {
            3
        } else {
            0
        };
        Cursor {
            text,
            at,
            line,
            line_start: at,
        }
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    /// Returns line and column, both from 1; columns are in bytes.
    pub(super) fn place(&self) -> (u64, u64) {
        (self.line, (self.at - self.line_start + 1) as u64)
    }

    pub(super) fn line(&self) -> u64 {
        self.line
    }

    fn newline(&mut self) {
        self.line += 1;
        self.line_start = self.at;
    }

    /// Skips white space, and lines that begin with `%`.
    pub(super) fn skip_blank(&mut self) {
        while let Some(b) = self.peek() {
            if b == b'\n' {
                self.at += 1;
                self.newline();
            } else if b.is_ascii_whitespace() || b == 0x0b {
                self.at += 1;
            } else if b == b'%' && self.at == self.line_start {
                self.skip_line();
            } else {
                return;
            }
        }
    }

    /// Moves to the end of the line.
    pub(super) fn skip_line(&mut self) {
        while self.peek().is_some_and(|b| b != b'\n') {
            self.at += 1;
        }
    }

    /// Returns the text up to the byte `end`, and moves to the byte after `end`. If the text has no
    /// such byte, returns `None` and does not move.
    pub(super) fn take_to(&mut self, end: u8) -> Option<&'a [u8]> {
        let start = self.at;
        let length = self.text[start..].iter().position(|b| *b == end)?;
        let taken = &self.text[start..start + length];
        let mut newlines = 0;
        for (i, b) in taken.iter().enumerate() {
            if *b == b'\n' {
                newlines += 1;
                self.line_start = start + i + 1;
            }
        }
        self.line += newlines;
        self.at = start + length + 1;
        if end == b'\n' {
            self.newline();
        }
        Some(taken)
    }

    /// Returns the next word of the movetext, and moves to the end of the word. Brackets belong to
    /// a word only if they enclose a promotion, for example in `e8(Q)`.
    pub(super) fn take_word(&mut self) -> &'a [u8] {
        let start = self.at;
        let mut open = false;
        while let Some(b) = self.peek() {
            match b {
                b'{' | b'}' | b';' | b'$' => break,
                b'(' => {
                    if !matches!(self.text[start..self.at].last(), Some(b'1' | b'8')) {
                        break;
                    }
                    open = true;
                }
                b')' => {
                    if !open {
                        break;
                    }
                    open = false;
                }
                _ if b.is_ascii_whitespace() => break,
                _ => {}
            }
            self.at += 1;
        }
        &self.text[start..self.at]
    }
}

/// Decodes bytes as UTF-8, or as Windows-1252 if they are not UTF-8.
pub(super) fn decoded(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|b| windows1252(*b)).collect(),
    }
}
