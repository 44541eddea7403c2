//! A finished game, step by step.

use wire::{MomentJson, Side, StepJson};

use crate::belief::{Beliefs, moments_by_step};

/// Choice of the board that a narrow screen shows.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(crate) enum Whose {
    White,
    Umpire,
    Black,
}

impl Whose {
    pub(crate) const ALL: [Whose; 3] = [Whose::White, Whose::Umpire, Whose::Black];
}

/// A finished game: the opening, then every attempt, with what each listener
/// heard.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Review {
    pub(crate) white: String,
    pub(crate) black: String,
    pub(crate) rules: String,
    pub(crate) end: String,
    pub(crate) steps: Vec<StepJson>,
    pub(crate) at: usize,
    pub(crate) whose: Whose,
    /// The boards that can be shown.
    pub(crate) boards: &'static [Whose],
    /// Beliefs of the players; `None` if the beliefs cannot be computed.
    pub(crate) beliefs: Option<Beliefs>,
}

impl Review {
    /// Creates the review of a finished game; `rules` names its ruleset, `end`
    /// is its result in words.
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
            boards: &Whose::ALL,
            beliefs: None,
        }
    }

    /// Restricts the review to the board of one player, if nobody else's is known.
    #[must_use]
    pub fn of_player(self, side: Side) -> Review {
        let boards: &[Whose] = match side {
            Side::White => &[Whose::White],
            Side::Black => &[Whose::Black],
        };
        Review {
            whose: boards[0],
            boards,
            ..self
        }
    }

    /// Allows the review to show beliefs of the players. A belief is requested
    /// by [`ClubRequest::Belief`](crate::ClubRequest::Belief) when it is first
    /// shown.
    #[must_use]
    pub fn with_beliefs(self) -> Review {
        Review {
            beliefs: Some(Beliefs::default()),
            ..self
        }
    }

    /// Returns a player's moment at each step; `None` if the moment is not computed.
    pub(crate) fn moments(&self, side: Side) -> Vec<Option<&MomentJson>> {
        let Some(beliefs) = &self.beliefs else {
            return Vec::new();
        };
        let moments = &beliefs.of(side).moments;
        let of_step = moments_by_step(&self.steps, side).into_iter();
        of_step.map(|index| moments.get(index)).collect()
    }

    /// Moves by this number of steps, forwards or backwards.
    pub(crate) fn step(&mut self, by: isize) {
        let last = self.steps.len().saturating_sub(1);
        self.at = self.at.saturating_add_signed(by).min(last);
    }

    /// Changes to the next board.
    pub(crate) fn tab(&mut self) {
        let at = self.boards.iter().position(|whose| *whose == self.whose);
        self.whose = self.boards[at.map_or(0, |at| (at + 1) % self.boards.len())];
    }
}
