//! State that is shared by all requests.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use club::{AccountId, Club, ClubError, Lobby};
use limits::network;
use tokio::{
    sync::{broadcast, watch},
    time::timeout,
};
use wire::{LobbyJson, ProgramJson, RatingJson, RefusalCode};

use crate::{
    built_in_bots::BuiltInBots, config::Config, known_hosts::KnownHosts, limit::Counter,
    mail::Mailer, renderings::Renderings, reviews::Reviews, studies::Studies, vapid::VapidKey,
};

/// Function that is called for every answer to an HTTP request. The arguments are the method, the
/// address of the route with its placeholders (`page` if no route matches), the status, and the
/// time from request to answer.
pub type Observer = Arc<dyn Fn(&str, &str, u16, Duration) + Send + Sync>;

/// State that is shared by all requests: the club, the configuration, the counters.
#[derive(Clone)]
pub struct App(Arc<Inner>);

struct Inner {
    club: Club,
    config: Config,
    known_hosts: KnownHosts,
    counter: Counter,
    built_in_bots: BuiltInBots,
    observer: Option<Observer>,
    reviews: Reviews,
    renderings: Renderings,
    studies: Studies,
    closing: watch::Sender<bool>,
    /// Tokens of sessions that were ended by this server.
    ended: broadcast::Sender<Arc<str>>,
    vapid: VapidKey,
    mailer: Option<Mailer>,
    /// The networks of the open sockets of each account that has any.
    sockets: Mutex<HashMap<AccountId, Vec<Option<IpAddr>>>>,
}

/// Interval between checks whether a session has expired. This interval matters only for sessions
/// that end by time. If somebody ends a session, here or at another club over the same store, the
/// session is checked at once.
const SESSION_POLL_INTERVAL: Duration = Duration::from_secs(30);

/// A socket of an account, which is counted as open.
pub struct OpenSocket {
    app: App,
    of: AccountId,
    network: Option<IpAddr>,
}

impl Drop for OpenSocket {
    fn drop(&mut self) {
        self.app.with_sockets(|open| {
            if let Some(networks) = open.get_mut(&self.of)
                && let Some(at) = networks.iter().position(|one| *one == self.network)
            {
                networks.swap_remove(at);
            }
            open.retain(|_, networks| !networks.is_empty());
        });
    }
}

impl App {
    /// Creates the state for a club that is to be served.
    ///
    /// # Errors
    /// If the accounts of the built-in bots cannot be created.
    pub async fn open(
        club: Club,
        config: Config,
        observer: Option<Observer>,
    ) -> Result<App, ClubError> {
        let named = config.allow_hosts.iter().chain(&config.public_url);
        let known_hosts = KnownHosts::new(named.map(String::as_str));
        let built_in_bots = BuiltInBots::open(&club, &config.bots).await?;
        let reviews = Reviews::default();
        Ok(App(Arc::new(Inner {
            known_hosts,
            counter: Counter::new(config.limits),
            built_in_bots,
            observer,
            studies: Studies::new(&reviews),
            reviews,
            renderings: Renderings::default(),
            vapid: VapidKey::open(&club).await?,
            mailer: config.mail.clone().map(Mailer::new),
            sockets: Mutex::default(),
            closing: watch::Sender::new(false),
            ended: broadcast::Sender::new(256),
            club,
            config,
        })))
    }

    /// Returns the club.
    pub fn club(&self) -> &Club {
        &self.0.club
    }

