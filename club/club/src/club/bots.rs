//! Games of the built-in bots.

use store::{AccountId, GameId};

use crate::{inner::Club, sync::lock};

impl Club {
    /// Returns the unfinished games of a built-in bot.
    pub fn bot_games(&self, bot: AccountId) -> Vec<GameId> {
        let listed = lock(&self.0.listed);
        listed.games_of(bot).map(|record| record.id).collect()
    }
}
