//! A line between the screen and a club, over any number of connections.

use std::{
    fs::OpenOptions,
    io::{ErrorKind, Write},
    sync::mpsc::Sender,
};

use client::{ClientEvent, ClientRefused, RetryPolicy};
use tokio::sync::mpsc::UnboundedReceiver;
use tui::{Ask, Input, Told};
use wire::{ChallengedJson, PROTOCOL, SeekJson, ServerSays, StepsJson};

use super::super::api::Api;

/// A line: its number on the screen, and where the screen hears.
#[derive(Clone)]
pub(super) struct Line {
    pub(super) number: usize,
    pub(super) screen: Sender<Input>,
    pub(super) api: Api,
}

impl Line {
    /// Tells the screen; whether it is still there.
    pub(super) fn tell(&self, told: Told) -> bool {
        self.screen.send(Input::Club(self.number, told)).is_ok()
    }

    /// Carries what is said both ways until the screen is gone.
    pub(super) async fn run(self, mut asks: UnboundedReceiver<Ask>) {
        let mut client = self.api.client(RetryPolicy::DEFAULT);
        let mut is_refused = false;
        loop {
            let told = tokio::select! {
                event = client.next(), if !is_refused => match event {
                    Ok(ClientEvent::Connected { you, now }) => {
                        let version = PROTOCOL;
                        let welcome = ServerSays::Welcome { version, you, now };
                        self.tell(Told::Says(Box::new(welcome)));
                        Told::Connected
                    }
                    Ok(ClientEvent::Says(says)) => Told::Says(Box::new(says)),
                    Ok(ClientEvent::Lost { why }) => Told::Away(sentence(&why)),
                    Err(ClientRefused { why }) => {
                        is_refused = true;
                        Told::Away(sentence(&why))
                    }
                },
                ask = asks.recv() => match ask {
                    None => return,
                    Some(Ask::Says(says)) => {
                        client.say(says);
                        continue;
                    }
                    Some(ask) => {
                        self.do_apart(ask);
                        continue;
                    }
                },
            };
            if !self.tell(told) {
                return;
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
        let api = &self.api;
        Ok(Some(match ask {
            // A viewer asks for beliefs, not a player.
            Ask::Says(_) | Ask::Belief(_) => return Ok(None),
            Ask::Challenge(challenge) => {
                let to = challenge.to.clone();
                let made: ChallengedJson = api.post("/api/challenges", &challenge).await?;
                match made.game {
                    Some(game) => Told::Playing(game),
                    None => Told::Done(format!("{to} is asked; the game begins when he accepts.")),
                }
            }
            Ask::Seek(terms) => {
                let _seek: SeekJson = api.post("/api/seeks", &terms).await?;
                Told::Done("The game is offered; it begins when somebody accepts.".to_owned())
            }
            Ask::AcceptSeek(id) => Told::Playing(api.accept("seeks", &id).await?),
            Ask::AcceptChallenge(id) => Told::Playing(api.accept("challenges", &id).await?),
            Ask::DeclineChallenge(id) => self.take_away("challenges", &id).await?,
            Ask::WithdrawSeek(id) => self.take_away("seeks", &id).await?,
            Ask::Steps(game) => {
                let path = format!("/api/games/{game}/steps");
                let steps: StepsJson = api.get(&path).await?;
                Told::Steps {
                    game,
                    steps: steps.steps,
                }
            }
            Ask::Save { game, file } => {
                let path = format!("/api/games/{game}/finished.pgn");
                let text = api.get_bytes(&path).await?;
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

    async fn take_away(&self, kind: &str, id: &str) -> anyhow::Result<Told> {
        self.api.delete(kind, id).await?;
        Ok(Told::Done("It is taken away.".to_owned()))
    }
}

/// The same with a capital letter and a full stop.
fn sentence(why: &str) -> String {
    let why = why.trim_end_matches('.');
    let mut letters = why.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    format!("{}{}.", first.unwrap_or_default(), letters.as_str())
}
