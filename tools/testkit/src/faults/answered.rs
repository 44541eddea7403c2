//! Faults in the answers to questions and repeated tries, in the announcement of the turn, in
//! private attempts and draw talk, and in the start of a game.

use rules::{Announcement, Answer, Attempt, DrawTalk, Heard, Reply, Try, chess::Color};

use super::{
    Fault, Scene,
    Twist::{Opening, Said, Start},
    announced::{bare_captures, each, to_all},
    fault, fault_when,
};
use crate::{oracle::Answered, umpire::Action, walk::Style};

/// Faults in which a listener hears something wrong. The faults about captures, drops, promotions,
/// checks and pawn tries are in the module `announced`.
pub(super) const FAULTS: &[Fault] = &[
    fault(
        "Any?: pins are ignored",
        &["ks", "english"],
        Said(any_ignores_pins),
    ),
    fault(
        "Any?: the room does not hear the answer",
        &["bodlaender"],
        Said(any_not_to_room),
    ),
    fault(
        "Any?: yes and no are swapped",
        &["berkeley-any"],
        Said(any_swapped),
    ),
    fault(
        "turn: announced only to the player to move",
        &["umpire"],
        Said(turn_to_mover),
    ),
    fault(
        "turn: announced after the end of the game",
        &["wild16"],
        Said(turn_after_end),
    ),
    fault(
        "leak: the opponent hears the move",
        &["wild16", "rand"],
        Said(move_to_all),
    ),
    fault(
        "leak: the opponent hears which try was refused",
        &["cincinnati"],
        Said(no_with_try),
    ),
    fault(
        "leak: the room hears a draw offer",
        &["wild16"],
        Said(offer_to_room),
    ),
    fault(
        "leak: the opponent hears of nonsense under ks",
        &["ks"],
        Said(nonsense_to_all),
    ),
    fault(
        "count: includes nonsense",
        &["rand"],
        Said(count_with_nonsense),
    ),
    fault(
        "count: gives the asker's own rebuffs",
        &["rand-ladder"],
        Said(count_of_asker),
    ),
    fault(
        "count: announced only to the asker",
        &["rand"],
        Said(count_to_asker),
    ),
    fault(
        "recap: does not contain the capture",
        &["rand"],
        Said(recap_without_capture),
    ),
    fault(
        "recap: does not contain the turn",
        &["rand-ladder"],
        Said(recap_without_turn),
    ),
    fault(
        "draw-declined: announced to the room",
        &["rand"],
        Said(declined_to_room),
    ),
    fault(
        "draw-withdrawn: the opponent does not hear it",
        &["wild16"],
        Said(withdrawn_alone),
    ),
    fault(
        "start: castling rights are missing",
        &["wild16"],
        Start(no_rights),
    ),
    fault(
        "start: the room receives White's men",
        &["rand"],
        Start(men_to_room),
    ),
    fault(
        "opening: a check is not announced",
        &["wild16"],
        Opening(no_check),
    ),
    fault(
        "opening: the turn is not announced",
        &["ks"],
        Opening(no_turn),
    ),
    fault_when(
        "row 5: a repeat with another promotion is a new try",
        &["wild16", "cincinnati"],
        Style::Stubborn,
        Said(promotion_no_repeat),
    ),
];

fn any_ignores_pins(scene: &Scene<'_>, answered: &mut Answered) {
    let Some(us) = scene.by() else {
        return;
    };
    let captures = bare_captures(scene.before, us);
    each(answered, |heard| {
        if let Heard::Reply(Reply::Any { answer, .. }) = heard {
            *answer |= !captures.is_empty();
        }
    });
}

fn any_not_to_room(_: &Scene<'_>, answered: &mut Answered) {
    answered.heard[2].retain(|h| !matches!(h, Heard::Reply(Reply::Any { .. })));
}

fn any_swapped(_: &Scene<'_>, answered: &mut Answered) {
    each(answered, |heard| {
        if let Heard::Reply(Reply::Any { answer, .. }) = heard {
            *answer = !*answer;
        }
    });
}

fn turn_to_mover(scene: &Scene<'_>, answered: &mut Answered) {
    match scene.after.to_move() {
        Some(Color::White) => {
            answered.heard[1].retain(|h| !matches!(h, Heard::Announced(Announcement::Turn { .. })))
        }
        Some(Color::Black) => {
            answered.heard[0].retain(|h| !matches!(h, Heard::Announced(Announcement::Turn { .. })))
        }
        None => {}
    }
}

fn turn_after_end(scene: &Scene<'_>, answered: &mut Answered) {
    if let (Some(_), Answer::Moved, Some(by)) = (scene.after.over(), answered.answer, scene.by()) {
        for heard in &mut answered.heard {
            heard.push(Heard::Announced(Announcement::Turn { to_move: !by }));
        }
    }
}

