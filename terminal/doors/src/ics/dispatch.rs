//! Parses a typed line and runs its command.

use notation::{BoardNames, Question, TypedError, name, read_typed};
use wire::{GameStatus, TableAct};

use super::{
    commands::{NotFound, Verb, find},
    help::help,
    play::NOT_PLAYING,
    session::Session,
    settings::Settings,
    terms,
    words::{self, Done, Refused, short},
};

const NEWS: &str = "This is Kriegspiel Umpire's door for the clients of chess servers. All rulesets \
                    are played here: `help rulesets`. The same accounts play on the club's page.";

impl Session {
    /// Runs a typed line.
    pub(super) async fn command(&mut self, line: &str) {
        let line = self.set.expanded(line);
        let line = line.trim();
        let Some(first) = line.chars().next() else {
            return;
        };
        if let (Some(at), Some(question)) = (self.plays(), Question::read(line)) {
            return self.answer(at, question).await;
        }
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        // A one-character command such as `!` needs no space after it.
        let sign = find(&line[..first.len_utf8()]).ok();
        let done = match sign.filter(|_| first.is_ascii_punctuation()) {
            Some(command) => {
                let rest = line.trim_start_matches(first);
                self.run_verb(command.verb, rest.trim()).await
            }
            None => match find(word) {
                Ok(command) => self.run_verb(command.verb, rest.trim()).await,
                Err(not_found) => self.try_or_say_why(line, word, &not_found).await,
            },
        };
        if let Err(Refused(why)) = done {
            self.line(&why);
        }
    }

    /// Answers a question of a player from what the player knows.
    async fn answer(&mut self, at: usize, question: Question) {
        let known = &self.tables[at].known;
        let text = match question {
            Question::Squares(_) | Question::Men(_) => {
                let men = known.view().map(|view| view.own().board());
                let men = men.and_then(|own| question.men(&own));
                format!("Your men: {}.", men.unwrap_or_default())
            }
            Question::Call => {
                let mut calls = known.announced();
                calls.extend(
                    known
                        .to_move()
                        .map(|side| format!("{}'s move.", name(side))),
                );
                calls.join("\n")
            }
            Question::Opponent => format!("Your opponent: {}.", self.opponent(at)),
            Question::Game => {
                let rules = terms::rules(&known.facts.terms);
                format!("{}, by the rules of {rules}.", known.title())
            }
            Question::Clocks => {
                if let Err(Refused(why)) = self.time(&[]).await {
                    self.line(&why);
                }
                return;
            }
        };
        self.line(&text);
    }

    /// Handles a line that is not a command. If the line may be a move, sends it to the referee.
    /// Otherwise explains the error.
    async fn try_or_say_why(&mut self, line: &str, word: &str, not_found: &NotFound) -> Done {
        if let Some(at) = self.plays()
            && let Some(view) = self.tables[at].known.view()
        {
            let (own, turn, choices) = (view.own(), view.turn(), view.choices());
            // The club decides about every move. So a move is sent even if the own men cannot make
            // it.
            let read = read_typed(line, own, turn, choices, BoardNames::Usual);
            match read {
                Err(TypedError::NotNotation(_)) => {}
                // If it is not the player's turn, the answer says only that. The answer does not
                // say why the text is not a move.
                Err(_) if view.to_move() != Some(view.color()) => {
                    self.not_your_move(at);
                    return Ok(());
                }
                Ok(_) | Err(_) => return self.attempt(line).await,
            }
        }
        let word = short(word);
        Err(Refused(match not_found {
            NotFound::Ambiguous(all) => {
                format!("{word}: Ambiguous command. Matches: {}", all.join(" "))
            }
            NotFound::Unknown if self.plays().is_none() && looks_like_a_move(line) => {
                NOT_PLAYING.to_owned()
            }
            NotFound::Unknown => format!("{word}: Command not found. `help` lists the commands."),
        }))
    }

