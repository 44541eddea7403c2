//! Ratings and searches of finished games in the club's file.

use async_trait::async_trait;
use sqlx::AssertSqlSafe;

use super::{SqliteStore, change::Change};
use crate::{
    account::{AccountId, AccountKind},
    error::StoreError,
    game::GameRecord,
    id::GameId,
    rating::{Against, GameSearch, RatingStore, ResultCount, StoredRating},
    sql::{
        columns::{self, account_kind_word},
        ratings::{self, Value},
    },
};

impl SqliteStore {
    async fn find(&self, search: &GameSearch, limit: u32) -> Result<Vec<GameRecord>, StoreError> {
        let (statement, values) = ratings::search(search, limit);
        // The statement is safe, because every value in it is bound.
        let mut query = sqlx::query(AssertSqlSafe(statement));
        for value in values {
            query = match value {
                Value::Text(text) => query.bind(text),
                Value::Number(number) => query.bind(number),
            };
        }
        let found = query.fetch_all(&self.readers).await?;
        found.iter().map(columns::game).collect()
    }
}

#[async_trait]
impl RatingStore for SqliteStore {
    async fn uncounted(&self) -> Result<Vec<GameRecord>, StoreError> {
        let found = sqlx::query(ratings::UNCOUNTED);
        let found = found.fetch_all(&self.readers).await?;
        found.iter().map(columns::game).collect()
    }

    async fn rate(&self, game: Option<GameId>, ratings: &[StoredRating]) -> Result<(), StoreError> {
        let ratings = ratings.to_vec();
        self.write(Change::Rate { game, ratings }).await.map(drop)
    }

    async fn ratings(&self, account: AccountId) -> Result<Vec<StoredRating>, StoreError> {
        let found = sqlx::query(ratings::RATINGS).bind(account.0);
        let found = found.fetch_all(&self.readers).await?;
        found.iter().map(ratings::rating).collect()
    }

    async fn rating_changes(
        &self,
        account: AccountId,
        limit: u32,
    ) -> Result<Vec<StoredRating>, StoreError> {
        let found = sqlx::query(ratings::CHANGES)
            .bind(account.0)
            .bind(i64::from(limit))
            .fetch_all(&self.readers)
            .await?;
        found.iter().map(ratings::rating).collect()
    }

    async fn best(
        &self,
        family: &str,
        against: Against,
        kind: AccountKind,
        deviation: i64,
        limit: u32,
    ) -> Result<Vec<StoredRating>, StoreError> {
        let found = sqlx::query(ratings::BEST)
            .bind(family)
            .bind(against.name())
            .bind(account_kind_word(kind))
            .bind(deviation)
            .bind(i64::from(limit))
            .fetch_all(&self.readers)
            .await?;
        found.iter().map(ratings::rating).collect()
    }

    async fn finished(
        &self,
        search: &GameSearch,
        limit: u32,
    ) -> Result<Vec<GameRecord>, StoreError> {
        let found = self.find(search, limit).await?;
        let Some(at) = ratings::last_of_full(&found, limit) else {
            return Ok(found);
        };
        let same = ratings::at_the_same_time(search, at);
        let same = self.find(&same, u32::MAX).await?;
        Ok(ratings::with_same_time(found, same))
    }

    async fn results(
        &self,
        account: AccountId,
        among: &[AccountId],
    ) -> Result<Vec<ResultCount>, StoreError> {
        let found = sqlx::query(AssertSqlSafe(ratings::results(among))).bind(account.0);
        let found = found.fetch_all(&self.readers).await?;
        found.iter().map(ratings::result).collect()
    }
}
