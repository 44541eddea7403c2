//! `ks+p`: ks with option p: pawn tries counted and limited.

use std::borrow::Cow;

use crate::{choices::*, ruleset::Ruleset, source::Source};

/// `ks+p`: ks with option p: pawn tries counted and limited.
///
/// Source: `KS` in docs/sources.md. The notes list the differences from the source.
pub const KS_P: Ruleset = Ruleset {
    id: Cow::Borrowed("ks+p"),
    title: Cow::Borrowed("ks with option p: pawn tries counted and limited"),
    choices: Choices {
        try_limit: TryLimit::Three,
        pawn_tries: PawnTries::Count,
        any_again: AnyAgain::Refused,
        ..super::ks::KS.choices
    },
    start: None,
    hall: false,
    sources: Cow::Borrowed(&[Source::KS]),
    notes: Cow::Borrowed(&[
        "The source has no word for nonsense. Here only the mover hears the answer to an attempt that the mover's own men cannot make. So nobody can mislead the opponent with such attempts (3.3c).",
        "The source says nothing about repeats. Here a repeat of a refused try is judged again, by the true position (3.3b).",
        "Spectators do not hear of a capture (section 2).",
        "As in the source, insufficient material is a draw, but repetition and fifty moves do not end the game (section 5).",
        "Castling while a check is announced is answered no, like any illegal move.",
        "There is no question Any?, because the number of pawn tries is announced. In 1986, the command `any` was ignored with option p.",
    ]),
};
