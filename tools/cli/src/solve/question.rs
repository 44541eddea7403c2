//! One question to the solver, and the answer.

use std::time::{Duration, Instant};

use belief::{Belief, Compat, Regime, Situation};
use problems::certificate::Certificate;
use problems::certify::{mate_certificate, no_mate_certificate};
use rules::Choices;
use serde_json::{Value, json};
use solver::search::{BestPolicy, Decision, MateQuestion, SearchLimits, Solver};

use super::args::{Args, Weights};
use crate::{games::counted, interrupt::Work};

/// Maximum number of nodes of a certificate.
const MAX_NODES: usize = 1_000_000;

/// A question to the solver: in every position of a belief, can the seat force mate in a number of
/// own moves?
pub(super) struct Asked {
    pub(super) question: MateQuestion,
    /// The probability of each position.
    weights: Vec<f64>,
    /// Whether the question includes all possible positions.
    complete: bool,
    /// Whether the question includes only possible positions.
    all_possible: bool,
}

/// The answer to a question.
pub(super) struct Answered {
    /// The decision. It is "undecided" if the solver's verdict is not valid for the belief. If the
    /// solver examined positions that are not possible, the verdict "no mate" is not valid. If the
    /// solver examined only a sample of the possible positions, the verdict "mate" is not valid.
    pub(super) decision: Decision,
    pub(super) nodes: u64,
}

impl Asked {
    pub(super) fn of(
        belief: &Belief,
        choices: Choices,
        compat: Option<Compat>,
        moves: u8,
    ) -> Asked {
        let mut positions: Vec<Situation> = Vec::with_capacity(belief.kept());
        let mut weights = Vec::with_capacity(belief.kept());
        belief.each_position(|one, weight| {
            positions.push(*one);
            weights.push(weight);
        });
        let regime = belief.regime();
        Asked {
            question: MateQuestion {
                choices,
                compat,
                positions,
                moves,
                turn: belief.view().turn().clone(),
            },
            weights,
            complete: matches!(regime, Regime::Exact | Regime::Superset),
            all_possible: matches!(regime, Regime::Exact | Regime::Sampled),
        }
    }

    /// The same question under the ruleset alone, without the rules of `--compat`.
    pub(super) fn by_referee(&self) -> Asked {
        Asked {
            question: MateQuestion {
                compat: None,
                ..self.question.clone()
            },
            weights: self.weights.clone(),
            ..*self
        }
    }

    /// Asks the solver.
    pub(super) fn answer(
        &self,
        solver: &mut Solver,
        args: &Args,
        began: Instant,
        work: &Work,
    ) -> Result<Answered, String> {
        let stop = stop(args, began, work);
        let limits = SearchLimits {
            nodes: args.nodes.unwrap_or(u64::MAX),
            stop: &stop,
        };
        let outcome = solver
            .solve(&self.question, limits)
            .map_err(|error| error.to_string())?;
        let decision = match outcome.decision {
            Decision::Mate(policy) if self.complete => Decision::Mate(policy),
            Decision::NoMate(core) if self.all_possible => Decision::NoMate(core),
            Decision::Mate(_) | Decision::NoMate(_) | Decision::Undecided => Decision::Undecided,
        };
        Ok(Answered {
            decision,
            nodes: outcome.nodes,
        })
    }

    /// Returns every try with which the mate can begin, as a list. Returns `None` if there is no
    /// mate, if the user did not ask for the list, or if the list cannot be made.
    pub(super) fn first_tries(
        &self,
        solver: &mut Solver,
        answered: &Answered,
        args: &Args,
        work: &Work,
    ) -> Option<Vec<String>> {
        if !args.all || !matches!(answered.decision, Decision::Mate(_)) {
            return None;
        }
        let stop = stop(args, Instant::now(), work);
        let limits = SearchLimits {
            nodes: args.nodes.unwrap_or(u64::MAX),
            stop: &stop,
        };
        let tries = solver.first_tries(&self.question, limits).ok()??;
        Some(tries.into_iter().map(|t| t.to_string()).collect())
    }

