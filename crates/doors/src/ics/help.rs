//! Help, by topics.

use notation::Page;
use rules::rulesets;

use super::{
    commands::{COMMANDS, NotFound, find},
    session::Session,
    words::{Done, ruleset, short},
    wrap::wrapped,
};

/// How wide a page is.
const WIDTH: usize = 78;

/// Topics that are no commands.
const TOPICS: &[(&str, &str)] = &[
    (
        "kriegspiel",
        "Chess in which each player sees his own men only. Try a move, as e2e4: the\n\
         referee plays it if it is legal in the true position, and else you try again.\n\
         What he says beside, and to whom, depends on the ruleset: `help rulesets`,\n\
         `rules wild16`. After the end everybody sees everything: `examine`.",
    ),
    (
        "moves",
        "A move is two squares, as e2e4 or e7e8=Q; O-O castles; where men are dropped,\n\
         N@f5. Nf3, exd5 and other notation is read where one of your own men fits and\n\
         no other. What the other side has is never asked: if it matters, name both\n\
         squares. `any`, `px`, `count` and `recap` ask the referee, where the ruleset\n\
         has them. The moves of a running game are listed for nobody.",
    ),
    (
        "announcements",
        "What the referee says comes as plain lines, or, after\n\
         `set kibitz-announcements 1`, as kibitzes, which clients show in colour and\n\
         keep as comments of the game.",
    ),
    (
        "guests",
        "`guest` or `g` at the login comes in as a guest, who plays unrated games. An\n\
         account is made on the club's page, and signs in here with its password.\n\
         A guest is one as long as the line holds: only an account comes back.",
    ),
    (
        "xboard",
        "xboard -ics -icshost HOST -icsport PORT\n\
         Moves are made with the mouse; a move that the referee refuses goes back. A\n\
         file for -icslogon holds the name and the password, each on a line. There is\n\
         no reconnecting by itself: start it again, and you sit in your game again.",
    ),
    (
        "style",
        "`style 1` draws boards for people: your men as letters, Black's with a star.\n\
         `style 12` is for clients. Fields of it that would tell of men that you do not\n\
         see hold what they hold at the beginning of a game; the move that you did not\n\
         see is `?`, and `?xd5` if you were told that a man fell on d5.",
    ),
    (
        "set",
        "set style 1|12; width COLUMNS of a line, in style 1; time MINUTES, inc SECONDS\n\
         and rules RULESET of a match that names none; seek, shout, tell, kibitz,\n\
         prompt, bell, kibitz-announcements 1|0.\n\
         What is not known is accepted and has no effect.",
    ),
];

impl Session {
    /// `rules [RULESET|SEEK]`.
    pub(super) async fn rules(&self, words: &[&str]) -> Done<String> {
        let offered = match words.first().and_then(|word| word.parse::<u32>().ok()) {
            Some(number) => Some(self.sought_terms(number).await?),
            None => None,
        };
        let at = self.own().filter(|_| words.is_empty());
        let played = at.map(|at| self.tables[at].chair.facts.terms.clone());
        let (word, custom) = match (offered.or(played), words.first()) {
            (Some(terms), _) => (terms.rules, terms.custom),
            (None, Some(word)) => ((*word).to_owned(), None),
            (None, None) => (self.set.rules.clone(), None),
        };
        let width = self.set.width.min(WIDTH);
        // Custom rules may have the same name as a known ruleset.
        let page = match custom {
            Some(text) => notation::read_ruleset(&text)
                .ok()
                .map(|own| Page::of(&own).text(width)),
            None => ruleset(&word)
                .and_then(rulesets::by_id)
                .map(|named| Page::of(named).text(width)),
        };
        let none = || {
            format!(
                "There is no ruleset `{}`: see `help rulesets`.",
                short(&word)
            )
        };
        Ok(page.ok_or_else(none)?)
    }
}

/// `help [TOPIC]`.
pub(super) fn help(word: &str) -> String {
    match word {
        "" => contents(),
        word => topic(&word.to_ascii_lowercase()),
    }
}

fn contents() -> String {
    let mut text = String::from("Topics of help beside the commands:");
    columns(
        &mut text,
        TOPICS
            .iter()
            .map(|(name, _)| *name)
            .chain(["rulesets", "commands"]),
    );
    text.push_str("\n\nCommands; `help COMMAND` tells of one. The beginning of a name is enough.");
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

/// What is known of a topic.
fn topic(word: &str) -> String {
    let named = TOPICS
        .iter()
        .find(|(name, _)| *name == word)
        .map(|(_, text)| *text);
    if word == "commands" {
        return contents();
    }
    if word == "rulesets" {
        let mut text = String::from(
            "Rulesets, for match and seek; `rules NAME` explains one.\n\
             kriegspiel, w16 and wild/16 are wild16.",
        );
        columns(&mut text, rulesets::ALL.iter().map(|r| &*r.id));
        return text;
    }
    let command = match find(word) {
        Ok(command) => {
            let others = match command.others {
                [] => String::new(),
                others => format!("\nAlso: {}", others.join(", ")),
            };
            let usage = format!("{} {}", command.name, command.usage);
            Some(format!(
                "{}\n\n{}{others}",
                usage.trim_end(),
                wrapped(command.about, WIDTH - 1)
            ))
        }
        Err(NotFound::Unknown | NotFound::Ambiguous(_)) => None,
    };
    match (named, command) {
        (Some(text), Some(command)) => format!("{command}\n\n{text}"),
        (Some(text), None) => text.to_owned(),
        (None, Some(command)) => command,
        (None, None) => match ruleset(word).and_then(rulesets::by_id) {
            Some(ruleset) => Page::of(ruleset).text(WIDTH),
            None => format!(
                "There is no help on `{}`: `help` lists the topics.",
                short(word)
            ),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_topic_and_command_has_help_of_a_page_s_width() {
        let names = TOPICS.iter().map(|(name, _)| *name);
        let names = names
            .chain(COMMANDS.iter().map(|c| c.name))
            .chain(["rulesets", "commands", "rand"]);
        for name in names {
            let text = topic(name);
            assert!(!text.contains("no help"), "{name}");
            assert!(text.lines().all(|line| line.len() <= 79), "{name}:\n{text}");
        }
        assert!(topic("xyzzy").contains("no help"));
        assert!(contents().contains("whisper"));
    }
}
