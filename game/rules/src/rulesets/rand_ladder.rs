//! `rand-ladder`: RAND with rule 20: stalemate loses.

use std::borrow::Cow;

use crate::{choices::*, ruleset::Ruleset, source::Source};

/// `rand-ladder`: RAND with rule 20: stalemate loses.
///
/// Source: `RAND` in docs/sources.md. The notes list the differences from the source.
pub const RAND_LADDER: Ruleset = Ruleset {
    id: Cow::Borrowed("rand-ladder"),
    title: Cow::Borrowed("RAND with rule 20: stalemate loses"),
    choices: Choices {
        stalemate: Stalemate::Loses,
        ..super::rand::RAND.choices
    },
    start: None,
    hall: false,
    sources: Cow::Borrowed(&[Source::RAND]),
    notes: Cow::Borrowed(&[
        "As `rand`, but the stalemated player loses (rule 20).",
        "A pawn try is named by the square on which the pawn lands (3.3a).",
        "Everybody hears the questions count and recap, and the answers to them (3.2).",
        "The source says nothing about insufficient material, repetition and fifty moves. Here insufficient material is a draw; repetition and fifty moves end the game only if they are switched on (3.3e).",
    ]),
};
