//! Reviews of finished games: what a player could know at each moment, what each turn was worth, and
//! what another attempt would have been worth. They are computed in slices of time, one slice of each
//! in turn, and then cached. While a review is being computed, further requests for the same wait.
//! When nobody waits for it any more, the computation ends.

use std::{
    collections::HashMap,
    mem,
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    time::{Duration, Instant},
};

use axum::body::Bytes;
use club::GameId;
use rules::{Attempt, chess::Color};
use scores::{BeliefLimits, BeliefWork, MateWork};
use wire::{BeliefProgressJson, RefusalCode};

use crate::{
    cache::Cache,
    queue::{Queue, busy, closing, unsolved},
    refusal::Refusal,
    retries::{Retry, RetryWork},
    studies::StudyGame,
    turns::TurnWork,
};

/// Limits of the computation of one belief: about ten seconds of one processor.
const LIMITS: BeliefLimits = BeliefLimits {
    positions: 100_000,
    work: 1_000_000,
};
/// Work for the review of one turn: number of positions that are valued.
const NODES: u64 = 5_000;
/// A computation stops after this time and returns the moments that were computed so far.
const TIMEOUT: Duration = Duration::from_secs(60);
/// Time after which another review has its turn.
const SLICE: Duration = Duration::from_millis(250);
/// Maximum size of the cached answers, in bytes.
const CACHE_BYTES: usize = 16 << 20;

/// What is computed of a seat.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum ReviewKind {
    /// What the player could know.
    Belief,
    /// Whether the player could force mate.
    Mate {
        /// Number of the moment, from 0.
        moment: u32,
        /// Number of own moves.
        moves: u8,
    },
    /// What each turn was worth.
    Turns,
    /// What another attempt was worth in a turn.
    Retry {
        /// Number of the player's turn, from 1.
        turn: u32,
        /// The attempt.
        made: Attempt,
    },
}

/// A seat of a finished game, and what is computed of it.
type Key = (GameId, Color, ReviewKind);

/// A computation that is not over.
enum Work {
    Belief(Box<BeliefWork>),
    Mate(Box<MateWork>),
    Turns(Box<TurnWork>),
    Retry(Box<RetryWork>),
}

impl Work {
    fn of(game: &StudyGame, (_, seat, kind): Key) -> Result<Work, Refusal> {
        Ok(match kind {
            ReviewKind::Belief => Work::Belief(Box::new(game.beliefs(seat, LIMITS)?.into())),
            ReviewKind::Mate { moment, moves } => {
                let beliefs = game.beliefs(seat, LIMITS)?;
                if moment as usize >= beliefs.left() {
                    let why = "the player has no such moment: the first is 0";
                    return Err(Refusal::new(RefusalCode::NotFound, why));
                }
                Work::Mate(Box::new(MateWork::new(beliefs, moment, moves)))
            }
            ReviewKind::Turns => {
                let work = TurnWork::new(game.record(seat)?, NODES);
                Work::Turns(Box::new(work.map_err(|_| unreadable())?))
            }
            ReviewKind::Retry { turn, made } => {
                let retry = opened(game, seat, turn)?.ok_or_else(unreadable)?;
                Work::Retry(Box::new(RetryWork::new(retry, made)))
            }
        })
    }

    fn advance(&mut self, may_continue: impl FnMut() -> bool) -> bool {
        match self {
            Work::Belief(work) => work.advance(may_continue),
            Work::Mate(work) => work.advance(may_continue),
            Work::Turns(work) => work.advance(may_continue),
            Work::Retry(work) => work.advance(may_continue),
        }
    }

    fn progress(&self) -> (usize, usize) {
        match self {
            Work::Belief(work) => work.progress(),
            Work::Mate(_) => (0, 1),
            Work::Turns(work) => work.progress(),
            Work::Retry(work) => work.progress(),
        }
    }

    /// Returns the result as JSON; `None` if a part of it is worth nothing.
    fn finish(self) -> Option<Vec<u8>> {
        let json = match self {
            Work::Belief(work) => serde_json::to_vec(&work.finish()),
            Work::Mate(work) => serde_json::to_vec(&work.finish()?),
            Work::Turns(work) => serde_json::to_vec(&work.finish()),
            Work::Retry(work) => serde_json::to_vec(&work.finish()?),
        };
        json.ok()
    }
}

/// Opens a turn of a finished game that is tried again; `None` if there is no such turn.
pub fn opened(game: &StudyGame, seat: Color, turn: u32) -> Result<Option<Retry>, Refusal> {
    Ok(Retry::open(game.record(seat)?, turn, NODES))
}

/// Computes and caches what a player of a finished game could know.
#[derive(Clone, Debug)]
pub struct Reviews(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    queue: Arc<Queue>,
    cache: Mutex<Cache<Key>>,
    /// The reviews that are being computed. Locked before the cache.
    running: Mutex<HashMap<Key, Running>>,
    slice: Duration,
}

