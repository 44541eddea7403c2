//! Reads the input lines of the stream. A line can contain any bytes. Of a line that is too long,
//! only the first part is kept.

use std::io::{self, BufRead};

/// Longest line, in bytes, without its line end.
pub(crate) const MAX_LENGTH: usize = 4096;

/// If a line is longer than this number of bytes, reading ends with an error: the input seems to
/// have no line ends.
const ENDLESS: usize = 256 << 20;

/// A line of input.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum RawLine {
    /// A blank line or a comment, which gets no answer.
    Silent,
    /// A text.
    Text(String),
    /// A line longer than `MAX_LENGTH`; holds the first part of it.
    TooLong(String),
    /// A line that is not UTF-8, with invalid bytes replaced.
    NotUtf8(String),
}

impl From<String> for RawLine {
    fn from(text: String) -> RawLine {
        classify(text.as_bytes(), text.len() > MAX_LENGTH)
    }
}

/// Reads a line. If the line is too long, only its first part is stored. Returns `None` at the end
/// of input.
pub(crate) fn read_line(
    input: &mut impl BufRead,
    line: &mut Vec<u8>,
) -> io::Result<Option<RawLine>> {
    // Space for the longest line and its carriage return.
    const KEPT: usize = MAX_LENGTH + 1;
    line.clear();
    let mut length = 0;
    let mut ended = false;
    while !ended {
        if length > ENDLESS {
            let most = ENDLESS >> 20;
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                format!(
                    "standard input: a line is longer than {most} MiB; give one attempt on each line"
                ),
            ));
        }
        let bytes = match input.fill_buf() {
            Ok(bytes) => bytes,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(e) => return Err(e),
        };
        if bytes.is_empty() {
            if length == 0 {
                return Ok(None);
            }
            break;
        }
        let end = bytes.iter().position(|b| *b == b'\n');
        let content = end.unwrap_or(bytes.len());
        let room = KEPT - line.len();
        line.extend_from_slice(&bytes[..content.min(room)]);
        length += content + usize::from(end.is_some());
        ended = end.is_some();
        input.consume(content + usize::from(ended));
    }
    let content = length - usize::from(ended);
    let whole = content == line.len();
    if whole && line.last() == Some(&b'\r') {
        line.pop();
    }
    Ok(Some(classify(line, !whole || line.len() > MAX_LENGTH)))
}

fn classify(line: &[u8], too_long: bool) -> RawLine {
    // Some programs write a byte order mark at the start of a text. The mark is skipped.
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    if line.first() == Some(&b'#') {
        return RawLine::Silent;
    }
    if too_long {
        return RawLine::TooLong(String::from_utf8_lossy(line).into_owned());
    }
    match std::str::from_utf8(line) {
        Ok(text) if text.trim().is_empty() => RawLine::Silent,
        Ok(text) => RawLine::Text(text.to_owned()),
        Err(_) => RawLine::NotUtf8(String::from_utf8_lossy(line).into_owned()),
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    #[test]
    fn byte_order_mark_is_not_part_of_a_line() {
        assert_eq!(
            lines(b"\xef\xbb\xbfe2e4\n"),
            [RawLine::Text("e2e4".to_owned())]
        );
    }

    fn lines(bytes: &[u8]) -> Vec<RawLine> {
        // A small buffer, so that lines are read in several pieces.
        let mut input = BufReader::with_capacity(7, bytes);
        let mut line = Vec::new();
        let mut all = Vec::new();
        while let Some(raw) = read_line(&mut input, &mut line).unwrap() {
            assert!(line.capacity() <= 3 * MAX_LENGTH, "{}", line.capacity());
            all.push(raw);
        }
        all
    }

    fn text(t: &str) -> RawLine {
        RawLine::Text(t.to_owned())
    }

    #[test]
    fn line_ends_are_removed_and_blank_lines_are_silent() {
        use RawLine::Silent;

        assert_eq!(lines(b""), []);
        assert_eq!(lines(b"a\r\nb\nc"), [text("a"), text("b"), text("c")]);
        assert_eq!(
            lines(b"\n \r\n# no\n#\xff\n a#\r"),
            [Silent, Silent, Silent, Silent, text(" a#")]
        );
        assert_eq!(lines(b"a\rb\n"), [text("a\rb")]);
        assert_eq!(
            lines(b"\xffe\nb"),
            [RawLine::NotUtf8("\u{fffd}e".into()), text("b")]
        );
    }

    #[test]
    fn a_line_may_have_4096_bytes() {
        for end in ["\n", "\r\n", ""] {
            let fits = "x".repeat(MAX_LENGTH);
            assert_eq!(lines(format!("{fits}{end}").as_bytes()), [text(&fits)]);
            let long = format!("{fits}y{end}");
            assert!(matches!(
                lines(long.as_bytes()).as_slice(),
                [RawLine::TooLong(_)]
            ));
        }
        let mut huge = vec![b'z'; 1_000_000];
        huge.extend_from_slice(b"\ne2e4\n");
        let all = lines(&huge);
        assert!(matches!(&all[0], RawLine::TooLong(kept) if kept.len() <= MAX_LENGTH + 1));
        assert_eq!(all[1..], [text("e2e4")]);
    }
}
