//! Work split among threads. What comes of it does not depend on how many
//! there are.

use std::thread;

/// Does the work on every item, each on a thread of its own but the first;
/// results are in the order of the items.
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

/// The length of the pieces in which so many items are given to threads.
pub(crate) fn piece(len: usize, threads: usize) -> usize {
    len.div_ceil(threads.max(1)).max(1)
}
