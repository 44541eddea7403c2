//! An announcement that does not follow the rules.

use std::fmt;

use rules::{Announcement, Heard, Listener, Reply, Source};

/// What an announcement is about.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub enum What {
    /// The ruleset and own men at the start.
    Start,
    /// The verdict on a try.
    Verdict,
    /// The answer to Any?.
    Any,
    /// An own man that is gone.
    Lost,
    /// A capture.
    Capture,
    /// A drop.
    Drop,
    /// A promotion.
    Promotion,
    /// A check.
    Check,
    /// Pawn tries.
    Tries,
    /// Whose turn it is.
    Turn,
    /// The count of rebuffs.
    Rebuffs,
    /// The last announcements again.
    Recap,
    /// A draw offer, its refusal, or that it is taken back.
    Draw,
    /// The end.
    Over,
    /// The true position that the record notes.
    Position,
}

impl What {
    /// All of them, in the order in which they are announced.
    pub const ALL: [What; 15] = [
        What::Start,
        What::Verdict,
        What::Any,
        What::Lost,
        What::Capture,
        What::Drop,
        What::Promotion,
        What::Check,
        What::Tries,
        What::Turn,
        What::Rebuffs,
        What::Recap,
        What::Draw,
        What::Over,
        What::Position,
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            What::Start => "start",
            What::Verdict => "verdict",
            What::Any => "answer to Any?",
            What::Lost => "own man lost",
            What::Capture => "capture",
            What::Drop => "drop",
            What::Promotion => "promotion",
            What::Check => "check",
            What::Tries => "pawn tries",
            What::Turn => "turn",
            What::Rebuffs => "count of rebuffs",
            What::Recap => "recap",
            What::Draw => "draw offer",
            What::Over => "end",
            What::Position => "position noted",
        }
    }

    /// What something heard is about.
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

/// What is wrong with an announcement.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub enum Fault {
    /// It was made, and says something else than the truth.
    Wrong,
    /// It was not made.
    Missing,
    /// It was made, and there was nothing to announce.
    Superfluous,
    /// It was made to someone who must not hear it, or not to one who must.
    WrongPerson,
    /// The announcements were made in another order.
    Order,
}

impl Fault {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Fault::Wrong => "wrong",
            Fault::Missing => "missing",
            Fault::Superfluous => "superfluous",
            Fault::WrongPerson => "said to the wrong person",
            Fault::Order => "out of order",
        }
    }
}

/// One announcement that does not follow the rules.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    /// The line of the file.
    pub line: u64,
    /// What was asked, as a transcript writes it.
    pub asked: String,
    /// What the announcement is about.
    pub what: What,
    /// What is wrong with it.
    pub fault: Fault,
    /// Listener who heard something wrong; none where the record does not tell
    /// who heard.
    pub listeners: Vec<Listener>,
    /// What the record says; `-` for nothing.
    pub said: String,
    /// What the referee says; `-` for nothing.
    pub should: String,
    /// The rule, in plain words.
    pub rule: String,
    /// The section of docs/specification.md.
    pub section: &'static str,
    /// Where the ruleset is written.
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
