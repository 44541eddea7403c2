//! Recognises input without end.

use std::io::{self, BufRead, Read};

/// The input is treated as endless if a number, the blanks before a number, or the rest of a line
/// has this many bytes.
pub(super) const ENDLESS_BYTES: usize = 1 << 25;

/// Returns the error for endless input.
pub(super) fn endless() -> io::Error {
    let most = ENDLESS_BYTES >> 20;
    io::Error::new(
        io::ErrorKind::InvalidData,
        format!("standard input: there is no number in {most} MiB; give six numbers for each move"),
    )
}

/// Skips the rest of a line.
pub(super) fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    let skipped = input.take(ENDLESS_BYTES as u64).skip_until(b'\n')?;
    if skipped == ENDLESS_BYTES {
        return Err(endless());
    }
    Ok(())
}
