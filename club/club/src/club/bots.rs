//! Which club plays the built-in bots of a game, if several clubs use one store.

use store::{AccountId, GameId, StoreError};

use crate::{
    inner::{Club, Inner},
    sync::lock,
};

impl Club {
    /// Returns the unfinished games of a built-in bot in which this club must play the bot. If no
    /// running club plays the bot in a game, this function claims the game for this club.
    ///
    /// Only one of the clubs that use the store has the claim to a game. If that club stops,
    /// another club gets the claim within a few seconds.
    pub async fn bot_games(&self, bot: AccountId) -> Vec<GameId> {
        let club = &self.0;
        if club.is_closing() {
            return Vec::new();
        }
        let games: Vec<GameId> = {
            let listed = lock(&club.listed);
            listed.games_of(bot).map(|record| record.id).collect()
        };
        let is_claimed = |game: &GameId| {
            let claim = club.bot_claims.of(*game);
            claim.is_some_and(|by| by == club.number || club.liveness.is_heard(by))
        };
        let free: Vec<GameId> = games.iter().copied().filter(|g| !is_claimed(g)).collect();
        if !free.is_empty() {
            // If the store fails now, the caller asks again later.
            let _later = club.claim_bots(&free).await;
        }
        let is_own = |game: &GameId| club.bot_claims.of(*game) == Some(club.number);
        games.into_iter().filter(is_own).collect()
    }

    /// Whether another club has claimed the built-in bots of a game, so that this club must not
    /// play them any more.
    pub fn has_lost_bots(&self, game: GameId) -> bool {
        let claim = self.0.bot_claims.of(game);
        claim.is_some_and(|by| by != self.0.number)
    }

    /// Whether other clubs may use the same store now.
    pub fn may_have_others(&self) -> bool {
        self.0.may_have_others()
    }
}

impl Inner {
    pub(super) fn may_have_others(&self) -> bool {
        self.liveness.is_shared() || self.liveness.has_others()
    }

    /// Claims the built-in bots of these games, except for games whose bots another running club
    /// plays.
    async fn claim_bots(&self, games: &[GameId]) -> Result<(), StoreError> {
        let _reading = self.bot_claims.reading.lock().await;
        if self.is_closing() {
            return Ok(());
        }
        let found = self.store.heartbeats().await?;
        let claims = self.store.bot_claims().await?;
        let mut dead: Vec<u64> = claims.iter().map(|(_, by)| *by).collect();
        dead.retain(|by| *by != self.number && self.liveness.is_dead(*by, &found));
        dead.sort_unstable();
        dead.dedup();
        self.store.claim_bots(games, self.number, &dead).await?;
        let claims = self.store.bot_claims().await?;
        self.bot_claims.set(claims);
        Ok(())
    }

    /// Ends the claims of this club when it closes.
    pub(super) async fn release_bots(&self) -> Result<(), StoreError> {
        let _reading = self.bot_claims.reading.lock().await;
        self.store.release_bots(self.number).await
    }

    /// Reads the claims of all clubs.
    pub(super) async fn read_bot_claims(&self) -> Result<(), StoreError> {
        let _reading = self.bot_claims.reading.lock().await;
        let claims = self.store.bot_claims().await?;
        self.bot_claims.set(claims);
        Ok(())
    }
}
