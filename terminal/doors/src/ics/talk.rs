//! Talk between people at this door, and the list of people.

use club::{Account, AccountKind, GameId, Millis, Opponents, TalkGroup};
use rules::rulesets;
use wire::RefusalCode;

use super::{
    commands::{Verb, usage},
    session::{FollowedTalk, Part, Session},
    settings::Settings,
    state::NoticeKind,
    terms,
    words::{self, Done, short},
};

/// Maximum number of people that `best` lists.
const LISTED_BEST: usize = 10;

impl Session {
    /// Runs `tell NAME TEXT`: talks to one person.
    pub(super) async fn tell(&mut self, rest: &str) -> Done {
        let (name, text) = rest.split_once(' ').unwrap_or((rest, ""));
        if text.trim().is_empty() {
            return Err(usage(Verb::Tell).into());
        }
        let to = self.state.named(name).ok_or_else(|| nobody(name))?;
        self.tell_person(&to, text).await
    }

    async fn tell_person(&mut self, to: &Account, text: &str) -> Done {
        let text = self.club.check_line_to(self.me.id, to, text).await?;
        let line = format!("{} tells you: {text}", terms::marked(&self.me));
        if self.state.tell(to.id, &self.me, &line) == 0 {
            return Err(format!(
                "{} is not at this door, or has too many unread lines.",
                to.name
            )
            .into());
        }
        self.line(&format!("(told {})", to.name));
        Ok(())
    }

    /// Runs `message NAME TEXT`: leaves a message. A person who is here also reads it
    /// at once.
    pub(super) async fn message(&mut self, rest: &str) -> Done {
        let (name, text) = rest.split_once(' ').unwrap_or((rest, ""));
        if text.trim().is_empty() {
            return Err(usage(Verb::Message).into());
        }
        let people = self.state.people();
        let here = people
            .iter()
            .find(|person| person.account.name.eq_ignore_ascii_case(name));
        // No messages are kept for a guest, who cannot sign in again.
        if let Some(person) = here.filter(|one| one.account.kind == AccountKind::Guest) {
            return self.tell_person(&person.account, text).await;
        }
        let to = self.club.leave_message(self.me.id, name, text).await?;
        let line = left(&self.me, self.club.now(), text.trim());
        self.state.tell(to.id, &self.me, &line);
        self.line(&format!("(left a message for {})", to.name));
        Ok(())
    }

    /// Shows the messages that were left for this person, except those of
    /// muted people, and removes them.
    pub(super) async fn show_messages(&mut self) {
        let waiting = match self.club.waiting_messages(self.me.id).await {
            Ok(waiting) => waiting,
            Err(error) => {
                self.line(&format!("Your messages cannot be read: {error}"));
                return;
            }
        };
        for message in &waiting {
            self.line(&left(&message.from, message.at, &message.text));
        }
        if let Some(last) = waiting.last() {
            // If the store fails now, the messages are shown again next time.
            let _later = self.club.remove_messages(self.me.id, last.n).await;
        }
    }

    /// Writes a message to a group at a followed game. The message is not shown
    /// again at this console.
    async fn write(&mut self, game: GameId, group: Option<TalkGroup>, text: &str) -> Done {
        let n = self.club.write(game, self.me.id, group, text).await?;
        let mut talks = self.talks.iter_mut();
        let of = |talk: &&mut FollowedTalk| {
            talk.game == game && group.is_none_or(|group| talk.group == group)
        };
        if let Some(talk) = talks.find(of) {
            talk.own.push(n);
        }
        Ok(())
    }

    /// Runs `say TEXT`: writes to the opponent.
    pub(super) async fn say_to_opponent(&mut self, text: &str) -> Done {
        if text.is_empty() {
            return Err(usage(Verb::Say).into());
        }
        let at = self
            .own()
            .ok_or("You have no opponent: `tell NAME TEXT` speaks to somebody.")?;
        let name = self.opponent(at);
        let game = self.tables[at].game;
        self.write(game, Some(TalkGroup::Players), text).await?;
        self.line(&format!("(told {name})"));
        Ok(())
    }

    /// Runs `kibitz TEXT` and `whisper TEXT`: writes about the game that the person
    /// plays or watches.
    ///
    /// While the game runs, only the opponent reads the `kibitz` of a player. Only the other
    /// spectators read the `kibitz` of a spectator. `whisper` always writes to the spectators.
    pub(super) async fn kibitz(&mut self, text: &str, whispers: bool) -> Done {
        if text.is_empty() {
            let verb = if whispers {
                Verb::Whisper
            } else {
                Verb::Kibitz
            };
            return Err(usage(verb).into());
        }
        let mut tables = self.tables.iter();
        let watches = tables.position(|table| table.part == Part::Watches);
        let at = self.plays().or(watches).or(self.own());
        let at = at.ok_or("You neither play nor watch a game: `games` lists them.")?;
        let table = &self.tables[at];
        let (game, number) = (table.game, table.known.number);
        let group = match table.part {
            Part::Plays | Part::Waits if !whispers => TalkGroup::Players,
            Part::Plays | Part::Waits | Part::Played | Part::Watches => TalkGroup::Spectators,
        };
        self.write(game, Some(group), text).await?;
        let what = if whispers { "whispers" } else { "kibitzes" };
        self.line(&format!("({what} to game {number})"));
        Ok(())
    }

