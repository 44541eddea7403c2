//! Faults in the chess rules, in the position that the umpire reports, and in
//! the tries.

use rules::{
    Answer, Try,
    chess::{Color, File, Role, Square},
};

use super::{
    Fault, Scene,
    Twist::{Fen, Said, Tries},
    fault, fault_from,
};
use crate::{
    oracle::{Answered, Oracle},
    starts::Kind,
};

/// Faults in which a move is judged wrongly, the board is updated wrongly, or the lists of tries
/// are wrong.
pub(super) const FAULTS: &[Fault] = &[
    fault_from(
        "castling out of check is allowed",
        &["wild16", "ks"],
        Kind::Castling,
        Said(out_of_check),
    ),
    fault_from(
        "castling through attack is allowed",
        &["wild16", "cincinnati"],
        Kind::Castling,
        Said(through_attack),
    ),
    fault_from(
        "castling into attack is allowed",
        &["wild16", "cincinnati"],
        Kind::Castling,
        Said(into_attack),
    ),
    fault_from(
        "castling over an unseen man is allowed",
        &["wild16", "cincinnati"],
        Kind::Castling,
        Said(past_a_man),
    ),
    fault_from(
        "castling is refused when b1 is attacked",
        &["wild16", "rand"],
        Kind::Castling,
        Said(attacked_b1),
    ),
    fault_from(
        "castling is never legal",
        &["wild16"],
        Kind::Castling,
        Said(no_castling),
    ),
    fault(
        "en passant is never legal",
        &["wild16", "rand"],
        Said(no_en_passant),
    ),
    fault_from(
        "en passant ignores pins",
        &["wild16", "ks"],
        Kind::EnPassant,
        Said(pinned_en_passant),
    ),
    fault(
        "pinned pawns may capture",
        &["wild16", "english"],
        Said(pinned_captures),
    ),
    fault(
        "the king may step into attack",
        &["wild16"],
        Said(king_into_attack),
    ),
    fault(
        "an unseen man does not block",
        &["cincinnati"],
        Said(no_blocking),
    ),
    fault(
        "a pawn may push onto an unseen man",
        &["ks"],
        Said(push_onto),
    ),
    fault_from(
        "underpromotion to a knight is answered `no`",
        &["wild16"],
        Kind::AboutToPromote,
        Said(no_knight),
    ),
    fault(
        "leak: a try over an unseen man is nonsense",
        &["wild16", "cincinnati"],
        Said(blocked_is_nonsense),
    ),
    fault(
        "leak: a pawn capture of nothing is nonsense",
        &["ks", "wild16"],
        Said(capture_of_nothing),
    ),
    fault(
        "leak: a drop on an unseen man is nonsense",
        &["crazykrieg"],
        Said(drop_onto),
    ),
    fault_from(
        "position: the FEN has an en passant square for a pinned pawn",
        &["wild16", "ks"],
        Kind::EnPassant,
        Fen(passed_always),
    ),
    fault_from(
        "position: a castling right outlives the captured rook",
        &["wild16", "rand"],
        Kind::Castling,
        Fen(right_survives),
    ),
    fault(
        "position: a capture does not reset the half-move clock",
        &["umpire"],
        Fen(capture_counts),
    ),
    fault(
        "position: the move number grows after White's move",
        &["ks"],
        Fen(number_early),
    ),
    fault(
        "position: the FEN does not mark promoted men",
        &["crazykrieg"],
        Fen(unmarked),
    ),
    fault(
        "tries: refused tries are listed again",
        &["wild16", "ks"],
        Tries(refused_again),
    ),
    fault(
        "tries: castling is listed in check",
        &["cincinnati", "wild16"],
        Tries(castling_in_check),
    ),
    fault(
        "tries: only promotions to a queen are listed",
        &["wild16"],
        Tries(queens_only),
    ),
    fault(
        "tries: only legal tries are listed",
        &["rand"],
        Tries(legal_only),
    ),
    fault(
        "tries: pawn captures are listed although the referee said that there are none",
        &["cincinnati", "wild16"],
        Tries(captures_after_none),
    ),
];

fn turned(answered: &mut Answered, from: Answer, to: Answer) {
    if answered.answer == from {
        answered.answer = to;
    }
}

/// Returns the side that castles, the square that the king crosses, and its
/// target square; `None` if the action is not castling.
fn castling(scene: &Scene<'_>) -> Option<(Color, Square, Square)> {
    let (by, t) = scene.tried()?;
    let Try::Step { from, to, .. } = t else {
        return None;
    };
    let crossed = Square::new((u32::from(from) + u32::from(to)) / 2);
    (scene.before.is_castling(t)).then_some((by, crossed, to))
}

