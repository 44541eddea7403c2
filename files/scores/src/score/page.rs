//! Reads the moves of a page that has prose around these moves.

use notation::{BoardNames, MoveText, Notation, Place};
use referee::StartPosition;
use rules::{chess::Color, rulesets::RAND};

use super::{
    choice::{Candidate, Game, Rank, game},
    clean::Encoding,
    ending::Ending,
    file::{Column, ScoreFile},
    items::{Habits, Item},
    letters::Letters,
    players,
    remark::{Remark, RemarkKind},
    result::{between, names_result, result, token},
    text::{TextError, Words},
    written::{Written, is_move, notation_of},
};

/// A word and its position on its line.
struct Piece {
    item: Item,
    begins: bool,
    ends: bool,
}

/// Reads a page. Returns `None` if the page has no numbered moves and no lines that consist of
/// moves. A text without prose is a page only if it can also be `read_as_list`, and if every move is
/// part of the game.
pub(super) fn read(
    bytes: &[u8],
    letters: &Letters,
    read_as_list: bool,
) -> Result<Option<ScoreFile>, TextError> {
    let words = &Words::read_page(bytes)?;
    let habits = Habits::of(&words.lines, letters);
    let mut pieces = Vec::new();
    for line in &words.lines {
        let items = habits.items(line.clone());
        let last = items.len().saturating_sub(1);
        let mut labels = 0;
        for (i, item) in items.into_iter().enumerate() {
            let begins = i == labels;
            labels += usize::from(begins && is_label(&item));
            pieces.push(Piece {
                begins,
                ends: i == last,
                item,
            });
        }
    }
    let is_prose = |piece: &Piece| piece.text().is_some() && piece.as_move().is_none();
    let has_prose = pieces.iter().any(is_prose);
    if !has_prose && !read_as_list {
        return Ok(None);
    }
    let mut candidates = numbered(&pieces);
    if !candidates
        .iter()
        .any(|candidate| candidate.rank < Rank::Prose)
    {
        candidates = unnumbered(&pieces);
    }
    let mut file = ScoreFile {
        tags: words.tags.clone(),
        columns: Vec::new(),
        corrected_copy: words
            .corrected_copy
            .iter()
            .cloned()
            .map(Written::from)
            .collect(),
        remarks: Vec::new(),
        first_ply: 0,
    };
    let start = file
        .tag("FEN")
        .and_then(|fen| StartPosition::from_fen(fen, &RAND.choices).ok())
        .unwrap_or_else(StartPosition::initial);
    let games = match columns(&candidates) {
        Some([one, other]) => match (game(one, &start)?, game(other, &start)?) {
            (Some(one), Some(other)) => vec![one, other],
            (one, other) => one.or(other).into_iter().collect(),
        },
        None => game(candidates, &start)?.into_iter().collect(),
    };
    let Some(first) = games.first() else {
        return Ok(None);
    };
    if !has_prose && games.iter().any(|game| !game.remarks.is_empty()) {
        return Ok(None);
    }
    file.first_ply = first.first;
    if words.encoding == Encoding::Windows1252 {
        file.remarks.push(Remark {
            at: Place { line: 1, column: 1 },
            kind: RemarkKind::Latin1,
        });
    }
    let mut places: Vec<Place> = games
        .iter()
        .flat_map(|game| &game.moves)
        .map(|written| written.at)
        .collect();
    places.sort_unstable();
    if let Some(first) = places.first() {
        players::name(&mut file.tags, &words.text, *first);
    }
    ended_before(&pieces, &games)?;
    for game in games {
        file.remarks.extend(game.remarks);
        let mut column = Column::empty();
        column.notation = notation_of(&game.moves);
        if let Some(last) = game.moves.last() {
            let next = places.iter().find(|place| **place > last.at);
            let text = between(&words.text, last.at, next.copied());
            column.ending = result(&file.tags, &text, last.at);
        }
        column.moves = game.moves;
        file.columns.push(column);
    }
    if file.columns.iter().all(|column| column.ending.is_none())
        && let (Some(first), Some(last)) = (places.first(), places.last())
    {
        let after = between(&words.text, *last, None);
        let ending = result(&file.tags, &after, *last).or_else(|| {
            let begin = Place { line: 0, column: 0 };
            let before = between(&words.text, begin, Some(*first));
            token(&before).map(|ending| (ending, *first))
        });
        for column in &mut file.columns {
            column.ending = ending;
        }
        if ending.is_none() && names_result(&after) {
            file.remarks.push(Remark {
                at: *last,
                kind: RemarkKind::ResultInDoubt,
            });
        }
    }
    Ok(Some(file))
}

