//! The positions of a belief, packed and weighed.

use crate::hidden::Hidden;

/// A packed position and its weight.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(crate) struct Entry<H> {
    /// The opponent's men.
    pub hidden: H,
    /// The weight, above 0; weights need not add up to 1.
    pub weight: f64,
}

/// Positions in a fixed order, each once.
pub(crate) type Entries<H> = Vec<Entry<H>>;

/// How many parts a long list is split into before it is sorted, so that each
/// stays in the cache: 2 to this power.
const PART_BITS: u32 = 8;
/// Shorter lists are sorted whole.
const SHORT: usize = 1 << 14;

/// Sorts positions and merges those that are the same: weights add up, the
/// least half-move clock stays.
pub(crate) fn merge<H: Hidden>(entries: &mut Entries<H>) {
    if entries.len() <= SHORT {
        sort_part(entries, 0, entries.len());
        let kept = unique_run(entries, 0, entries.len(), 0);
        entries.truncate(kept);
        return;
    }
    let part = |entry: &Entry<H>| (entry.hidden.bucket() >> (64 - PART_BITS)) as usize;
    let mut starts = [0usize; (1 << PART_BITS) + 1];
    for entry in entries.iter() {
        starts[part(entry) + 1] += 1;
    }
    for i in 1..starts.len() {
        starts[i] += starts[i - 1];
    }
    let mut at = starts;
    let mut parts = entries.clone();
    for entry in entries.iter() {
        let place = &mut at[part(entry)];
        parts[*place] = *entry;
        *place += 1;
    }
    *entries = parts;
    let mut kept = 0;
    for pair in starts.windows(2) {
        sort_part(entries, pair[0], pair[1]);
        kept = unique_run(entries, pair[0], pair[1], kept);
    }
    entries.truncate(kept);
}

fn sort_part<H: Hidden>(entries: &mut Entries<H>, from: usize, to: usize) {
    entries[from..to].sort_unstable_by_key(|entry| entry.hidden);
}

/// Merges the sorted run `from..to` to the place `kept`; returns its new end.
fn unique_run<H: Hidden>(entries: &mut Entries<H>, from: usize, to: usize, kept: usize) -> usize {
    let first = kept;
    let mut kept = kept;
    for i in from..to {
        let entry = entries[i];
        if kept > first && entries[kept - 1].hidden.is_same(entry.hidden) {
            entries[kept - 1].weight += entry.weight;
        } else {
            entries[kept] = entry;
            kept += 1;
        }
    }
    kept
}

/// Multiplies all weights so that they add up to 1.
pub(crate) fn normalise<H: Hidden>(entries: &mut Entries<H>) {
    let total: f64 = entries.iter().map(|entry| entry.weight).sum();
    if total > 0.0 {
        for entry in entries.iter_mut() {
            entry.weight = (entry.weight / total).max(f64::MIN_POSITIVE);
        }
    }
}
