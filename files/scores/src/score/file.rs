//! A score as a file contains it: one or two columns of moves.

use notation::{BoardNames, MoveText, Notation, Place};
use referee::StartPosition;
use rules::{Choices, chess::Color};

use super::{
    ending::Ending,
    page,
    remark::{Remark, RemarkKind},
    text::{TextError, Word, Words},
};

/// A move as written.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Written {
    /// Text of the move, with its marks.
    pub text: String,
    /// Place of the text in the file.
    pub at: Place,
}

/// The moves of one column. A file with two columns has the same game twice.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Column {
    /// Notation in which most of the moves can be read.
    pub notation: Notation,
    /// Moves of the column, in order.
    pub moves: Vec<Written>,
    /// Ending, and the place where it is written.
    pub ending: Option<(Ending, Place)>,
}

/// A file with one score. The file is a PGN game, a bare list of moves, a table that has the game
/// in two notations side by side, or a page with prose around numbered moves.
///
/// A page may be set in columns, so move 1 may be printed beside move 29. The game may follow a
/// second time, in another notation. Everything else is prose, which is skipped. The reader first
/// tries to read a file as a PGN game, a list or a table. If this fails, or if the result has a
/// wrong move number or a word that is not a move, the reader tries to read the file as a page. The
/// numbered moves of a page must make up a whole game, without gaps. If they do not, the first
/// result is used.
///
/// Lines that begin with `#` are comments. Lines that begin with `=` are a
/// corrected copy of the game, in coordinates, for a comparison with the score.
///
/// # Examples
///
/// ```
/// use notation::Notation;
/// use scores::score::ScoreFile;
///
/// let file = ScoreFile::read(b"1  P-K4  P-K4   e4  e5\n2  N-KB3         Nf3\n")?;
/// assert_eq!(file.columns.len(), 2);
/// assert_eq!(file.columns[0].notation, Notation::Descriptive);
/// assert_eq!(file.columns[1].moves[2].text, "Nf3");
/// # Ok::<(), scores::score::TextError>(())
/// ```
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct ScoreFile {
    /// PGN tags.
    pub tags: Vec<(String, String)>,
    /// Columns of the file: one column, or two columns with the same game.
    pub columns: Vec<Column>,
    /// Moves of the corrected copy; empty if there is none.
    pub corrected_copy: Vec<Written>,
    /// Remarks on the text.
    pub remarks: Vec<Remark>,
    /// Index of the first half-move, computed from the first move number of the file; 0 is White's
    /// first move.
    pub first_ply: usize,
}

/// An item of a line of a score.
#[derive(Clone, Debug)]
pub(super) enum Item {
    /// A move number. If several dots follow it (`12...`), the move is Black's.
    Number {
        ply: usize,
        at: Place,
    },
    Move(Written),
    End(Ending, Word),
}

impl ScoreFile {
    /// Reads the columns, tags and remarks of a file.
    ///
    /// # Errors
    /// The file is not a score. The error gives line and column.
    pub fn read(bytes: &[u8]) -> Result<ScoreFile, TextError> {
        let plain = ScoreFile::read_plain(bytes);
        let is_plain = match &plain {
            Ok(file) => file.remarks.iter().all(|r| !r.is_number()) && file.is_moves(),
            Err(TextError::TooLong | TextError::NotText { .. }) => true,
            Err(_) => false,
        };
        if is_plain {
            return plain;
        }
        page::read(bytes).unwrap_or(plain)
    }

    /// Checks whether the text is a score: it has at least two moves, and at least three quarters
    /// of its words are moves.
    fn has_moves(&self) -> bool {
        let written = self.columns.iter().flat_map(|column| &column.moves);
        let (mut moves, mut words) = (0, 0);
        for written in written {
            words += 1;
            moves += usize::from(is_move(&written.text));
        }
        moves >= 2 && moves * 4 >= words * 3
    }

    /// Checks whether the text is a score of a game from this position. The score may have
    /// misprints, but its first moves must be playable.
    pub fn is_score(&self, start: StartPosition, choices: &Choices) -> bool {
        self.has_moves()
            && match self.play(start, choices) {
                Ok(_) => true,
                Err(stop) => stop.ply >= 2,
            }
    }

    /// Checks whether every word of the columns is a move in some notation.
    fn is_moves(&self) -> bool {
        let mut written = self.columns.iter().flat_map(|column| &column.moves);
        written.all(|written| is_move(&written.text))
    }

