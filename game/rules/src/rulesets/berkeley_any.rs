//! `berkeley-any`: Berkeley with a public Any?.

use std::borrow::Cow;

use crate::{choices::*, ruleset::Ruleset, source::Source};

/// `berkeley-any`: Berkeley with a public Any?.
///
/// Source: `BERK` in docs/sources.md. The notes list the differences from the source.
pub const BERKELEY_ANY: Ruleset = Ruleset {
    id: Cow::Borrowed("berkeley-any"),
    title: Cow::Borrowed("Berkeley with a public Any?"),
    choices: Choices {
        obligation: Obligation::Make,
        pawn_tries: PawnTries::OnRequest,
        ..super::berkeley::BERKELEY.choices
    },
    start: None,
    hall: false,
    sources: Cow::Borrowed(&[Source::BERK]),
    notes: Cow::Borrowed(&[
        "In the source, Any? is a secret question. Here Any? is public, as on kriegspiel.org (3.3h).",
        "Castling while a check is announced is answered no, like any illegal move.",
    ]),
};
