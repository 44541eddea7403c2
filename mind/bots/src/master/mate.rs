//! A search for forced mates, for turns in which only few positions are possible.

use std::rc::Rc;

use belief::Situation;
use rules::{Choices, Try, TurnState};
use solver::{
    policy::Policy,
    search::{Decision, MateQuestion, SearchLimits, Solver},
};

/// The bot searches for a mate only if at most this number of positions is possible.
pub(crate) const MAX_POSITIONS: usize = 48;

/// Maximum number of own moves to the mate.
const MAX_MOVES: u8 = 3;

/// Size of the solver's table in bytes.
const TABLE_BYTES: usize = 1 << 20;

/// The attempts of one turn with which a forced mate begins.
#[derive(Clone, Eq, PartialEq, Debug)]
pub(crate) struct MatingTurn {
    /// Whether Any? is asked first.
    pub asks: bool,
    /// The attempts if Any? is not asked, or if the answer is no.
    pub usual: Vec<Try>,
    /// The attempts if the answer to Any? is yes.
    pub after_yes: Vec<Try>,
}

/// Returns the attempts of the shortest mate that can be forced in all these positions.
/// Searches first for a mate in one move, then in two moves, and so on. Each of these
/// searches examines at most `nodes` positions, and ends if `stop` returns true. Returns
/// `None` if no mate is found.
pub(crate) fn find(
    choices: &Choices,
    positions: Vec<Situation>,
    turn: &TurnState,
    nodes: u64,
    stop: &dyn Fn() -> bool,
) -> Option<MatingTurn> {
    let mut solver = Solver::with_bytes(TABLE_BYTES);
    let mut question = MateQuestion {
        choices: *choices,
        compat: None,
        positions,
        moves: 1,
        turn: turn.clone(),
    };
    let limits = SearchLimits { nodes, stop };
    for moves in 1..=MAX_MOVES {
        question.moves = moves;
        match solver.solve(&question, limits).ok()?.decision {
            Decision::Mate(policy) => return Some(turn_of(&policy)),
            Decision::NoMate(_) => {}
            Decision::Undecided => return None,
        }
    }
    None
}

/// Returns the attempts of the first turn of a policy.
fn turn_of(policy: &Rc<Policy>) -> MatingTurn {
    match &**policy {
        Policy::Try { .. } => MatingTurn {
            asks: false,
            usual: chain(Some(policy)),
            after_yes: Vec::new(),
        },
        Policy::Any { yes, no } => MatingTurn {
            asks: true,
            usual: chain(no.as_ref()),
            after_yes: chain(yes.as_ref()),
        },
    }
}

/// Returns the tries of a policy, in order. A try is made only if all earlier tries
/// were refused.
fn chain(mut policy: Option<&Rc<Policy>>) -> Vec<Try> {
    let mut list = Vec::new();
    while let Some(Policy::Try { what, refused, .. }) = policy.map(|policy| &**policy) {
        list.push(*what);
        policy = refused.as_ref();
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::{
        chess::{Color, Square},
        rulesets,
    };

    fn mate(fens: &[&str]) -> Option<MatingTurn> {
        let choices = rulesets::by_id("wild16").expect("a ruleset").choices;
        let read = |fen: &&str| {
            Situation::from_fen(&choices, Color::White, fen).expect("the text is a position")
        };
        let positions = fens.iter().map(read).collect();
        find(&choices, positions, &TurnState::default(), 20_000, &|| {
            false
        })
    }

    #[test]
    fn mating_turn_mates_in_every_position() {
        let found = mate(&[
            "7k/8/6K1/8/8/8/8/1Q6 w - - 0 1",
            "6k1/8/6K1/8/8/8/8/1Q6 w - - 0 1",
        ]);
        let found = found.expect("Qb8 mates in both");
        assert!(!found.asks && found.usual.contains(&Try::step(Square::B1, Square::B8)));
    }

    #[test]
    fn no_mate_is_found_in_a_position_without_a_mate() {
        assert_eq!(mate(&["4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]), None);
    }
}
