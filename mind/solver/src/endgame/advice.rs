//! Advice on the next tries: a forced mate if there is one, otherwise the tries that most probably
//! lead to a mate.

use std::sync::OnceLock;

use rules::{
    CheckTold, Try,
    chess::{Bitboard, Role, Square},
};

use super::{
    Distances, OwnMen, SolvedTable, TryOutcome,
    game::starts,
    placements::images,
    plans::{Planner, Plans},
    weights::Weights,
};

/// A game is drawn after this number of half-moves without a capture or a pawn move.
const FIFTY_MOVES: u32 = 100;

/// Probability, in the model of the opponent, that the lone king moves like the best-evading king.
/// Otherwise it moves at random.
const EVADING: f32 = 0.99;

/// The value of a placement of the men is multiplied by this factor once for each time that the
/// placement occurred before.
const REPEATED: f32 = 0.97;

/// Number of own moves that the search examines after the next own move.
const DEPTH: u8 = 1;

/// Only this number of the best tries is searched deeper.
const BEAM: usize = 10;

/// A solved set is a set of squares of the lone king against which one policy mates. To estimate a
/// position, the search takes the solved set that has the greatest weight. This number is the
/// assumed probability of a mate if the king is on a square outside this set.
const UNCOVERED: f32 = 0.5;

/// The tries to make in one turn.
#[derive(Clone, PartialEq, Debug)]
pub struct Advice {
    /// The tries of this turn, in order. The seat makes a try only if all earlier tries of the list
    /// were refused. Wherever the king is, one try of the list is accepted.
    pub tries: Vec<Try>,
    /// The expected result of the tries.
    pub estimate: Estimate,
}

/// The expected result of a policy.
#[derive(Copy, Clone, PartialEq, Debug)]
pub enum Estimate {
    /// The policy mates within this number of own moves, whatever the opponent plays.
    MateIn(u8),
    /// No mate can be forced before the fifty-move rule ends the game, or no such mate is known.
    Chance {
        /// Estimated probability, 0 to 1, that the policy mates.
        mate: f32,
        /// Mean number of own moves that a mate would take if the lone king were visible.
        moves: f32,
    },
}

/// A start from which no mate can be forced, and an upper bound of the probability of a mate. The
/// start also represents its images by symmetry.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct StartBound {
    /// The men.
    pub men: OwnMen,
    /// Number of different images of the men, from 1 to 8.
    pub images: usize,
    /// Probability of a mate against the best-evading king if the mating side sees the king.
    pub visible: f32,
    /// Upper bound of the probability of a mate against the best-evading king, whatever the mating
    /// side does.
    pub bound: f32,
}

/// The tables of the endings that the program knows. All rulesets that use the same tables announce
/// a check in the same way: either with its directions or without them. Each table is computed when
/// it is first needed, with up to eight threads.
#[derive(Clone, Debug)]
pub struct Tables {
    told: CheckTold,
    queen: OnceLock<SolvedTable>,
    rook: OnceLock<SolvedTable>,
    pawn: OnceLock<SolvedTable>,
    pawn_plans: OnceLock<Plans>,
    one_man: OnceLock<Distances>,
    two_bishops: OnceLock<Distances>,
    bishop_knight: OnceLock<Distances>,
}

