//! Lines for a terminal, broken between words.

use std::io::{self, Write};

/// Maximum width of a label with the spaces before and after it, in columns. A line with a wider
/// label is treated as a line without a label.
const LAST_TEXT_COLUMN: usize = 34;

/// Writer that breaks long lines between words at the width of a terminal.
pub(super) struct Wrapped<W> {
    output: W,
    /// Returns the width in columns, if it is known.
    width: fn() -> Option<usize>,
    /// The incomplete last line.
    line: Vec<u8>,
}

impl<W: Write> Wrapped<W> {
    pub(super) fn new(output: W, width: fn() -> Option<usize>) -> Wrapped<W> {
        Wrapped {
            output,
            width,
            line: Vec::new(),
        }
    }
}

impl<W: Write> Write for Wrapped<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend_from_slice(piece);
            if piece.ends_with(b"\n") {
                let line = std::mem::take(&mut self.line);
                match (str::from_utf8(&line), (self.width)()) {
                    (Ok(text), Some(width)) => {
                        self.output.write_all(wrapped(text, width).as_bytes())?;
                    }
                    _ => self.output.write_all(&line)?,
                }
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let line = std::mem::take(&mut self.line);
        self.output.write_all(&line)?;
        self.output.flush()
    }
}

/// Breaks a line between words. The next lines are indented like the text of the first line.
fn wrapped(line: &str, width: usize) -> String {
    if columns(line) <= width {
        return line.to_owned();
    }
    let indent = text_column(line).min(width / 2);
    let (mut text, mut column) = (String::new(), 0);
    for (n, word) in line.split(' ').enumerate() {
        let wide = columns(word);
        if n > 0 {
            if column > indent && wide > 0 && column + 1 + wide > width {
                text.push('\n');
                text.push_str(&" ".repeat(indent));
                column = indent;
            } else {
                text.push(' ');
                column += 1;
            }
        }
        text.push_str(word);
        column += wide;
    }
    text
}

/// Returns the column at which the text of a line begins, after a number or a label.
fn text_column(line: &str) -> usize {
    let plain = anstream::adapter::strip_str(line).to_string();
    let begin = plain.len() - plain.trim_start().len();
    let label = plain[begin..].find("  ").map(|at| begin + at);
    label
        .map(|end| end + plain[end..].len() - plain[end..].trim_start().len())
        .filter(|column| *column <= LAST_TEXT_COLUMN)
        .unwrap_or(begin)
}

/// Returns the number of columns of a text. Styles and the line end count as 0 columns.
fn columns(text: &str) -> usize {
    let plain = anstream::adapter::strip_str(text).to_string();
    plain.trim_end_matches('\n').chars().count()
}

/// Returns the width of the terminal.
pub(super) fn terminal_width() -> Option<usize> {
    let (width, _) = crossterm::terminal::size().ok()?;
    (width >= 20).then_some(width.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapped_lines_continue_below_their_text() {
        for (line, broken) in [
            ("short\n", "short\n"),
            (
                "     White         You play e2e4. No pawn try.\n",
                "     White         You play\n               e2e4. No pawn\n               try.\n",
            ),
            (
                "  4  undo: not understood: it is not a move\n",
                "  4  undo: not understood: it\n     is not a move\n",
            ),
            (
                "Type what the player says, as e2e4.\n",
                "Type what the player says, as\ne2e4.\n",
            ),
            (
                "a\u{1b}[1mbc\u{1b}[0m def ghi jkl mno pqr stu vw\n",
                "a\u{1b}[1mbc\u{1b}[0m def ghi jkl mno pqr stu vw\n",
            ),
        ] {
            assert_eq!(wrapped(line, 30), broken);
        }
    }

    #[test]
    fn flushed_text_is_written_immediately() {
        let mut output = Vec::new();
        let mut writer = Wrapped::new(&mut output, || Some(10));
        writer.write_all(b"one two three four\nprompt > ").unwrap();
        writer.flush().unwrap();
        writer.write_all(b"five\n").unwrap();
        drop(writer);
        assert_eq!(output, b"one two\nthree four\nprompt > five\n");
    }
}
