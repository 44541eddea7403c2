//! `umpire`: UMPIRE, the program of 1965.

use std::borrow::Cow;

use crate::{choices::*, ruleset::Ruleset, source::Source};

/// `umpire`: UMPIRE, the program of 1965.
///
/// Sources: `UMPIRE` and `RAND` in docs/sources.md. The notes list the
/// differences from the sources.
pub const UMPIRE: Ruleset = Ruleset {
    id: Cow::Borrowed("umpire"),
    title: Cow::Borrowed("UMPIRE, the program of 1965"),
    choices: Choices {
        announced_check: AnnouncedCheck::Judged,
        repeat: Repeat::RepeatNo,
        promotion_man: PromotionMan::QueenOnly,
        count: QuestionRule::Absent,
        recap: QuestionRule::Absent,
        mates: Mates::Unseen,
        material: Material::Off,
        ..super::rand::RAND.choices
    },
    start: None,
    hall: false,
    sources: Cow::Borrowed(&[Source::UMPIRE, Source::RAND]),
    notes: Cow::Borrowed(&[
        "SP-2152 quotes the rules of RAND, but the program of 1965 departs from them in five points. It does not recognise checkmate and stalemate (RAND 5.7). The answer to an attempt that cannot end the announced check is no; under RAND 7 it is hell no. The questions count and recap do not exist (RAND 9). A repeat of a refused try is answered repeat no; under RAND 10 it is judged again. A pawn on the eighth rank becomes a queen at once; under RAND the player chooses the man.",
        "In the program of 1965, the players could not agree to a draw. Here they can (3.2). The recognition of checkmate and stalemate can be switched on for a game (section 4).",
        "SP-2152 does not say how a pawn capture that was not announced is answered. Here the answer is hell no, according to RAND 10 (3.3d).",
        "According to one part of SP-2152, the player who has moved hears only whose turn it is. Here both players hear all announcements, as other parts of SP-2152 say (3.3i).",
        "Castling while a check is announced is answered no, like any illegal move.",
    ]),
};
