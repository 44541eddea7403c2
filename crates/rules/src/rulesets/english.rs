//! `english`: English rules of The Gambit, 1933.

use std::borrow::Cow;

use crate::{choices::*, ruleset::Ruleset, source::Source};

/// `english`: English rules of The Gambit, 1933.
///
/// Source: `GAMBIT` in docs/sources.md. The notes list the differences from it.
pub const ENGLISH: Ruleset = Ruleset {
    id: Cow::Borrowed("english"),
    title: Cow::Borrowed("English rules of The Gambit, 1933"),
    choices: Choices {
        obligation: Obligation::Try,
        capture_heard: CaptureHeard::Both,
        capture_square: CaptureSquare::Landing,
        any_again: AnyAgain::Refused,
        promotion_man: PromotionMan::Named,
        ..super::ks::KS.choices
    },
    sources: Cow::Borrowed(&[Source::GAMBIT]),
    notes: Cow::Borrowed(&[
        "The source has no word for nonsense: what is impossible from own men is answered to the mover alone, so that it cannot be used as noise (3.3c).",
        "A repeat of a refused try is answered with the truth again: the source does not speak of it (3.3b). While an obligation stands it is nonsense (3.2).",
        "The third clause of rule 12 (the same two moves three times, and no power to mate) needs a human judge: off (3.3f).",
        "Castling while a check is announced is answered no, like any illegal move.",
    ]),
};
