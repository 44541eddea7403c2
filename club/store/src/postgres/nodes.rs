//! What the clubs on one database tell each other.

use async_trait::async_trait;

use super::PostgresStore;
use crate::{
    id::{GameId, GameSeat},
    presence, sql,
    store::{Hint, NodeStore, StoreError},
};

/// Claims the bots of games that no other club is changing. Rows that another transaction has locked
/// are skipped, so two clubs do not wait for each other.
const CLAIM_BOTS: &str = "\
update games set bot_club = $2 where id in
    (select id from games
    where id = any($1) and reason is null and (bot_club is null or bot_club = any($3))
    for update skip locked)";

#[async_trait]
impl NodeStore for PostgresStore {
    async fn claim_bots(
        &self,
        games: &[GameId],
        club: u64,
        dead: &[u64],
    ) -> Result<(), StoreError> {
        let games: Vec<String> = games.iter().map(GameId::to_string).collect();
        let dead: Vec<String> = dead.iter().map(u64::to_string).collect();
        let claimed = || {
            let claim = sqlx::query(CLAIM_BOTS).bind(&games);
            let claim = claim.bind(club.to_string()).bind(&dead);
            claim.execute(&self.pool)
        };
        self.repeated(claimed).await.map(drop)
    }

    async fn bot_claims(&self) -> Result<Vec<(GameId, u64)>, StoreError> {
        let found = || sqlx::query_as(sql::BOT_CLAIMS).fetch_all(&self.pool);
        sql::bot_claims(&self.repeated(found).await?)
    }

    async fn release_bots(&self, club: u64) -> Result<(), StoreError> {
        let released = || {
            let release = sqlx::query(sql::RELEASE_BOTS).bind(club.to_string());
            release.execute(&self.pool)
        };
        self.repeated(released).await.map(drop)
    }

    async fn set_presence(
        &self,
        club: u64,
        version: i64,
        seats: &[GameSeat],
    ) -> Result<(), StoreError> {
        let (club, seats) = (club.to_string(), presence::text_of(seats));
        let forgotten = || {
            let forget = sqlx::query(sql::FORGET_PRESENCE).bind(&club);
            forget.execute(&self.pool)
        };
        self.repeated(forgotten).await?;
        let set = || {
            let set = sqlx::query(sql::SET_PRESENCE).bind(&club);
            set.bind(version).bind(&seats).execute(&self.pool)
        };
        self.repeated(set).await?;
        self.hints.send_elsewhere(Hint::Presence);
        Ok(())
    }

    async fn presences(&self) -> Result<Vec<(u64, i64)>, StoreError> {
        let found = || sqlx::query_as(sql::PRESENCES).fetch_all(&self.pool);
        sql::presences(&self.repeated(found).await?)
    }

    async fn presence(&self, club: u64) -> Result<Vec<GameSeat>, StoreError> {
        let found = || {
            sqlx::query_scalar(sql::PRESENCE)
                .bind(club.to_string())
                .fetch_one(&self.pool)
        };
        let found: String = self.repeated(found).await?;
        presence::parse(&found)
    }
}
