//! Legal moves that a text names in the true position.

use notation::{MoveText, Pattern, Takes};
use referee::kernel::Position;
use rules::{PromotionMan, Try};

/// The legal moves that a text names, by the true position.
///
/// A promotion without a man is a queen's. If several moves fit, and exactly
/// one of them gives check where the text marks one, or none where it does
/// not, that one is meant, as the old books have it.
pub fn named_moves(position: &Position, text: &MoveText) -> Vec<Try> {
    let fits = all_fits(position, text);
    if fits.len() < 2 {
        return fits;
    }
    let marked = text.marks.check.is_some();
    let as_marked: Vec<Try> = fits
        .iter()
        .copied()
        .filter(|t| gives_check(position, *t) == marked)
        .collect();
    if as_marked.len() == 1 {
        as_marked
    } else {
        fits
    }
}

/// As [`named_moves`], without the help of check marks.
pub(super) fn all_fits(position: &Position, text: &MoveText) -> Vec<Try> {
    let own = position.own(position.turn());
    let mut fits = Vec::new();
    for reading in &text.readings {
        reading.imagined(&own, PromotionMan::QueenUnlessNamed, &mut |t| {
            let passing = text.marks.en_passant;
            if !fits.contains(&t)
                && position.is_legal(t)
                && takes_as_written(position, reading, passing, t)
            {
                fits.push(t);
            }
        });
    }
    fits.sort_unstable();
    fits
}

fn takes_as_written(position: &Position, reading: &Pattern, passing: bool, t: Try) -> bool {
    let taken = position.captured_by(t);
    if passing && !taken.is_some_and(|taken| taken.en_passant) {
        return false;
    }
    match reading {
        Pattern::Castling(_) | Pattern::Drop { .. } => true,
        Pattern::Step(step) => {
            let said = match step.takes {
                Takes::Yes => taken.is_some(),
                Takes::No => taken.is_none(),
                Takes::Unsaid => true,
            };
            said && step
                .victim
                .is_none_or(|victim| taken.is_some_and(|taken| taken.role == victim))
        }
    }
}

/// The position after a legal move.
fn after(position: &Position, t: Try) -> Position {
    let mut next = *position;
    // Where the captured man goes changes nothing of check and mate.
    next.play(t, false);
    next
}

/// Whether a legal move gives check.
pub(super) fn gives_check(position: &Position, t: Try) -> bool {
    after(position, t).checkers().any()
}

/// Whether a legal move gives check, and whether it is mate.
pub(super) fn check_and_mate(position: &Position, t: Try) -> (bool, bool) {
    let next = after(position, t);
    let check = next.checkers().any();
    (check, check && !next.any_legal())
}
