//! The bot `mcts`: information set Monte Carlo tree search.
//!
//! SO-ISMCTS by P. Cowling, E. Powley and D. Whitehouse, "Information set Monte Carlo tree search",
//! IEEE TCIAIG 4(2), 2012. The description is theirs, the code is ours:
//!
//! - Each iteration draws one position of a belief.
//! - A node stands for what the bot has heard and done. In its turn, UCB1 selects a move that is legal
//!   in the drawn position, and counts only the iterations in which it was. The opponent moves at
//!   random.
//! - After a new move, both sides make a few random moves; the last position has a value.
//! - The bot makes the try that was selected most often.

use std::collections::HashMap;

use belief::Watch;
use position::{Captured, Position};
use rules::{
    Attempt, Choices, Heard, Own, PawnTries, Stalemate, Try,
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
    master::source::{Effort, Possible, Source},
    player::Player,
};

/// Nodes of a turn with [`Budget::Usual`] or [`Budget::Within`].
const USUAL_NODES: u64 = 20_000;

/// Weight of the exploration term of UCB1, as in the paper.
const EXPLORATION: f64 = 0.7;

/// Most plies of a playout, and of an iteration.
const PLAYOUT_PLIES: u32 = 4;
const MAX_DEPTH: u32 = 40;

/// Limits of the belief, and positions of it from which the iterations draw.
const EFFORT: Effort = Effort {
    limit: 400,
    work: 20_000,
    cuts: false,
};
const DRAWN: usize = 256;

/// Roles to which a pawn can promote.
const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// Lead at which the value is about 0.73.
const STRENGTH_SCALE: f64 = 3.0;

/// Penalty for each earlier occurrence of a placement of the own men.
const REPETITION: f64 = 0.03;

/// Own move, square of a capture, bits of the check directions, number of pawn captures.
type Edge = (Option<Try>, Option<u32>, u32, u8);

/// An information set of the bot.
#[derive(Clone, Debug, Default)]
struct Node {
    children: HashMap<Edge, usize>,
    moves: Vec<MoveStatistics>,
}

#[derive(Clone, Debug)]
struct MoveStatistics {
    t: Try,
    visits: u32,
    available: u32,
    total: f64,
}

/// Returns what is announced about a move. `after` is the position after this move.
fn announced(
    choices: &Choices,
    own: Option<Try>,
    after: &Position,
    taken: Option<Captured>,
) -> Edge {
    let (check, tries, _) = after.announcements();
    let bits = check.iter().fold(0, |bits, one| bits | 1 << one as u32);
    let told = !matches!(choices.pawn_tries, PawnTries::Silent | PawnTries::OnRequest);
    let square = taken.map(|taken| u32::from(taken.square));
    (own, square, bits, if told { tries.count } else { 0 })
}

/// Returns the strength of a side, in pawns: its men, its reserve and the advance of its pawns.
fn strength(side: &Own) -> f64 {
    // Each side has one king, so the kings cancel out.
    let mut strength = 0.0;
    for (role, men) in side.men.zip_role() {
        strength += value(role) * men.count() as f64;
    }
    for (role, n) in side.reserve.iter() {
        strength += value(role) * f64::from(n);
    }
    for pawn in side.men.pawn {
        strength += 0.08 * f64::from(7 - pawn.rank().distance(side.last_rank()));
    }
    strength
}

struct Search<'a> {
    choices: &'a Choices,
    color: Color,
    placements: &'a [ByRole<Bitboard>],
    dice: &'a mut Dice,
    allowance: Allowance,
    nodes: Vec<Node>,
    legal: Vec<Try>,
}

