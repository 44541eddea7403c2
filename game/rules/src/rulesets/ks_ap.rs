//! `ks+ap`: ks with options a and p.

use std::borrow::Cow;

use crate::{choices::*, ruleset::Ruleset, source::Source};

/// `ks+ap`: ks with options a and p.
///
/// Source: `KS` in docs/sources.md. The notes list the differences from the source.
pub const KS_AP: Ruleset = Ruleset {
    id: Cow::Borrowed("ks+ap"),
    title: Cow::Borrowed("ks with options a and p"),
    choices: Choices {
        try_limit: TryLimit::Three,
        pawn_tries: PawnTries::Count,
        any_again: AnyAgain::Refused,
        ..super::ks_a::KS_A.choices
    },
    start: None,
    hall: false,
    sources: Cow::Borrowed(&[Source::KS]),
    notes: Cow::Borrowed(&[
        "The source has no word for nonsense. Here only the mover hears the answer to an attempt that the mover's own men cannot make. So nobody can mislead the opponent with such attempts (3.3c).",
        "The source says nothing about repeats. Here a repeat of a refused try is judged again, by the true position (3.3b).",
        "As in the source, insufficient material is a draw, but repetition and fifty moves do not end the game (section 5).",
        "Castling while a check is announced is answered no, like any illegal move.",
        "There is no question Any?, because the number of pawn tries is announced. In 1986, the command `any` was ignored with option p.",
    ]),
};
