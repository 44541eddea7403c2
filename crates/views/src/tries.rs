//! The attempts worth making, listed set-wise.

use rules::{
    AnnouncedCheck, Choices, Own, PromotionMan, Try, TryLimit, TurnState, answers_check,
    chess::{Bitboard, Role},
};

const ALL_MEN: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// Lists what [`PlayerView::tries_into`](crate::PlayerView::tries_into) says.
pub(crate) fn list(choices: &Choices, own: &Own, turn: &TurnState, tries: &mut Vec<Try>) {
    let all = own.all();
    let only_answers = turn
        .check
        .filter(|_| choices.announced_check == AnnouncedCheck::Answers);
    let captures_spent = choices.try_limit == TryLimit::Three && turn.pawn_captures_refused >= 3;
    let capture_origins = turn.tries.origins(choices.pawn_try_square);
    let capture_landings = if captures_spent {
        Bitboard::EMPTY
    } else {
        turn.tries.landings(choices.pawn_try_square)
    };
    let men = match choices.promotion_man {
        PromotionMan::QueenOnly => &ALL_MEN[..1],
        PromotionMan::Named | PromotionMan::QueenUnlessNamed => &ALL_MEN[..],
    };
    let last_rank = Bitboard::from_rank(own.last_rank());
    let mut push = |from, to, promotion| {
        let t = Try::Step {
            from,
            to,
            promotion,
        };
        if only_answers.is_none_or(|directions| answers_check(own, directions, t)) {
            tries.push(t);
        }
    };

    for from in own.men.pawn {
        let mut targets = Bitboard::EMPTY;
        if !turn.obliged {
            targets = own.pawn_pushes(from, all);
        }
        if capture_origins.contains(from) {
            targets |= own.pawn_captures(from, all) & capture_landings;
        }
        targets &= !turn.refusals.landings(from);
        for to in targets & !last_rank {
            push(from, to, None);
        }
        for to in targets & last_rank {
            for man in men {
                push(from, to, Some(*man));
            }
        }
    }
    if turn.obliged {
        return;
    }
    for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
        for from in *own.men.get(role) {
            for to in own.targets(role, from, all) & !turn.refusals.landings(from) {
                push(from, to, None);
            }
        }
    }
    if let Some(from) = own.king() {
        let mut targets = rules::chess::attacks::king_attacks(from) & !all;
        if turn.check.is_none() {
            targets |= own.castling_targets();
        }
        for to in targets & !turn.refusals.landings(from) {
            push(from, to, None);
        }
    }
    for (role, _) in own.reserve.iter() {
        for to in own.drop_targets(role, all) & !turn.refusals.drops(role) {
            let t = Try::Drop { role, to };
            if only_answers.is_none_or(|directions| answers_check(own, directions, t)) {
                tries.push(t);
            }
        }
    }
}
