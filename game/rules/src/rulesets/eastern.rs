//! `eastern`: KSREF, Eastern rules, 1975.

use std::borrow::Cow;

use crate::{choices::*, ruleset::Ruleset, source::Source};

/// `eastern`: KSREF, Eastern rules, 1975.
///
/// Source: `KSREF` in docs/sources.md. The notes list the differences from the source.
pub const EASTERN: Ruleset = Ruleset {
    id: Cow::Borrowed("eastern"),
    title: Cow::Borrowed("KSREF, Eastern rules, 1975"),
    choices: Choices {
        obligation: Obligation::Make,
        capture_man: CaptureMan::Untold,
        check: CheckTold::Bare,
        pawn_tries: PawnTries::OnRequest,
        any_again: AnyAgain::Same,
        ..super::western::WESTERN.choices
    },
    start: None,
    hall: false,
    sources: Cow::Borrowed(&[Source::KSREF]),
    notes: Cow::Borrowed(&[
        "A second Any? in a turn gets the same answer as the first (3.2).",
        "Spectators do not hear of a capture (section 2).",
        "In the program of 1975, only checkmate and stalemate end a game (section 6). Here resignation, agreement and time end a game, too.",
    ]),
};
