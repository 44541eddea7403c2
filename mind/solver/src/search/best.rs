//! The greatest part of a belief against which one policy mates.
//!
//! A core is a set of positions without a forced mate: every policy fails in at least one of its
//! positions. A *hitting set* contains at least one position of each core. Every policy fails in at
//! least one position of each core, so the positions in which it fails are a hitting set. If all
//! positions of a hitting set are left out, the remaining positions contain no core, so one policy
//! mates against all of them. So the best policy fails in a hitting set of least weight.
//!
//! The search keeps a list of known cores. It leaves out a lightest hitting set of these cores, and
//! tries to solve the remaining positions. If there is a forced mate against the remaining
//! positions, no policy mates against a greater weight. Otherwise the search has found a new core,
//! and repeats these steps. No step assumes anything about the order of attempts, so the result is
//! correct under every ruleset.

use std::rc::Rc;

use rules::TurnState;

use crate::policy::Policy;

use super::beliefs::{Beliefs, Item};

/// Maximum size of a core that the search tries to make smaller.
const MAX_SHORTENED: usize = 24;
/// Maximum number of steps of one search for a lightest hitting set.
const MAX_STEPS: u32 = 20_000;
/// Difference of weights that is ignored, as a share of the total weight.
const ROUNDING: f64 = 1e-12;

/// A policy, the positions against which it mates, and two bounds. The weight of the positions
/// against which the best policy mates is between these bounds.
#[derive(Clone, PartialEq, Debug)]
pub struct BestPolicy {
    /// The policy mates against these positions, whatever the opponent plays. The numbers are
    /// indices into the positions of the question, in increasing order.
    pub positions: Vec<usize>,
    /// The policy. `None` if the search found no position against which a policy mates.
    pub policy: Option<Rc<Policy>>,
    /// Weight of `positions`, divided by the weight of all positions.
    pub lower: f64,
    /// Upper bound: no policy mates against a greater share. Equal to `lower` if the policy is
    /// proved to be the best.
    pub upper: f64,
    /// Number of positions examined.
    pub nodes: u64,
}

/// A search for the best policy.
pub(super) struct BestSearch<'s, 'a> {
    search: &'s mut Beliefs<'a>,
    items: &'s [Item],
    moves: u8,
    turn: &'s TurnState,
    /// Weights of the items.
    weights: Vec<f64>,
    cores: Vec<Vec<u32>>,
    /// The solved set with the greatest weight so far: weight, items and policy.
    found: Option<(f64, Vec<u32>, Rc<Policy>)>,
}

/// Result of a search for the best policy.
pub(super) struct BestFound {
    /// The policy, and the items that it mates against.
    pub policy: Option<(Vec<u32>, Rc<Policy>)>,
    /// Weight of these items.
    pub lower: f64,
    /// Upper bound: no policy mates against items of a greater weight.
    pub upper: f64,
}

impl<'s, 'a> BestSearch<'s, 'a> {
    /// Prepares a search. `weights` has the weight of each position of the question.
    pub(super) fn new(
        search: &'s mut Beliefs<'a>,
        items: &'s [Item],
        moves: u8,
        turn: &'s TurnState,
        weights: &[f64],
    ) -> BestSearch<'s, 'a> {
        let weight = |item: &Item| weights[item.origin as usize];
        BestSearch {
            weights: items.iter().map(weight).collect(),
            search,
            items,
            moves,
            turn,
            cores: Vec::new(),
            found: None,
        }
    }

    /// Searches until the bounds are equal, until `stop` returns true, or until there are too many
    /// cores.
    pub(super) fn run(mut self, stop: &dyn Fn() -> bool) -> BestFound {
        // If there is no forced mate in a single position, this position is a core by itself. It is
        // left out.
        let mut left: Vec<u32> = Vec::new();
        for (i, item) in self.items.iter().enumerate() {
            let mates =
                self.search.stopped() || self.search.ordinary.mates(&item.position, self.moves);
            if mates || self.search.stopped() {
                left.push(i as u32);
            }
        }
        let all = self.weight(&left);
        let rounding = ROUNDING * self.weights.iter().sum::<f64>();
        let mut upper = all;
        if !self.search.stopped() {
            // First look for cores without common positions. Each such core lowers the upper bound.
            let mut rest = left.clone();
            while let Some(core) = self.core(&rest) {
                rest.retain(|i| !core.contains(i));
                self.cores.push(core);
            }
        }
        loop {
            let hitting = lightest_hitting_set(&self.cores, &self.weights);
            upper = upper.min(all - hitting.at_least);
            if self.lower() >= upper - rounding || self.search.stopped() || stop() {
                break;
            }
            let known = self.cores.len();
            let mut rest = left.clone();
            rest.retain(|i| !hitting.set.contains(i));
            // Leave out one position of each new core until the rest is solved.
            while let Some(core) = self.core(&rest) {
                let lightest = self.lightest(&core);
                rest.retain(|i| Some(*i) != lightest);
                self.cores.push(core);
                if stop() {
                    break;
                }
            }
            if self.cores.len() == known {
                // The rest is solved, or a limit has ended the search. If the rest is solved and the
                // hitting set is a lightest one, the bounds are now equal. If there are too many
                // cores to find a lightest one, the search ends with the bounds found so far.
                break;
            }
        }
        let lower = self.lower();
        if upper - lower <= rounding {
            upper = lower;
        }
        BestFound {
            policy: self.found.map(|(_, items, policy)| (items, policy)),
            lower,
            upper,
        }
    }

