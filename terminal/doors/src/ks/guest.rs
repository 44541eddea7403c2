//! The guest's end. This end calls the host, and reconnects whenever the connection breaks, until
//! the game is over.

use std::{io, time::Duration};

use rules::chess::Color;
use tokio::{
    sync::mpsc,
    time::{interval, sleep, timeout},
};
use wire::{ClientSays, ServerSays};

use super::{
    channel::{ByteStream, Channel, ChannelError, Timeouts},
    coin::{Agreed, CoinShare, Endpoint},
    key::GameKey,
    options::Wishes,
    says::{GuestSays, Hello, HostSays, VERSION, plain},
    state_file::{AgreedGame, GuestState, StateFile},
};

/// Shortest pause before the host is called again.
const MIN_RETRY_INTERVAL: Duration = Duration::from_millis(250);
/// Longest pause before the host is called again.
const MAX_RETRY_INTERVAL: Duration = Duration::from_secs(2);
/// Longest time between two pings. The host's limit of silence can be shorter than the guest's, so
/// pings must be frequent.
const MAX_PING_INTERVAL: Duration = Duration::from_secs(1);

/// Shown if the key has matched once, and later another program answers. That program has another
/// key, or does not speak this protocol.
const OTHER_PROGRAM: &str =
    "another program answers there, or the host has started a new game (then use --new here too)";

