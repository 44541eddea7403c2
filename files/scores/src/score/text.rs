//! Splits the text of a score into words with their places.

use std::borrow::Cow;

use notation::Place;

/// Error: a file is not a score.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum TextError {
    /// The file is longer than 4 MiB.
    #[error(
        "the file is longer than {} megabytes, the limit for a score: give one game at a time",
        LONGEST >> 20
    )]
    TooLong,
    /// The file has a byte that is not text.
    #[error("{at}: byte {byte:#04x} is not text: give a text file, in UTF-8 or Latin-1")]
    NotText {
        /// Place of the byte.
        at: Place,
        /// The byte.
        byte: u8,
    },
    /// A comment or a variation is not closed.
    #[error("{at}: `{sign}` opens a comment or a variation that is never closed")]
    NeverClosed {
        /// Place at which the comment or variation begins.
        at: Place,
        /// Character that opens the comment or variation.
        sign: char,
    },
    /// A line of tags cannot be read.
    #[error("{at}: this is not a PGN tag: write [Key \"value\"] on a line of its own")]
    Tag {
        /// Place of the line.
        at: Place,
    },
    /// A second game begins.
    #[error("{at}: a second game begins here, but a score is one game: give the games one by one")]
    SecondGame {
        /// Place at which the second game begins.
        at: Place,
    },
    /// A row of a table with two columns has a wrong number of moves.
    #[error(
        "{at}: this row has a wrong number of moves: {found}. In a table with two columns, every row has four moves (White, Black, White, Black); only the last row can have two or three"
    )]
    Row {
        /// Place of the row.
        at: Place,
        /// Number of moves in the row.
        found: usize,
    },
    /// A word follows the end of the game.
    #[error("{at}: `{word}` follows the end of the game: remove it, or remove the end")]
    AfterTheEnd {
        /// Place of the word.
        at: Place,
        /// The word.
        word: String,
    },
    /// The file has no moves.
    #[error("the file contains no moves: write moves as 1. e4 e5, or 1 P-K4 P-K4")]
    NoMoves,
}

/// Maximum length of a score, in bytes.
const LONGEST: usize = 4 << 20;

/// A word and its place in the file.
#[derive(Clone, Eq, PartialEq, Debug)]
pub(super) struct Word {
    pub text: String,
    pub at: Place,
}

/// The text of a score, split into words.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub(super) struct Words {
    /// PGN tags.
    pub tags: Vec<(String, String)>,
    /// Words of the lines with moves; one list for each line.
    pub lines: Vec<Vec<Word>>,
    /// Words of the lines that begin with `=`: the corrected copy in coordinates.
    pub corrected_copy: Vec<Word>,
    /// Whether the text was Latin-1.
    pub latin1: bool,
}

impl Words {
    pub(super) fn read(bytes: &[u8]) -> Result<Words, TextError> {
        if bytes.len() > LONGEST {
            return Err(TextError::TooLong);
        }
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => Cow::Owned(bytes.iter().map(|b| char::from(*b)).collect()),
        };
        let mut words = Words {
            latin1: matches!(text, Cow::Owned(_)),
            ..Words::default()
        };
        let mut open: Vec<(char, Place)> = Vec::new();
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        for (line, content) in (1..).zip(text.split('\n')) {
            printable(line, content)?;
            words.line(line, content, &mut open)?;
        }
        match open.first() {
            Some((sign, at)) => Err(TextError::NeverClosed {
                at: *at,
                sign: *sign,
            }),
            None => Ok(words),
        }
    }

    /// Reads a page on which prose surrounds the moves. A bracket that is not closed on its line is
    /// prose. A line that begins with `[` and is not a tag is prose, too.
    pub(super) fn read_page(bytes: &[u8]) -> Words {
        let text = String::from_utf8_lossy(bytes);
        let mut words = Words::default();
        let mut open: Vec<(char, Place)> = Vec::new();
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        for (line, content) in (1..).zip(text.split('\n')) {
            // A line that cannot be read holds no moves.
            let _prose = words.line(line, content, &mut open);
            open.retain(|(sign, _)| *sign == '{');
        }
        words
    }

    fn line(
        &mut self,
        line: usize,
        content: &str,
        open: &mut Vec<(char, Place)>,
    ) -> Result<(), TextError> {
        let first = content.trim_start();
        if open.is_empty() {
            if first.starts_with(['#', '%']) {
                return Ok(());
            }
            if first.starts_with('[') {
                let column = content.chars().take_while(|c| c.is_whitespace()).count() + 1;
                return self.tag(first, Place { line, column });
            }
        }
        let mut found = Vec::new();
        let mut word: Option<Word> = None;
        let mut skip_number = false;
        let rest: Vec<char> = content.chars().collect();
        for (i, c) in rest.iter().copied().enumerate() {
            let at = Place {
                line,
                column: i + 1,
            };
            if let Some((sign, _)) = open.last() {
                match (*sign, c) {
                    ('{', '}') | ('(', ')') => {
                        open.pop();
                    }
                    ('(', '(' | '{') => open.push((c, at)),
                    _ => {}
                }
                continue;
            }
            let begins = word.is_none();
            if c.is_whitespace() || c == '{' {
                found.extend(word.take());
                skip_number = false;
                if c == '{' {
                    open.push((c, at));
                }
            } else if begins && c == '(' && !is_mark(&rest[i..]) {
                open.push((c, at));
            } else if begins && c == ';' {
                break;
            } else if begins && c == '$' {
                skip_number = true;
            } else if !(skip_number && c.is_ascii_digit()) {
                word.get_or_insert_with(|| Word {
                    text: String::new(),
                    at,
                })
                .text
                .push(c);
            }
        }
        found.extend(word);
        if found.first().is_some_and(|word| word.text == "=") {
            self.corrected_copy.extend(found.into_iter().skip(1));
        } else {
            self.lines.push(found);
        }
        Ok(())
    }

    fn tag(&mut self, text: &str, at: Place) -> Result<(), TextError> {
        if self.lines.iter().any(|line| !line.is_empty()) {
            return Err(TextError::SecondGame { at });
        }
        let tag = || {
            let inner = text.trim().strip_prefix('[')?.strip_suffix(']')?;
            let (key, value) = inner.trim().split_once(char::is_whitespace)?;
            let value = value.trim().strip_prefix('"')?.strip_suffix('"')?;
            let value = value.replace("\\\"", "\"").replace("\\\\", "\\");
            Some((key.to_owned(), value))
        };
        self.tags.push(tag().ok_or(TextError::Tag { at })?);
        Ok(())
    }
}

/// Checks whether a text in brackets is a mark of a move. Any other text in brackets is a
/// variation.
fn is_mark(rest: &[char]) -> bool {
    let word: String = rest.iter().take_while(|c| !c.is_whitespace()).collect();
    matches!(
        word.as_str(),
        "(e.p.)" | "(ep)" | "(ch)" | "(Q)" | "(R)" | "(B)" | "(N)"
    )
}

fn printable(line: usize, content: &str) -> Result<(), TextError> {
    for (i, c) in content.chars().enumerate() {
        if c.is_control() && !matches!(c, '\t' | '\u{c}') {
            let byte = u8::try_from(u32::from(c)).unwrap_or(u8::MAX);
            let at = Place {
                line,
                column: i + 1,
            };
            return Err(TextError::NotText { at, byte });
        }
    }
    Ok(())
}
