//! From a line to what it does.

use club::TableAct;
use notation::{BoardNames, TypedError, read_typed};

use super::{
    commands::{NotFound, Verb, find},
    session::Session,
    settings::Style,
    talk::short,
    words,
};

/// Signs that stand for a command without a space behind them.
const SIGNS: &[(char, Verb)] = &[
    ('!', Verb::Shout),
    (';', Verb::Kibitz),
    ('*', Verb::Kibitz),
    (',', Verb::Say),
    ('?', Verb::Help),
];

const NEWS: &str = "This is Kriegspiel Umpire's door for the clients of chess servers. All rulesets \
                    are played here: `help rulesets`. The same accounts play on the club's page.";

impl Session {
    /// A line that was typed.
    pub(super) async fn command(&mut self, line: &str) {
        let line = self.set.expanded(line);
        let line = line.trim();
        if line.is_empty() {
            return;
        }
        let sign = line
            .chars()
            .next()
            .and_then(|c| SIGNS.iter().find(|(sign, _)| *sign == c));
        if let Some((sign, verb)) = sign {
            self.run_verb(*verb, line.trim_start_matches(*sign).trim())
                .await;
            return;
        }
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match find(word) {
            Ok(command) => self.run_verb(command.verb, rest.trim()).await,
            Err(not_found) => self.try_or_say_why(line, word, &not_found).await,
        }
    }

    /// What is no command may be a move.
    async fn try_or_say_why(&mut self, line: &str, word: &str, not_found: &NotFound) {
        if let Some(at) = self.plays()
            && let Some(view) = self.tables[at].chair.view()
        {
            let (own, turn, choices) = (view.own(), view.turn(), view.choices());
            // A text that fits by own men, or a move that does not: the club says which.
            let read = read_typed(line, own, turn, choices, BoardNames::Usual);
            match read {
                Err(TypedError::NotNotation(_)) => {}
                // Why it is none, he is told in his turn.
                Err(_) if view.to_move() != Some(view.color()) => {
                    self.not_your_move(at);
                    return;
                }
                Ok(_) | Err(_) => {
                    self.attempt(line).await;
                    return;
                }
            }
        }
        let word = short(word);
        self.line(&match not_found {
            NotFound::Ambiguous(all) => {
                format!("{word}: Ambiguous command. Matches: {}", all.join(" "))
            }
            NotFound::Unknown if self.plays().is_none() && looks_like_a_move(line) => {
                "You are not playing a game: `match NAME` or `play NUMBER` begins one.".to_owned()
            }
            NotFound::Unknown => format!("{word}: Command not found. `help` lists the commands."),
        });
    }

    async fn run_verb(&mut self, verb: Verb, rest: &str) {
        let words: Vec<&str> = rest.split_whitespace().collect();
        match verb {
            Verb::Abort => self.act_here(TableAct::Abort).await,
            Verb::Accept => self.accept(&words).await,
            Verb::Adjourn => self.act_here(TableAct::Adjourn).await,
            Verb::Alias => self.alias(rest),
            Verb::Any => self.attempt("any").await,
            Verb::Backward => self.step(&words, false),
            Verb::Censor => self.list_name(&words, false, true),
            Verb::Count => self.attempt("count").await,
            Verb::Date => {
                let text = format!("{} (UTC)", words::date(self.club.now()));
                self.line(&text);
            }
            Verb::Decline => self.turn_down(&words, false).await,
            Verb::Draw => self.draw().await,
            Verb::Examine => self.examine(&words).await,
            Verb::Finger => self.finger(&words).await,
            Verb::Flag => self.flag().await,
            Verb::Forward => self.step(&words, true),
            Verb::Games => self.games().await,
            Verb::Help => self.help(&words),
            Verb::History => self.history(&words).await,
            Verb::Iset => {
                let text = self
                    .set
                    .iset(words.first().unwrap_or(&""), words.get(1).unwrap_or(&""));
                self.line(&text);
            }
            Verb::Kibitz => self.kibitz(rest, false),
            Verb::Match => self.challenge(&words).await,
            Verb::Moretime => {
                self.line("This club gives no time away: agree on longer clocks with `match`.");
            }
            Verb::Moves => self.moves(&words).await,
            Verb::News => self.line(NEWS),
            Verb::Notify => self.list_name(&words, true, true),
            Verb::Observe => self.observe(&words).await,
            Verb::Password => {
                self.line("No command of this door changes a password.");
            }
            Verb::Pending => self.pending().await,
            Verb::Play => self.play(&words).await,
            Verb::Px => self.px(rest).await,
            Verb::Quit => {
                self.line("Good-bye.");
                self.quits = true;
            }
            Verb::Recap => self.attempt("recap").await,
            Verb::Refresh => self.refresh(&words).await,
            Verb::Register => self.line("Accounts are made on the club's page, and sign in here."),
            Verb::Rematch => {
                self.act_here(TableAct::Rematch).await;
                self.look_around(false).await;
            }
            Verb::Resign => self.attempt("resign").await,
            Verb::Resume => self.resume(&words).await,
            Verb::Rules => self.rules(&words).await,
            Verb::Say => self.say_to_opponent(rest),
            Verb::Seek => self.seek(&words).await,
            Verb::Set => {
                let (name, value) = rest.split_once(' ').unwrap_or((rest, ""));
                let was = self.set.style;
                let text = self.set.set(name, value.trim());
                self.line(&text);
                self.show_anew(was);
            }
            Verb::Shout => self.shout(rest),
            Verb::Sought => self.sought().await,
            Verb::Stored => self.stored().await,
            Verb::Style => {
                let was = self.set.style;
                let text = self.set.set_style(words.first().unwrap_or(&""));
                self.line(&text);
                self.show_anew(was);
            }
            Verb::Takeback => self.line(
                "No move is taken back in Kriegspiel: what the referee has said cannot be unheard.",
            ),
            Verb::Tell => self.tell(rest),
            Verb::Time => self.time(&words).await,
            Verb::Unalias => {
                let gone = words
                    .first()
                    .and_then(|word| self.set.aliases.remove(*word));
                self.line(if gone.is_some() {
                    "Alias removed."
                } else {
                    "There is no such alias."
                });
            }
            Verb::Uncensor => self.list_name(&words, false, false),
            Verb::Unexamine => self.unexamine(),
            Verb::Unnotify => self.list_name(&words, true, false),
            Verb::Unobserve => self.unobserve(&words),
            Verb::Unseek => self.unseek(&words).await,
            Verb::Uptime => {
                let since = self.hall.opened();
                let span = words::span(self.club.now() - since);
                self.line(&format!(
                    "This door has been open for {span}, since {} (UTC).",
                    words::date(since)
                ));
            }
            Verb::Variables => {
                let text = self.set.list();
                self.line(&text);
            }
            Verb::Whisper => self.kibitz(rest, true),
            Verb::Who => self.who().await,
            Verb::Withdraw => self.turn_down(&words, true).await,
        }
    }