    async fn run_verb(&mut self, verb: Verb, rest: &str) -> Done {
        let words: Vec<&str> = rest.split_whitespace().collect();
        let first = words.first().copied().unwrap_or("");
        let text = match verb {
            Verb::Abort => return self.act_here(TableAct::Abort).await,
            Verb::Accept => return self.accept(&words).await,
            Verb::Adjourn => return self.act_here(TableAct::Adjourn).await,
            Verb::Alias => self.alias(rest),
            Verb::Any => return self.attempt("any").await,
            Verb::Backward => return self.step(&words, false),
            Verb::Best => return self.best(first).await,
            Verb::Censor => return self.censor(&words, true).await,
            Verb::Count => return self.attempt("count").await,
            Verb::Date => format!("{} (UTC)", club::utc(self.club.now())),
            Verb::Decline => return self.turn_down(&words, false).await,
            Verb::Draw => return self.draw().await,
            Verb::Examine => return self.examine(&words).await,
            Verb::Finger => return self.finger(&words).await,
            Verb::Flag => return self.flag().await,
            Verb::Forward => return self.step(&words, true),
            Verb::Games => return self.games().await,
            Verb::Help => help(first),
            Verb::History => return self.history(&words).await,
            Verb::Iset => self.set.iset(first, words.get(1).unwrap_or(&"")),
            Verb::Kibitz => return self.kibitz(rest, false).await,
            Verb::Match => return self.challenge(&words).await,
            Verb::Message => return self.message(rest).await,
            Verb::Moretime => {
                "Players of this club cannot give each other time: agree on longer clocks with `match`.".to_owned()
            }
            Verb::Moves => return self.moves(&words).await,
            Verb::News => NEWS.to_owned(),
            Verb::Notify => self.notify(&words, true),
            Verb::Observe => return self.observe(&words).await,
            Verb::Password => "You cannot change your password at this door. Change it on the club's page.".to_owned(),
            Verb::Pending => return self.pending().await,
            Verb::Play => return self.play(&words).await,
            Verb::Px => return self.px(rest).await,
            Verb::Quit => {
                self.quits = true;
                "Good-bye.".to_owned()
            }
            Verb::Recap => return self.attempt("recap").await,
            Verb::Refresh => return self.refresh(&words).await,
            Verb::Register => "Create an account on the club's page. Then sign in here with its name and password.".to_owned(),
            Verb::Rematch => {
                self.act_here(TableAct::Rematch).await?;
                self.look_around(false).await;
                return Ok(());
            }
            Verb::Resign => return self.attempt("resign").await,
            Verb::Resume => return self.resume(&words).await,
            Verb::Rules => self.rules(&words).await?,
            Verb::Say => return self.say_to_opponent(rest).await,
            Verb::Seek => return self.seek(&words).await,
            Verb::Set => {
                let (name, value) = rest.split_once(' ').unwrap_or((rest, ""));
                return self.set_style(|set| set.set(name, value.trim()));
            }
            Verb::Shout => return self.shout(rest).await,
            Verb::Sought => return self.sought().await,
            Verb::Stored => return self.stored().await,
            Verb::Style => return self.set_style(|set| set.set_style(first)),
            Verb::Takeback => {
                "No move can be taken back in Kriegspiel, because the players have heard the referee's announcements."
                    .to_owned()
            }
            Verb::Tell => return self.tell(rest).await,
            Verb::Time => return self.time(&words).await,
            Verb::Unalias => match self.set.aliases.remove(first) {
                Some(_) => "Alias removed.".to_owned(),
                None => "There is no such alias.".to_owned(),
            },
            Verb::Uncensor => return self.censor(&words, false).await,
            Verb::Unexamine => return self.unexamine(),
            Verb::Unnotify => self.notify(&words, false),
            Verb::Unobserve => return self.unobserve(&words),
            Verb::Unseek => return self.unseek(&words).await,
            Verb::Uptime => {
                let since = self.state.opened();
                let span = words::span(self.club.now() - since);
                let date = club::utc(since);
                format!("This door has been open for {span}, since {date} (UTC).")
            }
            Verb::Variables => self.set.list(),
            Verb::Whisper => return self.kibitz(rest, true).await,
            Verb::Who => return self.who().await,
            Verb::Withdraw => return self.turn_down(&words, true).await,
        };
        self.line(&text);
        Ok(())
    }

