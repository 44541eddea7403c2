//! Faults in the ends of a game, in draw offers, and in the question count.

use rules::{Announcement, Answer, Attempt, Heard, Over, Reason, Winner, chess::Role};

use super::{
    Fault, Scene,
    Twist::{Offer, Refused, Said},
    essence, fault, fault_from, fault_when,
};
use crate::{oracle::Answered, starts::Kind, umpire::Action, walk::Style};

/// Faults in which a game ends wrongly or does not end, an offer stays open, or a draw offer or the
/// question count is refused.
pub(super) const FAULTS: &[Fault] = &[
    fault_when(
        "end: the mated side wins",
        &["wild16"],
        Style::Hunting,
        Said(mate_reversed),
    ),
    fault_when(
        "end: stalemate is announced as a win",
        &["cincinnati", "wild16"],
        Style::Hunting,
        Said(stalemate_is_mate),
    ),
    fault_when(
        "end: mate is announced as stalemate",
        &["eastern"],
        Style::Hunting,
        Said(mate_is_stalemate),
    ),
    fault(
        "end: the stalemated player wins under rand-ladder",
        &["rand-ladder"],
        Said(ladder_reversed),
    ),
    fault_from(
        "end: bishops on one colour do not end the game",
        &["wild16", "rand"],
        Kind::Ending,
        Said(bishops_go_on),
    ),
    fault_from(
        "end: a single knight does not end the game",
        &["wild16", "rand"],
        Kind::Ending,
        Said(knight_goes_on),
    ),
    fault_from(
        "end: bishops on both colours are dead material",
        &["wild16", "rand"],
        Kind::Ending,
        Said(bishops_are_dead),
    ),
    fault_when(
        "end: a second occurrence is a draw",
        &["wild16"],
        Style::Shuffling,
        Said(twofold),
    ),
    fault_when(
        "end: only a fourth occurrence is a draw",
        &["wild16"],
        Style::Shuffling,
        Said(fourfold),
    ),
    fault_when(
        "end: the fifty-move rule applies too late",
        &["wild16"],
        Style::Shuffling,
        Said(fifty_late),
    ),
    fault_when(
        "end: the fifty-move rule applies a half-move early",
        &["wild16"],
        Style::Shuffling,
        Said(fifty_early),
    ),
    fault_when(
        "end: threefold is announced as the fifty-move rule",
        &["wild16"],
        Style::Shuffling,
        Said(threefold_is_fifty),
    ),
    fault_from(
        "end: an expired clock loses even against a bare king",
        &["wild16", "berkeley", "umpire"],
        Kind::Ending,
        Said(bare_king_wins),
    ),
    fault(
        "end: an expired clock gives a draw",
        &["wild16", "crazykrieg"],
        Said(time_draws),
    ),
    fault(
        "end: the player who resigns wins",
        &["wild16", "ks"],
        Said(resignation_reversed),
    ),
    fault(
        "end: a draw by agreement is announced as an abort",
        &["rand"],
        Said(agreement_aborts),
    ),
    fault(
        "end: the player who leaves gets a draw",
        &["wild16"],
        Said(gone_draws),
    ),
    fault("end: an abort is a draw", &["ks"], Said(abort_draws)),
    fault_when(
        "end: exhausted tries do not end the game",
        &["ks+p", "ks+ap"],
        Style::Pawns,
        Said(exhausted_goes_on),
    ),
    fault_when(
        "end: exhausted tries in check are a draw",
        &["ks+p", "ks+ap"],
        Style::Pawns,
        Said(exhausted_draws),
    ),
    fault_when(
        "end: exhausted tries are announced as stalemate",
        &["ks+p"],
        Style::Pawns,
        Said(exhausted_is_stalemate),
    ),
    fault(
        "end: the room does not hear the end",
        &["western"],
        Said(end_not_to_room),
    ),
    fault(
        "draw: an offer stays open after the opponent's move",
        &["wild16"],
        Offer,
    ),
    fault(
        "draw: a counter-offer is refused",
        &["rand", "ks"],
        Refused(counter_offer),
    ),
    fault(
        "draw: only the player to move may offer",
        &["wild16"],
        Refused(offer_out_of_turn),
    ),
    fault(
        "count: only the player to move may ask for it",
        &["rand"],
        Refused(count_out_of_turn),
    ),
];

