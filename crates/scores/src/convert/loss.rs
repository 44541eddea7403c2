//! Data that the form of a conversion cannot hold.

use std::{collections::BTreeMap, fmt};

use crate::{account::Account, audit::Followed};

rules::named! {
    /// Data that a form cannot hold.
    Loss {
        /// Title and source.
        Title = "title and source";
        /// The head of a PGN beyond title and source.
        Tags = "tags of the head";
        /// The switches of the game.
        Switches = "the switches of the game (name them again when it is read)";
        /// A custom ruleset: its id is kept, its choices are not.
        CustomRules = "the choices of a custom ruleset (give its file when it is read)";
        /// Clocks.
        Clocks = "clocks";
        /// Remarks in words.
        Comments = "remarks in words";
        /// Attempts refused to the asker alone.
        Refusals = "attempts that were refused to the asker alone";
        /// Texts that were not understood.
        Unread = "what was not understood";
        /// Characters that a table cannot hold.
        Characters = "characters that a table cannot hold (written as ?)";
        /// `px`.
        Px = "that a move was made by px (it is written as the capture)";
        /// Events that the player whose view it is has not heard.
        Unseen = "what this player did not hear";
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Number of times each thing was lost, and the line of its first loss.
pub type Losses = BTreeMap<Loss, (usize, u64)>;

/// Counts a loss, found on a line.
pub(super) fn lose(losses: &mut Losses, loss: Loss, line: u64) {
    losses.entry(loss).or_insert((0, line)).0 += 1;
}

/// Counts what neither a transcript nor a stream holds of a game's opening and
/// head.
pub(super) fn lose_head(account: &Account, followed: &Followed, losses: &mut Losses) {
    let line = account.line;
    let kept = |name: &str| {
        matches!(
            name,
            "Event"
                | "Source"
                | "Result"
                | "SetUp"
                | "FEN"
                | "Variant"
                | "Rules"
                | "RulesVersion"
                | "View"
                | "Termination"
        )
    };
    let told = |value: &str| !value.is_empty() && !value.starts_with('?');
    if account
        .tags
        .0
        .iter()
        .any(|tag| !kept(&tag.name) && told(&tag.value))
    {
        lose(losses, Loss::Tags, line);
    }
    for step in followed.steps.iter().filter(|step| step.clock.is_some()) {
        lose(losses, Loss::Clocks, step.line);
    }
}
