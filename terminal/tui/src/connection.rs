//! A connection to the club, with the state that the client keeps for one player.

use wire::{
    ClientSays, GameJson, GameStatus, LobbyJson, MessageJson, Millis, RefusalCode, ServerSays,
    Side, StepJson, TableAct,
};

use crate::{
    messages::{ClubRequest, Guessed},
    phantoms::Phantoms,
    table::{Pending, TableState, Tone},
};

/// Maximum age, in milliseconds, at which a message of a person is shown above the input line.
const FRESH_MESSAGE_MS: Millis = 60_000;

/// Connection to the club.
#[derive(Clone, Debug, Default)]
pub(crate) struct Connection {
    pub(crate) you: Option<String>,
    pub(crate) lobby: LobbyJson,
    pub(crate) table: Option<TableState>,
    /// Reason why the connection is lost; `None` while the connection is open.
    pub(crate) away: Option<String>,
    /// Difference between the club's clock and the clock of this machine, in
    /// milliseconds; positive if the club's clock is ahead.
    pub(crate) ahead: Millis,
    /// Text of the message line: the last answer or remark, with its tone.
    pub(crate) message: (String, Tone),
    /// The number of the last hearing and the text of a try that the club asked back. The same text
    /// again goes to the referee.
    pub(crate) asked_back: Option<(u32, String)>,
    /// Id of the finished game, and its steps.
    pub(crate) steps: Option<(String, Vec<StepJson>)>,
    /// Requests that were not yet passed on to the connection.
    pub(crate) asks: Vec<ClubRequest>,
    /// Acts at tables that the club has not answered yet: request id, game, act.
    pub(crate) acts: Vec<(String, String, TableAct)>,
    /// Request id of the last message to people that was written while the connection was open, if
    /// the club has not answered it yet. The club answers messages in order, so if the last message
    /// is answered, all messages are answered.
    pub(crate) last_write: Option<String>,
    /// Stored guesses of all tables.
    pub(crate) kept: Vec<Guessed>,
    /// Guesses that have changed since [`App::take_guessed`](crate::App::take_guessed)
    /// was last called.
    pub(crate) guessed: Vec<Guessed>,
    /// Whether `connected` must subscribe to the lobby. The first call of `connected` subscribes.
    /// After a reconnection, the crate `client` subscribes again.
    pub(crate) must_subscribe_to_lobby: bool,
    /// Whether the client subscribes to the messages of people at each table. True if other people
    /// use this club.
    pub(crate) reads_messages: bool,
}

impl Connection {
    /// Sets an informational message.
    pub(crate) fn remark(&mut self, words: impl Into<String>) {
        self.message = (words.into(), Tone::Plain);
    }

    /// Sets an error message.
    pub(crate) fn complain(&mut self, words: impl Into<String>) {
        self.message = (words.into(), Tone::No);
    }

    fn says(&mut self, says: ClientSays) {
        self.asks.push(ClubRequest::Says(says));
    }

    /// Takes a seat at a table, and asks for all hearings since the beginning.
    pub(crate) fn sit(&mut self, game: &str) {
        if self.table.as_ref().is_some_and(|table| table.id == game) {
            return;
        }
        self.rise();
        self.table = Some(TableState::new(game.to_owned()));
        self.message = Default::default();
        self.says(ClientSays::Watch {
            game: game.to_owned(),
            after: 0,
        });
        if self.reads_messages {
            self.says(ClientSays::Talk {
                game: game.to_owned(),
                group: None,
                after: 0,
            });
        }
    }

    /// Sends a message to the own group at the table. A player's message goes to the opponent.
    pub(crate) fn write(&mut self, id: String, text: &str) {
        let Some(table) = &self.table else { return };
        let (game, text) = (table.id.clone(), text.to_owned());
        if self.away.is_none() {
            self.last_write = Some(id.clone());
        }
        self.says(ClientSays::Write {
            id,
            game,
            group: None,
            text,
        });
        if self.away.is_some() {
            self.remark("This is sent to the club as soon as there is a connection.");
        }
    }

    /// Adds a message of a person to the log. A new message of another person is also shown in the
    /// message line.
    fn read(&mut self, game: &str, message: &MessageJson, now: Millis) {
        let is_mine = self.you.as_deref() == Some(message.from.name.as_str());
        let is_new = now + self.ahead - message.at < FRESH_MESSAGE_MS;
        let text = notation::printable(&message.text).into_owned();
        let Some(table) = self.at(game) else { return };
        let from = &message.from.name;
        table.read(format!("<{from}> {text}"));
        // An error in the message line is more important than a new message of a person.
        if !is_mine && is_new && self.message.1 != Tone::No {
            self.remark(format!("{from} says: {text}"));
        }
    }