    /// Runs `shout TEXT`: talks to everybody at this door, except the players of
    /// games that the person watches.
    pub(super) async fn shout(&mut self, text: &str) -> Done {
        if text.is_empty() {
            return Err(usage(Verb::Shout).into());
        }
        let text = self.club.check_line_to_all(self.me.id, text).await?;
        let line = format!("{} shouts: {text}", terms::marked(&self.me));
        let left_out = self
            .state
            .spread(Some(self.console), &self.me, NoticeKind::Shout, &line);
        self.line(match left_out {
            0 => "(shouted)",
            _ => "(shouted, but not to the players of the games that you watch)",
        });
        Ok(())
    }

    /// Runs `who`: lists the people at this door, and the built-in bots.
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
                "{:>4} {:<24}  plays against anybody: match {}",
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
        let account = self.anybody(&name).await?;
        let mut text = format!("Finger of {}:\n", terms::marked(&account));
        let mut consoles = self.state.people();
        consoles.retain(|person| person.account.id == account.id);
        let programs = self.lobby().await?.programs;
        if let Some(first) = consoles.first() {
            let on = words::span(self.club.now() - first.since);
            text.push_str(&format!("\nOn for: {on}"));
        } else if programs.iter().any(|program| program.id == account.id) {
            let name = &account.name;
            text.push_str(&format!("\nA built-in bot: match {name} plays it."));
        } else {
            text.push_str("\nNot at this door.");
        }
        for game in consoles.iter().filter_map(|person| person.plays) {
            text.push_str(&format!("\nPlaying game {game}"));
        }
        let profile = self.club.profile(&account.name).await?;
        for rating in &profile.ratings {
            text.push_str(&format!(
                "\n{:<10} against {:<8} {}",
                rating.family.name(),
                rating.against.name(),
                terms::points(&rating.now)
            ));
        }
        if !profile.about.is_empty() {
            text.push_str(&format!("\nSays: {}", profile.about));
        }
        self.line(&text);
        Ok(())
    }

    /// Returns the account with this name, or the person at this door whose name begins so.
    pub(super) async fn anybody(&self, name: &str) -> Done<Account> {
        match self.club.named(name).await {
            Err(error) if error.code == RefusalCode::NotFound => {
                let none = || format!("Nobody has the name {}.", short(name));
                Ok(self.state.named(name).ok_or_else(none)?)
            }
            found => Ok(found?),
        }
    }

    /// Runs `best [RULESET]`: lists the people with the highest ratings.
    pub(super) async fn best(&mut self, word: &str) -> Done {
        let word = if word.is_empty() { "wild16" } else { word };
        let named = words::ruleset(word).and_then(rulesets::by_id);
        let family = named
            .ok_or_else(|| words::no_ruleset(word))?
            .choices
            .family();
        let people = Opponents::People;
        let leaders = self.club.leaderboard(family, people, people).await?;
        if leaders.is_empty() {
            return Err("Nobody has a rating that is not provisional.".into());
        }
        self.line(&format!("Best in {} against people:", family.name()));
        for (n, leader) in (1..=LISTED_BEST).zip(&leaders) {
            let rating = terms::points(&leader.rating);
            let line = format!("{n:>2}: {:<20} {rating}", leader.account.name);
            self.line(&line);
        }
        Ok(())
    }

    /// Runs `censor` and `uncensor`: mutes an account, or ends the mute. Without a
    /// name, lists the muted accounts.
    pub(super) async fn censor(&mut self, words: &[&str], puts: bool) -> Done {
        let Some(name) = words.first() else {
            let muted = self.club.muted_by(self.me.id).await?;
            let names: Vec<&str> = muted.iter().map(|account| account.name.as_str()).collect();
            let all = names.join(" ");
            self.line(&format!("-- censor list: {} names --\n{all}", names.len()));
            return Ok(());
        };
        let other = self.club.mute(self.me.id, name, puts).await?;
        self.muted = self.club.muted_ids(self.me.id).await;
        let is = if puts { "is" } else { "is no longer" };
        self.line(&format!("{} {is} on your censor list.", other.name));
        Ok(())
    }

    /// Runs `notify` and `unnotify`.
    pub(super) fn notify(&mut self, words: &[&str], puts: bool) -> String {
        let list = &mut self.set.noticed;
        match (words.first(), puts) {
            (None, _) => {
                let names: Vec<&str> = list.iter().map(String::as_str).collect();
                let all = names.join(" ");
                format!("-- notify list: {} names --\n{all}", names.len())
            }
            (Some(name), true) => match Settings::note(list, name) {
                true => format!("{} is on your notify list.", short(name)),
                false => format!("Your notify list is full, or {} is too long.", short(name)),
            },
            (Some(name), false) => match list.remove(&name.to_ascii_lowercase()) {
                true => format!("{} is no longer on your notify list.", short(name)),
                false => format!("{} is not on your notify list.", short(name)),
            },
        }
    }
}

/// Formats a message that somebody has left for another person.
fn left(from: &Account, at: Millis, text: &str) -> String {
    let (who, at) = (terms::marked(from), club::utc(at));
    format!("{who} left a message, {at}: {text}")
}

fn nobody(name: &str) -> String {
    format!("{} is not at this door: `who` shows who is.", short(name))
}
