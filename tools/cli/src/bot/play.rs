//! A bot in a club: it accepts challenges, makes seeks, and plays with the
//! information that its seats hear.

use std::{
    pin::pin,
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Context, bail};
use arena::{Contestant, Program, ProgramPlayer, ProgramSeat};
use bots::{Player, Seed};
use client::{BotClient, BotPause, BotSettings, ClientEvent, RetryPolicy};
use notation::{choices_of, printable_lines};
use tokio::time::{interval, timeout};
use wire::{
    ChallengedJson, ClientSays, GameJson, GameStatus, LobbyJson, MeJson, NewChallengeJson,
    PlayerJson, RefusalCode, SeekJson, ServerSays, TermsJson,
};

use super::{
    super::{
        api::{Api, refused},
        usage,
    },
    Args,
    ladder::{self, Ladder},
};

/// Pauses between attempts to reconnect.
const POLICY: RetryPolicy = RetryPolicy {
    first_pause: Duration::from_secs(1),
    longest_pause: Duration::from_secs(30),
    ..RetryPolicy::DEFAULT
};

/// Time for the withdrawal of an offer when the bot ends.
const WITHDRAWAL_TIMEOUT: Duration = Duration::from_secs(10);

/// An offer that the lobby does not show after this time is made again.
const OFFER_TIMEOUT: Duration = Duration::from_secs(30);

/// A bot on the ladder looks at the seeks again after this time.
const LADDER_INTERVAL: Duration = Duration::from_secs(5);

/// Time of a program for one attempt.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(600);

/// Who plays.
pub(super) enum Kind {
    Bot(&'static bots::Bot),
    /// A program of the user, which plays all games.
    Program(Arc<Program>),
}

impl Kind {
    /// Starts the program, if the player is one.
    pub(super) fn new(contestant: &Contestant) -> anyhow::Result<Kind> {
        Ok(match contestant {
            Contestant::Bot(bot) => Kind::Bot(bot),
            Contestant::Program(line) => {
                let started = line.start();
                let started =
                    started.with_context(|| format!("`{contestant}` cannot be started"))?;
                Kind::Program(Arc::new(started))
            }
            Contestant::Weighted(_) => {
                return Err(usage("weights of a file are for the arena; name a bot"));
            }
        })
    }

    fn seat(&self, seed: Seed) -> Box<dyn Player> {
        match self {
            Kind::Bot(bot) => bot.seat(seed),
            Kind::Program(program) => {
                let seat = ProgramSeat::new(Arc::clone(program), seed, ANSWER_TIMEOUT);
                Box::new(ProgramPlayer(seat))
            }
        }
    }

    /// Why a program can play no more.
    fn fault(&self) -> Option<String> {
        match self {
            Kind::Bot(_) => None,
            Kind::Program(program) => program.fault(),
        }
    }
}

/// A bot in a club, with its settings.
pub(super) struct Play<'a> {
    pub(super) player: Arc<Kind>,
    pub(super) args: &'a Args,
    /// Terms of the games that the bot offers, if it offers games.
    pub(super) offers: Option<TermsJson>,
}