impl Search<'_> {
    /// Runs one iteration from a position.
    fn iterate(&mut self, start: Position, tries: &[Try]) {
        let (mut position, mut node) = (start, 0);
        let mut path: Vec<(usize, usize)> = Vec::new();
        let mut is_new = false;
        for depth in 0..MAX_DEPTH {
            self.list_legal(&position);
            if depth == 0 {
                self.legal.retain(|t| tries.contains(t));
            }
            let ours = position.turn() == self.color;
            let t = if ours && !self.legal.is_empty() {
                let (number, new) = self.select(node);
                is_new = new;
                path.push((node, number));
                self.nodes[node].moves[number].t
            } else if let Some(t) = self.dice.pick(&self.legal) {
                t
            } else {
                break;
            };
            let taken = position.play(t, false);
            let edge = announced(self.choices, ours.then_some(t), &position, taken);
            let next = self.nodes.len();
            node = *self.nodes[node].children.entry(edge).or_insert(next);
            if node == next {
                self.nodes.push(Node::default());
            }
            if is_new {
                break;
            }
        }
        let Some((_, first)) = path.first() else {
            return; // None of the tries is legal in this position.
        };
        let mut after = start.own(self.color);
        after.play(self.nodes[0].moves[*first].t);
        let times = self.placements.iter().filter(|men| **men == after.men);
        let penalty = REPETITION * times.count() as f64;
        let value = (self.playout(position) - penalty).max(0.0);
        for (node, number) in path {
            let statistics = &mut self.nodes[node].moves[number];
            statistics.visits += 1;
            statistics.total += value;
        }
    }

    fn list_legal(&mut self, position: &Position) {
        self.legal.clear();
        position.each_legal(&PROMOTIONS, |t, _| self.legal.push(t));
        self.allowance.take(self.legal.len() as u64);
    }

    /// Selects a legal move. Returns its number, and whether it was never selected before.
    fn select(&mut self, node: usize) -> (usize, bool) {
        let all = &mut self.nodes[node].moves;
        let mut new = Vec::new();
        let mut best: Option<(f64, usize)> = None;
        for t in &self.legal {
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
        match (self.dice.pick(&new), best) {
            (Some(number), _) => (number, true),
            (None, Some((_, number))) => (number, false),
            (None, None) => (0, true),
        }
    }

    /// Plays random moves. Returns the value of the last position, from 0 to 1.
    fn playout(&mut self, mut position: Position) -> f64 {
        for _ in 0..PLAYOUT_PLIES {
            self.list_legal(&position);
            let Some(t) = self.dice.pick(&self.legal) else {
                let check = !position.checkers().is_empty();
                let lost = check || self.choices.stalemate == Stalemate::Loses;
                return match (lost, position.turn() == self.color) {
                    (false, _) => 0.5,
                    (true, true) => 0.0,
                    (true, false) => 1.0,
                };
            };
            position.play(t, false);
        }
        let [ours, theirs] = [self.color, self.color.other()].map(|side| position.own(side));
        let ahead = strength(&ours) - strength(&theirs);
        1.0 / (1.0 + (-ahead / STRENGTH_SCALE).exp())
    }
}

/// The bot `mcts`.
#[derive(Clone, Debug)]
pub struct Mcts {
    dice: Dice,
    source: Source,
    left: BudgetLeft,
    /// Earlier placements of the own men.
    placements: Vec<ByRole<Bitboard>>,
}

impl Mcts {
    /// Returns a player with this seed.
    pub fn new(seed: Seed) -> Mcts {
        Mcts {
            dice: Dice::new(seed),
            source: Source::default(),
            left: BudgetLeft::new(Budget::Usual, USUAL_NODES),
            placements: Vec::new(),
        }
    }
}

impl Player for Mcts {
    fn hear(&mut self, heard: &Heard) {
        self.source.hear(heard);
    }

    fn begin_turn(&mut self, budget: Budget) {
        self.left = BudgetLeft::new(budget, USUAL_NODES);
    }

    fn attempt(&mut self, view: &PlayerView, tries: &[Try]) -> Attempt {
        if tries.is_empty() {
            return Attempt::Resign;
        }
        let begun = self.left.clock();
        self.source.learn(view, EFFORT, &Watch::default());
        if let Some(question) = free_question(view, tries) {
            return question;
        }
        if self.placements.last() != Some(&view.own().men) {
            self.placements.push(view.own().men);
        }
        let positions = self.source.positions(DRAWN, &mut self.dice);
        let mut search = Search {
            choices: view.choices(),
            color: view.color(),
            placements: &self.placements,
            dice: &mut self.dice,
            // Half of the budget, so that some is left after a refusal.
            allowance: self.left.allow(begun, 2),
            nodes: vec![Node::default()],
            legal: Vec::new(),
        };
        while search.allowance.take(1) {
            let mut point = search.dice.below(1 << 24) as f32 / (1 << 24) as f32;
            let drawn = positions.iter().find(|one: &&Possible| {
                point -= one.weight;
                point < 0.0
            });
            let Some(one) = drawn.or(positions.last()) else {
                break;
            };
            search.iterate(one.at.position, tries);
        }
        let moves = search.nodes.swap_remove(0).moves;
        let best = moves.iter().max_by_key(|m| m.visits).map(|m| m.t);
        self.left.spend(search.allowance);
        best.or_else(|| self.dice.pick(tries))
            .map_or(Attempt::Resign, Attempt::Try)
    }
}
