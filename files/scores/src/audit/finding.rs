//! Announcements that do not follow the rules.

use std::fmt;

use rules::{Announcement, Heard, Listener, Reply, Source};

rules::named! {
    /// Kind of announcement, in the order in which announcements are made.
    AnnouncementKind {
        /// The ruleset and own men at the start.
        Start = "start";
        /// The verdict on a try.
        Verdict = "verdict";
        /// The answer to Any?.
        Any = "answer to Any?";
        /// The loss of an own man.
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
        /// The number of rebuffs.
        Rebuffs = "count of rebuffs";
        /// The repetition of the last announcements.
        Recap = "recap";
        /// A draw offer, or the message that an offer was declined or withdrawn.
        Draw = "draw offer";
        /// The end of the game.
        Over = "end";
        /// The true position as noted in the record.
        Position = "position noted";
        /// A tag of a PGN.
        Tag = "tag";
    }
}

impl AnnouncementKind {
    /// Returns the kind of something heard.
    pub const fn of(heard: &Heard) -> AnnouncementKind {
        match heard {
            Heard::Reply(Reply::Verdict { .. }) => AnnouncementKind::Verdict,
            Heard::Reply(Reply::Any { .. }) => AnnouncementKind::Any,
            Heard::Lost { .. } => AnnouncementKind::Lost,
            Heard::Announced(Announcement::Capture(_)) => AnnouncementKind::Capture,
            Heard::Announced(Announcement::Drop { .. }) => AnnouncementKind::Drop,
            Heard::Announced(Announcement::Promotion { .. }) => AnnouncementKind::Promotion,
            Heard::Announced(Announcement::Check { .. }) => AnnouncementKind::Check,
            Heard::Announced(Announcement::Tries(_)) => AnnouncementKind::Tries,
            Heard::Announced(Announcement::Turn { .. }) => AnnouncementKind::Turn,
            Heard::Reply(Reply::Rebuffs { .. }) => AnnouncementKind::Rebuffs,
            Heard::Reply(Reply::Recap { .. }) => AnnouncementKind::Recap,
            Heard::Draw(_) => AnnouncementKind::Draw,
            Heard::Over(_) => AnnouncementKind::Over,
        }
    }
}

rules::named! {
    /// What is wrong with an announcement.
    Fault {
        /// The announcement was made, but says something wrong.
        Wrong = "wrong";
        /// The announcement was not made.
        Missing = "missing";
        /// The announcement was made, although there was nothing to announce.
        Superfluous = "superfluous";
        /// The announcement was made to a listener who must not hear it, or was not
        /// made to a listener who must hear it.
        WrongPerson = "said to the wrong person";
        /// The announcements were made in the wrong order.
        Order = "out of order";
    }
}

/// An announcement that does not follow the rules.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    /// Line of the file, from 1.
    pub line: u64,
    /// The attempt, written as in a transcript.
    pub asked: String,
    /// Kind of announcement.
    pub what: AnnouncementKind,
    /// What is wrong.
    pub fault: Fault,
    /// Listeners for whom the announcement is wrong; empty if the record does not say who
    /// heard what.
    pub listeners: Vec<Listener>,
    /// What the record says; `-` for nothing.
    pub recorded: String,
    /// What the referee says; `-` for nothing.
    pub expected: String,
    /// The rule that applies, in plain words.
    pub rule: String,
    /// Section of docs/specification.md; empty for a tag, which docs/pgn.md describes.
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
        write!(
            f,
            ": said `{}`, should be `{}`",
            self.recorded, self.expected
        )?;
        let keys: Vec<&str> = self.sources.iter().map(|source| source.key).collect();
        if self.section.is_empty() {
            return write!(f, ". {} [docs/pgn.md]", self.rule);
        }
        write!(
            f,
            ". {} [{}; specification {}]",
            self.rule,
            keys.join(", "),
            self.section
        )
    }
}
