//! A bot in a club: it accepts challenges, makes seeks, and plays with the
//! information that its seats hear.

use std::{sync::Arc, time::Duration};

use anyhow::{Context, bail};
use arena::{Contestant, Program, ProgramPlayer, ProgramSeat};
use bots::{Player, Seed};
use client::{BotClient, BotPause, BotSettings, ClientEvent, RetryPolicy};
use notation::{choices_of, printable_lines};
use tokio::time::timeout;
use wire::{
    ClientSays, GameJson, GameStatus, LobbyJson, RefusalCode, SeekJson, ServerSays, TermsJson,
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
    /// Terms of the games that the bot seeks, if it seeks games.
    pub(super) seeks: Option<TermsJson>,
}

impl Play<'_> {
    /// Plays until enough games have ended, a signal ends the program, or the
    /// club refuses the bot.
    pub(super) async fn run(self, mut api: Api) -> anyhow::Result<()> {
        match &self.args.version {
            Some(version) => ladder::sign_in(&mut api, version).await?,
            None => api.ensure_session().await?,
        }
        let done = tokio::select! {
            done = self.play(&api) => done,
            () = server::signal() => Ok(()),
        };
        if self.seeks.is_some() {
            // Nobody may accept a seek and wait. The club knows the seek even if the answer that
            // names it had not come.
            let _gone = timeout(Duration::from_secs(5), withdraw(&api)).await;
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
        let (mut own, mut ended) = (None, 0);
        let mut ladder = self.args.ranked.then(Ladder::default);
        loop {
            match bot.next().await? {
                ClientEvent::Connected { you, .. } => {
                    let you = you.context("the club did not accept a session: give a token")?;
                    if own.replace(you.name.clone()).is_none() {
                        say(&format!("{} plays as {}", self.args.bot, you.name));
                    }
                }
                // If the first connection fails, the program ends with the
                // reason. After a later failure, the bot reconnects.
                ClientEvent::Lost { why } if own.is_none() => bail!(why),
                ClientEvent::Lost { .. } => {}
                ClientEvent::Says(ServerSays::Lobby { lobby }) => {
                    let own = own.as_deref().unwrap_or_default();
                    self.see(api, &mut bot, own, &lobby, ladder.as_mut())
                        .await?;
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

    /// Handles a new state of the lobby: accepts challenges, makes a seek, and
    /// takes seats.
    async fn see(
        &self,
        api: &Api,
        bot: &mut BotClient,
        own: &str,
        lobby: &LobbyJson,
        ladder: Option<&mut Ladder>,
    ) -> anyhow::Result<()> {
        for challenge in lobby
            .challenges
            .iter()
            .filter(|c| !self.args.no_accept && c.to.name == own)
        {
            // An error is ignored, because the challenge may have been withdrawn.
            let _accepted = api.accept("challenges", &challenge.id).await;
        }
        for row in &lobby.mine {
            if !bot.sits(&row.id) {
                bot.sit(&row.id);
            }
        }
        let seeking = lobby.seeks.iter().any(|seek| seek.yours);
        if let (Some(terms), Some(ladder)) = (&self.seeks, ladder)
            && bot.games() == 0
            && let Some(seek) = ladder.choose(lobby, terms)
            // An error is ignored: another bot may have been faster.
            && api.accept("seeks", &seek.id).await.is_ok()
        {
            return withdraw(api).await;
        }
        if let Some(terms) = &self.seeks
            && !seeking
            && bot.games() == 0
            && let Err(error) = api.post::<SeekJson>("/api/seeks", terms).await
        {
            let passes = refused(&error).is_none_or(RefusalCode::is_temporary);
            let error = error.context("the seek was refused");
            if !passes {
                return Err(error);
            }
            say(&format!("{error:#}"));
        }
        Ok(())
    }
}

/// Withdraws the bot's seeks.
async fn withdraw(api: &Api) -> anyhow::Result<()> {
    let lobby: LobbyJson = api.get("/api/lobby").await?;
    for seek in lobby.seeks.iter().filter(|seek| seek.yours) {
        api.delete("seeks", &seek.id).await?;
    }
    Ok(())
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