    /// A client that comes back to its game says only now how it reads boards.
    fn show_anew(&mut self, was: Style) {
        if let Some(at) = self.plays().filter(|_| self.set.style != was) {
            self.begin(at, "Continuing");
        }
    }

    fn alias(&mut self, rest: &str) {
        let text = match rest.split_once(' ') {
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
        };
        self.line(&text);
    }

    /// Something done at one's own table.
    async fn act_here(&mut self, act: TableAct) {
        let at = if act == TableAct::Rematch {
            self.own()
        } else {
            self.plays()
        };
        let Some(at) = at else {
            self.line("You are not playing a game.");
            return;
        };
        let game = self.tables[at].game;
        if !self.act(at, act).await {
            return;
        }
        let offered = self
            .tables
            .iter()
            .find(|table| table.game == game)
            .is_some_and(|table| {
                let offers = table.chair.facts.standing.offers.unwrap_or_default();
                let mine = table.chair.color();
                if act == TableAct::Rematch {
                    offers.rematch == mine && offers.next.is_none()
                } else {
                    act == TableAct::Adjourn && offers.adjourn == mine && self.plays().is_some()
                }
            });
        if offered {
            self.line("The offer is made; `withdraw` takes it back.");
        }
    }

    async fn draw(&mut self) {
        let offered = self.plays().is_some_and(|at| {
            let chair = &self.tables[at].chair;
            chair.draw_offer().is_some() && chair.draw_offer() != chair.color()
        });
        self.attempt(if offered { "accept-draw" } else { "offer-draw" })
            .await;
    }

    async fn px(&mut self, rest: &str) {
        let man = rest.trim_start_matches('=').trim();
        let text = match man {
            "" => "px".to_owned(),
            man => format!("px={}", man.to_ascii_lowercase()),
        };
        self.attempt(&text).await;
    }

    async fn flag(&mut self) {
        let Some(at) = self.plays() else {
            self.line("You are not playing a game.");
            return;
        };
        let from = self.tables[at].chair.facts.standing.claim_from;
        let now = self.club.now();
        match from {
            Some(from) if from <= now => {
                self.act(at, TableAct::ClaimWin).await;
            }
            Some(from) => {
                let span = words::span(from - now + 999);
                self.line(&format!("Your opponent is gone: you may claim the game in {span}."));
            }
            None => self.line(
                "Your opponent is here and has time. When it is up the club calls the flag by itself.",
            ),
        }
    }
}

/// Whether a line is two squares, or nearly.
fn looks_like_a_move(line: &str) -> bool {
    line.len() <= 8
        && line.bytes().any(|b| b.is_ascii_digit())
        && line.starts_with(|c: char| "abcdefghKQRBNO".contains(c))
}
