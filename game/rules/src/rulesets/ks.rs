//! `ks`: ks, Berkeley Unix, 1986.

use std::borrow::Cow;

use crate::{choices::*, ruleset::Ruleset, source::Source};

/// `ks`: ks, Berkeley Unix, 1986.
///
/// Source: `KS` in docs/sources.md. The notes list the differences from the source.
pub const KS: Ruleset = Ruleset {
    id: Cow::Borrowed("ks"),
    title: Cow::Borrowed("ks, Berkeley Unix, 1986"),
    choices: Choices {
        announced_tries: AnnouncedTries::Judged,
        announced_check: AnnouncedCheck::Judged,
        nonsense_heard: NonsenseHeard::Mover,
        nonsense_word: NonsenseWord::Nonsense,
        capture_heard: CaptureHeard::Victim,
        capture_square: CaptureSquare::Untold,
        capture_man: CaptureMan::Untold,
        pawn_tries: PawnTries::OnRequest,
        any_again: AnyAgain::Same,
        promotion: PromotionTold::Silent,
        promotion_man: PromotionMan::QueenUnlessNamed,
        count: QuestionRule::Absent,
        recap: QuestionRule::Absent,
        enemy_count: EnemyCount::Shown,
        ..super::rand::RAND.choices
    },
    start: None,
    hall: false,
    sources: Cow::Borrowed(&[Source::KS]),
    notes: Cow::Borrowed(&[
        "The source has no word for nonsense. Here only the mover hears the answer to an attempt that the mover's own men cannot make. So nobody can mislead the opponent with such attempts (3.3c).",
        "The source says nothing about repeats. Here a repeat of a refused try is judged again, by the true position (3.3b).",
        "Spectators do not hear of a capture (section 2).",
        "As in the source, insufficient material is a draw, but repetition and fifty moves do not end the game (section 5).",
        "Castling while a check is announced is answered no, like any illegal move.",
    ]),
};
