//! Lists the tries that are worth making. The list is computed with sets of squares.

use rules::{
    AnnouncedCheck, Choices, Own, PromotionMan, Try, TryLimit, TurnState, answers_check,
    chess::{Bitboard, Role, Square, attacks},
};

const ALL_MEN: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// Lists the tries that [`PlayerView::tries_into`](crate::PlayerView::tries_into) describes.
pub(crate) fn list(choices: &Choices, own: &Own, turn: &TurnState, tries: &mut Vec<Try>) {
    tries.clear();
    // Most positions have fewer tries, so a new list is allocated only once.
    tries.reserve(64);
    match turn.check {
        Some(directions) if choices.announced_check == AnnouncedCheck::Answers => {
            list_if(choices, own, turn, tries, |t| {
                answers_check(own, directions, t)
            });
        }
        Some(_) | None => list_if(choices, own, turn, tries, |_| true),
    }
}

/// Lists the tries that `wanted` accepts.
#[inline]
fn list_if(
    choices: &Choices,
    own: &Own,
    turn: &TurnState,
    tries: &mut Vec<Try>,
    wanted: impl Fn(Try) -> bool,
) {
    let all = own.all();
    let free = !all;
    list_pawns(choices, own, turn, all, tries, &wanted);
    if turn.obliged {
        return;
    }
    let mut push = |from: Square, targets: Bitboard| {
        for to in targets & free & !turn.refused_tries.landings(from) {
            let t = Try::step(from, to);
            if wanted(t) {
                tries.push(t);
            }
        }
    };
    let men = &own.men;
    for from in men.knight {
        push(from, attacks::knight_attacks(from));
    }
    for from in men.bishop {
        push(from, attacks::bishop_attacks(from, all));
    }
    for from in men.rook {
        push(from, attacks::rook_attacks(from, all));
    }
    for from in men.queen {
        push(from, attacks::queen_attacks(from, all));
    }
    for from in men.king {
        let castling = if turn.check.is_none() {
            own.castling_targets()
        } else {
            Bitboard::EMPTY
        };
        push(from, attacks::king_attacks(from) | castling);
    }
    for (role, _) in own.reserve.iter() {
        for to in own.drop_targets(role, all) & !turn.refused_tries.drops(role) {
            let t = Try::Drop { role, to };
            if wanted(t) {
                tries.push(t);
            }
        }
    }
}

fn list_pawns(
    choices: &Choices,
    own: &Own,
    turn: &TurnState,
    all: Bitboard,
    tries: &mut Vec<Try>,
    wanted: &impl Fn(Try) -> bool,
) {
    let spent = choices.try_limit == TryLimit::Three && turn.pawn_captures_refused >= 3;
    let origins = turn.tries.origins(choices.pawn_try_square);
    let landings = if spent {
        Bitboard::EMPTY
    } else {
        turn.tries.landings(choices.pawn_try_square)
    };
    let men = match choices.promotion_man {
        PromotionMan::QueenOnly => &ALL_MEN[..1],
        PromotionMan::Named | PromotionMan::QueenUnlessNamed => &ALL_MEN[..],
    };
    let last_rank = Bitboard::from_rank(own.last_rank());
    for from in own.men.pawn {
        let mut targets = Bitboard::EMPTY;
        if !turn.obliged {
            targets = own.pawn_pushes(from, all);
        }
        if origins.contains(from) {
            targets |= own.pawn_captures(from, all) & landings;
        }
        targets &= !turn.refused_tries.landings(from);
        for to in targets & !last_rank {
            let t = Try::step(from, to);
            if wanted(t) {
                tries.push(t);
            }
        }
        for to in targets & last_rank {
            for man in men {
                let t = Try::Step {
                    from,
                    to,
                    promotion: Some(*man),
                };
                if wanted(t) {
                    tries.push(t);
                }
            }
        }
    }
}
