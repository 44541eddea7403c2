//! The belief of one seat at each moment of a finished game.

use rules::{
    Choices, Heard, Reply, Start, Verdict,
    chess::{ByRole, Color},
};

use crate::{
    belief::{Belief, Settings, Unexplained},
    fact::Fact,
    marginals::Marginals,
    regime::{Regime, Size},
    start::{Origin, StartError},
};

/// Limits on the work of computing all moments of one game.
///
/// ```
/// use belief::ReviewLimits;
///
/// // About ten seconds of one processor.
/// let limits = ReviewLimits { positions: 100_000, work: 1_000_000, own_untold: false };
/// assert!(limits.positions >= ReviewLimits::MIN);
/// ```
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct ReviewLimits {
    /// Maximum number of positions kept at the same time.
    pub positions: usize,
    /// Maximum amount of work for the whole game. The unit of work is one position for which the
    /// opponent's moves are computed. When little work is left, fewer positions are kept, but not
    /// fewer than [`ReviewLimits::MIN`].
    pub work: usize,
    /// See [`Settings::own_untold`].
    pub own_untold: bool,
}

impl ReviewLimits {
    /// Number of positions that may always be kept, even when no work is left. If `positions` is
    /// smaller, `positions` applies.
    pub const MIN: usize = 1000;

    /// Returns the limit on positions, given the remaining work and the number
    /// of the opponent's moves that are still to come.
    fn positions(&self, work_left: usize, moves_left: usize) -> usize {
        let share = work_left / moves_left.max(1);
        share.clamp(Self::MIN.min(self.positions), self.positions)
    }
}

/// What a seat could know at one moment.
///
/// ```
/// use belief::{Moment, Size};
///
/// fn words(moment: &Moment) -> String {
///     let facts: Vec<String> = moment.facts.iter().map(ToString::to_string).collect();
///     match moment.size {
///         Size::Exactly(n) => format!("{n} positions. {}", facts.join(" ")),
///         _ => facts.join(" "),
///     }
/// }
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Moment {
    /// Number of positions that were possible.
    pub size: Size,
    /// How the kept positions relate to all possible positions.
    pub regime: Regime,
    /// For each square and role, the probability that a man of the opponent with this role was on
    /// the square.
    pub marginals: Marginals,
    /// What was true in every possible position.
    pub facts: Vec<Fact>,
}

/// Iterator over the moments of a finished game for one seat. What the seat heard comes in groups,
/// and there is one moment for each group.
///
/// The moments are computed only from what the seat heard, including the
/// answers to its own attempts. After an error the iterator ends.
///
/// ```
/// use belief::{Moments, Origin, ReviewLimits, Size};
/// use rules::{Announcement, Start, chess::Color, rulesets};
/// use views::PlayerView;
///
/// let wild16 = rulesets::by_id("wild16").expect("the id names a ruleset").choices;
/// let view = PlayerView::initial(wild16, Color::White);
/// let start = Start {
///     rules: "wild16".into(),
///     own: Some(*view.own()),
///     reserves: Default::default(),
/// };
/// let turn = Announcement::Turn { to_move: Color::White };
/// let heard = vec![vec![Announcement::Tries(rules::Tries::Count(0)).into(), turn.into()]];
/// let limits = ReviewLimits { positions: 1000, work: 10_000, own_untold: false };
/// let moments = Moments::open(wild16, Color::White, &start, &Origin::Usual, heard, limits)?;
/// let moments: Vec<_> = moments.collect::<Result<_, _>>()?;
/// assert_eq!(moments[0].size, Size::Exactly(1));
/// assert_eq!(moments[0].facts[0].to_string(), "The king is on e8.");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Moments {
    belief: Belief,
    limits: ReviewLimits,
    heard: std::vec::IntoIter<Vec<Heard>>,
    moves_left: usize,
    work_left: usize,
    first: Option<ByRole<u8>>,
    failed: bool,
}

impl Moments {
    /// Returns the moments of one seat in a game with this start. `heard` is
    /// everything that the seat heard after the start, in groups.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`Belief::open`].
    pub fn open(
        choices: Choices,
        seat: Color,
        start: &Start,
        origin: &Origin,
        heard: Vec<Vec<Heard>>,
        limits: ReviewLimits,
    ) -> Result<Moments, StartError> {
        let theirs = heard.iter().flatten();
        let moves_left = theirs.filter(|heard| is_reply(heard, seat)).count();
        let settings = Settings {
            limit: limits.positions(limits.work, moves_left),
            own_untold: limits.own_untold,
            ..Settings::default()
        };
        Ok(Moments {
            belief: Belief::open(choices, seat, start, origin, settings)?,
            limits,
            heard: heard.into_iter(),
            moves_left,
            work_left: limits.work,
            first: None,
            failed: false,
        })
    }

    /// Returns the belief at the last moment.
    pub fn belief(&self) -> &Belief {
        &self.belief
    }

    fn hear(&mut self, group: &[Heard]) -> Result<Moment, Unexplained> {
        for heard in group {
            if is_reply(heard, self.belief.known().seat()) {
                let work = self.belief.kept();
                self.work_left = self.work_left.saturating_sub(work);
                self.moves_left = self.moves_left.saturating_sub(1);
                let limit = self.limits.positions(self.work_left, self.moves_left);
                self.belief.set_limit(limit);
            }
            self.belief.hear(heard)?;
        }
        let certain = self.belief.certain();
        let first = *self.first.get_or_insert(certain.most);
        Ok(Moment {
            size: self.belief.size(),
            regime: self.belief.regime(),
            marginals: self.belief.marginals(),
            facts: Fact::all(&certain, &first),
        })
    }
}

impl Iterator for Moments {
    type Item = Result<Moment, Unexplained>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let group = self.heard.next()?;
        let moment = self.hear(&group);
        self.failed = moment.is_err();
        Some(moment)
    }
}

/// Returns whether this item announces a completed move of the opponent.
fn is_reply(heard: &Heard, seat: Color) -> bool {
    matches!(heard, Heard::Reply(Reply::Verdict { verdict: Verdict::Moved, by, .. }) if *by != seat)
}
