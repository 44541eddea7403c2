//! Questions that a belief answers.

use std::collections::HashMap;

use rules::{SeatVerdict, Try, chess::Role, seat_verdict};

use crate::{
    belief::{Belief, Set, with_pool},
    envelope::Envelope,
    expand::Expansion,
    hidden::Hidden,
    known::Known,
    marginals::Marginals,
    men::Men,
    moves::Moves,
    regime::Regime,
    report::Report,
    sample::{Draws, thin},
    situation::{Situation, clock},
};

/// The possible answers to a try of the seat: the probability of each answer, and the information
/// that the answers would give. If the belief keeps no position, all probabilities are 0.
///
/// ```
/// use belief::Belief;
/// use rules::{chess::Color, rulesets};
///
/// let wild16 = rulesets::by_id("wild16").expect("the id names a ruleset").choices;
/// let white = Belief::usual(wild16, Color::White);
/// let e4 = white.prospect("e2e4".parse()?);
/// assert_eq!((e4.moved, e4.no, e4.information_bits), (1.0, 0.0, 0.0));
/// assert!(white.prospect("e2e5".parse()?).decided);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Prospect {
    /// Probability that the try is legal and is played.
    pub moved: f64,
    /// Probability that the try is answered "no" because it is illegal in the
    /// true position.
    pub no: f64,
    /// Whether the seat's own knowledge already decides the answer. The answers "nonsense" and
    /// "repeat no" are decided in this way. The answer "no" is decided if the seat's own men make
    /// the try impossible. If the answer is decided, the other fields are 0 or empty.
    pub decided: bool,
    /// The possible reports of the move with their probabilities, the most
    /// probable first. The probabilities add up to `moved`.
    pub reports: Vec<(Report, f64)>,
    /// Average information of the answer in bits: the entropy of what the seat
    /// would hear.
    pub information_bits: f64,
}

impl Belief {
    /// Calls `visit` with each kept position and its weight. The weights add up
    /// to 1.
    pub fn each_position(&self, mut visit: impl FnMut(&Situation, f64)) {
        let total = self.total();
        with_pool!(&self.set, pool => {
            for entry in &pool.entries {
                let men = entry.hidden.unpack();
                visit(&Situation::with_men(&self.known, &men), entry.weight / total);
            }
        });
    }

    /// Calls `visit` with the opponent's men and the weight of each kept position.
    fn each_men(&self, mut visit: impl FnMut(&Men, f64)) {
        let total = self.total();
        with_pool!(&self.set, pool => {
            for entry in &pool.entries {
                visit(&entry.hidden.unpack(), entry.weight / total);
            }
        });
    }

    /// Returns the kept positions with their weights, the most probable first;
    /// at most `most` positions.
    pub fn positions(&self, most: usize) -> Vec<(Situation, f64)> {
        let total = self.total();
        with_pool!(&self.set, pool => {
            let mut order: Vec<usize> = (0..pool.entries.len()).collect();
            let by_weight = |a: &usize, b: &usize| {
                let (a, b) = (&pool.entries[*a], &pool.entries[*b]);
                b.weight.total_cmp(&a.weight).then(a.hidden.cmp(&b.hidden))
            };
            if order.len() > most && most > 0 {
                order.select_nth_unstable_by(most - 1, by_weight);
            }
            order.truncate(most);
            order.sort_unstable_by(by_weight);
            let entries = order.into_iter().map(|i| &pool.entries[i]);
            entries
                .map(|entry| {
                    let men = entry.hidden.unpack();
                    (Situation::with_men(&self.known, &men), entry.weight / total)
                })
                .collect()
        })
    }

    /// Counts in each kept position the opponent's moves that agree with a report, and returns the
    /// sum of these counts. Meaningful only in the opponent's turn.
    pub fn replies(&self, report: &Report) -> u64 {
        let expansion = Expansion {
            choices: &self.choices,
            known: &self.known,
            turn: &self.turn,
            report,
            model: &self.settings.model,
            compat: self.settings.compat,
        };
        let mut moves = Moves::none(&self.choices);
        with_pool!(&self.set, pool => {
            let mut found = Vec::new();
            let mut replies = 0;
            for entry in &pool.entries {
                expansion.expand(entry, &mut moves, &mut found);
                if found.len() >= 1 << 12 {
                    replies += found.len() as u64;
                    found.clear();
                }
            }
            replies + found.len() as u64
        })
    }

    /// Returns a copy of the belief. If the belief has more than `most` positions, the copy has
    /// about `most` of them, drawn at random according to their weights. The copy is meant for
    /// [`prospect`](Belief::prospect), which takes less time with fewer positions.
    pub fn sample(&self, most: usize) -> Belief {
        let mut sample = self.clone();
        let mut draws = Draws::new();
        with_pool!(&mut sample.set, pool => thin(&mut pool.entries, most, &mut draws));
        sample
    }

