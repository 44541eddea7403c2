//! What a record claims about an act.

use referee::{EndCause, Event};
use rules::{Answer, Attempt, Heard, Reply, Verdict, chess::Color};

use crate::{
    Answered, Asked,
    recorded_game::{Act, Claim, RecordedAct},
};

pub(super) fn asked_of(act: &Act) -> Asked {
    match act {
        Act::Asked(asked) => asked.clone(),
        Act::Refused { by, text } => Asked::Unread {
            by: *by,
            text: text.clone(),
        },
        Act::Ended { .. } => Asked::End(EndCause::Abort),
    }
}

pub(super) fn asked_text(act: &Act) -> String {
    asked_of(act).to_string()
}

/// Compares two answers. If `recorded` has no row of the table of verdicts, the rows are not
/// compared.
pub(super) fn same_answer(expected: Answered, recorded: Answered) -> bool {
    match (expected, recorded) {
        (
            Answered::Ruled { answer: a, row },
            Answered::Ruled {
                answer: b,
                row: noted,
            },
        ) => a == b && (noted.is_none() || noted == row),
        (a, b) => a == b,
    }
}

pub(super) fn is_try(asked: &Asked) -> bool {
    matches!(
        asked,
        Asked::Attempt {
            attempt: Attempt::Try(_) | Attempt::Px { .. },
            ..
        }
    )
}

/// Checks whether the record claims that a move was made; `None` if the record does not say.
pub(super) fn claims_move(claim: &Claim) -> Option<bool> {
    if let Some(answered) = claim.answered {
        return Some(matches!(
            answered,
            Answered::Ruled {
                answer: Answer::Moved,
                ..
            }
        ));
    }
    if let Some(event) = &claim.event {
        return Some(matches!(event, Event::Moved { .. }));
    }
    if claim.remark.is_some() {
        return Some(true);
    }
    let heard = claim.heard.as_ref()?;
    let mut heard = heard.each_ref().into_iter().flatten();
    heard.find_map(|heard| {
        if let Heard::Reply(Reply::Verdict { verdict, .. }) = heard {
            Some(*verdict == Verdict::Moved)
        } else {
            None
        }
    })
}

pub(super) fn said_answer(claim: &Claim) -> Option<String> {
    if let Some(answered) = claim.answered {
        return Some(answered.to_string());
    }
    if let Some(event) = &claim.event {
        return event.answer().map(|a| a.name().to_owned());
    }
    claims_move(claim).map(|moved| if moved { "moved" } else { "no" }.to_owned())
}

/// Returns the side that makes the next attempt in the rest of the record. Only tries, `px` and the
/// question Any? count as attempts here. Attempts to which the record gives the answer
/// [`Answered::Refused`] are ignored.
pub(super) fn next_mover(after: &[RecordedAct]) -> Option<Color> {
    after.iter().find_map(|told| match &told.act {
        Act::Asked(Asked::Attempt {
            by,
            attempt: Attempt::Try(_) | Attempt::Px { .. } | Attempt::Any,
        }) => (told.claim.answered != Some(Answered::Refused)).then_some(*by),
        Act::Refused { by, .. } => Some(*by),
        Act::Asked(_) | Act::Ended { .. } => None,
    })
}
