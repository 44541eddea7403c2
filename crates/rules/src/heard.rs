//! What a listener hears.

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

/// What is told of a captured man.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub enum CapturedMan {
    /// A pawn or a piece; a promoted man is a piece.
    Pawn,
    /// Not a pawn.
    Piece,
    /// The man by name.
    Exactly(Role),
}

/// What is told of a capture.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub struct Capture {
    /// The square named, if any.
    pub square: Option<Square>,
    /// What is told of the man, if anything.
    pub man: Option<CapturedMan>,
    /// Whether it was said to be en passant.
    pub en_passant: bool,
}

/// One thing heard by one listener.
///
/// Everything a seat ever learns arrives as a [`Start`] and a sequence of
/// these; views are folds of them.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Heard {
    /// A try was made and this is the verdict; who tried hears which attempt
    /// it was (for a move: the move as it was played).
    Verdict {
        /// What was answered.
        verdict: Verdict,
        /// Who tried.
        by: Color,
        /// What he tried; only in his own hearing.
        attempt: Option<Attempt>,
    },
    /// Any? was asked and answered.
    Any {
        /// Who asked.
        by: Color,
        /// Whether he has a legal pawn capture.
        answer: bool,
    },
    /// An own man is gone; its owner alone hears this.
    Lost {
        /// Where it stood.
        square: Square,
        /// Which man it was.
        man: Role,
    },
    /// A man was captured.
    Capture(Capture),
    /// A man was dropped from the reserve.
    Drop {
        /// Who dropped him.
        by: Color,
        /// Which man.
        man: Role,
    },
    /// A pawn was promoted.
    Promotion {
        /// Whose pawn.
        by: Color,
    },
    /// The player to move is in check; an empty set tells no direction.
    Check {
        /// The directions told.
        directions: Directions,
    },
    /// The pawn tries of the player to move; never [`Tries::Untold`].
    Tries(Tries),
    /// Whose turn it is.
    Turn {
        /// The player to move.
        to_move: Color,
    },
    /// The count of rebuffs was asked and answered.
    Rebuffs {
        /// Who asked.
        by: Color,
        /// How often his opponent was rebuffed on his last turn, or so far.
        count: u32,
    },
    /// The announcements of the last completed move were asked and repeated.
    Recap {
        /// Who asked.
        by: Color,
        /// What was said then.
        said: Said,
    },
    /// A draw is offered.
    DrawOffer {
        /// By whom.
        by: Color,
    },
    /// The draw is declined.
    DrawDeclined {
        /// By whom.
        by: Color,
    },
    /// The draw offer is taken back.
    DrawWithdrawn {
        /// By whom.
        by: Color,
    },
    /// The game is over.
    Over(Over),
}

impl Heard {
    /// The verdict on a try, in the tryer's own hearing.
    pub fn own_verdict(verdict: Verdict, by: Color, t: Try) -> Heard {
        Heard::Verdict {
            verdict,
            by,
            attempt: Some(Attempt::Try(t)),
        }
    }
}

/// The announcements of one completed move, as said aloud.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Default)]
pub struct Said {
    /// The capture.
    pub capture: Option<Capture>,
    /// Who dropped a man, and which.
    pub drop: Option<(Color, Role)>,
    /// Who promoted.
    pub promotion: Option<Color>,
    /// The check; an empty set is one without direction.
    pub check: Option<Directions>,
    /// The pawn tries, if told unasked.
    pub tries: Option<Tries>,
    /// Whose turn it became.
    pub turn: Option<Color>,
}

impl Said {
    /// Nothing said yet.
    pub const NOTHING: Said = Said {
        capture: None,
        drop: None,
        promotion: None,
        check: None,
        tries: None,
        turn: None,
    };

    /// Takes note of an announcement; other things heard are ignored.
    #[inline]
    pub fn note(&mut self, heard: &Heard) {
        match *heard {
            Heard::Capture(capture) => self.capture = Some(capture),
            Heard::Drop { by, man } => self.drop = Some((by, man)),
            Heard::Promotion { by } => self.promotion = Some(by),
            Heard::Check { directions } => self.check = Some(directions),
            Heard::Tries(tries) => self.tries = Some(tries),
            Heard::Turn { to_move } => self.turn = Some(to_move),
            Heard::Verdict { .. }
            | Heard::Any { .. }
            | Heard::Lost { .. }
            | Heard::Rebuffs { .. }
            | Heard::Recap { .. }
            | Heard::DrawOffer { .. }
            | Heard::DrawDeclined { .. }
            | Heard::DrawWithdrawn { .. }
            | Heard::Over(_) => {}
        }
    }

    /// The announcements again, in the order in which they are made.
    pub fn iter(&self) -> impl Iterator<Item = Heard> + use<> {
        let said = *self;
        [
            said.capture.map(Heard::Capture),
            said.drop.map(|(by, man)| Heard::Drop { by, man }),
            said.promotion.map(|by| Heard::Promotion { by }),
            said.check.map(|directions| Heard::Check { directions }),
            said.tries.map(Heard::Tries),
            said.turn.map(|to_move| Heard::Turn { to_move }),
        ]
        .into_iter()
        .flatten()
    }
}

/// What a listener is told when a game opens, before anything is announced.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Start {
    /// The ruleset's id.
    pub rules: Cow<'static, str>,
    /// The listener's own men, rights and reserve; `None` for the room.
    pub own: Option<Own>,
    /// Both reserves, which are public; empty where men cannot be dropped.
    pub reserves: ByColor<Reserve>,
}
