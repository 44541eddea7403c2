//! Legal moves in the true position that fit a text.

use notation::{MoveText, Pattern, Takes};
use position::Position;
use rules::{PromotionMan, Try};

/// Returns the legal moves that fit a text, in the true position.
///
/// A promotion without a piece is a promotion to a queen. If several moves fit, the check mark can
/// decide, as in old books. If exactly one of the moves gives check and the text has a check mark,
/// only this move is returned. If exactly one of the moves gives no check and the text has no check
/// mark, only that move is returned.
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

/// Does the same as [`named_moves`], but ignores check marks.
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
            let agrees = match step.takes {
                Takes::Yes => taken.is_some(),
                Takes::No => taken.is_none(),
                Takes::Unsaid => true,
            };
            agrees
                && step
                    .victim
                    .is_none_or(|victim| taken.is_some_and(|taken| taken.role == victim))
        }
    }
}

/// Returns the position after a legal move.
fn after(position: &Position, t: Try) -> Position {
    let mut next = *position;
    // The reserve of the side that moved has no effect on check and mate.
    next.play(t, false);
    next
}

/// Checks whether a legal move gives check.
pub(super) fn gives_check(position: &Position, t: Try) -> bool {
    after(position, t).checkers().any()
}

/// Checks whether a legal move gives check, and whether it gives mate.
pub(super) fn check_and_mate(position: &Position, t: Try) -> (bool, bool) {
    let next = after(position, t);
    let check = next.checkers().any();
    (check, check && !next.any_legal())
}
