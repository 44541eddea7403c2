//! The writer task. It takes changes from a queue, and commits them together.

use std::{
    hash::{BuildHasher, RandomState},
    path::PathBuf,
};

use sqlx::{Connection, SqliteConnection};
use tokio::{
    sync::{broadcast, mpsc, oneshot},
    time::Instant,
};

use super::{
    change::{Change, Done, NotDone},
    open::{self, BEGIN_WRITING, COMMIT, Pragmas, ROLL_BACK},
    pace::Pace,
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
    /// Time at which the change was requested.
    asked_at: Instant,
    answer: oneshot::Sender<Answer>,
}

/// A request to the writer task.
#[derive(Debug)]
enum Ask {
    Write(Job),
    /// Read the settings of the connection.
    Pragmas(oneshot::Sender<Result<Pragmas, StoreError>>),
    /// Commit on ticks from now on.
    Pace(oneshot::Sender<Result<(), StoreError>>),
    /// Make every commit longer by this time; for tests.
    #[cfg(feature = "testing")]
    SlowDown(std::time::Duration),
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
            pace: None,
            #[cfg(feature = "testing")]
            slow_down: std::time::Duration::ZERO,
        };
        tokio::spawn(task.run(asked));
        Writer { asks }
    }

    /// Writes a change. The change is durable when this returns `Ok`.
    pub(super) async fn write(&self, change: Change) -> Answer {
        let asked_at = Instant::now();
        self.ask(|answer| {
            Ask::Write(Job {
                change,
                asked_at,
                answer,
            })
        })
        .await?
    }

    /// Commits on ticks from now on.
    pub(super) async fn commit_on_ticks(&self) -> Result<(), StoreError> {
        self.ask(Ask::Pace).await?
    }

    /// Makes every commit longer.
    #[cfg(feature = "testing")]
    pub(super) async fn slow_down(&self, by: std::time::Duration) {
        let _ignored = self.asks.send(Ask::SlowDown(by)).await;
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
    /// `None`: commits start at once, and an answer is given when its commit ends.
    pace: Option<Pace>,
    #[cfg(feature = "testing")]
    slow_down: std::time::Duration,
}

impl WriterTask {
    async fn run(mut self, mut asked: mpsc::Receiver<Ask>) {
        while let Some(first) = asked.recv().await {
            if let (Some(pace), Ask::Write(job)) = (&self.pace, &first) {
                pace.wait_until(pace.tick_after(job.asked_at)).await;
            }
            let more = std::iter::from_fn(|| asked.try_recv().ok()).take(MAX_COMMIT_CHANGES - 1);
            let mut jobs = Vec::new();
            let mut closing = None;
            for ask in std::iter::once(first).chain(more) {
                match ask {
                    Ask::Write(job) => jobs.push(job),
                    Ask::Pragmas(answer) => {
                        // The caller may be gone.
                        let _ignored = answer.send(self.pragmas().await);
                    }
                    Ask::Pace(answer) => {
                        let started = Pace::start().map(|pace| self.pace = Some(pace));
                        let failed = |error| StoreError::Other(format!("no thread: {error}"));
                        // The caller may be gone.
                        let _ignored = answer.send(started.map_err(failed));
                    }
                    #[cfg(feature = "testing")]
                    Ask::SlowDown(by) => self.slow_down = by,
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
        let begun = Instant::now();
        let answers = match self.commit(&jobs).await {
            Ok(answers) => answers,
            Err(error) if jobs.len() == 1 => vec![Err(error.into())],
            Err(_) => {
                let mut answers = Vec::with_capacity(jobs.len());
                for job in &jobs {
                    match self.commit(std::slice::from_ref(job)).await {
                        Ok(answer) => answers.extend(answer),
                        Err(error) => answers.push(Err(error.into())),
                    }
                }
                answers
            }
        };
        let done = Instant::now();
        let Some(pace) = &mut self.pace else {
            for (job, answer) in jobs.into_iter().zip(answers) {
                give(&self.hints, job, answer);
            }
            return;
        };
        // New random keys for each commit.
        let keys = RandomState::new();
        let at = |job: &Job| {
            let chance = keys.hash_one(job.change.game());
            pace.answer_at(pace.tick_after(job.asked_at), done, chance)
        };
        let planned: Vec<Instant> = jobs.iter().map(at).collect();
        pace.measured(done - begun);
        for ((job, answer), at) in jobs.into_iter().zip(answers).zip(planned) {
            let hints = self.hints.clone();
            pace.at(at, move || give(&hints, job, answer));
        }
    }

    #[cfg(feature = "testing")]
    async fn wait_as_for_a_slow_disk(&self) {
        let slow_down = self.slow_down;
        if slow_down > std::time::Duration::ZERO {
            #[expect(clippy::disallowed_methods, reason = "only this thread waits")]
            let waited = tokio::task::spawn_blocking(move || std::thread::sleep(slow_down));
            // This cannot fail, because sleeping does not panic.
            let _ignored = waited.await;
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
        #[cfg(feature = "testing")]
        self.wait_as_for_a_slow_disk().await;
        Ok(written?)
    }
}

/// Sends an answer to the caller, and a hint about new rows to the listeners.
fn give(hints: &broadcast::Sender<Hint>, job: Job, answer: Answer) {
    if let Ok(Done::Grown(hint)) = answer {
        // There may be no listener.
        let _ignored = hints.send(hint);
    }
    // The caller may be gone. The change is stored anyway.
    let _ignored = job.answer.send(answer);
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
