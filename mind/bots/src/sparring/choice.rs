//! Chooses a try by its value in many guesses.

use rules::{
    Choices, Own, Try, TryLimit,
    chess::{Bitboard, Rank},
};

use super::{belief::Weighted, guess::config_key, told::MoveFacts, worth::worth};
use crate::dice::Dice;

/// Every try is first judged in at most this number of guesses.
const JUDGES: usize = 56;

/// This many of the best tries are judged again, in all guesses.
const AGAIN: usize = 6;

/// Earlier placements of our men, used to avoid repetitions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Past {
    /// Keys of the placements of our men, one after each of our moves since the last irreversible
    /// move.
    pub configs: Vec<u64>,
}

impl Past {
    /// Records a completed move.
    pub fn moved(&mut self, before: &Own, told: &MoveFacts, after: &Own) {
        let ours = told.by == after.color;
        let pawn = ours
            && told
                .played
                .and_then(Try::from)
                .is_some_and(|from| before.men.pawn.contains(from));
        let lasting = pawn || told.capture.is_some() || told.lost.is_some() || told.drop.is_some();
        if lasting {
            self.configs.clear();
        }
        if ours {
            self.configs.push(config_key(after));
        }
    }

    /// Returns how often our men have had this placement.
    pub fn times(&self, own: &Own) -> usize {
        let key = config_key(own);
        self.configs.iter().filter(|k| **k == key).count()
    }
}

/// A try, and its value if it is legal.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Judged {
    /// The try.
    pub t: Try,
    /// Probability that the try is legal.
    pub legal: f32,
    /// Value of the try if it is legal, in pawns.
    pub worth: f32,
}

/// Judges every try in the guesses with the greatest weights. If some guesses were left out, judges
/// the best tries again in all guesses, and returns only these tries. The best try comes first.
///
/// A refused try costs little. So the value of a try is its mean value in the guesses in which it
/// is legal, even if these guesses have little weight.
pub(crate) fn judge(
    choices: &Choices,
    guesses: &[Weighted],
    own: &Own,
    tries: &[Try],
    past: &Past,
    dice: &mut Dice,
) -> Vec<Judged> {
    let mut judges = guesses.to_vec();
    judges.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    judges.truncate(JUDGES);
    let total: f32 = judges.iter().map(|w| w.weight).sum();
    let mut by = |judges: &[Weighted], total: f32, t: Try| {
        let (mut legal, mut sum) = (0.0, 0.0);
        for Weighted { guess, weight } in judges {
            if let Some((after, _)) = guess.play(t) {
                legal += weight;
                sum += weight * worth(choices, &after);
            }
        }
        let noise = dice.below(1000) as f32 * 0.00004;
        let worth = if legal > 0.0 {
            sum / legal + noise + habit(choices, own, t, past, legal / total)
        } else {
            // The try is legal in no guess, so it comes after all other tries.
            -1000.0 + noise
        };
        Judged {
            t,
            legal: legal / total.max(f32::MIN_POSITIVE),
            worth,
        }
    };
    let mut judged: Vec<Judged> = tries.iter().map(|t| by(&judges, total, *t)).collect();
    judged.sort_by(|a, b| b.worth.total_cmp(&a.worth));
    if guesses.len() > JUDGES {
        let total: f32 = guesses.iter().map(|w| w.weight).sum();
        for best in judged.iter_mut().take(AGAIN) {
            *best = by(guesses, total, best.t);
        }
        judged.truncate(AGAIN);
        judged.sort_by(|a, b| b.worth.total_cmp(&a.worth));
    }
    judged
}

/// Returns a bonus (positive) or penalty (negative) for a try, in pawns. The bonus depends on our
/// men and on the probability `legal`, but not on the guessed men.
fn habit(choices: &Choices, own: &Own, t: Try, past: &Past, legal: f32) -> f32 {
    let mut sum = 0.0;
    let mut after = *own;
    after.play(t);
    // If this placement of our men occurs again, the position may occur again. A third occurrence
    // of the position can end the game in a draw.
    sum -= match past.times(&after) {
        0 => 0.0,
        1 => 0.4,
        _ => 8.0,
    };
    if own.is_castling(t) {
        sum += 0.5;
    }
    if own.is_pawn_capture(t) {
        // A legal pawn capture wins at least a pawn.
        sum += 0.4;
    }
    if legal < 0.1 {
        // A value that comes from few guesses is unreliable.
        sum -= 0.2;
    }
    if choices.try_limit == TryLimit::Three && own.is_pawn_capture(t) && legal < 0.3 {
        sum -= 3.0;
    }
    if let Try::Step { from, .. } = t
        && own.men.queen.contains(from)
        && own.men.pawn.count() == 8
    {
        sum -= 0.1;
    }
    let bring = Bitboard::from_rank(own.color.relative_rank(Rank::First))
        & (own.men.knight | own.men.bishop);
    if t.from().is_some_and(|from| bring.contains(from)) {
        sum += 0.1;
    }
    sum
}

/// Chooses a try for the case that all tries are illegal in all guesses. Prefers a move to the
/// square where we just lost a man, then a pawn capture, then a random try.
pub(crate) fn blind(own: &Own, tries: &[Try], hit: Bitboard, dice: &mut Dice) -> Option<Try> {
    let at_hit = tries.iter().find(|t| hit.contains(t.to()));
    let capture = tries.iter().find(|t| own.is_pawn_capture(**t));
    at_hit.or(capture).copied().or_else(|| dice.pick(tries))
}
