//! `berkeley-any`: Berkeley with a public Any?.

use std::borrow::Cow;

use crate::{choice::*, choices::Choices, ruleset::Ruleset, source::Source};

/// `berkeley-any`: Berkeley with a public Any?.
///
/// Source: BERK in docs/sources.md. Departures: in its notes.
pub const BERKELEY_ANY: Ruleset = Ruleset {
    id: Cow::Borrowed("berkeley-any"),
    title: Cow::Borrowed("Berkeley with a public Any?"),
    choices: Choices {
        impossible: Impossible::Nonsense,
        announced_tries: AnnouncedTries::Judged,
        announced_check: AnnouncedCheck::Judged,
        obligation: Obligation::Make,
        try_limit: TryLimit::None,
        repeat: Repeat::Nonsense,
        nonsense_heard: NonsenseHeard::Both,
        nonsense_word: NonsenseWord::Nonsense,
        nonsense_score: NonsenseScore::LeftOut,
        no_heard: NoHeard::Both,
        capture_heard: CaptureHeard::Both,
        capture_square: CaptureSquare::Stood,
        capture_man: CaptureMan::Untold,
        en_passant: EnPassant::Silent,
        check: CheckTold::Directions,
        pawn_tries: PawnTries::OnRequest,
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
        material: Material::OneMinorEach,
        threefold: Threefold::Off,
        fifty: Fifty::Off,
    },
    sources: Cow::Borrowed(&[Source::BERK]),
    notes: Cow::Borrowed(&[
        "The source's own Any? is secret; this is kriegspiel.org's public form (3.3h).",
        "Castling while a check is announced is answered no, like any illegal move.",
    ]),
};