    fn read_plain(bytes: &[u8]) -> Result<ScoreFile, TextError> {
        let words = Words::read(bytes)?;
        let lines: Vec<Vec<Item>> = words.lines.into_iter().map(items).collect();
        let paired = lines.iter().any(|line| longest_row(line) > 2);
        let mut file = ScoreFile {
            tags: words.tags,
            columns: Vec::new(),
            corrected_copy: words
                .corrected_copy
                .into_iter()
                .map(Written::from)
                .collect(),
            remarks: Vec::new(),
            first_ply: 0,
        };
        if words.latin1 {
            file.remarks.push(Remark {
                at: Place { line: 1, column: 1 },
                kind: RemarkKind::Latin1,
            });
        }
        if paired {
            file.table(lines)?;
        } else {
            file.list(lines)?;
        }
        if file.columns.iter().all(|column| column.moves.is_empty()) {
            return Err(TextError::NoMoves);
        }
        for column in &mut file.columns {
            column.notation = notation_of(&column.moves);
        }
        Ok(file)
    }

    /// Returns the value of a PGN tag. Capital and small letters of the key do not matter.
    pub fn tag(&self, key: &str) -> Option<&str> {
        let found = self.tags.iter().find(|(k, _)| k.eq_ignore_ascii_case(key));
        found.map(|(_, value)| value.as_str())
    }

    fn list(&mut self, lines: Vec<Vec<Item>>) -> Result<(), TextError> {
        let mut column = Column::empty();
        let mut numbered = false;
        for item in lines.into_iter().flatten() {
            match item {
                Item::Number { ply, at } => {
                    if !numbered && column.moves.is_empty() {
                        self.first_ply = ply;
                    }
                    numbered = true;
                    self.number(ply, at, column.moves.len());
                }
                Item::Move(written) => column.push(written)?,
                Item::End(ending, word) => column.end(ending, word)?,
            }
        }
        self.columns.push(column);
        Ok(())
    }

    fn table(&mut self, lines: Vec<Vec<Item>>) -> Result<(), TextError> {
        let mut columns = [Column::empty(), Column::empty()];
        let mut row: Vec<Item> = Vec::new();
        let mut row_at = Place { line: 1, column: 1 };
        let mut numbered = false;
        for item in lines.into_iter().flatten() {
            if let Item::Number { ply, at } = item {
                share(std::mem::take(&mut row), row_at, false, &mut columns)?;
                if !numbered {
                    self.first_ply = ply;
                }
                numbered = true;
                row_at = at;
                self.number(ply, at, columns[0].moves.len());
            } else {
                row.push(item);
            }
        }
        share(row, row_at, true, &mut columns)?;
        self.columns.extend(columns);
        Ok(())
    }

    fn number(&mut self, ply: usize, at: Place, moves: usize) {
        let expected = self.first_ply + moves;
        if ply != expected {
            self.remarks.push(Remark {
                at,
                kind: RemarkKind::Number {
                    found: ply,
                    expected,
                },
            });
        }
    }
}

/// Distributes a row of a table to the two columns.
fn share(
    row: Vec<Item>,
    at: Place,
    last: bool,
    columns: &mut [Column; 2],
) -> Result<(), TextError> {
    let found = row.len();
    let [left, right] = columns;
    let mut row = row.into_iter();
    let mut give = |column: &mut Column| match row.next() {
        Some(Item::Move(written)) => column.push(written),
        Some(Item::End(ending, word)) => column.end(ending, word),
        Some(Item::Number { .. }) | None => Ok(()),
    };
    match found {
        0 => Ok(()),
        4 => {
            give(left)?;
            give(left)?;
            give(right)?;
            give(right)
        }
        2 if last => {
            give(left)?;
            give(right)
        }
        3 if last => {
            give(left)?;
            give(left)?;
            give(right)
        }
        _ => Err(TextError::Row { at, found }),
    }
}

impl Column {
    pub(super) fn empty() -> Column {
        Column {
            notation: Notation::Algebraic,
            moves: Vec::new(),
            ending: None,
        }
    }

    pub(super) fn push(&mut self, written: Written) -> Result<(), TextError> {
        if self.ending.is_some() {
            return Err(TextError::AfterTheEnd {
                at: written.at,
                word: written.text,
            });
        }
        self.moves.push(written);
        Ok(())
    }

    pub(super) fn end(&mut self, ending: Ending, word: Word) -> Result<(), TextError> {
        match self.ending {
            // "Resigns 1-0" contains the same ending twice.
            Some((Ending::Resigns, _)) | None => {
                if self.ending.is_none() {
                    self.ending = Some((ending, word.at));
                }
                Ok(())
            }
            Some((Ending::Won(_) | Ending::Drawn | Ending::Unfinished, _)) => {
                Err(TextError::AfterTheEnd {
                    at: word.at,
                    word: word.text,
                })
            }
        }
    }
}

impl From<Word> for Written {
    fn from(word: Word) -> Written {
        Written {
            text: word.text,
            at: word.at,
        }
    }
}

/// Returns the largest number of moves that follow a move number on a line.
fn longest_row(line: &[Item]) -> usize {
    let (mut longest, mut row, mut numbered) = (0, 0, false);
    for item in line {
        match item {
            Item::Number { .. } => {
                row = 0;
                numbered = true;
            }
            Item::Move(_) => row += usize::from(numbered),
            // An ending after the last two moves does not count as a move.
            Item::End(..) => {}
        }
        longest = longest.max(row);
    }
    longest
}