    /// Leaves the table.
    pub(crate) fn rise(&mut self) {
        self.note_guesses();
        if let Some(table) = self.table.take() {
            self.says(ClientSays::Leave { game: table.id });
        }
    }

    /// Handles a new connection. The crate `client` resumes the subscriptions and repeats requests
    /// in flight. It does not repeat a message to people.
    pub(crate) fn connected(&mut self) {
        let is_unanswered = self.last_write.take().is_some();
        if self.away.take().is_some() {
            self.remark(match is_unanswered {
                true => "Connected again. If your message is not in the log, write it again.",
                false => "Connected again.",
            });
        }
        if std::mem::take(&mut self.must_subscribe_to_lobby) {
            self.says(ClientSays::Lobby { on: true });
        }
    }

    /// Sends an act to the table, unless the same act is still unanswered.
    pub(crate) fn act(&mut self, id: String, act: TableAct) {
        let Some(table) = &self.table else { return };
        let game = table.id.clone();
        let same = |(_, of, what): &(_, String, TableAct)| *of == game && *what == act;
        if !self.acts.iter().any(same) {
            self.acts.push((id.clone(), game.clone(), act));
            self.says(ClientSays::Act { id, game, act });
        }
        if self.away.is_some() {
            self.remark("This is sent to the club as soon as there is a connection.");
        }
    }

    /// Queues the guesses of this table for storage, if they have changed.
    pub(crate) fn note_guesses(&mut self) {
        let Some(table) = &self.table else { return };
        let Some(seat) = table.facts.as_ref().and_then(|facts| facts.seat) else {
            return;
        };
        let men = if table.is_over() {
            String::new()
        } else {
            table.phantoms.text()
        };
        let now = Guessed {
            game: table.id.clone(),
            seat,
            who: self.you.clone().unwrap_or_default(),
            men,
        };
        self.keep(now);
    }

    fn keep(&mut self, now: Guessed) {
        let same = |kept: &Guessed| kept.game == now.game && kept.seat == now.seat;
        let known = self.kept.iter().position(same);
        let was = known.map_or("", |at| self.kept[at].men.as_str());
        if was == now.men {
            return;
        }
        if let Some(at) = known {
            self.kept.remove(at);
        }
        if !now.men.is_empty() {
            self.kept.push(now.clone());
        }
        self.guessed.push(now);
    }

    /// Restores the stored guesses of this table.
    fn guess_again(&mut self, seat: Side) {
        let (who, Some(table)) = (self.you.as_deref().unwrap_or_default(), &mut self.table) else {
            return;
        };
        let mut kept = self.kept.iter();
        let mine = kept.find(|kept| kept.game == table.id && kept.seat == seat && kept.who == who);
        if let Some(kept) = mine
            && table.phantoms.len() == 0
        {
            table.phantoms = Phantoms::read(&kept.men);
        }
    }

    /// Deletes the stored guesses of own games that have ended.
    fn forget_guesses(&mut self) {
        let who = self.you.clone().unwrap_or_default();
        let table = self.table.as_ref().map(|table| table.id.clone());
        let runs = |game: &String| {
            table.as_ref() == Some(game) || self.lobby.mine.iter().any(|row| row.id == *game)
        };
        let over = self.kept.iter();
        let over: Vec<Guessed> = over
            .filter(|kept| kept.who == who && !runs(&kept.game))
            .cloned()
            .collect();
        for kept in over {
            let men = String::new();
            self.keep(Guessed { men, ..kept });
        }
    }

    /// Sends an attempt to the referee, unless the previous attempt is not answered
    /// yet.
    pub(crate) fn attempt(&mut self, id: String, text: &str) {
        let Some(table) = &mut self.table else { return };
        if table.pending.is_some() {
            self.complain("The referee has not answered yet.");
            return;
        }
        if text.len() > 200 {
            self.complain("That is too long for any try.");
            return;
        }
        let id = table.unconfirmed_id(text).map_or(id, str::to_owned);
        let (game, after, text) = (table.id.clone(), table.n, text.to_owned());
        table.pending = Some(Pending {
            id: id.clone(),
            after,
            text: text.clone(),
        });
        self.message = Default::default();
        let ask = self.asked_back.take() != Some((after, text.clone()));
        self.says(ClientSays::Try {
            id,
            game,
            after,
            text,
            ask,
        });
    }

