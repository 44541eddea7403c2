//! Plans for positions without a forced mate.
//!
//! A plan is a policy for the mating side. A plan has a value for each square: the probability that
//! the plan mates the best-evading king if the king is on this square. For a position, each of
//! these values is multiplied by the weight of its square. The sum of the products is the value of
//! the plan for the position. For each placement of the men, the program keeps the values of some
//! plans. A solved set is such a plan, with the value 1 on each of its squares. From known plans
//! the program makes better ones, one after the other. A new plan consists of one try, and of the
//! best known plan after each announcement (point-based value iteration).

use std::{
    cell::OnceCell,
    collections::{HashMap, HashSet},
};

use rules::{
    CheckTold, Try,
    chess::{Bitboard, Square},
};

use super::{Distances, OwnMen, SolvedTable, TryOutcome, geometry::Symmetry, weights::Weights};

/// As long as no mate is forced, each own move multiplies the value of a plan by this factor.
/// Without this factor, a plan could wait too long for a mistake of the king, until the game ends
/// by repetition.
const DELAY: f32 = 0.99;

/// Cost of each own move of a forced mate.
const MOVE_COST: f32 = 0.0001;

/// Factors for the value of a try. Which factor is used depends on how often the placement after
/// the try occurred before: never, once, or more often.
const REPETITIONS: [f32; 3] = [1.0, 0.97, 0.5];

/// A new plan is kept if its value is greater than the value of the best known plan. The difference
/// must be at least this number, multiplied by the sum of the weights.
const MIN_GAIN: f32 = 1e-6;

/// Plans are not improved for a position if the sum of the weights of its squares is below this
/// number. At the start, this sum is 1.
const MIN_WEIGHT: f32 = 1e-4;

/// Maximum number of own moves for which [`Planner::build`] follows the play from a start. A start
/// consists of the men and the possible squares of the king. The plans of all positions on the way
/// are improved. Here a refused try counts as an own move.
const MAX_LENGTH: u8 = 60;

/// Maximum number of own moves of a plan until the mate or the next pawn move, because of the
/// fifty-move rule.
const MAX_MOVES: u8 = 50;

/// One number n for each round of improvements. A round follows the play from all starts. In the
/// first n own moves of the play, several tries are explored. In later own moves, only the best try
/// is explored.
const ROUNDS: [u8; 4] = [2, 0, 1, 0];

/// Number of tries that are explored if several tries are explored ([`ROUNDS`]).
const WIDTH: usize = 5;

/// The values of a plan for each square.
#[derive(Clone, Debug)]
struct Plan {
    values: Weights,
    /// Greatest number of own moves until the mate or the next pawn move.
    moves: u8,
}

/// Plans for each placement of a [`SolvedTable`], in addition to its solved sets.
#[derive(Clone, Debug)]
pub(super) struct Plans(Vec<Vec<Plan>>);

/// What was chosen as the next plan: nothing, a solved set, or a plan.
#[derive(Copy, Clone)]
enum Chosen<'a> {
    Nothing,
    Set(u64, u8),
    Plan(&'a Plan),
}

impl Chosen<'_> {
    fn value(self, square: Square) -> f32 {
        match self {
            Chosen::Nothing => 0.0,
            Chosen::Set(set, moves) => {
                let inside = set >> square.to_u32() & 1 != 0;
                if inside { of_mate_in(moves) } else { 0.0 }
            }
            Chosen::Plan(plan) => plan.values[square.to_usize()],
        }
    }

    const fn moves(self) -> u8 {
        match self {
            Chosen::Nothing => 0,
            Chosen::Set(_, moves) => moves,
            Chosen::Plan(plan) => plan.moves,
        }
    }
}

/// Value of a forced mate in this number of own moves.
fn of_mate_in(moves: u8) -> f32 {
    1.0 - MOVE_COST * f32::from(moves)
}

