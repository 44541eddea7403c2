//! `western`: KSREF, Western rules, 1975.

use std::borrow::Cow;

use crate::{choices::*, ruleset::Ruleset, source::Source};

/// `western`: KSREF, Western rules, 1975.
///
/// Source: `KSREF` in docs/sources.md. The notes list the differences from the source.
pub const WESTERN: Ruleset = Ruleset {
    id: Cow::Borrowed("western"),
    title: Cow::Borrowed("KSREF, Western rules, 1975"),
    choices: Choices {
        announced_check: AnnouncedCheck::Castling,
        nonsense_word: NonsenseWord::HeckNo,
        capture_heard: CaptureHeard::Capturer,
        capture_square: CaptureSquare::Untold,
        pawn_tries: PawnTries::SinglesAndDoubles,
        material: Material::Off,
        enemy_count: EnemyCount::Shown,
        ..super::cincinnati::CINCINNATI.choices
    },
    start: None,
    hall: false,
    sources: Cow::Borrowed(&[Source::KSREF]),
    notes: Cow::Borrowed(&[
        "A promotion is not announced: the program of 1975 computes the announcement, but its authors advise to ignore it (section 3).",
        "Spectators do not hear of a capture (section 2).",
        "In the program of 1975, only checkmate and stalemate end a game (section 6). Here resignation, agreement and time end a game, too.",
    ]),
};
