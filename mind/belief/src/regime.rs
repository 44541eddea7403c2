//! Whether a belief holds all possible positions, and the number of possible positions.

/// How the kept positions of a belief relate to all possible positions.
///
/// ```
/// use belief::{Belief, Regime};
/// use rules::{chess::Color, rulesets};
///
/// let wild16 = rulesets::by_id("wild16").expect("the id names a ruleset").choices;
/// assert_eq!(Belief::usual(wild16, Color::White).regime(), Regime::Exact);
/// assert!(Regime::Exact < Regime::Sampled);
/// assert_eq!(Regime::EnvelopeOnly.name(), "envelope");
/// ```
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub enum Regime {
    /// All possible positions are kept, and no others.
    Exact,
    /// All possible positions are kept, and perhaps some impossible ones. A repetition or the
    /// fifty-move rule would exclude these, but the belief does not keep the history of a position.
    Superset,
    /// A weighted sample is kept. The envelope still includes every possible
    /// position.
    Sampled,
    /// No positions are kept, only the envelope. The envelope still includes every possible
    /// position.
    EnvelopeOnly,
}

impl Regime {
    /// Returns the name of the regime in one word.
    pub const fn name(self) -> &'static str {
        match self {
            Regime::Exact => "exact",
            Regime::Superset => "superset",
            Regime::Sampled => "sampled",
            Regime::EnvelopeOnly => "envelope",
        }
    }
}

/// What a belief keeps if more positions are possible than the limit.
///
/// ```
/// use belief::{Overflow, Settings};
///
/// assert_eq!(Settings::default().overflow, Overflow::Sample);
/// ```
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Default)]
pub enum Overflow {
    /// A weighted sample of the positions, and the envelope.
    #[default]
    Sample,
    /// Only the envelope, until the end of the game. Updates then take microseconds.
    Envelope,
}

/// Largest estimate that [`Size::count`] returns. Larger estimates are not reliable.
pub const MAX_ESTIMATE: u64 = 1_000_000_000_000;

/// Number of possible positions.
///
/// ```
/// use belief::Size;
///
/// assert_eq!(Size::Exactly(20).number(), Some(20.0));
/// assert_eq!(Size::Unknown.number(), None);
/// assert_eq!(Size::About(1e50).count(), Some(belief::MAX_ESTIMATE));
/// ```
#[derive(Copy, Clone, PartialEq, Debug)]
pub enum Size {
    /// The exact number.
    Exactly(u64),
    /// An upper bound.
    AtMost(u64),
    /// An estimate from the sample.
    About(f64),
    /// Unknown: only the envelope is left.
    Unknown,
}

impl Size {
    /// Returns the exact number, the bound or the estimate; `None` if it is
    /// unknown.
    pub fn number(self) -> Option<f64> {
        match self {
            Size::Exactly(n) | Size::AtMost(n) => Some(n as f64),
            Size::About(n) => Some(n),
            Size::Unknown => None,
        }
    }

    /// Returns the number as an integer; `None` if it is unknown. An estimate
    /// is rounded, and is at most [`MAX_ESTIMATE`].
    pub fn count(self) -> Option<u64> {
        match self {
            Size::Exactly(n) | Size::AtMost(n) => Some(n),
            Size::About(n) => Some((n.round() as u64).min(MAX_ESTIMATE)),
            Size::Unknown => None,
        }
    }
}
