//! The guest's end: it calls, and calls again until the game is over.

use std::{io, time::Duration};

use rules::chess::Color;
use tokio::{
    io::{AsyncRead, AsyncWrite},
    sync::mpsc,
    time::{interval, sleep, timeout},
};

use super::{
    book::{Book, GamePage, GuestPage},
    coin::{Agreed, End, Lot},
    key::GameKey,
    line::{Line, LineError, Patience},
    options::Wishes,
    says::{GuestSays, HostSays, VERSION, plain},
};

/// The longest pause before the other end is called again.
const LONGEST_PAUSE: Duration = Duration::from_secs(2);
/// A sign of life is given so often at least: the other end's patience may be
/// shorter than this one's.
const SIGN: Duration = Duration::from_secs(1);
/// The shortest.
const PAUSE: Duration = Duration::from_millis(250);

/// What is told when the key fits no longer, or never did for whoever is there.
const STRANGER: &str =
    "somebody else listens there, or the game was begun anew (then say --new here too)";

/// Why a guest gives up.
#[derive(Debug, thiserror::Error)]
pub enum GuestEnd {
    /// What it must not forget cannot be kept.
    #[error("the game cannot be kept: {0}")]
    Io(#[from] io::Error),
    /// The other end cannot be talked with.
    #[error(transparent)]
    Line(#[from] LineError),
    /// The other end says why.
    #[error("the other end says: {0}")]
    Bye(String),
    /// The other end does not keep what it bound itself to.
    #[error("{0}")]
    Coin(&'static str),
}

/// How one call ended.
enum Call {
    /// The line broke.
    Broken(LineError),
    /// The player is gone, or has heard the end.
    Done,
}

/// The guest at a game of two.
#[derive(Debug)]
pub struct Guest {
    /// What he calls himself.
    pub me: String,
    /// With whom he plays.
    pub opponent: String,
    /// What he asks of a new game.
    pub wishes: Wishes,
    /// The game's key.
    pub key: GameKey,
    /// How long things may take.
    pub patience: Patience,
    /// What he must not forget.
    pub book: Book<GuestPage>,
}

impl Guest {
    /// Plays until the end is heard: calls, and when the line breaks calls
    /// again. `player` is his own; what is to be known of the line goes to
    /// `news`.
    ///
    /// Once the key has fitted, whoever else listens at that place is a line
    /// that breaks: what he says came without a lock.
    ///
    /// # Errors
    /// If there is nobody to play with by this key.
    pub async fn play<S, F>(
        mut self,
        connect: impl Fn() -> F,
        mut player: Line<GuestSays, HostSays>,
        news: mpsc::UnboundedSender<String>,
    ) -> Result<(), GuestEnd>
    where
        S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
        F: Future<Output = io::Result<S>>,
    {
        let mut pause = PAUSE;
        let mut told = String::new();
        let page = self.book.page();
        let mut has_fitted = page.game.is_some() || page.bound.is_some();
        loop {
            let called = match connect().await {
                Ok(stream) => match Line::call(stream, &self.key, self.patience).await {
                    Ok(line) => {
                        pause = PAUSE;
                        has_fitted = true;
                        self.talk(line, &mut player).await?
                    }
                    Err(error @ (LineError::WrongKey | LineError::NotKs)) if !has_fitted => {
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
                    self.tell(&news, &mut told, &why);
                    Call::Broken(LineError::Gone)
                }
            };
            match called {
                Call::Done => return Ok(()),
                Call::Broken(error) => {
                    player.say(HostSays::Here { here: false });
                    if matches!(error, LineError::WrongKey | LineError::NotKs) {
                        self.tell(&news, &mut told, STRANGER);
                    } else if pause == PAUSE {
                        self.tell(&news, &mut told, &error.to_string());
                    }
                }
            }
            sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    /// Tells why he calls again, once.
    fn tell(&self, news: &mpsc::UnboundedSender<String>, told: &mut String, why: &str) {
        if told != why {
            why.clone_into(told);
            let line = format!(
                "{}: {why}. Calling again until the line holds.",
                self.opponent
            );
            let _gone = news.send(line);
        }
    }

    /// One call.
    async fn talk(
        &mut self,
        mut line: Line<HostSays, GuestSays>,
        player: &mut Line<GuestSays, HostSays>,
    ) -> Result<Call, GuestEnd> {
        line.say(GuestSays::Hello {
            version: VERSION,
            name: self.me.clone(),
            wants: self.opponent.clone(),
            game: self.book.page().game.as_ref().map(|page| page.game.clone()),
        });
        let mut signs = interval((self.patience.silence / 3).min(SIGN));
        let mut sits = false;
        loop {
            tokio::select! {
                said = line.next() => match said {
                    Ok(says) => {
                        sits |= matches!(says, HostSays::Game { .. });
                        self.hear(says, &line, player)?;
                    }
                    Err(error) => return Ok(Call::Broken(error)),
                },
                asked = player.next() => match asked {
                    Ok(GuestSays::Ended {}) => {
                        // Were it lost, the host would know by the next call.
                        self.book.change(|page| page.game = None)?;
                        line.say(GuestSays::Ended {});
                        // The host hangs up when it has that.
                        let heard = async { while line.next().await.is_ok() {} };
                        let _late = timeout(Duration::from_secs(5), heard).await;
                        return Ok(Call::Done);
                    }
                    // What was asked before is asked again when he sits down.
                    Ok(_) if !sits => {}
                    Ok(asked) => line.say(asked),
                    Err(_) => return Ok(Call::Done),
                },
                _ = signs.tick() => line.say(GuestSays::Ping {}),
            }
        }
    }

    fn hear(
        &mut self,
        says: HostSays,
        line: &Line<HostSays, GuestSays>,
        player: &Line<GuestSays, HostSays>,
    ) -> Result<(), GuestEnd> {
        match says {
            HostSays::Hello { commitment, .. } => {
                let page = self.book.page();
                let lot = match (page.lot, page.bound) {
                    (Some(lot), Some(bound)) if bound == commitment => lot,
                    _ if page.shown => {
                        return Err(GuestEnd::Coin(
                            "the other end has laid down another lot, after this end has shown its own: begin anew with --new at both ends",
                        ));
                    }
                    _ => Lot::draw(self.wishes),
                };
                self.book.change(|page| {
                    (page.lot, page.bound) = (Some(lot), Some(commitment));
                })?;
                let commitment = lot.commitment(End::Guest);
                line.say(GuestSays::Commit { commitment });
            }
            HostSays::Reveal { lot: his } => {
                let page = self.book.page();
                let (Some(lot), Some(bound)) = (page.lot, page.bound) else {
                    return Err(LineError::Unreadable.into());
                };
                if !his.keeps(bound, End::Host) {
                    return Err(GuestEnd::Coin(
                        "what the other end shows is not what it laid down: nobody plays with such a coin",
                    ));
                }
                self.book
                    .change(|page| (page.shown, page.his) = (true, Some(his)))?;
                line.say(GuestSays::Reveal { lot });
            }
            HostSays::Game {
                ref game,
                seat,
                ref rules,
                ref tossed,
            } => {
                self.sit_down(&GamePage {
                    game: game.clone(),
                    seat,
                    rules: rules.clone(),
                    tossed: plain(tossed),
                })?;
                player.say(says);
                player.say(HostSays::Here { here: true });
            }
            HostSays::Bye { why } => return Err(GuestEnd::Bye(plain(&why))),
            HostSays::Heard { .. }
            | HostSays::Answer { .. }
            | HostSays::Refused { .. }
            | HostSays::Here { .. }
            | HostSays::Said { .. }
            | HostSays::Score { .. } => player.say(says),
            HostSays::Pong {} => {}
        }
        Ok(())
    }

    /// The game that the host names must be the one that was agreed on.
    fn sit_down(&mut self, made: &GamePage) -> Result<(), GuestEnd> {
        let page = self.book.page();
        if page.game.as_ref() == Some(made) {
            return Ok(());
        }
        if let (Some(lot), Some(his)) = (page.lot, page.his) {
            let agreed = Agreed::of(&his, &lot);
            let seat = Color::from(made.seat);
            let same = seat == agreed.host.other() && made.rules == agreed.rules();
            if !same || made.tossed != agreed.tossed() {
                return Err(GuestEnd::Coin(
                    "the other end does not play what the coin has settled",
                ));
            }
        }
        self.book.change(|page| {
            *page = GuestPage {
                key: page.key.take(),
                game: Some(made.clone()),
                ..GuestPage::default()
            };
        })?;
        Ok(())
    }
}
