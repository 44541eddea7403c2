//! `cincinnati`: Cincinnati style, 1977.

use std::borrow::Cow;

use crate::{choice::*, choices::Choices, ruleset::Ruleset, source::Source};

/// `cincinnati`: Cincinnati style, 1977.
///
/// Source: CINC in docs/sources.md. Departures: in its notes.
pub const CINCINNATI: Ruleset = Ruleset {
    id: Cow::Borrowed("cincinnati"),
    title: Cow::Borrowed("Cincinnati style, 1977"),
    choices: Choices {
        impossible: Impossible::Nonsense,
        announced_tries: AnnouncedTries::Nonsense,
        announced_check: AnnouncedCheck::Judged,
        obligation: Obligation::None,
        try_limit: TryLimit::None,
        repeat: Repeat::Nonsense,
        nonsense_heard: NonsenseHeard::Both,
        nonsense_word: NonsenseWord::Nonsense,
        nonsense_score: NonsenseScore::Kept,
        no_heard: NoHeard::Both,
        capture_heard: CaptureHeard::Both,
        capture_square: CaptureSquare::Stood,
        capture_man: CaptureMan::Kind,
        en_passant: EnPassant::Silent,
        check: CheckTold::Directions,
        pawn_tries: PawnTries::Whether,
        pawn_try_square: PawnTrySquare::Landing,
        any_again: AnyAgain::Refused,
        any_without_pawns: AnyWithoutPawns::No,
        promotion: PromotionTold::Silent,
        promotion_man: PromotionMan::Named,
        count: Question::Absent,
        recap: Question::Absent,
        px: Px::Absent,
        reserve: ReserveUse::None,
        mates: Mates::Announced,
        stalemate: Stalemate::Draw,
        material: Material::Dead,
        threefold: Threefold::Off,
        fifty: Fifty::Off,
    },
    sources: Cow::Borrowed(&[Source::CINC]),
    notes: Cow::Borrowed(&[
        "A repeat of a refused try is nonsense: \"the player must know it\" (3.3b).",
        "The source is silent on dead material, repetition and fifty moves: dead material draws, the other two are off unless switched on (3.3e).",
        "Castling while a check is announced is answered no, like any illegal move.",
    ]),
};
