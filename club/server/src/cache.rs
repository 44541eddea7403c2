//! Cache of answers that take long to compute. Each answer is computed once. The total
//! size of the cached answers is limited.

use std::{collections::HashMap, hash::Hash, sync::Arc};

use axum::body::Bytes;
use tokio::sync::OnceCell;

use crate::refusal::Refusal;

/// Place for an answer. It is empty until the answer is computed.
pub type AnswerCell = Arc<OnceCell<Result<Bytes, Refusal>>>;

/// Answers by key. If their total size exceeds the limit, the least recently used answers are
/// removed.
#[derive(Debug)]
pub struct Cache<K> {
    kept: HashMap<K, CacheEntry>,
    bytes: usize,
    max_bytes: usize,
    uses: u64,
}

#[derive(Debug)]
struct CacheEntry {
    cell: AnswerCell,
    bytes: usize,
    used: u64,
}

impl<K: Copy + Eq + Hash> Cache<K> {
    /// Creates an empty cache for at most `max_bytes` bytes.
    pub fn new(max_bytes: usize) -> Cache<K> {
        Cache {
            kept: HashMap::new(),
            bytes: 0,
            max_bytes,
            uses: 0,
        }
    }

    /// Returns an answer if it was computed.
    pub fn answer(&mut self, key: K) -> Option<Result<Bytes, Refusal>> {
        self.find(key)?.get().cloned()
    }

    /// Returns the place of an answer that was computed or is being computed; `None` if there is no
    /// such place.
    pub fn find(&mut self, key: K) -> Option<AnswerCell> {
        self.uses += 1;
        let kept = self.kept.get_mut(&key)?;
        kept.used = self.uses;
        Some(Arc::clone(&kept.cell))
    }

    /// Returns the place of an answer, and creates the place if there is none.
    pub fn add(&mut self, key: K) -> AnswerCell {
        self.uses += 1;
        let kept = self.kept.entry(key).or_insert_with(|| CacheEntry {
            cell: AnswerCell::default(),
            bytes: 0,
            used: 0,
        });
        kept.used = self.uses;
        Arc::clone(&kept.cell)
    }

    /// Counts the bytes of an answer that was computed. If the cache then has too many bytes,
    /// removes other answers. A refusal is not kept.
    pub fn note(&mut self, key: K, done: &Result<Bytes, Refusal>) {
        let Ok(json) = done else {
            self.remove(key);
            return;
        };
        if let Some(kept) = self.kept.get_mut(&key) {
            self.bytes = self.bytes - kept.bytes + json.len();
            kept.bytes = json.len();
        }
        while self.bytes > self.max_bytes {
            let computed = self.kept.iter().filter(|(_, kept)| kept.bytes > 0);
            let Some(oldest) = computed.min_by_key(|(_, kept)| kept.used) else {
                return;
            };
            let oldest = *oldest.0;
            self.remove(oldest);
        }
    }

    fn remove(&mut self, key: K) {
        if let Some(kept) = self.kept.remove(&key) {
            self.bytes -= kept.bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use wire::RefusalCode;

    use super::*;

    #[test]
    fn least_recently_used_answer_is_removed_first() {
        let mut cache = Cache::new(300);
        let third = Ok(Bytes::from(vec![0; 100]));
        for n in 0..3 {
            cache.add(n);
            cache.note(n, &third);
        }
        assert_eq!(cache.kept.len(), 3);
        // Answer 0 is used again, so answer 1 is removed first.
        assert!(cache.find(0).is_some());
        cache.add(3);
        cache.note(3, &third);
        assert!(cache.bytes <= 300);
        let mut kept: Vec<_> = cache.kept.keys().copied().collect();
        kept.sort_unstable();
        assert_eq!(kept, [0, 2, 3]);
    }

    #[test]
    fn a_refusal_is_not_kept() {
        let mut cache = Cache::new(300);
        cache.add(1);
        cache.note(1, &Err(Refusal::new(RefusalCode::Unavailable, "no")));
        assert!(cache.kept.is_empty());
        assert_eq!(cache.bytes, 0);
    }
}
