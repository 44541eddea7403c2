//! Built-in bots: programs of the club itself, which accept every challenge immediately.

use std::{collections::HashMap, num::NonZero, sync::Arc, thread, time::Duration};

use bots::Bot;
use client::{BotPause, BotSettings, Client, ClientEvent, RetryPolicy, pipe};
use club::{Account, AccountId, Club, ClubError, ColorWish, GameId, Terms, TimeControl};
use notation::choices_of;
use rand::seq::IndexedRandom;
use rules::rulesets;
use tokio::{
    sync::{Mutex, MutexGuard, Semaphore},
    task::{AbortHandle, JoinSet},
    time::{Instant, sleep, sleep_until},
};
use wire::{GameJson, GameStatus, RefusalCode, ServerSays, Side};

use crate::{
    app::App,
    reader::{ConnectionCounters, Reader},
    refusal::Refusal,
    socket::Connection,
};

/// After the end of a game, a bot waits at the table for this time. The opponent can offer a
/// rematch.
const REMATCH_PERIOD: Duration = Duration::from_secs(15 * 60);

/// A bot stays at the table of a finished game for this time if the opponent is not there. This
/// time is short, because the club keeps the table in memory as long as the bot stays.
const ABSENCE_PERIOD: Duration = Duration::from_secs(60);

/// Interval between checks of the lobby while the lobby does not change.
const LOBBY_INTERVAL: Duration = Duration::from_secs(10);

/// Number of messages that can wait in a bot's connection, in each direction.
const PIPE_CAPACITY: usize = 64;

/// Policy for a bot's connection. It has no idle timeout, because nothing is sent while the
/// opponent thinks.
const POLICY: RetryPolicy = RetryPolicy {
    idle_timeout: None,
    ..RetryPolicy::DEFAULT
};

/// The built-in bots of a club, with their accounts.
pub struct BuiltInBots {
    /// Each bot that plays here, with its account.
    pub all: Vec<(&'static Bot, Account)>,
    accepting: Mutex<()>,
    /// Places for bots that think at the same time: one for each processor.
    places: Arc<Semaphore>,
    /// Place for the one bot that may think while its opponent is to move, or in an exhibition.
    place_ahead: Arc<Semaphore>,
}

impl BuiltInBots {
    /// Finds the accounts of the bots, and creates missing accounts.
    ///
    /// A bot does not play if another account has its name.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn open(club: &Club, bots: &[&'static Bot]) -> Result<BuiltInBots, ClubError> {
        let mut all = Vec::new();
        for &bot in bots {
            match club.program(bot.name).await {
                Ok(account) => {
                    if let Some(rating) = bot.rating {
                        let (points, deviation) = (rating.points.into(), rating.deviation());
                        club.fix_rating(&account, points, deviation).await?;
                    }
                    all.push((bot, account));
                }
                Err(error) if error.code == RefusalCode::Taken => tracing::warn!(
                    program = bot.name,
                    "this bot does not play here, because another account has its name; to start \
                     without this warning, name only the other bots with --bots, or write --bots none"
                ),
                Err(error) => return Err(error),
            }
        }
        let accepting = Mutex::new(());
        let processors = thread::available_parallelism().map_or(1, NonZero::get);
        let places = Arc::new(Semaphore::new(processors));
        Ok(BuiltInBots {
            all,
            accepting,
            places,
            place_ahead: Arc::new(Semaphore::new(1)),
        })
    }

    /// Locks the acceptance of challenges to the bots. While the guard exists, no other task
    /// accepts challenges to the bots.
    pub async fn accepting(&self) -> MutexGuard<'_, ()> {
        self.accepting.lock().await
    }
}

/// Accepts every challenge to a built-in bot and plays the games of the bots, including games that
/// began before this call. If another club that uses the same store plays a bot in a game, this club
/// does not play that game. Runs until dropped.
pub async fn run(app: &App) {
    let mut all = JoinSet::new();
    for (bot, account) in &app.built_in_bots().all {
        all.spawn(run_bot(app.clone(), bot, account.clone()));
    }
    if app.config().exhibition.is_some() {
        all.spawn(exhibit(app.clone()));
    }
    while all.join_next().await.is_some() {}
}

