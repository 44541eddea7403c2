//! The writer task. It takes changes from a queue, and commits them together.

use std::{
    fmt,
    hash::{BuildHasher, RandomState},
};

use tokio::{
    sync::{mpsc, oneshot},
    time::Instant,
};

use crate::{
    account::AccountId,
    error::StoreError,
    id::GameId,
    pace::Pace,
    row::Millis,
    store::{AppendError, Lease},
};

/// Capacity of the write queue. Senders wait while it is full.
const WRITE_QUEUE_CAPACITY: usize = 1024;

/// Maximum number of changes in one commit.
const MAX_COMMIT_CHANGES: usize = 256;

/// Result of a change.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Done {
    Nothing,
    /// An ownership, if the claim succeeded.
    Claimed(Option<Lease>),
    /// Time of a renewal.
    Renewed(Millis),
    Account(AccountId),
    /// Number of a message among the messages to the same readers.
    Message(u32),
}

/// Result of a change, or the reason why it was not written.
pub(crate) type Answer = Result<Done, AppendError>;

/// The part of a writer that depends on the database.
pub(crate) trait Committer: Send + 'static {
    /// A change that is written completely or not at all.
    type Change: fmt::Debug + Send + Sync + 'static;
    /// The settings that durability depends on.
    type Settings: Send + 'static;

    /// Returns the game to whose log the change adds rows, if there is one.
    fn game(change: &Self::Change) -> Option<GameId>;

    /// Writes all changes in one transaction. The answers are valid only if the commit succeeds.
    fn commit(
        &mut self,
        changes: &[&Self::Change],
    ) -> impl Future<Output = Result<Vec<Answer>, StoreError>> + Send;

    /// Reads the settings of the connection, and fails if one is wrong.
    fn settings(&mut self) -> impl Future<Output = Result<Self::Settings, StoreError>> + Send;

    /// Closes the connection.
    fn close(self) -> impl Future<Output = ()> + Send;
}

/// A change, and the channel for its answer.
#[derive(Debug)]
struct Job<C> {
    change: C,
    /// Time at which the change was requested.
    asked_at: Instant,
    answer: oneshot::Sender<Answer>,
}

impl<C> Job<C> {
    /// Sends the answer to the caller.
    fn give(self, answer: Answer) {
        // The caller may be gone. The change is stored anyway.
        let _ignored = self.answer.send(answer);
    }
}

/// A request to the writer task.
#[derive(Debug)]
enum Ask<C, S> {
    Write(Job<C>),
    /// Read the settings of the connection.
    Settings(oneshot::Sender<Result<S, StoreError>>),
    /// Commit on ticks from now on.
    Pace(oneshot::Sender<Result<(), StoreError>>),
    /// Make every commit longer by this time; for tests.
    #[cfg(feature = "testing")]
    SlowDown(std::time::Duration),
    /// Close the connection. Nothing is written afterwards.
    Close(oneshot::Sender<()>),
}

/// Handle of the writer task. Changes are sent to the task through this handle.
///
/// A change is written even if the caller no longer waits for the answer.
pub(crate) struct Writer<B: Committer> {
    asks: mpsc::Sender<Ask<B::Change, B::Settings>>,
    /// Changes that are written before all others that wait.
    first: mpsc::Sender<Ask<B::Change, B::Settings>>,
}

impl<B: Committer> Clone for Writer<B> {
    fn clone(&self) -> Writer<B> {
        Writer {
            asks: self.asks.clone(),
            first: self.first.clone(),
        }
    }
}

impl<B: Committer> fmt::Debug for Writer<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer").finish_non_exhaustive()
    }
}

impl<B: Committer> Writer<B> {
    /// Starts the writer task.
    pub(crate) fn start(committer: B) -> Writer<B> {
        let (asks, asked) = mpsc::channel(WRITE_QUEUE_CAPACITY);
        let (first, asked_first) = mpsc::channel(1);
        let task = WriterTask {
            committer,
            pace: None,
            #[cfg(feature = "testing")]
            slow_down: std::time::Duration::ZERO,
        };
        tokio::spawn(task.run(asked, asked_first));
        Writer { asks, first }
    }

    /// Writes a change. The change is durable when this returns `Ok`.
    pub(crate) async fn write(&self, change: B::Change) -> Answer {
        self.write_to(&self.asks, change).await
    }

    /// Writes a change in the next commit, even if many others wait.
    pub(crate) async fn write_first(&self, change: B::Change) -> Answer {
        self.write_to(&self.first, change).await
    }

    async fn write_to(
        &self,
        queue: &mpsc::Sender<Ask<B::Change, B::Settings>>,
        change: B::Change,
    ) -> Answer {
        let asked_at = Instant::now();
        let job = |answer| {
            Ask::Write(Job {
                change,
                asked_at,
                answer,
            })
        };
        self.ask(queue, job).await?
    }

