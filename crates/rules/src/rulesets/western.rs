//! `western`: KSREF, Western rules, 1975.

use std::borrow::Cow;

use crate::{choice::*, choices::Choices, ruleset::Ruleset, source::Source};

/// `western`: KSREF, Western rules, 1975.
///
/// Source: KSREF in docs/sources.md. Departures: in its notes.
pub const WESTERN: Ruleset = Ruleset {
    id: Cow::Borrowed("western"),
    title: Cow::Borrowed("KSREF, Western rules, 1975"),
    choices: Choices {
        impossible: Impossible::Nonsense,
        announced_tries: AnnouncedTries::Nonsense,
        announced_check: AnnouncedCheck::Castling,
        obligation: Obligation::None,
        try_limit: TryLimit::None,
        repeat: Repeat::Nonsense,
        nonsense_heard: NonsenseHeard::Both,
        nonsense_word: NonsenseWord::HeckNo,
        nonsense_score: NonsenseScore::Kept,
        no_heard: NoHeard::Both,
        capture_heard: CaptureHeard::Capturer,
        capture_square: CaptureSquare::Untold,
        capture_man: CaptureMan::Kind,
        en_passant: EnPassant::Silent,
        check: CheckTold::Directions,
        pawn_tries: PawnTries::SinglesAndDoubles,
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
        material: Material::Off,
        threefold: Threefold::Off,
        fifty: Fifty::Off,
    },
    sources: Cow::Borrowed(&[Source::KSREF]),
    notes: Cow::Borrowed(&[
        "A promotion is not announced: the program computes it, its authors advise to ignore it (section 3).",
        "The room hears nothing of a capture (section 2).",
        "Nothing but checkmate, stalemate, resignation, agreement and time ends a game (section 6).",
    ]),
};
