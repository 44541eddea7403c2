//! One game of a pair, played over the wire.
//!
//! A step takes one second of the game's time. A step begins with the events that the listener does
//! not hear. Then the listener makes random requests, at the same times in both games. Some of
//! these requests come while the store is still writing the first event that the listener does not
//! hear. A step ends with an event that the listener hears.

use rand::{RngExt, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;
use referee::{EndCause, Event, Game};
use rules::{
    Attempt, Listener, Px,
    chess::{ByColor, Color},
};
use serde_json::json;
use store::Act;
use testkit::pairs::{Happening, Pair, Step, heard_by};

use crate::{
    ask::Ask,
    line::Line,
    scene::{Log, Person, Scene, Setup},
    transcript::{Counts, Entry, Transcript},
};

/// Duration of a step in milliseconds of the game's time.
const STEP: i64 = 1000;

/// An action within a step.
enum Do {
    /// An event that the listener does not hear.
    Whisper(Happening),
    /// An event that the listener hears.
    Aloud(Happening),
    /// Tries of another seat in one list that the club makes at once. The listener hears the last.
    Listed(Color, Vec<Happening>),
    /// A list of another seat that never comes to its turn.
    Waiting(Color),
    /// A request of the listener.
    Ask(Ask),
    /// An event in another game of the listener.
    Beside,
    /// A request of the screen in the hall.
    Hall,
    /// Recording of the bytes received since the last recording. The text is a name for this part
    /// of the step.
    Mark(&'static str),
}

/// A game that is being played.
pub struct Table<'a> {
    pair: &'a Pair,
    which: usize,
    setup: &'a Setup,
    scene: Scene,
    log: &'a Log,
    /// Game with the true position. The test needs the true position because it makes the moves of
    /// both players.
    game: Game,
    expected: Vec<Event>,
    moved: ByColor<u32>,
    /// Step of the last move.
    last_move: usize,
    /// Connections of the listener: the socket, one for HTTP requests, and one with an HTTP
    /// response that stays open.
    ways: Vec<(&'static str, Line)>,
    theirs: ByColor<Option<Line>>,
    /// Sockets of the players who are not the listener. There are none if [`Setup`] says that these
    /// players are absent. The bytes that these sockets receive are discarded.
    others: Vec<Line>,
    /// A screen in a hall, with its request. It shows the second game of each pair only.
    hall: Option<(Line, Vec<u8>)>,
    /// Id and text of each attempt of the listener.
    own: Vec<(String, String)>,
    their: u32,
    rng: ChaCha8Rng,
    step: usize,
    transcript: Transcript,
}

/// Plays one game of a pair and records everything that reaches the listener.
///
/// # Errors
/// If the events of the played game differ from the events that the pair has for this game.
pub async fn play(
    pair: &Pair,
    which: usize,
    setup: &Setup,
    scene: Scene,
    log: &Log,
) -> (Transcript, Result<(), String>) {
    let mut table = Table {
        game: Game::open(pair.opened[which].clone()),
        pair,
        which,
        setup,
        scene,
        log,
        expected: Vec::new(),
        moved: ByColor::default(),
        last_move: 0,
        ways: Vec::new(),
        theirs: ByColor::default(),
        others: Vec::new(),
        hall: None,
        own: Vec::new(),
        their: 0,
        rng: ChaCha8Rng::seed_from_u64(pair.index),
        step: 0,
        transcript: Transcript::default(),
    };
    table.expected.push(table.game.opened_event());
    table.sit_down().await;
    for step in &pair.steps {
        if table.is_about_to_be_aborted() {
            break;
        }
        table.step += 1;
        table.play_step(step).await;
    }
    table.step += 1;
    table.look_back().await;
    if let Some((line, _)) = &table.hall {
        let shown = line.take();
        let shown = shown
            .iter()
            .map(|piece| String::from_utf8_lossy(&piece.bytes));
        assert!(shown.collect::<String>().contains("\"umpire\":"));
    }
    let played = table.is_as_made().await;
    (table.transcript, played)
}

/// Returns the bytes of a request.
pub fn request(method: &str, path: &str, token: Option<&str>, body: Option<&str>) -> Vec<u8> {
    let mut text = format!("{method} {path} HTTP/1.1\r\nhost: club.example\r\n");
    if let Some(token) = token {
        text.push_str(&format!("authorization: Bearer {token}\r\n"));
    }
    if let Some(body) = body {
        let length = body.len();
        text.push_str(&format!(
            "content-type: application/json\r\ncontent-length: {length}\r\n"
        ));
    }
    text.push_str("\r\n");
    text.push_str(body.unwrap_or_default());
    text.into_bytes()
}

/// Returns the bytes that open a socket.
pub fn upgrade(token: Option<&str>) -> Vec<u8> {
    let mut text = "GET /api/socket HTTP/1.1\r\nhost: club.example\r\nconnection: upgrade\r\n\
                    upgrade: websocket\r\nsec-websocket-version: 13\r\n\
                    sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        .to_owned();
    if let Some(token) = token {
        text.push_str(&format!("authorization: Bearer {token}\r\n"));
    }
    text.push_str("\r\n");
    text.into_bytes()
}

impl Table<'_> {
    fn token(&self) -> Option<&str> {
        self.scene.reader.as_ref().map(|r| r.token.as_str())
    }

    fn seat(&self) -> Option<Color> {
        self.setup.listener.color()
    }

    fn line(&mut self, way: &str) -> &mut Line {
        let found = self.ways.iter_mut().find(|(name, _)| *name == way);
        &mut found.expect("a connection of the listener").1
    }

    /// Connects everybody. The listener hears the opening of the game.
    async fn sit_down(&mut self) {
        let game = self.scene.game;
        let watch = json!({"type": "watch", "game": game.to_string(), "after": 0}).to_string();
        let token = self.token().map(str::to_owned);
        for (who, color) in (1..).zip(Color::ALL) {
            if self.seat() == Some(color) {
                continue;
            }
            *self.theirs.get_mut(color) = Some(self.scene.line(who));
            if self.setup.others_here {
                let mut line = self.scene.line(who);
                let token = &self.scene.players.get(color).token;
                line.send(&upgrade(Some(token))).await;
                self.at(10).await;
                line.frame(&watch).await;
                self.others.push(line);
            }
        }
        if self.which == 1 {
            let address = club::hall_address(&*self.scene.store, game, 0, false).await;
            let address = address.expect("the store works").unwrap_or_default();
            let link = address.rsplit('#').next();
            let body = json!({"link": link}).to_string();
            let path = format!("/api/games/{game}/hall");
            let bytes = request("POST", &path, None, Some(&body));
            self.hall = Some((self.scene.line(200), bytes));
        }
        self.at(20).await;
        for way in ["socket", "HTTP"] {
            let line = self.scene.line(9);
            self.ways.push((way, line));
        }
        let hello = upgrade(token.as_deref());
        self.line("socket").send(&hello).await;
        self.at(30).await;
        if self.setup.held_open {
            let mut line = self.scene.line(9);
            let path = format!("/api/games/{game}/heard");
            line.send(&request("GET", &path, token.as_deref(), None))
                .await;
            self.ways.push(("HTTP held open", line));
        }
        self.at(40).await;
        self.line("socket").frame(&watch).await;
        self.at(60).await;
        let lobby = json!({"type": "lobby", "on": true}).to_string();
        self.line("socket").frame(&lobby).await;
        self.at(500).await;
        self.mark("as it opens");
    }

    /// Waits until `millis` milliseconds after the beginning of the step.
    async fn at(&mut self, millis: i64) {
        let at = i64::try_from(self.step).expect("a small number of steps") * STEP + millis;
        self.scene.time.until(at).await;
    }

    /// Records everything that was received since the last record. `part` is the name of this part
    /// of the step.
    fn mark(&mut self, part: &'static str) {
        for (way, line) in &self.ways {
            let entry = Entry::covered(self.step, part, way, line.take());
            self.transcript.entries.push(entry);
        }
        let bytes = self.log.take();
        let pieces = vec![crate::line::Piece { at: 0, bytes }];
        let entry = Entry::covered(self.step, part, "log", pieces);
        self.transcript.entries.push(entry);
        for line in self.others.iter().chain(&self.theirs.white) {
            line.take();
        }
        if let Some(line) = &self.theirs.black {
            line.take();
        }
    }

    async fn play_step(&mut self, step: &Step) {
        let mut todo = self.asks();
        todo.extend([90, 430].map(|at| (at, Do::Hall)));
        todo.push((560, Do::Mark("before anything is heard")));
        todo.push((950, Do::Mark("when something is heard")));
        if self.step.is_multiple_of(3) {
            todo.push((800, Do::Beside));
        }
        let mut game = self.game.clone();
        let (mut at, mut moves) = (100, false);
        for &happening in &step.happenings[self.which] {
            let Ok(ruling) = happening.judged(&game) else {
                continue;
            };
            game.apply(&ruling.event);
            if heard_by(self.setup.listener, &ruling.calls).is_empty() {
                assert!(at < 400, "too many events in one step");
                todo.push((at, Do::Whisper(happening)));
                at += 40;
            } else {
                todo.push((600, Do::Aloud(happening)));
                moves = matches!(ruling.event, Event::Moved { .. });
                break;
            }
        }
        if moves {
            self.list(&mut todo);
        }
        todo.sort_by_key(|(at, _)| *at);
        for (at, what) in todo {
            self.at(at).await;
            match what {
                Do::Whisper(happening) => {
                    self.transcript.counts.whispers += 1;
                    self.happen(happening).await;
                }
                Do::Aloud(happening) => self.happen(happening).await,
                Do::Listed(by, happenings) => self.happen_in_a_list(by, happenings).await,
                Do::Waiting(seat) => self.wait_in_vain(seat).await,
                Do::Ask(ask) => self.ask(ask).await,
                Do::Beside => self.scene.offer_or_decline_in_other_game().await,
                Do::Hall => {
                    if let Some((line, request)) = &mut self.hall {
                        line.send(request).await;
                    }
                }
                Do::Mark(part) => self.mark(part),
            }
        }
    }

    /// In some steps of half of the pairs, another seat makes its last tries by a list, with as many
    /// refusals that the listener does not hear as the game has; in other steps, seats that are not
    /// to move have lists in one of the games.
    fn list(&self, todo: &mut Vec<(i64, Do)>) {
        let seats = Color::ALL.into_iter();
        let seats = seats.filter(|seat| self.seat() != Some(*seat));
        if !self.pair.index.is_multiple_of(2) || self.game.choices().px == Px::Present {
            return;
        }
        let mut listed = Vec::new();
        // The club limits how often a seat sets a list.
        if self.step % 16 < 2
            && let Some((600, Do::Aloud(Happening::Asked(by, Attempt::Try(_))))) = todo.last()
            && self.seat() != Some(*by)
        {
            let by = *by;
            while let Some((
                _,
                Do::Aloud(what @ Happening::Asked(who, Attempt::Try(_)))
                | Do::Whisper(what @ Happening::Asked(who, Attempt::Try(_))),
            )) = todo.last()
                && *who == by
            {
                listed.insert(0, *what);
                todo.pop();
            }
            todo.push((600, Do::Listed(by, listed)));
        }
        if self.which == 1 && self.step % 16 / 2 == 4 {
            let waiting = seats.filter(|seat| self.game.to_move() != Some(*seat));
            todo.extend(waiting.map(|seat| (96, Do::Waiting(seat))));
        }
    }

    async fn happen_in_a_list(&mut self, by: Color, happenings: Vec<Happening>) {
        let mut texts = Vec::new();
        for happening in happenings {
            let Ok(ruling) = happening.judged(&self.game) else {
                continue;
            };
            if let Happening::Asked(_, attempt) = happening {
                texts.push(format!("{attempt} if any"));
            }
            if let Event::Moved { by, .. } = ruling.event {
                *self.moved.get_mut(by) += 1;
                self.last_move = self.step;
            }
            self.game.apply(&ruling.event);
            self.expected.push(ruling.event);
        }
        self.transcript.counts.attempts += texts.len() as u64;
        self.transcript.counts.whispers += texts.len().saturating_sub(1) as u64;
        self.set_conditional(by, &texts.join("; or ")).await;
    }

    /// Sets a list whose condition never holds: a man of the seat is lost where its king
    /// is now.
    async fn wait_in_vain(&mut self, seat: Color) {
        if let Some(king) = self.game.sheet().board().king_of(seat) {
            let text = format!("a2a3 if capture {king}");
            self.set_conditional(seat, &text).await;
        }
    }

    async fn set_conditional(&mut self, by: Color, text: &str) {
        self.their += 1;
        let body = json!({"id": format!("their-list-{}", self.their), "text": text});
        self.ask_theirs("PUT", by, "conditional", &body.to_string())
            .await;
    }

    /// Returns the random requests of the listener in this step. They are the same in
    /// both games.
    fn asks(&mut self) -> Vec<(i64, Do)> {
        let all = Ask::all(self.seat().is_some());
        let mut asks = Vec::new();
        for at in [103, 107, 420, 500, 520] {
            let rarely = if at < 110 { 0.35 } else { 0.25 };
            let ask = *all.choose(&mut self.rng).expect("the list is not empty");
            if self.rng.random_bool(rarely) {
                asks.push((at, Do::Ask(ask)));
            }
        }
        if self.step.is_multiple_of(16) {
            asks.push((540, Do::Ask(Ask::Ping)));
        }
        asks
    }

    /// Makes every kind of request after the last step. If the game is over, requests that reveal
    /// the true position or change something are left out.
    async fn look_back(&mut self) {
        let over = self.game.over().is_some();
        let all = Ask::all(self.seat().is_some());
        for (n, &ask) in (0..).zip(all) {
            if over && ask.is_open_after_the_end() {
                continue;
            }
            self.at(100 + 20 * n).await;
            self.ask(ask).await;
        }
        self.at(950).await;
        self.mark("at last");
    }

    async fn happen(&mut self, happening: Happening) {
        let ruling = match happening.judged(&self.game) {
            Ok(ruling) => ruling,
            Err(_) => return,
        };
        match happening {
            Happening::Asked(by, attempt) => {
                self.say(by, attempt).await;
                if let Event::Moved { by, .. } = ruling.event {
                    *self.moved.get_mut(by) += 1;
                    self.last_move = self.step;
                }
            }
            Happening::Ended(cause) => {
                if !self.end(cause).await {
                    return;
                }
            }
        }
        self.game.apply(&ruling.event);
        self.expected.push(ruling.event);
    }

    async fn say(&mut self, by: Color, attempt: Attempt) {
        self.transcript.counts.attempts += 1;
        let after = self.scene.heard(by).await;
        let text = attempt.to_string();
        if self.seat() != Some(by) {
            self.their += 1;
            let id = format!("their-{}", self.their);
            let body = json!({"id": id, "after": after, "text": text});
            self.ask_theirs("POST", by, "tries", &body.to_string())
                .await;
            return;
        }
        let id = format!("own-{}", self.own.len());
        self.own.push((id.clone(), text.clone()));
        self.try_it(&id, after, &text).await;
    }

    /// Makes a try of the listener, by the socket or by HTTP.
    async fn try_it(&mut self, id: &str, after: u32, text: &str) {
        let game = self.scene.game.to_string();
        if self.rng.random_bool(0.5) {
            let says = json!({"type": "try", "id": id, "game": game, "after": after, "text": text});
            self.line("socket").frame(&says.to_string()).await;
        } else {
            let body = json!({"id": id, "after": after, "text": text}).to_string();
            let path = format!("/api/games/{game}/tries");
            self.http("POST", &path, Some(&body)).await;
        }
    }

    async fn http(&mut self, method: &str, path: &str, body: Option<&str>) {
        let bytes = request(method, path, self.token(), body);
        self.line("HTTP").send(&bytes).await;
    }

    async fn ask_theirs(&mut self, method: &str, by: Color, what: &str, body: &str) {
        let path = format!("/api/games/{}/{what}", self.scene.game);
        let Person { token, .. } = self.scene.players.get(by).clone();
        let bytes = request(method, &path, Some(&token), Some(body));
        let line = self.theirs.get_mut(by).as_mut();
        line.expect("a player who is not the listener has a connection")
            .send(&bytes)
            .await;
    }

    async fn act(&mut self, by: Color, act: &str) {
        if self.seat() == Some(by) {
            let body = json!({"id": format!("act-{}", self.step), "act": act}).to_string();
            let path = format!("/api/games/{}/acts", self.scene.game);
            self.http("POST", &path, Some(&body)).await;
        } else {
            let body = json!({"id": format!("their-act-{}", self.step), "act": act});
            self.ask_theirs("POST", by, "acts", &body.to_string()).await;
        }
    }

    fn both_moved(&self) -> bool {
        self.moved.white > 0 && self.moved.black > 0
    }

    fn has_clock(&self) -> bool {
        self.setup.terms != club::TimeControl::Unlimited
    }

    /// Whether a side has nearly used up the minute for its first move. A side can need so much
    /// time because the attempts of a pair are random. If the minute ended, the game would be
    /// aborted.
    fn is_about_to_be_aborted(&self) -> bool {
        self.has_clock() && !self.both_moved() && self.step >= self.last_move + 55
    }

    /// Ends the game by abort, time or absence, if this is possible. Whether it is possible depends
    /// only on the clocks, on who has moved, on whose turn it is, and on who is present. Everybody
    /// knows all of this.
    async fn end(&mut self, cause: EndCause) -> bool {
        let (both_moved, clock) = (self.both_moved(), self.has_clock());
        match cause {
            EndCause::Abort if !both_moved => self.act(Color::White, "abort").await,
            EndCause::Flag(color) if both_moved && clock && self.game.to_move() == Some(color) => {
                self.wait(900).await;
            }
            EndCause::Gone(color) | EndCause::GoneDraw(color)
                if both_moved && clock && !self.setup.others_here && self.seat() != Some(color) =>
            {
                self.wait(61).await;
                let win = matches!(cause, EndCause::Gone(_));
                let claim = if win { "claim-win" } else { "claim-draw" };
                self.act(color.other(), claim).await;
            }
            EndCause::Abort | EndCause::Flag(_) | EndCause::Gone(_) | EndCause::GoneDraw(_) => {
                return false;
            }
        }
        true
    }

    /// Waits until the game is over, at most `seconds` steps of one second each.
    async fn wait(&mut self, seconds: usize) {
        let begun = self.step;
        while self.step < begun + seconds {
            if self.step.is_multiple_of(16) {
                let ping = json!({"type": "ping"}).to_string();
                self.line("socket").frame(&ping).await;
            }
            self.step += 1;
            self.at(600).await;
            let facts = self.scene.club.facts(self.scene.game, None).await;
            if facts.is_ok_and(|facts| facts.standing.over.is_some()) {
                return;
            }
        }
    }

    async fn ask(&mut self, ask: Ask) {
        self.transcript.counts.asked += 1;
        let game = self.scene.game;
        let seat = self.seat();
        let heard = match seat {
            Some(seat) => self.scene.heard(seat).await,
            None => 0,
        };
        let mine = seat.is_some() && self.game.to_move() == seat;
        match ask {
            Ask::Get(path) => {
                let path = path
                    .replace("{id}", &game.to_string())
                    .replace("{late}", &heard.saturating_sub(2).to_string());
                self.http("GET", &path, None).await;
            }
            Ask::Head => {
                let path = format!("/api/games/{game}/view");
                self.http("HEAD", &path, None).await;
            }
            Ask::Ping => {
                let ping = json!({"type": "ping"}).to_string();
                self.line("socket").frame(&ping).await;
            }
            Ask::WatchAgain => {
                let after = heard.saturating_sub(2);
                let watch = json!({"type": "watch", "game": game.to_string(), "after": after});
                self.line("socket").frame(&watch.to_string()).await;
            }
            Ask::OutOfTurn => {
                // In the listener's own turn, this request would be judged as a try. So the test
                // sends an `after` that is too large, and the club refuses the request.
                let after = if mine { heard + 7 } else { heard };
                self.probe(after, "e2e4").await;
            }
            Ask::TheirId => {
                let after = if mine { heard + 7 } else { heard };
                let id = format!("their-{}", self.step / 2 + 2);
                self.try_it(&id, after, "g2g4").await;
            }
            Ask::Stale if self.both_moved() => {
                self.probe(1, "d7d5").await;
            }
            Ask::Stale => {}
            Ask::Unreadable => self.probe(heard, "please move").await,
            Ask::Again => {
                if let Some((id, text)) = self.own.last().cloned() {
                    self.try_it(&id, heard, &text).await;
                }
            }
            Ask::OtherText => {
                if let Some((id, text)) = self.own.last().cloned() {
                    let other = if text == "h2h3" { "a2a3" } else { "h2h3" };
                    self.try_it(&id, heard, other).await;
                }
            }
            Ask::Act(act) => {
                let body = json!({"id": format!("act-{act}-{}", self.step), "act": act});
                let path = format!("/api/games/{game}/acts");
                self.http("POST", &path, Some(&body.to_string())).await;
            }
        }
    }

    /// Sends a try that must be refused. The seat knows the reason: it is not the seat's turn, the
    /// try was made for an earlier turn, or the text is not an attempt.
    async fn probe(&mut self, after: u32, text: &str) {
        let id = format!("probe-{}", self.transcript.counts.asked);
        self.try_it(&id, after, text).await;
    }

    /// Checks that the store has the events that the pair has for this game.
    async fn is_as_made(&self) -> Result<(), String> {
        let rows = self.scene.store.rows(self.scene.game, 0).await;
        let rows = rows.map_err(|e| e.to_string())?;
        let played = rows.iter().filter_map(|row| match &row.act {
            Act::Game(event) => Some(event),
            Act::Table(_) => None,
        });
        let played: Vec<String> = played.map(ToString::to_string).collect();
        let expected: Vec<String> = self.expected.iter().map(ToString::to_string).collect();
        let at = (0..).find(|&i| played.get(i) != expected.get(i) || i >= expected.len());
        match at {
            Some(i) if i < expected.len().max(played.len()) => Err(format!(
                "pair {}, game {}: event {i} is {:?} and should be {:?}",
                self.pair.index,
                self.which,
                played.get(i),
                expected.get(i)
            )),
            Some(_) | None => Ok(()),
        }
    }
}

/// Returns the index of a listener in an array of counts.
pub fn place(listener: Listener) -> usize {
    match listener {
        Listener::White => 0,
        Listener::Black => 1,
        Listener::Room => 2,
    }
}

/// Adds counts.
pub fn add(sum: &mut Counts, counts: Counts) {
    sum.attempts += counts.attempts;
    sum.whispers += counts.whispers;
    sum.asked += counts.asked;
}
