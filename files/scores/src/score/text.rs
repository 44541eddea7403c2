//! Splits the text of a score into words with their places.

use notation::Place;

use super::{
    clean::{self, Encoding, Line},
    remark::number,
};

/// Error: a file is not a score.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum TextError {
    /// The file is longer than 4 MiB.
    #[error(
        "the file is longer than {} megabytes, the limit for a score: give one game at a time",
        MAX_LENGTH >> 20
    )]
    TooLong,
    /// The file has a byte that is not text.
    #[error(
        "{at}: byte {byte:#04x} is not text: give a text file, in UTF-8, UTF-16 or Windows-1252"
    )]
    NotText {
        /// Place of the byte.
        at: Place,
        /// The byte.
        byte: u8,
    },
    /// An encoding that is not read.
    #[error("the file is in {name}, which is not read: save it in UTF-8")]
    Encoding {
        /// Name of the encoding.
        name: &'static str,
    },
    /// The file is a transcript.
    #[error("this is a transcript of attempts, not a score")]
    Transcript,
    /// A comment, a variation or a tag of HTML is not closed.
    #[error("{at}: `{sign}` opens a comment, a variation or a tag that is never closed")]
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
    /// A numbered move follows a gap.
    #[error("{at}: {found} is given, but {} is missing before it", number(*missing))]
    Missing {
        /// Place of the move after the gap.
        at: Place,
        /// That move, with its number.
        found: String,
        /// Index of the missing half-move; 0 is White's first move.
        missing: usize,
    },
    /// Several texts of a page can be the same move.
    #[error(
        "{at}: in doubt about {}: the prose names {}; write the number before the move that was played",
        number(*ply),
        texts.join(" and ")
    )]
    Doubt {
        /// Place of the first text.
        at: Place,
        /// Index of the half-move; 0 is White's first move.
        ply: usize,
        /// The texts.
        texts: Vec<String>,
    },
    /// The file has no moves.
    #[error("the file contains no moves: write moves as 1. e4 e5, or 1 P-K4 P-K4")]
    NoMoves,
}

/// Maximum length of a score, in bytes.
const MAX_LENGTH: usize = 4 << 20;

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
    /// The lines of the file, comments included.
    pub text: Vec<Line>,
    pub encoding: Encoding,
}

impl Words {
    pub(super) fn read(bytes: &[u8]) -> Result<Words, TextError> {
        let mut words = Words::begin(bytes)?;
        let mut open: Vec<(char, Place)> = Vec::new();
        for line in words.text.clone() {
            words.line(&line, &mut open)?;
        }
        match open.first() {
            Some((sign, at)) => Err(TextError::NeverClosed {
                at: *at,
                sign: *sign,
            }),
            None => Ok(words),
        }
    }

    /// Reads a page on which prose surrounds the moves. A bracket that is not closed in its
    /// paragraph is prose. A line that begins with `[` and is not a tag is prose, too.
    pub(super) fn read_page(bytes: &[u8]) -> Result<Words, TextError> {
        let mut words = Words::begin(bytes)?;
        let mut open: Vec<(char, Place)> = Vec::new();
        let text = words.text.clone();
        // Whether a bracket is closed after a line, in the same paragraph.
        let mut closes = vec![false; text.len() + 1];
        for (i, line) in text.iter().enumerate().rev() {
            let here = line.chars.iter().any(|(c, _)| *c == ')');
            closes[i] = !line.is_blank() && (here || closes[i + 1]);
        }
        for (mut line, closes) in text.into_iter().zip(closes.into_iter().skip(1)) {
            // The last bracket that is closed on this line or in the next lines.
            let last = line.chars.iter().rposition(|(c, _)| *c == ')');
            for (i, (c, _)) in line.chars.iter_mut().enumerate() {
                if *c == '(' && !closes && last.is_none_or(|last| last < i) {
                    *c = ' ';
                }
            }
            // A line that cannot be read holds no moves.
            let _prose = words.line(&line, &mut open);
            if line.is_blank() {
                open.retain(|(sign, _)| *sign == '{');
            }
        }
        match open.iter().find(|(sign, _)| *sign == '{') {
            Some((sign, at)) => Err(TextError::NeverClosed {
                at: *at,
                sign: *sign,
            }),
            None => Ok(words),
        }
    }

    fn begin(bytes: &[u8]) -> Result<Words, TextError> {
        if bytes.len() > MAX_LENGTH {
            return Err(TextError::TooLong);
        }
        let (text, encoding) = clean::decode(bytes)?;
        let text = clean::lines(&text)?;
        for line in &text {
            printable(line.number, &line.raw)?;
        }
        Ok(Words {
            text,
            encoding,
            ..Words::default()
        })
    }

    fn line(&mut self, line: &Line, open: &mut Vec<(char, Place)>) -> Result<(), TextError> {
        let first = line.raw.trim_start();
        if open.is_empty() {
            if first.starts_with(['#', '%']) {
                return Ok(());
            }
            let shown = line.chars.iter().find(|(c, _)| !c.is_whitespace());
            if first.starts_with('[') && shown.is_some_and(|(c, _)| *c == '[') {
                let column = line.raw.chars().take_while(|c| c.is_whitespace()).count() + 1;
                let at = Place {
                    line: line.number,
                    column,
                };
                return self.tag(first, at);
            }
        }
        let mut found = Vec::new();
        let mut word: Option<Word> = None;
        let mut skip_number = false;
        let rest = &line.chars;
        for (i, (c, column)) in rest.iter().copied().enumerate() {
            let at = Place {
                line: line.number,
                column,
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
            } else if begins && c == '(' && is_number(&rest[i + 1..]) {
                // The number of a move in brackets: `(12)`.
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

impl Line {
    fn is_blank(&self) -> bool {
        self.chars.iter().all(|(c, _)| c.is_whitespace())
    }
}

/// Checks whether a bracket contains only the number of a move.
fn is_number(rest: &[(char, usize)]) -> bool {
    let digits = rest.iter().take_while(|(c, _)| c.is_ascii_digit()).count();
    (1..=3).contains(&digits) && rest.get(digits).is_some_and(|(c, _)| *c == ')')
}

/// Checks whether a text in brackets is a mark of a move. Any other text in brackets is a
/// variation.
fn is_mark(rest: &[(char, usize)]) -> bool {
    let text = rest.iter().map(|(c, _)| *c);
    let word: String = text.take_while(|c| !c.is_whitespace()).collect();
    let word = word.trim_end_matches(['.', ',', ';']);
    // A letter is the man that a pawn becomes.
    let mut letters = word.chars();
    let man = letters.next() == Some('(')
        && letters.next().is_some_and(char::is_uppercase)
        && letters.as_str() == ")";
    man || matches!(word, "(e.p.)" | "(ep)" | "(ch)" | "(=)")
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
