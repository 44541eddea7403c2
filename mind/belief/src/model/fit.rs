//! Fits a model of the opponent to recorded games.

use rules::{
    Choices, Heard, Start, Try,
    chess::{Color, Role},
};

use super::{
    cues::Cues,
    feature::{Mask, NAMES, Scene},
    opponent::{Opponent, gain, guarded, mix},
};
use crate::{
    hearing::{Hearing, Step},
    moves::Moves,
    situation::Situation,
};

/// What one seat heard in a recorded game, used to study the opponent's
/// choices.
///
/// ```
/// use belief::{Decisions, Situation, Study};
/// use rules::{Start, chess::Color, rulesets};
/// use views::PlayerView;
///
/// let wild16 = rulesets::by_id("wild16").expect("the id names a ruleset").choices;
/// let own = *PlayerView::initial(wild16, Color::Black).own();
/// let start = Start { rules: "wild16".into(), own: Some(own), reserves: Default::default() };
/// let mut study = Study::open(wild16, Color::Black, &start);
/// let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// let truth = Situation::from_fen(&wild16, Color::Black, fen)?;
/// let mut decisions = Decisions::default();
/// // White chose e2-e4 among twenty legal moves. Black has not heard about it
/// // yet.
/// study.decide(&truth, "e2e4".parse()?, &mut decisions);
/// assert_eq!(decisions.len(), 1);
/// let uniform = decisions.likelihood(None);
/// assert!((uniform.per_move - -(20.0f64).ln()).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Study {
    choices: Choices,
    hearing: Hearing,
    cues: Cues,
}

impl Study {
    /// Returns a study at the start of a game.
    pub fn open(choices: Choices, seat: Color, start: &Start) -> Study {
        Study {
            choices,
            hearing: Hearing::open(choices, seat, start),
            cues: Cues::default(),
        }
    }

    /// Updates the study with one thing that the seat heard.
    pub fn hear(&mut self, heard: &Heard) {
        match self.hearing.take(heard) {
            Some(Step::Opened(report)) => self.cues.in_check = report.check.is_some(),
            Some(Step::Moved(what, report)) => self.cues.own_move(what, &report),
            Some(Step::TheyMoved(report)) => self.cues.their_move(&report),
            Some(Step::Refused { .. } | Step::Any(_) | Step::Theirs(_) | Step::Ended(_)) | None => {
            }
        }
    }

    /// Records the opponent's choice in the true situation. Must be called
    /// before the seat hears about the move. Drops and illegal tries are not
    /// recorded.
    pub fn decide(&self, truth: &Situation, played: Try, into: &mut Decisions) {
        let position = truth.position;
        let known = truth.known();
        let mut moves = Moves::none(&self.choices);
        moves.list(&position);
        let own = position.own(position.turn());
        let covered = guarded(&known, &position);
        let scene = Scene::new(&own, self.cues, &known.own, covered);
        let from = into.masks.len();
        let mut chosen = None;
        moves.each(|role: Role, t| {
            let Try::Step {
                from: square,
                to,
                promotion,
            } = t
            else {
                return;
            };
            if t == played {
                chosen = Some(into.masks.len() - from);
            }
            into.masks.push(scene.features(role, square, to, promotion));
            into.gains.push(gain(&known, covered, role, to, promotion));
        });
        match chosen {
            Some(chosen) => into.list.push(Decision {
                moves: into.masks.len() - from,
                chosen,
            }),
            None => {
                into.masks.truncate(from);
                into.gains.truncate(from);
            }
        }
    }
}

/// One recorded choice: the number of legal moves, and the index of the chosen
/// move.
#[derive(Copy, Clone, Debug)]
struct Decision {
    moves: usize,
    chosen: usize,
}

/// A measure of how well a model explains recorded decisions.
///
/// ```
/// use belief::{Decisions, Likelihood};
///
/// let none = Decisions::default().likelihood(None);
/// assert_eq!(none, Likelihood { per_move: 0.0, decisions: 0 });
/// ```
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Likelihood {
    /// Mean natural logarithm of the probability of the chosen move.
    pub per_move: f64,
    /// Number of decisions.
    pub decisions: usize,
}

/// Choices of players among their legal moves, as recorded by
/// [`Study::decide`].
///
/// ```
/// use belief::Decisions;
///
/// // The example of `Study` records a decision. Without decisions there is no
/// // fit.
/// let decisions = Decisions::default();
/// assert!(decisions.is_empty() && decisions.fit().is_none());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Decisions {
    list: Vec<Decision>,
    /// The features of every move of every decision.
    masks: Vec<Mask>,
    /// The adversary's gain by each of these moves; see [`Opponent`].
    gains: Vec<i8>,
}

/// Strength of the ridge penalty, which pulls the weights towards 0.
const RIDGE: f64 = 2.0;
/// Maximum number of steps. Newton's method needs far fewer to converge.
const STEPS: usize = 30;

impl Decisions {
    /// Returns the number of decisions.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns whether there are no decisions.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Calls `visit` for each decision, with the features and the gains of its
    /// moves and the index of the chosen move.
    fn each(&self, mut visit: impl FnMut(&[Mask], &[i8], usize)) {
        let mut at = 0;
        for decision in &self.list {
            let end = at + decision.moves;
            visit(&self.masks[at..end], &self.gains[at..end], decision.chosen);
            at = end;
        }
    }

