//! Solved sets of squares of the lone king.

use std::{cmp::Reverse, collections::BTreeMap};

use rules::{
    CheckTold, Try,
    chess::{Bitboard, Role},
};

use super::{
    OwnMen, TryOutcome,
    geometry::Symmetry,
    placements::{Placements, in_parallel},
};

/// Maximum number of own moves of the mates in a table, because of the fifty-move rule.
const MAX_MOVES: u8 = 50;

/// Costs of a repeated placement of the men, in moves. Which cost is used depends on how often the
/// placement occurred before: never, once, or more often.
const REPETITION_COSTS: [f64; 3] = [0.0, 0.5, 1000.0];

/// A plan may be longer than the fastest mate by this number of own moves, if every fastest plan
/// makes a placement occur for the third time.
const DETOUR: u8 = 10;

/// A family of sets of squares. No set of a family contains another set of the family.
type Family = Vec<u64>;

/// The solved sets of some endings, for every placement of the men.
///
/// A set of squares is solved in n moves if one policy mates a lone king on any square of the set
/// within n own moves. The mating side is to move. If a set is solved in n moves, each of its
/// subsets is solved in n moves too. So for each n, the table leaves out every set that lies within
/// a larger set solved in n moves. A query checks whether a set of the table contains the set in
/// question.
#[derive(Clone, Debug)]
pub struct SolvedTable {
    told: CheckTold,
    placements: Placements,
    /// For each placement: solved sets, each with its least number of moves, sorted by this number.
    /// No set of the list lies within another set with the same number of moves. But a set can lie
    /// within a set with a greater number of moves.
    solved: Vec<Vec<(u64, u8)>>,
    /// For each placement: the sets of `solved` that no other set of `solved` contains.
    greatest: Vec<Vec<(u64, u8)>>,
    /// Greatest number of moves of a set.
    moves: u8,
}

/// Sizes of a table.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct TableSize {
    /// Number of placements of the men. Placements that are images of each other by symmetry count
    /// as one.
    pub placements: usize,
    /// Number of solved sets, over all placements and numbers of moves.
    pub sets: usize,
    /// Greatest number of moves of a set.
    pub moves: u8,
}

/// A forced mate, with the tries of the next turn.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Plan {
    /// The policy mates within this number of own moves.
    pub moves: u8,
    /// The tries of this turn, in order. The seat makes a try only if all earlier tries of the list
    /// were refused. Wherever the king is, one try of the list is accepted.
    pub tries: Vec<Try>,
}

/// A try in one placement, prepared for the computation of a table.
struct Step {
    /// Placement after the try.
    next: usize,
    /// Symmetry from the placement `next` to the men after the try.
    symmetry: Symmetry,
    outcome: TryOutcome,
}

impl SolvedTable {
    /// Computes the table of the endings with a king and one of these men. If a pawn is given, the
    /// roles that the pawn can become must be given too.
    ///
    /// `width` is the maximum number of sets for one placement and one number of moves. If there
    /// are more sets, the smallest sets are dropped. Every set in the table is a solved set even if
    /// sets were dropped. But some solved sets can be missing, and the numbers of moves can be too
    /// high.
    pub fn build(roles: &[Role], told: CheckTold, width: usize) -> SolvedTable {
        let endings: Vec<&[Role]> = roles.iter().map(std::slice::from_ref).collect();
        let placements = Placements::of(&endings);
        let steps = in_parallel(placements.all(), |men| steps(*men, &placements, told));
        let count = placements.all().len();
        let mut families: Vec<Family> = vec![Vec::new(); count];
        let mut solved: Vec<Vec<(u64, u8)>> = vec![Vec::new(); count];
        let mut changed = vec![true; count];
        for moves in 1..=MAX_MOVES {
            let due: Vec<usize> = (0..count)
                .filter(|at| steps[*at].iter().any(|step| changed[step.next]))
                .collect();
            let found = in_parallel(&due, |at| {
                let mut family = solve(&steps[*at], &families, &families[*at]);
                family.truncate(width);
                family
            });
            changed.fill(false);
            for (at, family) in due.into_iter().zip(found) {
                let before = solved[at].len();
                let new = family.iter().filter(|set| !families[at].contains(set));
                solved[at].extend(new.map(|set| (*set, moves)));
                changed[at] = solved[at].len() > before;
                families[at] = family;
            }
            if !changed.contains(&true) {
                break;
            }
        }
        let greatest = solved.iter().map(|sets| greatest(sets)).collect();
        let moves = solved.iter().flatten().map(|(_, moves)| *moves).max();
        SolvedTable {
            told,
            placements,
            solved,
            greatest,
            moves: moves.unwrap_or(0),
        }
    }

    /// Returns how the rulesets of this table announce a check.
    pub const fn check_announcement(&self) -> CheckTold {
        self.told
    }

    /// Whether the table knows the ending with these men.
    pub fn covers(&self, men: OwnMen) -> bool {
        self.placements.find(men).is_some()
    }

