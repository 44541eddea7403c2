//! Faults of the announcements about captures, drops, promotions, checks and pawn tries.

use rules::{
    Announcement, Answer, CapturedMan, Direction, Directions, Heard, Tries,
    chess::{Bitboard, Color, Role, Square},
};

use super::{Fault, Scene, Twist::Said, fault, fault_from};
use crate::{
    oracle::{Answered, Oracle},
    starts::Kind,
};

/// Faults in which a listener hears a wrong announcement about a move.
pub(super) const FAULTS: &[Fault] = &[
    fault(
        "capture: en passant names the landing square",
        &["wild16", "rand"],
        Said(en_passant_landing),
    ),
    fault(
        "capture: a capture en passant is not announced",
        &["cincinnati", "berkeley"],
        Said(en_passant_silent),
    ),
    fault(
        "capture: a promoted man is called a pawn",
        &["wild16", "cincinnati"],
        Said(promoted_is_pawn),
    ),
    fault(
        "capture: a promoted man is announced by its new role",
        &["crazykrieg"],
        Said(promoted_stays),
    ),
    fault(
        "capture: the room hears the capture too",
        &["western", "eastern"],
        Said(capture_to_room),
    ),
    fault(
        "lost: the capturer hears the loss too",
        &["ks", "wild16"],
        Said(lost_to_all),
    ),
    fault(
        "lost: the victim does not hear the loss",
        &["ks", "rand"],
        Said(lost_untold),
    ),
    fault(
        "lost: en passant names the landing square",
        &["ks", "english"],
        Said(lost_landing),
    ),
    fault(
        "drop: the room does not hear the drop",
        &["crazykrieg"],
        Said(drop_not_to_room),
    ),
    fault(
        "drop: announced for the wrong side",
        &["crazykrieg"],
        Said(drop_by_other),
    ),
    fault(
        "promotion: the room does not hear the promotion",
        &["rand", "umpire"],
        Said(promotion_not_to_room),
    ),
    fault(
        "promotion: announced for the wrong side",
        &["rand", "ks+a"],
        Said(promotion_by_other),
    ),
    fault_from(
        "check: a double check names one direction",
        &["wild16", "rand"],
        Kind::Checked,
        Said(one_direction),
    ),
    fault(
        "check: long and short are swapped",
        &["wild16"],
        Said(swapped_diagonals),
    ),
    fault(
        "check: every rising diagonal is called long",
        &["cincinnati"],
        Said(rising_is_long),
    ),
    fault(
        "check: long and short are measured from the checker",
        &["wild16", "rand"],
        Said(from_the_checker),
    ),
    fault(
        "check: a pawn checks like a knight",
        &["wild16"],
        Said(pawn_is_knight),
    ),
    fault(
        "check: rank and file are swapped",
        &["wild16"],
        Said(rank_is_file),
    ),
    fault(
        "check: announced after the pawn tries",
        &["cincinnati", "wild16"],
        Said(check_after_tries),
    ),
    fault(
        "check: not announced with mate",
        &["wild16"],
        Said(no_check_with_mate),
    ),
    fault(
        "tries: a promotion counts four times",
        &["wild16", "ks+p"],
        Said(promotions_count_four),
    ),
    fault(
        "tries: pins are ignored",
        &["wild16", "rand"],
        Said(pins_ignored),
    ),
    fault(
        "tries: a check is ignored",
        &["wild16", "ks+ap"],
        Said(check_ignored),
    ),
    fault(
        "tries: en passant is forgotten",
        &["wild16"],
        Said(en_passant_forgotten),
    ),
    fault(
        "tries: en passant names the captured pawn's square",
        &["rand", "umpire"],
        Said(en_passant_square),
    ),
    fault(
        "tries: a square for two pawns is also a single",
        &["western"],
        Said(doubles_are_singles),
    ),
    fault(
        "tries: not announced if there are none",
        &["cincinnati", "wild16"],
        Said(silent_without),
    ),
    fault(
        "tries: announced after the end of the game",
        &["wild16"],
        Said(tries_after_end),
    ),
    fault(
        "tries: counted for the side that moved",
        &["cincinnati"],
        Said(tries_of_mover),
    ),
];

