//! Copies of a whole store, in either direction between SQLite and Postgres.
//!
//! A copy is read from one snapshot and written in one transaction. So the new store contains a
//! complete copy or nothing.

use std::hash::{DefaultHasher, Hash, Hasher};

use sqlx::{
    AssertSqlSafe, Connection, PgConnection, Postgres, QueryBuilder, Sqlite, SqliteConnection,
};

use crate::{
    error::StoreError, postgres::PostgresSnapshot, sql::columns::StoredRow, sqlite::SqliteSnapshot,
};

/// Number of rows that one statement reads or writes. SQLite allows 32,766 values per statement.
const BATCH_ROWS: usize = 500;

/// A column of a table. All columns of the club's tables have one of these types.
#[derive(Copy, Clone)]
enum Column {
    Text(&'static str),
    Number(&'static str),
    Truth(&'static str),
}

use Column::{Number, Text, Truth};

/// A value of a column.
#[derive(Clone, Hash)]
pub(crate) enum Value {
    Text(Option<String>),
    Number(Option<i64>),
    Truth(bool),
}

/// A table, with its columns. The first `key` columns are the primary key.
struct Table {
    name: &'static str,
    key: usize,
    columns: &'static [Column],
}

/// All tables that are copied, in this order: no row refers to a row of a later table. The
/// ownership is not copied, because nobody owns the copy yet.
#[rustfmt::skip]
const TABLES: &[Table] = &[
    Table {
        name: "accounts",
        key: 1,
        columns: &[
            Number("id"), Text("name_key"), Text("name"), Text("kind"), Text("password"), Number("at"),
            Number("generation"), Text("state"),
        ],
    },
    Table {
        name: "sessions",
        key: 1,
        columns: &[
            Text("token"), Number("account"), Number("at"), Number("until"), Number("generation"), Text("label"),
            Text("scope"),
        ],
    },
    Table { name: "push_subscriptions", key: 1,
        columns: &[Text("session"), Text("endpoint"), Text("p256dh"), Text("auth"), Text("language"), Number("at")] },
    Table { name: "secrets", key: 1, columns: &[Text("name"), Text("value")] },
    Table { name: "recovery_codes", key: 2, columns: &[Number("account"), Number("number"), Text("hash")] },
    Table { name: "account_changes", key: 1, columns: &[Number("number"), Number("account")] },
    Table {
        name: "games",
        key: 1,
        columns: &[
            Text("id"), Number("white"), Number("black"), Text("rules"), Text("custom"), Number("clock_initial"),
            Number("clock_increment"), Number("clock_cap"), Truth("rated"), Text("color"), Number("at"), Text("winner"),
            Text("reason"), Truth("counted"),
        ],
    },
    Table {
        name: "ratings",
        key: 4,
        columns: &[
            Number("account"), Text("family"), Text("against"), Number("n"), Number("rating"), Number("deviation"),
            Number("volatility"), Number("at"), Text("game"), Truth("is_current"),
        ],
    },
    Table { name: "message_counter", key: 1, columns: &[Number("id"), Number("last")] },
    Table {
        name: "messages",
        key: 1,
        columns: &[
            Number("number"), Text("game"), Text("people"), Number("recipient"), Number("n"), Number("sender"),
            Number("at"), Text("text"),
        ],
    },
    Table { name: "mutes", key: 2, columns: &[Number("account"), Number("muted")] },
    Table { name: "door_settings", key: 2, columns: &[Number("account"), Text("door"), Text("text")] },
    Table { name: "notes", key: 2,
        columns: &[Number("about"), Number("n"), Number("writer"), Text("game"), Number("at"), Text("text")] },
    Table {
        name: "evenings",
        key: 1,
        columns: &[
            Text("id"), Text("kind"), Text("name"), Number("maker"), Text("rules"), Text("custom"),
            Number("clock_initial"), Number("clock_increment"), Number("clock_cap"), Truth("rated"), Text("color"),
            Number("at"), Number("begins"), Number("minutes"), Truth("is_over"),
        ],
    },
    Table { name: "evening_players", key: 2, columns: &[Text("evening"), Number("account"), Number("joined"), Number("waits")] },
    Table { name: "evening_games", key: 1,
        columns: &[Text("game"), Text("evening"), Number("white"), Number("black"), Number("round"), Number("at")] },
    Table { name: "studies", key: 1,
        columns: &[Text("id"), Number("owner"), Text("title"), Text("access"), Number("at"), Text("body")] },
    Table { name: "events", key: 2,
        columns: &[Text("game"), Number("seq"), Number("at"), Text("act"), Text("seat"), Text("request")] },
    Table {
        name: "offers",
        key: 1,
        columns: &[
            Text("id"), Text("kind"), Number("recipient"), Number("maker"), Text("rules"), Text("custom"),
            Number("clock_initial"), Number("clock_increment"), Number("clock_cap"), Truth("rated"), Text("color"),
            Number("at"), Text("game"),
        ],
    },
];

impl Column {
    fn name(self) -> &'static str {
        match self {
            Text(name) | Number(name) | Truth(name) => name,
        }
    }

    fn read(self, row: &impl StoredRow) -> Result<Value, sqlx::Error> {
        Ok(match self {
            Text(name) => Value::Text(row.text_or_null(name)?.map(str::to_owned)),
            Number(name) => Value::Number(row.number_or_null(name)?),
            Truth(name) => Value::Truth(row.truth(name)?),
        })
    }
}

impl Table {
    fn names(&self, count: usize) -> String {
        let names: Vec<&str> = self.columns[..count].iter().map(|c| c.name()).collect();
        names.join(", ")
    }

    /// Returns the statement that selects the next rows after the primary key `after`. If `after` is
    /// `None`, the statement selects the first rows.
    fn select(&self, after: Option<&[Value]>) -> String {
        let (all, key) = (self.names(self.columns.len()), self.names(self.key));
        let begin = match after {
            None => String::new(),
            Some(_) => {
                let places: Vec<String> = (1..=self.key).map(|n| format!("${n}")).collect();
                format!("where ({key}) > ({})", places.join(", "))
            }
        };
        let name = self.name;
        format!("select {all} from {name} {begin} order by {key} limit {BATCH_ROWS}")
    }

    fn insert(&self) -> String {
        format!(
            "insert into {} ({}) ",
            self.name,
            self.names(self.columns.len())
        )
    }
}

/// Rows of one table, as values.
type Batch = Vec<Vec<Value>>;

/// Reads and writes the tables over one connection.
macro_rules! tables_of {
    ($read:ident, $write:ident, $is_empty:ident, $connection:ty, $database:ty) => {
        async fn $read(
            from: &mut $connection,
            table: &Table,
            after: Option<&[Value]>,
        ) -> Result<Batch, StoreError> {
            // The statement is safe, because all names in it are constants of this file.
            let mut query = sqlx::query(AssertSqlSafe(table.select(after)));
            for value in after.into_iter().flatten() {
                query = match value {
                    Value::Text(text) => query.bind(text.clone()),
                    Value::Number(number) => query.bind(*number),
                    Value::Truth(truth) => query.bind(*truth),
                };
            }
            let found = query.fetch_all(from).await?;
            let mut batch = Vec::with_capacity(found.len());
            for row in &found {
                let columns = table.columns.iter();
                let values = columns.map(|column| column.read(row));
                batch.push(values.collect::<Result<_, _>>()?);
            }
            Ok(batch)
        }

        async fn $write(
            to: &mut $connection,
            table: &Table,
            batch: &Batch,
        ) -> Result<(), StoreError> {
            let mut query = QueryBuilder::<$database>::new(table.insert());
            query.push_values(batch, |mut row, values: &Vec<Value>| {
                for value in values {
                    match value {
                        Value::Text(text) => row.push_bind(text.clone()),
                        Value::Number(number) => row.push_bind(*number),
                        Value::Truth(truth) => row.push_bind(*truth),
                    };
                }
            });
            query.build().execute(to).await?;
            Ok(())
        }

        async fn $is_empty(to: &mut $connection) -> Result<bool, StoreError> {
            for table in TABLES {
                if !$read(to, table, None).await?.is_empty() {
                    return Ok(false);
                }
            }
            Ok(true)
        }
    };
}

tables_of!(
    read_sqlite,
    write_sqlite,
    is_empty_sqlite,
    SqliteConnection,
    Sqlite
);
tables_of!(
    read_postgres,
    write_postgres,
    is_empty_postgres,
    PgConnection,
    Postgres
);

/// The store that is copied.
pub(crate) enum Source {
    Sqlite(SqliteSnapshot),
    Postgres(PostgresSnapshot),
}

/// The store to which everything is copied. It must be empty.
pub(crate) enum Target {
    Sqlite(SqliteConnection),
    Postgres(PgConnection),
}

/// Contents of a store: the number of rows of each table, and a checksum of their values.
#[derive(Clone, Eq, PartialEq, Debug)]
pub(crate) struct Contents {
    tables: Vec<(&'static str, u64, u64)>,
}

impl Contents {
    /// Returns the number of rows of a table.
    pub(crate) fn rows(&self, name: &str) -> u64 {
        let found = self.tables.iter().find(|(table, ..)| *table == name);
        found.map_or(0, |(_, rows, _)| *rows)
    }
}

impl Source {
    async fn read(&mut self, table: &Table, after: Option<&[Value]>) -> Result<Batch, StoreError> {
        match self {
            Source::Sqlite(from) => read_sqlite(&mut from.connection, table, after).await,
            Source::Postgres(from) => read_postgres(&mut from.connection, table, after).await,
        }
    }

    /// Reads every row, and writes each row to `to` if `to` is given.
    async fn pass(&mut self, mut to: Option<&mut Writing<'_>>) -> Result<Contents, StoreError> {
        let mut tables = Vec::new();
        for table in TABLES {
            let (mut rows, mut hasher) = (0, DefaultHasher::new());
            let mut after: Option<Vec<Value>> = None;
            loop {
                let batch = self.read(table, after.as_deref()).await?;
                let Some(last) = batch.last() else { break };
                after = Some(last[..table.key].to_vec());
                rows += batch.len() as u64;
                batch.hash(&mut hasher);
                if let Some(to) = &mut to {
                    to.write(table, &batch).await?;
                }
                if batch.len() < BATCH_ROWS {
                    break;
                }
            }
            tables.push((table.name, rows, hasher.finish()));
        }
        Ok(Contents { tables })
    }

    /// Returns what the store contains.
    pub(crate) async fn contents(&mut self) -> Result<Contents, StoreError> {
        self.pass(None).await
    }

    /// Copies everything to the empty store `to`, in one transaction. Returns what was copied, or
    /// `None` if `to` is not empty.
    pub(crate) async fn copy_to(
        &mut self,
        to: &mut Target,
    ) -> Result<Option<Contents>, StoreError> {
        match to {
            Target::Sqlite(to) => {
                let mut to = to.begin().await?;
                if !is_empty_sqlite(&mut to).await? {
                    return Ok(None);
                }
                let copied = self.pass(Some(&mut Writing::Sqlite(&mut to))).await?;
                to.commit().await?;
                Ok(Some(copied))
            }
            Target::Postgres(to) => {
                // A statement that writes many long texts may take longer than the timeout that
                // clubs use, so there is no timeout here.
                sqlx::query("set statement_timeout = 0")
                    .execute(&mut *to)
                    .await?;
                sqlx::query("set idle_in_transaction_session_timeout = 0")
                    .execute(&mut *to)
                    .await?;
                let mut to = to.begin().await?;
                if !is_empty_postgres(&mut to).await? {
                    return Ok(None);
                }
                let copied = self.pass(Some(&mut Writing::Postgres(&mut to))).await?;
                // Makes the next new account get the number after the last copied account.
                let next = "select setval(pg_get_serial_sequence('accounts', 'id'), \
                            coalesce(max(id), 0) + 1, false) from accounts";
                sqlx::query(next).execute(&mut *to).await?;
                to.commit().await?;
                Ok(Some(copied))
            }
        }
    }
}

/// The transaction in which a copy is written.
enum Writing<'a> {
    Sqlite(&'a mut SqliteConnection),
    Postgres(&'a mut PgConnection),
}

impl Writing<'_> {
    async fn write(&mut self, table: &Table, batch: &Batch) -> Result<(), StoreError> {
        match self {
            Writing::Sqlite(to) => write_sqlite(to, table, batch).await,
            Writing::Postgres(to) => write_postgres(to, table, batch).await,
        }
    }
}
