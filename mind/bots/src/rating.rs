//! Measured ratings of the built-in bots.

use std::fmt;

/// Rating of a bot on one scale for all bots, with its 95 % interval.
///
/// The scale is the Elo scale: a difference of 100 points means an expected score of 64 % for the
/// stronger bot, and a difference of 200 points means 76 %. The rating of `level-1` is 1,000 points
/// by definition. Rated games with a level use its rating.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub struct Rating {
    /// The rating.
    pub points: u16,
    /// Least rating of the interval.
    pub low: u16,
    /// Greatest rating of the interval.
    pub high: u16,
}

impl Rating {
    /// Returns the rating `points` with the interval from `low` to `high`.
    pub const fn new(points: u16, low: u16, high: u16) -> Rating {
        Rating { points, low, high }
    }

    /// Returns the standard deviation that belongs to the interval.
    pub fn deviation(self) -> f64 {
        f64::from(self.high - self.low) / (2.0 * 1.96)
    }
}

impl fmt::Display for Rating {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.points)?;
        if self.low < self.high {
            write!(f, " ({} to {})", self.low, self.high)?;
        }
        Ok(())
    }
}