/// A try in one placement, prepared for the computation of values.
pub(super) struct PlannedTry {
    pub tried: Try,
    pub men: OwnMen,
    /// Placement after the try, and the symmetry that turns the men after the try into this
    /// placement.
    next: usize,
    symmetry: Symmetry,
    pub refused: u64,
    mate: u64,
    heard: Vec<u64>,
    /// Squares from which the king captures a man.
    loses: u64,
    /// One entry for each square of the king: the squares to which the king's best replies go. Replies
    /// that capture a man are left out.
    replies: Box<[u64; 64]>,
    moves_pawn: bool,
}

impl PlannedTry {
    /// Returns the weight of each square of the king after the best-evading king has replied.
    /// Before the reply, the king was on one of the squares `from`. In the returned weights, the
    /// board is turned by [`PlannedTry::symmetry`], as in the placement [`PlannedTry::next`].
    fn replied(&self, weights: &Weights, from: u64) -> Weights {
        let mut after = [0.0; 64];
        for king in Bitboard(from & !self.loses) {
            let replies = Bitboard(self.replies[king.to_usize()]);
            let each = weights[king.to_usize()] / replies.count() as f32;
            for to in replies {
                after[self.symmetry.square(to).to_usize()] += each;
            }
        }
        after
    }
}

/// A table and distances. Plans are computed from both.
pub(super) struct Planner<'a> {
    table: &'a SolvedTable,
    distances: &'a Distances,
    told: CheckTold,
    /// For each placement, its tries, if they are prepared already.
    tries: Vec<OnceCell<Vec<PlannedTry>>>,
}