impl Default for Reviews {
    fn default() -> Reviews {
        Reviews(Arc::new(Inner {
            queue: Arc::default(),
            cache: Mutex::new(Cache::new(CACHE_BYTES)),
            running: Mutex::default(),
            slice: SLICE,
        }))
    }
}

/// A review that is being computed.
#[derive(Debug, Default)]
struct Running {
    /// Each request that waits for the review holds a strong reference.
    interest: Weak<()>,
    progress: (usize, usize),
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Reviews {
    /// Creates an empty cache whose reviews wait in the same queue.
    pub fn sharing(&self) -> Reviews {
        Reviews(Arc::new(Inner {
            queue: Arc::clone(&self.0.queue),
            cache: Mutex::new(Cache::new(CACHE_BYTES)),
            running: Mutex::default(),
            slice: self.0.slice,
        }))
    }

    /// Returns the queue, which other computations share.
    pub fn queue(&self) -> &Arc<Queue> {
        &self.0.queue
    }

    /// Returns the review of a seat as JSON, if it is in the cache.
    pub fn kept(&self, key: Key) -> Option<Result<Bytes, Refusal>> {
        self.cache().answer(key)
    }

    /// Returns the belief of a seat as JSON. `address` is the address of the client. If the review
    /// must be computed, `account` is called to get the record of the game. The computation ends
    /// when all requests for the review are dropped.
    ///
    /// # Errors
    /// If too many reviews wait, if the game cannot be read, or if the server closes.
    pub async fn json(
        &self,
        key: Key,
        address: IpAddr,
        account: impl FnOnce() -> Result<StudyGame, Refusal> + Send + 'static,
    ) -> Result<Bytes, Refusal> {
        let (cell, place, _interest) = {
            let mut running = lock(&self.0.running);
            let known = self.cache().find(key);
            if let Some(done) = known.as_ref().and_then(|cell| cell.get()) {
                return done.clone();
            }
            // If the belief is being computed already, the request waits for it and takes no place
            // in the queue.
            let (cell, place) = match known {
                Some(cell) => (cell, None),
                None => {
                    let place = self.0.queue.place(address).ok_or_else(busy)?;
                    (self.cache().add(key), Some(place))
                }
            };
            let entry = running.entry(key).or_default();
            let interest = entry.interest.upgrade().unwrap_or_default();
            entry.interest = Arc::downgrade(&interest);
            (cell, place, interest)
        };
        let reviews = self.clone();
        let task = tokio::spawn(async move {
            let _place = place;
            let done = cell.get_or_init(|| reviews.compute(key, account)).await;
            let mut running = lock(&reviews.0.running);
            running.remove(&key);
            reviews.cache().note(key, done);
            done.clone()
        });
        task.await.map_err(|_| unreadable())?
    }

    /// Returns how far the computation of a review is; nothing of nothing if it is not being computed.
    pub fn progress(&self, key: Key) -> BeliefProgressJson {
        let running = lock(&self.0.running);
        let (done, all) = running.get(&key).map_or((0, 0), |one| one.progress);
        BeliefProgressJson {
            done: u32::try_from(done).unwrap_or(u32::MAX),
            all: u32::try_from(all).unwrap_or(u32::MAX),
        }
    }

    async fn compute(
        &self,
        key: Key,
        account: impl FnOnce() -> Result<StudyGame, Refusal> + Send + 'static,
    ) -> Result<Bytes, Refusal> {
        let mut work = None;
        let mut account = Some(account);
        let mut spent = Duration::ZERO;
        loop {
            let _turn = self.0.queue.turn().await;
            if self.0.queue.is_closing() {
                return Err(closing());
            }
            if self.is_abandoned(key) {
                return Err(abandoned());
            }
            let (begin, slice) = (account.take(), self.0.slice);
            let part = move || {
                let mut work = match (work, begin) {
                    (Some(work), _) => work,
                    (None, Some(account)) => Work::of(&account()?, key)?,
                    (None, None) => return Err(unreadable()),
                };
                let begun = Instant::now();
                let mut is_first = true;
                let is_done = work.advance(|| mem::take(&mut is_first) || begun.elapsed() < slice);
                Ok((work, is_done, begun.elapsed()))
            };
            let part = tokio::task::spawn_blocking(part).await;
            let (next, is_done, time) = part.map_err(|_| unreadable())??;
            spent += time;
            if is_done || spent >= TIMEOUT {
                let json = next.finish().ok_or_else(unsolved)?;
                return Ok(Bytes::from(json));
            }
            if let Some(running) = lock(&self.0.running).get_mut(&key) {
                running.progress = next.progress();
            }
            work = Some(next);
        }
    }

    /// Whether no request waits for the review any more. Then the next request begins anew.
    fn is_abandoned(&self, key: Key) -> bool {
        let mut running = lock(&self.0.running);
        let entry = running.get(&key);
        let is_abandoned = entry.is_none_or(|entry| entry.interest.strong_count() == 0);
        if is_abandoned {
            running.remove(&key);
            self.cache().note(key, &Err(abandoned()));
        }
        is_abandoned
    }

    fn cache(&self) -> MutexGuard<'_, Cache<Key>> {
        lock(&self.0.cache)
    }
}

