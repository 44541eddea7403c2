//! A player: makes random tries at fixed intervals, and records everything.

use std::{future::pending, sync::Arc, time::Duration};

use anyhow::{anyhow, bail};
use bots::{Dice, Seed};
use client::{Client, ClientEvent};
use tokio::{
    sync::watch,
    time::{Instant, sleep_until},
};
use wire::{ClientSays, GameStatus, HearingJson, SeatViewJson, ServerSays, Side};

use super::{
    journal::{Ask, Journal, has_move},
    shared::{RETRY_PAUSE, Shared},
    table::Table,
};

/// What a player says who resigns.
const RESIGN: &str = "resign";

/// A player with a connection.
pub(super) struct Seat {
    client: Client,
    pub(super) token: String,
    shared: Arc<Shared>,
    /// Name of the account.
    name: String,
    dice: Dice,
}

/// Everything that a player has recorded of one game.
pub(super) struct SeatRecord {
    pub(super) token: String,
    pub(super) journal: Journal,
    /// For each move of this player: the number of the move in the game, counted from 0, and the
    /// time of the attempt.
    pub(super) moves: Vec<(usize, Instant)>,
    /// Times at which the moves of the game were heard.
    pub(super) heard: Vec<Instant>,
    /// Time from each attempt to its answer, without the resignation.
    pub(super) answers: Vec<Duration>,
    /// Whether the player heard the end of the game.
    pub(super) is_over: bool,
}

/// A game, with everything that its players have recorded.
pub(super) struct Played {
    pub(super) table: Arc<Table>,
    pub(super) seats: [SeatRecord; 2],
}

/// A game as a player plays it.
struct Playing<'a> {
    table: &'a Table,
    side: Side,
    record: SeatRecord,
    view: Option<SeatViewJson>,
    status: Option<GameStatus>,
    /// Number of the hearing that the last answer names.
    told: u32,
    /// Time at which the open request was first sent. A request is open until it is answered or
    /// refused.
    sent: Instant,
    /// Time of the next attempt.
    slot: Option<Instant>,
    /// Time at which the open request is sent again.
    again: Option<Instant>,
    /// Whether a subscription was temporarily refused, so that a new connection is needed.
    reconnects: bool,
}

impl Seat {
    /// Creates a player. `number` is the seed of the random tries.
    pub(super) fn new(client: Client, token: String, shared: Arc<Shared>, number: u64) -> Seat {
        Seat {
            client,
            token,
            shared,
            name: String::new(),
            dice: Dice::new(Seed {
                seed: number,
                stream: 0,
            }),
        }
    }

    /// Waits until the player is connected for the first time.
    pub(super) async fn connect(&mut self) -> anyhow::Result<()> {
        match self.client.next().await? {
            ClientEvent::Connected { you: Some(you), .. } => self.name = you.name,
            ClientEvent::Connected { you: None, .. } => bail!("the club did not accept a session"),
            ClientEvent::Lost { why } => return Err(anyhow!(why)),
            ClientEvent::Says(_) => bail!("the club's first message was not a welcome"),
        }
        Ok(())
    }

    /// Plays a game to its end. When `stops` becomes true, the player to move resigns.
    pub(super) async fn play(
        &mut self,
        table: &Table,
        side: Side,
        mut stops: watch::Receiver<bool>,
    ) -> SeatRecord {
        let mut playing = Playing {
            table,
            side,
            record: SeatRecord {
                token: self.token.clone(),
                journal: Journal::new(format!("game {}, {}", table.id, self.name)),
                moves: Vec::new(),
                heard: Vec::new(),
                answers: Vec::new(),
                is_over: false,
            },
            view: None,
            status: None,
            told: 0,
            sent: Instant::now(),
            slot: None,
            again: None,
            reconnects: false,
        };
        let game = table.id.clone();
        self.client.say(ClientSays::Watch {
            game: game.clone(),
            after: 0,
        });
        let mut stopped = *stops.borrow_and_update();
        let mut ends = stopped.then(|| Instant::now() + self.shared.timeout);
        loop {
            if playing.is_done() {
                playing.record.is_over = true;
                break;
            }
            if playing.slot.is_none() && playing.is_to_move() {
                playing.slot = Some(if stopped {
                    Instant::now()
                } else {
                    table.slot()
                });
            }
            let wakes = [playing.slot, playing.again, ends].into_iter().flatten();
            let wakes = wakes.min();
            let wake = async {
                match wakes {
                    Some(at) => sleep_until(at).await,
                    None => pending().await,
                }
            };
            tokio::select! {
                biased;
                event = self.client.next() => match event {
                    Ok(ClientEvent::Says(says)) => {
                        playing.hear(says, &self.shared);
                        if std::mem::take(&mut playing.reconnects) {
                            self.client.give_up("a subscription was temporarily refused");
                        }
                    }
                    Ok(ClientEvent::Connected { .. }) => {
                        self.shared.notes.change(|counts| counts.reconnections += 1);
                    }
                    Ok(ClientEvent::Lost { .. }) => {
                        self.shared.notes.change(|counts| counts.lost += 1);
                    }
                    Err(refused) => {
                        self.shared.notes.error(&refused);
                        break;
                    }
                },
                _changed = stops.changed(), if !stopped => {
                    stopped = true;
                    ends = Some(Instant::now() + self.shared.timeout);
                    // The next attempt is the resignation. It is made now.
                    playing.slot = playing.slot.map(|_| Instant::now());
                }
                () = wake => {
                    let now = Instant::now();
                    if ends.is_some_and(|at| at <= now) {
                        playing.give_up(self.shared.timeout);
                        break;
                    }
                    if playing.again.take_if(|at| *at <= now).is_some()
                        && let Some(says) = playing.open()
                    {
                        self.client.say(says);
                    }
                    if playing.slot.take_if(|at| *at <= now).is_some() {
                        self.client.say(playing.attempt(stopped, &mut self.dice));
                    }
                }
            }
        }
        self.client.say(ClientSays::Leave { game });
        playing.record
    }
}

