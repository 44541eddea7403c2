//! `bodlaender`: Chess Variant Pages, 1995.

use std::borrow::Cow;

use crate::{choices::*, ruleset::Ruleset, source::Source};

/// `bodlaender`: Chess Variant Pages, 1995.
///
/// Source: `CVP` in docs/sources.md. The notes list the differences from the source.
pub const BODLAENDER: Ruleset = Ruleset {
    id: Cow::Borrowed("bodlaender"),
    title: Cow::Borrowed("Chess Variant Pages, 1995"),
    choices: Choices {
        obligation: Obligation::Try,
        nonsense_word: NonsenseWord::Impossible,
        capture_square: CaptureSquare::Landing,
        capture_man: CaptureMan::Untold,
        en_passant: EnPassant::Said,
        pawn_tries: PawnTries::OnRequest,
        any_without_pawns: AnyWithoutPawns::Nonsense,
        enemy_count: EnemyCount::Shown,
        ..super::cincinnati::CINCINNATI.choices
    },
    start: None,
    hall: false,
    sources: Cow::Borrowed(&[Source::CVP]),
    notes: Cow::Borrowed(&[
        "A repeat of a refused try is nonsense, and so is an attempt that cannot answer the announced check: the player must know the answer (3.3b).",
        "The source says nothing about insufficient material, repetition and fifty moves. Here insufficient material is a draw; repetition and fifty moves end the game only if they are switched on (3.3e).",
    ]),
};
