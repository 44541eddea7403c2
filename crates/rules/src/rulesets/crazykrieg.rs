//! `crazykrieg`: Crazyhouse Kriegspiel.

use std::borrow::Cow;

use crate::{choice::*, choices::Choices, ruleset::Ruleset, source::Source};

/// `crazykrieg`: Crazyhouse Kriegspiel.
///
/// Source: CRAZY, CVP in docs/sources.md. Departures: in its notes.
pub const CRAZYKRIEG: Ruleset = Ruleset {
    id: Cow::Borrowed("crazykrieg"),
    title: Cow::Borrowed("Crazyhouse Kriegspiel"),
    choices: Choices {
        impossible: Impossible::Nonsense,
        announced_tries: AnnouncedTries::Judged,
        announced_check: AnnouncedCheck::Judged,
        obligation: Obligation::Try,
        try_limit: TryLimit::None,
        repeat: Repeat::Nonsense,
        nonsense_heard: NonsenseHeard::Both,
        nonsense_word: NonsenseWord::Nonsense,
        nonsense_score: NonsenseScore::Kept,
        no_heard: NoHeard::Both,
        capture_heard: CaptureHeard::Both,
        capture_square: CaptureSquare::Stood,
        capture_man: CaptureMan::Exact,
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
        reserve: ReserveUse::Drops,
        mates: Mates::Announced,
        stalemate: Stalemate::Draw,
        material: Material::Off,
        threefold: Threefold::Off,
        fifty: Fifty::Off,
    },
    sources: Cow::Borrowed(&[Source::CRAZY, Source::CVP]),
    notes: Cow::Borrowed(&[
        "A captured promoted man enters the reserve, and is announced, as a pawn (section 2).",
        "Castling while a check is announced is answered no, like any illegal move.",
    ]),
};