/// Error that ends the guest's run.
#[derive(Debug, thiserror::Error)]
pub enum GuestEnd {
    /// The guest's state cannot be written to disk.
    #[error("the game cannot be saved: {0}")]
    Io(#[from] io::Error),
    /// No channel to the host can be opened, or a message of the host came out of order.
    #[error(transparent)]
    Channel(#[from] ChannelError),
    /// The host refuses the guest; holds the host's reason.
    #[error("the other end says: {0}")]
    Bye(String),
    /// The host broke the rules of the coin toss, or does not keep to the result; holds the reason.
    #[error("{0}")]
    Coin(&'static str),
}

/// Result of one call.
enum Call {
    /// The connection broke.
    Broken(ChannelError),
    /// The player has left, or has received the end of the game.
    Done,
}

/// The guest's end of a game.
#[derive(Debug)]
pub struct Guest {
    /// Name of this end's player.
    pub me: String,
    /// Name of the opponent.
    pub opponent: String,
    /// Wishes of this end's player for a new game.
    pub wishes: Wishes,
    /// Key of the game.
    pub key: GameKey,
    /// Time limits of the connection.
    pub timeouts: Timeouts,
    /// State of the game, in a file.
    pub state: StateFile<GuestState>,
}

impl Guest {
    /// Calls the host, and calls again when the connection breaks, until the
    /// player has received the end of the game. `player` is the channel to this
    /// end's player; `news` are lines for the same player.
    ///
    /// After the key has matched once, another program may later answer at the host's port. The
    /// answer of that program is treated like a broken connection. Only an answer that is encrypted
    /// with the key comes from the host.
    ///
    /// # Errors
    /// - The key does not fit, or another program answers before the key has matched once.
    /// - The host refuses the guest.
    /// - The coin toss is not valid.
    /// - The state cannot be written to disk.
    pub async fn play<S, F>(
        mut self,
        connect: impl Fn() -> F,
        mut player: Channel<GuestSays, HostSays>,
        news: mpsc::UnboundedSender<String>,
    ) -> Result<(), GuestEnd>
    where
        S: ByteStream,
        F: Future<Output = io::Result<S>>,
    {
        let mut pause = MIN_RETRY_INTERVAL;
        let mut last_reason = String::new();
        let state = self.state.value();
        let mut has_fitted = state.game.is_some() || state.bound.is_some();
        loop {
            let called = match connect().await {
                Ok(stream) => match Channel::call(stream, &self.key, self.timeouts).await {
                    Ok(line) => {
                        pause = MIN_RETRY_INTERVAL;
                        has_fitted = true;
                        self.talk(line, &mut player).await?
                    }
                    Err(error @ (ChannelError::WrongKey | ChannelError::NotKs)) if !has_fitted => {
                        return Err(error.into());
                    }
                    Err(error) => Call::Broken(error),
                },
                Err(error) => {
                    let why = if error.kind() == io::ErrorKind::ConnectionRefused {
                        "nobody listens there".to_owned()
                    } else if error.kind() == io::ErrorKind::TimedOut {
                        "that machine does not answer".to_owned()
                    } else {
                        error.to_string()
                    };
                    self.tell(&news, &mut last_reason, &why);
                    Call::Broken(ChannelError::Gone)
                }
            };
            match called {
                Call::Done => return Ok(()),
                Call::Broken(error) => {
                    player.say(HostSays::Here { here: false });
                    if matches!(error, ChannelError::WrongKey | ChannelError::NotKs) {
                        self.tell(&news, &mut last_reason, OTHER_PROGRAM);
                    } else if error == ChannelError::Busy || pause == MIN_RETRY_INTERVAL {
                        self.tell(&news, &mut last_reason, &error.to_string());
                    }
                }
            }
            sleep(pause).await;
            pause = (pause * 2).min(MAX_RETRY_INTERVAL);
        }
    }

    /// Tells the player why this end calls again, unless the previous line gave
    /// the same reason.
    fn tell(&self, news: &mpsc::UnboundedSender<String>, last_reason: &mut String, why: &str) {
        if last_reason != why {
            why.clone_into(last_reason);
            let line = format!(
                "{}: {why}. The program tries again until it is connected.",
                self.opponent
            );
            let _gone = news.send(line);
        }
    }

    /// Talks to the host until the connection ends or the player leaves.
    async fn talk(
        &mut self,
        mut line: Channel<HostSays, GuestSays>,
        player: &mut Channel<GuestSays, HostSays>,
    ) -> Result<Call, GuestEnd> {
        let state = self.state.value();
        line.say(GuestSays::Hello(Hello {
            version: VERSION,
            name: self.me.clone(),
            wants: self.opponent.clone(),
            game: state.game.as_ref().map(|game| game.game.clone()),
        }));
        let mut pings = interval((self.timeouts.silence / 3).min(MAX_PING_INTERVAL));
        let mut sits = false;
        loop {
            tokio::select! {
                said = line.next() => match said {
                    Ok(says) => {
                        sits |= matches!(says, HostSays::Seated(_));
                        self.hear(says, &line, player)?;
                    }
                    Err(error) => return Ok(Call::Broken(error)),
                },
                asked = player.next() => match asked {
                    Ok(GuestSays::Ended {}) => {
                        // If this message is lost, the host learns from the
                        // guest's next call that the guest has ended the game.
                        self.state.change(|state| state.game = None)?;
                        line.say(GuestSays::Ended {});
                        // The host closes the connection when it has received
                        // the message.
                        let heard = async { while line.next().await.is_ok() {} };
                        let _late = timeout(Duration::from_secs(5), heard).await;
                        return Ok(Call::Done);
                    }
                    // Until the guest has its seat, requests of the player are dropped. The player
                    // sends these requests again later.
                    Ok(_) if !sits => {}
                    Ok(asked) => line.say(asked),
                    Err(_) => return Ok(Call::Done),
                },
                _ = pings.tick() => line.say(ClientSays::Ping {}),
            }
        }
    }

    fn hear(
        &mut self,
        says: HostSays,
        line: &Channel<HostSays, GuestSays>,
        player: &Channel<GuestSays, HostSays>,
    ) -> Result<(), GuestEnd> {
        let state = self.state.value();
        match says {
            HostSays::Hello { commitment, .. } => {
                let lot = match (state.lot, state.bound) {
                    (Some(lot), Some(bound)) if bound == commitment => lot,
                    _ if state.shown => {
                        return Err(GuestEnd::Coin(
                            "the other end has committed to a different share of the coin toss than before, but this end has already revealed its own share: start again with --new at both ends",
                        ));
                    }
                    _ => CoinShare::draw(self.wishes),
                };
                self.state.change(|state| {
                    (state.lot, state.bound) = (Some(lot), Some(commitment));
                })?;
                let commitment = lot.commitment(Endpoint::Guest);
                line.say(GuestSays::Commit { commitment });
            }
            HostSays::Reveal { lot: hosts } => {
                let (Some(lot), Some(bound)) = (state.lot, state.bound) else {
                    return Err(ChannelError::Unreadable.into());
                };
                if !hosts.keeps(bound, Endpoint::Host) {
                    return Err(GuestEnd::Coin(
                        "the other end revealed a share that is not the one it committed to: such a coin toss is not valid",
                    ));
                }
                self.state
                    .change(|state| (state.shown, state.hosts) = (true, Some(hosts)))?;
                line.say(GuestSays::Reveal { lot });
            }
            HostSays::Seated(mut game) => {
                game.tossed = plain(&game.tossed);
                self.sit_down(&game)?;
                player.say(HostSays::Seated(game));
                player.say(HostSays::Here { here: true });
            }
            HostSays::Game(ServerSays::Bye { why }) => return Err(GuestEnd::Bye(plain(&why))),
            HostSays::Game(ServerSays::Pong {}) => {}
            HostSays::Game(_)
            | HostSays::Here { .. }
            | HostSays::Said { .. }
            | HostSays::Muted { .. }
            | HostSays::Score { .. } => player.say(says),
        }
        Ok(())
    }

    /// Checks that the game that the host names has the agreed terms, and saves
    /// the game.
    fn sit_down(&mut self, made: &AgreedGame) -> Result<(), GuestEnd> {
        let state = self.state.value();
        if state.game.as_ref() == Some(made) {
            return Ok(());
        }
        if let (Some(lot), Some(hosts)) = (state.lot, state.hosts) {
            let agreed = Agreed::of(&hosts, &lot);
            let seat = Color::from(made.seat);
            let same = seat == agreed.host.other() && made.rules == agreed.rules();
            if !same || made.tossed != agreed.tossed() {
                return Err(GuestEnd::Coin(
                    "the other end does not play the game that both ends agreed on",
                ));
            }
        }
        self.state.change(|state| {
            *state = GuestState {
                key: state.key.take(),
                game: Some(made.clone()),
                ..GuestState::default()
            };
        })?;
        Ok(())
    }
}