    fn lower(&self) -> f64 {
        self.found.as_ref().map_or(0.0, |(weight, ..)| *weight)
    }

    /// Returns the lightest position of a core. Among positions of equal weight, returns the
    /// position that is in the greatest number of cores.
    fn lightest(&self, core: &[u32]) -> Option<u32> {
        let often = |i: u32| self.cores.iter().filter(|one| one.contains(&i)).count();
        core.iter().copied().min_by(|a, b| {
            let [one, two] = [a, b].map(|i| self.weights[*i as usize]);
            one.total_cmp(&two)
                .then_with(|| often(*b).cmp(&often(*a)))
                .then(a.cmp(b))
        })
    }

    fn weight(&self, set: &[u32]) -> f64 {
        set.iter().map(|i| self.weights[*i as usize]).sum()
    }

    fn solve(&mut self, set: &[u32]) -> Result<Rc<Policy>, Vec<u32>> {
        let items: Vec<Item> = set.iter().map(|i| self.items[*i as usize]).collect();
        let found = self.search.solve_first(&items, self.moves, self.turn);
        found.map_err(|core| core.iter().map(|i| set[*i as usize]).collect())
    }

    /// Searches for a policy that mates against all positions of a set. Returns `None` if there is
    /// such a policy, or if a limit has ended the search. Otherwise returns a core that is a part
    /// of the set.
    fn core(&mut self, set: &[u32]) -> Option<Vec<u32>> {
        if set.is_empty() {
            return None;
        }
        let mut core = match self.solve(set) {
            _ if self.search.stopped() => return None,
            Ok(policy) => {
                let weight = self.weight(set);
                if weight > self.lower() || self.found.is_none() {
                    self.found = Some((weight, set.to_vec(), policy));
                }
                return None;
            }
            Err(core) => core,
        };
        if core.is_empty() {
            core = set.to_vec();
        }
        core.sort_unstable();
        core.dedup();
        // Make the core smaller: remove a position if the other positions are still a core.
        let mut at = 0;
        while at < core.len() && core.len() > 1 && core.len() <= MAX_SHORTENED {
            let mut less = core.clone();
            less.remove(at);
            match self.solve(&less) {
                _ if self.search.stopped() => break,
                Ok(_) => at += 1,
                Err(_) => core = less,
            }
        }
        Some(core)
    }
}

/// A set that contains at least one position of every core.
struct HittingSet {
    set: Vec<u32>,
    /// Lower bound for the weight of every hitting set.
    at_least: f64,
}

/// Returns a hitting set of least weight. If the search takes too many steps, returns the lightest
/// hitting set found so far, and a lower bound.
fn lightest_hitting_set(cores: &[Vec<u32>], weights: &[f64]) -> HittingSet {
    let mut whole = HittingSet {
        set: Vec::new(),
        at_least: 0.0,
    };
    for part in separate(cores) {
        let mut hunt = HittingSearch {
            cores: part,
            weights,
            chosen: Vec::new(),
            excluded: Vec::new(),
            best: None,
            steps: 0,
        };
        let bound = hunt.bound();
        hunt.greedy();
        hunt.branch(0.0);
        let (weight, set) = hunt.best.unwrap_or_default();
        whole.set.extend(set);
        whole.at_least += if hunt.steps > MAX_STEPS {
            bound
        } else {
            weight
        };
    }
    whole
}