/// Makes every verdict name the attempt that was made.
fn tell_attempt(answered: &mut Answered, told: Attempt) {
    each(answered, |heard| {
        if let Heard::Reply(Reply::Verdict { attempt, .. }) = heard {
            *attempt = Some(told);
        }
    });
}

fn move_to_all(scene: &Scene<'_>, answered: &mut Answered) {
    if let (Some((_, t)), Answer::Moved) = (scene.tried(), answered.answer) {
        tell_attempt(answered, Attempt::Try(t));
    }
}

fn no_with_try(scene: &Scene<'_>, answered: &mut Answered) {
    if let (Some((_, t)), Answer::No) = (scene.tried(), answered.answer) {
        tell_attempt(answered, Attempt::Try(t));
    }
}

fn offer_to_room(_: &Scene<'_>, answered: &mut Answered) {
    let offers: Vec<Heard> = answered.heard[0]
        .iter()
        .filter(|h| matches!(h, Heard::Draw(DrawTalk::Offer { .. })))
        .copied()
        .collect();
    answered.heard[2].extend(offers);
}

fn declined_to_room(_: &Scene<'_>, answered: &mut Answered) {
    let declined: Vec<Heard> = answered.heard[0]
        .iter()
        .filter(|h| matches!(h, Heard::Draw(DrawTalk::Declined { .. })))
        .copied()
        .collect();
    answered.heard[2].extend(declined);
}

fn withdrawn_alone(scene: &Scene<'_>, answered: &mut Answered) {
    let other = match scene.by() {
        Some(Color::White) => 1,
        Some(Color::Black) => 0,
        None => return,
    };
    answered.heard[other].retain(|h| !matches!(h, Heard::Draw(DrawTalk::Withdrawn { .. })));
}

fn nonsense_to_all(_: &Scene<'_>, answered: &mut Answered) {
    if answered.answer == Answer::Nonsense {
        to_all(answered, |h| {
            matches!(h, Heard::Reply(Reply::Verdict { .. }))
        });
    }
}

fn count_with_nonsense(scene: &Scene<'_>, answered: &mut Answered) {
    let memory = scene.memory;
    each(answered, |heard| {
        if let Heard::Reply(Reply::Rebuffs { by, count }) = heard {
            *count += *memory.nonsense.get(!*by);
        }
    });
}

fn count_of_asker(scene: &Scene<'_>, answered: &mut Answered) {
    let Action::Attempt(by, Attempt::Count) = scene.action else {
        return;
    };
    let other = scene.before.clone().attempt(!by, Attempt::Count);
    let own = other.ok().and_then(|a| match a.heard[0][..] {
        [Heard::Reply(Reply::Rebuffs { count, .. })] => Some(count),
        _ => None,
    });
    each(answered, |heard| {
        if let (Heard::Reply(Reply::Rebuffs { count, .. }), Some(own)) = (heard, own) {
            *count = own;
        }
    });
}

fn count_to_asker(scene: &Scene<'_>, answered: &mut Answered) {
    if answered.answer == Answer::Count {
        answered.heard[2].clear();
        match scene.by() {
            Some(Color::White) => answered.heard[1].clear(),
            Some(Color::Black) => answered.heard[0].clear(),
            None => {}
        }
    }
}

fn recap_without_capture(_: &Scene<'_>, answered: &mut Answered) {
    each(answered, |heard| {
        if let Heard::Reply(Reply::Recap { announcements, .. }) = heard {
            announcements.capture = None;
        }
    });
}

fn recap_without_turn(_: &Scene<'_>, answered: &mut Answered) {
    each(answered, |heard| {
        if let Heard::Reply(Reply::Recap { announcements, .. }) = heard {
            announcements.turn = None;
        }
    });
}

fn no_rights(starts: &mut [rules::Start; 3]) {
    for start in starts {
        if let Some(own) = &mut start.own {
            own.castling = rules::Wings::NONE;
        }
    }
}

fn men_to_room(starts: &mut [rules::Start; 3]) {
    starts[2].own = starts[0].own;
}

fn no_check(opening: &mut [Vec<Heard>; 3]) {
    for heard in opening {
        heard.retain(|h| !matches!(h, Heard::Announced(Announcement::Check { .. })));
    }
}

fn no_turn(opening: &mut [Vec<Heard>; 3]) {
    for heard in opening {
        heard.retain(|h| !matches!(h, Heard::Announced(Announcement::Turn { .. })));
    }
}

fn promotion_no_repeat(scene: &Scene<'_>, answered: &mut Answered) {
    if let Some((
        _,
        Try::Step {
            promotion: Some(_), ..
        },
    )) = scene.tried()
        && answered.row == Some(rules::NonsenseRow::Repeated)
    {
        answered.answer = Answer::No;
    }
}
