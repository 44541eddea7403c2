//! The full record of a finished game, as an end receives it in parts.

use std::{io, path::Path};

use super::state_file::write_whole;

/// Longest record that is accepted, in bytes. No real game is longer.
const MAX_GAME_BYTES: usize = 16 << 20;

/// The parts received so far.
#[derive(Debug, Default)]
pub(super) struct Score(String);

impl Score {
    /// Appends a part. After the last part, writes the record to disk, and returns a line that says
    /// how to look at the record.
    pub(super) fn take(
        &mut self,
        text: &str,
        last: bool,
        folder: &Path,
        game: &str,
    ) -> io::Result<Option<String>> {
        if self.0.len() + text.len() > MAX_GAME_BYTES {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "the other end sends a record that is too long: do both ends have the same version of kriegspiel?",
            ));
        }
        self.0.push_str(text);
        if !last {
            return Ok(None);
        }
        // The file is in the same folder as the journal.
        let path = folder.join(format!("{game}.pgn"));
        write_whole(&path, std::mem::take(&mut self.0).as_bytes())?;
        Ok(Some(format!(
            "The whole game: kriegspiel view {}",
            quoted(&path)
        )))
    }
}

/// Returns a path quoted for a shell. Control characters, which could control a
/// terminal, are removed.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let text: String = text.chars().filter(|c| !c.is_control()).collect();
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"/._-+@%,:=".contains(&b);
    if text.bytes().all(plain) {
        text
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_is_quoted_for_a_shell() {
        for (path, expected) in [
            ("/games/anna/.local/a-1.pgn", "/games/anna/.local/a-1.pgn"),
            ("/games/an na/a.pgn", "'/games/an na/a.pgn'"),
            ("/games/o'neill/$x.pgn", "'/games/o'\\''neill/$x.pgn'"),
            ("/games/\u{1b}[2J/a.pgn", "'/games/[2J/a.pgn'"),
        ] {
            assert_eq!(quoted(Path::new(path)), expected);
        }
    }
}
