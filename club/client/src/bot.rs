//! A bot that plays any number of games of one club over a client.

use std::{collections::HashMap, future::pending, sync::Arc, time::Duration};

use bots::{Player, Seed};
use tokio::{
    sync::Semaphore,
    task::{JoinSet, spawn_blocking},
    time::{Instant, sleep_until, timeout_at},
};
use wire::{ClientSays, Millis, RefusalCode, ServerSays};

use crate::{
    client::{Client, ClientEvent, ClientRefused},
    seat::{BotSeat, BotSettings, Step},
    thought::{ForeThought, Thinker, Thought},
};

/// Id of a game, and the player when it has finished thinking; `None` if the player has panicked.
type Done = (String, Option<Thinker>);

/// The number of players that think at the same time can be limited. Then a player needs a place to
/// think. This constant is for a player that thinks without a time limit: the wait for a place and
/// the use of the place together end after this time. Then the player thinks without a place.
const MAX_UNTIMED_PLACE: Duration = Duration::from_secs(1);

/// A bot that plays over a [`Client`].
///
/// The bot plays only the games that were passed to [`sit`](BotClient::sit). If the player of a
/// game panics, the bot resigns this game.
pub struct BotClient {
    client: Client,
    players: Box<dyn FnMut(Seed) -> Box<dyn Player> + Send>,
    settings: BotSettings,
    seats: HashMap<String, BotSeat>,
    thoughts: JoinSet<Done>,
    /// Free places for players that want to think; `None` if the number of places is not limited.
    places: Option<Arc<Semaphore>>,
    /// Free places for players that want to think ahead; `None` if the number of places is not
    /// limited.
    places_ahead: Option<Arc<Semaphore>>,
    /// Server time in milliseconds since 1970, and the moment at which it was received.
    clock: (Millis, Instant),
}

impl BotClient {
    /// Creates a bot that uses this client. `players` creates a player for each game, from the seed
    /// of this game.
    pub fn new(
        client: Client,
        players: impl FnMut(Seed) -> Box<dyn Player> + Send + 'static,
        settings: BotSettings,
    ) -> BotClient {
        BotClient {
            client,
            players: Box::new(players),
            settings,
            seats: HashMap::new(),
            thoughts: JoinSet::new(),
            places: None,
            places_ahead: None,
            clock: (0, Instant::now()),
        }
    }

    /// Limits the number of players that think at the same time: each of them needs one of the
    /// `places`. All bots with the same `places` share one limit. A player waits for a place at
    /// most until the bot's pause ends. At the end of the pause, the player gives the place back,
    /// even if it still thinks. So a slow player does not delay the other players for long.
    pub fn thinking_in(self, places: Arc<Semaphore>) -> BotClient {
        BotClient {
            places: Some(places),
            ..self
        }
    }

    /// Limits the number of players that think ahead at the same time. All bots with the same
    /// `places` share one limit.
    pub fn thinking_ahead_in(self, places: Arc<Semaphore>) -> BotClient {
        BotClient {
            places_ahead: Some(places),
            ..self
        }
    }

    /// Takes the bot's seat in a game and plays the game from now on.
    pub fn sit(&mut self, game: &str) {
        let seed = self.settings.seed.unwrap_or_else(rand::random);
        let player = (self.players)(Seed { seed, stream: 0 });
        let seat = BotSeat::new(game.to_owned(), player, self.settings, seed);
        self.seats.insert(game.to_owned(), seat);
        self.client.say(ClientSays::Watch {
            game: game.to_owned(),
            after: 0,
        });
    }

    /// Stops playing a game. Returns whether the bot was playing it.
    pub fn leave(&mut self, game: &str) -> bool {
        let was = self.seats.remove(game).is_some();
        if was {
            self.client.say(ClientSays::Leave {
                game: game.to_owned(),
            });
        }
        was
    }

    /// Whether the bot plays this game.
    pub fn sits(&self, game: &str) -> bool {
        self.seats.contains_key(game)
    }

    /// Returns the number of games that the bot plays.
    pub fn games(&self) -> usize {
        self.seats.len()
    }

    /// Returns the client, for other messages.
    pub fn client(&mut self) -> &mut Client {
        &mut self.client
    }

    /// Plays all games until the [`Client`] has an event, and returns the event after the seats
    /// have processed it. Cancel safe: the future may be dropped and the method called again.
    ///
    /// # Errors
    /// If the server refuses this client permanently.
    pub async fn next(&mut self) -> Result<ClientEvent, ClientRefused> {
        loop {
            let wakes = self.step();
            let wake = async {
                match wakes {
                    Some(at) => sleep_until(at).await,
                    None => pending().await,
                }
            };
            tokio::select! {
                event = self.client.next() => {
                    let event = event?;
                    self.hear(&event);
                    return Ok(event);
                }
                Some(thought) = self.thoughts.join_next() => {
                    // The joined task does not panic. It only waits for the blocking task in which
                    // the player thinks.
                    if let Ok((game, thinker)) = thought
                        && let Some(seat) = self.seats.get_mut(&game)
                    {
                        seat.has_thought(thinker);
                    }
                }
                () = wake => {}
            }
        }
    }

