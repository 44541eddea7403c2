//! The bot `mcts`: information set Monte Carlo tree search.
//!
//! The algorithm is MO-ISMCTS by P. Cowling, E. Powley and D. Whitehouse, "Information set Monte
//! Carlo tree search", IEEE Transactions on Computational Intelligence and AI in Games 4(2),
//! 2012. The description is theirs, the code is ours:
//!
//! - Each iteration draws one position that agrees with what the seat heard (a determinisation).
//!   The positions are the guesses of the bot `sparring`.
//! - There is one tree for each side. A node of a tree stands for everything that its side has
//!   heard and done since the root. The side to move selects one of the moves that are legal in the
//!   drawn position. The rule of selection is UCB1 with one change. For each move of a node, UCB1
//!   uses the number of all iterations at this node. Here, only those iterations are counted in
//!   which the move was legal. After each move, the other side hears the announcements.
//! - Each iteration goes through the trees until a move is selected for the first time. From there,
//!   both sides make random moves (a playout). Games of chess with random moves are long, so a
//!   playout is cut off after [`PLAYOUT_PLIES`] plies. The value of the last position depends on
//!   the material, the advance of the pawns and the square of a lone king.
//! - The bot makes the try that was selected most often. After a refusal it searches again with the
//!   remaining guesses.

use std::collections::HashMap;

use rules::{
    Attempt, Choices, Heard, Own, Stalemate, Try,
    chess::{Bitboard, ByRole, Color, Role},
};
use views::PlayerView;

use super::{
    budget_left::{Allowance, BudgetLeft},
    free_question, value,
};
use crate::{
    budget::Budget,
    dice::{Dice, Seed},
    player::Player,
    sparring::{
        belief::{Belief, Weighted},
        guess::{Guess, Taken, attacked, reach},
        told::{self, Fact},
    },
};

/// Number of nodes that the bot may use in a turn, if the budget is [`Budget::Usual`] or
/// [`Budget::Within`].
const USUAL_NODES: u64 = 20_000;

/// Weight of the exploration term of UCB1, as in the paper.
const EXPLORATION: f64 = 0.7;

/// Maximum number of plies of a playout.
const PLAYOUT_PLIES: u32 = 4;

/// Maximum depth of an iteration in the trees, in plies.
const MAX_DEPTH: u32 = 40;

/// Maximum number of times that a random move is drawn in one position of a playout. If no drawn
/// move is legal, all moves are tested.
const MAX_DRAWS: u32 = 8;

/// Scale of the strength: if a side is stronger by this many pawns, the value of the position for
/// this side is about 0.73.
const STRENGTH_SCALE: f64 = 3.0;

/// Penalty for each earlier occurrence of a placement of the own men. It is subtracted from a value
/// between 0 and 1.
const REPETITION: f64 = 0.03;

/// An event that changes the information of a player: an own move, or an announcement.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
enum Edge {
    Own(Try),
    /// Announcements of a move: square of the capture, bits of the check directions, number of
    /// pawn captures.
    Heard(Option<u32>, u32, u8),
}

/// A node of a tree: one information set of its side.
#[derive(Clone, Debug, Default)]
struct Node {
    children: HashMap<Edge, usize>,
    /// Statistics of the moves, if the side is to move.
    moves: Vec<MoveStatistics>,
}

#[derive(Clone, Debug)]
struct MoveStatistics {
    t: Try,
    visits: u32,
    available: u32,
    /// Sum of the values for the side to move.
    total: f64,
}

/// The tree of one side.
#[derive(Clone, Debug)]
struct Tree {
    nodes: Vec<Node>,
}

impl Tree {
    fn new() -> Tree {
        Tree {
            nodes: vec![Node::default()],
        }
    }

    /// Returns the child behind an edge, and creates it if it does not exist.
    fn child(&mut self, node: usize, edge: Edge) -> usize {
        let new = self.nodes.len();
        let child = *self.nodes[node].children.entry(edge).or_insert(new);
        if child == new {
            self.nodes.push(Node::default());
        }
        child
    }
}

