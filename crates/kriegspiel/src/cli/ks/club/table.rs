//! At the table: the club's messages to this seat are passed on to the player,
//! and the player's to the club.

use anyhow::anyhow;
use doors::ks::{AgreedGame, GuestSays, HostSays, Line, pieces, rules_options};
use tokio::time::interval;
use wire::{ClientSays, GameJson, RefusalCode, ServerSays};

use super::{AtClub, Call, LOST, NOTHING, stop};
use crate::cli::client::{Socket, refused};

impl AtClub {
    /// Sits at a game until its end is heard or the connection is lost.
    pub(super) async fn sit(
        &mut self,
        game: &str,
        socket: &mut Socket,
        player: &mut Line<GuestSays, HostSays>,
    ) -> anyhow::Result<Call> {
        if !self.sit_down(game, player).await? {
            return Ok(Call::Broken("it has your last game no more".to_owned()));
        }
        let mut signs = interval(self.silence / 3);
        loop {
            tokio::select! {
                said = socket.next() => match said? {
                    Some(ServerSays::Bye { why }) => return Ok(Call::Broken(why)),
                    Some(said) => player.say(said),
                    None => return Ok(Call::Broken(LOST.to_owned())),
                },
                asked = player.next() => {
                    // He leaves.
                    let Ok(asked) = asked else {
                        return Ok(Call::Done);
                    };
                    if asked == (GuestSays::Ended {}) {
                        self.keep(|page| page.game = None)?;
                        return Ok(Call::Done);
                    }
                    if let Some(says) = self.asks(asked, game, player).await? {
                        socket.say(&says).await?;
                    }
                }
                _ = signs.tick() => socket.say(&ClientSays::Ping {}).await?,
            }
        }
    }

    /// Tells the player of the game; `false` if the club has it no more.
    async fn sit_down(
        &mut self,
        game: &str,
        player: &Line<GuestSays, HostSays>,
    ) -> anyhow::Result<bool> {
        let path = format!("/api/games/{game}");
        let facts: GameJson = match self.client.ask("GET", &path, NOTHING).await {
            Ok(facts) => facts,
            Err(error) if refused(&error) == Some(RefusalCode::NotFound) => {
                self.keep(|page| page.game = None)?;
                return Ok(false);
            }
            Err(error) => return Err(error),
        };
        let Some(seat) = facts.seat else {
            return Err(stop(format!("the game {game} is played by others")));
        };
        if facts.terms.custom.is_some() || rules_options(&facts.terms.rules).is_none() {
            return Err(stop(format!(
                "the game {game} is played by other rules: kriegspiel play --url {} goes on with it",
                self.url
            )));
        }
        player.say(HostSays::Seated(AgreedGame {
            game: game.to_owned(),
            seat,
            rules: facts.terms.rules,
            tossed: String::new(),
        }));
        Ok(true)
    }

    /// What the player asks, in the club's words; some things are answered
    /// without it.
    async fn asks(
        &self,
        asked: GuestSays,
        game: &str,
        player: &Line<GuestSays, HostSays>,
    ) -> anyhow::Result<Option<ClientSays>> {
        match asked {
            GuestSays::Game(says) => return Ok(Some(says)),
            GuestSays::Say { .. } => player.say(ServerSays::Refused {
                id: None,
                code: RefusalCode::NotPossible,
                why: "A club carries no words between players: nobody heard it.".to_owned(),
            }),
            GuestSays::Score {} => {
                let path = format!("/api/games/{game}/finished.pgn");
                let text = self.client.ask_bytes("GET", &path, NOTHING).await?;
                let text = std::str::from_utf8(&text).map_err(|_| anyhow!("it is no text"))?;
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
