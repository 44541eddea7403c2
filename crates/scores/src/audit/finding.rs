//! An announcement that does not follow the rules.

use std::fmt;

use rules::{Announcement, Heard, Listener, Reply, Source};

rules::named! {
    /// Subject of an announcement, in the order in which announcements are made.
    What {
        /// The ruleset and own men at the start.
        Start = "start";
        /// The verdict on a try.
        Verdict = "verdict";
        /// The answer to Any?.
        Any = "answer to Any?";
        /// An own man that is gone.
        Lost = "own man lost";
        /// A capture.
        Capture = "capture";
        /// A drop.
        Drop = "drop";
        /// A promotion.
        Promotion = "promotion";
        /// A check.
        Check = "check";
        /// Pawn tries.
        Tries = "pawn tries";
        /// The side to move.
        Turn = "turn";
        /// The count of rebuffs.
        Rebuffs = "count of rebuffs";
        /// The last announcements again.
        Recap = "recap";
        /// A draw offer, its refusal, or that it is taken back.
        Draw = "draw offer";
        /// The end.
        Over = "end";
        /// The true position that the record notes.
        Position = "position noted";
    }
}

impl What {
    /// Returns the subject of something heard.
    pub const fn of(heard: &Heard) -> What {
        match heard {
            Heard::Reply(Reply::Verdict { .. }) => What::Verdict,
            Heard::Reply(Reply::Any { .. }) => What::Any,
            Heard::Lost { .. } => What::Lost,
            Heard::Announced(Announcement::Capture(_)) => What::Capture,
            Heard::Announced(Announcement::Drop { .. }) => What::Drop,
            Heard::Announced(Announcement::Promotion { .. }) => What::Promotion,
            Heard::Announced(Announcement::Check { .. }) => What::Check,
            Heard::Announced(Announcement::Tries(_)) => What::Tries,
            Heard::Announced(Announcement::Turn { .. }) => What::Turn,
            Heard::Reply(Reply::Rebuffs { .. }) => What::Rebuffs,
            Heard::Reply(Reply::Recap { .. }) => What::Recap,
            Heard::Draw(_) => What::Draw,
            Heard::Over(_) => What::Over,
        }
    }
}

rules::named! {
    /// Fault of an announcement.
    Fault {
        /// It was made, and says something else than the truth.
        Wrong = "wrong";
        /// It was not made.
        Missing = "missing";
        /// It was made, and there was nothing to announce.
        Superfluous = "superfluous";
        /// It was made to someone who must not hear it, or not to one who must.
        WrongPerson = "said to the wrong person";
        /// The announcements were made in another order.
        Order = "out of order";
    }
}

/// One announcement that does not follow the rules.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    /// The line of the file.
    pub line: u64,
    /// The attempt, as a transcript writes it.
    pub asked: String,
    /// Subject of the announcement.
    pub what: What,
    /// The fault.
    pub fault: Fault,
    /// Listener who heard something wrong; none where the record does not tell
    /// who heard.
    pub listeners: Vec<Listener>,
    /// The record's words; `-` for nothing.
    pub said: String,
    /// The referee's words; `-` for nothing.
    pub should: String,
    /// The rule, in plain words.
    pub rule: String,
    /// The section of docs/specification.md.
    pub section: &'static str,
    /// Sources of the ruleset.
    pub sources: Vec<Source>,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}: ", self.line, self.asked)?;
        write!(f, "{} {}", self.what.name(), self.fault.name())?;
        if !self.listeners.is_empty() {
            let names: Vec<&str> = self
                .listeners
                .iter()
                .map(|listener| match listener {
                    Listener::White => "White",
                    Listener::Black => "Black",
                    Listener::Room => "the room",
                })
                .collect();
            write!(f, " ({})", names.join(", "))?;
        }
        write!(f, ": said `{}`, should be `{}`", self.said, self.should)?;
        let keys: Vec<&str> = self.sources.iter().map(|source| source.key).collect();
        write!(
            f,
            ". {} [{}; specification {}]",
            self.rule,
            keys.join(", "),
            self.section
        )
    }
}