    /// From now on, starts commits only on ticks (regular times; see [`Pace`]).
    pub(crate) async fn commit_on_ticks(&self) -> Result<(), StoreError> {
        self.ask(&self.asks, Ask::Pace).await?
    }

    /// Makes every commit longer.
    #[cfg(feature = "testing")]
    pub(crate) async fn slow_down(&self, by: std::time::Duration) {
        let _ignored = self.asks.send(Ask::SlowDown(by)).await;
    }

    /// Reads the settings of the writing connection.
    pub(crate) async fn settings(&self) -> Result<B::Settings, StoreError> {
        self.ask(&self.asks, Ask::Settings).await?
    }

    /// Writes the queued changes, then closes the connection.
    pub(crate) async fn close(&self) {
        // An error means that the task has ended. In this case, the connection is
        // closed already.
        let _ignored = self.ask(&self.asks, Ask::Close).await;
    }

    async fn ask<T>(
        &self,
        queue: &mpsc::Sender<Ask<B::Change, B::Settings>>,
        ask: impl FnOnce(oneshot::Sender<T>) -> Ask<B::Change, B::Settings>,
    ) -> Result<T, StoreError> {
        let closed = || StoreError::Other("the store was closed".to_owned());
        let (answer, answered) = oneshot::channel();
        queue.send(ask(answer)).await.map_err(|_| closed())?;
        answered.await.map_err(|_| closed())
    }
}

/// State of the writer task.
struct WriterTask<B> {
    committer: B,
    /// `None`: commits start at once, and an answer is given when its commit ends.
    pace: Option<Pace>,
    #[cfg(feature = "testing")]
    slow_down: std::time::Duration,
}

impl<B: Committer> WriterTask<B> {
    async fn run(
        mut self,
        mut asked: mpsc::Receiver<Ask<B::Change, B::Settings>>,
        mut asked_first: mpsc::Receiver<Ask<B::Change, B::Settings>>,
    ) {
        loop {
            let first = tokio::select! {
                biased;
                Some(first) = asked_first.recv() => first,
                Some(first) = asked.recv() => first,
                else => return,
            };
            if let (Some(pace), Ask::Write(job)) = (&self.pace, &first) {
                pace.wait_until(pace.tick_after(job.asked_at)).await;
            }
            let next = || asked_first.try_recv().or_else(|_| asked.try_recv()).ok();
            let more = std::iter::from_fn(next).take(MAX_COMMIT_CHANGES - 1);
            let mut jobs = Vec::new();
            let mut closing = None;
            for ask in std::iter::once(first).chain(more) {
                match ask {
                    Ask::Write(job) => jobs.push(job),
                    Ask::Settings(answer) => {
                        // The caller may be gone.
                        let _ignored = answer.send(self.committer.settings().await);
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
                self.committer.close().await;
                let _ignored = answer.send(());
                return;
            }
        }
    }

    /// Commits the changes together and answers each of them. If the commit fails, commits each
    /// change alone. So one change that needs too much space does not make the other changes fail.
    async fn write_together(&mut self, jobs: Vec<Job<B::Change>>) {
        if jobs.is_empty() {
            return;
        }
        let begun = Instant::now();
        let changes: Vec<&B::Change> = jobs.iter().map(|job| &job.change).collect();
        let answers = match self.commit(&changes).await {
            Ok(answers) => answers,
            Err(error) if jobs.len() == 1 => vec![Err(error.into())],
            Err(_) => {
                let mut answers = Vec::with_capacity(jobs.len());
                for change in changes {
                    match self.commit(&[change]).await {
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
                job.give(answer);
            }
            return;
        };
        // Each commit has new random keys, so that nobody can predict the random part of an
        // answer's time.
        let keys = RandomState::new();
        let at = |job: &Job<B::Change>| {
            let chance = keys.hash_one(B::game(&job.change));
            pace.answer_at(pace.tick_after(job.asked_at), done, chance)
        };
        let planned: Vec<Instant> = jobs.iter().map(at).collect();
        pace.measured(done - begun);
        for ((job, answer), at) in jobs.into_iter().zip(answers).zip(planned) {
            pace.at(at, move || job.give(answer));
        }
    }

    async fn commit(&mut self, changes: &[&B::Change]) -> Result<Vec<Answer>, StoreError> {
        let written = self.committer.commit(changes).await;
        #[cfg(feature = "testing")]
        wait_as_for_a_slow_disk(self.slow_down).await;
        written
    }
}

#[cfg(feature = "testing")]
async fn wait_as_for_a_slow_disk(slow_down: std::time::Duration) {
    if slow_down > std::time::Duration::ZERO {
        #[expect(clippy::disallowed_methods, reason = "only this thread waits")]
        let waited = tokio::task::spawn_blocking(move || std::thread::sleep(slow_down));
        // The result is ignored, because a sleep cannot fail.
        let _ignored = waited.await;
    }
}
