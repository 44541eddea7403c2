//! `wild16`: Wild 16, Internet Chess Club.

use std::borrow::Cow;

use crate::{choices::*, ruleset::Ruleset, source::Source};

/// `wild16`: Wild 16, Internet Chess Club.
///
/// Source: `ICC` in docs/sources.md. The notes list the differences from the source.
pub const WILD16: Ruleset = Ruleset {
    id: Cow::Borrowed("wild16"),
    title: Cow::Borrowed("Wild 16, Internet Chess Club"),
    choices: Choices {
        announced_tries: AnnouncedTries::Judged,
        announced_check: AnnouncedCheck::Judged,
        nonsense_heard: NonsenseHeard::Mover,
        nonsense_word: NonsenseWord::No,
        no_heard: NoHeard::Mover,
        pawn_tries: PawnTries::Count,
        px: Px::Present,
        threefold: Threefold::On,
        fifty: Fifty::On,
        enemy_count: EnemyCount::Shown,
        ..super::cincinnati::CINCINNATI.choices
    },
    start: None,
    hall: false,
    sources: Cow::Borrowed(&[Source::ICC]),
    notes: Cow::Borrowed(&[
        "The announced number of pawn tries is the number of different pairs of origin and target square. If promotions to different men have the same pair, the pair counts only once (section 2).",
        "In the source, the review of a game omits every answer \"no\". A player who disconnects has lost. Here the review contains every answer \"no\", and a disconnected player has time to return (3.3g).",
        "`px` must name a promotion piece if, as far as the player knows, an own pawn could promote by a capture. If not, `px` must not name a piece. Captures already refused in this turn do not count. If the played capture is not a promotion, the named piece is ignored. So a refusal of `px` depends only on what the player knows, and reveals nothing.",
        "Castling while a check is announced is answered no, like any illegal move.",
    ]),
};
