//! What a listener can hear.

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

/// What the announcement of a capture says about the captured man.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub enum CapturedMan {
    /// A pawn.
    Pawn,
    /// Any man except a pawn. A promoted man is a piece.
    Piece,
    /// The role of the man. If captured men can be dropped, a captured promoted man is announced as
    /// a pawn.
    Exactly(Role),
}

/// Announcement of a capture.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub struct Capture {
    /// The announced square; `None` if the ruleset announces none.
    pub square: Option<Square>,
    /// The announced man; `None` if the ruleset announces none.
    pub man: Option<CapturedMan>,
    /// Whether the announcement says that the capture is en passant.
    pub en_passant: bool,
}

/// One thing that one listener hears.
///
/// A listener learns everything from one [`Start`] and the sequence of these items. A view is
/// computed from these items and from nothing else.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Heard {
    /// The answer to a try or a question.
    Reply(Reply),
    /// The listener has lost a man. Only the owner of the man hears this.
    Lost {
        /// Square on which the man stood.
        square: Square,
        /// Role of the man when it was captured. For a promoted man, this is the role after the
        /// promotion.
        man: Role,
    },
    /// An announcement after a move or at the opening of the game.
    Announced(Announcement),
    /// A draw was offered, declined or withdrawn. Spectators do not hear this.
    Draw(DrawTalk),
    /// The game is over; result and reason.
    Over(Over),
}

impl Heard {
    /// Returns the verdict on a try, as the player who tried hears it.
    pub const fn own_verdict(verdict: Verdict, by: Color, t: Try) -> Heard {
        Heard::Reply(Reply::Verdict {
            verdict,
            by,
            attempt: Some(Attempt::Try(t)),
        })
    }

    /// Returns this item, with its capture converted by `change`. A capture in a recap is converted
    /// too. Items without a capture are returned unchanged.
    pub fn with_capture(self, change: impl Fn(Capture) -> Capture) -> Heard {
        match self {
            Heard::Announced(Announcement::Capture(capture)) => {
                Announcement::Capture(change(capture)).into()
            }
            Heard::Reply(Reply::Recap { by, announcements }) => {
                let capture = announcements.capture.map(change);
                let announcements = MoveAnnouncements {
                    capture,
                    ..announcements
                };
                Reply::Recap { by, announcements }.into()
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
    /// A player made a try, and this is the verdict. Only that player hears which attempt it was.
    /// If the try was legal, `attempt` is the move as played, with its promotion. A question Any?
    /// that is nonsense is answered with a verdict, too.
    Verdict {
        /// The verdict that the listener hears; under some rulesets nonsense
        /// sounds like "no".
        verdict: Verdict,
        /// The player who made the attempt.
        by: Color,
        /// The attempt; `None` for all listeners except this player.
        attempt: Option<Attempt>,
    },
    /// A player asked Any?, and this is the answer.
    Any {
        /// The player who asked.
        by: Color,
        /// Whether the player has a legal pawn capture.
        answer: bool,
    },
    /// A player asked for the count of rebuffs, and this is the answer.
    Rebuffs {
        /// The player who asked.
        by: Color,
        /// Number of the opponent's rebuffs: in the opponent's last turn, or in the current turn
        /// if the opponent is to move.
        count: u32,
    },
    /// A player asked for the announcements of the last completed move, and the referee repeated
    /// them.
    Recap {
        /// The player who asked.
        by: Color,
        /// The repeated announcements.
        announcements: MoveAnnouncements,
    },
}

/// An announcement that nobody asked for, after a move or when the game opens.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Announcement {
    /// A man was captured.
    Capture(Capture),
    /// A man was dropped from the reserve.
    Drop {
        /// The player who dropped the man.
        by: Color,
        /// The man that was dropped.
        man: Role,
    },
    /// A pawn was promoted. What it became, and where, is not announced.
    Promotion {
        /// The side that promoted.
        by: Color,
    },
    /// The player to move is in check.
    Check {
        /// The announced directions; empty if the ruleset announces no
        /// directions.
        directions: Directions,
    },
    /// What is announced about the pawn tries of the player to move; never
    /// [`Tries::Untold`].
    Tries(Tries),
    /// The turn passes to a player.
    Turn {
        /// The player to move.
        to_move: Color,
    },
}

/// Messages about a draw between the players.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum DrawTalk {
    /// A player offers a draw.
    Offer {
        /// The player who offers.
        by: Color,
    },
    /// A player declines the draw offer.
    Declined {
        /// The player who declines.
        by: Color,
    },
    /// A player withdraws their own draw offer.
    Withdrawn {
        /// The player who withdraws the offer.
        by: Color,
    },
}

/// Announcements that everyone heard about one completed move, at most one of each kind. A field is
/// `None` if there was no announcement of this kind.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Default)]
pub struct MoveAnnouncements {
    /// The announced capture.
    pub capture: Option<Capture>,
    /// The player who dropped a man, and the man.
    pub drop: Option<(Color, Role)>,
    /// The side that promoted.
    pub promotion: Option<Color>,
    /// The announced check; the set is empty if no directions were announced.
    pub check: Option<Directions>,
    /// What was announced about pawn tries.
    pub tries: Option<Tries>,
    /// The player to move after the move.
    pub turn: Option<Color>,
}

impl MoveAnnouncements {
    /// No announcements.
    pub const NOTHING: MoveAnnouncements = MoveAnnouncements {
        capture: None,
        drop: None,
        promotion: None,
        check: None,
        tries: None,
        turn: None,
    };

    /// Records an announcement. A second announcement of the same kind replaces
    /// the first.
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

    /// Iterates over the announcements, in the order in which the referee makes
    /// them.
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

/// What a listener hears first when a game opens.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Start {
    /// Id of the ruleset.
    pub rules: Cow<'static, str>,
    /// The listener's own men, castling rights and reserve; `None` for
    /// spectators.
    pub own: Option<Own>,
    /// Both reserves, which are public. They are empty if captured men cannot
    /// be dropped.
    pub reserves: ByColor<Reserve>,
}
