//! Answer to an attempt, in one word.

use crate::verdict::Verdict;

crate::named! {
    /// The verdict on whatever was asked; the umpire's own record. What a seat
    /// hears may be coarser.
    Answer {
        /// The try was played.
        Moved = "moved";
        /// The try is illegal in the true position.
        No = "no";
        /// The try was refused this turn already.
        RepeatNo = "repeat-no";
        /// The mover could have known.
        Nonsense = "nonsense";
        /// Any?: yes.
        Yes = "yes";
        /// Any?: no.
        None = "none";
        /// The count of rebuffs was told.
        Count = "count";
        /// The last announcements were repeated.
        Recap = "recap";
        /// Resigned.
        Resigned = "resigned";
        /// A draw was offered.
        Offered = "offered";
        /// A draw was agreed.
        Drawn = "drawn";
        /// A draw was declined.
        Declined = "declined";
        /// A draw offer was taken back.
        Withdrawn = "withdrawn";
        /// A player's time is up.
        Flag = "flag";
        /// A player is gone.
        Gone = "gone";
        /// The game was broken off.
        Aborted = "aborted";
    }
}

impl Answer {
    /// The verdict of the same name, if the answer is one.
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
    /// The verdict of that name.
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
