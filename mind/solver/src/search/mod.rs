//! Decides whether a seat can force mate against every position of a belief.

mod beliefs;
mod best;
mod code;
mod mates;
mod ordinary;
mod refute;
mod table;
mod terms;
mod turns;

use std::rc::Rc;

use belief::{Compat, Situation};
use rules::{
    Choices, Fifty, Own, Reserve, Try, TurnState,
    chess::{Bitboard, Color},
};

use crate::{policy::Policy, refutation::RefutedNode};

pub use self::best::BestPolicy;

use self::{
    beliefs::{Beliefs, Item},
    best::BestSearch,
    code::Code,
    ordinary::{Budget, MAX_MOVES, Ordinary},
    refute::Writer,
    table::Table,
    terms::Terms,
};

/// A question to the solver: can the seat force mate within a number of own moves, whichever of the
/// possible positions is the true position?
#[derive(Clone, PartialEq, Debug)]
pub struct MateQuestion {
    /// The choices of the ruleset. The solver assumes that the referee recognises mate and
    /// stalemate, even if the choices say otherwise.
    pub choices: Choices,
    /// Changes to the rules, only to compare results with another project.
    pub compat: Option<Compat>,
    /// The possible positions, with the seat to move. The seat's own men are the same in all
    /// positions.
    pub positions: Vec<Situation>,
    /// Number of own moves within which the seat must mate, at least 1.
    pub moves: u8,
    /// State of the seat's turn. If the turn has just begun, the state is the default.
    pub turn: TurnState,
}

/// Limits of a search.
#[derive(Copy, Clone)]
pub struct SearchLimits<'a> {
    /// Maximum number of positions examined.
    pub nodes: u64,
    /// Function that the search calls often. When the function returns true, the search ends.
    pub stop: &'a dyn Fn() -> bool,
}

impl std::fmt::Debug for SearchLimits<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SearchLimits")
            .field("nodes", &self.nodes)
            .finish_non_exhaustive()
    }
}

/// Result of a search.
#[derive(Clone, PartialEq, Debug)]
pub enum Decision {
    /// A policy mates against every position.
    Mate(Rc<Policy>),
    /// No policy mates against every position. The given positions prove this: no policy mates
    /// against all of them. The numbers are indices into [`MateQuestion::positions`].
    NoMate(Vec<usize>),
    /// A limit ended the search, or a draw by the fifty-move rule could come before the mate.
    Undecided,
}

/// Result of a search, and the amount of its work.
#[derive(Clone, PartialEq, Debug)]
pub struct SearchOutcome {
    /// The result.
    pub decision: Decision,
    /// Number of positions examined.
    pub nodes: u64,
    /// Number of beliefs examined.
    pub beliefs: u64,
}

/// Error: a question is invalid.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum QuestionError {
    /// There is no position.
    #[error("there is no position")]
    Nothing,
    /// The number of own moves is out of range.
    #[error("the number of own moves must be from 1 to {MAX_MOVES}, not {0}")]
    Moves(u8),
    /// The opponent is to move.
    #[error("the opponent is to move; the solver answers questions about the seat's own turn")]
    Turn,
    /// The seat's own men differ between the positions.
    #[error("the seat's own men differ between the positions")]
    OtherMen,
    /// The weights do not fit the positions.
    #[error("each position needs one weight, 0 or more, and at least one weight must be above 0")]
    Weights,
}

/// A solver. The memory of the solver is reused for each question.
#[derive(Debug)]
pub struct Solver {
    table: Table,
}

impl Solver {
    /// Creates a solver. `bytes` is the maximum size of its table of results for single positions.
    pub fn with_bytes(bytes: usize) -> Solver {
        Solver {
            table: Table::with_bytes(bytes),
        }
    }

