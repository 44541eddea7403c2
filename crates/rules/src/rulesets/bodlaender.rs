//! `bodlaender`: Chess Variant Pages, 1995.

use std::borrow::Cow;

use crate::{choice::*, choices::Choices, ruleset::Ruleset, source::Source};

/// `bodlaender`: Chess Variant Pages, 1995.
///
/// Source: CVP in docs/sources.md. Departures: in its notes.
pub const BODLAENDER: Ruleset = Ruleset {
    id: Cow::Borrowed("bodlaender"),
    title: Cow::Borrowed("Chess Variant Pages, 1995"),
    choices: Choices {
        impossible: Impossible::Nonsense,
        announced_tries: AnnouncedTries::Nonsense,
        announced_check: AnnouncedCheck::Judged,
        obligation: Obligation::Try,
        try_limit: TryLimit::None,
        repeat: Repeat::Nonsense,
        nonsense_heard: NonsenseHeard::Both,
        nonsense_word: NonsenseWord::Impossible,
        nonsense_score: NonsenseScore::Kept,
        no_heard: NoHeard::Both,
        capture_heard: CaptureHeard::Both,
        capture_square: CaptureSquare::Landing,
        capture_man: CaptureMan::Untold,
        en_passant: EnPassant::Said,
        check: CheckTold::Directions,
        pawn_tries: PawnTries::OnRequest,
        pawn_try_square: PawnTrySquare::Landing,
        any_again: AnyAgain::Refused,
        any_without_pawns: AnyWithoutPawns::Nonsense,
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
    sources: Cow::Borrowed(&[Source::CVP]),
    notes: Cow::Borrowed(&[
        "A repeat of a refused try is nonsense: \"the player must know it\" (3.3b).",
        "The source is silent on dead material, repetition and fifty moves: dead material draws, the other two are off unless switched on (3.3e).",
        "Castling while a check is announced is answered no, like any illegal move.",
    ]),
};