impl Tables {
    /// Returns the tables for rulesets that announce the directions of a check.
    pub fn shared() -> &'static Tables {
        static DIRECTIONS: OnceLock<Tables> = OnceLock::new();
        DIRECTIONS.get_or_init(|| Tables::new(CheckTold::Directions))
    }

    /// Returns the tables for rulesets that announce a check as `told` says. Returns `None` for
    /// rulesets that do not announce checks, because there are no tables for them.
    pub fn for_rules(told: CheckTold) -> Option<&'static Tables> {
        static BARE: OnceLock<Tables> = OnceLock::new();
        match told {
            CheckTold::Directions => Some(Tables::shared()),
            CheckTold::Bare => Some(BARE.get_or_init(|| Tables::new(CheckTold::Bare))),
            CheckTold::Silent => None,
        }
    }

    /// Creates tables that are not computed yet.
    pub const fn new(told: CheckTold) -> Tables {
        Tables {
            told,
            queen: OnceLock::new(),
            rook: OnceLock::new(),
            pawn: OnceLock::new(),
            pawn_plans: OnceLock::new(),
            one_man: OnceLock::new(),
            two_bishops: OnceLock::new(),
            bishop_knight: OnceLock::new(),
        }
    }

    /// Returns how the rulesets of these tables announce a check.
    pub const fn check_announcement(&self) -> CheckTold {
        self.told
    }

    /// Returns the table of solved sets for the ending with these men. Such a table exists if the
    /// men are the king and one queen, rook or pawn. Returns `None` for other endings.
    pub fn solved(&self, men: OwnMen) -> Option<&SolvedTable> {
        let build = |roles: &[Role]| SolvedTable::build(roles, self.told, usize::MAX);
        match *men.others() {
            [(Role::Queen, _)] => Some(self.queen.get_or_init(|| build(&[Role::Queen]))),
            [(Role::Rook, _)] => Some(self.rook.get_or_init(|| build(&[Role::Rook]))),
            [(Role::Pawn, _)] => {
                let all = [Role::Queen, Role::Rook, Role::Pawn];
                Some(self.pawn.get_or_init(|| build(&all)))
            }
            _ => None,
        }
    }

    /// Returns the plans of the ending with a king and a pawn, and the planner that computes with
    /// these plans. The plans are for positions without a forced mate. Returns `None` if the men are
    /// not a king and a pawn.
    fn plans(&self, men: OwnMen) -> Option<(Planner<'_>, &Plans)> {
        let [(Role::Pawn, _)] = *men.others() else {
            return None;
        };
        let solved = self.solved(men)?;
        let planner = Planner::new(solved, self.distances(men)?);
        let plans = self.pawn_plans.get_or_init(|| {
            let mut starts = starts(solved, Role::Pawn);
            starts.retain(|(men, kings)| solved.mate_in(*men, *kings).is_none());
            planner.build(&starts)
        });
        Some((planner, plans))
    }

    /// Examines every start that [`random_start`](super::random_start) can return for a king and
    /// one man of this role. Returns the starts from which no mate can be forced, each with an
    /// upper bound of the probability of a mate. Of several starts that are images of each other by
    /// symmetry, returns only one. Each bound assumes that the mating side sees the king after
    /// `depth` own moves. So a greater `depth` gives a closer bound. Returns `None` if the role is
    /// not queen, rook or pawn, because there is no table then.
    pub fn start_bounds(&self, role: Role, depth: u8) -> Option<Vec<StartBound>> {
        let any = OwnMen::new(Square::A1, &[(role, Square::C3)])?;
        let solved = self.solved(any)?;
        let planner = Planner::new(solved, self.distances(any)?);
        let bound = |(men, kings): (OwnMen, Bitboard)| {
            let (visible, bound) = planner.bounds(men, kings, depth);
            StartBound {
                men,
                images: images(men),
                visible,
                bound,
            }
        };
        let open = |(men, kings): &(OwnMen, Bitboard)| solved.mate_in(*men, *kings).is_none();
        Some(
            starts(solved, role)
                .into_iter()
                .filter(open)
                .map(bound)
                .collect(),
        )
    }

    /// Returns whether the tables of the ending with these men are already computed. The men must be
    /// a king and a queen, rook or pawn; for other men, returns false.
    pub fn is_ready(&self, men: OwnMen) -> bool {
        match *men.others() {
            [(Role::Queen, _)] => self.queen.get().is_some() && self.one_man.get().is_some(),
            [(Role::Rook, _)] => self.rook.get().is_some() && self.one_man.get().is_some(),
            [(Role::Pawn, _)] => self.pawn_plans.get().is_some(),
            _ => false,
        }
    }

    /// Returns the distances to mate of the ending with these men, or `None` if the ending is not
    /// known.
    pub fn distances(&self, men: OwnMen) -> Option<&Distances> {
        match *men.others() {
            [(Role::Queen | Role::Rook | Role::Pawn, _)] => {
                Some(self.one_man.get_or_init(|| {
                    Distances::build(&[&[Role::Queen], &[Role::Rook], &[Role::Pawn]])
                }))
            }
            [(Role::Bishop, one), (Role::Bishop, two)] if one.is_light() != two.is_light() => Some(
                self.two_bishops
                    .get_or_init(|| Distances::build(&[&[Role::Bishop, Role::Bishop]])),
            ),
            [(Role::Knight, _), (Role::Bishop, _)] => Some(
                self.bishop_knight
                    .get_or_init(|| Distances::build(&[&[Role::Knight, Role::Bishop]])),
            ),
            _ => None,
        }
    }

    /// Returns the weights after an accepted try and a reply that takes no man. `heard` is one of
    /// the sets in [`TryOutcome::heard`]: the set that agrees with the announcement. Each legal
    /// reply gets a positive weight. The replies of the best-evading king get most of the weight.
    /// Returns `None` if the ending is not known.
    pub fn replied(
        &self,
        outcome: &TryOutcome,
        weights: &Weights,
        heard: Bitboard,
    ) -> Option<Weights> {
        let distances = self.distances(outcome.men)?;
        Some(replied(distances, outcome, weights, heard))
    }

    /// Returns the tries of the next turn.
    ///
    /// - `men`: the own men, [`OwnMen::of`].
    /// - `weights`: the weight of each square for the lone king, with the ranks mirrored if the men
    ///   are Black's. Each possible square must have a positive weight. Squares outside
    ///   [`OwnMen::possible_kings`] are ignored.
    /// - `half_moves`: half-moves since the last capture or pawn move; 0 if the game has no
    ///   fifty-move rule.
    /// - `past`: the own men after the last capture or pawn move (or at the start of the game), and
    ///   after each own move since then. The advice avoids these placements if there is no forced
    ///   mate, or if there are several forced mates that are equally fast. It takes a slower forced
    ///   mate rather than a third occurrence of a placement. If this mate is too slow for the
    ///   fifty-move rule, the advice is as if there were no forced mate.
    ///
    /// After an accepted try, [`Tables::replied`] returns the next weights. Equal arguments give
    /// equal results. Returns `None` if the ending is not known or no square is possible.
    pub fn advice(
        &self,
        men: OwnMen,
        weights: &Weights,
        half_moves: u32,
        past: &[OwnMen],
    ) -> Option<Advice> {
        let kings = support(weights) & men.possible_kings();
        if kings.is_empty() {
            return None;
        }
        let limit = moves_left(half_moves);
        let solved = self.solved(men);
        if let Some(plan) = solved.and_then(|solved| solved.plan(men, kings, past))
            && plan.moves <= limit
        {
            return Some(Advice {
                tries: plan.tries,
                estimate: Estimate::MateIn(plan.moves),
            });
        }
        let search = Search {
            told: self.told,
            solved,
            distances: self.distances(men)?,
            limit,
            past,
        };
        let mut left = within(weights, kings);
        let total: f32 = left.iter().sum();
        let mut tries: Vec<Try> = Vec::new();
        let mut mate = 0.0;
        if let Some((planner, plans)) = self.plans(men) {
            let (tries, mate) = planner.turn(plans, men, &left, limit, past);
            return Some(Advice {
                tries,
                estimate: Estimate::Chance {
                    mate: (mate / total).clamp(0.0, 1.0),
                    moves: search.mean_distance(men, &left),
                },
            });
        }
        while let Some(choice) = search.best(men, &left, &tries) {
            tries.push(choice.tried);
            mate += choice.accepted.max(0.0);
            left = within(&left, choice.refused);
        }
        Some(Advice {
            tries,
            estimate: Estimate::Chance {
                mate: (mate / total).clamp(0.0, 1.0),
                moves: search.mean_distance(men, &within(weights, kings)),
            },
        })
    }
}

