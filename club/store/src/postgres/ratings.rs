//! Ratings and searches of finished games in a Postgres database.

use async_trait::async_trait;
use sqlx::{AssertSqlSafe, postgres::PgRow};

use super::PostgresStore;
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

const RATE: &str = "select rate($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";

impl PostgresStore {
    async fn find(&self, search: &GameSearch, limit: u32) -> Result<Vec<GameRecord>, StoreError> {
        let read = || {
            let (statement, values) = ratings::search(search, limit);
            // The statement is safe, because every value in it is bound.
            let mut query = sqlx::query(AssertSqlSafe(statement));
            for value in values {
                query = match value {
                    Value::Text(text) => query.bind(text),
                    Value::Number(number) => query.bind(number),
                };
            }
            query.fetch_all(&self.pool)
        };
        let found = self.repeated(read).await?;
        found.iter().map(columns::game).collect()
    }
}

fn parse(found: &[PgRow]) -> Result<Vec<StoredRating>, StoreError> {
    found.iter().map(ratings::rating).collect()
}

#[async_trait]
impl RatingStore for PostgresStore {
    async fn uncounted(&self) -> Result<Vec<GameRecord>, StoreError> {
        self.all(ratings::UNCOUNTED, columns::game).await
    }

    async fn rate(&self, game: Option<GameId>, ratings: &[StoredRating]) -> Result<(), StoreError> {
        let all = || ratings.iter();
        let rated = sqlx::query_scalar(RATE)
            .bind(game.map(|game| game.to_string()))
            .bind(all().map(|rating| rating.account.0).collect::<Vec<_>>())
            .bind(
                all()
                    .map(|rating| rating.family.clone())
                    .collect::<Vec<_>>(),
            )
            .bind(
                all()
                    .map(|rating| rating.against.name())
                    .collect::<Vec<_>>(),
            )
            .bind(all().map(|rating| i64::from(rating.n)).collect::<Vec<_>>())
            .bind(all().map(|rating| rating.rating).collect::<Vec<_>>())
            .bind(all().map(|rating| rating.deviation).collect::<Vec<_>>())
            .bind(all().map(|rating| rating.volatility).collect::<Vec<_>>())
            .bind(all().map(|rating| rating.at).collect::<Vec<_>>())
            .bind(
                all()
                    .map(|rating| rating.game.map(|game| game.to_string()))
                    .collect::<Vec<_>>(),
            );
        match self.in_time(rated.fetch_one(&self.pool)).await? {
            true => Ok(()),
            false => Err(StoreError::Taken),
        }
    }

    async fn rating_changes(
        &self,
        account: AccountId,
        limit: u32,
    ) -> Result<Vec<StoredRating>, StoreError> {
        let read = || {
            sqlx::query(ratings::CHANGES)
                .bind(account.0)
                .bind(i64::from(limit))
                .fetch_all(&self.pool)
        };
        parse(&self.repeated(read).await?)
    }

    async fn best(
        &self,
        family: &str,
        against: Against,
        kind: AccountKind,
        deviation: i64,
        limit: u32,
    ) -> Result<Vec<StoredRating>, StoreError> {
        let read = || {
            sqlx::query(ratings::BEST)
                .bind(family.to_owned())
                .bind(against.name())
                .bind(account_kind_word(kind))
                .bind(deviation)
                .bind(i64::from(limit))
                .fetch_all(&self.pool)
        };
        parse(&self.repeated(read).await?)
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
        let statement = ratings::results(among);
        let read = || {
            sqlx::query(AssertSqlSafe(statement.clone()))
                .bind(account.0)
                .fetch_all(&self.pool)
        };
        let found = self.repeated(read).await?;
        found.iter().map(ratings::result).collect()
    }

    async fn opponents(
        &self,
        account: AccountId,
        limit: u32,
    ) -> Result<Vec<AccountId>, StoreError> {
        let read = || {
            sqlx::query_scalar(ratings::OPPONENTS)
                .bind(account.0)
                .bind(i64::from(limit))
                .fetch_all(&self.pool)
        };
        let found: Vec<i64> = self.repeated(read).await?;
        Ok(found.into_iter().map(AccountId).collect())
    }
}
