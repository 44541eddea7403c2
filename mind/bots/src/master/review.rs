//! The review of an attempt: what it is worth beside the plan of its turn.

use belief::Watch;
use rules::{Attempt, Try};
use views::PlayerView;

use super::{Master, source::Possible, turn::Worth};
use crate::dice::{Dice, Seed};

/// Maximum number of positions in which it is counted what an attempt does.
const MAX_COUNTED: usize = 2_000;

/// What [`Master::review`] found.
pub(crate) struct Reviewed {
    /// Whether Any? should be asked first.
    pub asks: bool,
    /// The best first attempt; after the answer no, if Any? should be asked.
    pub best: Option<Try>,
    /// Whether the best attempts force mate.
    pub is_mate: bool,
    /// Values of the plan and of the attempt; `None` if the plan comes from a search for mate or
    /// from the hunt of a lone king, or if the attempt is illegal in all positions of the sample.
    pub worth: Option<Worth>,
    /// All positions of the belief, or a sample of them. The weights add up to 1.
    pub positions: Vec<Possible>,
}

impl Master {
    /// Updates the belief in the own turn, as its plan would. So a later review needs less time.
    pub(crate) fn catch_up(&mut self, view: &PlayerView) {
        let effort = self.effort_within(self.limits());
        self.source.learn(view, effort, &Watch::default());
    }

    /// Plans a turn and compares an attempt with the plan. Everything that the seat heard before
    /// this attempt must have been [heard](crate::Player::hear). The result depends only on that, on
    /// the number of the turn and on the attempt.
    pub(crate) fn review(&mut self, view: &PlayerView, turn: u32, made: Attempt) -> Reviewed {
        self.dice = Dice::new(Seed {
            seed: 1,
            stream: u64::from(turn),
        });
        self.reviewed = Some(made);
        // Equal attempts must have equal values.
        self.strength.noise = 0.0;
        let plan = self.make_plan(view, &view.tries());
        self.reviewed = None;
        Reviewed {
            asks: plan.asks && !view.turn().asked,
            best: plan.usual.first().copied(),
            is_mate: plan.is_mate,
            worth: plan.worth,
            positions: self.source.positions(MAX_COUNTED, &mut self.dice),
        }
    }
}
