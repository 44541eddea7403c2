//! A bot's games, played by what its seats hear.

use std::{collections::HashMap, error::Error, fmt, time::Duration};

use anyhow::{Context, bail};
use kriegspiel::{
    bots::{Bot, Player, Seed},
    notation::read_ruleset,
    rules::{Attempt, Choices, chess::Color, rulesets},
    views::PlayerView,
};
use tokio::time::{sleep, timeout};
use wire::{
    AcceptedJson, ClientSays, GameJson, GameStatus, LobbyJson, RefusalCode, SeekJson, ServerSays,
    TermsJson, Told,
};

use super::super::client::{Client, Socket, refused};

/// No body of a request.
const NOTHING: Option<&()> = None;

/// How often a bot may be turned down in one turn before it gives up.
const PATIENCE: u32 = 100;

/// The longest pause before a broken connection is tried again.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// What a bot does in a club.
pub(super) struct Play {
    /// The bot.
    pub(super) bot: &'static Bot,
    /// Whether it accepts challenges.
    pub(super) accepts: bool,
    /// The terms under which it seeks games.
    pub(super) seeks: Option<TermsJson>,
    /// After how many games it ends.
    pub(super) games: Option<u32>,
    /// How long it waits before each attempt.
    pub(super) think: Duration,
}

/// A seat in one game.
struct Seat {
    color: Color,
    choices: Choices,
    view: PlayerView,
    player: Box<dyn Player>,
    /// The number of the last thing heard.
    heard: u32,
    /// The attempt that is not yet answered: its id, and what was said.
    open: Option<(String, u32, String)>,
    turned_down: u32,
}

/// The games, over all connections.
#[derive(Default)]
struct Games {
    seats: HashMap<String, Seat>,
    ended: u32,
    /// The seek that stands, or did.
    sought: Option<String>,
}

/// The club takes no such seek, now or later.
#[derive(Debug)]
struct NotSought(anyhow::Error);

impl fmt::Display for NotSought {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no game is sought: {:#}", self.0)
    }
}

impl Error for NotSought {}

impl Play {
    /// Plays until enough games have ended, or the program is sent away.
    pub(super) async fn run(self, mut client: Client) -> anyhow::Result<()> {
        client.be_somebody().await?;
        let mut games = Games::default();
        let sent_away = server::signal();
        let done = tokio::select! {
            done = self.play(&client, &mut games) => done,
            () = sent_away => Ok(()),
        };
        if let Some(seek) = games.sought {
            // Nobody shall accept it and wait. It may have been accepted.
            let path = format!("/api/seeks/{seek}");
            let withdrawn = client.ask_bytes("DELETE", &path, NOTHING);
            let _gone = timeout(Duration::from_secs(5), withdrawn).await;
        }
        done
    }

