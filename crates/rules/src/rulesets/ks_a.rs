//! `ks+a`: ks with option a: captures announced.

use std::borrow::Cow;

use crate::{choice::*, choices::Choices, ruleset::Ruleset, source::Source};

/// `ks+a`: ks with option a: captures announced.
///
/// Source: KS in docs/sources.md. Departures: in its notes.
pub const KS_A: Ruleset = Ruleset {
    id: Cow::Borrowed("ks+a"),
    title: Cow::Borrowed("ks with option a: captures announced"),
    choices: Choices {
        impossible: Impossible::Nonsense,
        announced_tries: AnnouncedTries::Judged,
        announced_check: AnnouncedCheck::Judged,
        obligation: Obligation::None,
        try_limit: TryLimit::None,
        repeat: Repeat::Truth,
        nonsense_heard: NonsenseHeard::Mover,
        nonsense_word: NonsenseWord::Nonsense,
        nonsense_score: NonsenseScore::Kept,
        no_heard: NoHeard::Both,
        capture_heard: CaptureHeard::Both,
        capture_square: CaptureSquare::Untold,
        capture_man: CaptureMan::Kind,
        en_passant: EnPassant::Silent,
        check: CheckTold::Directions,
        pawn_tries: PawnTries::OnRequest,
        pawn_try_square: PawnTrySquare::Landing,
        any_again: AnyAgain::Same,
        any_without_pawns: AnyWithoutPawns::No,
        promotion: PromotionTold::Side,
        promotion_man: PromotionMan::QueenUnlessNamed,
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
    sources: Cow::Borrowed(&[Source::KS]),
    notes: Cow::Borrowed(&[
        "The source has no word for nonsense: what is impossible from own men is answered to the mover alone, so that it cannot be used as noise (3.3c).",
        "A repeat of a refused try is answered with the truth again: the source does not speak of it (3.3b).",
        "Material that cannot mate draws; repetition and fifty moves do not (3.3e, section 5).",
        "Castling while a check is announced is answered no, like any illegal move.",
    ]),
};