/// Returns the weights after the king's reply. Replies that capture a man get no weight.
fn replied(
    distances: &Distances,
    outcome: &TryOutcome,
    weights: &Weights,
    from: Bitboard,
) -> Weights {
    let mut after = [0.0; 64];
    let men = outcome.men.squares();
    for king in from {
        let weight = weights[king.to_usize()];
        let all = outcome.replies(Bitboard::from_square(king));
        let best = distances.best_replies(outcome.men, king);
        for to in best & !men {
            after[to.to_usize()] += weight * EVADING / best.count() as f32;
        }
        // A random reply may also capture a man. A capture is as probable as any other move, so
        // `count` includes it.
        let count = all.count() + usize::from(outcome.loses.contains(king));
        for to in all {
            after[to.to_usize()] += weight * (1.0 - EVADING) / count as f32;
        }
    }
    after
}

/// Returns the number of own moves that can be made before the fifty-move rule ends the game. A
/// mate with the last of these moves still counts as a win.
pub(super) fn moves_left(half_moves: u32) -> u8 {
    let left = FIFTY_MOVES.saturating_sub(half_moves).div_ceil(2);
    left.try_into().unwrap_or(u8::MAX)
}

/// The squares with positive weight.
pub(super) fn support(weights: &Weights) -> Bitboard {
    let squares = Square::ALL.into_iter();
    squares
        .filter(|square| weights[square.to_usize()] > 0.0)
        .collect()
}

/// The weights on some squares; all other weights are 0.
fn within(weights: &Weights, squares: Bitboard) -> Weights {
    let mut kept = [0.0; 64];
    for square in squares {
        kept[square.to_usize()] = weights[square.to_usize()];
    }
    kept
}

/// The sum of the weights on some squares.
fn sum(weights: &Weights, squares: Bitboard) -> f32 {
    squares
        .into_iter()
        .map(|square| weights[square.to_usize()])
        .sum()
}

/// A search for a good try if no mate can be forced.
struct Search<'a> {
    told: CheckTold,
    solved: Option<&'a SolvedTable>,
    distances: &'a Distances,
    limit: u8,
    past: &'a [OwnMen],
}

