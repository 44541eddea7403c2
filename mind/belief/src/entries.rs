//! The positions of a belief, packed, with their weights.

use crate::{hidden::Hidden, parallel};

/// A packed position and its weight.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(crate) struct Entry<H> {
    /// The opponent's men.
    pub hidden: H,
    /// Weight, above 0. The sum of all weights can be different from 1.
    pub weight: f64,
}

/// List of positions. The order of the positions depends only on what was heard. So results can be
/// repeated. After `merge`, each position is in the list once.
pub(crate) type Entries<H> = Vec<Entry<H>>;

/// Binary logarithm of the number of parts. A long list is split into parts
/// before equal positions are merged, so that a part fits into the processor's
/// cache.
const PART_BITS: u32 = 8;
const PARTS: usize = 1 << PART_BITS;
/// Lists up to this length are not split, and are processed on one thread.
pub(crate) const SHORT: usize = 1 << 13;
/// Marks an empty slot of the hash table.
const EMPTY: u32 = u32::MAX;

/// Merges equal positions into one position. Its weight is the sum of their weights, its half-move
/// clock is the smallest of their clocks. Before merging, a long list is split into parts. Within a
/// part, the merged position stands where the first of the equal positions stood.
pub(crate) fn merge<H: Hidden>(entries: &mut Entries<H>, threads: usize) {
    if entries.len() <= SHORT {
        let kept = merge_part(entries, &mut Vec::new());
        entries.truncate(kept);
        return;
    }
    let (mut parts, lengths) = scattered(entries, threads);
    entries.clear();
    let mut slices: Vec<&mut [Entry<H>]> = Vec::with_capacity(PARTS);
    let mut rest = &mut parts[..];
    for length in &lengths {
        let (slice, others) = rest.split_at_mut(*length);
        slices.push(slice);
        rest = others;
    }
    let mut groups: Vec<Vec<&mut [Entry<H>]>> = Vec::new();
    let mut slices = slices.into_iter();
    loop {
        let group: Vec<_> = slices
            .by_ref()
            .take(parallel::piece(PARTS, threads))
            .collect();
        if group.is_empty() {
            break;
        }
        groups.push(group);
    }
    let kept = parallel::each(groups, |group| {
        let mut table = Vec::new();
        group
            .into_iter()
            .map(|part| merge_part(part, &mut table))
            .collect::<Vec<_>>()
    });
    let (mut from, mut to) = (0, 0);
    for (length, kept) in lengths.iter().zip(kept.into_iter().flatten()) {
        parts.copy_within(from..from + kept, to);
        from += length;
        to += kept;
    }
    parts.truncate(to);
    free_unused(&mut parts);
    *entries = parts;
}

/// Frees the memory of positions that were merged or left out.
pub(crate) fn free_unused<H>(entries: &mut Entries<H>) {
    if entries.capacity() > entries.len() + entries.len() / 4 {
        entries.shrink_to_fit();
    }
}

#[inline]
fn part_of<H: Hidden>(entry: &Entry<H>) -> usize {
    (entry.hidden.bucket() >> (64 - PART_BITS)) as usize
}

/// Returns the entries ordered by part, and the lengths of the parts. Within a
/// part the order stays as it was.
fn scattered<H: Hidden>(entries: &Entries<H>, threads: usize) -> (Entries<H>, Vec<usize>) {
    let pieces: Vec<&[Entry<H>]> = entries
        .chunks(parallel::piece(entries.len(), threads))
        .collect();
    let counts = parallel::each(pieces.clone(), |piece| {
        let mut counts = vec![0usize; PARTS];
        for entry in piece {
            counts[part_of(entry)] += 1;
        }
        counts
    });
    let mut parts = entries.clone();
    let mut places: Vec<Vec<&mut [Entry<H>]>> =
        pieces.iter().map(|_| Vec::with_capacity(PARTS)).collect();
    let mut rest = &mut parts[..];
    for part in 0..PARTS {
        for (counts, places) in counts.iter().zip(&mut places) {
            let (place, others) = rest.split_at_mut(counts[part]);
            places.push(place);
            rest = others;
        }
    }
    let work: Vec<_> = pieces.into_iter().zip(places).collect();
    parallel::each(work, |(piece, mut places)| {
        let mut at = [0usize; PARTS];
        for entry in piece {
            let part = part_of(entry);
            places[part][at[part]] = *entry;
            at[part] += 1;
        }
    });
    let lengths = (0..PARTS)
        .map(|part| counts.iter().map(|counts| counts[part]).sum())
        .collect();
    (parts, lengths)
}

/// Merges the entries of one part. Moves the merged entries to the beginning of `part` and returns
/// their number. `table` is scratch space.
fn merge_part<H: Hidden>(part: &mut [Entry<H>], table: &mut Vec<u32>) -> usize {
    let size = (part.len() * 2).next_power_of_two();
    table.clear();
    table.resize(size, EMPTY);
    let mask = size - 1;
    let mut kept = 0;
    for i in 0..part.len() {
        let entry = part[i];
        let mut at = entry.hidden.bucket() as usize & mask;
        loop {
            let place = table[at];
            if place == EMPTY {
                table[at] = kept as u32;
                part[kept] = entry;
                kept += 1;
                break;
            }
            let other = &mut part[place as usize];
            if other.hidden.is_same(entry.hidden) {
                other.weight += entry.weight;
                other.hidden = other.hidden.min(entry.hidden);
                break;
            }
            at = (at + 1) & mask;
        }
    }
    kept
}

/// Keeps the entries for which `keep` returns true, with the changes that `keep` made to them.
/// Returns the number of kept entries. If no entry is kept, the list is unchanged, so that the
/// caller can find out why.
pub(crate) fn retain<H: Hidden>(
    entries: &mut Entries<H>,
    threads: usize,
    keep: impl Fn(&mut Entry<H>) -> bool + Sync,
) -> usize {
    let threads = if entries.len() <= SHORT { 1 } else { threads };
    let length = parallel::piece(entries.len(), threads);
    let pieces: Vec<&mut [Entry<H>]> = entries.chunks_mut(length).collect();
    let kept = parallel::each(pieces, |piece| {
        let mut kept = 0;
        for i in 0..piece.len() {
            let mut entry = piece[i];
            if keep(&mut entry) {
                piece[kept] = entry;
                kept += 1;
            }
        }
        kept
    });
    let mut to = 0;
    for (nth, kept) in kept.into_iter().enumerate() {
        let from = nth * length;
        entries.copy_within(from..from + kept, to);
        to += kept;
    }
    if to > 0 {
        entries.truncate(to);
    }
    to
}

/// Scales all weights so that they add up to 1.
pub(crate) fn normalise<H: Hidden>(entries: &mut Entries<H>) {
    let total: f64 = entries.iter().map(|entry| entry.weight).sum();
    if total > 0.0 {
        for entry in entries.iter_mut() {
            entry.weight = (entry.weight / total).max(f64::MIN_POSITIVE);
        }
    }
}

/// Returns the effective sample size: the square of the sum of the weights, divided by the sum of
/// the squares of the weights.
pub(crate) fn effective<H: Hidden>(entries: &Entries<H>) -> f64 {
    let (mut sum, mut squares) = (0.0, 0.0);
    for entry in entries {
        sum += entry.weight;
        squares += entry.weight * entry.weight;
    }
    if squares > 0.0 {
        sum * sum / squares
    } else {
        0.0
    }
}
