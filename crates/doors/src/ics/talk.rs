//! What people say to one another at this door, and who is there.

use club::AccountId;
use rules::chess::Color;

use super::{
    hall::What,
    session::{Part, Session},
    settings::Settings,
    terms, words,
};

/// The most characters that are said at once.
const LONGEST: usize = 400;
/// The breath that a line takes.
const LINE: f64 = 1.0;
/// The breath that a shout takes, which everybody hears.
const SHOUT: f64 = 4.0;

impl Session {
    /// What somebody wants to say; a shout takes as much breath as four lines.
    fn text<'a>(&mut self, text: &'a str, usage: &str, breath: f64) -> Option<&'a str> {
        let text = text.trim();
        if text.is_empty() {
            self.line(usage);
            return None;
        }
        if text.chars().count() > LONGEST {
            self.line("That is too long: say it in several lines of at most 400 letters.");
            return None;
        }
        if self.breath.take(breath).is_err() {
            self.line(
                "That is a lot of talk: nobody has heard this line. Say it again in a second.",
            );
            return None;
        }
        Some(text)
    }

    /// `tell NAME TEXT`.
    pub(super) fn tell(&mut self, rest: &str) {
        let (name, text) = rest.split_once(' ').unwrap_or((rest, ""));
        let Some(text) = self.text(text, "Tell whom what? As `tell NAME TEXT`.", LINE) else {
            return;
        };
        let Some(to) = self.hall.named(name) else {
            self.line(&format!(
                "{} is not at this door: `who` shows who is.",
                short(name)
            ));
            return;
        };
        let line = format!("{} tells you: {text}", terms::marked(&self.me));
        self.pass(to.id, &to.name, &line);
    }

    fn pass(&mut self, to: AccountId, name: &str, line: &str) {
        match self.hall.tell(to, &self.me, line) {
            0 => self.line(&format!("{name} is not at this door, or does not read.")),
            _ => self.line(&format!("(told {name})")),
        }
    }

    /// `say TEXT`: to the opponent.
    pub(super) fn say_to_opponent(&mut self, text: &str) {
        let Some(text) = self.text(text, "Say what?", LINE) else {
            return;
        };
        let Some(at) = self.own() else {
            self.line("You have no opponent: `tell NAME TEXT` speaks to somebody.");
            return;
        };
        let chair = &self.tables[at].chair;
        let color = chair.color().unwrap_or(Color::White).other();
        let to = chair.facts.players.get(color).clone();
        let line = format!("{}[{}] says: {text}", terms::marked(&self.me), chair.number);
        self.pass(to.id, &to.name, &line);
    }

    /// `kibitz TEXT` and `whisper TEXT`, about the game that he plays or watches.
    ///
    /// What watchers say reaches no player while the game runs.
    pub(super) fn kibitz(&mut self, text: &str, whispers: bool) {
        let Some(text) = self.text(text, "What?", LINE) else {
            return;
        };
        let watches = self
            .tables
            .iter()
            .position(|table| table.part == Part::Watches);
        let Some(at) = self.plays().or(watches).or(self.own()) else {
            self.line("You neither play nor watch a game: `games` lists them.");
            return;
        };
        let table = &self.tables[at];
        let players = table.part != Part::Watches && !whispers;
        let what = if whispers { "whispers" } else { "kibitzes" };
        let line = format!(
            "{}({})[{}] {what}: {text}",
            terms::marked(&self.me),
            terms::rating(&self.me),
            table.chair.number
        );
        let game = table.game;
        self.hall.spread(
            Some(self.console),
            &self.me,
            What::Game { game, players },
            &line,
        );
        self.line(&format!(
            "({what} to game {})",
            self.tables[at].chair.number
        ));
    }

    /// `shout TEXT`.
    pub(super) fn shout(&mut self, text: &str) {
        let Some(text) = self.text(text, "Shout what?", SHOUT) else {
            return;
        };
        let line = format!("{} shouts: {text}", terms::marked(&self.me));
        self.hall
            .spread(Some(self.console), &self.me, What::Shout, &line);
        self.line("(shouted)");
    }

    /// `who`.
    pub(super) async fn who(&mut self) {
        // How long somebody has been silent is told to nobody: it would tell of
        // tries that were turned down.
        for person in self.hall.people() {
            let plays = person
                .plays
                .map_or(String::new(), |game| format!("  game {game}"));
            self.line(&format!(
                "{:>4} {:<24}{plays}",
                terms::rating(&person.account),
                terms::marked(&person.account)
            ));
        }
        let count = self.hall.people().len();
        if let Some(lobby) = self.lobby().await {
            for program in &lobby.programs {
                self.line(&format!(
                    "{:>4} {:<24}  plays whoever asks: match {}",
                    terms::rating(program),
                    terms::marked(program),
                    program.name
                ));
            }
        }
        self.line(&format!("{count} at this door."));
    }

    /// `finger [NAME]`.
    pub(super) async fn finger(&mut self, words: &[&str]) {
        let name = words.first().copied().unwrap_or(&self.me.name).to_owned();
        let people = self.hall.people();
        let account = self.hall.named(&name);
        let consoles = people
            .iter()
            .filter(|p| account.as_ref().is_some_and(|a| a.id == p.account.id));
        let consoles: Vec<_> = consoles.collect();
        if let (Some(account), Some(first)) = (&account, consoles.first()) {
            let on = words::span(self.club.now() - first.since);
            let mut text = format!("Finger of {}:\n\nOn for: {on}", terms::marked(account));
            for game in consoles.iter().filter_map(|person| person.plays) {
                text.push_str(&format!("\nPlaying game {game}"));
            }
            self.line(&text);
            return;
        }
        let programs = self
            .lobby()
            .await
            .map(|lobby| lobby.programs)
            .unwrap_or_default();
        match programs.iter().find(|p| p.name.eq_ignore_ascii_case(&name)) {
            Some(program) => self.line(&format!(
                "Finger of {}:\n\nA program of the house: match {} plays it.",
                terms::marked(program),
                program.name
            )),
            None => self.line(&format!(
                "{} is not at this door: `who` shows who is.",
                short(&name)
            )),
        }
    }

    /// `censor`, `notify` and their opposites.
    pub(super) fn list_name(&mut self, words: &[&str], notices: bool, puts: bool) {
        let list = if notices {
            &mut self.set.noticed
        } else {
            &mut self.set.censored
        };
        let title = if notices { "notify" } else { "censor" };
        let text = match (words.first(), puts) {
            (None, _) => {
                let names: Vec<&str> = list.iter().map(String::as_str).collect();
                format!(
                    "-- {title} list: {} names --\n{}",
                    names.len(),
                    names.join(" ")
                )
            }
            (Some(name), true) => match Settings::note(list, name) {
                true => format!("{} is on your {title} list.", short(name)),
                false => format!("Your {title} list is full."),
            },
            (Some(name), false) => match list.remove(&name.to_ascii_lowercase()) {
                true => format!("{} is no longer on your {title} list.", short(name)),
                false => format!("{} is not on your {title} list.", short(name)),
            },
        };
        self.line(&text);
    }
}

/// A word that somebody typed, short enough to be repeated.
pub(super) fn short(word: &str) -> String {
    word.chars().take(40).collect()
}
