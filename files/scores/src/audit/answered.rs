//! The kind of announcement to which an answer belongs.

use rules::Answer;

use super::finding::AnnouncementKind;

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