/// A try and its value.
struct Choice {
    tried: Try,
    /// Value of the try if it is accepted, multiplied by the weight of the lone king's squares for
    /// which it is accepted.
    accepted: f32,
    /// Squares of the lone king for which the try is refused.
    refused: Bitboard,
}

impl Search<'_> {
    /// Returns the best try that is accepted for at least one square of the lone king and was not
    /// refused before.
    fn best(&self, men: OwnMen, weights: &Weights, refused: &[Try]) -> Option<Choice> {
        let mut ranked = self.ranked(men, weights, refused);
        // The best tries are compared again, with a search that is one own move deeper.
        ranked.truncate(BEAM);
        let mut best: Option<(f32, Choice)> = None;
        for (_, tried) in ranked {
            let (accepted, rest, refused) = self.value(men, tried, weights, DEPTH)?;
            let value = accepted + rest;
            if best.as_ref().is_none_or(|(most, _)| value > *most) {
                let choice = Choice {
                    tried,
                    accepted,
                    refused,
                };
                best = Some((value, choice));
            }
        }
        best.map(|(_, choice)| choice)
    }

    /// Returns the tries that are accepted for at least one square of the lone king and were not
    /// refused before, with their values, the best first.
    fn ranked(&self, men: OwnMen, weights: &Weights, refused: &[Try]) -> Vec<(f32, Try)> {
        let tries = men.tries().into_iter();
        let mut ranked: Vec<(f32, Try)> = tries
            .filter(|tried| !refused.contains(tried))
            .filter_map(|tried| {
                let (accepted, rest, _) = self.value(men, tried, weights, 0)?;
                Some((accepted + rest, tried))
            })
            .collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
        ranked
    }

    /// Returns two values of a try, and the squares of the lone king for which the try is refused.
    /// The first value is the value after the try was accepted, multiplied by the weight of the
    /// squares for which it is accepted. The second value is the value after the try was refused,
    /// multiplied by the weight of the squares for which it is refused. `depth` is the number of
    /// further own moves to search. Returns `None` if the try is never accepted.
    fn value(
        &self,
        men: OwnMen,
        tried: Try,
        weights: &Weights,
        depth: u8,
    ) -> Option<(f32, f32, Bitboard)> {
        let kings = support(weights);
        let outcome = TryOutcome::of(men, tried, kings, self.told);
        if outcome.refused == kings {
            return None;
        }
        let mut going_on = 0.0;
        for heard in &outcome.heard {
            let after = replied(self.distances, &outcome, weights, *heard);
            going_on += self.standing(outcome.men, &after, depth);
        }
        let times = self.past.iter().filter(|men| **men == outcome.men).count();
        let factor = REPEATED.powi(times.min(9) as i32);
        let accepted = sum(weights, outcome.mate) + factor * going_on;
        let rest = within(weights, outcome.refused);
        Some((accepted, self.standing(men, &rest, 0), outcome.refused))
    }

    /// Returns the value of a position with the own side to move, multiplied by the sum of
    /// `weights`.
    fn standing(&self, men: OwnMen, weights: &Weights, depth: u8) -> f32 {
        let still = self.still(men, weights);
        let total: f32 = weights.iter().sum();
        // If the mate is nearly certain, a search would hardly change the value.
        if depth == 0 || still >= 0.996 * total {
            return still;
        }
        let ranked = self.ranked(men, weights, &[]);
        ranked.first().map_or(0.0, |(value, _)| *value)
    }

    /// Returns the value of a position without search, multiplied by the sum of `weights`.
    fn still(&self, men: OwnMen, weights: &Weights) -> f32 {
        let total: f32 = weights.iter().sum();
        if total <= 0.0 {
            return 0.0;
        }
        let part = |solved: &SolvedTable| solved.best_part(men, weights, self.limit);
        if let Some((covered, moves)) = self.solved.and_then(part) {
            let covered_value = covered * (1.0 - 0.0001 * f32::from(moves));
            return covered_value + (total - covered) * UNCOVERED;
        }
        // The value is lower if the mate takes longer, and if more squares are possible.
        let squares = support(weights).count() as f32;
        let distance = self.mean_distance(men, weights) + 2.0 * squares.log2();
        total * (1.0 - distance / 200.0).max(0.0)
    }

    /// Returns the mean number of own moves that a mate would take if the lone king were visible.
    fn mean_distance(&self, men: OwnMen, weights: &Weights) -> f32 {
        let total: f32 = weights.iter().sum();
        let mut moves = 0.0;
        for square in support(weights) {
            let distance = self.distances.get(men, square).map_or(100.0, f32::from);
            moves += weights[square.to_usize()] * distance;
        }
        moves / total.max(f32::MIN_POSITIVE)
    }
}