    async fn play(&self, client: &Client, games: &mut Games) -> anyhow::Result<()> {
        let mut pause = Duration::from_secs(1);
        let mut first = true;
        loop {
            let connected = match client.socket().await {
                Ok(socket) => self.listen(client, socket, games).await,
                // The first time somebody should know; later the club is away for a while.
                Err(error) if first => return Err(error),
                Err(_) => Ok(false),
            };
            if connected? {
                return Ok(());
            }
            if std::mem::take(&mut first) {
                pause = Duration::from_secs(1);
            }
            sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    /// Plays over one connection; whether all is done.
    async fn listen(
        &self,
        client: &Client,
        mut socket: Socket,
        games: &mut Games,
    ) -> anyhow::Result<bool> {
        let Some(ServerSays::Welcome { you, .. }) = socket.next().await? else {
            return Ok(false);
        };
        let own = you
            .context("the club takes this for a visitor: give it a token")?
            .name;
        for (game, seat) in &games.seats {
            let (game, after) = (game.clone(), seat.heard);
            if socket
                .say(&ClientSays::Watch { game, after })
                .await
                .is_err()
            {
                return Ok(false);
            }
        }
        if games.seats.is_empty() && games.ended == 0 {
            eprintln!("{} plays as {own}", self.bot.name);
        }
        for (game, seat) in &games.seats {
            // The same again is not judged again.
            if let Some(again) = seat.open_try(game)
                && socket.say(&again).await.is_err()
            {
                return Ok(false);
            }
        }
        socket.say(&ClientSays::Lobby { on: true }).await?;
        while let Ok(Some(says)) = socket.next().await {
            let said = match says {
                ServerSays::Lobby { lobby } => {
                    self.see(client, &mut socket, games, &own, &lobby).await
                }
                ServerSays::Heard { game, hearing } => {
                    if let Some(seat) = games.seats.get_mut(&game) {
                        seat.hear(&hearing)?;
                    }
                    Ok(())
                }
                ServerSays::View { game, view } => match games.seats.get_mut(&game) {
                    Some(seat) if seat.heard == view.n => {
                        self.attempt(&mut socket, &game, seat).await
                    }
                    Some(_) | None => Ok(()),
                },
                ServerSays::Answer { id, game, n, .. } => match games.seats.get_mut(&game) {
                    Some(seat) if seat.open.as_ref().is_some_and(|open| open.0 == id) => {
                        seat.open = None;
                        // What it heard upon it comes first; if not, it is still to come.
                        if n.is_some_and(|n| n <= seat.heard) {
                            self.attempt(&mut socket, &game, seat).await
                        } else {
                            Ok(())
                        }
                    }
                    Some(_) | None => Ok(()),
                },
                ServerSays::Refused {
                    id: Some(id), code, ..
                } => self.refused(&mut socket, games, &id, code).await,
                ServerSays::Game { game } => {
                    if game.status == GameStatus::Over && games.seats.remove(&game.id).is_some() {
                        games.ended += 1;
                        eprintln!("{}: {}", game.id, game.over_words.unwrap_or_default());
                        let leave = ClientSays::Leave { game: game.id };
                        socket.say(&leave).await
                    } else {
                        Ok(())
                    }
                }
                ServerSays::Refused { id: None, .. }
                | ServerSays::Welcome { .. }
                | ServerSays::Pong {}
                | ServerSays::Bye { .. } => Ok(()),
            };
            if self.games.is_some_and(|most| games.ended >= most) {
                return Ok(true);
            }
            match said {
                Ok(()) => {}
                Err(error) if error.is::<NotSought>() => return Err(error),
                Err(_) => return Ok(false),
            }
        }
        Ok(false)
    }

    /// Sees the lobby: accepts, seeks, and sits down where it plays.
    async fn see(
        &self,
        client: &Client,
        socket: &mut Socket,
        games: &mut Games,
        own: &str,
        lobby: &LobbyJson,
    ) -> anyhow::Result<()> {
        for challenge in lobby
            .challenges
            .iter()
            .filter(|c| self.accepts && c.to.name == own)
        {
            let path = format!("/api/challenges/{}/accept", challenge.id);
            // Somebody may have taken it back.
            let _accepted = client.ask::<AcceptedJson>("POST", &path, NOTHING).await;
        }
        for row in &lobby.mine {
            if !games.seats.contains_key(&row.id) {
                let path = format!("/api/games/{}", row.id);
                let game: GameJson = client.ask("GET", &path, NOTHING).await?;
                let seat = Seat::take(self.bot, &game)?;
                games.seats.insert(row.id.clone(), seat);
                let game = row.id.clone();
                socket.say(&ClientSays::Watch { game, after: 0 }).await?;
            }
        }
        let seeking = lobby.seeks.iter().any(|seek| seek.yours);
        if let Some(terms) = &self.seeks
            && !seeking
            && games.seats.is_empty()
        {
            let sought: anyhow::Result<SeekJson> =
                client.ask("POST", "/api/seeks", Some(terms)).await;
            match sought {
                Ok(seek) => games.sought = Some(seek.id),
                Err(error) => {
                    let passes = matches!(
                        refused(&error),
                        None | Some(RefusalCode::TooMany | RefusalCode::Unavailable)
                    );
                    let error = NotSought(error);
                    if !passes {
                        return Err(error.into());
                    }
                    eprintln!("{error}");
                }
            }
        }
        Ok(())
    }

    async fn attempt(
        &self,
        socket: &mut Socket,
        game: &str,
        seat: &mut Seat,
    ) -> anyhow::Result<()> {
        if seat.open.is_some() || seat.view.to_move() != Some(seat.color) {
            return Ok(());
        }
        sleep(self.think).await;
        let attempt = if seat.turned_down < PATIENCE {
            seat.player.attempt(&seat.view, &seat.view.tries())
        } else {
            Attempt::Resign
        };
        let id = format!("{:016x}", chance());
        seat.open = Some((id, seat.heard, attempt.to_string()));
        match seat.open_try(game) {
            Some(says) => socket.say(&says).await,
            None => Ok(()),
        }
    }

    async fn refused(
        &self,
        socket: &mut Socket,
        games: &mut Games,
        id: &str,
        code: RefusalCode,
    ) -> anyhow::Result<()> {
        let found = games
            .seats
            .iter_mut()
            .find(|(_, seat)| seat.open.as_ref().is_some_and(|open| open.0 == id));
        let Some((game, seat)) = found else {
            return Ok(());
        };
        let game = game.clone();
        if matches!(code, RefusalCode::TooMany | RefusalCode::Unavailable) {
            // The club cannot now: the same again.
            sleep(Duration::from_secs(1)).await;
            return match seat.open_try(&game) {
                Some(says) => socket.say(&says).await,
                None => Ok(()),
            };
        }
        seat.open = None;
        let waits = matches!(
            code,
            RefusalCode::Stale
                | RefusalCode::NotYourTurn
                | RefusalCode::GameOver
                | RefusalCode::Adjourned
        );
        if waits {
            // What has changed is told.
            return Ok(());
        }
        seat.turned_down += 1;
        self.attempt(socket, &game, seat).await
    }
}

impl Seat {
    fn take(bot: &Bot, game: &GameJson) -> anyhow::Result<Seat> {
        let Some(side) = game.seat else {
            bail!("{} is played by others", game.id);
        };
        let choices = match (&game.terms.custom, rulesets::by_id(&game.terms.rules)) {
            (Some(text), _) => read_ruleset(text)?.choices,
            (None, Some(ruleset)) => ruleset.choices,
            (None, None) => bail!("the ruleset `{}` is not known here", game.terms.rules),
        };
        let color = Color::from(side);
        let seed = Seed {
            seed: chance(),
            stream: 0,
        };
        Ok(Seat {
            color,
            choices,
            view: PlayerView::initial(choices, color),
            player: bot.seat(seed),
            heard: 0,
            open: None,
            turned_down: 0,
        })
    }

    fn hear(&mut self, hearing: &wire::HearingJson) -> anyhow::Result<()> {
        if hearing.n <= self.heard {
            return Ok(());
        }
        self.heard = hearing.n;
        self.turned_down = 0;
        for json in &hearing.heard {
            match Told::try_from(json)?.under(&self.choices) {
                Told::Start(start) => {
                    self.view = PlayerView::open(self.choices, self.color, &start);
                }
                Told::Heard(heard) => {
                    self.view.hear(&heard);
                    if self.player.hears() {
                        self.player.hear(&heard);
                    }
                }
            }
        }
        Ok(())
    }

    fn open_try(&self, game: &str) -> Option<ClientSays> {
        let (id, after, text) = self.open.clone()?;
        Some(ClientSays::Try {
            id,
            game: game.to_owned(),
            after,
            text,
        })
    }
}

/// A number that nobody foresees.
fn chance() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(0)
}
