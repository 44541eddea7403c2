//! Reads lines of bounded length.

use std::io::{self, BufRead};

/// Reads one line, with its line break, into `line`. Returns the number of bytes
/// read from the input; 0 at the end of the input.
///
/// The input is read up to the end of the line, but `line` keeps only its first bytes. The function
/// `most` gets the beginning of the line, and returns the maximum number of bytes to keep.
pub(crate) fn read_line(
    input: &mut impl BufRead,
    line: &mut Vec<u8>,
    most: impl Fn(&[u8]) -> usize,
) -> io::Result<u64> {
    line.clear();
    let mut read = 0;
    loop {
        let piece = match input.fill_buf() {
            Ok(piece) => piece,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(e) => return Err(e),
        };
        let end = piece.iter().position(|b| *b == b'\n');
        let taken = end.map_or(piece.len(), |at| at + 1);
        let most = most(if line.is_empty() { piece } else { line });
        let room = most.saturating_sub(line.len());
        line.extend_from_slice(&piece[..taken.min(room)]);
        input.consume(taken);
        read += taken as u64;
        if end.is_some() || taken == 0 {
            return Ok(read);
        }
    }
}
