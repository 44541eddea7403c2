//! Recognises input without end.

use std::io::{self, BufRead, Read};

/// Maximum length, in bytes, of a number and of anything that is skipped (the blanks before a
/// number, the rest of a line). Longer input is treated as endless.
pub(super) const ENDLESS_BYTES: usize = 1 << 25;

/// Input without end.
#[derive(Copy, Clone)]
pub(super) enum Endless {
    /// Blanks, commas and line ends.
    Separators,
    /// A number.
    Number,
    /// A line.
    Line,
}

impl From<Endless> for io::Error {
    fn from(endless: Endless) -> io::Error {
        let what = match endless {
            Endless::Separators => "there is no number in",
            Endless::Number => "a number has more than",
            Endless::Line => "a line has more than",
        };
        let most = ENDLESS_BYTES >> 20;
        io::Error::new(
            io::ErrorKind::InvalidData,
            format!("standard input: {what} {most} MiB; give six numbers for each move"),
        )
    }
}

/// Skips the rest of a line.
pub(super) fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    let skipped = input.take(ENDLESS_BYTES as u64).skip_until(b'\n')?;
    if skipped == ENDLESS_BYTES {
        return Err(Endless::Line.into());
    }
    Ok(())
}