    /// Returns the least number of own moves for a forced mate against a lone king on any square of
    /// `kings`. One policy must mate on all these squares. Returns `None` if no mate can be forced
    /// within fifty moves, or if the table does not know the men. The mating side is to move.
    /// `kings` must not be empty, and must be a part of [`OwnMen::possible_kings`].
    pub fn mate_in(&self, men: OwnMen, kings: Bitboard) -> Option<u8> {
        let (at, symmetry) = self.placements.find(men)?;
        let kings = symmetry.set(kings.0);
        self.solved[at]
            .iter()
            .find(|(set, _)| kings & !set == 0)
            .map(|(_, moves)| *moves)
    }

    /// Returns the next tries of a policy that mates within [`SolvedTable::mate_in`] moves.
    ///
    /// `past` contains the own men at the start and after each earlier own move. If several tries
    /// keep the number of moves, the plan chooses the try with the fewest further moves on average.
    /// A placement that occurred before has an additional cost (`REPETITION_COSTS`), because the
    /// third occurrence of a position can be a draw. For the same reason, a plan is longer than
    /// `mate_in` if every plan of this length makes a placement occur for the third time.
    pub fn plan(&self, men: OwnMen, kings: Bitboard, past: &[OwnMen]) -> Option<Plan> {
        let fastest = self.mate_in(men, kings)?;
        let mut moves = fastest;
        let mut left = kings;
        let mut tries = Vec::new();
        while left.any() {
            let (within, tried, refused) = (fastest..=fastest + DETOUR)
                .find_map(|within| {
                    let (times, tried, refused) = self.best(men, left, past, within)?;
                    (times < 2).then_some((within, tried, refused))
                })
                .or_else(|| {
                    let (_, tried, refused) = self.best(men, left, past, fastest)?;
                    Some((fastest, tried, refused))
                })?;
            moves = moves.max(within);
            tries.push(tried);
            left = refused;
        }
        Some(Plan { moves, tries })
    }

    /// Returns the best try of a policy that mates a king on any square of `kings` within `moves`
    /// own moves: how often the placement after the try occurred before, the try, and the squares
    /// for which the try is refused. Returns `None` if there is no such try.
    fn best(
        &self,
        men: OwnMen,
        kings: Bitboard,
        past: &[OwnMen],
        moves: u8,
    ) -> Option<(usize, Try, Bitboard)> {
        let tries = men.tries().into_iter();
        let costs = tries.filter_map(|tried| {
            let outcome = TryOutcome::of(men, tried, kings, self.told);
            let moves_left = self.mean_after(&outcome, moves - 1)?;
            let times = past.iter().filter(|men| **men == outcome.men).count();
            let cost = moves_left + REPETITION_COSTS[times.min(2)];
            Some((cost, times, tried, outcome.refused))
        });
        let (_, times, tried, refused) = costs.min_by(|a, b| a.0.total_cmp(&b.0))?;
        Some((times, tried, refused))
    }

    /// Returns the number of further own moves after a try: the mean over all squares on which the
    /// try is accepted. Returns `None` if the try is never accepted, or if it does not lead to a
    /// mate within `limit` further moves.
    fn mean_after(&self, outcome: &TryOutcome, limit: u8) -> Option<f64> {
        let mut squares = outcome.mate.count();
        if outcome.stalemate.any() || outcome.loses.any() {
            return None;
        }
        let mut sum = 0.0;
        for heard in &outcome.heard {
            let moves = self.mate_in(outcome.men, outcome.replies(*heard))?;
            if moves > limit {
                return None;
            }
            squares += heard.count();
            sum += f64::from(moves) * heard.count() as f64;
        }
        (squares > 0).then(|| sum / squares as f64)
    }

    /// Compares all sets that are solved in `limit` moves. `weights` contains the weight of every
    /// square. The weight of a set is the sum of the weights of its squares. Returns the greatest
    /// weight of a set, and the number of moves of this set; both are 0 if no set has a weight.
    /// Returns `None` if the table does not know the men.
    pub fn best_part(&self, men: OwnMen, weights: &[f32; 64], limit: u8) -> Option<(f32, u8)> {
        let (at, symmetry) = self.placements.find(men)?;
        let mut turned = [0.0; 64];
        let mut support = 0;
        for (square, weight) in rules::chess::Square::ALL.into_iter().zip(weights) {
            if *weight > 0.0 {
                let image = symmetry.square(square);
                turned[image.to_usize()] = *weight;
                support |= 1 << image.to_u32();
            }
        }
        let mut best = (0.0, 0);
        let sets = if limit >= self.moves {
            &self.greatest[at]
        } else {
            &self.solved[at]
        };
        for (set, moves) in sets {
            if *moves > limit {
                continue;
            }
            let weight = Bitboard(set & support)
                .into_iter()
                .map(|square| turned[square.to_usize()])
                .sum();
            if weight > best.0 {
                best = (weight, *moves);
            }
        }
        Some(best)
    }

