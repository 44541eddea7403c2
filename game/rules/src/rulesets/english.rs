//! `english`: English rules of The Gambit, 1933.

use std::borrow::Cow;

use crate::{choices::*, ruleset::Ruleset, source::Source};

/// `english`: English rules of The Gambit, 1933.
///
/// Source: `GAMBIT` in docs/sources.md. The notes list the differences from the source.
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
    start: None,
    hall: false,
    sources: Cow::Borrowed(&[Source::GAMBIT]),
    notes: Cow::Borrowed(&[
        "The source has no word for nonsense. Here only the mover hears the answer to an attempt that the mover's own men cannot make. So nobody can mislead the opponent with such attempts (3.3c).",
        "The source says nothing about repeats. Here a repeat of a refused try is judged again, by the true position (3.3b). While an obligation is in force, a repeat is nonsense (3.2).",
        "The third clause of rule 12 is about a player who makes the same two moves three times and has no power to mate. It is not applied, because only a human judge can decide whether this is the case (3.3f).",
        "Castling while a check is announced is answered no, like any illegal move.",
    ]),
};
