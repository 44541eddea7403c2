//! Data that the target format of a conversion cannot hold.

use std::{collections::BTreeMap, fmt};

use crate::{audit::Followed, recorded_game::RecordedGame};

rules::named! {
    /// Kind of data that a format cannot hold.
    Loss {
        /// Title and source.
        Title = "title and source";
        /// Tags of a PGN other than title and source. In a player's view: tags that could tell of
        /// hidden moves.
        Tags = "tags of the header";
        /// Switches of the game.
        Switches = "the switches of the game (give them again when you read the output)";
        /// Choices of a custom ruleset. The id of the ruleset is kept.
        CustomRules = "the choices of a custom ruleset (give its file when you read the output)";
        /// Times on the clocks.
        Clocks = "clocks";
        /// Comments in words.
        Comments = "comments in words";
        /// Refused attempts; only the asker heard the refusal.
        Refusals = "refused attempts, of which only the asker heard";
        /// Texts that were not understood as attempts.
        Unread = "texts that were not understood";
        /// Characters that a transcript cannot hold.
        Characters = "characters that a transcript cannot contain (written as ?)";
        /// The end of the game, about which the file contradicts itself or the rules.
        End = "the end of the game, which is disputed";
        /// The information that a move was made by `px`.
        Px = "the use of px (the move is written as the capture)";
        /// Events that the player did not hear. These events are missing in that player's view.
        Unseen = "events that this player did not hear";
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// For each kind of loss: the number of losses, and the line of the first loss.
pub type Losses = BTreeMap<Loss, (usize, u64)>;

/// Counts a loss on a line of the record.
pub(super) fn lose(losses: &mut Losses, loss: Loss, line: u64) {
    losses.entry(loss).or_insert((0, line)).0 += 1;
}

/// Counts the tags and clocks that neither a transcript nor a JSON stream can hold.
pub(super) fn lose_head(game: &RecordedGame, followed: &Followed, losses: &mut Losses) {
    let line = game.line;
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
    if game
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