/// Applies a change to everything that the listeners hear of one action.
pub(super) fn each(answered: &mut Answered, mut change: impl FnMut(&mut Heard)) {
    for heard in answered.heard.iter_mut().flatten() {
        change(heard);
    }
}

fn drop_all(answered: &mut Answered, unwanted: impl Fn(&Heard) -> bool) {
    for heard in &mut answered.heard {
        heard.retain(|h| !unwanted(h));
    }
}

/// Returns the target square, if the move was a capture en passant.
fn en_passant(scene: &Scene<'_>, answered: &Answered) -> Option<Square> {
    let (_, t) = scene.tried()?;
    let passed = scene.before.passed()?;
    let taken =
        answered.answer == Answer::Moved && scene.before.is_pawn_capture(t) && t.to() == passed;
    taken.then_some(passed)
}

fn en_passant_landing(scene: &Scene<'_>, answered: &mut Answered) {
    if let Some(passed) = en_passant(scene, answered) {
        each(answered, |heard| {
            if let Heard::Announced(Announcement::Capture(capture)) = heard {
                capture.square = Some(passed);
            }
        });
    }
}

fn en_passant_silent(scene: &Scene<'_>, answered: &mut Answered) {
    if en_passant(scene, answered).is_some() {
        drop_all(answered, |h| {
            matches!(h, Heard::Announced(Announcement::Capture(_)))
        });
    }
}

/// Returns the role of the captured man, if it is a promoted man.
fn took_promoted(scene: &Scene<'_>) -> Option<Role> {
    let (_, t) = scene.tried()?;
    let (_, role) = scene.before.man_at(t.to())?;
    scene.before.is_promoted(t.to()).then_some(role)
}

fn promoted_is_pawn(scene: &Scene<'_>, answered: &mut Answered) {
    if took_promoted(scene).is_some() {
        each(answered, |heard| {
            if let Heard::Announced(Announcement::Capture(capture)) = heard {
                capture.man = Some(CapturedMan::Pawn);
            }
        });
    }
}

fn promoted_stays(scene: &Scene<'_>, answered: &mut Answered) {
    if let Some(role) = took_promoted(scene) {
        each(answered, |heard| {
            if let Heard::Announced(Announcement::Capture(capture)) = heard {
                capture.man = Some(CapturedMan::Exactly(role));
            }
        });
    }
}

fn capture_to_room(_: &Scene<'_>, answered: &mut Answered) {
    let captures: Vec<Heard> = answered.heard[0]
        .iter()
        .chain(&answered.heard[1])
        .filter(|h| matches!(h, Heard::Announced(Announcement::Capture(_))))
        .copied()
        .collect();
    answered.heard[2].extend(captures);
}

/// Makes both players hear what only one of them should hear. `which` selects
/// the things to copy.
pub(super) fn to_all(answered: &mut Answered, which: impl Fn(&Heard) -> bool) {
    for (from, to) in [(0, 1), (1, 0)] {
        let said: Vec<Heard> = answered.heard[from]
            .iter()
            .filter(|h| which(h))
            .copied()
            .collect();
        if !said.is_empty() {
            answered.heard[to].extend(said);
            return;
        }
    }
}

fn lost_to_all(_: &Scene<'_>, answered: &mut Answered) {
    to_all(answered, |h| matches!(h, Heard::Lost { .. }));
}

fn lost_untold(_: &Scene<'_>, answered: &mut Answered) {
    drop_all(answered, |h| matches!(h, Heard::Lost { .. }));
}

fn lost_landing(scene: &Scene<'_>, answered: &mut Answered) {
    if let Some(passed) = en_passant(scene, answered) {
        each(answered, |heard| {
            if let Heard::Lost { square, .. } = heard {
                *square = passed;
            }
        });
    }
}

fn drop_not_to_room(_: &Scene<'_>, answered: &mut Answered) {
    answered.heard[2].retain(|h| !matches!(h, Heard::Announced(Announcement::Drop { .. })));
}

fn drop_by_other(_: &Scene<'_>, answered: &mut Answered) {
    each(answered, |heard| {
        if let Heard::Announced(Announcement::Drop { by, .. }) = heard {
            *by = !*by;
        }
    });
}

