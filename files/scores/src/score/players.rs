//! The names of the players, as a page prints them above the moves.

use notation::Place;

use super::clean::Line;

/// Words between the names of White and Black.
const BETWEEN: [&str; 10] = [
    " vs. ",
    " vs ",
    " v. ",
    " v ",
    " versus ",
    " against ",
    " gegen ",
    " contre ",
    " contra ",
    " - ",
];

/// Small words that are part of a name.
const PARTICLES: [&str; 14] = [
    "af", "da", "de", "del", "den", "der", "di", "du", "la", "le", "ten", "van", "von", "zu",
];

/// Words of titles, which are not names of players.
const TITLES: [&str; 33] = [
    "a",
    "article",
    "attack",
    "black",
    "british",
    "championship",
    "chess",
    "club",
    "defence",
    "defense",
    "evening",
    "final",
    "gambit",
    "game",
    "games",
    "international",
    "kriegspiel",
    "magazine",
    "match",
    "notation",
    "opening",
    "part",
    "position",
    "problem",
    "round",
    "rules",
    "score",
    "system",
    "the",
    "tournament",
    "variant",
    "variation",
    "white",
];

/// Adds the players' names to the tags if neither is there. `first` is the place of the first move.
pub(super) fn name(tags: &mut Vec<(String, String)>, lines: &[Line], first: Place) {
    let is_player = |key: &str| matches!(key.to_lowercase().as_str(), "white" | "black");
    if tags.iter().any(|(key, _)| is_player(key)) {
        return;
    }
    let before: Vec<String> = lines
        .iter()
        .filter(|line| line.number < first.line)
        .map(text)
        .filter(|line| !line.trim().is_empty())
        .collect();
    let labelled = |key: &str| before.iter().rev().find_map(|line| labelled(line, key));
    let found = labelled("white")
        .zip(labelled("black"))
        .or_else(|| before.last().and_then(|line| headings(line)))
        .or_else(|| before.iter().rev().find_map(|line| pair(line)));
    if let Some((white, black)) = found {
        tags.push(("White".to_owned(), white));
        tags.push(("Black".to_owned(), black));
    }
}

/// Returns the text of a line. A dash between a name and a capital letter gets spaces.
fn text(line: &Line) -> String {
    let mut text = String::new();
    let dashes: Vec<usize> = (1..)
        .zip(line.raw.chars())
        .filter(|(_, c)| matches!(c, '\u{2013}' | '\u{2014}'))
        .map(|(column, _)| column)
        .collect();
    for (i, (c, column)) in line.chars.iter().enumerate() {
        let after = line.chars.get(i + 1).map_or(' ', |(c, _)| *c);
        let before = text.chars().next_back().unwrap_or(' ');
        if dashes.contains(column) && before.is_lowercase() && after.is_uppercase() {
            text.push_str(" - ");
        } else {
            text.push(*c);
        }
    }
    let marks = |c: char| c.is_whitespace() || matches!(c, '#' | '=' | '%' | '>');
    text.trim_start_matches(marks).trim_end().to_owned()
}

/// Reads `White: Rea B. Hayes`.
fn labelled(line: &str, key: &str) -> Option<String> {
    let lower = line.to_lowercase();
    // Some capital letters have small letters of another length.
    let at = lower
        .find(&format!("{key}:"))
        .filter(|_| lower.len() == line.len())?;
    let whole = line.get(..at)?.chars().next_back();
    if whole.is_some_and(char::is_alphanumeric) {
        return None;
    }
    let value = line.get(at + key.len() + 1..)?.trim_start();
    let end = [
        ";", ",", "  ", "\t", " Black:", " White:", " BLACK:", " WHITE:",
    ]
    .iter()
    .filter_map(|end| value.find(end))
    .min();
    full_name(&value[..end.unwrap_or(value.len())])
}

/// Reads the headings of two columns: `HAYES     JUHASZ`.
fn headings(line: &str) -> Option<(String, String)> {
    let line = line.replace('\t', "  ");
    let mut parts = line.split("  ").filter(|part| !part.trim().is_empty());
    let (white, black) = (parts.next()?, parts.next()?);
    if parts.next().is_some() {
        return None;
    }
    full_name(white).zip(full_name(black))
}

/// Reads `REA B. HAYES (X) vs. MIKE JUHASZ (B), November 11, 1971`.
fn pair(line: &str) -> Option<(String, String)> {
    BETWEEN.iter().find_map(|between| {
        let (white, black) = line.split_once(between)?;
        let white = white.rsplit(": ").next()?;
        let mut end = black.find([',', ';', '(']).unwrap_or(black.len());
        // A result or a year after the name.
        if let Some(digit) = black.find(|c: char| c.is_numeric() || c == '*') {
            end = end.min(digit);
        }
        full_name(white).zip(full_name(&black[..end]))
    })
}

/// Returns a name without remarks in brackets; `None` if the text is not a name.
fn full_name(text: &str) -> Option<String> {
    let text = text.split_once('(').map_or(text, |(name, _)| name);
    let text = text.trim().trim_end_matches([',', ':', ';']);
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_name = |word: &&str| {
        let bare = word.trim_end_matches([',', ':']).to_lowercase();
        let begins = word.starts_with(char::is_uppercase) && !TITLES.contains(&bare.as_str());
        let known = |c: char| c.is_alphabetic() || ".,'-".contains(c);
        (begins || PARTICLES.contains(word)) && word.chars().all(known)
    };
    let long = |word: &&str| word.chars().filter(|c| c.is_alphabetic()).count() > 1;
    let valid =
        (1..=5).contains(&words.len()) && words.iter().all(is_name) && words.iter().any(long);
    let name = words.join(" ");
    // A full stop ends a sentence, but it is part of an initial.
    let sentence = words.last().is_some_and(long);
    valid.then(|| {
        if sentence {
            name.trim_end_matches('.').to_owned()
        } else {
            name
        }
    })
}
