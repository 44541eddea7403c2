//! `eastern`: KSREF, Eastern rules, 1975.

use std::borrow::Cow;

use crate::{choice::*, choices::Choices, ruleset::Ruleset, source::Source};

/// `eastern`: KSREF, Eastern rules, 1975.
///
/// Source: KSREF in docs/sources.md. Departures: in its notes.
pub const EASTERN: Ruleset = Ruleset {
    id: Cow::Borrowed("eastern"),
    title: Cow::Borrowed("KSREF, Eastern rules, 1975"),
    choices: Choices {
        impossible: Impossible::Nonsense,
        announced_tries: AnnouncedTries::Nonsense,
        announced_check: AnnouncedCheck::Castling,
        obligation: Obligation::Make,
        try_limit: TryLimit::None,
        repeat: Repeat::Nonsense,
        nonsense_heard: NonsenseHeard::Both,
        nonsense_word: NonsenseWord::HeckNo,
        nonsense_score: NonsenseScore::Kept,
        no_heard: NoHeard::Both,
        capture_heard: CaptureHeard::Capturer,
        capture_square: CaptureSquare::Untold,
        capture_man: CaptureMan::Untold,
        en_passant: EnPassant::Silent,
        check: CheckTold::Bare,
        pawn_tries: PawnTries::OnRequest,
        pawn_try_square: PawnTrySquare::Landing,
        any_again: AnyAgain::Same,
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
        "A second Any? in a turn is answered the same again (3.2).",
        "The room hears nothing of a capture (section 2).",
        "Nothing but checkmate, stalemate, resignation, agreement and time ends a game (section 6).",
    ]),
};
