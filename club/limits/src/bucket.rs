//! Rate limits with token buckets.

use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::time::{Instant, sleep};

/// A token bucket. Each action takes a token. New tokens come at a constant rate.
#[derive(Copy, Clone, Debug)]
pub struct Bucket {
    tokens: f64,
    most: f64,
    per_second: f64,
    at: Instant,
}

impl Bucket {
    /// Creates a full bucket of `most` tokens, or of one token if `most` is 0. An empty bucket is
    /// full again after `span`.
    pub fn new(most: u32, span: Duration) -> Bucket {
        let most = f64::from(most.max(1));
        Bucket {
            tokens: most,
            most,
            per_second: most / span.as_secs_f64(),
            at: Instant::now(),
        }
    }

    /// Takes tokens, if there are enough.
    ///
    /// # Errors
    /// The time after which there are enough tokens. In this case no token is taken.
    pub fn take(&mut self, tokens: f64) -> Result<(), Duration> {
        let wait = self.until(tokens);
        if wait.is_zero() {
            self.tokens -= tokens;
            Ok(())
        } else {
            Err(wait)
        }
    }

    /// Waits until there is a token, but does not take the token. Cancel safe.
    pub async fn ready(&mut self) {
        let wait = self.wait();
        if !wait.is_zero() {
            sleep(wait).await;
        }
    }

    /// Returns the time until there is a token; zero if there is a token now.
    pub fn wait(&mut self) -> Duration {
        self.until(1.0)
    }

    /// Takes tokens even if there are not enough. Then the bucket owes the missing tokens.
    pub fn owe(&mut self, tokens: usize) {
        self.fill();
        self.tokens -= tokens as f64;
    }

    /// Returns the time until there are this many tokens; zero if there are enough now.
    fn until(&mut self, tokens: f64) -> Duration {
        self.fill();
        let missing = (tokens - self.tokens).max(0.0);
        Duration::try_from_secs_f64(missing / self.per_second).unwrap_or(Duration::MAX)
    }

    fn fill(&mut self) {
        let now = Instant::now();
        let passed = now.saturating_duration_since(self.at).as_secs_f64();
        self.tokens = (self.tokens + passed * self.per_second).min(self.most);
        self.at = now;
    }

    /// Takes a token, even if the bucket is empty; the bucket then owes the token. Returns the time
    /// after which the bucket no longer owes the token.
    pub fn reserve(&mut self) -> Duration {
        let wait = self.wait();
        self.tokens -= 1.0;
        wait
    }

    fn is_full(&mut self) -> bool {
        self.fill();
        self.tokens >= self.most
    }
}

/// From this number of buckets on, full buckets are removed. A full bucket is not needed, because a
/// new bucket is also full.
const MIN_SWEPT: usize = 20_000;

/// A bucket for each key.
#[derive(Clone, Debug)]
pub struct Buckets<K>(Arc<Mutex<Kept<K>>>);

#[derive(Debug)]
struct Kept<K> {
    all: HashMap<K, Bucket>,
    /// The next sweep comes at this number of buckets. It is at least twice as large as what the
    /// last sweep left, so that many buckets that are not full cost no sweep for each request.
    sweep_at: usize,
    min_swept: usize,
}

impl<K> Default for Buckets<K> {
    fn default() -> Buckets<K> {
        Buckets::swept_from(MIN_SWEPT)
    }
}

impl<K> Buckets<K> {
    fn swept_from(min_swept: usize) -> Buckets<K> {
        Buckets(Arc::new(Mutex::new(Kept {
            all: HashMap::new(),
            sweep_at: min_swept,
            min_swept,
        })))
    }
}

impl<K: Eq + Hash> Buckets<K> {
    /// Takes a token from the bucket of `key`, which allows `most` actions within `span`.
    ///
    /// # Errors
    /// The time after which the next action is allowed; the whole `span` if `most` is 0.
    pub fn count(&self, key: K, most: u32, span: Duration) -> Result<(), Duration> {
        self.take(key, 1, most, span)
    }

    /// Takes `tokens` tokens, as [`count`](Self::count) takes one.
    ///
    /// # Errors
    /// As for [`count`](Self::count); then no token is taken.
    pub fn take(&self, key: K, tokens: u32, most: u32, span: Duration) -> Result<(), Duration> {
        if most == 0 {
            return Err(span);
        }
        self.with(key, most, span, |bucket| bucket.take(f64::from(tokens)))
    }

