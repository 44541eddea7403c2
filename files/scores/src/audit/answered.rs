//! What an umpire notes with an attempt: the answer and, for nonsense, the row of
//! the table of verdicts.

use referee::{Event, Game};
use rules::{Answer, NonsenseRow, Verdict};

use super::finding::AnnouncementKind;
use crate::Answered;

/// Returns what an umpire notes with an event. `game` is the state before the event.
pub(crate) fn answered(game: &Game, event: &Event) -> Option<Answered> {
    let row = nonsense_row(game, event).map(NonsenseRow::number);
    event.answer().map(|answer| Answered::Ruled { answer, row })
}

/// Returns the row of the table of verdicts that makes the try nonsense.
pub(super) fn nonsense_row(game: &Game, event: &Event) -> Option<NonsenseRow> {
    if let Event::Rebuffed {
        by,
        what,
        verdict: Verdict::Nonsense,
        ..
    } = *event
    {
        game.nonsense_row(by, what)
    } else {
        None
    }
}

/// Returns the kind of announcement to which an answer belongs.
pub(super) const fn about(answer: Answer) -> AnnouncementKind {
    match answer {
        Answer::Moved | Answer::No | Answer::RepeatNo | Answer::Nonsense => {
            AnnouncementKind::Verdict
        }
        Answer::Yes | Answer::None => AnnouncementKind::Any,
        Answer::Count => AnnouncementKind::Rebuffs,
        Answer::Recap => AnnouncementKind::Recap,
        Answer::Offered | Answer::Declined | Answer::Withdrawn => AnnouncementKind::Draw,
        Answer::Resigned | Answer::Drawn | Answer::Flag | Answer::Gone | Answer::Aborted => {
            AnnouncementKind::Over
        }
    }
}
