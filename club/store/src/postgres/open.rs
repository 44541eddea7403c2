//! Addresses of Postgres servers, and connections to them.

use std::{fmt, str::FromStr, time::Duration};

use sqlx::{AssertSqlSafe, ConnectOptions, Executor, PgConnection, postgres::PgConnectOptions};
use tokio::time::timeout;

use crate::error::StoreError;

/// Oldest version of PostgreSQL that the club can use, as in `server_version_num`.
const MIN_VERSION: i32 = 140_000;
/// Timeout for a connection to one server.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
/// Timeout for a statement, and for an open transaction in which no statement runs, in
/// milliseconds. This timeout is longer than the timeouts of the store itself. So it takes effect
/// only if the club that began the statement or the transaction no longer runs.
const STATEMENT_TIMEOUT_MS: u32 = 10_000;

/// Options that an address may contain after `?`.
const KNOWN_OPTIONS: [&str; 9] = [
    "application_name",
    "dbname",
    "host",
    "options",
    "port",
    "sslcert",
    "sslkey",
    "sslmode",
    "sslrootcert",
];

const SETTINGS: &str = "\
select current_setting('server_version_num')::int, current_setting('server_version'),
    pg_is_in_recovery() or current_setting('transaction_read_only') = 'on',
    coalesce(current_setting('synchronous_commit', true), 'on'),
    coalesce(current_setting('fsync', true), 'on'),
    coalesce(current_setting('full_page_writes', true), 'on'),
    current_setting('server_encoding')";

/// Address of a database. It names one or more servers, of which one accepts changes.
///
/// `Display` and `Debug` do not show the password.
#[derive(Clone)]
pub(crate) struct Address {
    servers: Vec<PgConnectOptions>,
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, server) in self.servers.iter().enumerate() {
            match n {
                0 => write!(f, "postgres://{}@", server.get_username())?,
                _ => write!(f, ",")?,
            }
            match server.get_socket() {
                Some(socket) => write!(f, "{}", socket.display())?,
                None => write!(f, "{}:{}", server.get_host(), server.get_port())?,
            }
        }
        let name = self.servers.first().map(|server| {
            let user = server.get_username();
            server.get_database().unwrap_or(user)
        });
        write!(f, "/{}", name.unwrap_or_default())
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Address {
    type Err = StoreError;

    /// Parses `postgres://USER:PASSWORD@HOST:PORT,HOST:PORT/DATABASE?OPTIONS`. The error does not
    /// quote the address, because the address may contain a password.
    fn from_str(text: &str) -> Result<Address, StoreError> {
        let wrong = |why: &str| {
            StoreError::Other(format!(
                "the address of the database: {why}; it has the form \
                 postgres://USER:PASSWORD@HOST:PORT/DATABASE"
            ))
        };
        let (scheme, rest) = text.split_once("://").ok_or_else(|| wrong("no `://`"))?;
        let end = rest.find(['/', '?']).unwrap_or(rest.len());
        let (authority, tail) = rest.split_at(end);
        let (user, hosts) = match authority.rsplit_once('@') {
            Some((user, hosts)) => (format!("{user}@"), hosts),
            None => (String::new(), authority),
        };
        if let Some((_, options)) = tail.split_once('?') {
            let keys = options.split('&').filter_map(|pair| pair.split('=').next());
            for key in keys {
                let is_setting = key.starts_with("options[") || key.starts_with("options%5B");
                if !is_setting && !KNOWN_OPTIONS.contains(&key) {
                    return Err(wrong(&format!(
                        "unknown option (known: {})",
                        KNOWN_OPTIONS.join(", ")
                    )));
                }
            }
        }
        let servers = hosts.split(',').map(|host| {
            let one = format!("{scheme}://{user}{host}{tail}");
            PgConnectOptions::from_str(&one)
                .map(|options| {
                    options
                        .application_name("kriegspiel")
                        .disable_statement_logging()
                })
                .map_err(|error| wrong(&error.to_string()))
        });
        Ok(Address {
            servers: servers.collect::<Result<_, _>>()?,
        })
    }
}

/// Those settings of a server on which the durability of the store depends.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct ServerSettings {
    /// Version of the server.
    pub version: String,
    /// `synchronous_commit`; must not be `off`.
    pub synchronous_commit: String,
    /// `fsync`; must be `on`.
    pub fsync: String,
    /// `full_page_writes`; must be `on`.
    pub full_page_writes: String,
}

