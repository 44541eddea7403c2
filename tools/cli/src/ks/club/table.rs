//! A game at a club: passes the club's messages for this seat to the player,
//! and the player's requests to the club.

use std::collections::BTreeMap;

use anyhow::{anyhow, bail};
use client::ClientEvent;
use doors::ks::{AgreedGame, Channel, GuestSays, HostSays, pieces, rules_options};
use wire::{ClientSays, GameJson, RefusalCode, ServerSays, Side, TalkGroupJson};

use super::{AtClub, stop};
use crate::api::refused;

/// Prefix of the ids of requests that send a message to the opponent.
const SAY: &str = "say-";

impl AtClub {
    /// Plays a game until its end is heard or the player leaves.
    pub(super) async fn sit(
        &mut self,
        game: &str,
        player: &mut Channel<GuestSays, HostSays>,
    ) -> anyhow::Result<()> {
        self.sit_down(game, player).await?;
        self.client.say(ClientSays::Talk {
            game: game.to_owned(),
            group: Some(TalkGroupJson::Players),
            after: self.read,
        });
        loop {
            tokio::select! {
                event = self.client.next() => {
                    match self.note(event, player)? {
                        ClientEvent::Says(ServerSays::Message { message, .. }) => {
                            self.read = message.n;
                            if message.from.name != self.me.name {
                                let text = message.text;
                                player.say(HostSays::Said { text });
                            }
                        }
                        // The club has accepted a message of the player. The text is not shown
                        // again, because the player saw it when typing it.
                        ClientEvent::Says(ServerSays::Answer { id, .. })
                            if id.starts_with(SAY) => {}
                        ClientEvent::Says(said) => player.say(said),
                        ClientEvent::Connected { .. } | ClientEvent::Lost { .. } => {}
                    }
                }
                asked = player.next() => {
                    // An error means that the player has left.
                    let Ok(asked) = asked else {
                        return Ok(());
                    };
                    if asked == (GuestSays::Ended {}) {
                        return self.keep(|page| page.game = None);
                    }
                    if let Some(says) = self.asks(asked, game, player).await? {
                        self.client.say(says);
                    }
                }
            }
        }
    }

    /// Takes the seat in the game, and tells the player about the game.
    async fn sit_down(
        &mut self,
        game: &str,
        player: &Channel<GuestSays, HostSays>,
    ) -> anyhow::Result<()> {
        let path = format!("/api/games/{game}");
        let facts: GameJson = match self.api.get(&path).await {
            Ok(facts) => facts,
            Err(error) if refused(&error) == Some(RefusalCode::NotFound) => {
                self.keep(|page| page.game = None)?;
                bail!("the club does not have your last game any more");
            }
            Err(error) => return Err(error),
        };
        let Some(seat) = facts.seat else {
            return Err(stop(format!("the players of game {game} are other people")));
        };
        if facts.terms.custom.is_some() || rules_options(&facts.terms.rules).is_none() {
            return Err(stop(format!(
                "the game {game} has other rules: kriegspiel play --url {} continues it",
                self.url
            )));
        }
        let other = match seat {
            Side::White => facts.black,
            Side::Black => facts.white,
        };
        self.other_name = other.name;
        player.say(HostSays::Seated(AgreedGame {
            game: game.to_owned(),
            seat,
            rules: facts.terms.rules,
            tossed: String::new(),
        }));
        Ok(())
    }

    /// Translates a request of the player for the club. Some requests are answered
    /// by this function, without the club.
    async fn asks(
        &mut self,
        asked: GuestSays,
        game: &str,
        player: &Channel<GuestSays, HostSays>,
    ) -> anyhow::Result<Option<ClientSays>> {
        match asked {
            GuestSays::Game(says) => return Ok(Some(says)),
            GuestSays::Say { text } => {
                self.messages_written += 1;
                let id = format!("{SAY}{}", self.messages_written);
                if self.is_connected {
                    self.unanswered_message = Some(id.clone());
                }
                return Ok(Some(ClientSays::Write {
                    id,
                    game: game.to_owned(),
                    group: Some(TalkGroupJson::Players),
                    text,
                }));
            }
            GuestSays::Mute { on } => match self.api.mute(&self.other_name, on).await {
                Ok(()) => player.say(HostSays::Muted { on }),
                Err(error) => player.say(ServerSays::Refused {
                    id: None,
                    game: None,
                    request: None,
                    reason: None,
                    args: BTreeMap::new(),
                    retry_after_ms: None,
                    code: RefusalCode::NotPossible,
                    why: format!("The club has not stored the change: {error:#}."),
                }),
            },
            GuestSays::Score {} => {
                let path = format!("/api/games/{game}/finished.pgn");
                let text = self.api.get_bytes(&path).await?;
                let text =
                    std::str::from_utf8(&text).map_err(|_| anyhow!("the message is not text"))?;
                pieces(text).into_iter().for_each(|says| player.say(says));
            }
            GuestSays::Ended {}
            | GuestSays::Hello(_)
            | GuestSays::Commit { .. }
            | GuestSays::Reveal { .. } => {}
        }
        Ok(None)
    }
}
