//! A page that explains a ruleset in sentences, made from its choices.

use rules::{
    CaptureHeard, CaptureSquare, CheckTold, Choices, Mates, Obligation, PawnTries, Px,
    QuestionRule, ReserveUse, Ruleset, Source, TryLimit,
};

/// Headings of a page, and the choices under each. Every choice is under
/// exactly one heading.
const PARTS: &[(&str, &[&str])] = &[
    (
        "Impossible attempts",
        &[
            "impossible",
            "announced_tries",
            "announced_check",
            "repeat",
            "nonsense_heard",
            "nonsense_word",
            "nonsense_score",
        ],
    ),
    ("An illegal attempt", &["no_heard"]),
    (
        "A capture",
        &[
            "capture_heard",
            "capture_square",
            "capture_man",
            "en_passant",
        ],
    ),
    ("A check", &["check"]),
    (
        "Pawn tries",
        &[
            "pawn_tries",
            "pawn_try_square",
            "any_again",
            "any_without_pawns",
            "obligation",
            "try_limit",
            "px",
        ],
    ),
    ("A promotion", &["promotion", "promotion_man"]),
    ("Captured men", &["reserve", "enemy_count"]),
    ("Questions", &["count", "recap"]),
    (
        "The end",
        &["mates", "stalemate", "material", "threefold", "fifty"],
    ),
];

/// A heading of a page and the sentences under it.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Section {
    /// Text of the heading.
    pub heading: &'static str,
    /// The sentences, each about one choice.
    pub sentences: Vec<String>,
}

/// Explanation of a ruleset in sentences.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Page {
    /// Id of the ruleset.
    pub id: String,
    /// Title of the ruleset.
    pub title: String,
    /// What the ruleset decides, under headings.
    pub sections: Vec<Section>,
    /// Where the rules are written.
    pub sources: Vec<Source>,
    /// Points on which the sources are silent, or on which the ruleset differs
    /// from them.
    pub notes: Vec<&'static str>,
}

/// Whether the page should mention a choice. Some choices have no effect because
/// of another choice. For example, if Any? does not exist, the number of times
/// that it may be asked has no effect.
fn says_something(field: &str, c: &Choices) -> bool {
    let asked = c.pawn_tries == PawnTries::OnRequest;
    let squares = matches!(
        c.pawn_tries,
        PawnTries::Squares | PawnTries::SinglesAndDoubles
    );
    let told = c.capture_heard != CaptureHeard::Victim;
    match field {
        "announced_tries" => c.pawn_tries != PawnTries::Silent,
        "announced_check" => c.check != CheckTold::Silent,
        "any_again" | "any_without_pawns" => asked,
        "obligation" => asked || c.obligation != Obligation::None,
        "pawn_try_square" => squares,
        "try_limit" => c.try_limit != TryLimit::None,
        "px" => c.px != Px::Absent,
        "capture_square" => told,
        "capture_man" => told,
        "en_passant" => told && c.capture_square != CaptureSquare::Untold,
        "count" => c.count != QuestionRule::Absent,
        "recap" => c.recap != QuestionRule::Absent,
        "reserve" => c.reserve != ReserveUse::None,
        // If men can be dropped, both reserves are public, so the number is known.
        "enemy_count" => c.reserve == ReserveUse::None,
        "stalemate" => c.mates == Mates::Announced,
        _ => true,
    }
}

/// Returns the sentence about one choice. A sentence about a question also
/// names the question.
fn sentence(field: &str, choices: &Choices) -> Option<String> {
    let plain = choices.plain(field)?;
    let named = |question: &str| plain.replacen("The question", question, 1);
    Some(match field {
        "count" => named("The question count (\"How many rebuffs did the opponent get?\")"),
        "recap" => named(
            "The question recap (\"Which announcements were made after the last completed move?\")",
        ),
        _ => plain.to_owned(),
    })
}

impl Page {
    /// Makes the page of a ruleset.
    pub fn of(ruleset: &Ruleset) -> Page {
        let choices = &ruleset.choices;
        let sections = PARTS
            .iter()
            .map(|(heading, fields)| Section {
                heading,
                sentences: fields
                    .iter()
                    .filter(|field| says_something(field, choices))
                    .filter_map(|field| sentence(field, choices))
                    .collect(),
            })
            .filter(|section| !section.sentences.is_empty())
            .collect();
        Page {
            id: ruleset.id.to_string(),
            title: ruleset.title.to_string(),
            sections,
            sources: ruleset.sources.to_vec(),
            notes: ruleset.notes.to_vec(),
        }
    }

