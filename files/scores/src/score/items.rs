//! Splits the words of a score into numbers, moves and endings.

use notation::Place;

use super::{
    ending::Ending,
    letters::Letters,
    text::Word,
    written::{Written, is_move},
};

/// An item of a line of a score.
#[derive(Clone, Debug)]
pub(super) enum Item {
    /// A move number. If several dots follow it (`12...`), the move is Black's.
    Number {
        ply: usize,
        at: Place,
    },
    /// Dots without a number: the next move is Black's.
    Dots,
    /// A word that may be a move.
    Move(Written),
    End(Ending, Word),
}

/// How a file writes its moves.
#[derive(Debug)]
pub(super) struct Habits<'a> {
    letters: &'a Letters,
    /// Whether `S` is a knight.
    springer: bool,
    /// Whether a dash between two words joins a move's squares (`e2 - e4 e7 - e5`). Otherwise the
    /// dash stands between the moves of White and Black (`e4 - e5`).
    dashes: bool,
}

impl<'a> Habits<'a> {
    pub(super) fn of(lines: &[Vec<Word>], letters: &'a Letters) -> Habits<'a> {
        let mut habits = Habits {
            letters,
            springer: false,
            dashes: false,
        };
        let (mut springer, mut knight) = (false, false);
        let (mut count, mut before) = (0, "");
        for word in lines.iter().flatten() {
            if word.text.starts_with(|c: char| c.is_ascii_digit()) {
                count = 0;
            }
            if word.text == "-" {
                count += 1;
                // Nobody moves a man to its own first two ranks before any other move.
                let home = before.ends_with(['1', '2']) && before.starts_with(char::is_alphabetic);
                habits.dashes |= count == 2 || home;
            }
            before = &word.text;
            let text = without_number(&word.text);
            if text.contains('S') {
                springer |= is_move(&text.replace('S', "N"));
            } else if text.contains(['N', 't']) {
                knight |= is_move(text);
            }
        }
        habits.springer = letters.is_english() && springer && !knight;
        habits
    }

    /// Returns a word with English letters, and without signs that judge the position or offer a
    /// draw.
    fn english(&self, word: &mut Word) {
        let mut text = word.text.as_str();
        let signs = ["(=)", "+/-", "-/+", "+-", "-+", "=+", "+=", "=", ":", "-"];
        while let Some(rest) = signs.iter().find_map(|sign| text.strip_suffix(sign)) {
            text = rest;
        }
        let knight = |text: &str| self.springer.then(|| text.replace('S', "N"));
        // `N-f3`, `Ktf3`, `Qh4X` (mate)
        let other = match text.starts_with(['K', 'Q', 'R', 'B', 'N']) {
            true => text.replace("Kt", "N").replacen('-', "", 1),
            false => String::new(),
        };
        let other = other.trim_end_matches(['x', 'X']);
        let found = [text, &word.text, other].into_iter().find_map(|text| {
            let english = self.letters.english(text).or_else(|| knight(text));
            english
                .or_else(|| Some(text.to_owned()))
                .filter(|text| is_move(text))
        });
        if let Some(found) = found {
            word.text = found;
        }
    }

    /// Splits the words of a line into numbers, moves and endings.
    pub(super) fn items(&self, words: Vec<Word>) -> Vec<Item> {
        let mut tokens: Vec<Item> = Vec::new();
        let words = words.into_iter().filter(|word| !is_time(&word.text));
        for word in spaced_endings(words.collect()).into_iter().flat_map(parts) {
            if let Some(mut word) = numbered(word, &mut tokens) {
                self.english(&mut word);
                tokens.push(Item::Move(word.into()));
            }
        }
        let mut items: Vec<Item> = Vec::new();
        // A word is joined to the move before it in three cases: the word is a mark; the move is
        // "castles" and the word is a wing; the move is a square and the word is its second square.
        let mut halves = 0;
        for token in self.joined(tokens) {
            let Item::Move(word) = token else {
                items.push(token);
                halves = 0;
                continue;
            };
            let lower = word.text.to_lowercase();
            if let Some(Item::Move(before)) = items.last_mut() {
                if is_sign(&lower) {
                    continue;
                }
                let castles = before.text.to_lowercase().starts_with("castle");
                let pair = halves == 1 && is_full_square(&word.text);
                if is_mark(&lower) || (castles && is_wing(&lower)) || pair {
                    before.text.push(' ');
                    before.text.push_str(&word.text);
                    halves = if pair { 2 } else { halves };
                    continue;
                }
            }
            let (text, at) = (word.text.clone(), word.at);
            if let Some(ending) = Ending::read(&text) {
                items.push(Item::End(ending, Word { text, at }));
                halves = 0;
            } else {
                halves = u8::from(is_full_square(&text));
                items.push(Item::Move(word));
            }
        }
        items
    }

    /// Joins moves that are written with spaces: `N x f3`, `P - K4`, `e8 = Q`.
    fn joined(&self, tokens: Vec<Item>) -> Vec<Item> {
        let mut items: Vec<Item> = Vec::new();
        for token in tokens {
            if let [.., Item::Move(left), Item::Move(sign)] = items.as_mut_slice()
                && let Item::Move(right) = &token
            {
                // `e4 -- e5`
                if sign.text == "--" && is_move(&left.text) && is_move(&right.text) {
                    items.pop();
                    items.push(token);
                    continue;
                }
                let joins = match sign.text.as_str() {
                    "x" | "X" | ":" | "takes" => true,
                    // `P to K4`
                    "to" => !is_move(&left.text),
                    "=" => matches!(
                        right.text.trim_end_matches(['+', '#', '.', '!']).len(),
                        1 | 2
                    ),
                    "-" => self.dashes || !is_move(&left.text),
                    _ => false,
                };
                let glue = match sign.text.as_str() {
                    "to" => "-",
                    "takes" => "x",
                    sign => sign,
                };
                let text = format!("{}{glue}{}", left.text, right.text);
                if joins && is_move(&text) {
                    left.text = text;
                    items.pop();
                    continue;
                }
            }
            items.push(token);
        }
        items
    }
}

/// Checks whether a word is the time of a clock: `9:58`, `0:05:00`.
fn is_time(text: &str) -> bool {
    let (first, rest) = text.split_once(':').unwrap_or(("", ""));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit());
    digits(first) && rest.split(':').all(|part| part.len() == 2 && digits(part))
}