/// Returns what the other side hears of a move. `after` is the position after this move.
fn announced(choices: &Choices, after: &Guess, taken: Option<Taken>) -> Edge {
    let square = taken.map(|taken| u32::from(taken.square));
    let directions = after
        .directions()
        .iter()
        .fold(0, |bits, direction| bits | 1 << direction as u32);
    let count = match choices.pawn_tries {
        rules::PawnTries::Silent | rules::PawnTries::OnRequest => 0,
        rules::PawnTries::Whether
        | rules::PawnTries::Count
        | rules::PawnTries::Squares
        | rules::PawnTries::SinglesAndDoubles => after.pawn_captures().count,
    };
    Edge::Heard(square, directions, count)
}

/// Returns the strength of a side, in pawns: its men, its reserve and the advance of its pawns.
/// Against a lone king, the strength is greater if the king is closer to the edge.
fn strength(side: &Own, other: &Own) -> f64 {
    let mut strength = 0.0;
    for (role, men) in side.men.zip_role() {
        if role != Role::King {
            strength += value(role) * men.count() as f64;
        }
    }
    let held = side.reserve.iter();
    strength += held
        .map(|(role, n)| value(role) * f64::from(n))
        .sum::<f64>();
    for pawn in side.men.pawn {
        strength += 0.08 * f64::from(7 - pawn.rank().distance(side.last_rank()));
    }
    if other.all() == other.men.king
        && strength > 0.0
        && let (Some(king), Some(lone)) = (side.king(), other.king())
    {
        let occupied = side.all() | other.all();
        let guarded = attacked(side, occupied.without(lone));
        let flights = reach(other, Role::King, lone, occupied) & !guarded & !other.all();
        let (file, rank) = (u32::from(lone.file()), u32::from(lone.rank()));
        let edge = file.min(7 - file).min(rank.min(7 - rank));
        strength += 3.0 - 0.2 * flights.count() as f64;
        strength -= 0.4 * f64::from(edge) + 0.15 * f64::from(king.distance(lone));
    }
    strength
}

/// One search.
struct Search<'a> {
    choices: &'a Choices,
    color: Color,
    placements: &'a [ByRole<Bitboard>],
    dice: &'a mut Dice,
    allowance: Allowance,
    ours: Tree,
    theirs: Tree,
    legal: Vec<(Try, Guess, Option<Taken>)>,
    moves: Vec<Try>,
}

/// A move that was selected in an iteration. The fields are: whether the move is in the bot's own
/// tree, the index of the node, and the number of the move at this node.
type Selected = (bool, usize, usize);

