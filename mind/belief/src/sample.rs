//! Reduces too many positions to a weighted sample.

use crate::{entries::Entries, hidden::Hidden, men::Men};

/// Pseudorandom number generator. The same seed gives the same numbers on every
/// machine.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(crate) struct Draws {
    state: u64,
    /// Exponent *p*. The probability that a sample keeps a position is in proportion to the
    /// position's weight to the power *p*.
    power: f64,
}

impl Draws {
    /// Returns the generator with the seed that every belief uses.
    pub(crate) const fn new() -> Draws {
        Draws::seeded(0x5851_f42d_4c95_7f2d)
    }

    /// Returns a generator with this seed.
    pub(crate) const fn seeded(seed: u64) -> Draws {
        Draws {
            state: seed,
            power: 1.0,
        }
    }

    /// Returns the generator for samples with this spread (see `Settings::spread`).
    pub(crate) fn with_spread(self, spread: f64) -> Draws {
        let power = 1.0 - spread.clamp(0.0, 1.0);
        Draws { power, ..self }
    }

    /// Returns the next number (SplitMix64).
    pub(crate) fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
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

    /// Returns the entries in random order.
    pub(crate) fn mixed<H: Hidden>(&mut self, entries: &Entries<H>) -> Entries<H> {
        let mut mixed = entries.clone();
        for last in (1..mixed.len()).rev() {
            let other = self.below(last as u64 + 1) as usize;
            mixed.swap(last, other);
        }
        mixed
    }
}

/// Keeps about `limit` positions. The expected value of every weighted mean
/// over the positions stays the same.
///
/// Each position has a key: its weight, or a power of it (see `Settings::spread`). A position with
/// a key above a certain threshold is kept with its weight. A position with a lower key is kept with
/// a probability in proportion to that key. If it is kept, its weight is divided by this
/// probability.
/// The positions are sorted by king, material and pawns, and then sampled at regular steps
/// (systematic sampling). So all kinds of positions are in the sample.
pub(crate) fn thin<H: Hidden>(entries: &mut Entries<H>, limit: usize, draws: &mut Draws) {
    if entries.len() <= limit || limit == 0 {
        return;
    }
    let power = draws.power;
    let keys: Vec<f64> = if power < 1.0 {
        entries
            .iter()
            .map(|entry| entry.weight.powf(power))
            .collect()
    } else {
        entries.iter().map(|entry| entry.weight).collect()
    };
    let threshold = threshold(&keys, limit);
    let mut order: Vec<(u64, u32)> = (0..)
        .zip(entries.iter())
        .map(|(at, entry)| (stratum(&entry.hidden.unpack()), at))
        .collect();
    order.sort_unstable();
    let mut sum = draws.unit();
    let mut kept = Vec::with_capacity(limit + limit / 8);
    for (_, at) in order {
        let mut entry = entries[at as usize];
        let share = (keys[at as usize] / threshold).min(1.0);
        sum += share;
        if sum >= 1.0 {
            sum -= 1.0;
            entry.weight /= share;
            kept.push(entry);
        }
    }
    if kept.is_empty() {
        kept.extend(entries.first().copied());
    }
    *entries = kept;
}

/// Returns the sort key of a position. It contains the king's square, then the numbers of men by
/// kind, then the squares of the pawns.
fn stratum(men: &Men) -> u64 {
    let m = &men.by_role;
    let king = m.king.first().map_or(63, |sq| u64::from(sq.to_u32()));
    let count = |squares: rules::chess::Bitboard, most: usize| squares.count().min(most) as u64;
    let queens = count(m.queen, 1);
    let rooks = count(m.rook, 2);
    let minors = count(m.knight | m.bishop, 4);
    // Only 48 squares can have pawns, so 48 bits are enough.
    let pawns = (m.pawn.0 >> 8) & 0xffff_ffff_ffff;
    (king << 58) | (queens << 57) | (rooks << 55) | (minors << 52) | (pawns << 4)
}

/// A position is kept with a probability that depends on its key and on a threshold. Returns the
/// threshold with which these probabilities add up to `limit`.
fn threshold(keys: &[f64], limit: usize) -> f64 {
    let total: f64 = keys.iter().sum();
    let mut threshold = total / limit as f64;
    for _ in 0..30 {
        let (mut heavy, mut light) = (0usize, 0.0);
        for key in keys {
            if *key >= threshold {
                heavy += 1;
            } else {
                light += key;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{entries::Entry, hidden::Small};
    use rules::chess::{Bitboard, Square};

    /// Returns 40 probable and 400 improbable positions.
    fn uneven() -> Entries<Small> {
        let mut entries = Vec::new();
        for at in 0..440u32 {
            let mut men = Men::default();
            men.by_role.king = Bitboard::from_square(Square::new(at % 64));
            men.quiet = (at / 64) as u8;
            let weight = if at % 11 == 0 { 100.0 } else { 1.0 };
            entries.push(Entry {
                hidden: Small::pack(&men),
                weight,
            });
        }
        entries
    }

    /// Returns the mean number of improbable positions in a sample, and the mean sum of their
    /// weights.
    fn improbable(spread: f64) -> (f64, f64) {
        let mut draws = Draws::new().with_spread(spread);
        let (mut count, mut sum) = (0.0, 0.0);
        for _ in 0..400 {
            let mut entries = uneven();
            thin(&mut entries, 60, &mut draws);
            assert!(entries.len() <= 62, "{}", entries.len());
            let mut all = 0.0;
            for entry in entries {
                all += entry.weight;
                let rest = Small::unpack(entry.hidden);
                let at = rest.by_role.king.first().map_or(0, Square::to_u32);
                // The king and the clock give the number of the position in `uneven`. If 11 does
                // not divide the number, the position is improbable.
                if !(u32::from(rest.quiet) * 64 + at).is_multiple_of(11) {
                    count += 1.0;
                    sum += entry.weight;
                }
            }
            assert!(all > 0.0);
        }
        (count / 400.0, sum / 400.0)
    }

    #[test]
    fn spread_keeps_more_improbable_positions() {
        let (few, sum) = improbable(0.0);
        let (many, spread_sum) = improbable(0.5);
        assert!(many > 1.4 * few, "{few} {many}");
        // The sum of the weights of the improbable positions is 400 on average, with spread 0 and
        // with spread 0.5.
        assert!((sum - 400.0).abs() < 40.0, "{sum}");
        assert!((spread_sum - 400.0).abs() < 40.0, "{spread_sum}");
    }
}
