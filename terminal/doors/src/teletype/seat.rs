//! A console that plays a game, until the game is over or the connection
//! breaks.

use std::time::Duration;

use club::{
    Club, GameFacts, HeardItem, Hearing, ListenerItem, Listening, Message, TalkGroup,
    TalkListening, request_id,
};
use rules::{Attempt, chess::Color};
use tokio::{task::spawn_blocking, time::Instant};
use views::PlayerView;
use wire::{RefusalCode, TableAct};

use super::{
    instruction::instruction,
    links::ConsoleLink,
    pairing::Place,
    printer::{End, Printer},
    teletypes::Teletypes,
    typed::{self, Typed},
    words,
};
use crate::base::Input;

/// After the end of the game, a player can ask for the list of moves within this time.
const LIST_TIMEOUT: Duration = Duration::from_secs(600);

/// Printed when the club closes during a game.
const CLOSING: &str = "THE CLUB IS CLOSING. COME BACK WITH YOUR KEY";

/// Printed when the club closes after the end of the game.
const CLOSED: &str = "THE CLUB IS CLOSING. GOOD BYE";

/// Printed when the account of this seat was disabled or deleted.
const ENDED: &str = "YOUR KEY IS NO LONGER VALID. GOOD BYE";

/// Printed when another console takes this seat with the seat's key.
const REPLACED: &str = "ANOTHER TELETYPE HAS COME WITH YOUR KEY. GOOD BYE";

/// Runs a console's game from the first hearing to the list of moves. `back`
/// says whether the player came back with a key.
pub(super) async fn sit(
    teletypes: &Teletypes,
    printer: &mut Printer,
    place: Place,
    back: bool,
) -> Result<(), End> {
    let club = &teletypes.0.club;
    let link = teletypes.0.links.take(place.game, place.color);
    introduce(printer, &place, back);
    let account = place.account.clone();
    let opened = open(club, &place, back).await;
    let (listening, view, heard) = opened.map_err(|error| printer.refuse(&error))?;
    let (reader, group) = (Some(place.account.id), Some(TalkGroup::Players));
    // Only new messages are printed.
    let talk = club.listen_to_talk(place.game, reader, group, None);
    let (_, talk) = talk.await.map_err(|error| printer.refuse(&error))?;
    let mut seat = SeatedConsole {
        club,
        place,
        printer,
        link,
        listening,
        view,
        heard,
        talk: Some(talk),
        own: Vec::new(),
        message: false,
        other_here: None,
    };
    if back {
        seat.remind();
    }
    let sits = async {
        seat.play().await?;
        seat.list_of_moves().await
    };
    let ended = tokio::select! {
        sat = sits => return sat,
        () = teletypes.closing().closed() => false,
        () = club.account_ends(&account) => true,
    };
    let last = match (ended, seat.is_over()) {
        (true, _) => ENDED,
        (false, true) => CLOSED,
        (false, false) => CLOSING,
    };
    Err(seat.printer.end(last))
}

fn introduce(printer: &mut Printer, place: &Place, back: bool) {
    let (me, other) = (words::side(place.color), words::side(place.color.other()));
    if back {
        printer.print(&format!("YOU ARE BACK. YOU PLAY {me}"));
    } else {
        printer.print(&format!("YOU PLAY {me}. THE OTHER PLAYS {other}"));
    }
    if let Some(key) = &place.key {
        let key = words::key(key.secret());
        printer.print(&format!(
            "YOUR KEY IS {key}  KEEP IT AND SHOW IT TO NOBODY\n\
             IF THE LINE DROPS CALL AGAIN AND TYPE  JOIN  AND THE KEY"
        ));
    }
}

/// Starts to listen. For a new game, the hearings begin at the start of the game. For a player who
/// came back, returns the view of the seat's present state, too, and the hearings begin after this
/// state.
async fn open(
    club: &Club,
    place: &Place,
    back: bool,
) -> Result<(Listening, Option<PlayerView>, u32), club::ClubError> {
    let (view, heard) = if back {
        let seat = club.seat_view(place.game, place.account.id).await?;
        (Some(seat.view), seat.n)
    } else {
        (None, 0)
    };
    let listening = club
        .listen(place.game, Some(place.account.id), heard)
        .await?;
    Ok((listening, view, heard))
}