impl Search<'_> {
    /// Returns an amount that is subtracted from the value of a try at the root. The amount is 0
    /// unless the placement after the try occurred before.
    fn repetition(&self, start: &Guess, t: Try) -> f64 {
        let mut after = start.mover;
        after.play(t);
        let same = self.placements.iter().filter(|men| **men == after.men);
        REPETITION * same.count() as f64
    }

    /// Runs one iteration from a position.
    fn iterate(&mut self, start: Guess, tries: &[Try]) {
        let mut position = start;
        let (mut our_node, mut their_node) = (0, 0);
        let mut path: Vec<Selected> = Vec::new();
        let mut ended = None;
        for depth in 0..MAX_DEPTH {
            self.list_legal(&position, (depth == 0).then_some(tries));
            if self.legal.is_empty() {
                // At the root, this means that none of the tries is legal in this position, so the
                // iteration says nothing.
                if depth == 0 {
                    return;
                }
                ended = Some(self.end_value(&position));
                break;
            }
            let ours = position.mover.color == self.color;
            let node = if ours { our_node } else { their_node };
            let (number, is_new) = self.select(ours, node);
            path.push((ours, node, number));
            let t = self.tree(ours).nodes[node].moves[number].t;
            let found = self.legal.iter().find(|(legal, ..)| *legal == t);
            let Some((_, after, taken)) = found.copied() else {
                return;
            };
            let heard = announced(self.choices, &after, taken);
            // The mover's own tree gets two edges: one for the move, and after it one for the
            // announcements, because the mover hears them too.
            let moved = self.tree(ours).child(node, Edge::Own(t));
            let moved = self.tree(ours).child(moved, heard);
            let other = if ours { their_node } else { our_node };
            let listened = self.tree(!ours).child(other, heard);
            (our_node, their_node) = if ours {
                (moved, listened)
            } else {
                (listened, moved)
            };
            position = after;
            if is_new {
                break;
            }
        }
        let value = ended.unwrap_or_else(|| self.playout(position));
        let first = self.ours.nodes[0].moves[path[0].2].t;
        let value = (value - self.repetition(&start, first)).max(0.0);
        for (ours, node, number) in path {
            let statistics = &mut self.tree(ours).nodes[node].moves[number];
            statistics.visits += 1;
            statistics.total += if ours { value } else { 1.0 - value };
        }
    }

    fn tree(&mut self, ours: bool) -> &mut Tree {
        if ours {
            &mut self.ours
        } else {
            &mut self.theirs
        }
    }

    /// Lists the legal moves of a position. At the root, lists only the moves that are in `tries`.
    fn list_legal(&mut self, position: &Guess, tries: Option<&[Try]>) {
        self.moves.clear();
        match tries {
            Some(tries) => self.moves.extend_from_slice(tries),
            None => {
                let moves = &mut self.moves;
                position.any(Bitboard::FULL, |t| {
                    moves.push(t);
                    false
                });
            }
        }
        self.allowance.take(self.moves.len() as u64);
        self.legal.clear();
        for t in &self.moves {
            if let Some((after, taken)) = position.play(*t) {
                self.legal.push((*t, after, taken));
            }
        }
    }

    /// Selects one of the legal moves at a node. Returns its number, and whether it was never
    /// selected before.
    fn select(&mut self, ours: bool, node: usize) -> (usize, bool) {
        let Search {
            legal,
            dice,
            ours: our_tree,
            theirs: their_tree,
            ..
        } = self;
        let tree = if ours { our_tree } else { their_tree };
        let all = &mut tree.nodes[node].moves;
        let mut new = Vec::new();
        let mut best: Option<(f64, usize)> = None;
        for (t, ..) in legal.iter() {
            let number = all.iter().position(|m| m.t == *t).unwrap_or_else(|| {
                all.push(MoveStatistics {
                    t: *t,
                    visits: 0,
                    available: 0,
                    total: 0.0,
                });
                all.len() - 1
            });
            let statistics = &mut all[number];
            statistics.available += 1;
            if statistics.visits == 0 {
                new.push(number);
                continue;
            }
            let visits = f64::from(statistics.visits);
            let explore = (f64::from(statistics.available).ln() / visits).sqrt();
            let bound = statistics.total / visits + EXPLORATION * explore;
            if best.is_none_or(|(most, _)| bound > most) {
                best = Some((bound, number));
            }
        }
        match (dice.pick(&new), best) {
            (Some(number), _) => (number, true),
            (None, Some((_, number))) => (number, false),
            (None, None) => (0, true),
        }
    }

    /// Plays random moves, and returns the value of the last position for the own side, from 0 to
    /// 1.
    fn playout(&mut self, mut position: Guess) -> f64 {
        for _ in 0..PLAYOUT_PLIES {
            let moves = &mut self.moves;
            moves.clear();
            position.any(Bitboard::FULL, |t| {
                moves.push(t);
                false
            });
            let drawn = (0..MAX_DRAWS).find_map(|_| {
                let t = self.dice.pick(&self.moves)?;
                position.play(t)
            });
            self.allowance.take(1);
            let next = drawn.or_else(|| {
                self.list_legal(&position, None);
                let legal: Vec<Guess> = self.legal.iter().map(|(_, after, _)| *after).collect();
                self.dice.pick(&legal).map(|after| (after, None))
            });
            match next {
                Some((after, _)) => position = after,
                None => return self.end_value(&position),
            }
        }
        let (ours, theirs) = if position.mover.color == self.color {
            (&position.mover, &position.other)
        } else {
            (&position.other, &position.mover)
        };
        let ahead = strength(ours, theirs) - strength(theirs, ours);
        1.0 / (1.0 + (-ahead / STRENGTH_SCALE).exp())
    }

    /// Returns the value, for the own side, of a position in which the side to move has no legal
    /// move.
    fn end_value(&self, position: &Guess) -> f64 {
        let lost = position.checkers().any() || self.choices.stalemate == Stalemate::Loses;
        match (lost, position.mover.color == self.color) {
            (false, _) => 0.5,
            (true, true) => 0.0,
            (true, false) => 1.0,
        }
    }
}

