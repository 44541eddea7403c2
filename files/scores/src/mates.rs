//! Forced mates that a player of a recorded game could have found.

use belief::{Belief, Regime};
use rules::{Announcement, Heard, Winner, chess::Color};
use solver::{
    policy::Policy,
    search::{Decision, MateQuestion, SearchLimits, Solver},
};
use wire::{ForcedMateJson, MateJson};

use crate::Beliefs;

/// Maximum length, in own moves, of the mates that the review searches for.
const MAX_MOVES: u8 = 3;
/// Maximum number of possible positions. Turns with more possible positions are not searched.
const MAX_POSITIONS: usize = 300;
/// Maximum number of positions that the solver examines for one turn.
const NODES_OF_TURN: u64 = 500_000;
/// Maximum number of positions that the solver examines for one game.
const NODES_OF_GAME: u64 = 10_000_000;
/// Size of the solver's table in bytes.
const BYTES: usize = 4 << 20;

/// Maximum number of positions that the solver examines for a question.
const NODES_OF_QUESTION: u64 = 1_000_000;
/// Maximum number of possible positions of a question.
const POSITIONS_OF_QUESTION: usize = 10_000;
/// Maximum number of refuting positions in an answer.
const REFUTING: usize = 10;

/// The question whether a seat can force mate at one moment, while it is computed in parts.
#[derive(Debug)]
pub struct MateWork {
    beliefs: Beliefs,
    /// Number of moments before the one in question that are not computed.
    left: u32,
    moves: u8,
    answer: Option<MateJson>,
}

impl MateWork {
    /// Asks whether the seat can force mate in `moves` own moves, from 1 to 32, at a moment, from 0.
    pub fn new(beliefs: Beliefs, moment: u32, moves: u8) -> MateWork {
        MateWork {
            beliefs: beliefs.without_mates(),
            left: moment,
            moves,
            answer: None,
        }
    }

    /// Continues until `may_continue`, which is called before each moment, returns false. Returns
    /// whether the work is done.
    pub fn advance(&mut self, mut may_continue: impl FnMut() -> bool) -> bool {
        while self.answer.is_none() && may_continue() {
            match self.beliefs.next() {
                Some(Ok(_)) if self.left > 0 => self.left -= 1,
                Some(Ok(_)) => self.answer = Some(answer(self.beliefs.belief(), self.moves)),
                Some(Err(_)) | None => return true,
            }
        }
        self.answer.is_some()
    }

    /// Returns the answer; `None` if there is no such moment, or if it was not reached.
    pub fn finish(self) -> Option<MateJson> {
        self.answer
    }
}

fn answer(belief: &Belief, moves: u8) -> MateJson {
    let mut found = MateJson {
        moves,
        decided: false,
        mate: None,
        refuting: Vec::new(),
    };
    if !belief.is_complete() || belief.kept() > POSITIONS_OF_QUESTION {
        return found;
    }
    let question = MateQuestion {
        moves,
        ..question(belief)
    };
    let limits = SearchLimits {
        nodes: NODES_OF_QUESTION,
        stop: &|| false,
    };
    // An error means that the opponent is to move.
    let Ok(outcome) = Solver::with_bytes(BYTES).solve(&question, limits) else {
        return found;
    };
    match outcome.decision {
        Decision::Mate(policy) => {
            let line = line(&policy);
            (found.decided, found.mate) = (true, Some(ForcedMateJson { moves, line }));
        }
        // Not each of the positions need be possible.
        Decision::NoMate(_) if belief.regime() != Regime::Exact => {}
        Decision::NoMate(core) => {
            found.decided = true;
            let core = core.iter().take(REFUTING);
            let core = core.filter_map(|at| question.positions.get(*at));
            found.refuting = core.map(|one| one.fen(u32::from(one.quiet), 1)).collect();
        }
        Decision::Undecided => {}
    }
    found
}

/// Asks for a mate in one own move in the positions of a belief.
fn question(belief: &Belief) -> MateQuestion {
    let mut positions = Vec::with_capacity(belief.kept());
    belief.each_position(|one, _| positions.push(*one));
    MateQuestion {
        choices: *belief.view().choices(),
        compat: None,
        positions,
        moves: 1,
        turn: belief.view().turn().clone(),
    }
}

/// Searches the turns of one seat for forced mates, one turn after the other.
#[derive(Debug)]
pub(crate) struct MateReview {
    seat: Color,
    solver: Solver,
    nodes_left: u64,
    /// Length, in own moves, of the mate that the seat could force in its previous turn.
    pending: Option<u8>,
}

