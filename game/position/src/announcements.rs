//! Announcements, computed from the choices and from a position without its history.
//!
//! The game announces what these functions return. A belief calls the same functions to find the
//! positions that agree with what a seat heard. Because both call the same functions, the belief
//! follows the same rules as the game.

use rules::{
    Audience, Capture, CaptureHeard, CaptureMan, CaptureSquare, CapturedMan, CheckTold, Choices,
    Directions, EnPassant, Fifty, Material, Mates, Over, PawnTries, PawnTrySquare, PromotionTold,
    Reason, ReserveUse, Stalemate, Threefold, Tries, Try, Winner,
    chess::{Color, Role},
};

use crate::{
    facts::Seen,
    position::{Captured, Position},
};

/// Returns who hears of a capture of `by`, besides the owner of the man that is lost; `None` if nobody does.
#[inline]
pub fn capture_audience(choices: &Choices, by: Color) -> Option<Audience> {
    match choices.capture_heard {
        CaptureHeard::Victim => None,
        CaptureHeard::Capturer => Some(Audience::Seat(by)),
        CaptureHeard::Both => Some(Audience::Everyone),
    }
}

/// Returns whether it is announced that a legal move promotes a pawn.
#[inline]
pub fn promotion(choices: &Choices, what: Try) -> bool {
    choices.promotion == PromotionTold::Side
        && matches!(
            what,
            Try::Step {
                promotion: Some(_),
                ..
            }
        )
}

/// Returns the announcement of a capture, for the listeners who may hear it.
#[inline]
pub fn capture(choices: &Choices, what: Try, taken: Captured) -> Capture {
    Capture {
        square: match choices.capture_square {
            CaptureSquare::Untold => None,
            CaptureSquare::Stood => Some(taken.square),
            CaptureSquare::Landing => Some(what.to()),
        },
        man: match choices.capture_man {
            CaptureMan::Untold => None,
            CaptureMan::Kind => Some(if taken.role == Role::Pawn {
                CapturedMan::Pawn
            } else {
                CapturedMan::Piece
            }),
            CaptureMan::Exact => Some(CapturedMan::Exactly(
                if choices.reserve == ReserveUse::Drops {
                    taken.reserve_role()
                } else {
                    taken.role
                },
            )),
        },
        en_passant: choices.en_passant == EnPassant::Said && taken.en_passant,
    }
}

/// Returns the check as announced under these choices; `None` if nothing is
/// announced.
#[inline]
pub fn check(choices: &Choices, check: Directions) -> Option<Directions> {
    match choices.check {
        CheckTold::Silent => None,
        CheckTold::Bare => (!check.is_empty()).then_some(Directions::NONE),
        CheckTold::Directions => (!check.is_empty()).then_some(check),
    }
}

/// Returns the announcement about the pawn tries of the side to move;
/// [`Tries::Untold`] if the ruleset does not announce them in every turn.
#[inline(always)]
pub fn tries(choices: &Choices, position: &Position, seen: &Seen) -> Tries {
    if matches!(choices.pawn_tries, PawnTries::Silent | PawnTries::OnRequest) {
        return Tries::Untold;
    }
    let tries = position.pawn_tries_seen(seen);
    match choices.pawn_tries {
        PawnTries::Silent | PawnTries::OnRequest => Tries::Untold,
        PawnTries::Whether => Tries::Whether(tries.count > 0),
        PawnTries::Count => Tries::Count(tries.count),
        PawnTries::Squares => Tries::Squares(match choices.pawn_try_square {
            PawnTrySquare::Landing => tries.landings,
            PawnTrySquare::Origin => tries.origins,
        }),
        PawnTries::SinglesAndDoubles => Tries::SinglesAndDoubles {
            singles: tries.landings & !tries.doubles,
            doubles: tries.doubles,
        },
    }
}

/// Returns the end of the game that a position causes, if any. The rules are
/// applied in the order of section 3.1 of the specification.
///
/// `check` and `any_legal` are about the side to move. `halfmoves` is the
/// number of half-moves since the last capture or pawn move. `occurrences` is
/// how often the position has occurred, including this time.
#[inline]
pub fn end(
    choices: &Choices,
    position: &Position,
    check: Directions,
    any_legal: bool,
    halfmoves: u32,
    occurrences: usize,
) -> Option<Over> {
    let draw = |reason| {
        Some(Over {
            winner: Winner::Draw,
            reason,
        })
    };
    if !any_legal && choices.mates == Mates::Announced {
        let mated = position.turn();
        return Some(if check.is_empty() {
            Over {
                winner: stalemate_winner(choices, mated),
                reason: Reason::Stalemate,
            }
        } else {
            Over {
                winner: Winner::from(mated.other()),
                reason: Reason::Checkmate,
            }
        });
    }
    let dead = match choices.material {
        Material::Off => false,
        Material::Dead => position.is_dead_material(),
        Material::OneMinorEach => position.is_one_minor_each(),
    };
    if dead {
        return draw(Reason::Insufficient);
    }
    if choices.threefold == Threefold::On && occurrences >= 3 {
        return draw(Reason::Threefold);
    }
    if choices.fifty == Fifty::On && halfmoves >= 100 {
        return draw(Reason::Fifty);
    }
    None
}

/// Returns the end of the game if the side to move has no legal move except pawn captures. The
/// caller must have checked that the limit is reached: three pawn captures of this turn were
/// answered "no".
pub fn exhausted(choices: &Choices, position: &Position) -> Option<Over> {
    if position.any_legal_but_pawn_captures() {
        return None;
    }
    let by = position.turn();
    let winner = if position.check_directions().is_empty() {
        stalemate_winner(choices, by)
    } else {
        Winner::from(by.other())
    };
    Some(Over {
        winner,
        reason: Reason::ExhaustedTries,
    })
}

/// Returns the result when a side is stalemated.
pub fn stalemate_winner(choices: &Choices, stalemated: Color) -> Winner {
    match choices.stalemate {
        Stalemate::Draw => Winner::Draw,
        Stalemate::Loses => Winner::from(stalemated.other()),
    }
}
