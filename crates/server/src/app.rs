//! State that every request can reach.

use std::{sync::Arc, time::Duration};

use club::{AccountId, Club, ClubError, Code};
use tokio::{
    sync::{broadcast, watch},
    time::timeout,
};
use wire::{LobbyJson, ProgramJson};

use crate::{
    beliefs::BeliefReviews, built_in_bots::BuiltInBots, config::Config, known_hosts::KnownHosts,
    limit::Counter,
};

/// State that every request can reach: the club, the configuration, the counters.
#[derive(Clone)]
pub struct App(Arc<Inner>);

struct Inner {
    club: Club,
    config: Config,
    known_hosts: KnownHosts,
    counter: Counter,
    built_in_bots: BuiltInBots,
    belief_reviews: BeliefReviews,
    closing: watch::Sender<bool>,
    /// Tokens of sessions that end.
    ended: broadcast::Sender<Arc<str>>,
}

/// Interval between checks whether a session still lasts: it may run out, or end at
/// another club over the same store.
const SESSION_POLL_INTERVAL: Duration = Duration::from_secs(30);

impl App {
    /// A club, set up.
    ///
    /// # Errors
    /// The built-in bots get no accounts.
    pub async fn open(club: Club, config: Config) -> Result<App, ClubError> {
        let named = config.allow_hosts.iter().chain(&config.public_url);
        let known_hosts = KnownHosts::new(named.map(String::as_str));
        let built_in_bots = BuiltInBots::open(&club, &config.bots).await?;
        Ok(App(Arc::new(Inner {
            known_hosts,
            counter: Counter::new(config.limits),
            built_in_bots,
            belief_reviews: BeliefReviews::default(),
            closing: watch::Sender::new(false),
            ended: broadcast::Sender::new(256),
            club,
            config,
        })))
    }

    /// The club.
    pub fn club(&self) -> &Club {
        &self.0.club
    }

    /// The lobby as an account sees it, with the programs that can be challenged.
    ///
    /// # Errors
    /// The store cannot be read.
    pub async fn lobby_for(&self, reader: Option<AccountId>) -> Result<LobbyJson, ClubError> {
        let lobby = self.club().lobby_for(reader).await?;
        let bots = self.built_in_bots().all.iter();
        let programs = bots.map(|(bot, _)| ProgramJson {
            name: bot.name.to_owned(),
            about: bot.about.to_owned(),
        });
        Ok(present::lobby(&lobby, programs.collect()))
    }

    /// The configuration.
    pub fn config(&self) -> &Config {
        &self.0.config
    }

    /// Hosts under which people reach the club.
    pub fn known_hosts(&self) -> &KnownHosts {
        &self.0.known_hosts
    }

    /// Returns the counters of requests.
    pub fn counter(&self) -> &Counter {
        &self.0.counter
    }

    /// The built-in bots.
    pub fn built_in_bots(&self) -> &BuiltInBots {
        &self.0.built_in_bots
    }

    /// Beliefs of finished games.
    pub fn belief_reviews(&self) -> &BeliefReviews {
        &self.0.belief_reviews
    }

    /// Says that the club closes.
    pub fn close(&self) {
        self.0.closing.send_replace(true);
        self.0.belief_reviews.close();
    }

    /// Ends a session, and with it all that listens by it.
    ///
    /// # Errors
    /// As the club has it.
    pub async fn end_session(&self, token: &str) -> Result<(), ClubError> {
        let ended = self.club().end_session(token).await;
        if ended.is_ok() {
            // Perhaps nobody listens.
            let _none = self.0.ended.send(token.into());
        }
        ended
    }

    /// Returns when that session has ended; never, where there is none.
    pub async fn session_ends(&self, token: Option<&str>) {
        let Some(token) = token else {
            return std::future::pending().await;
        };
        let mut ended = self.0.ended.subscribe();
        loop {
            // Asked first: it may have ended before this began to listen.
            if let Err(error) = self.club().session(token).await
                && matches!(error.code, Code::SignIn | Code::NotFound | Code::Invalid)
            {
                return;
            }
            let named = async {
                // A receiver that lags checks the session.
                while let Ok(other) = ended.recv().await {
                    if *other == *token {
                        return;
                    }
                }
            };
            let _asks = timeout(SESSION_POLL_INTERVAL, named).await;
        }
    }

    /// Returns when the club closes.
    pub async fn closing(&self) {
        let mut closing = self.0.closing.subscribe();
        // The sender lives as long as this.
        let _ignored = closing.wait_for(|closing| *closing).await;
    }
}
