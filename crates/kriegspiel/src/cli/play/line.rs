//! A line between the screen and a club, over any number of connections.

use std::{
    fs::OpenOptions,
    io::{ErrorKind, Write},
    sync::mpsc::Sender,
    time::Duration,
};

use tokio::{
    sync::mpsc::UnboundedReceiver,
    time::{Instant, sleep_until},
};
use tui::{Ask, Input, Told};
use wire::{AcceptedJson, ChallengedJson, SeekJson, StepsJson};

use super::super::client::{Client, Socket};

/// The first pause before a broken connection is tried again.
const PAUSE: Duration = Duration::from_millis(500);

/// The longest.
const LONGEST_PAUSE: Duration = Duration::from_secs(10);

/// Nobody sends a body with these requests.
const NOTHING: Option<&()> = None;

/// A line: its number on the screen, and where the screen hears.
#[derive(Clone)]
pub(super) struct Line {
    pub(super) number: usize,
    pub(super) screen: Sender<Input>,
    pub(super) client: Client,
}

impl Line {
    /// Tells the screen; whether it is still there.
    pub(super) fn tell(&self, told: Told) -> bool {
        self.screen.send(Input::Club(self.number, told)).is_ok()
    }

    /// Carries what is said both ways, and connects again, until the screen is gone.
    pub(super) async fn run(self, mut asks: UnboundedReceiver<Ask>) {
        let mut pause = PAUSE;
        loop {
            let why = match self.client.socket().await {
                Ok(socket) => {
                    pause = PAUSE;
                    match self.carry(socket, &mut asks).await {
                        Some(why) => why,
                        None => return,
                    }
                }
                Err(error) => format!("{error:#}."),
            };
            if !self.tell(Told::Away(why)) {
                return;
            }
            let until = Instant::now() + pause;
            pause = (pause * 2).min(LONGEST_PAUSE);
            loop {
                tokio::select! {
                    () = sleep_until(until) => break,
                    ask = asks.recv() => match ask {
                        None => return,
                        // A try and who listens are said again by the screen once there is a connection.
                        Some(Ask::Says(_)) => {}
                        Some(ask) => self.do_apart(ask),
                    },
                }
            }
        }
    }

    /// Over one connection; why it ended, or `None` when the screen is gone.
    async fn carry(&self, mut socket: Socket, asks: &mut UnboundedReceiver<Ask>) -> Option<String> {
        let mut welcomed = false;
        loop {
            tokio::select! {
                says = socket.next() => match says {
                    Ok(Some(says)) => {
                        if !self.tell(Told::Says(Box::new(says))) {
                            return None;
                        }
                        if !std::mem::replace(&mut welcomed, true) {
                            self.tell(Told::Connected);
                        }
                    }
                    Ok(None) => return Some("The connection was lost.".to_owned()),
                    Err(error) => return Some(format!("{error:#}.")),
                },
                ask = asks.recv() => match ask {
                    None => return None,
                    Some(Ask::Says(says)) => {
                        if socket.say(&says).await.is_err() {
                            return Some("The connection was lost.".to_owned());
                        }
                    }
                    Some(ask) => self.do_apart(ask),
                },
            }
        }
    }

    /// What is asked by a request of its own.
    fn do_apart(&self, ask: Ask) {
        let line = self.clone();
        tokio::spawn(async move {
            let told = match line.answer(ask).await {
                Ok(Some(told)) => told,
                Ok(None) => return,
                Err(error) => Told::Failed(format!("{error:#}")),
            };
            line.tell(told);
        });
    }

    async fn answer(&self, ask: Ask) -> anyhow::Result<Option<Told>> {
        let client = &self.client;
        Ok(Some(match ask {
            Ask::Says(_) => return Ok(None),
            Ask::Challenge(challenge) => {
                let to = challenge.to.clone();
                let made: ChallengedJson = client
                    .ask("POST", "/api/challenges", Some(&challenge))
                    .await?;
                match made.game {
                    Some(game) => Told::Playing(game),
                    None => Told::Done(format!("{to} is asked; the game begins when he accepts.")),
                }
            }
            Ask::Seek(terms) => {
                let _seek: SeekJson = client.ask("POST", "/api/seeks", Some(&terms)).await?;
                Told::Done("The game is offered; it begins when somebody accepts.".to_owned())
            }
            Ask::AcceptSeek(id) => self.accept("seeks", &id).await?,
            Ask::AcceptChallenge(id) => self.accept("challenges", &id).await?,
            Ask::DeclineChallenge(id) => self.take_away("challenges", &id).await?,
            Ask::WithdrawSeek(id) => self.take_away("seeks", &id).await?,
            Ask::Steps(game) => {
                let path = format!("/api/games/{game}/steps");
                let steps: StepsJson = client.ask("GET", &path, NOTHING).await?;
                Told::Steps {
                    game,
                    steps: steps.steps,
                }
            }
            Ask::Save { game, file } => {
                let path = format!("/api/games/{game}/finished.pgn");
                let text = client.ask_bytes("GET", &path, NOTHING).await?;
                let mut options = OpenOptions::new();
                let written = options
                    .write(true)
                    .create_new(true)
                    .open(&file)
                    .and_then(|mut out| out.write_all(&text));
                match written {
                    Ok(()) => Told::Saved { game, file },
                    Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                        Told::Failed(format!(
                            "There is a {file} already: choose another name, as `save other.pgn`."
                        ))
                    }
                    Err(error) => Told::Failed(format!("{file}: {error}")),
                }
            }
        }))
    }

    async fn accept(&self, kind: &str, id: &str) -> anyhow::Result<Told> {
        let path = format!("/api/{kind}/{id}/accept");
        let accepted: AcceptedJson = self.client.ask("POST", &path, NOTHING).await?;
        Ok(Told::Playing(accepted.game))
    }

    async fn take_away(&self, kind: &str, id: &str) -> anyhow::Result<Told> {
        let path = format!("/api/{kind}/{id}");
        self.client.ask_bytes("DELETE", &path, NOTHING).await?;
        Ok(Told::Done("It is taken away.".to_owned()))
    }
}
