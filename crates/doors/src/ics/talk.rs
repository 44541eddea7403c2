//! Talk between people at this door, and the list of people.

use club::AccountId;
use rules::chess::Color;

use super::{
    session::{Part, Session},
    settings::Settings,
    state::NoticeKind,
    terms,
    words::{self, Done, short},
};

/// Longest line to other people, in characters.
const MAX_TALK_CHARS: usize = 400;
/// Cost of a line, in tokens of the rate limit.
const LINE_TOKENS: f64 = 1.0;
/// Cost of a shout, in tokens of the rate limit. Shouts cost more because
/// everybody hears them.
const SHOUT_TOKENS: f64 = 4.0;

impl Session {
    /// Checks a text to other people, and counts it for the rate limit.
    fn text<'a>(&mut self, text: &'a str, usage: &str, tokens: f64) -> Done<&'a str> {
        let text = text.trim();
        if text.is_empty() {
            return Err(usage.into());
        }
        if text.chars().count() > MAX_TALK_CHARS {
            return Err("That is too long: say it in several lines of at most 400 letters.".into());
        }
        self.talk.take(tokens).map_err(
            |_| "Too many messages: nobody has heard this line. Say it again in a second.",
        )?;
        Ok(text)
    }

    /// Runs `tell NAME TEXT`: talks to one person.
    pub(super) fn tell(&mut self, rest: &str) -> Done {
        let (name, text) = rest.split_once(' ').unwrap_or((rest, ""));
        let text = self.text(text, "Tell whom what? Type `tell NAME TEXT`.", LINE_TOKENS)?;
        let to = self.state.named(name).ok_or_else(|| nobody(name))?;
        let line = format!("{} tells you: {text}", terms::marked(&self.me));
        self.pass(to.id, &to.name, &line)
    }

    /// Runs `message NAME TEXT`: leaves a message, or tells a person who is here.
    pub(super) async fn message(&mut self, rest: &str) -> Done {
        let (name, text) = rest.split_once(' ').unwrap_or((rest, ""));
        let usage = "A message for whom? Type `message NAME TEXT`.";
        let text = self.text(text, usage, SHOUT_TOKENS)?;
        let people = self.state.people();
        let here = people
            .iter()
            .find(|person| person.account.name.eq_ignore_ascii_case(name));
        if let Some(person) = here {
            let line = format!("{} tells you: {text}", terms::marked(&self.me));
            return self.pass(person.account.id, &person.account.name, &line);
        }
        let to = self.club.leave_message(&self.me, name, text).await?;
        self.line(&format!("(left a message for {})", to.name));
        Ok(())
    }

    /// Shows the messages that were left for this person, except those of
    /// censored people.
    pub(super) fn show_messages(&mut self) {
        for message in self.club.take_messages(self.me.id) {
            let from = &message.from;
            if !self.set.censored.contains(&from.name.to_ascii_lowercase()) {
                let (who, at) = (terms::marked(from), club::utc(message.at));
                self.line(&format!("{who} left a message, {at}: {}", message.text));
            }
        }
    }

    fn pass(&mut self, to: AccountId, name: &str, line: &str) -> Done {
        if self.state.tell(to, &self.me, line) == 0 {
            return Err(format!("{name} is not at this door, or does not read.").into());
        }
        self.line(&format!("(told {name})"));
        Ok(())
    }

    /// Runs `say TEXT`: talks to the opponent.
    pub(super) fn say_to_opponent(&mut self, text: &str) -> Done {
        let text = self.text(text, "Say what?", LINE_TOKENS)?;
        let at = self
            .own()
            .ok_or("You have no opponent: `tell NAME TEXT` speaks to somebody.")?;
        let known = &self.tables[at].known;
        let color = known.color().unwrap_or(Color::White).other();
        let to = known.facts.players.get(color).clone();
        let line = format!("{}[{}] says: {text}", terms::marked(&self.me), known.number);
        self.pass(to.id, &to.name, &line)
    }

    /// Runs `kibitz TEXT` and `whisper TEXT`: comments on the game that the person
    /// plays or watches.
    ///
    /// Players do not receive comments of spectators while the game runs.
    pub(super) fn kibitz(&mut self, text: &str, whispers: bool) -> Done {
        let text = self.text(text, "What?", LINE_TOKENS)?;
        let mut tables = self.tables.iter();
        let watches = tables.position(|table| table.part == Part::Watches);
        let at = self.plays().or(watches).or(self.own());
        let at = at.ok_or("You neither play nor watch a game: `games` lists them.")?;
        let table = &self.tables[at];
        let (game, number) = (table.game, table.known.number);
        let players = table.part != Part::Watches && !whispers;
        let what = if whispers { "whispers" } else { "kibitzes" };
        let line = format!(
            "{}({})[{number}] {what}: {text}",
            terms::marked(&self.me),
            terms::rating(&self.me),
        );
        let kind = NoticeKind::Game { game, players };
        self.state.spread(Some(self.console), &self.me, kind, &line);
        self.line(&format!("({what} to game {number})"));
        Ok(())
    }

    /// Runs `shout TEXT`: talks to everybody at this door.
    pub(super) fn shout(&mut self, text: &str) -> Done {
        let text = self.text(text, "Shout what?", SHOUT_TOKENS)?;
        let line = format!("{} shouts: {text}", terms::marked(&self.me));
        self.state
            .spread(Some(self.console), &self.me, NoticeKind::Shout, &line);
        self.line("(shouted)");
        Ok(())
    }

    /// Runs `who`: lists the people at this door.
    pub(super) async fn who(&mut self) -> Done {
        // The list does not show how long people have been idle, because that
        // would reveal refused tries.
        let people = self.state.people();
        for person in &people {
            let plays = person
                .plays
                .map_or(String::new(), |game| format!("  game {game}"));
            self.line(&format!(
                "{:>4} {:<24}{plays}",
                terms::rating(&person.account),
                terms::marked(&person.account)
            ));
        }
        for program in self.lobby().await?.programs {
            self.line(&format!(
                "{:>4} {:<24}  plays whoever asks: match {}",
                terms::rating(&program),
                terms::marked(&program),
                program.name
            ));
        }
        self.line(&format!("{} at this door.", people.len()));
        Ok(())
    }

    /// Runs `finger [NAME]`: prints information about a person.
    pub(super) async fn finger(&mut self, words: &[&str]) -> Done {
        let name = words.first().copied().unwrap_or(&self.me.name).to_owned();
        let mut consoles = self.state.people();
        let account = self.state.named(&name);
        consoles.retain(|person| Some(person.account.id) == account.as_ref().map(|a| a.id));
        if let Some(first) = consoles.first() {
            let on = words::span(self.club.now() - first.since);
            let who = terms::marked(&first.account);
            let mut text = format!("Finger of {who}:\n\nOn for: {on}");
            for game in consoles.iter().filter_map(|person| person.plays) {
                text.push_str(&format!("\nPlaying game {game}"));
            }
            self.line(&text);
            return Ok(());
        }
        let programs = self.lobby().await?.programs;
        let mut programs = programs.iter();
        let program = programs.find(|p| p.name.eq_ignore_ascii_case(&name));
        let program = program.ok_or_else(|| nobody(&name))?;
        self.line(&format!(
            "Finger of {}:\n\nA built-in bot: match {} plays it.",
            terms::marked(program),
            program.name
        ));
        Ok(())
    }

    /// Runs `censor`, `notify`, and the commands that remove names from these
    /// lists.
    pub(super) fn list_name(&mut self, words: &[&str], notices: bool, puts: bool) -> String {
        let (list, title) = match notices {
            true => (&mut self.set.noticed, "notify"),
            false => (&mut self.set.censored, "censor"),
        };
        match (words.first(), puts) {
            (None, _) => {
                let names: Vec<&str> = list.iter().map(String::as_str).collect();
                let all = names.join(" ");
                format!("-- {title} list: {} names --\n{all}", names.len())
            }
            (Some(name), true) => match Settings::note(list, name) {
                true => format!("{} is on your {title} list.", short(name)),
                false => format!("Your {title} list is full, or already has {}.", short(name)),
            },
            (Some(name), false) => match list.remove(&name.to_ascii_lowercase()) {
                true => format!("{} is no longer on your {title} list.", short(name)),
                false => format!("{} is not on your {title} list.", short(name)),
            },
        }
    }
}

fn nobody(name: &str) -> String {
    format!("{} is not at this door: `who` shows who is.", short(name))
}