    /// Answers a question.
    ///
    /// # Errors
    /// Returns an error if the question is invalid.
    pub fn solve(
        &mut self,
        question: &MateQuestion,
        limits: SearchLimits<'_>,
    ) -> Result<SearchOutcome, QuestionError> {
        let near = question.is_near_fifty();
        let (items, mut search) = self.prepare(question, limits)?;
        let found = search.solve_first(&items, question.moves, &question.turn);
        let decision = match found {
            _ if search.ordinary.stopped => Decision::Undecided,
            // A draw by the fifty-move rule could come before the mate, so the answer is not
            // certain.
            Ok(_) if near => Decision::Undecided,
            Ok(policy) => Decision::Mate(policy),
            Err(core) => Decision::NoMate(origins(&items, &core)),
        };
        Ok(SearchOutcome {
            decision,
            nodes: search.ordinary.nodes,
            beliefs: search.beliefs,
        })
    }

    /// Returns a refutation, which proves that there is no mate against the positions `core` of a
    /// question. [`solve`](Solver::solve) must have returned `core` for this question, in
    /// [`Decision::NoMate`]. Returns `None` if a limit ended the work; `most` is the maximum number
    /// of nodes of the refutation.
    ///
    /// # Errors
    /// Returns an error if the question is invalid.
    pub fn refute(
        &mut self,
        question: &MateQuestion,
        core: &[usize],
        limits: SearchLimits<'_>,
        most: usize,
    ) -> Result<Option<Vec<RefutedNode>>, QuestionError> {
        let positions = core
            .iter()
            .filter_map(|i| question.positions.get(*i).copied());
        let question = MateQuestion {
            positions: positions.collect(),
            ..question.clone()
        };
        let (mut items, mut search) = self.prepare(&question, limits)?;
        items.sort_by_key(|item| item.origin);
        Ok(Writer::new(&mut search, most).write(&items, question.moves))
    }

    /// Returns every try with which a mate can begin. The question must be one that
    /// [`solve`](Solver::solve) answers with a mate. A mate can begin with a try if there is still
    /// a forced mate after the try is accepted, whatever the seat hears. Returns `None` if a limit
    /// ended the work. Also returns `None` if a refused attempt can have a cost under this ruleset,
    /// because the order of attempts matters then.
    ///
    /// # Errors
    /// Returns an error if the question is invalid.
    pub fn first_tries(
        &mut self,
        question: &MateQuestion,
        limits: SearchLimits<'_>,
    ) -> Result<Option<Vec<Try>>, QuestionError> {
        let (items, mut search) = self.prepare(question, limits)?;
        if search.ordinary.terms.refusals_cost() {
            return Ok(None);
        }
        let tries = search.first_tries(&items, question.moves);
        Ok((!search.ordinary.stopped).then_some(tries))
    }

    /// Searches for the policy that mates against the greatest share of the positions, whatever the
    /// opponent plays. `weights` contains the weight of each position, 0 or more. The search
    /// improves a lower and an upper bound for the greatest share. It ends when both bounds are
    /// equal, when a limit is reached, or when it has found too many sets of positions without a
    /// forced mate.
    ///
    /// If a draw by the fifty-move rule could come before the mate, no policy is returned, and the
    /// lower bound is 0.
    ///
    /// # Errors
    /// Returns an error if the question or the weights are invalid.
    pub fn best(
        &mut self,
        question: &MateQuestion,
        weights: &[f64],
        limits: SearchLimits<'_>,
    ) -> Result<BestPolicy, QuestionError> {
        let total: f64 = weights.iter().sum();
        let valid = weights.iter().all(|weight| *weight >= 0.0) && total.is_finite() && total > 0.0;
        if weights.len() != question.positions.len() || !valid {
            return Err(QuestionError::Weights);
        }
        let near = question.is_near_fifty();
        let (items, mut search) = self.prepare(question, limits)?;
        let (moves, turn) = (question.moves, &question.turn);
        let found = BestSearch::new(&mut search, &items, moves, turn, weights).run(limits.stop);
        let (set, policy) = match found.policy {
            Some((set, policy)) if !near => (set, Some(policy)),
            Some(_) | None => (Vec::new(), None),
        };
        let mut positions = origins(&items, &set);
        positions.sort_unstable();
        Ok(BestPolicy {
            lower: if near { 0.0 } else { found.lower / total },
            upper: (found.upper / total).min(1.0),
            positions,
            policy,
            nodes: search.ordinary.nodes,
        })
    }