fn out_of_check(scene: &Scene<'_>, answered: &mut Answered) {
    if castling(scene).is_some() && !scene.before.checkers().is_empty() {
        turned(answered, Answer::No, Answer::Moved);
    }
}

fn through_attack(scene: &Scene<'_>, answered: &mut Answered) {
    if let Some((by, crossed, _)) = castling(scene)
        && scene.before.checkers().is_empty()
        && scene.before.man_at(crossed).is_none()
        && scene.before.is_attacked(crossed, !by)
    {
        turned(answered, Answer::No, Answer::Moved);
    }
}

fn into_attack(scene: &Scene<'_>, answered: &mut Answered) {
    if let Some((by, crossed, to)) = castling(scene)
        && scene.before.checkers().is_empty()
        && !scene.before.is_attacked(crossed, !by)
        && scene.before.is_attacked(to, !by)
    {
        turned(answered, Answer::No, Answer::Moved);
    }
}

fn past_a_man(scene: &Scene<'_>, answered: &mut Answered) {
    if let Some((_, crossed, to)) = castling(scene)
        && (scene.before.man_at(crossed).is_some() || scene.before.man_at(to).is_some())
    {
        turned(answered, Answer::No, Answer::Moved);
    }
}

fn attacked_b1(scene: &Scene<'_>, answered: &mut Answered) {
    let Some((by, _, to)) = castling(scene) else {
        return;
    };
    let beside = Square::from_coords(File::B, to.rank());
    if to.file() == File::C && scene.before.is_attacked(beside, !by) {
        turned(answered, Answer::Moved, Answer::No);
    }
}

fn no_castling(scene: &Scene<'_>, answered: &mut Answered) {
    if castling(scene).is_some() {
        turned(answered, Answer::Moved, Answer::No);
    }
}

fn takes_passing(scene: &Scene<'_>) -> bool {
    scene.tried().is_some_and(|(_, t)| {
        scene.before.is_pawn_capture(t) && Some(t.to()) == scene.before.passed()
    })
}

fn no_en_passant(scene: &Scene<'_>, answered: &mut Answered) {
    if takes_passing(scene) {
        turned(answered, Answer::Moved, Answer::No);
    }
}

fn pinned_en_passant(scene: &Scene<'_>, answered: &mut Answered) {
    if takes_passing(scene) && scene.before.checkers().is_empty() {
        turned(answered, Answer::No, Answer::Moved);
    }
}

fn man_of(scene: &Scene<'_>) -> Option<(Color, Role, Try)> {
    let (by, t) = scene.tried()?;
    let (_, role) = scene.before.man_at(t.from()?)?;
    Some((by, role, t))
}

fn pinned_captures(scene: &Scene<'_>, answered: &mut Answered) {
    if let Some((_, _, t)) = man_of(scene)
        && scene.before.is_pawn_capture(t)
        && scene.before.man_at(t.to()).is_some()
        && scene.before.checkers().is_empty()
    {
        turned(answered, Answer::No, Answer::Moved);
    }
}

fn king_into_attack(scene: &Scene<'_>, answered: &mut Answered) {
    if let Some((_, Role::King, t)) = man_of(scene)
        && !scene.before.is_castling(t)
    {
        turned(answered, Answer::No, Answer::Moved);
    }
}

/// Whether the try moves a bishop, rook or queen over an occupied square.
fn blocked(scene: &Scene<'_>) -> bool {
    let Some((_, role, t)) = man_of(scene) else {
        return false;
    };
    let Some(from) = t.from() else {
        return false;
    };
    let rides = matches!(role, Role::Bishop | Role::Rook | Role::Queen);
    let (f1, r1) = (i32::from(from.file()), i32::from(from.rank()));
    let (f2, r2) = (i32::from(t.to().file()), i32::from(t.to().rank()));
    let (df, dr) = ((f2 - f1).signum(), (r2 - r1).signum());
    let steps = (f2 - f1).abs().max((r2 - r1).abs());
    rides
        && (1..steps).any(|n| {
            let sq = Square::new(((r1 + n * dr) * 8 + f1 + n * df) as u32);
            scene.before.man_at(sq).is_some()
        })
}

fn no_blocking(scene: &Scene<'_>, answered: &mut Answered) {
    if blocked(scene) {
        turned(answered, Answer::No, Answer::Moved);
    }
}

fn blocked_is_nonsense(scene: &Scene<'_>, answered: &mut Answered) {
    if blocked(scene) {
        turned(answered, Answer::No, Answer::Nonsense);
    }
}

fn push_onto(scene: &Scene<'_>, answered: &mut Answered) {
    if let Some((_, Role::Pawn, t)) = man_of(scene)
        && !scene.before.is_pawn_capture(t)
        && scene.before.man_at(t.to()).is_some()
    {
        turned(answered, Answer::No, Answer::Moved);
    }
}

