//! `crazykrieg`: Crazyhouse Kriegspiel.

use std::borrow::Cow;

use crate::{choices::*, ruleset::Ruleset, source::Source};

/// `crazykrieg`: Crazyhouse Kriegspiel.
///
/// Sources: `CRAZY` and `CVP` in docs/sources.md. The notes list the
/// differences from the sources.
pub const CRAZYKRIEG: Ruleset = Ruleset {
    id: Cow::Borrowed("crazykrieg"),
    title: Cow::Borrowed("Crazyhouse Kriegspiel"),
    choices: Choices {
        obligation: Obligation::Try,
        nonsense_score: NonsenseScore::Kept,
        capture_man: CaptureMan::Exact,
        pawn_tries: PawnTries::OnRequest,
        reserve: ReserveUse::Drops,
        material: Material::Off,
        ..super::berkeley::BERKELEY.choices
    },
    start: None,
    hall: false,
    sources: Cow::Borrowed(&[Source::CRAZY, Source::CVP]),
    notes: Cow::Borrowed(&[
        "A captured promoted man is announced as a pawn, and enters the reserve as a pawn (section 2).",
        "Castling while a check is announced is answered no, like any illegal move.",
    ]),
};
