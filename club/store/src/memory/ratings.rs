//! Ratings and searches of finished games in memory.

use std::collections::BTreeMap;

use async_trait::async_trait;
use rules::{
    Winner,
    chess::{ByColor, Color},
};

use super::MemoryStore;
use crate::{
    account::{AccountId, AccountKind, AccountState},
    error::StoreError,
    game::GameRecord,
    id::GameId,
    rating::{Against, GameSearch, RatingStore, ResultCount, StoredRating},
};

fn key(rating: &StoredRating) -> (AccountId, &str, Against) {
    (rating.account, &rating.family, rating.against)
}

/// Whether a game is finished and matches.
fn matches(game: &GameRecord, search: &GameSearch) -> bool {
    let Some(over) = game.over else { return false };
    let color = game.seat(search.player).color();
    let opponent = color.map(|color| *game.players.get(color.other()));
    let won = |color: Color, won: bool| {
        over.winner == Winner::from(if won { color } else { color.other() })
    };
    (search.player.is_none() || color.is_some())
        && (search.opponent.is_none() || search.opponent == opponent)
        && search
            .rules
            .as_ref()
            .is_none_or(|rules| *rules == game.terms.rules)
        && search.winner.is_none_or(|winner| winner == over.winner)
        && search
            .won
            .is_none_or(|wanted| color.is_some_and(|color| won(color, wanted)))
        && (search.since..search.before).contains(&game.at)
}

#[async_trait]
impl RatingStore for MemoryStore {
    async fn uncounted(&self) -> Result<Vec<GameRecord>, StoreError> {
        let tables = self.tables();
        Ok(tables.listed(|game| {
            game.terms.rated && game.over.is_some() && !tables.counted.contains(&game.id)
        }))
    }

    async fn rate(&self, game: Option<GameId>, ratings: &[StoredRating]) -> Result<(), StoreError> {
        let mut tables = self.tables();
        if let Some(game) = game {
            let is_over = tables
                .games
                .get(&game)
                .is_some_and(|game| game.over.is_some());
            if !is_over || tables.counted.contains(&game) {
                return Err(StoreError::Taken);
            }
        }
        let mut new = Vec::new();
        for rating in ratings {
            if tables.account(rating.account)?.state != AccountState::Deleted {
                new.push(rating.clone());
            }
            let same = |old: &StoredRating| key(old) == key(rating) && old.n == rating.n;
            if tables.ratings.iter().any(same) {
                return Err(StoreError::Taken);
            }
        }
        tables.counted.extend(game);
        tables.ratings.extend(new);
        Ok(())
    }

    async fn rating_changes(
        &self,
        account: AccountId,
        limit: u32,
    ) -> Result<Vec<StoredRating>, StoreError> {
        let tables = self.tables();
        let mut all = BTreeMap::<_, Vec<_>>::new();
        for rating in tables
            .ratings
            .iter()
            .filter(|rating| rating.account == account)
        {
            let name = (&rating.family, rating.against.name());
            all.entry(name).or_default().push(rating.clone());
        }
        let newest = |changes: Vec<_>| {
            let skipped = changes.len().saturating_sub(limit as usize);
            changes.into_iter().skip(skipped)
        };
        Ok(all.into_values().flat_map(newest).collect())
    }

    async fn best(
        &self,
        family: &str,
        against: Against,
        kind: AccountKind,
        deviation: i64,
        limit: u32,
    ) -> Result<Vec<StoredRating>, StoreError> {
        let tables = self.tables();
        let mut present = BTreeMap::new();
        for rating in &tables.ratings {
            if rating.family == family && rating.against == against {
                present.insert(rating.account, rating.clone());
            }
        }
        let is_listed = |rating: &StoredRating| {
            let account = tables.account(rating.account);
            rating.deviation <= deviation
                && account.is_ok_and(|a| a.kind == kind && a.state == AccountState::Active)
        };
        let mut best: Vec<_> = present.into_values().filter(is_listed).collect();
        best.sort_by_key(|rating| (-rating.rating, rating.account));
        best.truncate(limit as usize);
        Ok(best)
    }

    async fn finished(
        &self,
        search: &GameSearch,
        limit: u32,
    ) -> Result<Vec<GameRecord>, StoreError> {
        let mut found = self.tables().listed(|game| matches(game, search));
        found.reverse();
        let last = found.get(limit.saturating_sub(1) as usize);
        if let Some(at) = last.map(|game| game.at) {
            found.retain(|game| game.at >= at);
        }
        Ok(found)
    }

    async fn results(
        &self,
        account: AccountId,
        among: &[AccountId],
    ) -> Result<Vec<ResultCount>, StoreError> {
        let mut counts = BTreeMap::new();
        let games = self
            .tables()
            .listed(|game| matches(game, &GameSearch::of(account)));
        for game in games {
            if let (Some(color), Some(over)) = (game.seat(Some(account)).color(), game.over) {
                let opponent = Some(*game.players.get(color.other()));
                let opponent = opponent.filter(|opponent| among.contains(opponent));
                if opponent.is_none() && !among.is_empty() {
                    continue;
                }
                let name = (
                    color == Color::White,
                    opponent,
                    game.terms.rules,
                    over.winner,
                );
                *counts.entry(name).or_insert(0) += 1;
            }
        }
        let count = |((is_white, opponent, rules, winner), games)| ResultCount {
            is_white,
            opponent,
            rules,
            winner,
            games,
        };
        Ok(counts.into_iter().map(count).collect())
    }

    async fn opponents(
        &self,
        account: AccountId,
        limit: u32,
    ) -> Result<Vec<AccountId>, StoreError> {
        let mut counts = BTreeMap::new();
        for game in self.tables().listed(|game| {
            matches(game, &GameSearch::of(account))
                && game.over.is_some_and(|o| o.winner != Winner::Unfinished)
        }) {
            let ByColor { white, black } = game.players;
            let opponent = if white == account { black } else { white };
            *counts.entry(opponent).or_insert(0) += 1;
        }
        let mut opponents: Vec<(AccountId, i32)> = counts.into_iter().collect();
        opponents.sort_by_key(|(_, games)| -games);
        let ids = opponents.into_iter().map(|(opponent, _)| opponent);
        Ok(ids.take(limit as usize).collect())
    }
}