impl<'a> Planner<'a> {
    pub fn new(table: &'a SolvedTable, distances: &'a Distances) -> Planner<'a> {
        Planner {
            table,
            distances,
            told: table.check_announcement(),
            tries: table.placements().iter().map(|_| OnceCell::new()).collect(),
        }
    }

    /// Prepares the tries of these men.
    pub fn tries(&self, men: OwnMen) -> Vec<PlannedTry> {
        let prepare = |tried| {
            let outcome = TryOutcome::of(men, tried, men.possible_kings(), self.told);
            let (next, symmetry) = self.table.find(outcome.men)?;
            let mut replies = Box::new([0; 64]);
            for king in outcome.heard.iter().flat_map(|heard| *heard) {
                let best = self.distances.best_replies(outcome.men, king);
                replies[king.to_usize()] = (best & !outcome.men.squares()).0;
            }
            Some(PlannedTry {
                tried,
                men: outcome.men,
                next,
                symmetry,
                refused: outcome.refused.0,
                mate: outcome.mate.0,
                heard: outcome.heard.iter().map(|heard| heard.0).collect(),
                loses: outcome.loses.0,
                replies,
                moves_pawn: men.is_pawn_move(tried),
            })
        };
        men.tries().into_iter().filter_map(prepare).collect()
    }

    fn prepared(&self, at: usize) -> &[PlannedTry] {
        self.tries[at].get_or_init(|| self.tries(self.table.placements()[at]))
    }

    /// Returns the best known plan for a position, with its value. A plan has a value for each
    /// square. Each of these values is multiplied by the weight of the square. The sum of the
    /// products is the value for the position. Only plans of at most `limit` own moves are compared.
    fn best<'p>(
        &self,
        plans: &'p Plans,
        at: usize,
        weights: &Weights,
        limit: u8,
    ) -> (f32, Chosen<'p>) {
        let support = support(weights);
        let squares: Vec<(usize, f32)> = Bitboard(support)
            .into_iter()
            .map(|square| (square.to_usize(), weights[square.to_usize()]))
            .collect();
        let mut best = (0.0, Chosen::Nothing);
        for (set, moves) in self.table.greatest(at) {
            if *moves > limit {
                continue;
            }
            let inside = squares.iter().filter(|(square, _)| set >> square & 1 != 0);
            let value = of_mate_in(*moves) * inside.map(|(_, weight)| weight).sum::<f32>();
            if value > best.0 {
                best = (value, Chosen::Set(*set, *moves));
            }
        }
        for plan in plans.0[at].iter().filter(|plan| plan.moves <= limit) {
            let value = squares
                .iter()
                .map(|(square, weight)| weight * plan.values[*square]);
            let value = value.sum();
            if value > best.0 {
                best = (value, Chosen::Plan(plan));
            }
        }
        best
    }

    /// Returns the value of a try on the squares where it is accepted. For each of these squares,
    /// the value after the try is multiplied by the weight of the square. The sum of the products
    /// is returned. Returns `None` if the try is never accepted.
    pub fn accepted(
        &self,
        plans: &Plans,
        tried: &PlannedTry,
        weights: &Weights,
        limit: u8,
    ) -> Option<f32> {
        let support = support(weights);
        if support & !tried.refused == 0 {
            return None;
        }
        let limit = if tried.moves_pawn {
            MAX_MOVES
        } else {
            limit.saturating_sub(1)
        };
        let going_on = tried
            .heard
            .iter()
            .filter(|heard| **heard & support != 0)
            .map(|heard| {
                let after = tried.replied(weights, heard & support);
                DELAY * self.best(plans, tried.next, &after, limit).0
            });
        Some(sum(weights, tried.mate & support) + going_on.sum::<f32>())
    }

    /// Returns the tries that can be accepted, with their values, the best first.
    fn ranked(&self, plans: &Plans, at: usize, weights: &Weights) -> Vec<(f32, usize)> {
        let tries = self.prepared(at).iter().enumerate();
        let mut ranked: Vec<(f32, usize)> = tries
            .filter_map(|(index, tried)| {
                let accepted = self.accepted(plans, tried, weights, MAX_MOVES)?;
                let rest = within(weights, tried.refused);
                Some((accepted + self.best(plans, at, &rest, MAX_MOVES).0, index))
            })
            .collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
        ranked
    }

    /// Returns the value of the best known plan for a position. `weights` uses the squares of
    /// `men`, and not the squares of the placement in the table.
    pub fn value(&self, plans: &Plans, men: OwnMen, weights: &Weights, limit: u8) -> f32 {
        let Some((at, symmetry)) = self.table.find(men) else {
            return 0.0;
        };
        let mut image = [0.0; 64];
        for square in Square::ALL {
            image[symmetry.square(square).to_usize()] = weights[square.to_usize()];
        }
        self.best(plans, at, &image, limit).0
    }

    /// Adds a plan: the best try in a position, followed by the best known plans.
    fn add(&self, plans: &mut Plans, at: usize, weights: &Weights) {
        let total: f32 = weights.iter().sum();
        let known = self.best(plans, at, weights, MAX_MOVES).0;
        let Some(&(value, index)) = self.ranked(plans, at, weights).first() else {
            return;
        };
        if value < known + MIN_GAIN * total {
            return;
        }
        let tried = &self.prepared(at)[index];
        let mut plan = Plan {
            values: [0.0; 64],
            moves: 1,
        };
        for square in Bitboard(tried.mate) {
            plan.values[square.to_usize()] = 1.0;
        }
        for heard in &tried.heard {
            let after = tried.replied(weights, *heard);
            let limit = if tried.moves_pawn {
                MAX_MOVES
            } else {
                MAX_MOVES - 1
            };
            let chosen = self.best(plans, tried.next, &after, limit).1;
            if !tried.moves_pawn {
                plan.moves = plan.moves.max(chosen.moves() + 1);
            }
            for king in Bitboard(heard & !tried.loses) {
                let replies = Bitboard(tried.replies[king.to_usize()]);
                let values = replies
                    .into_iter()
                    .map(|to| chosen.value(tried.symmetry.square(to)));
                let mean = values.sum::<f32>() / replies.count() as f32;
                plan.values[king.to_usize()] = DELAY * mean;
            }
        }
        let rest = self
            .best(plans, at, &within(weights, tried.refused), MAX_MOVES)
            .1;
        for king in Bitboard(tried.refused) {
            plan.values[king.to_usize()] = rest.value(king);
        }
        plan.moves = plan.moves.max(rest.moves());
        plans.0[at].push(plan);
    }

    /// Improves the plans of a position, and of the positions that can follow in the next `depth`
    /// own moves. In the first `wide` own moves several tries are explored, in later own moves only
    /// the best try. Here a refused try counts as an own move.
    fn improve(
        &self,
        plans: &mut Plans,
        seen: &mut Seen,
        position: (usize, &Weights),
        depth: u8,
        wide: u8,
    ) {
        let (at, weights) = position;
        let total: f32 = weights.iter().sum();
        if total < MIN_WEIGHT || depth == 0 || self.is_solved(at, weights) {
            return;
        }
        if !seen.insert((
            at,
            wide,
            weights.map(|weight| (weight / total * 1e6) as u32),
        )) {
            return;
        }
        let support = support(weights);
        let mut ranked = self.ranked(plans, at, weights);
        ranked.truncate(if wide > 0 { WIDTH } else { 1 });
        for (_, index) in ranked {
            let tried = &self.prepared(at)[index];
            for heard in tried.heard.iter().filter(|heard| **heard & support != 0) {
                let after = tried.replied(weights, heard & support);
                let next = (tried.next, &after);
                self.improve(plans, seen, next, depth - 1, wide.saturating_sub(1));
            }
            let rest = within(weights, tried.refused);
            self.improve(plans, seen, (at, &rest), depth - 1, wide.saturating_sub(1));
        }
        self.add(plans, at, weights);
    }

    /// Whether one solved set contains all squares with positive weight.
    fn is_solved(&self, at: usize, weights: &Weights) -> bool {
        let support = support(weights);
        self.table
            .greatest(at)
            .iter()
            .any(|(set, _)| support & !set == 0)
    }

    /// Computes plans for these starts: placements with the possible squares of the king.
    pub fn build(&self, starts: &[(OwnMen, Bitboard)]) -> Plans {
        let mut plans = Plans(vec![Vec::new(); self.table.placements().len()]);
        for wide in ROUNDS {
            let mut seen = Seen::new();
            for (men, kings) in starts {
                if let Some((at, symmetry)) = self.table.find(*men) {
                    let kings = Bitboard(symmetry.set(kings.0));
                    let weights = equal(kings);
                    self.improve(&mut plans, &mut seen, (at, &weights), MAX_LENGTH, wide);
                }
            }
        }
        plans
    }

    /// Returns the tries of a turn, and the value of the plan that begins with them. A try has a
    /// lower value if the placement after it is in `past`.
    pub fn turn(
        &self,
        plans: &Plans,
        men: OwnMen,
        weights: &Weights,
        limit: u8,
        past: &[OwnMen],
    ) -> (Vec<Try>, f32) {
        let mut all = self.tries(men);
        let mut left = *weights;
        let (mut tries, mut value) = (Vec::new(), 0.0);
        loop {
            let ranked = all.iter().enumerate().filter_map(|(index, tried)| {
                let times = past.iter().filter(|men| **men == tried.men).count();
                let factor = REPETITIONS[times.min(2)];
                let accepted = factor * self.accepted(plans, tried, &left, limit)?;
                let rest = within(&left, tried.refused);
                Some((
                    accepted + self.value(plans, men, &rest, limit),
                    accepted,
                    index,
                ))
            });
            let Some((_, accepted, index)) = ranked.max_by(|a, b| a.0.total_cmp(&b.0)) else {
                return (tries, value);
            };
            let tried = all.remove(index);
            value += accepted;
            left = within(&left, tried.refused);
            tries.push(tried.tried);
        }
    }

    /// Returns two probabilities of a mate against the best-evading king. All squares `kings` are
    /// equally probable. The first number is the probability if the mating side sees the king. The
    /// second number is an upper bound for every policy of the mating side. The bound assumes that
    /// the mating side sees the king after `depth` own moves.
    pub fn bounds(&self, men: OwnMen, kings: Bitboard, depth: u8) -> (f32, f32) {
        let Some((at, symmetry)) = self.table.find(men) else {
            return (1.0, 1.0);
        };
        let weights = equal(Bitboard(symmetry.set(kings.0)));
        let visible = self.visible(at, &weights);
        let bound = self.bounded(&mut HashMap::new(), (at, &weights), depth, 0.0);
        (visible, bound)
    }

    /// Returns an upper bound for the probability of a mate, multiplied by the sum of the weights.
    /// As soon as this product is at most `floor`, the function stops, because the caller needs no
    /// closer bound. Then the function returns `floor` or less. Otherwise it returns the closest
    /// bound that it can find.
    fn bounded(
        &self,
        known: &mut Bounds,
        position: (usize, &Weights),
        depth: u8,
        floor: f32,
    ) -> f32 {
        let (at, weights) = position;
        let total = self.visible(at, weights);
        if depth == 0 || total <= floor || self.is_solved(at, weights) {
            return total;
        }
        let key = (at, depth, weights.map(f32::to_bits));
        if let Some(bound) = known.get(&key) {
            return *bound;
        }
        let support = support(weights);
        let mut ranked: Vec<(f32, usize)> = Vec::new();
        for (index, tried) in self.prepared(at).iter().enumerate() {
            if support & !tried.refused != 0 {
                let heard = tried.heard.iter().map(|heard| heard & support);
                let after =
                    heard.map(|heard| self.visible(tried.next, &tried.replied(weights, heard)));
                let rest = self.visible(at, &within(weights, tried.refused));
                let bound = sum(weights, tried.mate & support) + after.sum::<f32>() + rest;
                ranked.push((bound, index));
            }
        }
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut best = floor;
        for (quick, index) in ranked {
            if quick <= best || best >= total {
                break;
            }
            let tried = &self.prepared(at)[index];
            let heard = tried.heard.iter().filter(|heard| **heard & support != 0);
            let mut parts: Vec<(usize, Weights, u8)> = heard
                .map(|heard| {
                    (
                        tried.next,
                        tried.replied(weights, heard & support),
                        depth - 1,
                    )
                })
                .collect();
            parts.push((at, within(weights, tried.refused), depth));
            // At first, the bound assumes that the mating side sees the king in every part. Each
            // searched part makes the bound closer.
            let mut bound = quick;
            for (next, after, depth) in parts {
                let quick = self.visible(next, &after);
                let least = quick - (bound - best);
                let searched = self.bounded(known, (next, &after), depth, least);
                bound -= quick - searched.min(quick);
                if bound <= best {
                    break;
                }
            }
            best = best.max(bound);
        }
        if best > floor {
            known.insert(key, best);
        }
        best
    }

    /// Returns the sum of the weights of some squares: those on which the lone king can be mated by
    /// force if it is visible.
    fn visible(&self, at: usize, weights: &Weights) -> f32 {
        let men = self.table.placements()[at];
        let won = Bitboard(support(weights))
            .into_iter()
            .filter(|king| self.distances.get(men, *king).is_some());
        won.map(|king| weights[king.to_usize()]).sum()
    }
}

/// Positions whose plans were already improved in this round.
type Seen = HashSet<(usize, u8, [u32; 64])>;

/// Upper bounds that are known already.
type Bounds = HashMap<(usize, u8, [u32; 64]), f32>;

fn support(weights: &Weights) -> u64 {
    (0..64)
        .filter(|square| weights[*square] > 0.0)
        .fold(0, |set, square| set | 1 << square)
}

fn within(weights: &Weights, squares: u64) -> Weights {
    let mut kept = [0.0; 64];
    for square in Bitboard(squares) {
        kept[square.to_usize()] = weights[square.to_usize()];
    }
    kept
}

fn sum(weights: &Weights, squares: u64) -> f32 {
    Bitboard(squares)
        .into_iter()
        .map(|square| weights[square.to_usize()])
        .sum()
}

/// Returns equal weights that add up to 1.
fn equal(kings: Bitboard) -> Weights {
    let each = 1.0 / kings.count().max(1) as f32;
    let mut weights = [0.0; 64];
    for square in kings {
        weights[square.to_usize()] = each;
    }
    weights
}
