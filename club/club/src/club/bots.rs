//! Games of the built-in bots.

use store::{AccountId, GameId, Terms};

use crate::{error::ClubError, inner::Club, sync::lock};

impl Club {
    /// Returns the unfinished games of a built-in bot.
    pub fn bot_games(&self, bot: AccountId) -> Vec<GameId> {
        let listed = lock(&self.0.listed);
        listed.games_of(bot).map(|record| record.id).collect()
    }

    /// Begins a game between two built-in bots. Spectators see the umpire's board.
    ///
    /// # Errors
    /// If the terms are not possible, if there are too many games, or if the store fails.
    pub async fn exhibit(
        &self,
        one: AccountId,
        other: AccountId,
        terms: Terms,
    ) -> Result<GameId, ClubError> {
        self.0.make_game(one, other, terms, None).await
    }

    /// Returns the unfinished games of a built-in bot against other built-in bots.
    pub fn exhibitions(&self, bot: AccountId) -> Vec<GameId> {
        let listed = lock(&self.0.listed);
        let records = listed.games_of(bot);
        let records = records.filter(|record| self.0.is_exhibition(record));
        records.map(|record| record.id).collect()
    }
}
