//! A fitted model of the opponent.

use std::{
    fmt,
    str::FromStr,
    sync::{Arc, LazyLock},
};

use position::Position;
use rules::chess::{Bitboard, Role, Square, attacks};

use super::feature::{Mask, NAMES, Scene, seen_by, still};
use crate::{known::Known, moves::Moves};

/// The first line of a file of weights.
const FORM: &str = "kriegspiel-opponent 1";

/// The built-in weights. docs/belief.md says how they were fitted and which seed was
/// used.
const SHIPPED: &str = include_str!("fitted.txt");

/// Share of the uniform model in the mixture that [`Opponent`] describes.
pub(crate) const UNIFORM_SHARE: f64 = 0.05;
/// Share of the adversary in the mixture that [`Opponent`] describes. The adversary sees all men.
pub(crate) const ADVERSARY_SHARE: f64 = 0.05;

/// A fitted model of how the opponent chooses a move. It is a softmax over features of the move,
/// mixed with 5 % of the uniform model and 5 % of an adversary.
///
/// The features of a move are things that the opponent knows before the move, or often guesses.
/// Examples are the role of the man, its squares, whether the move recaptures, whether other men of
/// the opponent protect the target square, and whether the seat attacks it. The adversary is an imagined opponent that sees all men, and plays
/// one of the moves that win the most material immediately.
///
/// The text form has a header line, then one line for each feature with its
/// name and weight.
///
/// ```
/// use belief::Opponent;
///
/// let shipped = Opponent::shipped();
/// let text = shipped.to_string();
/// assert!(text.starts_with("kriegspiel-opponent 1\n"));
/// assert_eq!(text.parse::<Opponent>()?, *shipped);
/// assert!("retake_pawn 2.5".parse::<Opponent>().is_err());
/// # Ok::<(), belief::OpponentError>(())
/// ```
#[derive(Clone)]
pub struct Opponent {
    /// Weight of each feature: the logarithm of its factor.
    weights: Vec<f64>,
    /// Factor of each feature. The score of a move is the product of the
    /// factors of its features.
    factors: Vec<f64>,
    /// For each role, origin and target square: the product of the factors of those features that
    /// depend on nothing else. `place` computes the index.
    table: Box<[f32]>,
}

impl fmt::Debug for Opponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map()
            .entries(NAMES.iter().zip(&self.weights))
            .finish()
    }
}

impl PartialEq for Opponent {
    fn eq(&self, other: &Opponent) -> bool {
        self.weights == other.weights
    }
}

/// Error: the text is not a file of opponent weights.
///
/// ```
/// use belief::{Opponent, OpponentError};
///
/// assert_eq!("".parse::<Opponent>(), Err(OpponentError::Form));
/// ```
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum OpponentError {
    /// The first line is not the format header.
    #[error("the first line is not `{FORM}`: this file does not contain opponent weights")]
    Form,
    /// A line is not the name of a feature and its weight.
    #[error("line {line}: `{text}` is not the name of a feature and its weight")]
    Line {
        /// Line number, from 1.
        line: usize,
        /// The first 60 characters of the line.
        text: String,
    },
    /// A weight is outside -20 to 20.
    #[error("line {line}: a weight must be between -20 and 20")]
    Weight {
        /// Line number, from 1.
        line: usize,
    },
}

impl FromStr for Opponent {
    type Err = OpponentError;

    fn from_str(text: &str) -> Result<Opponent, OpponentError> {
        let mut weights = vec![0.0; NAMES.len()];
        let mut lines = (1..).zip(text.lines());
        if lines.next().is_none_or(|(_, first)| first.trim() != FORM) {
            return Err(OpponentError::Form);
        }
        for (line, text) in lines {
            if text.trim().is_empty() || text.starts_with('#') {
                continue;
            }
            let wrong = || OpponentError::Line {
                line,
                text: text.chars().take(60).collect(),
            };
            let (name, weight) = text.trim().split_once(' ').ok_or_else(wrong)?;
            let at = NAMES.iter().position(|known| *known == name);
            let weight: f64 = weight.trim().parse().map_err(|_| wrong())?;
            if !(-20.0..=20.0).contains(&weight) {
                return Err(OpponentError::Weight { line });
            }
            weights[at.ok_or_else(wrong)?] = weight;
        }
        Ok(Opponent::of(weights))
    }
}

impl fmt::Display for Opponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{FORM}")?;
        for (name, weight) in NAMES.iter().zip(&self.weights) {
            writeln!(f, "{name} {weight:.4}")?;
        }
        Ok(())
    }
}

impl Opponent {
    /// Returns the model that is built into the crate.
    pub fn shipped() -> Arc<Opponent> {
        static MODEL: LazyLock<Arc<Opponent>> = LazyLock::new(|| {
            let model: Opponent = SHIPPED.parse().expect("the built-in weights are valid");
            Arc::new(model)
        });
        Arc::clone(&MODEL)
    }

