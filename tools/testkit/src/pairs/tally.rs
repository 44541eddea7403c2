//! Counts over many compared pairs.

use std::collections::BTreeMap;

use super::{Pair, compare::Compared};

/// Counts over many compared pairs.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub struct Tally {
    /// Number of pairs.
    pub pairs: u64,
    /// Number of pairs by ruleset; random rulesets are counted as `custom`.
    pub by_rules: BTreeMap<String, u64>,
    /// Number of pairs by listener.
    pub by_listener: BTreeMap<String, u64>,
    /// Number of pairs in which the true boards differed after five or more
    /// moves in a row.
    pub five: u64,
    /// Number of pairs with two different start positions.
    pub two_openings: u64,
    /// Number of pairs with attempts that the listener does not hear.
    pub whispered: u64,
    /// Number of completed moves in the longest pair.
    pub longest: u32,
    /// The counts of all pairs, added up.
    pub sum: Compared,
}

impl Tally {
    /// Adds the counts of a compared pair.
    pub fn add(&mut self, pair: &Pair, compared: &Compared) {
        self.pairs += 1;
        *self.by_rules.entry(pair.rules().to_owned()).or_default() += 1;
        let listener = format!("{:?}", pair.listener);
        *self.by_listener.entry(listener).or_default() += 1;
        self.five += u64::from(compared.differing >= 5);
        self.two_openings += u64::from(pair.opened[0].start != pair.opened[1].start);
        self.whispered += u64::from(compared.whispers > 0);
        self.longest = self.longest.max(compared.plies);
        self.sum.add(compared);
    }

    /// Adds the counts of other pairs.
    pub fn merge(&mut self, other: &Tally) {
        self.pairs += other.pairs;
        for (rules, n) in &other.by_rules {
            *self.by_rules.entry(rules.clone()).or_default() += n;
        }
        for (listener, n) in &other.by_listener {
            *self.by_listener.entry(listener.clone()).or_default() += n;
        }
        self.five += other.five;
        self.two_openings += other.two_openings;
        self.whispered += other.whispered;
        self.longest = self.longest.max(other.longest);
        self.sum.add(&other.sum);
    }

    /// Returns the counts as lines, each with a name and a number.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec![
            format!(
                "pairs of games in which the listener hears the same {}",
                self.pairs
            ),
            format!(
                "pairs whose boards differ for five consecutive plies or more {}",
                self.five
            ),
            format!(
                "pairs with two different start positions {}",
                self.two_openings
            ),
            format!("pairs with private attempts added {}", self.whispered),
            format!("longest pair, plies {}", self.longest),
            format!("plies {}", self.sum.plies),
            format!(
                "longest run of plies with different boards {}",
                self.sum.differing
            ),
            format!("private attempts added {}", self.sum.whispers),
            format!(
                "refused tries among the private attempts {}",
                self.sum.refusals
            ),
            format!("views compared {}", self.sum.views),
            format!("views rebuilt from JSON {}", self.sum.rebuilt),
            format!("lists of tries compared {}", self.sum.tries),
            format!("refusal texts compared {}", self.sum.texts),
            format!(
                "compared verdicts that do not depend on the true position {}",
                self.sum.verdicts
            ),
            format!("bytes compared {}", self.sum.bytes),
        ];
        for (rules, n) in &self.by_rules {
            lines.push(format!("pairs under {rules} {n}"));
        }
        for (listener, n) in &self.by_listener {
            lines.push(format!("pairs for listener {listener} {n}"));
        }
        for (kind, n) in &self.sum.kinds {
            lines.push(format!("heard {kind} {n}"));
        }
        lines
    }
}
