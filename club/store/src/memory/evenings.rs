//! Evenings in memory.

use async_trait::async_trait;

use super::MemoryStore;
use crate::{
    account::AccountId,
    error::StoreError,
    evening::{Evening, EveningGame, EveningId, EveningPlayer, EveningStore},
    id::GameId,
    store::Fence,
};

#[async_trait]
impl EveningStore for MemoryStore {
    async fn create_evening(&self, evening: &Evening) -> Result<(), StoreError> {
        let mut tables = self.tables();
        tables.account(evening.maker)?;
        if tables.evenings.open(&evening.id).is_ok() {
            return Err(StoreError::Taken);
        }
        tables.evenings.evenings.push(evening.clone());
        Ok(())
    }

    async fn cancel_evening(&self, id: &EveningId) -> Result<(), StoreError> {
        let evenings = &mut self.tables().evenings;
        if evenings.open(id)?.is_over {
            return Err(StoreError::Absent);
        }
        evenings.evenings.retain(|evening| evening.id != *id);
        evenings.players.retain(|(of, _), _| of != id);
        evenings.games.retain(|(of, _)| of != id);
        Ok(())
    }

    async fn end_evening(&self, id: &EveningId) -> Result<(), StoreError> {
        let tables = &mut *self.tables();
        tables.evenings.open(id)?.is_over = true;
        let is_over = |game: &GameId| tables.games.get(game).is_some_and(|of| of.over.is_some());
        let games = &mut tables.evenings.games;
        games.retain(|(of, game)| of != id || is_over(&game.game));
        Ok(())
    }

    async fn evening(&self, id: &EveningId) -> Result<Evening, StoreError> {
        self.tables().evenings.open(id).cloned()
    }

    async fn evenings(&self, is_over: bool, limit: u32) -> Result<Vec<Evening>, StoreError> {
        let tables = self.tables();
        let mut found = tables.evenings.sorted(|evening| evening.is_over == is_over);
        if is_over {
            found.reverse();
            found.truncate(limit as usize);
        }
        Ok(found)
    }

    async fn evenings_of(&self, account: AccountId) -> Result<Vec<Evening>, StoreError> {
        let evenings = &self.tables().evenings;
        let joined = |id: &EveningId| evenings.players.contains_key(&(id.clone(), account));
        Ok(evenings.sorted(|evening| evening.maker == account || joined(&evening.id)))
    }

    async fn set_evening_player(
        &self,
        evening: &EveningId,
        player: &EveningPlayer,
    ) -> Result<(), StoreError> {
        let mut tables = self.tables();
        tables.account(player.account)?;
        tables.evenings.open(evening)?;
        let key = (evening.clone(), player.account);
        let known = tables.evenings.players.entry(key);
        known.or_insert_with(|| player.clone()).waits = player.waits;
        Ok(())
    }

    async fn evening_players(&self, id: &EveningId) -> Result<Vec<EveningPlayer>, StoreError> {
        let evenings = &self.tables().evenings;
        let players = evenings.players.iter().filter(|((of, _), _)| of == id);
        let mut found: Vec<EveningPlayer> = players.map(|(_, player)| player.clone()).collect();
        found.sort_by_key(|player| (player.joined, player.account));
        Ok(found)
    }

    async fn add_evening_game(
        &self,
        fence: Fence,
        evening: &EveningId,
        game: &EveningGame,
    ) -> Result<(), StoreError> {
        let mut tables = self.tables();
        tables.evenings.open(evening)?;
        for player in [game.players.white, game.players.black] {
            tables.account(player)?;
        }
        let mut known = tables.evenings.games.iter();
        if tables.lease.fence != fence || known.any(|(_, old)| old.game == game.game) {
            return Err(StoreError::Fenced);
        }
        tables.evenings.games.push((evening.clone(), game.clone()));
        Ok(())
    }

    async fn remove_evening_game(&self, game: GameId) -> Result<(), StoreError> {
        let tables = &mut *self.tables();
        if !tables.games.contains_key(&game) {
            tables.evenings.games.retain(|(_, of)| of.game != game);
        }
        Ok(())
    }

    async fn evening_games(&self, id: &EveningId) -> Result<Vec<EveningGame>, StoreError> {
        let tables = self.tables();
        let games = tables.evenings.games.iter().filter(|(of, _)| of == id);
        let read = |(_, game): &(EveningId, EveningGame)| {
            let record = tables.games.get(&game.game);
            EveningGame {
                begun: record.is_some(),
                over: record.and_then(|record| record.over),
                ..game.clone()
            }
        };
        let mut found: Vec<EveningGame> = games.map(read).collect();
        found.sort_by_key(|game| (game.at, game.game));
        Ok(found)
    }
}
