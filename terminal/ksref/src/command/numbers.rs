//! Reads numbers as FORTRAN does in free form: they are separated by blanks,
//! commas or line ends.

use std::io::{self, BufRead};

use super::{
    Stop,
    endless::{ENDLESS_BYTES, Endless},
};

/// An error message shows at most this many characters of a token.
const MAX_TOKEN_CHARS: usize = 40;

/// A reader of numbers. The reader needs little memory even for very long lines, because it never
/// stores a whole line.
pub(super) struct Numbers<R> {
    input: R,
    line: u64,
    column: u64,
}

/// A sequence of bytes without separators.
#[derive(Default)]
struct Token {
    shown: Vec<u8>,
    length: u64,
    value: i64,
    negative: bool,
    digits: bool,
    wrong: bool,
}

impl Token {
    fn push(&mut self, byte: u8) {
        if self.shown.len() < MAX_TOKEN_CHARS {
            self.shown.push(byte);
        }
        match byte {
            b'0'..=b'9' => {
                self.digits = true;
                let grown = self.value * 10 + i64::from(byte - b'0');
                self.value = grown.min(i32::MAX.into());
            }
            b'+' if self.length == 0 => {}
            b'-' if self.length == 0 => self.negative = true,
            _ => self.wrong = true,
        }
        self.length += 1;
    }

    /// Returns the number, limited to the range of `i32`; `None` if the token
    /// is not a number.
    fn number(&self) -> Option<i32> {
        let value = i32::try_from(self.value).unwrap_or(i32::MAX);
        let signed = if self.negative { -value } else { value };
        (self.digits && !self.wrong).then_some(signed)
    }
}

fn separates(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == b','
}

impl<R: BufRead> Numbers<R> {
    pub(super) fn new(input: R) -> Numbers<R> {
        Numbers::at_line(input, 1)
    }

    /// Creates a reader that counts lines from `line`.
    pub(super) fn at_line(input: R, line: u64) -> Numbers<R> {
        Numbers {
            input,
            line,
            column: 1,
        }
    }

    /// Returns the position of the reader in the input, for messages.
    pub(super) fn place(&self) -> String {
        format!("line {}, column {}", self.line, self.column)
    }

    fn peek(&mut self) -> io::Result<Option<u8>> {
        loop {
            match self.input.fill_buf() {
                Ok(buffer) => return Ok(buffer.first().copied()),
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
            }
        }
    }

    fn pass(&mut self, byte: u8) {
        self.input.consume(1);
        if byte == b'\n' {
            self.line += 1;
            self.column = 1;
        } else {
            self.column += 1;
        }
    }

    /// Reads the next number; `None` at the end of the input.
    pub(super) fn number(&mut self) -> Result<Option<i32>, Stop> {
        let mut blanks = 0;
        while let Some(byte) = self.peek()?.filter(|b| separates(*b)) {
            self.pass(byte);
            blanks += 1;
            if blanks > ENDLESS_BYTES {
                return Err(io::Error::from(Endless::Separators).into());
            }
        }
        let place = self.place();
        let mut token = Token::default();
        while let Some(byte) = self.peek()?.filter(|b| !separates(*b)) {
            token.push(byte);
            self.pass(byte);
            if token.length > ENDLESS_BYTES as u64 {
                return Err(io::Error::from(Endless::Number).into());
            }
        }
        if token.length == 0 {
            return Ok(None);
        }
        token.number().map(Some).ok_or_else(|| {
            Stop::Input(format!(
                "{place}: `{}` is not a whole number",
                printable(&token.shown)
            ))
        })
    }

    /// Reads the next `N` numbers. Returns `None` if the input ends before the first number.
    pub(super) fn numbers<const N: usize>(&mut self, what: &str) -> Result<Option<[i32; N]>, Stop> {
        let mut all = [0; N];
        for (n, cell) in all.iter_mut().enumerate() {
            *cell = match self.number()? {
                Some(number) => number,
                None if n == 0 => return Ok(None),
                None => {
                    return Err(Stop::Input(format!(
                        "{}: the input ends after {n} of the {N} numbers of {what}",
                        self.place()
                    )));
                }
            };
        }
        Ok(Some(all))
    }
}

/// Converts bytes to text for a message: without control characters, at most
/// `MAX_TOKEN_CHARS` characters.
pub(super) fn printable(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes)
        .chars()
        .map(|c| if c.is_control() { '?' } else { c })
        .take(MAX_TOKEN_CHARS)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<String> {
        let mut numbers = Numbers::new(text.as_bytes());
        let mut all = Vec::new();
        loop {
            match numbers.number() {
                Ok(None) => return all,
                Ok(Some(n)) => all.push(n.to_string()),
                Err(stop) => all.push(stop.to_string()),
            }
        }
    }

    #[test]
    fn numbers_are_read_in_free_form() {
        assert_eq!(read(" 1,2\r\n\t+3 -4\n5"), ["1", "2", "3", "-4", "5"]);
        assert_eq!(
            read("99999999999999999999999999 -99999999999999999999"),
            ["2147483647", "-2147483647"]
        );
    }

    #[test]
    fn error_shows_the_wrong_text_and_its_place() {
        assert_eq!(
            read("1\n2 e2e4 - 3.5"),
            [
                "1",
                "2",
                "line 2, column 3: `e2e4` is not a whole number",
                "line 2, column 8: `-` is not a whole number",
                "line 2, column 10: `3.5` is not a whole number",
            ]
        );
    }
}
