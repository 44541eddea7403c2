//! The review of a finished game: what each turn was worth, given only what the seat had heard.

use belief::Origin;
use rules::{Attempt, Choices, Heard, Reply, Start, Try, Verdict, chess::Color};
use views::PlayerView;

use crate::{
    budget::Budget,
    dice::Seed,
    master::{Master, Reviewed, Worth},
    player::Player,
};

/// Costs of at least this number of pawns are marked.
pub const MARKED_COST: f32 = 1.0;

/// Cost at which the accuracy of a turn is 1/e, in pawns.
const ACCURACY_SCALE: f32 = 2.0;

/// The first attempt of a turn, and what was better.
#[derive(Copy, Clone, Debug)]
pub struct ReviewedTurn {
    /// Number of the seat's turn, from 1.
    pub turn: u32,
    /// The first attempt that the seat could expect to be legal.
    pub made: Try,
    /// Verdict on this attempt.
    pub verdict: Verdict,
    /// Whether Any? should have been asked first.
    pub asks: bool,
    /// The best first attempt; after the answer no, if Any? should have been asked.
    pub best: Option<Try>,
    /// Whether the best attempts force mate in every position that was possible.
    pub is_mate: bool,
    /// Values in pawns; `None` if the turn was decided by a forced mate or by the hunt of a lone
    /// king, or if the sample had no position in which the attempt is legal.
    pub worth: Option<Worth>,
}

impl ReviewedTurn {
    /// Returns what the attempt cost on average, in pawns, 0 or more.
    pub fn cost(&self) -> Option<f32> {
        let Worth { best, made, .. } = self.worth?;
        Some((best - made).max(0.0))
    }

    /// Whether the turn is worth a second look: a forced mate or [`MARKED_COST`] was given away.
    pub fn is_marked(&self) -> bool {
        let missed = self.is_mate && self.best != Some(self.made);
        missed || self.cost().is_some_and(|cost| cost >= MARKED_COST)
    }
}

/// Returns the accuracy of a player in percent: the mean of `exp(-cost / 2)` over the turns whose
/// cost is known. Returns `None` without such turns.
pub fn accuracy<'a>(turns: impl IntoIterator<Item = &'a ReviewedTurn>) -> Option<f32> {
    let costs: Vec<f32> = turns.into_iter().filter_map(ReviewedTurn::cost).collect();
    let sum: f32 = costs
        .iter()
        .map(|cost| (-cost / ACCURACY_SCALE).exp())
        .sum();
    (!costs.is_empty()).then(|| 100.0 * sum / costs.len() as f32)
}

/// Reviews the turns of one seat, from what this seat heard.
#[derive(Debug)]
pub struct TurnReview {
    view: PlayerView,
    master: Master,
    nodes: u64,
    turn: u32,
    is_begun: bool,
}

impl TurnReview {
    /// Opens the review. `fen` is the start, which both players know, and `nodes` the work for one
    /// turn (the positions that are valued).
    ///
    /// # Errors
    /// Says why the start is not possible.
    pub fn open(
        choices: Choices,
        seat: Color,
        start: &Start,
        fen: Option<&str>,
        nodes: u64,
    ) -> Result<TurnReview, String> {
        let view = PlayerView::open(choices, seat, start);
        let own = *view.own();
        let origin = Origin::OneOf(fen.into_iter().map(str::to_owned).collect());
        let master = Master::knowing(Seed { seed: 1, stream: 0 }, &choices, own, &origin);
        Ok(TurnReview {
            master: master.map_err(|error| error.to_string())?,
            view,
            nodes,
            turn: 0,
            is_begun: false,
        })
    }

    /// Hears one thing. If it is the verdict on the first attempt of a turn, returns the review of
    /// this turn; that takes time.
    pub fn hear(&mut self, heard: &Heard) -> Option<ReviewedTurn> {
        let mut reviewed = None;
        if let Heard::Reply(Reply::Verdict {
            verdict,
            by,
            attempt: Some(Attempt::Try(made)),
        }) = *heard
            && by == self.view.color()
            && !self.is_begun
            && self.view.tries().contains(&made)
        {
            self.is_begun = true;
            self.turn += 1;
            self.master.begin_turn(Budget::Nodes(self.nodes));
            let Reviewed {
                asks,
                best,
                is_mate,
                worth,
            } = self.master.review(&self.view, made);
            reviewed = Some(ReviewedTurn {
                turn: self.turn,
                made,
                verdict,
                asks,
                best,
                is_mate,
                worth,
            });
        }
        if let Heard::Reply(Reply::Verdict {
            verdict: Verdict::Moved,
            ..
        }) = heard
        {
            self.is_begun = false;
        }
        self.view.hear(heard);
        self.master.hear(heard);
        reviewed
    }
}
