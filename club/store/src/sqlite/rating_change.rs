//! Changes of ratings in the club's file.

use sqlx::SqliteConnection;

use super::not_done::NotDone;
use crate::{
    account::AccountState,
    error::StoreError,
    id::GameId,
    rating::StoredRating,
    sql::{self, columns, ratings},
    writer::Done,
};

/// Adds ratings, and marks a game as counted.
pub(super) async fn rate(
    to: &mut SqliteConnection,
    game: Option<GameId>,
    ratings: &[StoredRating],
) -> Result<Done, NotDone> {
    if let Some(game) = game {
        let counted = sqlx::query(ratings::COUNT_GAME).bind(game.to_string());
        if counted.execute(&mut *to).await?.rows_affected() == 0 {
            return Err(StoreError::Taken.into());
        }
    }
    for rating in ratings {
        let account = sqlx::query(sql::ACCOUNT)
            .bind(rating.account.0)
            .fetch_optional(&mut *to)
            .await?;
        let account = columns::account(&account.ok_or(StoreError::Absent)?)?;
        if account.state == AccountState::Deleted {
            continue;
        }
        let ended = sqlx::query(ratings::END_RATING)
            .bind(rating.account.0)
            .bind(&rating.family)
            .bind(rating.against.name());
        ended.execute(&mut *to).await?;
        let added = sqlx::query(ratings::ADD_RATING)
            .bind(rating.account.0)
            .bind(&rating.family)
            .bind(rating.against.name())
            .bind(i64::from(rating.n))
            .bind(rating.rating)
            .bind(rating.deviation)
            .bind(rating.volatility)
            .bind(rating.at)
            .bind(rating.game.map(|game| game.to_string()));
        if added.execute(&mut *to).await?.rows_affected() == 0 {
            return Err(StoreError::Taken.into());
        }
    }
    Ok(Done::Nothing)
}
