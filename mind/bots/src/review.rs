//! The review of a finished game: what each turn was worth, given only what the seat had heard.

use belief::Origin;
use rules::{Attempt, Choices, Heard, Reply, Start, Try, Verdict, chess::Color};
use views::PlayerView;

use crate::{
    budget::Budget,
    dice::Seed,
    lapse::{Lapse, Odds, lapses},
    master::{Master, Worth},
    player::Player,
};

/// Costs of at least this number of pawns are marked.
pub const MARKED_COST: f32 = 1.0;

/// Cost at which the accuracy of a turn is 1/e, in pawns.
const ACCURACY_SCALE: f32 = 2.0;

/// Value at which the expected result is 1/(1+1/e), in pawns.
const RESULT_SCALE: f32 = 4.0;

/// Returns the expected result of a turn with this value in pawns: from 0 (lost) to 1 (won).
pub fn expected_result(value: f32) -> f32 {
    1.0 / (1.0 + (-value / RESULT_SCALE).exp())
}

/// An attempt, and what was better.
#[derive(Clone, Debug)]
pub struct ReviewedTurn {
    /// Number of the seat's turn, from 1.
    pub turn: u32,
    /// The first attempt of the turn that the seat could expect to be legal, or another one that it
    /// could have made instead.
    pub made: Attempt,
    /// Whether Any? should have been asked first.
    pub asks: bool,
    /// The best first attempt, `made` if it is one of the best; after the answer no, if Any? should have been asked.
    pub best: Option<Try>,
    /// Whether the best attempts force mate in every position that was possible.
    pub is_mate: bool,
    /// Values in pawns; `None` if the turn was decided by a forced mate or by the hunt of a lone
    /// king, or if the sample had no position in which the attempt is legal.
    pub worth: Option<Worth>,
    /// What the attempt does in the positions that were possible.
    pub odds: Odds,
    /// What was wrong; only if the turn is marked.
    pub lapses: Vec<Lapse>,
}

impl ReviewedTurn {
    /// Returns what the attempt cost on average, in pawns, 0 or more.
    pub fn cost(&self) -> Option<f32> {
        let Worth { best, made, .. } = self.worth?;
        Some((best - made).max(0.0))
    }

    /// Whether the turn is worth a second look: a forced mate or [`MARKED_COST`] was given away.
    pub fn is_marked(&self) -> bool {
        let is_best = self.best.map(Attempt::Try) == Some(self.made);
        let missed = self.is_mate && !is_best && self.odds.mates < 1.0;
        missed || self.cost().is_some_and(|cost| cost >= MARKED_COST)
    }
}

/// Values that differ by less, in pawns, are shown as equal.
const EQUAL: f32 = 0.01;

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

/// Finds the turns of one seat in what it hears.
#[derive(Clone, Debug)]
pub struct OwnTurns {
    view: PlayerView,
    /// Number of turns that have begun.
    count: u32,
    is_begun: bool,
}

impl OwnTurns {
    /// Begins with the start of a game.
    pub fn open(choices: Choices, seat: Color, start: &Start) -> OwnTurns {
        OwnTurns {
            view: PlayerView::open(choices, seat, start),
            count: 0,
            is_begun: false,
        }
    }

    /// Returns what the seat knows.
    pub fn view(&self) -> &PlayerView {
        &self.view
    }

    /// Returns the number of the turn and its first attempt that the seat could expect to be legal,
    /// if `heard`, the next thing that the seat hears, is the verdict on this attempt.
    pub fn first(&self, heard: &Heard) -> Option<(u32, Try)> {
        let Heard::Reply(Reply::Verdict {
            by,
            attempt: Some(Attempt::Try(made)),
            ..
        }) = *heard
        else {
            return None;
        };
        let is_first = by == self.view.color() && !self.is_begun;
        (is_first && self.view.tries().contains(&made)).then_some((self.count + 1, made))
    }

    /// Hears one thing.
    pub fn hear(&mut self, heard: &Heard) {
        if let Some((turn, _)) = self.first(heard) {
            (self.count, self.is_begun) = (turn, true);
        }
        if let Heard::Reply(Reply::Verdict {
            verdict: Verdict::Moved,
            ..
        }) = heard
        {
            self.is_begun = false;
        }
        self.view.hear(heard);
    }
}

/// Reviews the turns of one seat, from what this seat heard.
#[derive(Debug)]
pub struct TurnReview {
    turns: OwnTurns,
    master: Master,
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
        let fens = fen.into_iter().map(str::to_owned).collect();
        TurnReview::knowing(choices, seat, start, fens, nodes)
    }

    pub(crate) fn knowing(
        choices: Choices,
        seat: Color,
        start: &Start,
        fens: Vec<String>,
        nodes: u64,
    ) -> Result<TurnReview, String> {
        let turns = OwnTurns::open(choices, seat, start);
        let seed = Seed { seed: 1, stream: 0 };
        let master = Master::knowing(seed, &choices, *turns.view.own(), &Origin::OneOf(fens));
        let mut master = master.map_err(|error| error.to_string())?;
        master.begin_turn(Budget::Nodes(nodes));
        Ok(TurnReview { turns, master })
    }

    /// Returns the seat's turns so far.
    pub fn turns(&self) -> &OwnTurns {
        &self.turns
    }

    /// Hears one thing. If it is the verdict on the first attempt of a turn, returns the review of
    /// this turn; that takes time.
    pub fn hear(&mut self, heard: &Heard) -> Option<ReviewedTurn> {
        let first = self.turns.first(heard);
        let reviewed = first.map(|(_, made)| self.attempt(Attempt::Try(made)));
        self.turns.hear(heard);
        self.master.hear(heard);
        reviewed
    }

    /// Hears one thing and reviews nothing, which takes less time. It changes no later review.
    pub fn skip(&mut self, heard: &Heard) {
        if self.turns.first(heard).is_some() {
            self.master.catch_up(&self.turns.view);
        }
        self.turns.hear(heard);
        self.master.hear(heard);
    }

    /// Reviews an attempt that the seat could make now, as the first of a turn.
    pub fn attempt(&mut self, made: Attempt) -> ReviewedTurn {
        let (view, turn) = (&self.turns.view, self.turns.count + 1);
        let found = self.master.review(view, turn, made);
        let equals_best = !found.is_mate
            && found
                .worth
                .is_some_and(|worth| worth.best - worth.made < EQUAL);
        let mut reviewed = ReviewedTurn {
            turn,
            made,
            asks: found.asks,
            best: made.as_try().filter(|_| equals_best).or(found.best),
            is_mate: found.is_mate,
            worth: found.worth,
            odds: Odds::of(view.choices(), &found.positions, made),
            lapses: Vec::new(),
        };
        if reviewed.is_marked() {
            reviewed.lapses = lapses(view, &found.positions, &reviewed);
        }
        reviewed
    }
}
