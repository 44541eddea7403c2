//! Items that a listener hears.

use std::borrow::Cow;

use crate::{
    attempt::{Attempt, Try},
    chess::{ByColor, Color, Role, Square},
    direction::Directions,
    over::Over,
    own::Own,
    reserve::Reserve,
    tries::Tries,
    verdict::Verdict,
};

/// Words about a captured man.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub enum CapturedMan {
    /// A pawn or a piece; a promoted man is a piece.
    Pawn,
    /// Not a pawn.
    Piece,
    /// The man by name.
    Exactly(Role),
}

/// Announcement of a capture.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub struct Capture {
    /// The square named, if any.
    pub square: Option<Square>,
    /// Words about the man, if any.
    pub man: Option<CapturedMan>,
    /// Whether it was said to be en passant.
    pub en_passant: bool,
}

/// One thing heard by one listener.
///
/// Everything a seat ever learns arrives as a [`Start`] and a sequence of
/// these; views are folds of them. Code that passes groups on matches the
/// groups; code that speaks, writes or remembers matches every kind.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Heard {
    /// The answer to a try or a question.
    Reply(Reply),
    /// An own man is gone; its owner alone hears this.
    Lost {
        /// Its square.
        square: Square,
        /// The man.
        man: Role,
    },
    /// An announcement, made unasked after a move.
    Announced(Announcement),
    /// Talk of a draw; the room does not hear it.
    Draw(DrawTalk),
    /// The game is over.
    Over(Over),
}

impl Heard {
    /// The verdict on a try, in the tryer's own hearing.
    pub const fn own_verdict(verdict: Verdict, by: Color, t: Try) -> Heard {
        Heard::Reply(Reply::Verdict {
            verdict,
            by,
            attempt: Some(Attempt::Try(t)),
        })
    }

    /// The same with its capture changed, also in a recap.
    pub fn with_capture(self, change: impl Fn(Capture) -> Capture) -> Heard {
        match self {
            Heard::Announced(Announcement::Capture(capture)) => {
                Announcement::Capture(change(capture)).into()
            }
            Heard::Reply(Reply::Recap { by, said }) => {
                let capture = said.capture.map(change);
                let said = MoveAnnouncements { capture, ..said };
                Reply::Recap { by, said }.into()
            }
            Heard::Reply(Reply::Verdict { .. } | Reply::Any { .. } | Reply::Rebuffs { .. })
            | Heard::Lost { .. }
            | Heard::Announced(
                Announcement::Drop { .. }
                | Announcement::Promotion { .. }
                | Announcement::Check { .. }
                | Announcement::Tries(_)
                | Announcement::Turn { .. },
            )
            | Heard::Draw(_)
            | Heard::Over(_) => self,
        }
    }
}

impl From<Reply> for Heard {
    #[inline]
    fn from(reply: Reply) -> Heard {
        Heard::Reply(reply)
    }
}

impl From<Announcement> for Heard {
    #[inline]
    fn from(announcement: Announcement) -> Heard {
        Heard::Announced(announcement)
    }
}

impl From<DrawTalk> for Heard {
    #[inline]
    fn from(talk: DrawTalk) -> Heard {
        Heard::Draw(talk)
    }
}

/// The answer to a try or a question.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Reply {
    /// A try was made and this is the verdict; who tried hears which attempt
    /// it was (for a move: the move as it was played).
    Verdict {
        /// The answer.
        verdict: Verdict,
        /// The player who tried.
        by: Color,
        /// The attempt; only in the tryer's own hearing.
        attempt: Option<Attempt>,
    },
    /// Any? was asked and answered.
    Any {
        /// The player who asked.
        by: Color,
        /// Whether the asker has a legal pawn capture.
        answer: bool,
    },
    /// The count of rebuffs was asked and answered.
    Rebuffs {
        /// The player who asked.
        by: Color,
        /// Number of times the asker's opponent was rebuffed on their last
        /// turn, or so far.
        count: u32,
    },
    /// The announcements of the last completed move were asked and repeated.
    Recap {
        /// The player who asked.
        by: Color,
        /// Announcements of that move.
        said: MoveAnnouncements,
    },
}

/// An announcement, made unasked after a move or when the game opens.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Announcement {
    /// A man was captured.
    Capture(Capture),
    /// A man was dropped from the reserve.
    Drop {
        /// The player who dropped it.
        by: Color,
        /// The man.
        man: Role,
    },
    /// A pawn was promoted.
    Promotion {
        /// The side whose pawn it is.
        by: Color,
    },
    /// The player to move is in check; an empty set tells no direction.
    Check {
        /// The directions told.
        directions: Directions,
    },
    /// The pawn tries of the player to move; never [`Tries::Untold`].
    Tries(Tries),
    /// The side to move.
    Turn {
        /// The player to move.
        to_move: Color,
    },
}

/// Talk of a draw.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum DrawTalk {
    /// A draw is offered.
    Offer {
        /// By whom.
        by: Color,
    },
    /// The draw is declined.
    Declined {
        /// By whom.
        by: Color,
    },
    /// The draw offer is taken back.
    Withdrawn {
        /// By whom.
        by: Color,
    },
}

/// The announcements of one completed move, as said aloud.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Default)]
pub struct MoveAnnouncements {
    /// The capture.
    pub capture: Option<Capture>,
    /// The side that dropped a man, and the man.
    pub drop: Option<(Color, Role)>,
    /// The side that promoted.
    pub promotion: Option<Color>,
    /// The check; an empty set is one without direction.
    pub check: Option<Directions>,
    /// The pawn tries, if told unasked.
    pub tries: Option<Tries>,
    /// The side whose turn it became.
    pub turn: Option<Color>,
}

impl MoveAnnouncements {
    /// Nothing said yet.
    pub const NOTHING: MoveAnnouncements = MoveAnnouncements {
        capture: None,
        drop: None,
        promotion: None,
        check: None,
        tries: None,
        turn: None,
    };

    /// Takes note of an announcement.
    #[inline]
    pub const fn note(&mut self, announcement: Announcement) {
        match announcement {
            Announcement::Capture(capture) => self.capture = Some(capture),
            Announcement::Drop { by, man } => self.drop = Some((by, man)),
            Announcement::Promotion { by } => self.promotion = Some(by),
            Announcement::Check { directions } => self.check = Some(directions),
            Announcement::Tries(tries) => self.tries = Some(tries),
            Announcement::Turn { to_move } => self.turn = Some(to_move),
        }
    }

    /// The announcements again, in the order in which they are made.
    pub fn iter(&self) -> impl Iterator<Item = Announcement> + use<> {
        let said = *self;
        [
            said.capture.map(Announcement::Capture),
            said.drop.map(|(by, man)| Announcement::Drop { by, man }),
            said.promotion.map(|by| Announcement::Promotion { by }),
            said.check
                .map(|directions| Announcement::Check { directions }),
            said.tries.map(Announcement::Tries),
            said.turn.map(|to_move| Announcement::Turn { to_move }),
        ]
        .into_iter()
        .flatten()
    }
}

/// Information for a listener when a game opens, before anything is announced.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Start {
    /// The ruleset's id.
    pub rules: Cow<'static, str>,
    /// The listener's own men, rights and reserve; `None` for the room.
    pub own: Option<Own>,
    /// Both reserves, which are public; empty where men cannot be dropped.
    pub reserves: ByColor<Reserve>,
}
