//! Commits of changes to the file.

use std::path::PathBuf;

use sqlx::{Connection, SqliteConnection};

use super::{
    change::Change,
    not_done::NotDone,
    open::{self, BEGIN_WRITING, COMMIT, Pragmas, ROLL_BACK},
};
use crate::{
    error::StoreError,
    id::GameId,
    sql::{BEGIN_CHANGE, DROP_CHANGE, KEEP_CHANGE},
    writer::{Answer, Committer},
};

/// The connection that writes to the file.
pub(super) struct SqliteCommitter {
    path: PathBuf,
    /// `None` after an error, until the connection is opened again.
    connection: Option<SqliteConnection>,
}

impl SqliteCommitter {
    /// `connection` is the committer's own connection to the file at `path`.
    pub(super) fn new(path: PathBuf, connection: SqliteConnection) -> SqliteCommitter {
        SqliteCommitter {
            path,
            connection: Some(connection),
        }
    }

    /// Returns the connection. Opens it again after an error.
    async fn connection(&mut self) -> Result<&mut SqliteConnection, StoreError> {
        let connection = match self.connection.take() {
            Some(connection) => connection,
            None => open::writer(&self.path).await?,
        };
        Ok(self.connection.insert(connection))
    }
}

impl Committer for SqliteCommitter {
    type Change = Change;
    type Settings = Pragmas;

    fn game(change: &Change) -> Option<GameId> {
        change.game()
    }

    async fn commit(&mut self, changes: &[&Change]) -> Result<Vec<Answer>, StoreError> {
        let connection = self.connection().await?;
        let written = transaction(connection, changes).await;
        // SQLite may have rolled back the transaction by itself. Then this rollback fails. In this
        // case the connection is dropped, and the next change opens a new connection.
        if written.is_err() && run(connection, ROLL_BACK).await.is_err() {
            self.connection = None;
        }
        Ok(written?)
    }

    async fn settings(&mut self) -> Result<Pragmas, StoreError> {
        let connection = self.connection().await?;
        Ok(open::verified(connection).await?)
    }

    async fn close(self) {
        if let Some(connection) = self.connection {
            // Everything is durable already, so an error here does no harm. Closing the connection
            // only removes the file of the write-ahead log.
            let _ignored = connection.close().await;
        }
    }
}

async fn transaction(
    connection: &mut SqliteConnection,
    changes: &[&Change],
) -> Result<Vec<Answer>, sqlx::Error> {
    let mut answers = Vec::with_capacity(changes.len());
    run(connection, BEGIN_WRITING).await?;
    for change in changes {
        run(connection, BEGIN_CHANGE).await?;
        answers.push(match change.write(connection).await {
            Ok(done) => {
                run(connection, KEEP_CHANGE).await?;
                Ok(done)
            }
            Err(NotDone::Refused(error)) => {
                run(connection, DROP_CHANGE).await?;
                run(connection, KEEP_CHANGE).await?;
                Err(error)
            }
            Err(NotDone::Broken(error)) => return Err(error),
        });
    }
    run(connection, COMMIT).await?;
    Ok(answers)
}

async fn run(connection: &mut SqliteConnection, sql: &'static str) -> Result<(), sqlx::Error> {
    sqlx::query(sql).execute(connection).await.map(drop)
}