    /// Checks a question, and prepares a search.
    fn prepare<'s>(
        &'s mut self,
        question: &MateQuestion,
        limits: SearchLimits<'s>,
    ) -> Result<(Vec<Item>, Beliefs<'s>), QuestionError> {
        let first = question.positions.first().ok_or(QuestionError::Nothing)?;
        let seat = first.seat;
        if question.moves == 0 || usize::from(question.moves) > MAX_MOVES {
            return Err(QuestionError::Moves(question.moves));
        }
        if question.positions.iter().any(|s| s.position.turn() != seat) {
            return Err(QuestionError::Turn);
        }
        if question.positions.iter().any(|s| seen(s) != seen(first)) {
            return Err(QuestionError::OtherMen);
        }
        let terms = Terms::new(question.choices, question.compat, seat);
        self.table.clear();
        let budget = Budget {
            nodes: limits.nodes,
            stop: limits.stop,
        };
        let mut items: Vec<Item> = question
            .positions
            .iter()
            .enumerate()
            .map(|(i, situation)| {
                let mut position = situation.position;
                position.forget_idle_en_passant();
                Item::new(position, i as u32, Code(0))
            })
            .collect();
        hardest_first(&mut items);
        let search = Beliefs::new(Ordinary::new(terms, &mut self.table, budget));
        Ok((items, search))
    }
}

impl MateQuestion {
    /// Returns whether the fifty-move rule could end the game before the mate.
    fn is_near_fifty(&self) -> bool {
        let clock = self.positions.iter().map(|s| s.quiet).max();
        self.choices.fifty == Fifty::On
            && u32::from(clock.unwrap_or(0)) + 2 * u32::from(self.moves) >= 100
    }
}

/// Returns what the seat knows of a position in its turn.
fn seen(one: &Situation) -> (Color, Own, Reserve, Bitboard) {
    let Situation { position, seat, .. } = one;
    let theirs = *position.reserves().get(seat.other());
    let promoted = position.promoted() & position.side(*seat);
    (*seat, position.own(*seat), theirs, promoted)
}

fn origins(items: &[Item], core: &[u32]) -> Vec<usize> {
    core.iter()
        .map(|i| items[*i as usize].origin as usize)
        .collect()
}

/// Sorts the positions by the number of the opponent's men, the greatest number first. A mate is
/// probably hardest against many men, so the first positions often refute an attempt.
fn hardest_first(items: &mut [Item]) {
    items.sort_by_key(|item| {
        let p = &item.position;
        let theirs = p.side(p.turn().other());
        std::cmp::Reverse(theirs.count())
    });
}

#[cfg(test)]
mod tests {
    use position::Position;
    use rules::{chess::Color, rulesets};

    use super::{code::hash, *};

    fn position(choices: &Choices, fen: &str) -> Position {
        let read = Situation::from_fen(choices, Color::White, fen);
        read.unwrap().position
    }

