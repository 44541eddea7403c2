//! How games begin.

use std::sync::Arc;

use rules::chess::ByColor;
use store::{AccountId, AccountKind, GameId, GameRecord, OfferId, Terms};

use crate::{error::ClubError, inner::Inner, refusals::too_many, sync::lock};

impl Inner {
    /// Whether each of them may begin another game, with one another if they are two.
    pub(super) async fn check_room_for_games(
        &self,
        players: &[AccountId],
    ) -> Result<(), ClubError> {
        let running = self.store.running().await?;
        if running.len() >= self.settings.games_in_all {
            return Err(too_many(
                "the club is full: come again when a game has ended",
            ));
        }
        for id in players {
            let most = match self.account(*id).await?.kind {
                AccountKind::Program => self.settings.games_of_program,
                AccountKind::Person | AccountKind::Guest => self.settings.games_of_person,
            };
            let plays = |r: &&GameRecord| r.players.white == *id || r.players.black == *id;
            if running.iter().filter(plays).count() >= most {
                return Err(too_many(
                    "one of the players has too many games that are not over: end one first",
                ));
            }
        }
        self.check_room_for_programs(players, &running)
    }

    /// Checks whether a player may begin another game with a built-in bot.
    fn check_room_for_programs(
        &self,
        players: &[AccountId],
        running: &[GameRecord],
    ) -> Result<(), ClubError> {
        let house: Vec<AccountId> = lock(&self.programs).iter().map(|p| p.id).collect();
        let &[one, two] = players else { return Ok(()) };
        let asks = match (house.contains(&one), house.contains(&two)) {
            (true, false) => two,
            (false, true) => one,
            (true, true) | (false, false) => return Ok(()),
        };
        let with_the_house = |record: &&GameRecord| {
            let players = [record.players.white, record.players.black];
            players.contains(&asks) && players.iter().any(|id| house.contains(id))
        };
        if running.iter().filter(with_the_house).count() >= self.settings.games_with_the_house {
            return Err(too_many(
                "you have too many games with the club's programs that are not over: end one first",
            ));
        }
        Ok(())
    }

    /// Makes a game and opens its table.
    pub(super) async fn make_game(
        self: &Arc<Self>,
        id: GameId,
        by: ByColor<AccountId>,
        terms: Terms,
        offer: Option<OfferId>,
    ) -> Result<(), ClubError> {
        self.create_game(id, by, terms, offer).await?;
        // The game stands; if its table cannot be opened now, it is when
        // somebody comes to it.
        let _later = self.table(id).await;
        self.stir_lobby();
        Ok(())
    }
}