/// Checks that a name is not the name of a built-in bot, whether or not that bot plays here.
///
/// # Errors
/// If the name is that of a built-in bot.
pub fn check_not_ours(name: &str) -> Result<(), Refusal> {
    if bots::ALL.iter().any(|b| b.name.eq_ignore_ascii_case(name)) {
        return Err(Refusal::new(
            RefusalCode::Taken,
            "this name is kept for one of the club's own programs: choose another",
        )
        .because("name-reserved"));
    }
    Ok(())
}

/// While anybody is connected, begins a game of two bots whenever there is none.
async fn exhibit(app: App) {
    let (bots, club) = (&app.built_in_bots().all, app.club());
    loop {
        sleep(LOBBY_INTERVAL).await;
        let runs = |(_, account): &(_, Account)| !club.exhibitions(account.id).is_empty();
        if app.counter().connections.open() == 0 || bots.iter().any(runs) {
            continue;
        }
        let pair = bots.sample_array(&mut rand::rng());
        let ruleset = rulesets::ALL.choose(&mut rand::rng());
        let (Some([(_, one), (_, other)]), Some(ruleset)) = (pair, ruleset) else {
            return;
        };
        let terms = Terms {
            rules: ruleset.id.to_string(),
            custom: None,
            time: TimeControl::Unlimited,
            rated: false,
            color: ColorWish::Any,
        };
        if let Err(error) = club.exhibit(one.id, other.id, terms).await {
            tracing::warn!(%error, "two bots could not begin a game");
        }
    }
}

/// Runs one bot: accepts challenges, and starts a task for each game.
async fn run_bot(app: App, bot: &'static Bot, account: Account) {
    let mut lobby = app.club().lobby();
    let mut games: HashMap<GameId, AbortHandle> = HashMap::new();
    let mut playing: JoinSet<GameId> = JoinSet::new();
    loop {
        lobby.mark_unchanged();
        accept_all(&app, account.id).await;
        for game in app.club().bot_games(account.id) {
            games.entry(game).or_insert_with(|| {
                let is_exhibition = app.club().exhibitions(account.id).contains(&game);
                let playing_as = player(&app, bot, &account, is_exhibition);
                let rematch_period = match is_exhibition {
                    true => Duration::ZERO,
                    false => REMATCH_PERIOD,
                };
                playing.spawn(async move {
                    play(playing_as, game, rematch_period).await;
                    game
                })
            });
        }
        tokio::select! {
            changed = lobby.changed() => if changed.is_err() { return },
            Some(done) = playing.join_next() => {
                if let Ok(game) = done {
                    games.remove(&game);
                }
            }
            // After this time, the loop tries again to accept challenges that it could not accept.
            () = sleep(LOBBY_INTERVAL) => {}
        }
    }
}

/// Accepts every challenge to a bot.
async fn accept_all(app: &App, own: AccountId) {
    let club = app.club();
    let accepting = app.built_in_bots().accepting().await;
    let (_, challenges) = club.waiting_for(own);
    for offer in challenges {
        match club.accept(&offer, own).await {
            Ok(_) => {}
            // There are too many games, so the bot declines the challenge.
            Err(error) if error.code == RefusalCode::TooMany => {
                let _gone = club.decline(&offer, own).await;
            }
            // There are three possible reasons: the challenge was withdrawn; another club that uses
            // the same store has accepted it; or accepting it failed, and the bot tries again
            // later.
            Err(_) => {}
        }
    }
    drop(accepting);
}