    /// Returns a model with these weights, rounded to 4 decimals as in the text
    /// form.
    pub(crate) fn of(weights: Vec<f64>) -> Opponent {
        let weights: Vec<f64> = weights.iter().map(|w| (w * 1e4).round() / 1e4).collect();
        let factors: Vec<f64> = weights.iter().map(|w| w.exp()).collect();
        let mut table = vec![1.0f32; 6 * 64 * 64];
        for role in Role::ALL {
            for from in Square::ALL {
                for to in Square::ALL {
                    table[place(role, from, to)] = product(&factors, still(role, from, to)) as f32;
                }
            }
        }
        Opponent {
            weights,
            factors,
            table: table.into(),
        }
    }

    pub(crate) fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// Writes probabilities to `shares`: first one for each move, in the order of `moves`, then one
    /// for each of `drops` drops.
    pub(crate) fn shares(
        &self,
        scene: &Scene,
        known: &Known,
        moves: &Moves,
        drops: usize,
        shares: &mut Vec<f64>,
    ) {
        shares.clear();
        let guarded = scene.attacked;
        let mut gains: Vec<i8> = Vec::with_capacity(shares.capacity());
        let color = scene.own.color;
        let mut total = 0.0;
        for man in moves.men() {
            let from = seen_by(color, man.from);
            for to in man.targets {
                let still = self.table[place(man.role, from, seen_by(color, to))];
                moves.each_to(man, to, |t| {
                    let promotion = match t {
                        rules::Try::Step { promotion, .. } => promotion,
                        rules::Try::Drop { .. } => None,
                    };
                    let moving = scene.moving(man.role, man.from, to, promotion);
                    let weight = f64::from(still) * product(&self.factors, moving);
                    total += weight;
                    shares.push(weight);
                    gains.push(gain(known, guarded, man.role, to, promotion));
                });
            }
        }
        // The features do not describe drops, so each drop gets the mean score of the other moves.
        let mean = if shares.is_empty() {
            1.0
        } else {
            total / shares.len() as f64
        };
        shares.resize(shares.len() + drops, mean);
        gains.resize(shares.len(), 0);
        total += mean * drops as f64;
        mix(shares, &gains, total);
    }
}

/// Turns scores that add up to `total` into probabilities, and mixes them with
/// the uniform model and the adversary. `gains` are the adversary's gains by
/// the moves.
pub(crate) fn mix(shares: &mut [f64], gains: &[i8], total: f64) {
    let best = gains.iter().copied().max().unwrap_or(0);
    let ties = gains.iter().filter(|gain| **gain == best).count();
    let even = UNIFORM_SHARE / shares.len().max(1) as f64;
    let adverse = ADVERSARY_SHARE / ties.max(1) as f64;
    let scale = (1.0 - UNIFORM_SHARE - ADVERSARY_SHARE) / total;
    for (share, gain) in shares.iter_mut().zip(gains) {
        let adverse = if *gain == best { adverse } else { 0.0 };
        *share = *share * scale + even + adverse;
    }
}

#[inline]
fn place(role: Role, from: Square, to: Square) -> usize {
    ((role as usize - 1) << 12) | (from.to_usize() << 6) | to.to_usize()
}

#[inline]
fn product(factors: &[f64], mask: Mask) -> f64 {
    let mut product = 1.0;
    let mut left = mask;
    while left != 0 {
        product *= factors[left.trailing_zeros() as usize];
        left &= left - 1;
    }
    product
}

const fn value(role: Role) -> i8 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 0,
    }
}

/// Returns the squares that the seat's men attack. On these squares the seat could recapture.
pub(crate) fn guarded(known: &Known, position: &Position) -> Bitboard {
    let (m, color) = (&known.own.men, known.own.color);
    let occupied = position.occupied();
    let mut all = Bitboard::EMPTY;
    for sq in m.pawn {
        all |= attacks::pawn_attacks(color, sq);
    }
    for sq in m.knight {
        all |= attacks::knight_attacks(sq);
    }
    for sq in m.bishop | m.queen {
        all |= attacks::bishop_attacks(sq, occupied);
    }
    for sq in m.rook | m.queen {
        all |= attacks::rook_attacks(sq, occupied);
    }
    for sq in m.king {
        all |= attacks::king_attacks(sq);
    }
    all
}

/// Returns the material that the adversary gains by a move. It is the value of the captured man and
/// of a promotion, minus the value of the moved man if the seat could recapture it.
#[inline]
pub(crate) fn gain(
    known: &Known,
    guarded: Bitboard,
    role: Role,
    to: Square,
    promotion: Option<Role>,
) -> i8 {
    let taken = known.own.role_at(to).map_or(0, value);
    let becomes = promotion.map_or(0, |man| value(man) - 1);
    let lost = if guarded.contains(to) {
        value(role) + becomes
    } else {
        0
    };
    taken + becomes - lost
}
