//! Text for the terminal. Texts of files and of other programs cannot control the terminal: every
//! unprintable character is escaped ([`printable_lines`]).

use std::{
    fmt::Display,
    io::{self, Write},
    path::Path,
    str,
};

use notation::printable_lines;

/// Maximum length of a line of a message, in characters. Longer lines are cut: they quote a file.
const MAX_LINE: usize = 2000;

/// Prints a message on standard error.
pub(super) fn tell(message: impl Display) {
    let message = message.to_string();
    let cut = |line: &str| match line.char_indices().nth(MAX_LINE) {
        Some((end, _)) => format!("{} ...", &line[..end]),
        None => line.to_owned(),
    };
    let message: Vec<String> = message.lines().map(cut).collect();
    let message = message.join("\n");
    // If stderr is closed too, the message cannot be printed.
    let _ignored = writeln!(io::stderr(), "kriegspiel: {}", printable_lines(&message));
}

/// Returns the name of a file for a message; `-` is standard input.
pub(super) fn shown(path: &Path) -> String {
    if path == Path::new("-") {
        "standard input".to_owned()
    } else {
        path.display().to_string()
    }
}

/// Output of text in lines, with unprintable characters escaped.
pub(super) struct Text<W> {
    output: W,
    /// First bytes of a character whose last bytes were not written yet.
    begun: Vec<u8>,
}

impl<W: Write> Text<W> {
    pub(super) fn new(output: W) -> Text<W> {
        let begun = Vec::new();
        Text { output, begun }
    }
}

impl<W: Write> Write for Text<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.begun.extend_from_slice(bytes);
        let end = match str::from_utf8(&self.begun) {
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            Ok(_) | Err(_) => self.begun.len(),
        };
        let rest = self.begun.split_off(end);
        let text = String::from_utf8_lossy(&self.begun);
        self.output.write_all(printable_lines(&text).as_bytes())?;
        self.begun = rest;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_wherever_a_write_splits_it() {
        let text = "line \u{1b}[2J\u{202e} café\n".as_bytes();
        for cut in 0..=text.len() {
            let mut output = Text::new(Vec::new());
            let (one, two) = text.split_at(cut);
            output.write_all(one).unwrap();
            output.write_all(two).unwrap();
            let text = String::from_utf8(output.output).unwrap();
            assert_eq!(text, "line \\u{1b}[2J\\u{202e} café\n", "{cut}");
        }
    }
}
