//! A finished game, step by step.

use wire::{MomentJson, Side, StepJson};

use crate::belief::{Beliefs, moments_by_step};

/// Board that a narrow screen shows.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(crate) enum Whose {
    White,
    Umpire,
    Black,
}

impl Whose {
    pub(crate) const ALL: [Whose; 3] = [Whose::White, Whose::Umpire, Whose::Black];
}

/// A finished game: the opening, then every attempt, with what each heard.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Review {
    pub(crate) white: String,
    pub(crate) black: String,
    pub(crate) rules: String,
    pub(crate) end: String,
    pub(crate) steps: Vec<StepJson>,
    pub(crate) at: usize,
    pub(crate) whose: Whose,
    /// Beliefs of the players; `None` if they cannot be computed.
    pub(crate) beliefs: Option<Beliefs>,
}

impl Review {
    /// A game under that ruleset which ended so.
    pub fn new(
        white: String,
        black: String,
        rules: String,
        end: String,
        steps: Vec<StepJson>,
    ) -> Review {
        Review {
            white,
            black,
            rules,
            end,
            steps,
            at: 0,
            whose: Whose::Umpire,
            beliefs: None,
        }
    }

    /// The same with what the players could know: it is asked for when it is
    /// to be shown, by [`ClubRequest::Belief`](crate::ClubRequest::Belief).
    #[must_use]
    pub fn with_beliefs(self) -> Review {
        Review {
            beliefs: Some(Beliefs::default()),
            ..self
        }
    }

    /// Returns the belief of a player at each step; `None` for a step where it is not computed.
    pub(crate) fn moments(&self, side: Side) -> Vec<Option<&MomentJson>> {
        let Some(beliefs) = &self.beliefs else {
            return Vec::new();
        };
        let moments = &beliefs.of(side).moments;
        let of_step = moments_by_step(&self.steps, side).into_iter();
        of_step.map(|index| moments.get(index)).collect()
    }

    /// Goes so many steps on, or back.
    pub(crate) fn step(&mut self, by: isize) {
        let last = self.steps.len().saturating_sub(1);
        self.at = self.at.saturating_add_signed(by).min(last);
    }

    /// Shows the next board.
    pub(crate) fn tab(&mut self) {
        self.whose = match self.whose {
            Whose::White => Whose::Umpire,
            Whose::Umpire => Whose::Black,
            Whose::Black => Whose::White,
        };
    }
}