/// Returns a bot with its own connection to this server. The server treats the bot like any other
/// client. In an exhibition, it takes no place from the bots that play with people.
fn player(
    app: &App,
    bot: &'static Bot,
    account: &Account,
    is_exhibition: bool,
) -> client::BotClient {
    let config = app.config();
    let BuiltInBots {
        places,
        place_ahead,
        ..
    } = app.built_in_bots();
    let place_ahead = Arc::clone(place_ahead);
    let (places, pause) = match (is_exhibition, config.exhibition) {
        (true, Some(pause)) => (Arc::clone(&place_ahead), pause.max(config.think)),
        (true, None) => (Arc::clone(&place_ahead), config.think),
        (false, _) => (Arc::clone(places), config.think),
    };
    let settings = BotSettings {
        choices: |terms| choices_of(&terms.rules, terms.custom.as_deref()),
        pause: BotPause::Drawn(pause),
        seed: config.bot_seed,
        accepts_offers: true,
        thinks_ahead: config.think_ahead && !is_exhibition,
    };
    let memory = config.bot_memory;
    let (app, account) = (app.clone(), account.clone());
    let connect = move || {
        let (ours, its) = pipe(PIPE_CAPACITY);
        let connection = Connection {
            app: app.clone(),
            reader: Reader(Some(account.clone())),
            token: None,
            address: None,
            counters: ConnectionCounters::default(),
        };
        tokio::spawn(connection.serve_pipe(its));
        async { Ok(ours) }
    };
    let client = Client::new(connect, POLICY);
    let seated = move |seed| {
        let mut player = bot.seat(seed);
        player.set_memory(memory);
        player
    };
    client::BotClient::new(client, seated, settings)
        .thinking_in(places)
        .thinking_ahead_in(place_ahead)
}

/// Plays a game. Afterwards, waits for the offer of a rematch, at most for `rematch_period`. If
/// the opponent is not at the table, the bot waits at most for [`ABSENCE_PERIOD`].
async fn play(mut bot: client::BotClient, game: GameId, rematch_period: Duration) {
    bot.sit(&game.to_string());
    let mut leaving = Leaving {
        rematch_period,
        over_since: None,
        alone_since: None,
    };
    loop {
        let leaves = leaving.at();
        tokio::select! {
            event = bot.next() => match event {
                Ok(ClientEvent::Says(ServerSays::Game { game })) => leaving.note(&game),
                // There is no such game, or it cannot be read.
                Ok(ClientEvent::Says(ServerSays::Refused { id: None, .. })) | Err(_) => return,
                Ok(ClientEvent::Connected { .. } | ClientEvent::Says(_) | ClientEvent::Lost { .. }) => {}
            },
            () = sleep_until(leaves.unwrap_or_else(Instant::now)), if leaves.is_some() => return,
        }
    }
}

/// Computes when a bot leaves the table of a finished game.
struct Leaving {
    rematch_period: Duration,
    over_since: Option<Instant>,
    /// Time since which the game has been over and the opponent has not been at the table.
    alone_since: Option<Instant>,
}

impl Leaving {
    /// Processes the facts of the game.
    fn note(&mut self, game: &GameJson) {
        if game.status != GameStatus::Over {
            return;
        }
        self.over_since.get_or_insert_with(Instant::now);
        let opponent_is_here = match game.seat {
            Some(Side::White) => game.black_here,
            Some(Side::Black) => game.white_here,
            None => false,
        };
        if opponent_is_here {
            self.alone_since = None;
        } else {
            self.alone_since.get_or_insert_with(Instant::now);
        }
    }

    /// Returns the time at which the bot leaves; `None` while the game is not over.
    fn at(&self) -> Option<Instant> {
        let alone = self.alone_since.map(|at| at + ABSENCE_PERIOD);
        let over = self.over_since.map(|at| at + self.rematch_period);
        [alone, over].into_iter().flatten().min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_bots_are_reserved() {
        for name in ["sparring", "Sparring", "RANDOM"] {
            let refused = check_not_ours(name).unwrap_err();
            assert_eq!(refused.code, RefusalCode::Taken);
        }
        assert_eq!(check_not_ours("sparring2"), Ok(()));
    }
}