impl Play<'_> {
    /// Plays until enough games have ended, a signal ends the program, or the
    /// club refuses the bot.
    pub(super) async fn run(self, mut api: Api) -> anyhow::Result<()> {
        match &self.args.version {
            Some(version) => ladder::sign_in(&mut api, version).await?,
            None => api.ensure_session().await?,
        }
        let done = self.play(&api).await;
        if self.offers.is_some() {
            // Nobody may accept an offer and wait.
            let gone = timeout(WITHDRAWAL_TIMEOUT, self.withdraw(&api)).await;
            if !matches!(gone, Ok(Ok(()))) {
                say("the offer of a game could not be withdrawn: it expires at the club");
            }
        }
        done
    }

    async fn play(&self, api: &Api) -> anyhow::Result<()> {
        let settings = BotSettings {
            choices: |terms| choices_of(&terms.rules, terms.custom.as_deref()),
            pause: BotPause::EachAttempt(Duration::from_millis(self.args.think)),
            seed: None,
            accepts_offers: false,
            thinks_ahead: self.args.think_ahead,
        };
        let player = Arc::clone(&self.player);
        let seats = move |seed| player.seat(seed);
        let mut bot = BotClient::new(api.client(POLICY), seats, settings);
        bot.client().say(ClientSays::Lobby { on: true });
        let (mut own, mut ended) = (None::<String>, 0);
        let mut table = Offering {
            ladder: self.args.ranked.then(Ladder::default),
            made: None,
        };
        let mut signal = pin!(server::signal());
        let mut again = interval(LADDER_INTERVAL);
        loop {
            // A signal ends no request that is under way: its offer could not be withdrawn.
            let event = tokio::select! {
                event = bot.next() => event?,
                () = &mut signal => return Ok(()),
                _ = again.tick(), if self.args.ranked => {
                    // If the club does not answer, the bot reconnects.
                    if let Some(own) = &own
                        && let Ok(lobby) = api.get("/api/lobby").await
                    {
                        self.see(api, &mut bot, own, &lobby, &mut table).await?;
                    }
                    continue;
                }
            };
            match event {
                ClientEvent::Connected { you, .. } => {
                    let you = you.context("the club did not accept a session: give a token")?;
                    if own.replace(you.name.clone()).is_none() {
                        say(&format!("{} plays as {}", self.args.bot, you.name));
                        if self.args.challenge.is_none()
                            && self.args.seek.is_none()
                            && !self.args.no_accept
                        {
                            say("waiting for challenges");
                        }
                    }
                }
                // If the first connection fails, the program ends with the
                // reason. After a later failure, the bot reconnects.
                ClientEvent::Lost { why } if own.is_none() => bail!(why),
                ClientEvent::Lost { .. } => {}
                ClientEvent::Says(ServerSays::Lobby { lobby }) => {
                    let own = own.as_deref().unwrap_or_default();
                    self.see(api, &mut bot, own, &lobby, &mut table).await?;
                }
                ClientEvent::Says(ServerSays::Game { game }) => {
                    ended += u32::from(is_over(&mut bot, game));
                    if self.args.games.is_some_and(|most| ended >= most) {
                        return Ok(());
                    }
                    // A program that has ended resigns its games first.
                    if bot.games() == 0 && self.player.fault().is_some() {
                        bail!("the program can play no more games");
                    }
                }
                ClientEvent::Says(_) => {}
            }
        }
    }

    /// Handles a new state of the lobby: accepts challenges, takes seats, and offers a game.
    async fn see(
        &self,
        api: &Api,
        bot: &mut BotClient,
        own: &str,
        lobby: &LobbyJson,
        table: &mut Offering,
    ) -> anyhow::Result<()> {
        // On the ladder, a game of days with a stranger would end all others.
        let accepts = !self.args.no_accept && !self.args.ranked;
        for challenge in lobby
            .challenges
            .iter()
            .filter(|c| accepts && c.to.name == own)
        {
            // An error is ignored, because the challenge may have been withdrawn.
            let _accepted = api.accept("challenges", &challenge.id).await;
        }
        for row in &lobby.mine {
            if !bot.sits(&row.id) {
                bot.sit(&row.id);
                table.made = None;
                let is_own = |player: &&PlayerJson| player.name == own;
                let players = [&row.white, &row.black];
                if let Some(ladder) = &mut table.ladder
                    && let Some(opponent) = players.into_iter().find(|p| !is_own(p))
                {
                    ladder.plays(&opponent.name);
                }
            }
        }
        let Some(terms) = self.offers.as_ref().filter(|_| bot.games() == 0) else {
            return Ok(());
        };
        if let Some(fault) = self.player.fault() {
            bail!("the program can play no games: {fault}");
        }
        if let Some(ladder) = &mut table.ladder
            && let Some(seek) = ladder.choose(lobby, terms)
            // An error is ignored: another bot may have been faster.
            && api.accept("seeks", &seek.id).await.is_ok()
        {
            return self.withdraw(api).await;
        }
        let to = self.args.challenge.as_deref();
        let is_shown = match to {
            None => lobby.seeks.iter().any(|seek| seek.yours),
            Some(_) => lobby.challenges.iter().any(|c| c.by.name == own),
        };
        if is_shown {
            table.made = None;
        }
        if is_shown || table.made.is_some_and(|at| at.elapsed() < OFFER_TIMEOUT) {
            return Ok(());
        }
        let offered = match to {
            None => api.post::<SeekJson>("/api/seeks", terms).await.map(drop),
            Some(to) => {
                let challenge = NewChallengeJson {
                    to: to.to_owned(),
                    terms: terms.clone(),
                };
                let made = api.post::<ChallengedJson>("/api/challenges", &challenge);
                made.await.map(drop)
            }
        };
        match offered {
            Ok(()) => {
                table.made = Some(Instant::now());
                match to {
                    None => say(&format!("seeks a game under {}", terms.rules)),
                    Some(to) => say(&format!("challenges {to} under {}", terms.rules)),
                }
            }
            Err(error) => {
                let passes = refused(&error).is_none_or(RefusalCode::is_temporary);
                let error = error.context("the offer of a game was refused");
                if !passes {
                    return Err(error);
                }
                say(&format!("{error:#}"));
            }
        }
        Ok(())
    }

    /// Withdraws the offers that the bot makes. One that was accepted meanwhile is a game.
    async fn withdraw(&self, api: &Api) -> anyhow::Result<()> {
        let me: MeJson = api.get("/api/me").await?;
        let own = me.you.map(|you| you.name);
        let lobby: LobbyJson = api.get("/api/lobby").await?;
        let seeks = lobby.seeks.iter().filter(|seek| seek.yours);
        let seeks = seeks.map(|seek| ("seeks", &seek.id, &seek.terms));
        let challenges = lobby.challenges.iter();
        let challenges = challenges.filter(|challenge| Some(&challenge.by.name) == own.as_ref());
        let challenges = challenges.map(|one| ("challenges", &one.id, &one.terms));
        for (kind, id, terms) in seeks.chain(challenges) {
            if Some(terms) == self.offers.as_ref()
                && let Err(error) = api.delete(kind, id).await
                && refused(&error).is_none()
            {
                return Err(error);
            }
        }
        Ok(())
    }
}

/// What the bot has offered.
struct Offering {
    ladder: Option<Ladder>,
    /// Time of an offer that the lobby has not shown yet.
    made: Option<Instant>,
}

/// Prints a line on standard error. Escapes unprintable characters, because the line can contain
/// texts that the club sent.
fn say(line: &str) {
    eprintln!("{}", printable_lines(line));
}

/// Leaves a game that is over. Returns whether the bot had a seat in it.
fn is_over(bot: &mut BotClient, game: GameJson) -> bool {
    let is_over = game.status == GameStatus::Over && bot.leave(&game.id);
    if is_over {
        let words = game.over_words.unwrap_or_default();
        say(&format!("{}: {words}", game.id));
    }
    is_over
}