    /// Returns the solved sets of a placement, each with its number of moves, sorted by this
    /// number. A set is listed even if a later set contains it.
    pub fn solved_sets(&self, men: OwnMen) -> Vec<(Bitboard, u8)> {
        let Some((at, symmetry)) = self.placements.find(men) else {
            return Vec::new();
        };
        let back = symmetry.inverse();
        let image = |(set, moves): &(u64, u8)| (Bitboard(back.set(*set)), *moves);
        self.solved[at].iter().map(image).collect()
    }

    /// Returns the greatest solved sets of the placement with this index, each with its number of
    /// moves. A solved set is left out if it is a subset of another solved set.
    pub(super) fn greatest(&self, at: usize) -> &[(u64, u8)] {
        &self.greatest[at]
    }

    /// Returns the index of the placement that represents the men, and a symmetry. The symmetry
    /// turns the men into that placement.
    pub(super) fn find(&self, men: OwnMen) -> Option<(usize, Symmetry)> {
        self.placements.find(men)
    }

    /// Returns the placements of the table. One placement represents all its images.
    pub fn placements(&self) -> &[OwnMen] {
        self.placements.all()
    }

    /// Returns the sizes of the table.
    pub fn size(&self) -> TableSize {
        TableSize {
            placements: self.solved.len(),
            sets: self.solved.iter().map(Vec::len).sum(),
            moves: self.moves,
        }
    }
}

/// Prepares the tries of a placement. A try is left out if the men after the try are not in the
/// table.
fn steps(men: OwnMen, placements: &Placements, told: CheckTold) -> Vec<Step> {
    let kings = men.possible_kings();
    let step = |tried| {
        let outcome = TryOutcome::of(men, tried, kings, told);
        let (next, symmetry) = placements.find(outcome.men)?;
        Some(Step {
            next,
            symmetry: symmetry.inverse(),
            outcome,
        })
    };
    men.tries().into_iter().filter_map(step).collect()
}

/// Takes the families of the sets that are solved in n moves. Computes the maximal sets that are
/// solved in n + 1 moves. A set is maximal if no other of these sets contains it. `before` is the
/// family of the same placement for n moves.
fn solve(steps: &[Step], families: &[Family], before: &Family) -> Family {
    let mut sets = before.clone();
    // Tries that are refused on the same squares form a group. The key of a group is the set of
    // these squares. The entry of the group is a list of sets of squares. Each set of the list
    // belongs to one try of the group: on all squares of the set, this try is accepted, and leads
    // to mate or to solved sets.
    let mut refusable: BTreeMap<u64, Family> = BTreeMap::new();
    for step in steps {
        let accepted = accepted(step, &families[step.next]);
        match step.outcome.refused.0 {
            0 => sets.extend(accepted),
            refused => refusable.entry(refused).or_default().extend(accepted),
        }
    }
    for accepted in refusable.values_mut() {
        *accepted = maximal(std::mem::take(accepted));
    }
    sets = maximal(sets);
    // A try can split a set into two parts: the squares where the try is refused, and the squares
    // where it is accepted. The set is solved if two conditions hold: the first part is a solved
    // set, and the try leads from the second part to mate or to solved sets.
    loop {
        let mut more = Vec::new();
        for (refused, accepted) in &refusable {
            let rests = sets.iter().map(|set| set & refused).chain([0]);
            for rest in maximal(rests.collect()) {
                more.extend(accepted.iter().map(|set| set | rest));
            }
        }
        more.retain(|set| *set != 0);
        let more = maximal(more);
        if more.iter().all(|set| is_within(*set, &sets)) {
            return sets;
        }
        sets.extend(more);
        sets = maximal(sets);
    }
}

/// Computes the maximal sets of squares on which the try is accepted and leads to mate or to solved
/// sets.
fn accepted(step: &Step, next: &Family) -> Family {
    let outcome = &step.outcome;
    let certain: Vec<u64> = next
        .iter()
        .map(|goal| outcome.certain(step.symmetry.set(*goal)))
        .collect();
    let mut sets = vec![outcome.mate.0];
    for heard in &outcome.heard {
        let parts = certain.iter().map(|set| set & heard.0).chain([0]);
        let parts = maximal(parts.collect());
        sets = sets
            .iter()
            .flat_map(|set| parts.iter().map(move |part| set | part))
            .collect();
    }
    sets.retain(|set| *set != 0);
    sets
}

/// Returns the sets that no other set contains.
fn greatest(sets: &[(u64, u8)]) -> Vec<(u64, u8)> {
    let all = maximal(sets.iter().map(|(set, _)| *set).collect());
    let is_greatest = |(set, _): &&(u64, u8)| all.contains(set);
    sets.iter().filter(is_greatest).copied().collect()
}

/// Whether one of the sets contains `set`.
fn is_within(set: u64, sets: &[u64]) -> bool {
    sets.iter().any(|other| set & !other == 0)
}

/// Returns the sets that no other set contains, the largest first.
fn maximal(mut sets: Vec<u64>) -> Family {
    sets.sort_unstable_by_key(|set| (Reverse(set.count_ones()), *set));
    sets.dedup();
    let mut kept: Family = Vec::new();
    for set in sets {
        if !is_within(set, &kept) {
            kept.push(set);
        }
    }
    kept
}
