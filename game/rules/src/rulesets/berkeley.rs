//! `berkeley`: Berkeley, about 2004.

use std::borrow::Cow;

use crate::{choices::*, ruleset::Ruleset, source::Source};

/// `berkeley`: Berkeley, about 2004.
///
/// Source: `BERK` in docs/sources.md. The notes list the differences from the source.
pub const BERKELEY: Ruleset = Ruleset {
    id: Cow::Borrowed("berkeley"),
    title: Cow::Borrowed("Berkeley, about 2004"),
    choices: Choices {
        announced_tries: AnnouncedTries::Judged,
        announced_check: AnnouncedCheck::Judged,
        nonsense_score: NonsenseScore::LeftOut,
        capture_man: CaptureMan::Untold,
        pawn_tries: PawnTries::Silent,
        material: Material::OneMinorEach,
        enemy_count: EnemyCount::Shown,
        ..super::cincinnati::CINCINNATI.choices
    },
    start: None,
    hall: false,
    sources: Cow::Borrowed(&[Source::BERK]),
    notes: Cow::Borrowed(&[
        "In the source, Any? is a secret question. This ruleset has no Any?; `berkeley-any` has a public Any? (3.3h).",
        "Castling while a check is announced is answered no, like any illegal move.",
    ]),
};