/// The bot `mcts`; see the comment of the module.
#[derive(Clone, Debug)]
pub struct Mcts {
    dice: Dice,
    facts: Vec<Fact>,
    belief: Option<Belief>,
    left: BudgetLeft,
    /// Earlier placements of the own men.
    placements: Vec<ByRole<Bitboard>>,
}

impl Mcts {
    /// Returns a player with this seed.
    pub fn new(seed: Seed) -> Mcts {
        Mcts {
            dice: Dice::new(seed),
            facts: Vec::new(),
            belief: None,
            left: BudgetLeft::new(Budget::Usual, USUAL_NODES),
            placements: Vec::new(),
        }
    }

    /// Updates the guesses with what was heard, and returns them.
    fn learn(&mut self, view: &PlayerView) -> Belief {
        let mut belief = self
            .belief
            .take()
            .unwrap_or_else(|| Belief::initial(view.color()));
        for fact in std::mem::take(&mut self.facts) {
            belief.learn(view.choices(), &fact, &mut self.dice);
        }
        if belief.now.own.men != view.own().men {
            belief.restart(view.choices(), *view.own(), &mut self.dice);
        }
        let other = *view.reserves().get(view.color().other());
        belief.set_reserves(view.own().reserve, other);
        belief
    }

    /// Returns the try that is selected most often in a search; `None` if no try is legal in any
    /// guess that the search draws.
    fn search(
        &mut self,
        choices: &Choices,
        color: Color,
        guesses: &[Weighted],
        tries: &[Try],
        allowance: Allowance,
    ) -> Option<Try> {
        let mut reached = 0.0;
        let sums: Vec<f32> = guesses
            .iter()
            .map(|weighted| {
                reached += weighted.weight;
                reached
            })
            .collect();
        let mut search = Search {
            choices,
            color,
            placements: &self.placements,
            dice: &mut self.dice,
            allowance,
            ours: Tree::new(),
            theirs: Tree::new(),
            legal: Vec::new(),
            moves: Vec::new(),
        };
        while search.allowance.take(1) {
            let point = search.dice.below(1 << 24) as f32 / (1 << 24) as f32 * reached;
            let drawn = sums.partition_point(|sum| *sum <= point);
            let Some(weighted) = guesses.get(drawn).or(guesses.last()) else {
                break;
            };
            search.iterate(weighted.guess, tries);
        }
        let best = search.ours.nodes[0].moves.iter();
        let best = best.max_by_key(|m| m.visits).map(|m| m.t);
        let allowance = search.allowance;
        self.left.spend(allowance);
        best
    }
}

impl Player for Mcts {
    fn hear(&mut self, heard: &Heard) {
        told::note(&mut self.facts, heard);
    }

    fn begin_turn(&mut self, budget: Budget) {
        self.left = BudgetLeft::new(budget, USUAL_NODES);
    }

    fn attempt(&mut self, view: &PlayerView, tries: &[Try]) -> Attempt {
        if tries.is_empty() {
            return Attempt::Resign;
        }
        let begun = self.left.clock();
        let belief = self.learn(view);
        if let Some(question) = free_question(view, tries) {
            self.belief = Some(belief);
            return question;
        }
        if self.placements.last() != Some(&view.own().men) {
            self.placements.push(view.own().men);
        }
        // Use half of the remaining budget, so that some budget is left for the next attempt if
        // this one is refused.
        let allowance = self.left.allow(begun, 2);
        let best = self.search(
            view.choices(),
            view.color(),
            &belief.guesses,
            tries,
            allowance,
        );
        self.belief = Some(belief);
        best.or_else(|| self.dice.pick(tries))
            .map_or(Attempt::Resign, Attempt::Try)
    }
}