fn abandoned() -> Refusal {
    Refusal::new(
        RefusalCode::Unavailable,
        "nobody waited for this belief any more: ask again",
    )
}

fn unreadable() -> Refusal {
    Refusal::new(
        RefusalCode::Unavailable,
        "the belief of this player cannot be computed: tell the club's operator the id of the game",
    )
    .because("game-damaged")
}

#[cfg(test)]
mod tests {
    use scores::RecordedGame;

    use super::*;
    use crate::queue::QUEUE_CAPACITY;

    fn key(n: u64) -> Key {
        (GameId::from_chance(n), Color::White, ReviewKind::Belief)
    }

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    /// Returns a game in which both sides make this number of moves with their knights.
    fn game(moves: usize) -> Result<StudyGame, Refusal> {
        let mut text =
            "title   x\nrules   wild16\nsource  x\n\nattempt | white | black | room\n".to_owned();
        for turn in 0..moves {
            text += match turn % 2 {
                0 => "white g1f3\nblack g8f6\n",
                _ => "white f3g1\nblack f6g8\n",
            };
        }
        text += "white resign\n";
        Ok(RecordedGame::from_transcript(&text).unwrap().into())
    }

    #[tokio::test]
    async fn short_game_does_not_wait_for_a_long_one() {
        let mut inner = Arc::into_inner(Reviews::default().0).unwrap();
        inner.slice = Duration::ZERO;
        let reviews = Reviews(Arc::new(inner));
        let long = reviews.json(key(1), HERE, || game(3));
        let short = reviews.json(key(2), HERE, || game(0));
        tokio::pin!(long);
        tokio::select! {
            biased;
            _ = &mut long => panic!("the long game was computed first"),
            short = short => assert!(short.is_ok()),
        }
        let progress = reviews.progress(key(1));
        assert!(progress.done < progress.all, "{progress:?}");
        assert!(long.await.is_ok());
        assert!(lock(&reviews.0.running).is_empty());
    }

    #[tokio::test]
    async fn computation_ends_when_nobody_waits_for_it() {
        let reviews = Reviews::default();
        let turn = reviews.0.queue.turn().await;
        {
            let asked = reviews.json(key(1), HERE, || panic!("nobody waits for this game"));
            tokio::pin!(asked);
            let waited = tokio::time::timeout(Duration::from_millis(20), &mut asked).await;
            assert!(waited.is_err(), "the turn is taken");
            assert!(lock(&reviews.0.running).contains_key(&key(1)));
        }
        drop(turn);
        while reviews.0.queue.free() < QUEUE_CAPACITY {
            tokio::task::yield_now().await;
        }
        assert!(lock(&reviews.0.running).is_empty());
        assert!(reviews.json(key(1), HERE, || game(0)).await.is_ok());
    }

    #[tokio::test]
    async fn club_that_closes_computes_no_more_beliefs() {
        let text = "title   x\nrules   wild16\nsource  x\n\nattempt | white | black | room\nwhite e2e4\nblack resign\n";
        let account = || Ok(RecordedGame::from_transcript(text).unwrap().into());
        let reviews = Reviews::default();
        assert!(reviews.json(key(1), HERE, account).await.is_ok());
        reviews.queue().close();
        let asked = reviews.json(key(2), HERE, account).await;
        let refusal = asked.unwrap_err();
        assert_eq!(refusal.code, RefusalCode::Unavailable);
        assert!(refusal.why.contains("closes"), "{refusal}");
        // A belief that was computed before is still returned.
        assert!(reviews.json(key(1), HERE, account).await.is_ok());
    }

    #[tokio::test]
    async fn request_is_refused_while_the_queue_is_full() {
        let reviews = Reviews::default();
        let place = || reviews.0.queue.place(HERE);
        let held: Vec<_> = std::iter::from_fn(place).collect();
        let asked = reviews.json(key(1), HERE, || Err(unreadable())).await;
        assert_eq!(asked.unwrap_err().code, RefusalCode::TooMany);
        drop(held);
        let asked = reviews.json(key(1), HERE, || Err(unreadable())).await;
        assert_eq!(asked.unwrap_err().code, RefusalCode::Unavailable);
    }
}
