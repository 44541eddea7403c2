//! A score as a file contains it: one or two columns of moves.

use notation::{Notation, Place};
use referee::StartPosition;
use rules::Choices;

use super::{
    clean::Encoding,
    ending::Ending,
    items::{Habits, Item},
    letters::Letters,
    page, players,
    remark::{Remark, RemarkKind},
    result::{between, result},
    text::{TextError, Word, Words},
    written::{Written, is_move, notation_of},
};
use crate::read::has_header;

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

impl ScoreFile {
    /// Reads the columns, tags and remarks of a file with English letters.
    ///
    /// # Errors
    /// The file is not a score. The error gives line and column.
    pub fn read(bytes: &[u8]) -> Result<ScoreFile, TextError> {
        ScoreFile::read_with(bytes, &Letters::default())
    }

    /// Reads the columns, tags and remarks of a file. `letters` are the letters of the men.
    ///
    /// # Errors
    /// The file is not a score. The error gives line and column.
    pub fn read_with(bytes: &[u8], letters: &Letters) -> Result<ScoreFile, TextError> {
        if has_header(&String::from_utf8_lossy(bytes)) {
            return Err(TextError::Transcript);
        }
        let plain = ScoreFile::read_plain(bytes, letters);
        let is_list = match &plain {
            Ok(file) => file.is_moves(),
            Err(TextError::TooLong | TextError::NotText { .. } | TextError::Encoding { .. }) => {
                return plain;
            }
            Err(_) => false,
        };
        let is_whole = |file: &ScoreFile| file.remarks.iter().all(|remark| !remark.is_number());
        if is_list && plain.as_ref().is_ok_and(is_whole) {
            return plain;
        }
        match page::read(bytes, letters, plain.is_ok()) {
            Ok(Some(page)) => Ok(page),
            Ok(None) => plain,
            Err(_) if is_list => plain,
            Err(error) => Err(error),
        }
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

    fn read_plain(bytes: &[u8], letters: &Letters) -> Result<ScoreFile, TextError> {
        let words = Words::read(bytes)?;
        let habits = Habits::of(&words.lines, letters);
        let lines = words.lines.into_iter().map(|line| habits.items(line));
        let lines: Vec<Vec<Item>> = lines.collect();
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
        if words.encoding == Encoding::Windows1252 {
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
        if let Some(first) = file.begins() {
            players::name(&mut file.tags, &words.text, first);
        }
        if file.columns.iter().all(|column| column.ending.is_none()) {
            let moves = file.columns.iter().flat_map(|column| &column.moves);
            let last = moves.map(|written| written.at).max();
            let ending =
                last.and_then(|last| result(&file.tags, &between(&words.text, last, None), last));
            file.columns[0].ending = ending;
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
                Item::Dots => {}
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
            } else if !matches!(item, Item::Dots) {
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
        Some(Item::Number { .. } | Item::Dots) | None => Ok(()),
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
            Item::End(..) | Item::Dots => {}
        }
        longest = longest.max(row);
    }
    longest
}
