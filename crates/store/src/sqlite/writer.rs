//! The writer task. It takes changes from a queue, and commits them together.

use std::path::PathBuf;

use sqlx::{Connection, SqliteConnection};
use tokio::sync::{broadcast, mpsc, oneshot};

use super::{
    change::{Change, Done, NotDone},
    open::{self, BEGIN_WRITING, COMMIT, Pragmas, ROLL_BACK},
    sql::{BEGIN_CHANGE, DROP_CHANGE, KEEP_CHANGE},
};
use crate::store::{AppendError, Hint, StoreError};

/// Capacity of the write queue. Senders wait while it is full.
const WRITE_QUEUE_CAPACITY: usize = 1024;

/// Maximum number of changes in one commit.
const MAX_COMMIT_CHANGES: usize = 256;

type Answer = Result<Done, AppendError>;

/// A change, and the channel for its answer.
#[derive(Debug)]
struct Job {
    change: Change,
    answer: oneshot::Sender<Answer>,
}

/// A request to the writer task.
#[derive(Debug)]
enum Ask {
    Write(Job),
    /// Read the settings of the connection.
    Pragmas(oneshot::Sender<Result<Pragmas, StoreError>>),
    /// Close the file. Nothing is written afterwards.
    Close(oneshot::Sender<()>),
}

/// Handle of the writer task, with which changes are sent to the task.
///
/// A change is written even if its caller has stopped waiting.
#[derive(Clone, Debug)]
pub(super) struct Writer {
    asks: mpsc::Sender<Ask>,
}

impl Writer {
    /// Starts the writer task. `connection` is its own connection to the file at `path`.
    pub(super) fn start(
        path: PathBuf,
        connection: SqliteConnection,
        hints: broadcast::Sender<Hint>,
    ) -> Writer {
        let (asks, asked) = mpsc::channel(WRITE_QUEUE_CAPACITY);
        let task = WriterTask {
            path,
            connection: Some(connection),
            hints,
        };
        tokio::spawn(task.run(asked));
        Writer { asks }
    }

    /// Writes a change. The change is durable when this returns `Ok`.
    pub(super) async fn write(&self, change: Change) -> Answer {
        self.ask(|answer| Ask::Write(Job { change, answer }))
            .await?
    }

    /// Reads the settings of the writing connection.
    pub(super) async fn pragmas(&self) -> Result<Pragmas, StoreError> {
        self.ask(Ask::Pragmas).await?
    }

    /// Writes the queued changes, then closes the file.
    pub(super) async fn close(&self) {
        // An error means that the task has ended. In this case, the file is
        // closed already.
        let _ignored = self.ask(Ask::Close).await;
    }

    async fn ask<T>(&self, ask: impl FnOnce(oneshot::Sender<T>) -> Ask) -> Result<T, StoreError> {
        let closed = || StoreError::Other("the file was closed".to_owned());
        let (answer, answered) = oneshot::channel();
        self.asks.send(ask(answer)).await.map_err(|_| closed())?;
        answered.await.map_err(|_| closed())
    }
}

/// State of the writer task.
struct WriterTask {
    path: PathBuf,
    /// `None` after an error, until the connection is opened again.
    connection: Option<SqliteConnection>,
    hints: broadcast::Sender<Hint>,
}

impl WriterTask {
    async fn run(mut self, mut asked: mpsc::Receiver<Ask>) {
        let mut asks = Vec::with_capacity(MAX_COMMIT_CHANGES);
        while asked.recv_many(&mut asks, MAX_COMMIT_CHANGES).await > 0 {
            let mut jobs = Vec::with_capacity(asks.len());
            let mut closing = None;
            for ask in asks.drain(..) {
                match ask {
                    Ask::Write(job) => jobs.push(job),
                    Ask::Pragmas(answer) => {
                        // The caller may be gone.
                        let _ignored = answer.send(self.pragmas().await);
                    }
                    Ask::Close(answer) => {
                        closing = Some(answer);
                        break;
                    }
                }
            }
            self.write_together(jobs).await;
            if let Some(answer) = closing {
                drop(asked);
                if let Some(connection) = self.connection {
                    // Everything is durable already; closing only removes the write-ahead log.
                    let _ignored = connection.close().await;
                }
                let _ignored = answer.send(());
                return;
            }
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

    async fn pragmas(&mut self) -> Result<Pragmas, StoreError> {
        let connection = self.connection().await?;
        Ok(open::verified(connection).await?)
    }

    /// Commits the changes together and answers each of them. If the commit fails, commits each
    /// change alone, so that a change that needs too much space does not make the others fail.
    async fn write_together(&mut self, jobs: Vec<Job>) {
        if jobs.is_empty() {
            return;
        }
        match self.commit(&jobs).await {
            Ok(answers) => self.answer(jobs, answers),
            Err(error) if jobs.len() == 1 => self.answer(jobs, vec![Err(error.into())]),
            Err(_) => {
                for job in jobs {
                    let answer = match self.commit(std::slice::from_ref(&job)).await {
                        Ok(answers) => answers,
                        Err(error) => vec![Err(error.into())],
                    };
                    self.answer(vec![job], answer);
                }
            }
        }
    }

    fn answer(&self, jobs: Vec<Job>, answers: Vec<Answer>) {
        for (job, answer) in jobs.into_iter().zip(answers) {
            if let Ok(Done::Grown(hint)) = answer {
                // There may be no listener.
                let _ignored = self.hints.send(hint);
            }
            // The caller may be gone. The change stays written.
            let _ignored = job.answer.send(answer);
        }
    }

    /// Writes all changes in one transaction. The answers are valid only if the commit succeeds.
    /// Otherwise nothing was written.
    async fn commit(&mut self, jobs: &[Job]) -> Result<Vec<Answer>, StoreError> {
        let connection = self.connection().await?;
        let written = transaction(connection, jobs).await;
        // SQLite may have rolled the transaction back by itself. In this case, the rollback
        // here fails, the connection is dropped, and a new connection is opened for the next
        // change.
        if written.is_err() && run(connection, ROLL_BACK).await.is_err() {
            self.connection = None;
        }
        Ok(written?)
    }
}

async fn transaction(
    connection: &mut SqliteConnection,
    jobs: &[Job],
) -> Result<Vec<Answer>, sqlx::Error> {
    let mut answers = Vec::with_capacity(jobs.len());
    run(connection, BEGIN_WRITING).await?;
    for job in jobs {
        run(connection, BEGIN_CHANGE).await?;
        answers.push(match job.change.write(connection).await {
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
