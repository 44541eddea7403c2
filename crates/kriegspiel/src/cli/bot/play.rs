//! A bot at a club: it accepts, seeks, and plays by what its seats hear.

use std::time::Duration;

use anyhow::{Context, bail};
use client::{BotClient, BotPause, BotSettings, ClientEvent, RetryPolicy};
use kriegspiel::{bots, notation::choices_of};
use tokio::time::timeout;
use wire::{
    AcceptedJson, ClientSays, GameJson, GameStatus, LobbyJson, RefusalCode, SeekJson, ServerSays,
    TermsJson,
};

use super::super::api::{Api, refused};

/// No body of a request.
const NOTHING: Option<&()> = None;

/// When a lost connection is tried again.
const POLICY: RetryPolicy = RetryPolicy {
    first_pause: Duration::from_secs(1),
    longest_pause: Duration::from_secs(30),
    ..RetryPolicy::DEFAULT
};

/// What a bot does in a club.
pub(super) struct Play {
    /// The bot.
    pub(super) bot: &'static bots::Bot,
    /// Whether it accepts challenges.
    pub(super) accepts: bool,
    /// The terms under which it seeks games.
    pub(super) seeks: Option<TermsJson>,
    /// After how many games it ends.
    pub(super) games: Option<u32>,
    /// How long it waits before each attempt.
    pub(super) think: Duration,
}

impl Play {
    /// Plays until enough games have ended, or the program is sent away.
    pub(super) async fn run(self, mut api: Api) -> anyhow::Result<()> {
        api.be_somebody().await?;
        // The seek that stands, or did.
        let mut sought = None;
        let done = tokio::select! {
            done = self.play(&api, &mut sought) => done,
            () = server::signal() => Ok(()),
        };
        if let Some(seek) = sought {
            // Nobody shall accept it and wait. It may have been accepted.
            let path = format!("/api/seeks/{seek}");
            let withdrawn = api.ask_bytes("DELETE", &path, NOTHING);
            let _gone = timeout(Duration::from_secs(5), withdrawn).await;
        }
        done
    }

    async fn play(&self, api: &Api, sought: &mut Option<String>) -> anyhow::Result<()> {
        let settings = BotSettings {
            choices: |terms| choices_of(&terms.rules, terms.custom.as_deref()),
            pause: BotPause::EachAttempt(self.think),
            accepts_offers: false,
        };
        let bot = self.bot;
        let mut bot = BotClient::new(api.client(POLICY), move |seed| bot.seat(seed), settings);
        bot.client().say(ClientSays::Lobby { on: true });
        let (mut own, mut ended) = (None, 0);
        loop {
            match bot.next().await? {
                ClientEvent::Connected { you, .. } => {
                    let you = you.context("the club takes this for a visitor: give it a token")?;
                    if own.replace(you.name.clone()).is_none() {
                        eprintln!("{} plays as {}", self.bot.name, you.name);
                    }
                }
                // The first time somebody should know; later the club is away for a while.
                ClientEvent::Lost { why } if own.is_none() => bail!(why),
                ClientEvent::Lost { .. } => {}
                ClientEvent::Says(ServerSays::Lobby { lobby }) => {
                    let own = own.as_deref().unwrap_or_default();
                    self.see(api, &mut bot, sought, own, &lobby).await?;
                }
                ClientEvent::Says(ServerSays::Game { game }) => {
                    ended += u32::from(is_over(&mut bot, game));
                    if self.games.is_some_and(|most| ended >= most) {
                        return Ok(());
                    }
                }
                ClientEvent::Says(_) => {}
            }
        }
    }

    /// Sees the lobby: accepts, seeks, and sits down where it plays.
    async fn see(
        &self,
        api: &Api,
        bot: &mut BotClient,
        sought: &mut Option<String>,
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
            let _accepted = api.ask::<AcceptedJson>("POST", &path, NOTHING).await;
        }
        for row in &lobby.mine {
            if !bot.sits(&row.id) {
                bot.sit(&row.id);
            }
        }
        let seeking = lobby.seeks.iter().any(|seek| seek.yours);
        if let Some(terms) = &self.seeks
            && !seeking
            && bot.games() == 0
        {
            let made: anyhow::Result<SeekJson> = api.ask("POST", "/api/seeks", Some(terms)).await;
            match made {
                Ok(seek) => *sought = Some(seek.id),
                Err(error) => {
                    let passes = refused(&error).is_none_or(RefusalCode::is_temporary);
                    let error = error.context("no game is sought");
                    if !passes {
                        return Err(error);
                    }
                    eprintln!("{error:#}");
                }
            }
        }
        Ok(())
    }
}

/// Leaves a game that is over; whether it was one of the bot's.
fn is_over(bot: &mut BotClient, game: GameJson) -> bool {
    let is_over = game.status == GameStatus::Over && bot.leave(&game.id);
    if is_over {
        eprintln!("{}: {}", game.id, game.over_words.unwrap_or_default());
    }
    is_over
}