    /// Returns the lobby as an account sees it, with the built-in bots.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub async fn lobby_for(&self, reader: Option<AccountId>) -> Result<LobbyJson, ClubError> {
        Ok(self.lobby_json(&self.club().lobby_for(reader).await?))
    }

    /// Returns a lobby as JSON, with the built-in bots.
    pub fn lobby_json(&self, lobby: &Lobby) -> LobbyJson {
        let bots = self.built_in_bots().all.iter();
        let programs = bots.map(|(bot, _)| ProgramJson {
            name: bot.name.to_owned(),
            title: bot.title.to_owned(),
            about: bot.about.to_owned(),
            rating: bot.rating.map(|rating| RatingJson {
                points: rating.points,
                low: rating.low,
                high: rating.high,
            }),
        });
        present::lobby(lobby, programs.collect())
    }

    /// Returns the configuration.
    pub fn config(&self) -> &Config {
        &self.0.config
    }

    /// Returns the hosts under which people reach the club.
    pub fn known_hosts(&self) -> &KnownHosts {
        &self.0.known_hosts
    }

    /// Returns the counters of requests and connections.
    pub fn counter(&self) -> &Counter {
        &self.0.counter
    }

    /// Returns the built-in bots.
    pub fn built_in_bots(&self) -> &BuiltInBots {
        &self.0.built_in_bots
    }

    /// Returns the function that is called for every answer.
    pub fn observer(&self) -> Option<&Observer> {
        self.0.observer.as_ref()
    }

    /// Returns the value that computes and caches the beliefs of finished games.
    pub fn reviews(&self) -> &Reviews {
        &self.0.reviews
    }

    /// Returns the games of studies.
    pub fn studies(&self) -> &Studies {
        &self.0.studies
    }

    /// Returns the renderer of finished games.
    pub fn renderings(&self) -> &Renderings {
        &self.0.renderings
    }

    /// Returns the key that signs notices.
    pub fn vapid(&self) -> &VapidKey {
        &self.0.vapid
    }

    /// Returns the sender of mail, if the operator has set a server for it.
    pub fn mailer(&self) -> Option<&Mailer> {
        self.0.mailer.as_ref()
    }

    /// Counts a socket of an account as open until the returned value is dropped.
    pub fn open_socket(&self, of: AccountId, address: Option<IpAddr>) -> OpenSocket {
        let (app, network) = (self.clone(), address.map(network));
        app.with_sockets(|open| open.entry(of).or_default().push(network));
        OpenSocket { app, of, network }
    }

    /// Returns the accounts with an open socket from the network of an address.
    pub fn accounts_near(&self, address: IpAddr) -> Vec<AccountId> {
        let network = Some(network(address));
        self.with_sockets(|open| {
            let near = open.iter().filter(|(_, all)| all.contains(&network));
            near.map(|(account, _)| *account).collect()
        })
    }

    /// Whether an account has an open socket.
    pub fn has_socket(&self, account: AccountId) -> bool {
        self.with_sockets(|open| open.contains_key(&account))
    }

    /// Returns all accounts with an open socket.
    pub fn accounts_here(&self) -> Vec<AccountId> {
        self.with_sockets(|open| open.keys().copied().collect())
    }

    fn with_sockets<T>(
        &self,
        act: impl FnOnce(&mut HashMap<AccountId, Vec<Option<IpAddr>>>) -> T,
    ) -> T {
        // No code that holds the lock can panic.
        let sockets = self.0.sockets.lock();
        act(&mut sockets.unwrap_or_else(PoisonError::into_inner))
    }

    /// Announces that the club closes: sockets, open responses and computations end.
    pub fn close(&self) {
        self.0.closing.send_replace(true);
        self.0.reviews.queue().close();
    }

    /// Ends a session, and closes the sockets and open responses that use it.
    ///
    /// # Errors
    /// The same errors as for [`Club::end_session`].
    pub async fn end_session(&self, token: &str) -> Result<(), ClubError> {
        let ended = self.club().end_session(token).await;
        if ended.is_ok() {
            // The error means that there is no receiver.
            let _none = self.0.ended.send(token.into());
        }
        ended
    }

    /// Waits until the session of this token has ended. Never returns if there is no token.
    pub async fn session_ends(&self, token: Option<&str>) {
        let Some(token) = token else {
            return std::future::pending().await;
        };
        let mut ended = self.0.ended.subscribe();
        loop {
            // The session may have ended before this function subscribed, so it is checked now.
            let mut changes = self.club().account_changes();
            let account = match self.club().session(token).await {
                Ok(account) => Some(account.id),
                Err(error)
                    if matches!(
                        error.code,
                        RefusalCode::SignIn | RefusalCode::NotFound | RefusalCode::Invalid
                    ) =>
                {
                    return;
                }
                // The store fails; the session is checked again later.
                Err(_) => None,
            };
            let named = async {
                // If this receiver has missed a message, `recv` fails. Then this future ends, and
                // the session is checked again.
                while let Ok(other) = ended.recv().await {
                    if *other == *token {
                        return;
                    }
                }
            };
            let changed = async {
                match account {
                    Some(account) => changes.of(account).await,
                    None => std::future::pending().await,
                }
            };
            let ends = async {
                tokio::select! {
                    () = named => {}
                    () = changed => {}
                }
            };
            let _asks = timeout(SESSION_POLL_INTERVAL, ends).await;
        }
    }

    /// Waits until the club closes.
    pub async fn closing(&self) {
        let mut closing = self.0.closing.subscribe();
        // `self` holds the sender, so `wait_for` cannot fail.
        let _ignored = closing.wait_for(|closing| *closing).await;
    }
}