/// Groups the cores so that cores of different groups have no position in common. Each group can
/// then be searched alone.
fn separate(cores: &[Vec<u32>]) -> Vec<Vec<&[u32]>> {
    let mut parts: Vec<(Vec<u32>, Vec<&[u32]>)> = Vec::new();
    for core in cores {
        let (touched, mut others): (Vec<_>, Vec<_>) = parts
            .into_iter()
            .partition(|(all, _)| core.iter().any(|i| all.contains(i)));
        let mut joined = (core.clone(), vec![core.as_slice()]);
        for (all, its) in touched {
            joined.0.extend(all);
            joined.1.extend(its);
        }
        joined.0.sort_unstable();
        joined.0.dedup();
        others.push(joined);
        parts = others;
    }
    parts.into_iter().map(|(_, its)| its).collect()
}

/// A search for a lightest hitting set.
struct HittingSearch<'a> {
    cores: Vec<&'a [u32]>,
    weights: &'a [f64],
    chosen: Vec<u32>,
    excluded: Vec<u32>,
    best: Option<(f64, Vec<u32>)>,
    steps: u32,
}

impl HittingSearch<'_> {
    fn weight(&self, i: u32) -> f64 {
        self.weights[i as usize]
    }

    fn is_met(&self, core: &[u32]) -> bool {
        core.iter().any(|i| self.chosen.contains(i))
    }

    /// Returns the positions of a core that may still be chosen.
    fn open(&self, core: &[u32]) -> Vec<u32> {
        let mut open = core.to_vec();
        open.retain(|i| !self.excluded.contains(i));
        open
    }

    /// Returns a lower bound for the weight of the positions that must still be chosen. At least
    /// one position of each core must be chosen. So the bound takes cores that have no position in
    /// common, and adds up the least weight in each of these cores.
    fn bound(&self) -> f64 {
        let mut used: Vec<u32> = Vec::new();
        let mut needed = 0.0;
        for core in &self.cores {
            if self.is_met(core) || core.iter().any(|i| used.contains(i)) {
                continue;
            }
            let lightest = self.open(core).into_iter().map(|i| self.weight(i));
            needed += lightest.reduce(f64::min).unwrap_or(f64::INFINITY);
            used.extend_from_slice(core);
        }
        needed
    }

    /// Finds a first hitting set. In each step, computes a quotient for each position: the number
    /// of cores that contain this position but no chosen position, divided by the weight of the
    /// position. Chooses the position with the greatest quotient.
    fn greedy(&mut self) {
        let mut sum = 0.0;
        loop {
            let mut counts: Vec<(u32, u32)> = Vec::new();
            for core in self.cores.iter().filter(|one| !self.is_met(one)) {
                for i in *core {
                    match counts.iter_mut().find(|(other, _)| other == i) {
                        Some((_, count)) => *count += 1,
                        None => counts.push((*i, 1)),
                    }
                }
            }
            let value = |(i, count): &(u32, u32)| f64::from(*count) / self.weight(*i).max(1e-300);
            let Some((i, _)) = counts
                .into_iter()
                .max_by(|a, b| value(a).total_cmp(&value(b)).then(b.0.cmp(&a.0)))
            else {
                break;
            };
            sum += self.weight(i);
            self.chosen.push(i);
        }
        self.best = Some((sum, std::mem::take(&mut self.chosen)));
    }

    fn branch(&mut self, sum: f64) {
        self.steps += 1;
        if self.steps > MAX_STEPS {
            return;
        }
        let best = self.best.as_ref().map_or(f64::INFINITY, |(sum, _)| *sum);
        if sum + self.bound() >= best {
            return;
        }
        let unmet = self.cores.iter().filter(|one| !self.is_met(one));
        let Some(mut open) = unmet.map(|one| self.open(one)).min_by_key(Vec::len) else {
            self.best = Some((sum, self.chosen.clone()));
            return;
        };
        open.sort_by(|a, b| self.weight(*a).total_cmp(&self.weight(*b)));
        let before = self.excluded.len();
        for i in open {
            self.chosen.push(i);
            self.branch(sum + self.weight(i));
            self.chosen.pop();
            self.excluded.push(i);
        }
        self.excluded.truncate(before);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lightest_hitting_set_is_found() {
        let weights = [1.0, 3.0, 1.0, 1.0, 0.5, 2.0];
        let cores = [vec![0, 1], vec![1, 2], vec![1, 3], vec![4, 5]];
        let hitting = lightest_hitting_set(&cores, &weights);
        // Two hitting sets have this weight. One contains position 1, the other contains positions
        // 0, 2 and 3 in its place.
        assert_eq!(hitting.at_least, 3.5);
        let weight: f64 = hitting.set.iter().map(|i| weights[*i as usize]).sum();
        assert_eq!(weight, 3.5);
        assert!(
            cores
                .iter()
                .all(|one| one.iter().any(|i| hitting.set.contains(i)))
        );
    }
}