    /// Changes a setting. If the board style changes, prints the game again in the new style. This
    /// is necessary because a client that reconnects gets the game before it sets its style.
    fn set_style(&mut self, set: impl FnOnce(&mut Settings) -> String) -> Done {
        let was = self.set.style;
        let text = set(&mut self.set);
        self.line(&text);
        if let Some(at) = self.plays().filter(|_| self.set.style != was) {
            self.begin(at, "Continuing");
        }
        Ok(())
    }

    fn alias(&mut self, rest: &str) -> String {
        match rest.split_once(' ') {
            Some((word, text)) => self.set.alias(word, text.trim()),
            None if rest.is_empty() => {
                let all = self.set.aliases.iter();
                let all: Vec<String> = all
                    .map(|(word, text)| format!("{word} -> {text}"))
                    .collect();
                format!("-- {} aliases --\n{}", all.len(), all.join("\n"))
            }
            None => match self.set.aliases.get(rest) {
                Some(text) => format!("{} -> {text}", short(rest)),
                None => format!("There is no alias {}.", short(rest)),
            },
        }
    }

    /// Does an act, for example aborts the game, at the person's own table.
    async fn act_here(&mut self, act: TableAct) -> Done {
        let is_rematch = act == TableAct::Rematch;
        let at = if is_rematch { self.own() } else { self.plays() };
        let at = at.ok_or("You are not playing a game.")?;
        let game = self.tables[at].game;
        self.act(at, act).await?;
        let mut tables = self.tables.iter();
        let is_offered = tables
            .find(|table| table.game == game)
            .is_some_and(|table| {
                let offers = table.known.facts.standing.offers.unwrap_or_default();
                let mine = table.known.color();
                if is_rematch {
                    offers.rematch == mine && offers.next.is_none()
                } else {
                    act == TableAct::Adjourn && offers.adjourn == mine && self.plays().is_some()
                }
            });
        if is_offered {
            self.line("The offer is made; `withdraw` withdraws it.");
        }
        Ok(())
    }

    async fn draw(&mut self) -> Done {
        let offered = self.plays().is_some_and(|at| {
            let known = &self.tables[at].known;
            known.draw_offer().is_some() && known.draw_offer() != known.color()
        });
        self.attempt(if offered { "accept-draw" } else { "offer-draw" })
            .await
    }

    async fn px(&mut self, rest: &str) -> Done {
        let man = rest.trim_start_matches('=').trim().to_ascii_lowercase();
        let equals = if man.is_empty() { "" } else { "=" };
        self.attempt(&format!("px{equals}{man}")).await
    }

    /// Runs `flag`: claims the game if the opponent has been absent for long enough. If not, the
    /// answer gives the reason.
    async fn flag(&mut self) -> Done {
        let at = self.own().ok_or("You are not playing a game.")?;
        let standing = &self.tables[at].known.facts.standing;
        let (running, has_clocks) = (
            standing.status == GameStatus::Running,
            standing.clocks.is_some(),
        );
        let from = standing.claim_from;
        let now = self.club.now();
        if let Some(from) = from.filter(|from| now < *from) {
            let span = words::span(from - now + 999);
            let why = format!("Your opponent is gone: you may claim the game in {span}.");
            return Err(Refused(why));
        }
        let claimed = self.act(at, TableAct::ClaimWin).await;
        claimed.map_err(|Refused(why)| match (running, has_clocks) {
            (true, true) => Refused(format!(
                "{why} If your opponent's time runs out, the club ends the game."
            )),
            (true, false) => Refused(format!(
                "{why} The game has no clocks, so nobody loses on time."
            )),
            (false, _) => Refused(why),
        })
    }
}

/// Whether a line looks like a move. Castling is written with letters or zeros (`O-O`, `0-0-0`).
/// Every other move is short, has a digit, and begins with the letter of a file or of a man.
fn looks_like_a_move(line: &str) -> bool {
    let castling = ["o-o", "o-o-o", "0-0", "0-0-0"];
    castling.iter().any(|text| line.eq_ignore_ascii_case(text))
        || line.len() <= 8
            && line.bytes().any(|b| b.is_ascii_digit())
            && line.starts_with(|c: char| "abcdefghKQRBN".contains(c))
}
