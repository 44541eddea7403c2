//! Reduces too many positions to a weighted sample.

use crate::{entries::Entries, hidden::Hidden, men::Men};

/// Pseudorandom number generator. The same seed gives the same numbers on every
/// machine.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(crate) struct Draws(u64);

impl Draws {
    /// Numbers from the seed of every belief.
    pub(crate) const fn new() -> Draws {
        Draws::seeded(0x5851_f42d_4c95_7f2d)
    }

    /// Numbers from another seed.
    pub(crate) const fn seeded(seed: u64) -> Draws {
        Draws(seed)
    }

    /// Returns the next number (SplitMix64).
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number from 0 up to, but not including, 1.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Returns a number below `n`. `n` must be above 0.
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(n)) >> 64) as u64
    }
}

/// Keeps about `limit` positions. The expected value of every weighted mean
/// over the positions stays the same.
///
/// A position with a weight above the threshold is kept with its weight. A position with a lower
/// weight is kept with a probability in proportion to that weight; a kept position then has the
/// threshold as its weight. The sampling is systematic over the positions sorted by king, material
/// and pawns, so the sample is stratified.
pub(crate) fn thin<H: Hidden>(entries: &mut Entries<H>, limit: usize, draws: &mut Draws) {
    if entries.len() <= limit || limit == 0 {
        return;
    }
    let threshold = threshold(entries, limit);
    let mut order: Vec<(u64, u32)> = (0..)
        .zip(entries.iter())
        .map(|(at, entry)| (stratum(&entry.hidden.unpack()), at))
        .collect();
    order.sort_unstable();
    let mut sum = draws.unit();
    let mut kept = Vec::with_capacity(limit + limit / 8);
    for (_, at) in order {
        let mut entry = entries[at as usize];
        sum += (entry.weight / threshold).min(1.0);
        if sum >= 1.0 {
            sum -= 1.0;
            entry.weight = entry.weight.max(threshold);
            kept.push(entry);
        }
    }
    if kept.is_empty() {
        kept.extend(entries.first().copied());
    }
    *entries = kept;
}

/// Returns the sort key of a position: the king's square, then the numbers of
/// men by kind, then the squares of the pawns.
fn stratum(men: &Men) -> u64 {
    let m = &men.by_role;
    let king = m.king.first().map_or(63, |sq| u64::from(sq.to_u32()));
    let count = |squares: rules::chess::Bitboard, most: usize| squares.count().min(most) as u64;
    let queens = count(m.queen, 1);
    let rooks = count(m.rook, 2);
    let minors = count(m.knight | m.bishop, 4);
    // Only 48 squares can have pawns.
    let pawns = (m.pawn.0 >> 8) & 0xffff_ffff_ffff;
    (king << 58) | (queens << 57) | (rooks << 55) | (minors << 52) | (pawns << 4)
}

/// Returns the threshold weight for which the probabilities of being kept add
/// up to `limit`.
fn threshold<H: Hidden>(entries: &Entries<H>, limit: usize) -> f64 {
    let total: f64 = entries.iter().map(|entry| entry.weight).sum();
    let mut threshold = total / limit as f64;
    for _ in 0..30 {
        let (mut heavy, mut light) = (0usize, 0.0);
        for entry in entries {
            if entry.weight >= threshold {
                heavy += 1;
            } else {
                light += entry.weight;
            }
        }
        if heavy >= limit {
            return threshold;
        }
        let next = light / (limit - heavy) as f64;
        if next >= threshold * (1.0 - 1e-9) {
            break;
        }
        threshold = next;
    }
    threshold.max(f64::MIN_POSITIVE)
}