impl Playing<'_> {
    /// Whether the end of the game was heard and every request was answered.
    fn is_done(&self) -> bool {
        let journal = &self.record.journal;
        journal.is_over() && !journal.asks.iter().any(Ask::is_open)
    }

    /// Whether the player can make an attempt now.
    fn is_to_move(&self) -> bool {
        let journal = &self.record.journal;
        let n = journal.last();
        self.status == Some(GameStatus::Running)
            && !journal.asks.last().is_some_and(Ask::is_open)
            && self.told <= n
            && self
                .view
                .as_ref()
                .is_some_and(|view| view.n == n && view.to_move == Some(self.side))
    }

    /// Chooses an attempt and records it.
    fn attempt(&mut self, resigns: bool, dice: &mut Dice) -> ClientSays {
        let tries = self.view.as_ref().map(|view| view.tries.as_slice());
        let tries = tries.unwrap_or_default();
        let text = match u32::try_from(tries.len()) {
            Ok(count @ 1..) if !resigns => tries[dice.below(count) as usize].clone(),
            Ok(_) | Err(_) => RESIGN.to_owned(),
        };
        let color = match self.side {
            Side::White => "white",
            Side::Black => "black",
        };
        let journal = &mut self.record.journal;
        self.sent = Instant::now();
        let ask = Ask {
            id: format!("{color}-{}", journal.asks.len()),
            after: journal.last(),
            text,
            sent: self.sent,
            answer: None,
            answered: None,
            refused: None,
        };
        let says = says(&ask, &self.table.id);
        journal.asks.push(ask);
        says
    }

    /// Returns the request that is not answered yet, if there is one.
    fn open(&self) -> Option<ClientSays> {
        let ask = self
            .record
            .journal
            .asks
            .last()
            .filter(|ask| ask.is_open())?;
        Some(says(ask, &self.table.id))
    }

    /// Records that the game did not end in time.
    fn give_up(&mut self, timeout: Duration) {
        let journal = &mut self.record.journal;
        let seconds = timeout.as_secs();
        let fault = match journal.asks.last().filter(|ask| ask.is_open()) {
            Some(ask) => format!(
                "{}: no answer to `{}` (request {}) {seconds} s after the last attempts",
                journal.name, ask.text, ask.id
            ),
            None => format!(
                "{}: the end of the game was not heard {seconds} s after the last attempts",
                journal.name
            ),
        };
        journal.faults.push(fault);
    }

    /// Records a message.
    fn hear(&mut self, says: ServerSays, shared: &Shared) {
        match says {
            ServerSays::Heard { game, hearing } if game == self.table.id => {
                self.hear_hearing(hearing);
            }
            ServerSays::View { game, view } if game == self.table.id => self.view = Some(view),
            ServerSays::Game { game } if game.id == self.table.id => {
                self.status = Some(game.status);
            }
            ServerSays::Answer { id, n, answer, .. } => self.answered(&id, n, answer),
            ServerSays::Refused {
                id,
                game,
                code,
                why,
                ..
            } => {
                if code.is_temporary() {
                    shared.notes.change(|counts| counts.waits += 1);
                    self.again = Some(Instant::now() + RETRY_PAUSE);
                    self.reconnects = id.is_none();
                    return;
                }
                // Skip a message about an earlier game.
                if game.is_some_and(|game| game != self.table.id) {
                    return;
                }
                shared.notes.error(format_args!("refused: {why}"));
                let asks = &mut self.record.journal.asks;
                if let Some(ask) = asks.iter_mut().find(|ask| Some(&ask.id) == id.as_ref()) {
                    ask.refused = Some(code);
                }
            }
            ServerSays::Heard { .. }
            | ServerSays::View { .. }
            | ServerSays::Game { .. }
            | ServerSays::Welcome { .. }
            | ServerSays::Lobby { .. }
            | ServerSays::LobbyChanges { .. }
            | ServerSays::Message { .. }
            | ServerSays::Pong {}
            | ServerSays::Bye { .. } => {}
        }
    }

    fn hear_hearing(&mut self, hearing: HearingJson) {
        if has_move(&hearing) {
            let moved = &mut self.record.heard;
            if self.record.journal.asks.last().is_some_and(Ask::is_open) {
                // Only the player to move has an open request, so this move is the player's own
                // move.
                self.record.moves.push((moved.len(), self.sent));
            }
            moved.push(Instant::now());
        }
        self.record.journal.hear(hearing);
    }

    fn answered(&mut self, id: &str, n: Option<u32>, answer: String) {
        let asks = &mut self.record.journal.asks;
        let Some(ask) = asks.iter_mut().rev().find(|ask| ask.id == id) else {
            return;
        };
        if ask.is_open() {
            ask.answer = Some(answer);
            ask.answered = Some((Instant::now(), n));
            self.told = n.unwrap_or(0);
            // All resignations at the end come at once, faster than the wanted rate.
            if ask.text != RESIGN {
                self.record.answers.push(self.sent.elapsed());
            }
        }
    }
}

fn says(ask: &Ask, game: &str) -> ClientSays {
    ClientSays::Try {
        id: ask.id.clone(),
        game: game.to_owned(),
        after: ask.after,
        text: ask.text.clone(),
        ask: false,
    }
}
