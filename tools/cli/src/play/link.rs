//! Passes messages between the screen and a club, and reconnects when
//! necessary.

use std::{
    fs::OpenOptions,
    io::{ErrorKind, Write},
    sync::mpsc::Sender,
};

use client::{ClientEvent, ClientRefused, RetryPolicy};
use tokio::sync::mpsc::UnboundedReceiver;
use tui::{ClubMessage, ClubRequest, Input};
use wire::{ChallengedJson, PROTOCOL, SeekJson, ServerSays, StepsJson};

use super::{super::api::Api, people};

/// Connection between the screen and a club. The screen can have several connections.
#[derive(Clone)]
pub(super) struct ClubLink {
    /// Index of this connection.
    pub(super) number: usize,
    /// Input queue of the screen.
    pub(super) screen: Sender<Input>,
    pub(super) api: Api,
}

impl ClubLink {
    /// Sends a message to the screen. Returns whether the screen is still open.
    pub(super) fn tell(&self, message: ClubMessage) -> bool {
        self.screen.send(Input::Club(self.number, message)).is_ok()
    }

    /// Passes messages in both directions until the screen is closed.
    pub(super) async fn run(self, mut asks: UnboundedReceiver<ClubRequest>) {
        let mut client = self.api.client(RetryPolicy::DEFAULT);
        let mut is_refused = false;
        loop {
            let message = tokio::select! {
                event = client.next(), if !is_refused => match event {
                    Ok(ClientEvent::Connected { you, now }) => {
                        let version = PROTOCOL;
                        let welcome = ServerSays::Welcome { version, you, now };
                        self.tell(ClubMessage::Says(Box::new(welcome)));
                        ClubMessage::Connected
                    }
                    Ok(ClientEvent::Says(says)) => ClubMessage::Says(Box::new(says)),
                    Ok(ClientEvent::Lost { why }) => ClubMessage::Away(sentence(&why)),
                    Err(ClientRefused { why }) => {
                        is_refused = true;
                        ClubMessage::Away(sentence(&why))
                    }
                },
                ask = asks.recv() => match ask {
                    None => return,
                    Some(ClubRequest::Says(says)) => {
                        client.say(says);
                        continue;
                    }
                    Some(ask) => {
                        self.do_apart(ask);
                        continue;
                    }
                },
            };
            if !self.tell(message) {
                return;
            }
        }
    }

    /// Sends a request over HTTP in a separate task.
    fn do_apart(&self, ask: ClubRequest) {
        let link = self.clone();
        tokio::spawn(async move {
            let message = match link.answer(ask).await {
                Ok(Some(message)) => message,
                Ok(None) => return,
                Err(error) => ClubMessage::Failed(format!("{error:#}")),
            };
            link.tell(message);
        });
    }

    async fn answer(&self, ask: ClubRequest) -> anyhow::Result<Option<ClubMessage>> {
        let api = &self.api;
        Ok(Some(match ask {
            // Only `kriegspiel view` requests beliefs; `kriegspiel play` does not.
            ClubRequest::Says(_) | ClubRequest::Belief(_) => return Ok(None),
            ClubRequest::Challenge(challenge) => {
                let to = challenge.to.clone();
                let made: ChallengedJson = api.post("/api/challenges", &challenge).await?;
                match made.game {
                    Some(game) => ClubMessage::Playing(game),
                    None => ClubMessage::Done(format!(
                        "{to} is challenged; the game begins when they accept."
                    )),
                }
            }
            ClubRequest::Seek(terms) => {
                let _seek: SeekJson = api.post("/api/seeks", &terms).await?;
                ClubMessage::Done(
                    "The game is offered; it begins when somebody accepts.".to_owned(),
                )
            }
            ClubRequest::AcceptSeek(id) => ClubMessage::Playing(api.accept("seeks", &id).await?),
            ClubRequest::AcceptChallenge(id) => {
                ClubMessage::Playing(api.accept("challenges", &id).await?)
            }
            ClubRequest::DeclineChallenge(id) => self.take_away("challenges", &id).await?,
            ClubRequest::WithdrawSeek(id) => self.take_away("seeks", &id).await?,
            ClubRequest::Mute { name, on } => {
                api.mute(&name, on).await?;
                ClubMessage::Done(if on {
                    format!("Messages of {name} are hidden; `unmute` shows them again.")
                } else {
                    format!("Messages of {name} are shown again.")
                })
            }
            ClubRequest::Finger(name) => people::finger(api, &name).await?,
            ClubRequest::History(name) => people::history(api, name.as_deref()).await?,
            ClubRequest::Best(family) => people::best(api, family).await?,
            ClubRequest::Steps(game) => {
                let path = format!("/api/games/{game}/steps");
                let steps: StepsJson = api.get(&path).await?;
                ClubMessage::Steps {
                    game,
                    steps: steps.steps,
                }
            }
            ClubRequest::Save { game, file } => {
                let path = format!("/api/games/{game}/finished.pgn");
                let text = api.get_bytes(&path).await?;
                let mut options = OpenOptions::new();
                let written = options
                    .write(true)
                    .create_new(true)
                    .open(&file)
                    .and_then(|mut out| out.write_all(&text));
                match written {
                    Ok(()) => ClubMessage::Saved { game, file },
                    Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                        ClubMessage::Failed(format!(
                            "{file} already exists: choose another name, for example `save other.pgn`."
                        ))
                    }
                    Err(error) => ClubMessage::Failed(format!("{file}: {error}")),
                }
            }
        }))
    }

    async fn take_away(&self, kind: &str, id: &str) -> anyhow::Result<ClubMessage> {
        self.api.delete(kind, id).await?;
        Ok(ClubMessage::Done("The offer is no longer open.".to_owned()))
    }
}

/// Turns a message into a sentence with a capital letter and a full stop.
fn sentence(why: &str) -> String {
    let why = why.trim_end_matches('.');
    let mut letters = why.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    format!("{}{}.", first.unwrap_or_default(), letters.as_str())
}
