//! `ks+a`: ks with option a: captures announced.

use std::borrow::Cow;

use crate::{choices::*, ruleset::Ruleset, source::Source};

/// `ks+a`: ks with option a: captures announced.
///
/// Source: `KS` in docs/sources.md. The notes list the differences from the source.
pub const KS_A: Ruleset = Ruleset {
    id: Cow::Borrowed("ks+a"),
    title: Cow::Borrowed("ks with option a: captures announced"),
    choices: Choices {
        capture_heard: CaptureHeard::Both,
        capture_man: CaptureMan::Kind,
        promotion: PromotionTold::Side,
        ..super::ks::KS.choices
    },
    start: None,
    hall: false,
    sources: Cow::Borrowed(&[Source::KS]),
    notes: Cow::Borrowed(&[
        "The source has no word for nonsense. Here only the mover hears the answer to an attempt that the mover's own men cannot make. So nobody can mislead the opponent with such attempts (3.3c).",
        "The source says nothing about repeats. Here a repeat of a refused try is judged again, by the true position (3.3b).",
        "As in the source, insufficient material is a draw, but repetition and fifty moves do not end the game (section 5).",
        "Castling while a check is announced is answered no, like any illegal move.",
    ]),
};