fn promotion_not_to_room(_: &Scene<'_>, answered: &mut Answered) {
    answered.heard[2].retain(|h| !matches!(h, Heard::Announced(Announcement::Promotion { .. })));
}

fn promotion_by_other(_: &Scene<'_>, answered: &mut Answered) {
    each(answered, |heard| {
        if let Heard::Announced(Announcement::Promotion { by }) = heard {
            *by = !*by;
        }
    });
}

fn redirect(answered: &mut Answered, change: impl Fn(Direction) -> Direction) {
    each(answered, |heard| {
        if let Heard::Announced(Announcement::Check { directions }) = heard {
            *directions = directions.iter().map(&change).collect();
        }
    });
}

fn one_direction(_: &Scene<'_>, answered: &mut Answered) {
    each(answered, |heard| {
        if let Heard::Announced(Announcement::Check { directions }) = heard {
            *directions = directions.iter().take(1).collect::<Directions>();
        }
    });
}

const fn other_diagonal(d: Direction) -> Direction {
    match d {
        Direction::Long => Direction::Short,
        Direction::Short => Direction::Long,
        Direction::Rank | Direction::File | Direction::Knight => d,
    }
}

fn swapped_diagonals(_: &Scene<'_>, answered: &mut Answered) {
    redirect(answered, other_diagonal);
}

fn checked_king(after: &Oracle) -> Option<Square> {
    let mover = after.to_move()?;
    after
        .men(mover)
        .into_iter()
        .find(|(_, role)| *role == Role::King)
        .map(|(sq, _)| sq)
}

fn rising_is_long(scene: &Scene<'_>, answered: &mut Answered) {
    let Some(king) = checked_king(scene.after) else {
        return;
    };
    // The fault makes a difference only if the falling diagonal through the king is longer than the
    // rising diagonal.
    let (file, rank) = (i32::from(king.file()), i32::from(king.rank()));
    if (file - rank).abs() > (7 - file - rank).abs() {
        redirect(answered, other_diagonal);
    }
}

fn from_the_checker(scene: &Scene<'_>, answered: &mut Answered) {
    let [checker] = scene.after.checkers()[..] else {
        return;
    };
    let Some(king) = checked_king(scene.after) else {
        return;
    };
    let rising_is_longer = |sq: Square| {
        let (file, rank) = (i32::from(sq.file()), i32::from(sq.rank()));
        (file - rank).abs() < (7 - file - rank).abs()
    };
    if rising_is_longer(king) != rising_is_longer(checker) {
        redirect(answered, other_diagonal);
    }
}

fn pawn_is_knight(scene: &Scene<'_>, answered: &mut Answered) {
    let by_pawn = scene
        .after
        .checkers()
        .into_iter()
        .any(|sq| scene.after.man_at(sq).is_some_and(|(_, r)| r == Role::Pawn));
    if by_pawn {
        redirect(answered, |_| Direction::Knight);
    }
}

fn rank_is_file(_: &Scene<'_>, answered: &mut Answered) {
    redirect(answered, |d| match d {
        Direction::Rank => Direction::File,
        Direction::File => Direction::Rank,
        Direction::Long | Direction::Short | Direction::Knight => d,
    });
}

fn check_after_tries(_: &Scene<'_>, answered: &mut Answered) {
    for heard in &mut answered.heard {
        let check = heard
            .iter()
            .position(|h| matches!(h, Heard::Announced(Announcement::Check { .. })));
        let tries = heard
            .iter()
            .position(|h| matches!(h, Heard::Announced(Announcement::Tries(_))));
        if let (Some(check), Some(tries)) = (check, tries) {
            heard.swap(check, tries);
        }
    }
}

fn no_check_with_mate(scene: &Scene<'_>, answered: &mut Answered) {
    if scene.after.over().is_some() {
        drop_all(answered, |h| {
            matches!(h, Heard::Announced(Announcement::Check { .. }))
        });
    }
}

/// Returns the side to move after the action, even if the game is over.
fn mover(scene: &Scene<'_>, answered: &Answered) -> Option<Color> {
    let by = scene.by()?;
    Some(if answered.answer == Answer::Moved {
        !by
    } else {
        by
    })
}

