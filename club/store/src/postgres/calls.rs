//! Calls to the server, each with a timeout. If the connection is lost, calls that may be repeated
//! are repeated once.

use std::time::Duration;

use sqlx::{Connection, postgres::PgRow};
use tokio::time::timeout;

use super::PostgresStore;
use crate::error::StoreError;

/// Timeout for a call of the store that is not an append. The first run of a call that may be
/// repeated has a shorter timeout.
pub(super) const CALL_TIMEOUT: Duration = Duration::from_secs(5);

/// Timeout for the first run of a call that may be repeated.
const FIRST_TIMEOUT: Duration = Duration::from_secs(2);
/// For this time after a lost connection, calls are not repeated, because the server probably does
/// not answer.
const KNOWN_AWAY: Duration = Duration::from_secs(3);

impl PostgresStore {
    /// Runs a call with the usual timeout. If the connection is lost, the pool also stops using its
    /// other connections.
    pub(super) async fn in_time<T>(
        &self,
        call: impl Future<Output = Result<T, sqlx::Error>>,
    ) -> Result<T, StoreError> {
        self.within(CALL_TIMEOUT, call).await
    }

    /// Runs a call like [`in_time`](PostgresStore::in_time), but with the timeout `limit`.
    async fn within<T>(
        &self,
        limit: Duration,
        call: impl Future<Output = Result<T, sqlx::Error>>,
    ) -> Result<T, StoreError> {
        let late = format!("no answer within {} s", limit.as_secs_f32());
        let done = match timeout(limit, call).await {
            Ok(done) => done.map_err(StoreError::from),
            Err(_) => Err(StoreError::NoAnswer(late)),
        };
        if matches!(done, Err(StoreError::NoAnswer(_))) {
            self.failures.record();
        }
        done
    }

    /// Finds the server that accepts changes, if the address names several servers. From then on,
    /// the pool connects to this server. The connection for appends also searches, but only when
    /// something is appended. A club that does not reach its database appends nothing, so this
    /// separate search is needed.
    async fn find_server(&self) {
        if !self.address.has_several() {
            return;
        }
        // One search at a time is enough.
        let Ok(_search) = self.search.try_lock() else {
            return;
        };
        if let Ok((connection, server)) = self.address.connect().await {
            self.pools.set_server(server);
            // The connection was needed only to find the server.
            let _ignored = connection.close().await;
        }
    }

    /// Runs a call that may be repeated. If there is no answer, repeats the call once. Does not
    /// repeat it if another call lost its connection a short time ago. The first run has a short
    /// timeout, because its connection may be broken without notice.
    pub(super) async fn repeated<T, F>(&self, call: impl Fn() -> F) -> Result<T, StoreError>
    where
        F: Future<Output = Result<T, sqlx::Error>>,
    {
        let was_away = self.failures.any_within(KNOWN_AWAY);
        match self.within(FIRST_TIMEOUT, call()).await {
            Err(StoreError::NoAnswer(why)) => {
                self.find_server().await;
                if was_away {
                    return Err(StoreError::NoAnswer(why));
                }
                self.in_time(call()).await
            }
            done => done,
        }
    }

    /// Reads all rows that a statement without parameters selects.
    pub(super) async fn all<T>(
        &self,
        statement: &'static str,
        parse: fn(&PgRow) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        let read = || sqlx::query(statement).fetch_all(&self.pool);
        self.repeated(read).await?.iter().map(parse).collect()
    }
}
