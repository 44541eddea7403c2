//! A game at a club: passes the club's messages for this seat to the player,
//! and the player's requests to the club.

use anyhow::{anyhow, bail};
use client::ClientEvent;
use doors::ks::{AgreedGame, Channel, GuestSays, HostSays, pieces, rules_options};
use wire::{ClientSays, GameJson, RefusalCode, ServerSays};

use super::{AtClub, stop};
use crate::cli::api::refused;

impl AtClub {
    /// Plays a game until its end is heard or the player leaves.
    pub(super) async fn sit(
        &mut self,
        game: &str,
        player: &mut Channel<GuestSays, HostSays>,
    ) -> anyhow::Result<()> {
        self.sit_down(game, player).await?;
        loop {
            tokio::select! {
                event = self.client.next() => {
                    if let ClientEvent::Says(said) = self.note(event, player)? {
                        player.say(said);
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
            GuestSays::Say { .. } => player.say(ServerSays::Refused {
                id: None,
                game: None,
                code: RefusalCode::NotPossible,
                why: "A club does not pass messages between players, so nobody heard this message."
                    .to_owned(),
            }),
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