    /// Handles a message from the club.
    pub(crate) fn hear(&mut self, says: ServerSays, now: Millis) {
        match says {
            ServerSays::Welcome { you, now: then, .. } => {
                self.you = you.map(|you| you.name);
                self.ahead = then - now;
            }
            ServerSays::Lobby { lobby } => {
                self.lobby = lobby;
                self.forget_guesses();
            }
            ServerSays::LobbyChanges { changes } => {
                self.lobby.change(changes);
                self.forget_guesses();
            }
            ServerSays::Game { game } => self.facts(game),
            ServerSays::Heard { game, hearing } => {
                let Some(table) = self.at(&game) else { return };
                table.hear(&hearing);
                // The message of the previous turn is no longer relevant.
                if table.pending.is_none() && table.announced == table.calls.len() {
                    self.message = Default::default();
                }
            }
            ServerSays::View { game, view } => {
                if let Some(table) = self.at(&game) {
                    table.see(view);
                }
            }
            ServerSays::Answer {
                cause: _,
                id,
                game,
                n,
                answer,
                why,
            } => self.answered(&id, &game, n, (&answer, why)),
            ServerSays::Refused {
                id,
                code,
                reason,
                why,
                ..
            } => self.refused(id.as_deref(), code, &reason.unwrap_or_default(), why),
            ServerSays::Message { game, message, .. } => self.read(&game, &message, now),
            ServerSays::Pong {} => {}
            ServerSays::Bye { why } => self.away = Some(why),
        }
    }

    fn at(&mut self, game: &str) -> Option<&mut TableState> {
        self.table.as_mut().filter(|table| table.id == game)
    }

    fn facts(&mut self, game: GameJson) {
        let next = game.offers.as_ref().and_then(|offers| offers.next.clone());
        let Some(table) = self.at(&game.id) else {
            return;
        };
        let seat = game.seat;
        let id = game.id.clone();
        table.clocks = game.clocks.or(table.clocks);
        let status = game.status;
        let before = table.facts.replace(game).map(|before| before.status);
        let is_first = before.is_none();
        if table.is_over() && !std::mem::replace(&mut table.is_reviewed, true) {
            table.pending = None;
            self.message = Default::default();
            self.asks.push(ClubRequest::Steps(id));
        }
        if let Some(seat) = seat.filter(|_| is_first) {
            self.guess_again(seat);
        }
        match (before, status) {
            (Some(GameStatus::Running), GameStatus::Adjourned) => self.message = Default::default(),
            (Some(GameStatus::Adjourned), GameStatus::Running) => {
                self.remark("The game continues.")
            }
            _ => {}
        }
        if let Some(next) = next {
            self.sit(&next);
            self.remark("The rematch begins, with swapped colours.");
        }
    }

    fn answered(&mut self, id: &str, game: &str, n: Option<u32>, (answer, why): (&str, String)) {
        let tone = match answer {
            "no" | "nonsense" | "repeat-no" => Tone::No,
            _ => Tone::Plain,
        };
        self.acts.retain(|(of, _, _)| of != id);
        self.last_write.take_if(|of| of == id);
        // The message itself appears in the log.
        if answer == "written" {
            return;
        }
        let Some(table) = self.at(game) else { return };
        if table.pending.as_ref().is_some_and(|p| p.id == id) {
            table.pending = None;
        }
        // If the opponent has already moved, this answer is not shown any more.
        let is_old = tone == Tone::Plain && n.is_some_and(|n| n < table.n);
        self.message = if is_old {
            Default::default()
        } else {
            (why, tone)
        };
    }

    fn refused(&mut self, id: Option<&str>, code: RefusalCode, reason: &str, mut why: String) {
        self.acts.retain(|(of, _, _)| Some(of.as_str()) != id);
        self.last_write.take_if(|of| Some(of.as_str()) == id);
        if let Some(table) = &mut self.table
            && let Some(pending) = &table.pending
            && Some(pending.id.as_str()) == id
        {
            if code == RefusalCode::Unavailable || code == RefusalCode::TooMany {
                // The attempt was probably not recorded, so the player may make it again.
                self.message = (
                    format!("{}. Try again in a moment.", why.trim_end_matches('.')),
                    Tone::No,
                );
                table.set_unconfirmed();
                return;
            }
            let text = pending.text.clone();
            if reason == "impossible" {
                why = format!(
                    "`{text}` fits no try: your own men and the announcements show it. Enter again asks the referee."
                );
                self.asked_back = Some((pending.after, text));
            } else if reason == "not-notation" {
                why = format!(
                    "`{text}` is neither a move nor a command: type a move (e2e4, Nf3), `help` or `quit`."
                );
            }
            table.pending = None;
        }
        self.complain(why);
    }

    /// Returns the time left on a side's clock now.
    pub(crate) fn left(&self, side: Side, now: Millis) -> Option<Millis> {
        let clocks = self.table.as_ref()?.clocks?;
        let left = match side {
            Side::White => clocks.white,
            Side::Black => clocks.black,
        };
        let gone = if clocks.running == Some(side) {
            (now + self.ahead - clocks.at).max(0)
        } else {
            0
        };
        Some((left - gone).max(0))
    }
}