impl ServerSettings {
    /// Reads the settings, and fails if the club cannot use the server.
    pub(super) async fn verified(
        connection: &mut PgConnection,
    ) -> Result<ServerSettings, StoreError> {
        type Found = (i32, String, bool, String, String, String, String);
        let (number, version, is_read_only, synchronous_commit, fsync, full_page_writes, encoding): Found =
            sqlx::query_as(SETTINGS).fetch_one(connection).await?;
        if number < MIN_VERSION {
            return Err(StoreError::Other(format!(
                "the server is PostgreSQL {version}, and the club needs {} or later",
                MIN_VERSION / 10_000
            )));
        }
        if is_read_only {
            return Err(StoreError::ReadOnly(
                "the server is a standby or read-only: name the primary server".to_owned(),
            ));
        }
        let settings = [
            (
                "synchronous_commit",
                &synchronous_commit,
                synchronous_commit != "off",
            ),
            ("fsync", &fsync, fsync == "on"),
            (
                "full_page_writes",
                &full_page_writes,
                full_page_writes == "on",
            ),
            ("server_encoding", &encoding, encoding == "UTF8"),
        ];
        for (name, value, is_right) in settings {
            if !is_right {
                return Err(StoreError::Other(format!(
                    "the server has {name} = {value}: with this setting an answered move could be \
                     lost or changed; use the usual setting"
                )));
            }
        }
        Ok(ServerSettings {
            version,
            synchronous_commit,
            fsync,
            full_page_writes,
        })
    }
}

/// Sets the timeouts of a new connection. So a club that stops in the middle of a transaction
/// does not hold locks for long.
pub(super) async fn prepare(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    let settings = format!(
        "set default_transaction_isolation = 'read committed'; \
         set statement_timeout = {STATEMENT_TIMEOUT_MS}; \
         set idle_in_transaction_session_timeout = {STATEMENT_TIMEOUT_MS}"
    );
    // The statement is safe, because the text contains only numbers of this file.
    connection.execute(AssertSqlSafe(settings)).await.map(drop)
}

impl Address {
    /// Whether the address names several servers.
    pub(super) fn has_several(&self) -> bool {
        self.servers.len() > 1
    }

    /// Opens a connection to the first server that accepts changes. Returns the server, too.
    pub(super) async fn connect(&self) -> Result<(PgConnection, &PgConnectOptions), StoreError> {
        let mut failed = None;
        for server in &self.servers {
            let connected = timeout(CONNECT_TIMEOUT, async {
                let mut connection = server.connect().await?;
                prepare(&mut connection).await?;
                ServerSettings::verified(&mut connection).await?;
                Ok(connection)
            });
            match connected.await {
                Ok(Ok(connection)) => return Ok((connection, server)),
                Ok(Err(error)) => failed = failed.or(Some(error)),
                Err(_) => {
                    let error = format!("no answer within {} s", CONNECT_TIMEOUT.as_secs());
                    failed = failed.or(Some(StoreError::NoAnswer(error)));
                }
            }
        }
        Err(failed.unwrap_or_else(|| StoreError::Other("no server is named".to_owned())))
    }

    /// Opens a connection inside a read-only transaction without a time limit.
    pub(super) async fn reading(&self) -> Result<PgConnection, StoreError> {
        let (mut connection, _) = self.connect().await?;
        let begin = "set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; \
                     begin isolation level repeatable read read only";
        connection.execute(begin).await?;
        Ok(connection)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_shown_without_its_password() {
        let address = "postgres://ann:s3cret@db1:5433,db2/club?sslmode=disable";
        let address: Address = address.parse().unwrap();
        let shown = format!("{address} {address:?}");
        assert_eq!(address.to_string(), "postgres://ann@db1:5433,db2:5432/club");
        assert!(!shown.contains("s3cret"), "{shown}");
    }

    #[test]
    fn error_does_not_quote_a_wrong_address() {
        for text in [
            "postgres://ann:s3cret@db1:x/club",
            "postgres://ann:s3cret@db1/club?pasword=s3cret",
            "postgres:ann:s3cret@db1",
        ] {
            let error = text.parse::<Address>().expect_err("the address is wrong");
            assert!(!error.to_string().contains("s3cret"), "{error}");
        }
    }
}