    /// Writes the page as Markdown.
    pub fn markdown(&self) -> String {
        let mut text = format!("# `{}`: {}\n", self.id, self.title);
        self.each_block(|heading, items| {
            text.push_str(&format!("\n## {heading}\n\n"));
            for item in items {
                text.push_str(&format!("- {item}\n"));
            }
        });
        text
    }

    /// Writes the page as plain text. Lines have at most `width` columns,
    /// unless one word is longer.
    pub fn text(&self, width: usize) -> String {
        let mut text = wrapped(&format!("{}: {}", self.id, self.title), width, "", "");
        self.each_block(|heading, items| {
            text.push_str(&format!("\n{heading}\n"));
            for item in items {
                text.push_str(&wrapped(item, width, "  - ", "    "));
            }
        });
        text
    }

    fn each_block(&self, mut block: impl FnMut(&str, &[String])) {
        for section in &self.sections {
            block(section.heading, &section.sentences);
        }
        let sources: Vec<_> = self
            .sources
            .iter()
            .map(|s| format!("{}: {}.", s.key, s.title))
            .collect();
        block("Sources", &sources);
        if !self.notes.is_empty() {
            let notes: Vec<_> = self.notes.iter().map(|n| (*n).to_owned()).collect();
            block(
                "Notes: what the source leaves open, and what differs",
                &notes,
            );
        }
    }
}

/// Compares rulesets in words. Under each heading, every sentence is followed by the ids of the
/// rulesets for which the sentence is true. Lines have at most `width` columns, unless one word is
/// longer.
///
/// # Examples
///
/// ```
/// use notation::compared;
/// use rules::rulesets::{RAND, WILD16};
///
/// let text = compared(&[RAND, WILD16], 100);
/// assert!(text.contains("An illegal attempt\n"));
/// assert!(text.contains("      wild16\n"));
/// ```
pub fn compared(rulesets: &[Ruleset], width: usize) -> String {
    let mut text = String::new();
    for (heading, fields) in PARTS {
        let mut block = String::new();
        for field in *fields {
            let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
            for ruleset in rulesets {
                let choices = &ruleset.choices;
                let said = says_something(field, choices).then(|| sentence(field, choices));
                let Some(said) = said.flatten() else {
                    continue;
                };
                match groups.iter_mut().find(|(other, _)| *other == said) {
                    Some((_, ids)) => ids.push(&ruleset.id),
                    None => groups.push((said, vec![&ruleset.id])),
                }
            }
            for (said, ids) in groups {
                let ids = if ids.len() == rulesets.len() && ids.len() > 1 {
                    "all".to_owned()
                } else {
                    ids.join(", ")
                };
                block.push_str(&wrapped(&said, width, "  ", "  "));
                block.push_str(&wrapped(&ids, width, "      ", "      "));
            }
        }
        if !block.is_empty() {
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(heading);
            text.push('\n');
            text.push_str(&block);
        }
    }
    text
}

/// Breaks a text into lines at spaces. `first` is the indent of the first line, `rest` is the
/// indent of the following lines.
fn wrapped(text: &str, width: usize, first: &str, rest: &str) -> String {
    let mut out = String::new();
    let mut line = first.to_owned();
    let mut empty = true;
    for word in text.split(' ') {
        if !empty && line.chars().count() + 1 + word.chars().count() > width {
            out.push_str(&line);
            out.push('\n');
            line = rest.to_owned();
            empty = true;
        }
        if !empty {
            line.push(' ');
        }
        line.push_str(word);
        empty = false;
    }
    out.push_str(&line);
    out.push('\n');
    out
}

#[cfg(test)]
mod tests {
    use rules::rulesets;

    use super::*;

    #[test]
    fn every_choice_is_under_exactly_one_heading() {
        let mut placed: Vec<_> = PARTS.iter().flat_map(|(_, f)| f.iter().copied()).collect();
        let mut fields: Vec<_> = Choices::FIELDS.iter().map(|f| f.name).collect();
        placed.sort_unstable();
        fields.sort_unstable();
        assert_eq!(placed, fields);
    }

    #[test]
    fn pages_keep_to_their_width_and_name_their_sources() {
        for ruleset in &rulesets::ALL {
            let page = Page::of(ruleset);
            for line in page.text(78).lines() {
                assert!(line.chars().count() <= 78, "{line}");
            }
            for source in ruleset.sources.iter() {
                assert!(page.markdown().contains(source.title), "{}", ruleset.id);
            }
            for note in ruleset.notes.iter() {
                assert!(page.markdown().contains(note), "{}", ruleset.id);
            }
        }
    }
}
