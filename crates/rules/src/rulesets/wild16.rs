//! `wild16`: Wild 16, Internet Chess Club.

use std::borrow::Cow;

use crate::{choices::*, ruleset::Ruleset, source::Source};

/// `wild16`: Wild 16, Internet Chess Club.
///
/// Source: `ICC` in docs/sources.md. The notes list the differences from it.
pub const WILD16: Ruleset = Ruleset {
    id: Cow::Borrowed("wild16"),
    title: Cow::Borrowed("Wild 16, Internet Chess Club"),
    choices: Choices {
        announced_tries: AnnouncedTries::Judged,
        nonsense_heard: NonsenseHeard::Mover,
        nonsense_word: NonsenseWord::No,
        no_heard: NoHeard::Mover,
        pawn_tries: PawnTries::Count,
        px: Px::Present,
        threefold: Threefold::On,
        fifty: Fifty::On,
        ..super::cincinnati::CINCINNATI.choices
    },
    sources: Cow::Borrowed(&[Source::ICC]),
    notes: Cow::Borrowed(&[
        "The count names different captures (from, to); a promotion is counted once (section 2).",
        "The source forgets noes in its review and counts a disconnection as a loss: noes are kept for the post-mortem, and clubs set their grace (3.3g).",
        "`px` must name a man exactly when a pawn on the seventh rank could promote by a capture not yet refused; a man that turns out not to be needed is ignored. So its refusals tell nothing.",
        "Castling while a check is announced is answered no, like any illegal move.",
    ]),
};