/// Mates at one moment.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Mates {
    /// The mate that can be forced now.
    pub(crate) now: Option<ForcedMateJson>,
    /// Length, in own moves, of the mate that the seat could force in its previous turn, and
    /// missed.
    pub(crate) missed: Option<u8>,
}

impl MateReview {
    pub(crate) fn new(seat: Color) -> MateReview {
        MateReview {
            seat,
            solver: Solver::with_bytes(BYTES),
            nodes_left: NODES_OF_GAME,
            pending: None,
        }
    }

    /// Examines a moment. `group` is what the seat has just heard, and `belief` is what the seat
    /// can know at this moment.
    pub(crate) fn examine(&mut self, group: &[Heard], belief: &Belief) -> Mates {
        let over = group.iter().find_map(|heard| match heard {
            Heard::Over(over) => Some(*over),
            Heard::Announced(_) | Heard::Reply(_) | Heard::Lost { .. } | Heard::Draw(_) => None,
        });
        if let Some(over) = over {
            let won = over.winner == Winner::from(self.seat);
            let missed = self.pending.take().filter(|_| !won);
            return Mates { now: None, missed };
        }
        let turn = Announcement::Turn { to_move: self.seat };
        if !group.contains(&Heard::Announced(turn)) {
            return Mates::default();
        }
        let before = self.pending.take();
        let now = self.search(belief);
        self.pending = now.as_ref().map(|mate| mate.moves);
        let goes_on = |n: u8| now.as_ref().is_some_and(|mate| mate.moves < n);
        Mates {
            missed: before.filter(|n| !goes_on(*n)),
            now,
        }
    }

    /// Returns the shortest mate that the seat can force.
    fn search(&mut self, belief: &Belief) -> Option<ForcedMateJson> {
        if !belief.is_complete() || belief.kept() > MAX_POSITIONS {
            return None;
        }
        let mut question = question(belief);
        let mut nodes = NODES_OF_TURN.min(self.nodes_left);
        for moves in 1..=MAX_MOVES {
            question.moves = moves;
            let limits = SearchLimits {
                nodes,
                stop: &|| false,
            };
            let outcome = self.solver.solve(&question, limits).ok()?;
            nodes = nodes.saturating_sub(outcome.nodes);
            self.nodes_left = self.nodes_left.saturating_sub(outcome.nodes);
            match outcome.decision {
                Decision::Mate(policy) => {
                    return Some(ForcedMateJson {
                        moves,
                        line: line(&policy),
                    });
                }
                Decision::NoMate(_) => {}
                Decision::Undecided => return None,
            }
        }
        None
    }
}

/// Returns the main line of a policy, which is the solver's plan for a mate. The result has one
/// text for each own turn. A text lists the attempts of its turn in order. Each attempt is made
/// only if all attempts before it were refused. The next turn assumes that the first try of this
/// turn was played. If the policy has several continuations after this try, the main line takes the
/// one with the most own moves.
fn line(policy: &Policy) -> Vec<String> {
    let mut turns = Vec::new();
    let mut policy = Some(policy);
    while let Some(first) = policy.take() {
        let mut attempts = Vec::new();
        let mut one = Some(first);
        while let Some(now) = one.take() {
            match now {
                Policy::Try {
                    what,
                    branches,
                    refused,
                } => {
                    attempts.push(what.to_string());
                    if policy.is_none() {
                        policy = branches
                            .iter()
                            .map(|branch| &*branch.next)
                            .max_by_key(|next| depth(next));
                    }
                    one = refused.as_deref();
                }
                Policy::Any { yes, no } => {
                    attempts.push("Any?".to_owned());
                    one = yes.as_deref().or(no.as_deref());
                }
            }
        }
        turns.push(attempts.join(", if refused "));
    }
    turns
}

/// Returns the number of own moves in the longest game that a policy can lead to.
fn depth(policy: &Policy) -> u32 {
    match policy {
        Policy::Try {
            branches, refused, ..
        } => {
            let after = branches.iter().map(|branch| depth(&branch.next)).max();
            let refused = refused.as_ref().map_or(0, |policy| depth(policy));
            (1 + after.unwrap_or(0)).max(refused)
        }
        Policy::Any { yes, no } => {
            let of = |next: &Option<std::rc::Rc<Policy>>| next.as_ref().map_or(0, |one| depth(one));
            of(yes).max(of(no))
        }
    }
}
