//! Pools of connections for everything except appends.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use futures_util::{
    StreamExt, TryStreamExt,
    future::BoxFuture,
    stream::{self, BoxStream},
};
use sqlx::{
    Connection, Either, Error, Execute, Executor, PgConnection, PgPool, Postgres, SqlStr,
    pool::PoolConnection,
    postgres::{PgConnectOptions, PgPoolOptions, PgQueryResult, PgRow, PgStatement, PgTypeInfo},
};

use tokio::{runtime::Handle, time::timeout};

use super::open::prepare;

/// Maximum number of connections for reads, and for changes that are not appends.
const POOL_CONNECTIONS: u32 = 8;
/// Maximum number of connections for heartbeats.
const HEARTBEAT_CONNECTIONS: u32 = 1;
/// A connection that was not used for this time is tested before its next use.
const TEST_AFTER: Duration = Duration::from_secs(1);
/// Timeout of a ping. The server is pinged when a connection is given back.
const RETURN_TIMEOUT: Duration = Duration::from_secs(2);

/// Time of the last call that lost its connection. Connections that were opened before this failure
/// are not used again, because they are probably lost too.
#[derive(Clone, Debug, Default)]
pub(super) struct Failures(Arc<Mutex<Option<Instant>>>);

impl Failures {
    pub(super) fn record(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    /// Whether a call has lost its connection within this time.
    pub(super) fn any_within(&self, age: Duration) -> bool {
        let last = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        last.is_some_and(|last| last.elapsed() <= age)
    }
}

/// Pools of connections to one server.
#[derive(Clone, Debug)]
pub(super) struct Pools {
    /// For reads, and for changes that are not appends.
    pub(super) calls: Pool,
    /// For heartbeats and the shared clock. This pool is separate, so that heartbeats never wait
    /// for other calls. A club without a recent heartbeat would look as if it had crashed.
    pub(super) heartbeats: Pool,
}

impl Pools {
    /// Creates the pools. Connections are opened when they are needed.
    pub(super) fn new(
        server: &PgConnectOptions,
        call_timeout: Duration,
        failures: &Failures,
    ) -> Pools {
        let pool = |connections| pool(server, call_timeout, failures.clone(), connections);
        Pools {
            calls: pool(POOL_CONNECTIONS),
            heartbeats: pool(HEARTBEAT_CONNECTIONS),
        }
    }

    /// Sets the server for all new connections.
    pub(super) fn set_server(&self, server: &PgConnectOptions) {
        self.calls.0.set_connect_options(server.clone());
        self.heartbeats.0.set_connect_options(server.clone());
    }

    /// Closes all connections.
    pub(super) async fn close(&self) {
        self.calls.0.close().await;
        self.heartbeats.0.close().await;
    }
}

/// Creates a pool of at most this number of connections to a server.
fn pool(
    server: &PgConnectOptions,
    call_timeout: Duration,
    failures: Failures,
    connections: u32,
) -> Pool {
    let pool = PgPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(call_timeout)
        .test_before_acquire(false)
        .before_acquire(move |connection, of| {
            let is_suspect = failures.any_within(of.age);
            Box::pin(async move {
                if is_suspect {
                    return Ok(false);
                }
                if of.idle_for > TEST_AFTER {
                    connection.ping().await?;
                }
                Ok(true)
            })
        })
        .after_connect(|connection, _| Box::pin(prepare(connection)))
        .connect_lazy_with(server.clone());
    Pool(pool)
}

/// A pool of connections. A connection gives its place back to the pool, even if the server never
/// answers. The library (sqlx) alone would wait without a timeout in two cases: for the rest of an
/// answer after a call was cancelled, and for the answer to a ping after each call.
#[derive(Clone, Debug)]
pub(super) struct Pool(PgPool);

impl Pool {
    /// Waits for a connection.
    async fn connection(&self) -> Result<InUse, Error> {
        Ok(InUse {
            connection: Some(self.0.acquire().await?),
            is_done: false,
        })
    }
}

/// A connection that is used by a call.
struct InUse {
    /// `None` only while the value is dropped.
    connection: Option<PoolConnection<Postgres>>,
    /// Whether the call has got its complete answer.
    is_done: bool,
}

impl InUse {
    fn connection(&mut self) -> Result<&mut PgConnection, Error> {
        let connection = self.connection.as_mut().ok_or(Error::PoolClosed)?;
        Ok(connection)
    }
}

impl Drop for InUse {
    fn drop(&mut self) {
        let Some(mut connection) = self.connection.take() else {
            return;
        };
        match Handle::try_current() {
            Ok(runtime) if self.is_done => {
                // The library first sends a ping. If the timeout ends first, the connection is
                // closed.
                let returned = connection.return_to_pool();
                runtime.spawn(async { timeout(RETURN_TIMEOUT, returned).await.ok() });
            }
            // The answer is not complete. The connection is closed without a message to the server,
            // because the server may not answer.
            Ok(_) | Err(_) => drop(connection.detach()),
        }
    }
}

type Step = Either<PgQueryResult, PgRow>;

impl<'p> Executor<'p> for &'_ Pool {
    type Database = Postgres;

    fn fetch_many<'e, 'q: 'e, E>(self, query: E) -> BoxStream<'e, Result<Step, Error>>
    where
        'p: 'e,
        E: 'q + Execute<'q, Postgres>,
    {
        let pool = self.clone();
        let steps = async move {
            let mut used = pool.connection().await?;
            let steps = used.connection()?.fetch_many(query);
            let steps: Result<Vec<Step>, Error> = steps.try_collect().await;
            used.is_done = true;
            let steps = steps?.into_iter().map(Ok::<Step, Error>);
            Ok::<_, Error>(stream::iter(steps))
        };
        stream::once(steps).try_flatten().boxed()
    }

    fn fetch_optional<'e, 'q: 'e, E>(self, query: E) -> BoxFuture<'e, Result<Option<PgRow>, Error>>
    where
        'p: 'e,
        E: 'q + Execute<'q, Postgres>,
    {
        let pool = self.clone();
        Box::pin(async move {
            let mut used = pool.connection().await?;
            let row = used.connection()?.fetch_optional(query).await;
            used.is_done = true;
            row
        })
    }

    fn prepare_with<'e>(
        self,
        sql: SqlStr,
        parameters: &'e [PgTypeInfo],
    ) -> BoxFuture<'e, Result<PgStatement, Error>>
    where
        'p: 'e,
    {
        let pool = self.clone();
        Box::pin(async move {
            let mut used = pool.connection().await?;
            let statement = used.connection()?.prepare_with(sql, parameters).await;
            used.is_done = true;
            statement
        })
    }
}
