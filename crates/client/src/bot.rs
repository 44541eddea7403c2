//! A bot that plays any number of games of one club over a client.

use std::{collections::HashMap, future::pending};

use bots::{Player, Seed};
use rules::Attempt;
use tokio::{
    task::{JoinSet, spawn_blocking},
    time::{Instant, sleep_until},
};
use wire::{ClientSays, Millis, ServerSays};

use crate::{
    client::{Client, ClientEvent, ClientRefused},
    seat::{BotSeat, BotSettings, Step},
};

/// Id of a game, with the player and the attempt that the player chose. `None` instead of player
/// and attempt if the player has panicked.
type Done = (String, Option<(Box<dyn Player>, Attempt)>);

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
    /// Server time in milliseconds since 1970, and the moment at which it was received.
    clock: (Millis, Instant),
}

impl BotClient {
    /// Creates a bot that uses this client. `players` creates a player for each game from a random
    /// seed.
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
            clock: (0, Instant::now()),
        }
    }

    /// Takes the bot's seat in a game and plays the game from now on.
    pub fn sit(&mut self, game: &str) {
        let player = (self.players)(Seed {
            seed: rand::random(),
            stream: 0,
        });
        let seat = BotSeat::new(game.to_owned(), player, self.settings);
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
                    // This task only waits for the blocking task that thinks, so it does not panic.
                    if let Ok((game, thought)) = thought
                        && let Some(seat) = self.seats.get_mut(&game)
                        && let Step::Say(says) = seat.attempt(thought)
                    {
                        self.client.say(says);
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
            match seat.step(now) {
                Step::Say(says) => self.client.say(says),
                Step::Think(thought) => {
                    let game = game.clone();
                    self.thoughts.spawn(async move {
                        // A player may think for a long time, so it runs on a blocking thread.
                        (game, spawn_blocking(|| thought.think()).await.ok())
                    });
                }
                Step::Wait(until) => wakes = Some(wakes.map_or(until, |at| at.min(until))),
                Step::Listen => {}
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