/// Reads the words after every number.
fn numbered(pieces: &[Piece]) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    let mut rest = pieces;
    let mut before = None;
    while let Some((piece, after)) = rest.split_first() {
        rest = after;
        let ply = match piece.item {
            Item::Number { ply, .. } => ply,
            Item::Dots => match before {
                Some(ply) => ply | 1,
                None => continue,
            },
            Item::Move(_) | Item::End(..) => continue,
        };
        before = Some(ply);
        let is_number = |piece: &Piece| matches!(piece.item, Item::Number { .. } | Item::Dots);
        let end = after.iter().position(is_number).unwrap_or(after.len());
        row(ply, &after[..end], &mut candidates);
    }
    candidates
}

/// Reads the words between a number and the next number.
fn row(ply: usize, pieces: &[Piece], candidates: &mut Vec<Candidate>) {
    let mut add = |ply, written: &Written, rank, full| {
        let written = written.clone();
        candidates.push(Candidate {
            ply,
            written,
            rank,
            full,
        });
    };
    let words: Vec<&Piece> = pieces
        .iter()
        .filter(|piece| !is_label(&piece.item))
        .collect();
    let all: Vec<&str> = pieces.iter().filter_map(Piece::text).collect();
    // `57. Black wins`
    if Ending::sentence(&all.join(" "), [None, None]).is_some() {
        return;
    }
    let most = 2 - ply % 2;
    // Number of words on the line of the number.
    let line = words.first().map_or(0, |first| match &first.item {
        Item::Move(written) => words
            .iter()
            .take_while(
                |piece| matches!(&piece.item, Item::Move(w) if w.at.line == written.at.line),
            )
            .count(),
        Item::Number { .. } | Item::Dots | Item::End(..) => 0,
    });
    let Some(Item::Move(first)) = words.first().map(|piece| &piece.item) else {
        return;
    };
    let moves = |from: usize| words[from..].iter().filter_map(|piece| piece.as_move());
    if !is_move(&first.text) {
        if line <= most || is_like_a_move(&first.text) {
            add(ply, first, Rank::Odd, false);
            if let Some(Item::Move(second)) = words.get(1).map(|piece| &piece.item)
                && line == 2
            {
                add(ply + 1, second, Rank::Odd, false);
            }
        }
        if moves(0).count() <= most {
            for (ply, written) in (ply..).zip(moves(0)) {
                add(ply, written, Rank::Announced, false);
            }
        }
        return;
    }
    // A sign of quality with a space before it: `g4 ?? Qh4`.
    let signs = words.get(1).and_then(|piece| piece.text());
    let sign = signs.is_some_and(|text| text.chars().all(|c| "?!".contains(c)))
        && words.get(2).is_some_and(|piece| piece.as_move().is_some());
    let at = 1 + usize::from(sign);
    let reply = words.get(at).filter(|_| most == 2);
    let direct = reply.and_then(|piece| {
        let written = piece.as_move()?;
        let same = written.at.line == first.at.line;
        let row = piece.ends || words.get(at + 1).is_none_or(|next| next.text().is_none());
        (same || (piece.begins && row)).then_some(written)
    });
    add(ply, first, Rank::Numbered, direct.is_some() || most == 1);
    let mut next = at;
    if let Some(written) = direct {
        add(ply + 1, written, Rank::Numbered, true);
        next += 1;
    } else if most == 2 {
        if let Some(Item::Move(odd)) = reply.map(|piece| &piece.item)
            && odd.at.line == first.at.line
            && is_like_a_move(&odd.text)
        {
            add(ply + 1, odd, Rank::Odd, false);
        }
        for piece in &words[at..] {
            if let Some(written) = piece.as_move() {
                let alone = piece.begins && piece.ends;
                let rank = if alone { Rank::Numbered } else { Rank::Prose };
                add(ply + 1, written, rank, false);
            }
        }
        // The last row of a table with two notations.
        if !matches!(reply.map(|piece| &piece.item), Some(Item::End(..))) {
            return;
        }
        next += 1;
    }
    // The same moves beside them, in another notation.
    let same: Vec<&Written> = words[next.min(words.len())..]
        .iter()
        .map_while(|piece| piece.as_move())
        .take_while(|written| written.at.line == first.at.line)
        .collect();
    let differs = |written: &&Written| is_other_notation(&first.text, &written.text);
    if (1..=most).contains(&same.len()) && same.first().is_some_and(differs) {
        for (ply, written) in (ply..).zip(&same) {
            add(ply, written, Rank::Numbered, true);
        }
    }
}