fn capture_of_nothing(scene: &Scene<'_>, answered: &mut Answered) {
    if let Some((_, _, t)) = man_of(scene)
        && scene.before.is_pawn_capture(t)
        && scene.before.man_at(t.to()).is_none()
    {
        turned(answered, Answer::No, Answer::Nonsense);
    }
}

fn drop_onto(scene: &Scene<'_>, answered: &mut Answered) {
    if let Some((_, Try::Drop { to, .. })) = scene.tried()
        && scene.before.man_at(to).is_some()
    {
        turned(answered, Answer::No, Answer::Nonsense);
    }
}

fn no_knight(scene: &Scene<'_>, answered: &mut Answered) {
    if let Some((
        _,
        Try::Step {
            promotion: Some(Role::Knight),
            ..
        },
    )) = scene.tried()
    {
        turned(answered, Answer::Moved, Answer::No);
    }
}

/// Returns the FEN with one field replaced.
fn with_field(fen: &str, field: usize, value: &str) -> String {
    let mut fields: Vec<&str> = fen.split(' ').collect();
    fields[field] = value;
    fields.join(" ")
}

fn passed_always(scene: &Scene<'_>, fen: &str) -> String {
    let beside = scene.after.passed().filter(|passed| {
        scene
            .after
            .imaginable()
            .into_iter()
            .any(|t| t.to() == *passed && scene.after.is_pawn_capture(t))
    });
    match beside {
        Some(sq) => with_field(fen, 3, &sq.to_string()),
        None => fen.to_owned(),
    }
}

fn right_survives(scene: &Scene<'_>, fen: &str) -> String {
    let taken = |corner: Square| {
        scene.tried().is_some_and(|(by, t)| {
            t.to() == corner
                && scene.before.fen() != scene.after.fen()
                && scene.before.man_at(corner) == Some((!by, Role::Rook))
        })
    };
    let before = scene.before.fen();
    let rights = before.split(' ').nth(2).unwrap_or("-");
    for (corner, letter) in [
        (Square::H1, 'K'),
        (Square::A1, 'Q'),
        (Square::H8, 'k'),
        (Square::A8, 'q'),
    ] {
        if taken(corner) && rights.contains(letter) {
            return with_field(fen, 2, rights);
        }
    }
    fen.to_owned()
}

fn capture_counts(scene: &Scene<'_>, fen: &str) -> String {
    let captured = scene.tried().is_some_and(|(by, t)| {
        scene.before.man_at(t.to()).is_some_and(|(c, _)| c != by)
            && scene.before.fen() != scene.after.fen()
    });
    if captured {
        with_field(fen, 4, "1")
    } else {
        fen.to_owned()
    }
}

fn number_early(scene: &Scene<'_>, fen: &str) -> String {
    let number = fen.split(' ').nth(5).and_then(|n| n.parse::<u32>().ok());
    match (scene.after.to_move(), number) {
        (Some(Color::Black), Some(n)) => with_field(fen, 5, &(n + 1).to_string()),
        (Some(Color::White) | None, _) | (Some(Color::Black), None) => fen.to_owned(),
    }
}

fn unmarked(_: &Scene<'_>, fen: &str) -> String {
    fen.replace('~', "")
}

fn refused_again(oracle: &Oracle, tries: &mut Vec<Try>) {
    if oracle.refused_this_turn() > 0 {
        let mut fresh = oracle.imaginable();
        fresh.retain(|t| !oracle.is_pawn_capture(*t) && !oracle.is_castling(*t));
        tries.extend(fresh);
        tries.sort_by_cached_key(Try::to_string);
        tries.dedup();
    }
}

fn castling_in_check(oracle: &Oracle, tries: &mut Vec<Try>) {
    if !oracle.checkers().is_empty() {
        let castlings = oracle.imaginable();
        tries.extend(castlings.into_iter().filter(|t| oracle.is_castling(*t)));
    }
}

fn queens_only(_: &Oracle, tries: &mut Vec<Try>) {
    tries.retain(|t| match t {
        Try::Step { promotion, .. } => promotion.is_none_or(|man| man == Role::Queen),
        Try::Drop { .. } => true,
    });
}

fn legal_only(oracle: &Oracle, tries: &mut Vec<Try>) {
    *tries = oracle.legal_tries();
}

fn captures_after_none(oracle: &Oracle, tries: &mut Vec<Try>) {
    let captures = oracle.imaginable();
    tries.extend(captures.into_iter().filter(|t| oracle.is_pawn_capture(*t)));
    tries.sort_by_cached_key(Try::to_string);
    tries.dedup();
}
