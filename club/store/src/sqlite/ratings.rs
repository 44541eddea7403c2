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

    async fn opponents(
        &self,
        account: AccountId,
        limit: u32,
    ) -> Result<Vec<AccountId>, StoreError> {
        let found = sqlx::query_scalar(ratings::OPPONENTS)
            .bind(account.0)
            .bind(i64::from(limit));
        let found: Vec<i64> = found.fetch_all(&self.readers).await?;
        Ok(found.into_iter().map(AccountId).collect())
    }
}

#[cfg(test)]
mod tests {
    use rules::Winner;
    use sqlx::Connection as _;

    use super::*;
    use crate::{sql::TO_END, sqlite::schema};

    /// SQLite knows no numbers of rows, so another index can make it read all games for a list.
    #[tokio::test]
    async fn each_list_is_read_through_the_best_index() {
        let file = sqlx::SqliteConnection::connect("sqlite::memory:").await;
        let mut file = file.unwrap();
        let made = schema::steps(&mut file).await;
        made.unwrap();
        let find = |search: GameSearch| ratings::search(&search, 9).0;
        let all = |winner| GameSearch {
            winner,
            ..GameSearch::default()
        };
        let of_rules = |search| GameSearch {
            rules: Some(String::new()),
            ..search
        };
        let own = GameSearch {
            won: Some(true),
            ..of_rules(GameSearch::of(AccountId(1)))
        };
        let draw = Some(Winner::Draw);
        let drawn = GameSearch {
            winner: draw,
            ..own.clone()
        };
        let both = "games_of_white (white, at), games_of_black (black, at)";
        let counts = "games_results_of_white (white), games_results_of_black (black)";
        #[rustfmt::skip]
        let cases = [
            (find(all(None)), "games_finished (at)"),
            (find(all(draw)), "games_finished_of_result (winner, at)"),
            (find(of_rules(all(None))), "games_finished_of_rules (rules, at)"),
            (find(of_rules(all(draw))), "games_finished_of_result (winner, at)"),
            (find(own), both),
            (find(drawn), both),
            (ratings::results(&[]), counts),
            (ratings::OPPONENTS.into(), counts),
            (ratings::UNCOUNTED.into(), "games_uncounted (counted)"),
            (TO_END.into(), "games_to_end (end_ordered)"),
            (ratings::CHANGES.into(), "ratings_1 (account), ratings_1 (account, family, against, n)"),
            (ratings::BEST.into(), "ratings_best (family, against), accounts_1 (id)"),
        ];
        for (statement, indexes) in cases {
            let explained = AssertSqlSafe(format!("explain query plan {statement}"));
            let plan = sqlx::query_as(explained).fetch_all(&mut file).await;
            let plan: Vec<(i64, i64, i64, String)> = plan.unwrap();
            let steps = plan.iter().map(|(.., step)| step);
            let read = steps.filter_map(|step| Some(step.split_once(" INDEX ")?.1));
            let mut read = read.collect::<Vec<_>>().join(", ");
            for (long, short) in [
                ("sqlite_autoindex_", ""),
                ("at>? AND at<?", "at"),
                (" AND ", ", "),
                ("=?", ""),
                (">?", ""),
            ] {
                read = read.replace(long, short);
            }
            assert_eq!(read, indexes, "{statement}");
        }
    }
}