    /// Returns the policy that mates against the greatest share of the positions. Returns `None`
    /// if the user did not ask for this policy.
    pub(super) fn best(
        &self,
        solver: &mut Solver,
        answered: &Answered,
        args: &Args,
        work: &Work,
    ) -> Option<BestPolicy> {
        if !args.best {
            return None;
        }
        if let Decision::Mate(policy) = &answered.decision {
            return Some(BestPolicy {
                positions: (0..self.question.positions.len()).collect(),
                policy: Some(policy.clone()),
                lower: 1.0,
                upper: 1.0,
                nodes: 0,
            });
        }
        let stop = stop(args, Instant::now(), work);
        let limits = SearchLimits {
            nodes: args.nodes.unwrap_or(u64::MAX),
            stop: &stop,
        };
        let weights = match args.weights {
            Weights::Replies => self.weights.clone(),
            Weights::Equal => vec![1.0; self.weights.len()],
        };
        solver.best(&self.question, &weights, limits).ok()
    }

    /// Makes the certificate of the best policy. The certificate has only the positions against
    /// which this policy mates.
    pub(super) fn best_certificate(&self, best: &BestPolicy, rules: &str) -> Option<Certificate> {
        let policy = best.policy.as_ref()?;
        let positions = best.positions.iter().map(|i| self.question.positions[*i]);
        let positions: Vec<Situation> = positions.collect();
        let moves = self.question.moves;
        Some(mate_certificate(rules, moves, &positions, policy))
    }

    /// Makes the certificate of an answer. Returns `None` if none can be made.
    pub(super) fn certificate(
        &self,
        solver: &mut Solver,
        answered: &Answered,
        rules: &str,
        work: &Work,
    ) -> Option<Certificate> {
        let question = &self.question;
        match &answered.decision {
            Decision::Mate(policy) => Some(mate_certificate(
                rules,
                question.moves,
                &question.positions,
                policy,
            )),
            Decision::NoMate(core) => {
                let stop = || work.is_stopped();
                let limits = SearchLimits {
                    nodes: u64::MAX,
                    stop: &stop,
                };
                let nodes = solver.refute(question, core, limits, MAX_NODES).ok()??;
                let positions: Vec<Situation> =
                    core.iter().map(|i| question.positions[*i]).collect();
                Some(no_mate_certificate(
                    rules,
                    question.moves,
                    &positions,
                    &nodes,
                ))
            }
            Decision::Undecided => None,
        }
    }
}

/// Returns the best policy as JSON.
pub(super) fn best_json(best: &BestPolicy, of: usize) -> Value {
    json!({
        "lower": best.lower,
        "upper": best.upper,
        "positions": best.positions.len(),
        "of": of,
    })
}

/// Returns the best policy in words, without the tries.
pub(super) fn best_words(best: &BestPolicy, of: usize) -> String {
    let (lower, upper) = (100.0 * best.lower, 100.0 * best.upper);
    let positions = format!(
        "{} of {}",
        best.positions.len(),
        counted(of as u64, "position")
    );
    if best.policy.is_none() {
        return format!(
            "no policy that mates is known; no policy mates against more than {upper:.2} % of the weight"
        );
    }
    let most = if best.lower == best.upper {
        "no policy mates against more".to_owned()
    } else {
        format!("no policy mates against more than {upper:.2} %")
    };
    format!("the best policy mates against {lower:.2} % of the weight ({positions}); {most}")
}

/// Returns a function that says whether the search must stop.
fn stop<'a>(args: &Args, began: Instant, work: &'a Work) -> impl Fn() -> bool + use<'a> {
    let limit = args.limit.map(Duration::from_secs_f64);
    move || work.is_stopped() || limit.is_some_and(|limit| began.elapsed() >= limit)
}
