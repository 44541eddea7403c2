//! How much a belief can be trusted to be whole.

/// How the positions of a belief relate to all that are possible.
///
/// ```
/// use belief::{Belief, Regime};
/// use rules::{chess::Color, rulesets};
///
/// let wild16 = rulesets::by_id("wild16").expect("a named ruleset").choices;
/// assert_eq!(Belief::usual(wild16, Color::White).regime(), Regime::Exact);
/// assert!(Regime::Exact < Regime::Sampled);
/// assert_eq!(Regime::EnvelopeOnly.name(), "envelope");
/// ```
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub enum Regime {
    /// Every possible position and no other.
    Exact,
    /// Every possible position, and perhaps some that repetition or the
    /// fifty-move rule would exclude: histories are not kept.
    Superset,
    /// A weighted sample; the envelope holds every possible position.
    Sampled,
    /// No position of the sample was left; the envelope still holds every
    /// possible one.
    EnvelopeOnly,
}

impl Regime {
    /// The regime in one word.
    pub const fn name(self) -> &'static str {
        match self {
            Regime::Exact => "exact",
            Regime::Superset => "superset",
            Regime::Sampled => "sampled",
            Regime::EnvelopeOnly => "envelope",
        }
    }
}

/// Largest estimate that is told as a number: one beyond it is not reliable.
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
    /// So many.
    Exactly(u64),
    /// So many at most.
    AtMost(u64),
    /// About so many, by the sample.
    About(f64),
    /// Unknown: only the envelope is left.
    Unknown,
}

impl Size {
    /// The number, if there is one.
    pub fn number(self) -> Option<f64> {
        match self {
            Size::Exactly(n) | Size::AtMost(n) => Some(n as f64),
            Size::About(n) => Some(n),
            Size::Unknown => None,
        }
    }

    /// The number as an integer, if there is one. An estimate is rounded, and
    /// never above [`MAX_ESTIMATE`].
    pub fn count(self) -> Option<u64> {
        match self {
            Size::Exactly(n) | Size::AtMost(n) => Some(n),
            Size::About(n) => Some((n.round() as u64).min(MAX_ESTIMATE)),
            Size::Unknown => None,
        }
    }
}
