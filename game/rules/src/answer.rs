//! One word for each event of a game, for the umpire's record.

use crate::verdict::Verdict;

crate::named! {
    /// The answer to an attempt, or the end of a game that no attempt causes, as the umpire's record
    /// keeps it. A player may hear a less exact answer: for example, under some rulesets the player
    /// hears "no" for nonsense.
    Answer {
        /// The try was played.
        Moved = "moved";
        /// The try is illegal in the true position.
        No = "no";
        /// The try was refused in this turn before, and the ruleset has a separate word for this
        /// case.
        RepeatNo = "repeat-no";
        /// The mover could have known that the try cannot be played. Under some rulesets also the
        /// answer to Any? if the player has no pawn.
        Nonsense = "nonsense";
        /// The answer to Any? is "yes".
        Yes = "yes";
        /// The answer to Any? is "no".
        None = "none";
        /// The count of the opponent's rebuffs was given.
        Count = "count";
        /// The announcements of the last move were repeated.
        Recap = "recap";
        /// The player resigned.
        Resigned = "resigned";
        /// A draw was offered.
        Offered = "offered";
        /// A draw offer was accepted; the game is a draw.
        Drawn = "drawn";
        /// A draw offer was declined.
        Declined = "declined";
        /// A draw offer was withdrawn.
        Withdrawn = "withdrawn";
        /// A player's time is up.
        Flag = "flag";
        /// A player has left the game.
        Gone = "gone";
        /// The game was aborted, without a result.
        Aborted = "aborted";
    }
}

impl Answer {
    /// Returns the verdict with the same name; `None` if no verdict has this name.
    pub fn verdict(self) -> Option<Verdict> {
        Verdict::from_name(self.name())
    }
}

impl From<Verdict> for Answer {
    fn from(verdict: Verdict) -> Answer {
        match verdict {
            Verdict::Moved => Answer::Moved,
            Verdict::No => Answer::No,
            Verdict::Nonsense => Answer::Nonsense,
            Verdict::RepeatNo => Answer::RepeatNo,
        }
    }
}

impl Verdict {
    /// Returns the verdict with this name.
    pub fn from_name(name: &str) -> Option<Verdict> {
        let all = [
            Verdict::Moved,
            Verdict::No,
            Verdict::Nonsense,
            Verdict::RepeatNo,
        ];
        all.into_iter().find(|verdict| verdict.name() == name)
    }
}
