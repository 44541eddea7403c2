//! Appends to logs: all waiting appends are one statement, and so one commit.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use rules::{Over, chess::Color};
use sqlx::{Connection, PgConnection, Row as _};
use tokio::time::timeout;

use super::{
    open::{Address, ServerSettings},
    pools::Pools,
};
use crate::{
    id::GameId,
    row::{NewRow, RequestId},
    store::{AppendError, LogEnd, StoreError, damaged},
    writer::{Answer, Committer, Done},
};

/// Timeout for a commit, including the time to open a new connection.
const COMMIT_TIMEOUT: Duration = Duration::from_secs(5);

const APPEND: &str = "\
select answer, first_seq from append_rows(
    $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)";

/// Rows to be appended to one log.
#[derive(Debug)]
pub(super) struct Append {
    pub(super) game: GameId,
    pub(super) expected: LogEnd,
    pub(super) others: Vec<(Color, RequestId)>,
    pub(super) rows: Vec<NewRow>,
    pub(super) over: Option<Over>,
}

/// The connection that appends.
pub(super) struct PostgresCommitter {
    address: Address,
    /// `None` after an error, until a connection is opened again.
    connection: Option<PgConnection>,
    /// The store's other connections. They must go to the same server as `connection`.
    pools: Pools,
    /// Whether the server has refused the last appends, for example because its disk is full.
    is_refused: Arc<AtomicBool>,
}

impl PostgresCommitter {
    pub(super) fn new(
        address: Address,
        connection: PgConnection,
        pools: Pools,
        is_refused: Arc<AtomicBool>,
    ) -> PostgresCommitter {
        PostgresCommitter {
            address,
            connection: Some(connection),
            pools,
            is_refused,
        }
    }

    async fn connection(&mut self) -> Result<&mut PgConnection, StoreError> {
        let connection = match self.connection.take() {
            Some(connection) => connection,
            None => {
                let (connection, server) = self.address.connect().await?;
                self.pools.set_server(server);
                connection
            }
        };
        Ok(self.connection.insert(connection))
    }

    /// Appends. If the connection was lost, appends again over a new connection. If the first call
    /// was committed, the second call gets conflicts, and the callers find their rows in the logs.
    async fn append(&mut self, changes: &[&Append]) -> Result<Vec<Answer>, StoreError> {
        let was_open = self.connection.is_some();
        match append(self.connection().await?, changes).await {
            Err(StoreError::NoAnswer(_)) if was_open => {
                self.connection = None;
                append(self.connection().await?, changes).await
            }
            answered => answered,
        }
    }
}

impl Committer for PostgresCommitter {
    type Change = Append;
    type Settings = ServerSettings;

    fn game(change: &Append) -> Option<GameId> {
        Some(change.game)
    }

    async fn commit(&mut self, changes: &[&Append]) -> Result<Vec<Answer>, StoreError> {
        let answered = timeout(COMMIT_TIMEOUT, self.append(changes)).await;
        let answered = answered.unwrap_or_else(|_| {
            let late = format!("no answer within {} s", COMMIT_TIMEOUT.as_secs());
            Err(StoreError::NoAnswer(late))
        });
        let is_refused = matches!(answered, Err(StoreError::Full | StoreError::ReadOnly(_)));
        self.is_refused.store(is_refused, Ordering::Relaxed);
        if answered.is_err() {
            // The connection may be lost, or the server may have become a standby, so the next
            // append opens a new connection.
            self.connection = None;
        }
        answered
    }

    async fn settings(&mut self) -> Result<ServerSettings, StoreError> {
        ServerSettings::verified(self.connection().await?).await
    }

    async fn close(self) {
        if let Some(connection) = self.connection {
            // Everything is durable already, so an error here does no harm.
            let _ignored = connection.close().await;
        }
    }
}

fn number(length: usize) -> Result<i32, StoreError> {
    i32::try_from(length).map_err(|_| StoreError::Other("too many rows".to_owned()))
}

/// Calls `append_rows`, and returns the answers in the order of `changes`.
async fn append(
    connection: &mut PgConnection,
    changes: &[&Append],
) -> Result<Vec<Answer>, StoreError> {
    // The appends are sorted by game. All clubs append in this order, so that two calls never wait
    // for each other.
    let mut order: Vec<usize> = (0..changes.len()).collect();
    order.sort_by_key(|n| changes[*n].game);
    let sorted = || order.iter().map(|n| changes[*n]);
    let others = || sorted().flat_map(|change| &change.others);
    let rows = || sorted().flat_map(|change| &change.rows);
    let seat = |row: &NewRow| row.request.as_ref().map(|(seat, _)| seat.to_string());
    let request = |row: &NewRow| row.request.as_ref().map(|(_, id)| id.0.clone());

    let games: Vec<String> = sorted().map(|change| change.game.to_string()).collect();
    let expected = sorted().map(|change| i64::from(change.expected.rows));
    let last_at = sorted().map(|change| change.expected.last_at);
    let other_counts = sorted().map(|change| number(change.others.len()));
    let row_counts = sorted().map(|change| number(change.rows.len()));
    let over = || sorted().map(|change| change.over);
    let winners: Vec<_> = over()
        .map(|over| over.map(|over| over.winner.score()))
        .collect();
    let reasons: Vec<_> = over()
        .map(|over| over.map(|over| over.reason.name()))
        .collect();
    let called = sqlx::query(APPEND)
        .bind(&games)
        .bind(expected.collect::<Vec<_>>())
        .bind(other_counts.collect::<Result<Vec<i32>, _>>()?)
        .bind(row_counts.collect::<Result<Vec<i32>, _>>()?)
        .bind(winners)
        .bind(reasons)
        .bind(
            others()
                .map(|(seat, _)| seat.to_string())
                .collect::<Vec<_>>(),
        )
        .bind(others().map(|(_, id)| id.0.clone()).collect::<Vec<_>>())
        .bind(rows().map(|row| row.at).collect::<Vec<_>>())
        .bind(rows().map(|row| row.act.to_string()).collect::<Vec<_>>())
        .bind(rows().map(seat).collect::<Vec<_>>())
        .bind(rows().map(request).collect::<Vec<_>>())
        .bind(last_at.collect::<Vec<_>>());
    let found = called.fetch_all(connection).await?;
    if found.len() != changes.len() {
        return Err(damaged("`append_rows` did not answer every append"));
    }
    let mut answers: Vec<Answer> = changes.iter().map(|_| Err(AppendError::Conflict)).collect();
    for (n, row) in order.iter().zip(&found) {
        let (answer, first): (&str, i64) = (
            row.try_get(0).map_err(StoreError::from)?,
            row.try_get(1).map_err(StoreError::from)?,
        );
        let game = changes[*n].game;
        answers[*n] = match answer {
            "appended" => {
                let count = first.saturating_add(i64::from(number(changes[*n].rows.len())?));
                let rows = u32::try_from(count)
                    .map_err(|_| damaged(format_args!("game {game}: its log has row {first}")))?;
                Ok(Done::Grown(game, rows))
            }
            "conflict" => Err(AppendError::Conflict),
            "absent" => Err(StoreError::Absent.into()),
            "taken" => Err(StoreError::Taken.into()),
            other => return Err(damaged(format_args!("`append_rows` answered `{other}`"))),
        };
    }
    Ok(answers)
}