fn change_over(answered: &mut Answered, change: impl Fn(Over) -> Over) {
    for heard in answered.heard.iter_mut().flatten() {
        if let Heard::Over(over) = heard {
            *over = change(*over);
        }
    }
}

fn reversed(winner: Winner) -> Winner {
    match winner {
        Winner::White => Winner::Black,
        Winner::Black => Winner::White,
        Winner::Draw | Winner::Unfinished => winner,
    }
}

fn with_winner(answered: &mut Answered, reason: Reason, change: impl Fn(Winner) -> Winner) {
    change_over(answered, |over| Over {
        winner: if over.reason == reason {
            change(over.winner)
        } else {
            over.winner
        },
        reason: over.reason,
    });
}

fn with_reason(answered: &mut Answered, from: Reason, to: Reason) {
    change_over(answered, |over| Over {
        winner: over.winner,
        reason: if over.reason == from { to } else { over.reason },
    });
}

fn goes_on(answered: &mut Answered) {
    for heard in &mut answered.heard {
        heard.retain(|h| !matches!(h, Heard::Over(_)));
    }
}

fn ends(answered: &mut Answered, reason: Reason) {
    let over = Over {
        winner: Winner::Draw,
        reason,
    };
    for heard in &mut answered.heard {
        if !heard.iter().any(|h| matches!(h, Heard::Over(_))) {
            heard.retain(|h| {
                !matches!(
                    h,
                    Heard::Announced(Announcement::Tries(_))
                        | Heard::Announced(Announcement::Turn { .. })
                )
            });
            heard.push(Heard::Over(over));
        }
    }
}

/// Whether the action ended the game for this reason.
fn ended(scene: &Scene<'_>, reason: Reason) -> bool {
    scene.before.over().is_none() && scene.after.over().is_some_and(|o| o.reason == reason)
}

fn mate_reversed(_: &Scene<'_>, answered: &mut Answered) {
    with_winner(answered, Reason::Checkmate, reversed);
}

fn stalemate_is_mate(scene: &Scene<'_>, answered: &mut Answered) {
    if let Some(by) = scene.by() {
        with_winner(answered, Reason::Stalemate, |_| Winner::from(by));
    }
}

fn mate_is_stalemate(_: &Scene<'_>, answered: &mut Answered) {
    with_reason(answered, Reason::Checkmate, Reason::Stalemate);
}

fn ladder_reversed(_: &Scene<'_>, answered: &mut Answered) {
    with_winner(answered, Reason::Stalemate, reversed);
}

/// Lists the roles of all men on the board except the kings.
fn company(scene: &Scene<'_>) -> Vec<Role> {
    rules::chess::Color::ALL
        .into_iter()
        .flat_map(|color| scene.after.men(color))
        .map(|(_, role)| role)
        .filter(|role| *role != Role::King)
        .collect()
}

fn bishops_go_on(scene: &Scene<'_>, answered: &mut Answered) {
    if ended(scene, Reason::Insufficient) && company(scene).len() >= 2 {
        goes_on(answered);
    }
}

fn knight_goes_on(scene: &Scene<'_>, answered: &mut Answered) {
    if ended(scene, Reason::Insufficient) && company(scene) == [Role::Knight] {
        goes_on(answered);
    }
}

fn bishops_are_dead(scene: &Scene<'_>, answered: &mut Answered) {
    let men = company(scene);
    if answered.answer == Answer::Moved && men.iter().all(|role| *role == Role::Bishop) {
        ends(answered, Reason::Insufficient);
    }
}

