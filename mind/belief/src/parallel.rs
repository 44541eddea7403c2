//! Splits work among threads. The results do not depend on the number of
//! threads.

use std::thread;

/// Calls `work` with every item and returns the results in the order of the
/// items. The first item is processed on the calling thread, and every other
/// item on a separate thread.
pub(crate) fn each<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let mut items = items.into_iter();
    let Some(first) = items.next() else {
        return Vec::new();
    };
    if items.len() == 0 {
        return vec![work(first)];
    }
    let work = &work;
    thread::scope(|scope| {
        let others: Vec<_> = items.map(|item| scope.spawn(move || work(item))).collect();
        let mut results = vec![work(first)];
        for other in others {
            match other.join() {
                Ok(result) => results.push(result),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        results
    })
}

/// Returns the length of each piece when `len` items are split among `threads`
/// threads; at least 1.
pub(crate) fn piece(len: usize, threads: usize) -> usize {
    len.div_ceil(threads.max(1)).max(1)
}
