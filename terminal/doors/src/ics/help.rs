//! The command `help` and its topics.

use notation::Page;
use rules::rulesets;

use super::{
    commands::{COMMANDS, Command, find},
    session::Session,
    words::{Done, no_ruleset, ruleset, short},
    wrap::wrapped,
};

/// Width of a help page, in columns.
const PAGE_WIDTH: usize = 78;

/// Topics that are not commands.
const TOPICS: &[(&str, &str)] = &[
    ("kriegspiel", include_str!("help/kriegspiel.txt")),
    ("moves", include_str!("help/moves.txt")),
    ("announcements", include_str!("help/announcements.txt")),
    ("guests", include_str!("help/guests.txt")),
    ("xboard", include_str!("help/xboard.txt")),
    ("style", include_str!("help/style.txt")),
    ("set", include_str!("help/set.txt")),
];

impl Session {
    /// Runs `rules [RULESET|SEEK]`: returns the page that explains the rules.
    pub(super) async fn rules(&self, words: &[&str]) -> Done<String> {
        let offered = match words.first().and_then(|word| word.parse::<u32>().ok()) {
            Some(number) => Some(self.sought_terms(number).await?),
            None => None,
        };
        let at = self.own().filter(|_| words.is_empty());
        let played = at.map(|at| self.tables[at].known.facts.terms.clone());
        let (word, custom) = match (offered.or(played), words.first()) {
            (Some(terms), _) => (terms.rules, terms.custom),
            (None, Some(word)) => ((*word).to_owned(), None),
            (None, None) => (self.set.rules.clone(), None),
        };
        let width = self.set.width.min(PAGE_WIDTH);
        // Custom rules may have the same name as a known ruleset, so the custom rules are looked up
        // first.
        let page = match custom {
            Some(text) => notation::read_ruleset(&text).ok().map(|own| Page::of(&own)),
            None => ruleset(&word).and_then(rulesets::by_id).map(Page::of),
        };
        match page {
            Some(page) => Ok(page.text(width)),
            None => Err(no_ruleset(&word).into()),
        }
    }
}

/// Runs `help [TOPIC]`: returns the help text.
pub(super) fn help(word: &str) -> String {
    match word.to_ascii_lowercase().as_str() {
        "" | "commands" => contents(),
        "rulesets" => ruleset_names(),
        word => topic(word),
    }
}

fn contents() -> String {
    let mut text = String::from("Topics of help besides the commands:");
    let topics = TOPICS.iter().map(|(name, _)| *name);
    columns(&mut text, topics.chain(["rulesets", "commands"]));
    text.push_str("\n\nCommands; `help COMMAND` explains one. The beginning of a name is enough.");
    columns(&mut text, COMMANDS.iter().map(|command| command.name));
    text
}

fn columns<'a>(text: &mut String, names: impl Iterator<Item = &'a str>) {
    for (n, name) in names.enumerate() {
        text.push_str(if n % 5 == 0 { "\n  " } else { "" });
        text.push_str(&format!("{name:<15}"));
    }
    text.truncate(text.trim_end().len());
}

/// Returns the list of rulesets.
fn ruleset_names() -> String {
    let mut text = String::from(
        "Rulesets, for match and seek; `rules NAME` explains one.\n\
         kriegspiel, w16 and wild/16 are wild16.",
    );
    columns(&mut text, rulesets::ALL.iter().map(|r| &*r.id));
    text
}

/// Returns the usage of a command, and its description.
fn explained(command: &Command) -> String {
    let usage = format!("{} {}", command.name, command.usage);
    let about = wrapped(command.about, PAGE_WIDTH - 1);
    let mut text = format!("{}\n\n{about}", usage.trim_end());
    if !command.others.is_empty() {
        text.push_str(&format!("\nAlso: {}", command.others.join(", ")));
    }
    text
}

/// Returns the help on a topic, a command or a ruleset.
fn topic(word: &str) -> String {
    let named = TOPICS.iter().find(|(name, _)| *name == word);
    let command = find(word).ok().map(explained);
    let texts = command
        .into_iter()
        .chain(named.map(|(_, text)| (*text).to_owned()));
    let texts: Vec<String> = texts.collect();
    match (&*texts, ruleset(word).and_then(rulesets::by_id)) {
        ([_, ..], _) => texts.join("\n\n"),
        ([], Some(ruleset)) => Page::of(ruleset).text(PAGE_WIDTH),
        ([], None) => format!(
            "There is no help on `{}`: `help` lists the topics.",
            short(word)
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_of_every_topic_fits_the_page_width() {
        let names = TOPICS.iter().map(|(name, _)| *name);
        let names = names
            .chain(COMMANDS.iter().map(|c| c.name))
            .chain(["rulesets", "commands", "rand"]);
        for name in names {
            let text = help(name);
            assert!(!text.contains("no help"), "{name}");
            assert!(text.lines().all(|line| line.len() <= 79), "{name}:\n{text}");
        }
        assert!(help("xyzzy").contains("no help"));
        assert!(contents().contains("whisper"));
    }
}
