//! `cincinnati`: Cincinnati style, 1977.

use std::borrow::Cow;

use crate::{choices::*, ruleset::Ruleset, source::Source};

/// `cincinnati`: Cincinnati style, 1977.
///
/// Source: `CINC` in docs/sources.md. The notes list the differences from the source.
pub const CINCINNATI: Ruleset = Ruleset {
    id: Cow::Borrowed("cincinnati"),
    title: Cow::Borrowed("Cincinnati style, 1977"),
    choices: Choices {
        repeat: Repeat::Nonsense,
        nonsense_word: NonsenseWord::Nonsense,
        pawn_tries: PawnTries::Whether,
        promotion: PromotionTold::Silent,
        count: QuestionRule::Absent,
        recap: QuestionRule::Absent,
        ..super::rand::RAND.choices
    },
    start: None,
    hall: false,
    sources: Cow::Borrowed(&[Source::CINC]),
    notes: Cow::Borrowed(&[
        "A repeat of a refused try is nonsense, and so is an attempt that cannot answer the announced check: the player must know the answer (3.3b).",
        "The source says nothing about insufficient material, repetition and fifty moves. Here insufficient material is a draw; repetition and fifty moves end the game only if they are switched on (3.3e).",
    ]),
};