    /// Returns how well a model explains the decisions. The model is `opponent`, mixed with the
    /// uniform model and the adversary. If `opponent` is `None`, the model is the uniform model
    /// alone.
    pub fn likelihood(&self, opponent: Option<&Opponent>) -> Likelihood {
        let mut sum = 0.0;
        let mut shares = Vec::new();
        self.each(|masks, gains, chosen| {
            sum += match opponent {
                None => -(masks.len() as f64).ln(),
                Some(opponent) => {
                    shares.clear();
                    shares.extend(
                        masks
                            .iter()
                            .map(|mask| score(opponent.weights(), *mask).exp()),
                    );
                    let total = shares.iter().sum();
                    mix(&mut shares, gains, total);
                    shares[chosen].ln()
                }
            };
        });
        Likelihood {
            per_move: sum / self.len().max(1) as f64,
            decisions: self.len(),
        }
    }

    /// Fits the softmax by maximum likelihood, with Newton's method. The same
    /// decisions in the same order give the same weights. Returns `None` if
    /// there are no decisions.
    pub fn fit(&self) -> Option<Opponent> {
        if self.is_empty() {
            return None;
        }
        let n = NAMES.len();
        let mut weights = vec![0.0; n];
        for _ in 0..STEPS {
            let (slope, curve) = self.derivatives(&weights);
            let step = solved(curve, slope);
            // Far from the maximum, a step of Newton's method can be too long, so a long step is
            // shortened.
            let longest = step.iter().fold(0.0f64, |most, s| most.max(s.abs()));
            let scale = if longest > 2.0 { 2.0 / longest } else { 1.0 };
            for (weight, step) in weights.iter_mut().zip(&step) {
                *weight = (*weight + scale * step).clamp(-20.0, 20.0);
            }
            if longest < 1e-7 {
                break;
            }
        }
        Some(Opponent::of(weights))
    }

    /// Returns the gradient of the log-likelihood and the negative of its matrix of second
    /// derivatives. The gradient and the matrix include the ridge penalty.
    fn derivatives(&self, weights: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
        let n = weights.len();
        let mut slope: Vec<f64> = weights.iter().map(|w| -RIDGE * w).collect();
        let mut curve = vec![vec![0.0; n]; n];
        for (i, row) in curve.iter_mut().enumerate() {
            row[i] = RIDGE;
        }
        let mut shares = Vec::new();
        self.each(|masks, _, chosen| {
            shares.clear();
            shares.extend(masks.iter().map(|mask| score(weights, *mask).exp()));
            let total: f64 = shares.iter().sum();
            let mut mean = vec![0.0; n];
            for (share, mask) in shares.iter().zip(masks) {
                let p = share / total;
                each_bit(*mask, |i| {
                    mean[i] += p;
                    each_bit(*mask, |j| curve[i][j] += p);
                });
            }
            each_bit(masks[chosen], |i| slope[i] += 1.0);
            for (i, row) in curve.iter_mut().enumerate() {
                slope[i] -= mean[i];
                if mean[i] > 0.0 {
                    for (cell, other) in row.iter_mut().zip(&mean) {
                        *cell -= mean[i] * other;
                    }
                }
            }
        });
        (slope, curve)
    }
}

fn each_bit(mask: Mask, mut visit: impl FnMut(usize)) {
    let mut left = mask;
    while left != 0 {
        visit(left.trailing_zeros() as usize);
        left &= left - 1;
    }
}

fn score(weights: &[f64], mask: Mask) -> f64 {
    let mut sum = 0.0;
    each_bit(mask, |i| sum += weights[i]);
    sum
}

/// Solves the linear system `a * x = b` by Cholesky's method and returns `x`.
/// `a` must be positive definite.
fn solved(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for j in 0..n {
        for k in 0..j {
            for i in j..n {
                let product = a[i][k] * a[j][k];
                a[i][j] -= product;
            }
        }
        let root = a[j][j].max(1e-12).sqrt();
        for row in a.iter_mut().skip(j) {
            row[j] /= root;
        }
    }
    for i in 0..n {
        for k in 0..i {
            b[i] -= a[i][k] * b[k];
        }
        b[i] /= a[i][i];
    }
    for i in (0..n).rev() {
        for k in i + 1..n {
            b[i] -= a[k][i] * b[k];
        }
        b[i] /= a[i][i];
    }
    b
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cholesky_solves_a_system() {
        let a = vec![vec![4.0, 2.0], vec![2.0, 3.0]];
        let x = solved(a, vec![2.0, 5.0]);
        assert!(
            (x[0] + 0.5).abs() < 1e-12 && (x[1] - 2.0).abs() < 1e-12,
            "{x:?}"
        );
    }

    #[test]
    fn a_fit_finds_the_odds_of_two_kinds_of_move() {
        // In three of four decisions, the player has chosen the move with feature 3.
        let mut decisions = Decisions::default();
        for nth in 0..4_000 {
            decisions.masks.extend([1 << 3, 0]);
            decisions.gains.extend([0, 0]);
            let chosen = usize::from(nth % 4 == 0);
            decisions.list.push(Decision { moves: 2, chosen });
        }
        let opponent = decisions.fit().expect("there are decisions");
        assert!((opponent.weights()[3] - 3.0f64.ln()).abs() < 0.01);
        let fitted = decisions.likelihood(Some(&opponent));
        assert!(fitted.per_move > decisions.likelihood(None).per_move);
    }
}
