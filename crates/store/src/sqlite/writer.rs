//! The one who writes: takes what waits, and commits it together.

use std::path::PathBuf;

use sqlx::{Connection, SqliteConnection};
use tokio::sync::{broadcast, mpsc, oneshot};

use super::{
    change::{Change, Done, NotDone},
    fault::fault,
    open::{self, BEGIN_WRITING, COMMIT, Pragmas, ROLL_BACK},
    sql::{BEGIN_CHANGE, DROP_CHANGE, KEEP_CHANGE},
};
use crate::store::{AppendError, Hint, StoreError};

/// So many changes wait; who comes then waits himself.
const QUEUE: usize = 1024;

/// So many changes are committed together at most.
const TOGETHER: usize = 256;

type Answer = Result<Done, AppendError>;

/// A change, and who waits for it.
#[derive(Debug)]
struct Job {
    change: Change,
    answer: oneshot::Sender<Answer>,
}

/// What the writer is asked.
#[derive(Debug)]
enum Ask {
    Write(Job),
    /// Read the connection's settings back.
    Pragmas(oneshot::Sender<Result<Pragmas, StoreError>>),
    /// Close the file; nothing is written after it.
    Close(oneshot::Sender<()>),
}

/// The writer, as its callers see it.
///
/// A change is written even if its caller has stopped to wait for it.
#[derive(Clone, Debug)]
pub(super) struct Writer {
    asks: mpsc::Sender<Ask>,
}

impl Writer {
    /// Starts the writer on a connection of its own to the file at `path`.
    pub(super) fn start(
        path: PathBuf,
        connection: SqliteConnection,
        hints: broadcast::Sender<Hint>,
    ) -> Writer {
        let (asks, asked) = mpsc::channel(QUEUE);
        let desk = Desk {
            path,
            connection: Some(connection),
            hints,
        };
        tokio::spawn(desk.run(asked));
        Writer { asks }
    }

    /// Writes a change; it is durable when this returns `Ok`.
    pub(super) async fn write(&self, change: Change) -> Answer {
        let (answer, answered) = oneshot::channel();
        let asked = self.asks.send(Ask::Write(Job { change, answer })).await;
        asked.map_err(|_| closed())?;
        answered.await.map_err(|_| closed())?
    }

    /// Reads the settings of the writer's connection back.
    pub(super) async fn pragmas(&self) -> Result<Pragmas, StoreError> {
        let (answer, answered) = oneshot::channel();
        let asked = self.asks.send(Ask::Pragmas(answer)).await;
        asked.map_err(|_| closed())?;
        answered.await.map_err(|_| closed())?
    }

    /// Closes the file after what waits is written.
    pub(super) async fn close(&self) {
        let (answer, answered) = oneshot::channel();
        if self.asks.send(Ask::Close(answer)).await.is_ok() {
            // If the desk is gone, it is closed.
            let _ignored = answered.await;
        }
    }
}

fn closed() -> StoreError {
    StoreError::Other("it was closed".to_owned())
}

/// The writer's own side.
struct Desk {
    path: PathBuf,
    /// `None` after it broke, until it is opened again.
    connection: Option<SqliteConnection>,
    hints: broadcast::Sender<Hint>,
}

impl Desk {
    async fn run(mut self, mut asked: mpsc::Receiver<Ask>) {
        let mut asks = Vec::with_capacity(TOGETHER);
        while asked.recv_many(&mut asks, TOGETHER).await > 0 {
            let mut jobs = Vec::with_capacity(asks.len());
            let mut closing = None;
            for ask in asks.drain(..) {
                match ask {
                    Ask::Write(job) => jobs.push(job),
                    Ask::Pragmas(answer) => {
                        // Who asked may be gone.
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
                    // Everything is durable already; closing only tidies up.
                    let _ignored = connection.close().await;
                }
                let _ignored = answer.send(());
                return;
            }
        }
    }

    /// The connection, opened again if it broke.
    async fn connection(&mut self) -> Result<&mut SqliteConnection, StoreError> {
        let connection = match self.connection.take() {
            Some(connection) => connection,
            None => open::writer(&self.path).await?,
        };
        Ok(self.connection.insert(connection))
    }

    async fn pragmas(&mut self) -> Result<Pragmas, StoreError> {
        let connection = self.connection().await?;
        open::verified(connection).await.map_err(|e| fault(&e))
    }

    /// Commits the changes together and answers each. If that fails, each is
    /// tried alone, so that one that needs too much room takes no other along.
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
                // Nobody may be listening.
                let _ignored = self.hints.send(hint);
            }
            // Who asked may be gone; what is written stays written.
            let _ignored = job.answer.send(answer);
        }
    }

    /// One transaction of all these changes. The answers count only as the
    /// commit has succeeded; else nothing was written.
    async fn commit(&mut self, jobs: &[Job]) -> Result<Vec<Answer>, StoreError> {
        let connection = self.connection().await?;
        let written = transaction(connection, jobs).await;
        if let Err(error) = written {
            let said = fault(&error);
            // SQLite may have rolled back by itself, and then says so; a
            // connection in doubt is left, and another opened.
            if sqlx::query(ROLL_BACK).execute(connection).await.is_err() {
                self.connection = None;
            }
            return Err(said);
        }
        written.map_err(|error| fault(&error))
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