/// Reads a page without numbers: the lines that consist of moves.
fn unnumbered(pieces: &[Piece]) -> Vec<Candidate> {
    let mut candidates: Vec<Candidate> = Vec::new();
    let mut line: Vec<&Written> = Vec::new();
    let mut prose = false;
    for piece in pieces {
        match piece.as_move() {
            Some(written) => line.push(written),
            None => prose |= !is_label(&piece.item) && piece.text().is_some(),
        }
        if piece.ends {
            for written in line.drain(..).filter(|_| !prose) {
                candidates.push(Candidate {
                    ply: candidates.len(),
                    written: written.clone(),
                    rank: Rank::Numbered,
                    full: false,
                });
            }
            prose = false;
        }
    }
    candidates
}

impl Piece {
    fn text(&self) -> Option<&str> {
        match &self.item {
            Item::Move(written) => Some(&written.text),
            Item::Number { .. } | Item::Dots | Item::End(..) => None,
        }
    }

    /// Returns the word if it is a move.
    fn as_move(&self) -> Option<&Written> {
        match &self.item {
            Item::Move(written) => Some(written).filter(|written| is_move(&written.text)),
            Item::Number { .. } | Item::Dots | Item::End(..) => None,
        }
    }
}

/// Checks whether a word only says whose move follows, as `White:` does.
fn is_label(item: &Item) -> bool {
    let Item::Move(written) = item else {
        return false;
    };
    let lower = written.text.to_lowercase();
    let lower = lower.trim_end_matches([':', ',', '.']);
    matches!(
        lower,
        "-" | "/" | "white" | "black" | "w" | "b" | "wei\u{df}" | "schwarz"
    )
}

/// Checks whether a word in the place of a move is more like a misprint than like prose.
fn is_like_a_move(text: &str) -> bool {
    let hidden = text.chars().all(|c| "?-@".contains(c));
    let man = text.len() < 10 && text.starts_with(char::is_alphabetic);
    hidden || (man && text.contains(|c: char| c.is_ascii_digit()))
}

fn reads(text: &str, notation: Notation) -> bool {
    MoveText::read(text, notation, Color::White, BoardNames::Usual).is_some()
}

fn is_other_notation(one: &str, other: &str) -> bool {
    let only = |notation| reads(one, notation) != reads(other, notation);
    Notation::ALL.into_iter().all(only)
}

/// Splits the words into the moves of two notations, if the page has the game in both.
fn columns(candidates: &[Candidate]) -> Option<[Vec<Candidate>; 2]> {
    let of = |notation: Notation| -> Vec<Candidate> {
        let fits = |candidate: &&Candidate| {
            candidate.rank == Rank::Odd || reads(&candidate.written.text, notation)
        };
        candidates.iter().filter(fits).cloned().collect()
    };
    let mut both = Notation::ALL.map(of);
    let plies = |candidates: &[Candidate]| {
        let numbered = candidates
            .iter()
            .filter(|candidate| candidate.rank == Rank::Numbered);
        let mut plies: Vec<usize> = numbered.map(|candidate| candidate.ply).collect();
        plies.sort_unstable();
        plies.dedup();
        plies.len()
    };
    let [one, other] = [plies(&both[0]), plies(&both[1])];
    let begin = |candidates: &[Candidate]| {
        let found = candidates
            .iter()
            .find(|candidate| candidate.rank == Rank::Numbered);
        found.map(|candidate| candidate.written.at)
    };
    if begin(&both[1]) < begin(&both[0]) {
        both.reverse();
    }
    (one.min(other) > 1 && one.min(other) * 2 >= one.max(other)).then_some(both)
}

/// Checks that no move of the game follows a result.
fn ended_before(pieces: &[Piece], games: &[Game]) -> Result<(), TextError> {
    for pair in pieces.windows(2) {
        let [
            Piece {
                item: Item::Move(last),
                ..
            },
            Piece {
                item: Item::End(Ending::Won(_) | Ending::Drawn, word),
                ..
            },
        ] = pair
        else {
            continue;
        };
        for game in games {
            let index = game.moves.iter().position(|written| written.at == last.at);
            let next = index.and_then(|index| game.moves.get(index + 1));
            if let Some(next) = next.filter(|next| {
                next.at > word.at && word.text.contains(|c: char| c.is_ascii_digit())
            }) {
                return Err(TextError::AfterTheEnd {
                    at: next.at,
                    word: next.text.clone(),
                });
            }
        }
    }
    Ok(())
}