    #[test]
    fn hashes_differ_where_positions_differ() {
        let choices = rulesets::CRAZYKRIEG.choices;
        let fens = [
            "r3k2r/8/8/3pP3/8/8/7p/R3K3[] w Qkq d6 0 1",
            "r3k2r/8/8/3pP3/8/8/7p/R3K3[] w Qkq - 0 1",
            "r3k2r/8/8/3pP3/8/8/7p/R3K3[] w Qk - 0 1",
            "r3k2r/8/8/3pP3/8/8/7p/R3K3[] w Qq - 0 1",
            "r3k2r/8/8/3pP3/8/8/7p/R3K3[] w kq - 0 1",
            "r3k2r/8/8/3pP3/8/8/7p/R3K3[n] w Qkq - 0 1",
            "r3k2r/8/8/3pP3/8/8/7p/R3K3[N] w Qkq - 0 1",
            "r3k2r/8/8/3pP3/8/8/7p/R3K3[b] w Qkq - 0 1",
            "r3k2r/8/8/3pP3/8/8/7p/R3K3[nn] w Qkq - 0 1",
            "r3k2r/8/8/3pP3/8/7p/8/R3K3[] w Qkq - 0 1",
            "r3k2r/8/8/3pP3/8/8/7n/R3K3[] w Qkq - 0 1",
            "r3k2r/8/8/3pP3/8/8/7P/R3K3[] w Qkq - 0 1",
        ];
        let mut hashes: Vec<u64> = fens
            .iter()
            .map(|fen| hash(&position(&choices, fen)))
            .collect();
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), fens.len());
    }

    #[test]
    fn stored_result_depends_on_the_number_of_moves() {
        let choices = rulesets::WILD16.choices;
        // There is a forced mate in 3, and no forced mate in 2.
        let mate = position(&choices, "7k/8/4K3/8/8/8/8/1Q6 w - - 0 1");
        let items = [Item::new(mate, 0, Code(0))];
        let budget = Budget {
            nodes: u64::MAX,
            stop: &|| false,
        };
        let terms = Terms::new(choices, None, Color::White);
        for asked in [[3, 2, 3], [2, 3, 2]] {
            let mut table = Table::with_bytes(1 << 20);
            let ordinary = Ordinary::new(terms.clone(), &mut table, budget);
            let mut beliefs = Beliefs::new(ordinary);
            for moves in asked {
                let solved = beliefs.solve(&items, moves).is_ok();
                assert_eq!(solved, moves == 3, "{asked:?}");
            }
        }
    }

    /// Returns what the seat can hear about the opponent's reply in a mate in two own moves.
    fn replies_heard(choices: Choices, fen: &str) -> Vec<belief::Report> {
        let read = Situation::from_fen(&choices, Color::White, fen);
        let question = MateQuestion {
            choices,
            compat: None,
            positions: vec![read.unwrap()],
            moves: 2,
            turn: TurnState::default(),
        };
        let limits = SearchLimits {
            nodes: u64::MAX,
            stop: &|| false,
        };
        let solved = Solver::with_bytes(1 << 20).solve(&question, limits);
        match solved.unwrap().decision {
            Decision::Mate(policy) => match &*policy {
                Policy::Try { branches, .. } => branches.iter().map(|one| one.reply).collect(),
                Policy::Any { .. } => panic!("the policy asks Any? in a single position"),
            },
            other @ (Decision::NoMate(_) | Decision::Undecided) => {
                panic!("there is a mate in 2: {other:?}")
            }
        }
    }

    #[test]
    fn policy_distinguishes_replies_that_give_check() {
        // 1.Rd8+ Bb8+ 2.Rxb8 mate.
        let fen = "k7/bp5r/NP6/8/8/6K1/8/3R4 w - - 0 1";
        let heard = replies_heard(rulesets::WILD16.choices, fen);
        assert!(heard.iter().any(|reply| reply.check.is_some()), "{heard:?}");
    }

    #[test]
    fn policy_distinguishes_drops_of_the_opponent() {
        // 1.Rd8+ N@b8 2.Rxb8 mate, and 1.Rd8+ N@c8 2.Rxc8 mate.
        let fen = "k7/ppK5/8/8/8/8/8/3R4[n] w - - 0 1";
        let heard = replies_heard(rulesets::CRAZYKRIEG.choices, fen);
        assert!(heard.iter().any(|reply| reply.drop.is_some()), "{heard:?}");
    }
}