/// Joins results and castling that are written with spaces: `1 - 0`, `O - O - O`.
pub(super) fn spaced_endings(words: Vec<Word>) -> Vec<Word> {
    let is_part = |word: &Word| {
        matches!(
            word.text.trim_end_matches(['.', ',']),
            "0" | "1" | "O" | "o" | "1/2" | "-" | ":"
        )
    };
    let mut joined: Vec<Word> = Vec::new();
    let mut rest = words.into_iter().peekable();
    while let Some(word) = rest.next() {
        if !is_part(&word) {
            joined.push(word);
            continue;
        }
        let mut run = vec![word];
        while let Some(next) = rest.next_if(is_part) {
            run.push(next);
        }
        let mut at = 0;
        while at < run.len() {
            let fits = [5, 3].into_iter().find_map(|length| {
                let words = run.get(at..at + length)?;
                let text: String = words.iter().map(|word| word.text.as_str()).collect();
                (Ending::read(&text).is_some() || is_move(&text)).then_some((length, text))
            });
            let (length, text) = fits.unwrap_or_else(|| (1, run[at].text.clone()));
            let place = run[at].at;
            joined.push(Word { text, at: place });
            at += length;
        }
    }
    joined
}

/// Splits moves that only a comma, a semicolon or a slash separates: `1.e4,e5`.
fn parts(word: Word) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut column = word.at.column;
    for part in word.text.split([',', ';', '/']) {
        let moves = is_move(without_number(part)) || Ending::read(part).is_some();
        if !moves && !part.is_empty() {
            return vec![word];
        }
        if moves {
            words.push(Word {
                text: part.to_owned(),
                at: Place { column, ..word.at },
            });
        }
        column += part.chars().count() + 1;
    }
    if words.len() < 2 { vec![word] } else { words }
}

fn without_number(text: &str) -> &str {
    text.trim_start_matches(|c: char| c.is_ascii_digit() || ".):".contains(c))
}

/// Removes a move number from the beginning of a word, and adds it to `items`: `12.`, `12)`, `12:`,
/// `12...`. Returns the rest of the word.
fn numbered(word: Word, items: &mut Vec<Item>) -> Option<Word> {
    let text = word.text.as_str();
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let signs = text[digits..]
        .bytes()
        .take_while(|c| b".):".contains(c) && (digits > 0 || *c == b'.'))
        .count();
    let dots = text[digits..digits + signs]
        .bytes()
        .filter(|c| *c == b'.')
        .count();
    let mut rest = &text[digits + signs..];
    if signs > 0 && digits > 0 {
        // `1.-e4`, but not `1.--`, a hidden move.
        rest = rest
            .strip_prefix('-')
            .filter(|rest| !rest.starts_with('-'))
            .unwrap_or(rest);
    }
    let bare = signs == 0;
    let number = text[..digits].parse::<usize>().ok();
    let is_number = match number {
        None if digits == 0 => dots > 0,
        // `0-0`, `00`
        None | Some(0) => false,
        // `10:30`, `8.00`, `1971`
        Some(_) if rest.starts_with(|c: char| c.is_ascii_digit()) => {
            !rest.bytes().all(|c| c.is_ascii_digit()) && !text.contains(':')
        }
        Some(_) if bare && rest.is_empty() => digits < 4,
        Some(_) if bare => {
            // `1e4`, `1-e4`
            rest = rest.strip_prefix('-').unwrap_or(rest);
            rest.starts_with(char::is_alphabetic) && is_move(rest)
        }
        Some(_) => true,
    };
    if !is_number {
        return Some(word);
    }
    match number {
        Some(number) => {
            let ply = 2 * number.clamp(1, MAX_MOVES) - 2 + usize::from(dots > 1);
            items.push(Item::Number { ply, at: word.at });
        }
        // The dots of `12. ... Bb2` mean that the move is Black's.
        None => match items.last_mut() {
            Some(Item::Number { ply, .. }) => *ply |= 1,
            Some(_) if dots > 1 => items.push(Item::Dots),
            None if dots > 1 => items.push(Item::Dots),
            Some(_) | None => {}
        },
    }
    let column = word.at.column + text.chars().count() - rest.chars().count();
    (!rest.is_empty()).then(|| Word {
        text: rest.to_owned(),
        at: Place {
            line: word.at.line,
            column,
        },
    })
}

/// Maximum move number; a larger number is reduced to this value.
const MAX_MOVES: usize = 100_000;

fn is_mark(lower: &str) -> bool {
    let bare = lower.trim_end_matches(['.', ',', ';', ':']);
    let bare = if bare.starts_with(char::is_alphabetic) {
        bare.trim_end_matches('!')
    } else {
        bare
    };
    matches!(
        bare,
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

/// Checks whether a word offers a draw or judges the position.
fn is_sign(lower: &str) -> bool {
    matches!(
        lower,
        "=" | "(=)" | "+-" | "-+" | "+/-" | "-/+" | "+=" | "=+"
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
