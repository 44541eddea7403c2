//! `rand`: RAND, Santa Monica, 1950.

use std::borrow::Cow;

use crate::{choices::*, ruleset::Ruleset, source::Source};

/// `rand`: RAND, Santa Monica, 1950.
///
/// Source: `RAND` in docs/sources.md. The notes list the differences from the source.
pub const RAND: Ruleset = Ruleset {
    id: Cow::Borrowed("rand"),
    title: Cow::Borrowed("RAND, Santa Monica, 1950"),
    choices: Choices {
        impossible: Impossible::Nonsense,
        announced_tries: AnnouncedTries::Nonsense,
        announced_check: AnnouncedCheck::Answers,
        obligation: Obligation::None,
        try_limit: TryLimit::None,
        repeat: Repeat::Truth,
        nonsense_heard: NonsenseHeard::Both,
        nonsense_word: NonsenseWord::HellNo,
        nonsense_score: NonsenseScore::Kept,
        no_heard: NoHeard::Both,
        capture_heard: CaptureHeard::Both,
        capture_square: CaptureSquare::Stood,
        capture_man: CaptureMan::Kind,
        en_passant: EnPassant::Silent,
        check: CheckTold::Directions,
        pawn_tries: PawnTries::Squares,
        pawn_try_square: PawnTrySquare::Landing,
        any_again: AnyAgain::Refused,
        any_without_pawns: AnyWithoutPawns::No,
        promotion: PromotionTold::Side,
        promotion_man: PromotionMan::Named,
        count: QuestionRule::Aloud,
        recap: QuestionRule::Aloud,
        px: Px::Absent,
        reserve: ReserveUse::None,
        mates: Mates::Announced,
        stalemate: Stalemate::Draw,
        material: Material::Dead,
        threefold: Threefold::Off,
        fifty: Fifty::Off,
        enemy_count: EnemyCount::Withheld,
    },
    start: None,
    hall: false,
    sources: Cow::Borrowed(&[Source::RAND]),
    notes: Cow::Borrowed(&[
        "A pawn try is named by the square on which the pawn lands. The words of rule 5.2 can also mean the square on which the pawn stands (`pawn_try_square = \"origin\"`) (3.3a).",
        "Both players hear all announcements (rule 5) (3.3i).",
        "Everybody hears the questions count and recap, and the answers to them (3.2).",
        "The source says nothing about insufficient material, repetition and fifty moves. Here insufficient material is a draw; repetition and fifty moves end the game only if they are switched on (3.3e).",
    ]),
};