    /// Draws `n` positions at random according to their weights, with replacement. The same seed
    /// draws the same positions. Draws none if no position is kept.
    pub fn draw(&self, n: usize, seed: u64) -> Vec<Situation> {
        let mut draws = Draws::seeded(seed);
        with_pool!(&self.set, pool => {
            let mut sum = 0.0;
            let sums = pool.entries.iter().map(|entry| {
                sum += entry.weight;
                sum
            });
            let sums: Vec<f64> = sums.collect();
            let Some(last) = sums.len().checked_sub(1) else {
                return Vec::new();
            };
            let drawn = (0..n).map(|_| {
                let at = draws.unit() * sums[last];
                let index = sums.partition_point(|sum| *sum <= at).min(last);
                let men = pool.entries[index].hidden.unpack();
                Situation::with_men(&self.known, &men)
            });
            drawn.collect()
        })
    }

    fn total(&self) -> f64 {
        let total: f64 = with_pool!(&self.set, pool => {
            pool.entries.iter().map(|entry| entry.weight).sum()
        });
        if total > 0.0 { total } else { 1.0 }
    }

    /// Returns whether a position is one of the kept positions. The half-move clock
    /// is not compared.
    pub fn contains(&self, situation: &Situation) -> bool {
        let passed = self.known.passed;
        let known = situation.known();
        if (Known { passed, ..known }) != self.known {
            return false;
        }
        let same = |men: &Men| Men { quiet: 0, ..*men };
        let sought = same(&situation.men());
        with_pool!(&self.set, pool => {
            pool.entries.iter().any(|entry| same(&entry.hidden.unpack()) == sought)
        })
    }

    /// Returns one probability for each pair of a square and a role: the probability that a man of
    /// the opponent with this role is on this square. If no position is kept, the probabilities
    /// follow from the envelope: all squares that the envelope allows for a role are equally likely
    /// for a man of this role.
    pub fn marginals(&self) -> Marginals {
        let mut marginals = Marginals::zero();
        if self.kept() == 0 && self.regime == Regime::EnvelopeOnly {
            marginals.spread(&self.envelope(), &self.certain());
            return marginals;
        }
        self.each_men(|men, weight| marginals.add(men, weight));
        marginals
    }

    /// Returns, for each role, the squares on which a man of the opponent can be. The result is
    /// correct in every regime.
    pub fn envelope(&self) -> Envelope {
        if let Some(envelope) = self.envelope {
            return envelope;
        }
        let mut envelope = Envelope::default();
        let color = self.known.seat().other();
        let mut add = |men: &Men| {
            envelope.add(men);
            envelope.counts.add_pawns(men.by_role.pawn, color);
        };
        self.each_men(|men, _| add(men));
        with_pool!(&self.set, pool => {
            for entry in &pool.ended_by_refusal {
                add(&entry.hidden.unpack());
            }
        });
        envelope
    }

    /// Returns the entropy of the kept positions, in bits.
    pub fn entropy(&self) -> f64 {
        let mut bits = 0.0;
        self.each_men(|_, p| {
            if p > 0.0 {
                bits -= p * p.log2();
            }
        });
        bits
    }

    /// Returns the effective sample size: 1 divided by the sum of the squared
    /// weights.
    pub fn effective_size(&self) -> f64 {
        let mut squares = 0.0;
        self.each_men(|_, p| squares += p * p);
        if squares > 0.0 { 1.0 / squares } else { 0.0 }
    }

    /// Returns whether all possible positions are kept.
    pub fn is_complete(&self) -> bool {
        matches!(self.regime, Regime::Exact | Regime::Superset)
    }

    /// Returns the possible answers to a try that the seat could make now.
    ///
    /// Meaningful only in the seat's turn.
    pub fn prospect(&self, t: Try) -> Prospect {
        let view = self.view();
        let own = view.own();
        let what = own.with_default_promotion(t, self.choices.promotion_man);
        let decided = !matches!(
            seat_verdict(&self.choices, own, view.turn(), what),
            SeatVerdict::Open
        );
        let mut prospect = Prospect {
            moved: 0.0,
            no: 0.0,
            decided,
            reports: Vec::new(),
            information_bits: 0.0,
        };
        if decided {
            return prospect;
        }
        let role = match what {
            Try::Drop { role, .. } => role,
            Try::Step { from, .. } => own.role_at(from).unwrap_or(Role::Pawn),
        };
        let mut reports: HashMap<Report, f64> = HashMap::new();
        self.each_position(|situation, weight| {
            let mut position = situation.position;
            if !position.is_legal(what) {
                prospect.no += weight;
                return;
            }
            prospect.moved += weight;
            let taken = position.play_man(what, role, self.known.drops);
            let quiet = clock(situation.quiet, role, taken.is_some(), &self.choices);
            let seat = self.known.seat();
            let report = Report::of(&self.choices, seat, what, taken, &position, quiet);
            *reports.entry(report).or_default() += weight;
        });
        let mut reports: Vec<(Report, f64)> = reports.into_iter().collect();
        reports.sort_by(|(a, p), (b, q)| {
            q.total_cmp(p)
                .then_with(|| format!("{a:?}").cmp(&format!("{b:?}")))
        });
        let shares = reports.iter().map(|(_, p)| *p).chain([prospect.no]);
        prospect.information_bits = shares
            .filter(|p| *p > 0.0)
            .map(|p| -p * p.log2())
            .sum::<f64>()
            .max(0.0);
        prospect.reports = reports;
        prospect
    }
}
