//! Reads the numbered moves of a page that has prose around these moves.

use std::collections::BTreeMap;

use super::{
    ending::Ending,
    file::{Column, Item, ScoreFile, Written, is_move, items, notation_of},
    text::{TextError, Word, Words},
};

/// Moves with one move number, as printed: White's move, Black's move, and the ending, if any.
#[derive(Default)]
struct Row {
    moves: Vec<Written>,
    ending: Option<(Ending, Word)>,
    /// Whether Black's move comes first, because several dots follow the number (`12...`).
    black: bool,
}

impl Row {
    fn is_full(&self) -> bool {
        let moves = if self.black { 1 } else { 2 };
        self.moves.len() == moves || self.ending.is_some()
    }
}

/// If a page has at most this many numbered rows, the rows are treated as prose, not as a game.
const FRAGMENT: usize = 3;

/// Reads a page. Returns `None` if its numbered moves do not make up one game without gaps.
pub(super) fn read(bytes: &[u8]) -> Option<Result<ScoreFile, TextError>> {
    let words = Words::read_page(bytes);
    let mut rows: Vec<(usize, Row)> = Vec::new();
    let mut result: Option<(Ending, Word)> = None;
    for line in words.lines {
        let mut row: Option<(usize, Vec<Item>)> = None;
        for item in items(line) {
            match item {
                Item::Number { ply, .. } => {
                    rows.extend(row.take().and_then(moves));
                    row = Some((ply, Vec::new()));
                }
                Item::Move(_) | Item::End(..) => match &mut row {
                    Some((_, found)) => found.push(item),
                    // On a line without a move number, only a result is read.
                    None => {
                        if let Item::End(ending @ (Ending::Won(_) | Ending::Drawn), word) = item {
                            result = Some((ending, word));
                        }
                    }
                },
            }
        }
        rows.extend(row.and_then(moves));
    }
    // The game may be printed twice. A row with only one move is prose if each printed game already
    // has a row with this number.
    let (full, short): (Vec<_>, Vec<_>) = rows.into_iter().partition(|(_, row)| row.is_full());
    let mut games: Vec<BTreeMap<usize, Row>> = Vec::new();
    for (number, row) in full.into_iter().chain(short) {
        match games.iter_mut().find(|game| !game.contains_key(&number)) {
            Some(game) => drop(game.insert(number, row)),
            None => games.push(BTreeMap::from([(number, row)])),
        }
    }
    // A few numbered moves are not a game, because prose can mention moves.
    games.retain(|game| game.len() > FRAGMENT);
    let mut columns = Vec::new();
    let mut first_ply = 0;
    for game in games {
        let first = *game.keys().next()?;
        first_ply = 2 * first + usize::from(game.get(&first)?.black);
        columns.push(column(game, first)?);
    }
    let read = |columns: Vec<Column>| ScoreFile {
        tags: words.tags.clone(),
        columns,
        corrected_copy: words
            .corrected_copy
            .iter()
            .map(|word| Written {
                text: word.text.clone(),
                at: word.at,
            })
            .collect(),
        remarks: Vec::new(),
        first_ply,
    };
    match columns.as_mut_slice() {
        [] => None,
        [_] => {
            let mut file = read(columns);
            file.finish(result);
            Some(Ok(file))
        }
        [one, other] if one.notation != other.notation => {
            let mut file = read(columns);
            file.finish(result);
            Some(Ok(file))
        }
        [_, second, ..] => Some(Err(TextError::SecondGame {
            at: second.moves.first()?.at,
        })),
    }
}

impl ScoreFile {
    /// Adds the result that is printed on a separate line.
    fn finish(&mut self, result: Option<(Ending, Word)>) {
        if let Some((ending, word)) = result {
            for column in &mut self.columns {
                column.ending.get_or_insert((ending, word.at));
            }
        }
    }
}

/// Returns the number and its moves if the words after the number are moves. Returns `None` if
/// these words are prose.
fn moves((ply, found): (usize, Vec<Item>)) -> Option<(usize, Row)> {
    let most = 2 - ply % 2;
    let mut row = Row {
        black: ply % 2 == 1,
        ..Row::default()
    };
    let words = found.len();
    for item in found {
        match item {
            Item::Move(written) if row.ending.is_none() && row.moves.len() < most => {
                // A row has at most `most` moves. If the row has no more than `most` words, a word
                // that is not a move is a misprint. If the row has more words, the word is prose.
                if !is_move(&written.text) && words > most {
                    break;
                }
                row.moves.push(written);
            }
            Item::End(ending, word) if row.ending.is_none() => row.ending = Some((ending, word)),
            Item::Move(_) | Item::End(..) | Item::Number { .. } => break,
        }
    }
    let readable = row.moves.iter().any(|written| is_move(&written.text));
    let ends = row.moves.is_empty() && row.ending.is_some();
    (readable || ends).then_some((ply / 2, row))
}

/// Joins the rows of a game. Returns `None` if a number or a move is missing.
fn column(game: BTreeMap<usize, Row>, first: usize) -> Option<Column> {
    let mut column = Column::empty();
    let rows = game.len();
    for (i, (number, row)) in game.into_iter().enumerate() {
        let last = i + 1 == rows;
        let full = row.moves.len() == 2 || (row.black && i == 0 && row.moves.len() == 1);
        if number != first + i || (!last && (!full || row.ending.is_some())) {
            return None;
        }
        for written in row.moves {
            column.push(written).ok()?;
        }
        if let Some((ending, word)) = row.ending {
            column.end(ending, word).ok()?;
        }
    }
    if column.moves.is_empty() {
        return None;
    }
    column.notation = notation_of(&column.moves);
    Some(column)
}