/// Returns the next message; waits forever if no more messages come. Cancel safe.
async fn next_message(talk: &mut Option<TalkListening>) -> Option<Message> {
    match talk {
        Some(talk) => talk.next().await,
        None => std::future::pending().await,
    }
}

struct SeatedConsole<'a> {
    club: &'a Club,
    place: Place,
    printer: &'a mut Printer,
    link: ConsoleLink,
    listening: Listening,
    /// View of the seat, computed from what the seat heard.
    view: Option<PlayerView>,
    /// Number of the last hearing.
    heard: u32,
    /// Messages of the two players; `None` when the club closes.
    talk: Option<TalkListening>,
    /// Numbers of own messages that this console has printed already. When they come from the club
    /// later, they are not printed again.
    own: Vec<u32>,
    /// Whether the next typed line is a message to both consoles.
    message: bool,
    /// Whether the opponent's console is connected; `None` before its first
    /// connection.
    other_here: Option<bool>,
}

impl SeatedConsole<'_> {
    fn me(&self) -> Color {
        self.place.color
    }

    fn is_over(&self) -> bool {
        self.view.as_ref().is_some_and(|view| view.over().is_some())
    }

    fn is_my_turn(&self) -> bool {
        let to_move = self.view.as_ref().and_then(PlayerView::to_move);
        to_move == Some(self.me())
    }

    /// Prints the state of the game for a player who comes back.
    fn remind(&mut self) {
        let Some(view) = &self.view else { return };
        let mut lines = words::men(view.own());
        match view.over() {
            Some(over) => {
                let over = rules::Heard::Over(over);
                lines.extend(words::responses([over].iter(), view.choices()));
            }
            None => lines.extend(words::announced(&view.this_turn(), None)),
        }
        if let Some(by) = view.draw_offer() {
            let offer = rules::Heard::Draw(rules::DrawTalk::Offer { by });
            lines.extend(words::responses([offer].iter(), view.choices()));
        }
        self.printer.print(&lines.join("\n"));
    }

    /// Runs until the game is over.
    async fn play(&mut self) -> Result<(), End> {
        while !self.is_over() {
            if self.is_my_turn() {
                self.printer.ask();
            }
            // Hearings are handled before typed lines.
            tokio::select! {
                biased;
                item = self.listening.next() => match item {
                    Some(item) => self.take_item(item),
                    None => return Err(self.printer.end(CLOSING)),
                },
                lines = self.link.next() => match lines {
                    Some(lines) => self.printer.print(&lines),
                    None => return Err(self.printer.end(REPLACED)),
                },
                message = next_message(&mut self.talk) => self.print_message(message),
                input = self.printer.next() => self.input(input?).await?,
            }
        }
        Ok(())
    }

    fn take_item(&mut self, item: ListenerItem) {
        match item {
            ListenerItem::Hearing(hearing) => self.hear(&hearing),
            ListenerItem::Facts(facts) => self.facts(&facts),
        }
    }

    fn hear(&mut self, hearing: &Hearing) {
        self.heard = hearing.n;
        let mut heard = Vec::new();
        for item in hearing.heard.iter() {
            match item {
                HeardItem::Start(start) => {
                    let choices = *self.listening.choices();
                    self.view = Some(PlayerView::open(choices, self.me(), start));
                }
                HeardItem::Heard(one) => {
                    if let Some(view) = &mut self.view {
                        view.hear(one);
                    }
                    heard.push(*one);
                }
            }
        }
        let lines = words::responses(heard.iter(), self.listening.choices());
        if !lines.is_empty() {
            self.printer.print(&lines.join("\n"));
        }
    }

    /// Prints a line when the opponent's console disconnects or comes back. Other
    /// facts are not printed.
    fn facts(&mut self, facts: &GameFacts) {
        let here = *facts.standing.here.get(self.me().other());
        let (was, over) = (self.other_here, facts.standing.over.is_some());
        match (was, here) {
            (Some(true), false) if !over => {
                self.printer
                    .print("THE OTHER TELETYPE IS GONE. THE GAME WAITS FOR ITS KEY");
            }
            (Some(false), true) if !over => self.printer.print("THE OTHER TELETYPE IS BACK"),
            _ => {}
        }
        if here || was.is_some() {
            self.other_here = Some(here);
        }
    }

    async fn input(&mut self, input: Input) -> Result<(), End> {
        let asked = self.printer.answered();
        let line = match input {
            Input::Line(line) => line,
            Input::TooLong => {
                self.printer.print("THE LINE IS TOO LONG");
                return Ok(());
            }
            Input::Interrupt => {
                self.printer.print("TYPE  BYE  TO HANG UP");
                return Ok(());
            }
        };
        if std::mem::take(&mut self.message) {
            self.write(&line).await;
            return Ok(());
        }
        let Some(view) = &self.view else {
            self.printer.print(words::UNASKED);
            return Ok(());
        };
        match typed::read(&line, view.own(), view.choices()) {
            Typed::Nothing => {}
            Typed::Relist => self.printer.print(&words::men(view.own()).join("\n")),
            Typed::Instruction => self.printer.print(&instruction(view.choices())),
            Typed::Bye => {
                let farewell = "GOOD BYE. THE GAME WAITS FOR YOUR KEY";
                return Err(self.printer.end(farewell));
            }
            Typed::Claim => self.claim().await,
            _ if !asked => self.printer.print(words::UNASKED),
            Typed::Attempt(attempt) => self.attempt(attempt).await,
            Typed::NoDraw => {
                let mine = view.draw_offer() == Some(self.me());
                let attempt = if mine {
                    Attempt::WithdrawDraw
                } else {
                    Attempt::DeclineDraw
                };
                self.attempt(attempt).await;
            }
            Typed::Message(None) => {
                self.message = true;
                self.printer.print(words::NEXT_LINE);
            }
            Typed::Message(Some(text)) => self.write(&text).await,
            Typed::Mute(on) => self.mute(on).await,
            // Both teletypes print this response, as in 1965.
            Typed::NotUnderstood => self.print_on_both(words::NOT_UNDERSTOOD),
        }
        Ok(())
    }

    /// Writes a message to the opponent. Both consoles print the message, as in 1965.
    async fn write(&mut self, text: &str) {
        let text = words::printable(text.trim());
        if text.trim().is_empty() {
            return;
        }
        let (game, account) = (self.place.game, self.place.account.id);
        let group = Some(TalkGroup::Players);
        match self.club.write(game, account, group, &text).await {
            Ok(n) => {
                self.own.push(n);
                let side = words::side(self.me());
                self.printer.print(&format!("{side} SAYS {text}"));
            }
            Err(error) => self.printer.print(&words::sentence(&error.why)),
        }
    }

    fn print_message(&mut self, message: Option<Message>) {
        let Some(message) = message else {
            self.talk = None;
            return;
        };
        if let Some(at) = self.own.iter().position(|n| *n == message.n) {
            self.own.remove(at);
            return;
        }
        let by = match message.from.id == self.place.account.id {
            true => self.me(),
            false => self.me().other(),
        };
        let text = words::printable(&message.text);
        self.printer
            .print(&format!("{} SAYS {text}", words::side(by)));
    }

    /// Mutes the opponent, or ends the mute.
    async fn mute(&mut self, on: bool) {
        let (game, account) = (self.place.game, self.place.account.id);
        let other = self.me().other();
        let muted = async {
            let facts = self.club.facts(game, Some(account)).await?;
            let name = &facts.players.get(other).name;
            self.club.mute(account, name, on).await
        };
        let text = match muted.await {
            Ok(_) if on => format!(
                "MESSAGES OF {} ARE NOT PRINTED. TYPE  UNMUTE  TO PRINT THEM",
                words::side(other)
            ),
            Ok(_) => format!("MESSAGES OF {} ARE PRINTED", words::side(other)),
            Err(error) => words::sentence(&error.why),
        };
        self.printer.print(&text);
    }

    fn print_on_both(&mut self, text: &str) {
        self.printer.print(text);
        self.link.print_there(text);
    }

    /// Sends an attempt to the referee. The answer comes as a hearing.
    async fn attempt(&mut self, attempt: Attempt) {
        let text = attempt.to_string();
        // The same text may be sent again before the player hears anything. The second request then
        // has the same id, so the text is judged only once.
        let id = format!("teletype-{}-{}", self.heard, text.replace('@', "-"));
        let (game, account) = (self.place.game, self.place.account.id);
        let said = async {
            let id = request_id(&id)?;
            self.club.say(game, account, id, self.heard, &text).await
        };
        match said.await {
            Ok(said) => {
                while self.heard < said.n.unwrap_or(0) {
                    match self.listening.next().await {
                        Some(item) => self.take_item(item),
                        None => return,
                    }
                }
            }
            Err(error) => self.printer.print(&words::sentence(&error.why)),
        }
    }

    async fn claim(&mut self) {
        let Ok(id) = request_id(&format!("teletype-{}-claim", self.heard)) else {
            return;
        };
        let (game, account) = (self.place.game, self.place.account.id);
        let act = TableAct::ClaimWin;
        if let Err(error) = self.club.act(game, account, id, act).await {
            self.printer.print(&words::sentence(&error.why));
        }
    }

    /// Offers the list of moves after the end of the game. Asks until the answer
    /// is yes or no, at most for `LIST_TIMEOUT`.
    async fn list_of_moves(&mut self) -> Result<(), End> {
        const QUESTION: &str = "DO YOU WANT THE LIST OF MOVES Y/N";
        let deadline = Instant::now() + LIST_TIMEOUT;
        self.printer.print(QUESTION);
        loop {
            self.printer.ask();
            let limit = deadline.saturating_duration_since(Instant::now());
            let input = tokio::select! {
                biased;
                lines = self.link.next() => match lines {
                    Some(lines) => {
                        self.printer.print(&lines);
                        continue;
                    }
                    None => return Err(self.printer.end(REPLACED)),
                },
                message = next_message(&mut self.talk) => {
                    self.print_message(message);
                    continue;
                }
                input = self.printer.answer(limit) => match input {
                    Some(input) => input?,
                    None => return Err(self.printer.end("NO ANSWER. GOOD BYE")),
                },
            };
            self.printer.answered();
            let line = match input {
                Input::Line(line) => line.trim().to_uppercase(),
                Input::TooLong => {
                    self.printer.print("THE LINE IS TOO LONG");
                    continue;
                }
                Input::Interrupt => "N".to_owned(),
            };
            if std::mem::take(&mut self.message) {
                self.write(&line).await;
                continue;
            }
            match line.as_str() {
                "" => {}
                "Y" | "YES" => {
                    self.print_moves().await;
                    break;
                }
                "N" | "NO" | "BYE" => break,
                line => match (typed::special(line), &self.view) {
                    (Some(Typed::Message(Some(text))), _) => self.write(&text).await,
                    (Some(Typed::Mute(on)), _) => self.mute(on).await,
                    (Some(Typed::Message(None)), _) => {
                        self.message = true;
                        self.printer.print(words::NEXT_LINE);
                    }
                    (Some(Typed::Relist), Some(view)) => {
                        self.printer.print(&words::men(view.own()).join("\n"));
                    }
                    (Some(_), _) => self.printer.print("THE GAME IS OVER"),
                    (None, _) => {
                        self.printer
                            .print(&format!("{}\n{QUESTION}", words::NOT_UNDERSTOOD));
                    }
                },
            }
        }
        self.printer.print("GOOD BYE");
        Ok(())
    }

    async fn print_moves(&mut self) {
        match self.club.finished(self.place.game).await {
            Ok(finished) => {
                // Formatting the list takes long if the game had many tries, so another thread does
                // it.
                let list = spawn_blocking(move || words::moves(&finished.moves()).join("\n"));
                self.printer.print(&list.await.unwrap_or_default());
            }
            Err(error) if error.code == RefusalCode::NotPossible => {}
            Err(error) => self.printer.print(&words::sentence(&error.why)),
        }
    }
}