fn times(scene: &Scene<'_>) -> usize {
    let now = essence(&scene.after.fen());
    scene.memory.past.iter().filter(|p| **p == now).count()
}

fn twofold(scene: &Scene<'_>, answered: &mut Answered) {
    if answered.answer == Answer::Moved && times(scene) == 2 {
        ends(answered, Reason::Threefold);
    }
}

fn fourfold(scene: &Scene<'_>, answered: &mut Answered) {
    if ended(scene, Reason::Threefold) && times(scene) == 3 {
        goes_on(answered);
    }
}

/// Returns the number of half-moves since the last capture or pawn move.
fn quiet(scene: &Scene<'_>) -> u32 {
    scene
        .after
        .fen()
        .split(' ')
        .nth(4)
        .and_then(|n| n.parse().ok())
        .unwrap_or(0)
}

fn fifty_late(scene: &Scene<'_>, answered: &mut Answered) {
    if ended(scene, Reason::Fifty) && quiet(scene) == 100 {
        goes_on(answered);
    }
}

fn fifty_early(scene: &Scene<'_>, answered: &mut Answered) {
    if answered.answer == Answer::Moved && quiet(scene) == 99 {
        ends(answered, Reason::Fifty);
    }
}

fn threefold_is_fifty(scene: &Scene<'_>, answered: &mut Answered) {
    if quiet(scene) >= 10 {
        with_reason(answered, Reason::Threefold, Reason::Fifty);
    }
}

fn bare_king_wins(scene: &Scene<'_>, answered: &mut Answered) {
    if let Action::End(crate::oracle::End::Flag(color)) = scene.action {
        with_winner(answered, Reason::Time, |_| Winner::from(!color));
    }
}

fn time_draws(_: &Scene<'_>, answered: &mut Answered) {
    with_winner(answered, Reason::Time, |_| Winner::Draw);
}

fn resignation_reversed(_: &Scene<'_>, answered: &mut Answered) {
    with_winner(answered, Reason::Resignation, reversed);
}

fn agreement_aborts(_: &Scene<'_>, answered: &mut Answered) {
    with_reason(answered, Reason::Agreement, Reason::Aborted);
}

fn gone_draws(_: &Scene<'_>, answered: &mut Answered) {
    with_winner(answered, Reason::Abandoned, |_| Winner::Draw);
}

fn abort_draws(_: &Scene<'_>, answered: &mut Answered) {
    with_winner(answered, Reason::Aborted, |_| Winner::Draw);
}

fn exhausted_goes_on(scene: &Scene<'_>, answered: &mut Answered) {
    if ended(scene, Reason::ExhaustedTries) {
        goes_on(answered);
    }
}

fn exhausted_draws(_: &Scene<'_>, answered: &mut Answered) {
    with_winner(answered, Reason::ExhaustedTries, |_| Winner::Draw);
}

fn exhausted_is_stalemate(_: &Scene<'_>, answered: &mut Answered) {
    with_reason(answered, Reason::ExhaustedTries, Reason::Stalemate);
}

fn end_not_to_room(_: &Scene<'_>, answered: &mut Answered) {
    answered.heard[2].retain(|h| !matches!(h, Heard::Over(_)));
}

fn counter_offer(scene: &Scene<'_>) -> bool {
    matches!(scene.action, Action::Attempt(_, Attempt::OfferDraw))
        && scene.before.draw_offer().is_some()
}

fn offer_out_of_turn(scene: &Scene<'_>) -> bool {
    matches!(scene.action, Action::Attempt(by, Attempt::OfferDraw) if scene.before.to_move() != Some(by))
}

fn count_out_of_turn(scene: &Scene<'_>) -> bool {
    matches!(scene.action, Action::Attempt(by, Attempt::Count) if scene.before.to_move() != Some(by))
}