/// Splits the words of a line into numbers, moves and endings.
pub(super) fn items(words: Vec<Word>) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    // A word is joined to the move before it in three cases: the word is a mark; the move is
    // "castles" and the word is a wing; the move is a square and the word is its second square.
    let mut halves = 0;
    for word in words {
        let Some(word) = numbered(word, &mut items) else {
            halves = 0;
            continue;
        };
        let lower = word.text.to_lowercase();
        if let Some(Item::Move(before)) = items.last_mut() {
            let castles = before.text.to_lowercase().starts_with("castle");
            let pair = halves == 1 && is_full_square(&word.text);
            if is_mark(&lower) || (castles && is_wing(&lower)) || pair {
                before.text.push(' ');
                before.text.push_str(&word.text);
                halves = if pair { 2 } else { halves };
                continue;
            }
        }
        if let Some(ending) = Ending::read(&word.text) {
            items.push(Item::End(ending, word));
            halves = 0;
        } else {
            halves = u8::from(is_full_square(&word.text));
            items.push(Item::Move(word.into()));
        }
    }
    items
}

/// Removes a move number from the beginning of a word, and adds it to `items`. Returns the rest of
/// the word.
fn numbered(word: Word, items: &mut Vec<Item>) -> Option<Word> {
    let digits = word.text.bytes().take_while(u8::is_ascii_digit).count();
    let dots = word.text[digits..]
        .chars()
        .take_while(|c| matches!(c, '.' | '\u{2026}'))
        .count();
    let signs: usize = word.text[digits..]
        .chars()
        .take(dots)
        .map(char::len_utf8)
        .sum();
    let rest = &word.text[digits + signs..];
    if dots == 0 && (digits == 0 || !rest.is_empty()) {
        return Some(word);
    }
    if digits > 0
        && let Ok(number) = word.text[..digits].parse::<usize>()
    {
        let black = dots > 1 || word.text.contains('\u{2026}');
        let ply = 2 * number.clamp(1, MOST_MOVES) - 2 + usize::from(black);
        items.push(Item::Number { ply, at: word.at });
    } else if digits == 0
        && let Some(Item::Number { ply, .. }) = items.last_mut()
    {
        // The dots of `12. ... Bb2` mean that the move is Black's.
        *ply |= 1;
    }
    (!rest.is_empty()).then(|| Word {
        text: rest.to_owned(),
        at: Place {
            line: word.at.line,
            column: word.at.column + digits + dots,
        },
    })
}

/// Maximum move number; a larger number is reduced to this value.
const MOST_MOVES: usize = 100_000;

fn is_mark(lower: &str) -> bool {
    matches!(
        lower.trim_end_matches(['.', ',']),
        "!" | "!!"
            | "!?"
            | "?!"
            | "ch"
            | "check"
            | "dis"
            | "dbl"
            | "double"
            | "discovered"
            | "mate"
            | "checkmate"
            | "e.p"
            | "ep"
            | "(e.p.)"
            | "(ep)"
            | "(ch)"
            | "(q)"
            | "(r)"
            | "(b)"
            | "(n)"
            | "+"
            | "++"
            | "#"
    )
}

fn is_wing(lower: &str) -> bool {
    matches!(
        lower.trim_end_matches(['.', ',']),
        "k" | "q"
            | "kr"
            | "qr"
            | "king"
            | "queen"
            | "king's"
            | "queen's"
            | "k-side"
            | "q-side"
            | "kingside"
            | "queenside"
            | "side"
    )
}

/// Checks whether a word is a square in UMPIRE's notation. Such a square is half of a move.
fn is_full_square(word: &str) -> bool {
    let upper = word.to_ascii_uppercase();
    let Some((file, rank)) = upper.split_at_checked(upper.len().saturating_sub(1)) else {
        return false;
    };
    matches!(file, "QR" | "QN" | "QB" | "Q" | "K" | "KB" | "KN" | "KR")
        && matches!(rank.as_bytes(), [b'1'..=b'8'])
}

/// Checks whether a text is a move in some notation.
pub(super) fn is_move(text: &str) -> bool {
    let reads =
        |notation| MoveText::read(text, notation, Color::White, BoardNames::Usual).is_some();
    Notation::ALL.into_iter().any(reads)
}

/// Returns the notation in which most of the moves can be read.
pub(super) fn notation_of(moves: &[Written]) -> Notation {
    let readable = |notation| {
        let reads = |written: &&Written| {
            MoveText::read(&written.text, notation, Color::White, BoardNames::Usual).is_some()
        };
        moves.iter().filter(reads).count()
    };
    if readable(Notation::Descriptive) > readable(Notation::Algebraic) {
        Notation::Descriptive
    } else {
        Notation::Algebraic
    }
}
