//! Random numbers from a seed.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Seed of a bot's random numbers: a seed and the number of a stream.
///
/// The streams of one seed are independent of each other, so that each seat of
/// each game can have its own stream.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub struct Seed {
    /// The seed.
    pub seed: u64,
    /// The number of the stream.
    pub stream: u64,
}

/// Random number generator. The same seed gives the same numbers on every
/// machine and in every version.
#[derive(Clone, Debug)]
pub struct Dice(ChaCha8Rng);

impl Dice {
    /// Returns a generator with this seed.
    pub fn new(seed: Seed) -> Dice {
        let mut rng = ChaCha8Rng::seed_from_u64(seed.seed);
        rng.set_stream(seed.stream);
        Dice(rng)
    }

    /// Returns a number below `n`, each exactly equally likely; 0 if `n` is 0.
    #[inline]
    pub fn below(&mut self, n: u32) -> u32 {
        // Lemire, "Fast random integer generation in an interval" (2019): if the low half of the
        // product is below `unfair`, the value is drawn again. Otherwise some numbers would be more
        // likely than others.
        let mut throw = u64::from(self.0.next_u32()) * u64::from(n);
        if (throw as u32) < n {
            let unfair = n.wrapping_neg() % n;
            while (throw as u32) < unfair {
                throw = u64::from(self.0.next_u32()) * u64::from(n);
            }
        }
        (throw >> 32) as u32
    }

    /// Returns one of the items, each equally likely; `None` if there are none.
    #[inline]
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        let n = u32::try_from(items.len()).unwrap_or(u32::MAX);
        items.get(self.below(n) as usize).copied()
    }

    /// Returns true with probability 1/`n`.
    #[inline]
    pub fn once_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_equally_likely() {
        let mut dice = Dice::new(Seed { seed: 7, stream: 0 });
        for n in [1_u32, 2, 3, 7, 20, 31, 97] {
            let throws = 20_000 * n;
            let mut seen = vec![0_u32; n as usize];
            for _ in 0..throws {
                seen[dice.below(n) as usize] += 1;
            }
            // The tolerance is five standard deviations (about 707) of a count
            // with mean 20,000.
            for (i, count) in seen.into_iter().enumerate() {
                assert!(count.abs_diff(20_000) < 710, "{i} of {n}: {count}");
            }
        }
    }

    #[test]
    fn numbers_below_a_great_bound_are_equally_likely() {
        // If no value were drawn again, every third number below 3 * 2^30 would come twice as often
        // as the others.
        let n = 3 << 30;
        let mut dice = Dice::new(Seed { seed: 1, stream: 0 });
        let third = (0..30_000)
            .filter(|_| dice.below(n).is_multiple_of(3))
            .count();
        assert!(third.abs_diff(10_000) < 410, "{third}");
    }

    #[test]
    fn pick_from_no_items_is_none() {
        let mut dice = Dice::new(Seed { seed: 1, stream: 0 });
        assert_eq!(dice.below(0), 0);
        assert_eq!(dice.pick::<u8>(&[]), None);
    }

    #[test]
    fn numbers_of_a_seed_do_not_change() {
        let throws = |seed, stream| {
            let mut dice = Dice::new(Seed { seed, stream });
            [(); 6].map(|()| dice.below(1000))
        };
        assert_eq!(throws(1, 0), throws(1, 0));
        assert_ne!(throws(1, 0), throws(1, 1));
        assert_ne!(throws(1, 0), throws(2, 0));
        assert_eq!(throws(1, 0), [549, 402, 984, 80, 211, 596]);
    }
}