    /// Lets each seat do what it can do now. Returns the time at which this function must be called
    /// again if no message comes before.
    fn step(&mut self) -> Option<Instant> {
        let (told, at) = self.clock;
        let passed = Millis::try_from(at.elapsed().as_millis()).unwrap_or(Millis::MAX);
        let now = told.saturating_add(passed);
        let mut wakes: Option<Instant> = None;
        for (game, seat) in &mut self.seats {
            loop {
                match seat.step(now) {
                    Step::Say(says) => self.client.say(says),
                    Step::Think(thought) => {
                        let (game, places) = (game.clone(), self.places.clone());
                        self.thoughts
                            .spawn(async move { (game, think(*thought, places).await) });
                    }
                    Step::ThinkAhead(thought) => {
                        let (game, places) = (game.clone(), self.places_ahead.clone());
                        self.thoughts
                            .spawn(async move { (game, think_ahead(*thought, places).await) });
                    }
                    Step::Wait(until) => {
                        wakes = Some(wakes.map_or(until, |at| at.min(until)));
                        break;
                    }
                    Step::Listen => break,
                }
            }
        }
        wakes
    }

    fn hear(&mut self, event: &ClientEvent) {
        match event {
            ClientEvent::Connected { now, .. } => self.clock = (*now, Instant::now()),
            ClientEvent::Says(says) => self.hear_server(says),
            ClientEvent::Lost { .. } => {}
        }
    }

    fn hear_server(&mut self, says: &ServerSays) {
        match says {
            ServerSays::Game { game } => self.at(&game.id, |seat| seat.facts(game)),
            ServerSays::Heard { game, hearing } => self.at(game, |seat| seat.hear(hearing)),
            ServerSays::View { game, view } => self.at(game, |seat| seat.complete(view.n)),
            ServerSays::Answer { id, game, n, .. } => self.at(game, |seat| seat.answered(id, *n)),
            ServerSays::Refused {
                id: Some(id), code, ..
            } => self
                .seats
                .values_mut()
                .for_each(|seat| seat.refused(id, *code)),
            // The club has lost the last hearings of the seat, so what the player heard is no
            // longer right. A new player hears the game from the beginning.
            ServerSays::Refused {
                id: None,
                game: Some(game),
                code: RefusalCode::Invalid,
                ..
            } => {
                if self.seats.get(game).is_some_and(BotSeat::has_heard) {
                    self.sit(game);
                }
            }
            ServerSays::Refused { id: None, .. }
            | ServerSays::Welcome { .. }
            | ServerSays::Lobby { .. }
            | ServerSays::LobbyChanges { .. }
            | ServerSays::Message { .. }
            | ServerSays::Pong {}
            | ServerSays::Bye { .. } => {}
        }
    }

    fn at(&mut self, game: &str, hears: impl FnOnce(&mut BotSeat)) {
        if let Some(seat) = self.seats.get_mut(game) {
            hears(seat);
        }
    }
}

/// Lets a player think as soon as there is a place for it. If the time for thinking is limited and
/// no place becomes free in this time, the player hears what is new and does not think. The player
/// runs on a blocking thread, because thinking may take long. Returns `None` if the player has
/// panicked.
async fn think(thought: Thought, places: Option<Arc<Semaphore>>) -> Option<Thinker> {
    let ends = thought
        .ends()
        .unwrap_or_else(|| Instant::now() + MAX_UNTIMED_PLACE);
    let place = match places {
        None => None,
        Some(places) => match timeout_at(ends, places.acquire_owned()).await {
            // The semaphore is never closed, so there is no error.
            Ok(place) => place.ok(),
            Err(_) if thought.ends().is_some() => {
                return spawn_blocking(|| thought.hear_only()).await.ok();
            }
            Err(_) => None,
        },
    };
    let mut thinking = spawn_blocking(|| thought.think());
    if let Ok(done) = timeout_at(ends, &mut thinking).await {
        return done.ok();
    }
    drop(place);
    thinking.await.ok()
}

/// Lets a player think ahead when there is a place for it, until the opponent has moved. Returns
/// `None` if the player has panicked.
async fn think_ahead(thought: ForeThought, places: Option<Arc<Semaphore>>) -> Option<Thinker> {
    let stop = thought.stop.clone();
    let _place = match places {
        None => None,
        Some(places) => tokio::select! {
            // The semaphore is never closed, so there is no error.
            place = places.acquire_owned() => place.ok(),
            () = stop.stopped() => None,
        },
    };
    spawn_blocking(|| thought.think()).await.ok()
}