    /// Takes a token from the bucket of `key`, even if the bucket is empty. The bucket allows
    /// `most` actions within `span`. Returns the time until the action is allowed.
    pub fn reserve(&self, key: K, most: u32, span: Duration) -> Duration {
        self.with(key, most, span, Bucket::reserve)
    }

    /// Gives back a token that [`count`](Self::count) has taken.
    pub fn give_back(&self, key: &K) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bucket) = all.all.get_mut(key) {
            bucket.tokens = (bucket.tokens + 1.0).min(bucket.most);
        }
    }

    fn with<T>(&self, key: K, most: u32, span: Duration, take: impl FnOnce(&mut Bucket) -> T) -> T {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.all.len() >= kept.sweep_at {
            kept.all.retain(|_, bucket| !bucket.is_full());
            kept.sweep_at = (2 * kept.all.len()).max(kept.min_swept);
        }
        let bucket = kept.all.entry(key);
        take(bucket.or_insert_with(|| Bucket::new(most, span)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[tokio::test(start_paused = true)]
    async fn tokens_come_back_with_time() {
        let mut bucket = Bucket::new(2, SECOND);
        assert_eq!((bucket.take(1.0), bucket.take(1.0)), (Ok(()), Ok(())));
        assert_eq!(bucket.take(1.0), Err(SECOND / 2));
        tokio::time::advance(SECOND / 2).await;
        assert_eq!(bucket.take(1.0), Ok(()));
        assert!(bucket.take(1.0).is_err());
        tokio::time::advance(60 * SECOND).await;
        assert_eq!(bucket.take(2.0), Ok(()));
        assert!(bucket.take(1.0).is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn waiter_gets_tokens_at_the_rate_of_the_bucket() {
        let mut bucket = Bucket::new(4, SECOND);
        let begun = Instant::now();
        for _ in 0..8 {
            bucket.ready().await;
            bucket.owe(1);
        }
        let took = begun.elapsed().as_millis();
        assert!(
            (1000..1010).contains(&took),
            "four tokens at once and four in the next second take 1000 ms, not {took} ms"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn reserved_token_delays_later_tokens() {
        let all = Buckets::default();
        let waits: Vec<_> = (0..4).map(|_| all.reserve(0, 2, SECOND)).collect();
        assert_eq!(waits[..2], [Duration::ZERO; 2]);
        assert_eq!(waits[2..], [SECOND / 2, SECOND]);
        assert_eq!(all.count(0, 2, SECOND), Err(SECOND * 3 / 2));
        assert_eq!(all.reserve(1, 2, SECOND), Duration::ZERO);
    }

    /// Returns the keys whose buckets are remembered.
    fn keys(all: &Buckets<i32>) -> Vec<i32> {
        let kept = all.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut keys: Vec<i32> = kept.all.keys().copied().collect();
        keys.sort_unstable();
        keys
    }

    /// A stranger who comes with many keys makes the limit forget nobody who has used it up.
    #[tokio::test(start_paused = true)]
    async fn only_full_buckets_are_removed() {
        let all = Buckets::swept_from(3);
        for key in [1, 2, 3] {
            assert!(all.count(key, 1, SECOND).is_ok());
        }
        tokio::time::advance(SECOND / 2).await;
        assert!(all.count(1, 1, SECOND).is_err());
        assert!(all.count(4, 1, SECOND).is_ok());
        assert_eq!(keys(&all), [1, 2, 3, 4], "none of them was full");
        tokio::time::advance(SECOND / 2).await;
        // The first three are full now, but the next sweep comes at six.
        assert!(all.count(5, 1, SECOND).is_ok());
        assert!(all.count(6, 1, SECOND).is_ok());
        assert_eq!(keys(&all), [1, 2, 3, 4, 5, 6]);
        assert!(all.count(7, 1, SECOND).is_ok());
        assert_eq!(keys(&all), [4, 5, 6, 7]);
        for key in [4, 5, 6, 7] {
            assert!(all.count(key, 1, SECOND).is_err(), "{key}");
        }
        assert_eq!(all.count(8, 0, SECOND), Err(SECOND));
    }
}