/// Lists diagonal steps of a side's pawns to squares with enemy men, even if
/// the pawn is pinned.
pub(super) fn bare_captures(oracle: &Oracle, us: Color) -> Vec<(Square, Square)> {
    let ahead = if us == Color::White { 8 } else { -8 };
    let mut found = Vec::new();
    for (from, role) in oracle.men(us) {
        if role != Role::Pawn {
            continue;
        }
        for side in [-1, 1] {
            let Some(to) = from.offset(ahead + side) else {
                continue;
            };
            let beside = i32::from(from.file()).abs_diff(i32::from(to.file())) == 1;
            if beside && oracle.man_at(to).is_some_and(|(color, _)| color != us) {
                found.push((from, to));
            }
        }
    }
    found
}

/// Announces these pawn captures instead of the legal ones.
fn announce(answered: &mut Answered, captures: &[(Square, Square)]) {
    each(answered, |heard| {
        if let Heard::Announced(Announcement::Tries(tries)) = heard {
            *tries = match tries {
                Tries::Count(_) => Tries::Count(captures.len() as u8),
                Tries::Whether(_) => Tries::Whether(!captures.is_empty()),
                Tries::Squares(_) => {
                    Tries::Squares(captures.iter().map(|(_, to)| *to).collect::<Bitboard>())
                }
                Tries::Untold | Tries::SinglesAndDoubles { .. } => *tries,
            };
        }
    });
}

fn promotions_count_four(scene: &Scene<'_>, answered: &mut Answered) {
    let moves = scene
        .after
        .legal_tries()
        .into_iter()
        .filter(|t| scene.after.is_pawn_capture(*t))
        .count();
    each(answered, |heard| {
        if let Heard::Announced(Announcement::Tries(Tries::Count(count))) = heard {
            *count = moves as u8;
        }
    });
}

fn pins_ignored(scene: &Scene<'_>, answered: &mut Answered) {
    let Some(us) = mover(scene, answered) else {
        return;
    };
    if scene.after.checkers().is_empty() {
        let mut captures = bare_captures(scene.after, us);
        for legal in scene.after.pawn_captures() {
            if !captures.contains(&legal) {
                captures.push(legal);
            }
        }
        announce(answered, &captures);
    }
}

fn check_ignored(scene: &Scene<'_>, answered: &mut Answered) {
    if let Some(us) = mover(scene, answered)
        && !scene.after.checkers().is_empty()
    {
        announce(answered, &bare_captures(scene.after, us));
    }
}

fn en_passant_forgotten(scene: &Scene<'_>, answered: &mut Answered) {
    let passed = scene.after.passed();
    let captures: Vec<_> = scene
        .after
        .pawn_captures()
        .into_iter()
        .filter(|(_, to)| Some(*to) != passed)
        .collect();
    announce(answered, &captures);
}

fn en_passant_square(scene: &Scene<'_>, answered: &mut Answered) {
    let passed = scene.after.passed();
    let captures: Vec<_> = scene
        .after
        .pawn_captures()
        .into_iter()
        .map(|(from, to)| {
            if Some(to) == passed {
                (from, Square::from_coords(to.file(), from.rank()))
            } else {
                (from, to)
            }
        })
        .collect();
    announce(answered, &captures);
}

fn doubles_are_singles(_: &Scene<'_>, answered: &mut Answered) {
    each(answered, |heard| {
        if let Heard::Announced(Announcement::Tries(Tries::SinglesAndDoubles {
            singles,
            doubles,
        })) = heard
        {
            *singles |= *doubles;
        }
    });
}

fn silent_without(_: &Scene<'_>, answered: &mut Answered) {
    drop_all(answered, |h| {
        matches!(
            h,
            Heard::Announced(Announcement::Tries(Tries::Count(0) | Tries::Whether(false)))
        )
    });
}

fn tries_after_end(scene: &Scene<'_>, answered: &mut Answered) {
    if scene.after.over().is_some() && answered.answer == Answer::Moved {
        for heard in &mut answered.heard {
            heard.push(Heard::Announced(Announcement::Tries(Tries::Count(0))));
        }
    }
}

fn tries_of_mover(scene: &Scene<'_>, answered: &mut Answered) {
    if let Some(us) = mover(scene, answered) {
        announce(answered, &bare_captures(scene.after, !us));
    }
}
