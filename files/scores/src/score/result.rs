//! Finds the result on a page.

use notation::Place;

use super::{clean::Line, ending::Ending, items::spaced_endings, text::Word};

/// Returns the text of the page from the word after the move at `from`.
pub(super) fn between(lines: &[Line], from: Place, to: Option<Place>) -> String {
    let mut text = String::new();
    let mut inside = from.line > 0;
    for line in lines {
        let first = line.raw.trim_start();
        if line.number < from.line || (first.starts_with(['#', '%', '=']) && from.line > 0) {
            continue;
        }
        for (c, column) in &line.chars {
            let at = Place {
                line: line.number,
                column: *column,
            };
            if to.is_some_and(|to| at >= to) {
                return text;
            }
            if at < from {
                continue;
            }
            // Skips the move itself.
            inside &= line.number == from.line && !c.is_whitespace();
            if !inside {
                text.push(*c);
            }
        }
        inside &= line.number < from.line;
        text.push('\n');
    }
    text
}

/// Reads the result after the last move.
pub(super) fn result(tags: &[(String, String)], text: &str, at: Place) -> Option<(Ending, Place)> {
    let players = ["white", "black"].map(|key| {
        let found = tags.iter().find(|(k, _)| k.eq_ignore_ascii_case(key));
        found.map(|(_, value)| value.as_str())
    });
    let text = &sides(text);
    let sentence = |text: &str| {
        text.split(['.', ';', '!', '?', '\n', '(', ')', '{', '}', '[', ']'])
            .filter(|sentence| !is_conditional(sentence))
            .flat_map(|sentence| sentence.split(',').enumerate())
            .find_map(|(i, part)| {
                // "Black, who was tired, resigned": the part does not say who.
                let named = |ending: &Ending| i == 0 || *ending != Ending::Resigns;
                token(part).or_else(|| Ending::sentence(part, players).filter(named))
            })
    };
    let paragraphs = || text.split("\n\n").map(|text| text.replace('\n', " "));
    sentence(text)
        .or_else(|| paragraphs().find_map(|text| sentence(&text)))
        .or_else(|| token(text))
        .map(|ending| (ending, at))
}

/// Writes out `W. resigns` and `B. resigns`.
fn sides(text: &str) -> String {
    let mut words = text.split_inclusive(char::is_whitespace).peekable();
    let mut full = String::new();
    while let Some(word) = words.next() {
        let verb = words
            .peek()
            .is_some_and(|next| next.starts_with(char::is_lowercase));
        full.push_str(match word.trim_end() {
            "W" | "W." | "Wh." if verb => "White ",
            "B" | "B." | "Bl." if verb => "Black ",
            _ => word,
        });
    }
    full
}

/// Checks whether a text has a word about results.
pub(super) fn names_result(text: &str) -> bool {
    let words = text.split(|c: char| !c.is_alphabetic());
    words.map(str::to_lowercase).any(|word| {
        word.starts_with("resign")
            || matches!(
                word.as_str(),
                "win" | "wins" | "won" | "lost" | "loses" | "draw" | "drawn" | "mate" | "mated"
            )
    })
}

fn is_conditional(sentence: &str) -> bool {
    let mut words = sentence.split(|c: char| !c.is_alphabetic());
    words.any(|word| {
        let lower = word.to_lowercase();
        matches!(
            lower.as_str(),
            "if" | "unless" | "could" | "would" | "should" | "might" | "may" | "not" | "never"
        )
    })
}

/// Reads a result in digits, such as `1-0`.
pub(super) fn token(text: &str) -> Option<Ending> {
    let words = text.split_whitespace().map(|text| Word {
        text: text
            .trim_matches(|c: char| "(){}[],;".contains(c))
            .to_owned(),
        at: Place { line: 0, column: 0 },
    });
    let words = spaced_endings(words.collect());
    words.iter().enumerate().find_map(|(i, word)| {
        let digits = word.text.contains(|c: char| "01+".contains(c))
            && (i == 0
                || word.text.len() > 2 && !word.text.starts_with("1/2")
                || word.text.len() > 5);
        Ending::read(&word.text)
            .filter(|ending| digits && matches!(ending, Ending::Won(_) | Ending::Drawn))
    })
}
