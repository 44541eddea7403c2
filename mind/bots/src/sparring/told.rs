//! Facts that a seat heard, grouped by move.

use rules::{
    Announcement, Attempt, Capture, CaptureHeard, CaptureSquare, CapturedMan, CheckTold, Choices,
    Directions, Heard, Own, PawnTrySquare, Reply, ReserveUse, Tries, Try, Verdict,
    chess::{Color, Role, Square},
};

use super::guess::{Guess, Taken};

/// What was heard about one completed move.
#[derive(Copy, Clone, Debug)]
pub(crate) struct MoveFacts {
    /// Player who moved.
    pub by: Color,
    /// The move, if it was our own.
    pub played: Option<Try>,
    /// Our man that was captured, with its square.
    pub lost: Option<(Square, Role)>,
    /// The announced capture.
    pub capture: Option<Capture>,
    /// Role of the dropped man, as announced.
    pub drop: Option<Role>,
    /// Announced check on the side that is now to move.
    pub check: Option<Directions>,
    /// Announced pawn tries of the side that is now to move.
    pub tries: Tries,
}

/// One fact that a seat learned.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Fact {
    /// A move was completed.
    Moved(MoveFacts),
    /// One of our tries was answered "no".
    Refused(Try),
    /// Any? was answered.
    Any {
        /// Player who asked.
        by: Color,
        /// The answer: whether there is a legal pawn capture.
        answer: bool,
    },
}

/// Adds what was heard to the facts.
pub(crate) fn note(facts: &mut Vec<Fact>, heard: &Heard) {
    match *heard {
        Heard::Reply(Reply::Verdict {
            verdict,
            by,
            attempt,
        }) => {
            let played = match attempt {
                Some(Attempt::Try(t)) => Some(t),
                Some(_) | None => None,
            };
            match (verdict, played) {
                (Verdict::Moved, played) => facts.push(Fact::Moved(MoveFacts {
                    by,
                    played,
                    lost: None,
                    capture: None,
                    drop: None,
                    check: None,
                    tries: Tries::Untold,
                })),
                (Verdict::No, Some(t)) => facts.push(Fact::Refused(t)),
                (Verdict::No | Verdict::Nonsense | Verdict::RepeatNo, _) => {}
            }
        }
        Heard::Reply(Reply::Any { by, answer }) => facts.push(Fact::Any { by, answer }),
        Heard::Lost { square, man } => of(facts, |told| told.lost = Some((square, man))),
        Heard::Announced(Announcement::Capture(capture)) => {
            of(facts, |told| told.capture = Some(capture))
        }
        Heard::Announced(Announcement::Drop { man, .. }) => of(facts, |told| told.drop = Some(man)),
        Heard::Announced(Announcement::Check { directions }) => {
            of(facts, |told| told.check = Some(directions))
        }
        Heard::Announced(Announcement::Tries(tries)) => of(facts, |told| told.tries = tries),
        Heard::Reply(Reply::Rebuffs { .. } | Reply::Recap { .. })
        | Heard::Announced(Announcement::Promotion { .. } | Announcement::Turn { .. })
        | Heard::Draw(_)
        | Heard::Over(_) => {}
    }
}

/// Changes the facts about the last completed move. Announcements are always about
/// this move.
fn of(facts: &mut [Fact], change: impl FnOnce(&mut MoveFacts)) {
    if let Some(Fact::Moved(told)) = facts.last_mut() {
        change(told);
    }
}

impl MoveFacts {
    /// Returns whether the check and the pawn tries in the guess `after` agree
    /// with the announcements. `after` is a guess of the position after the
    /// move.
    pub fn fits(&self, choices: &Choices, after: &Guess) -> bool {
        let check = match choices.check {
            CheckTold::Silent => true,
            CheckTold::Bare => after.checkers().any() == self.check.is_some(),
            CheckTold::Directions => after.directions() == self.check.unwrap_or_default(),
        };
        if !check || self.tries == Tries::Untold {
            return check;
        }
        let captures = after.pawn_captures();
        match self.tries {
            Tries::Untold => true,
            Tries::Whether(any) => any == (captures.count > 0),
            Tries::Count(count) => count == captures.count,
            Tries::Squares(squares) => {
                squares
                    == match choices.pawn_try_square {
                        PawnTrySquare::Landing => captures.landings,
                        PawnTrySquare::Origin => captures.origins,
                    }
            }
            Tries::SinglesAndDoubles { singles, doubles } => {
                doubles == captures.doubles && singles == captures.landings & !captures.doubles
            }
        }
    }

    /// Returns whether the capture by our own move agrees with the
    /// announcement. `taken` is the man that the move captures in a guess.
    pub fn fits_capture(&self, choices: &Choices, taken: Option<Taken>) -> bool {
        if choices.capture_heard == CaptureHeard::Victim {
            return true;
        }
        match (self.capture, taken) {
            (None, None) => true,
            (Some(capture), Some(taken)) => {
                // Under a ruleset with drops, a captured promoted man is announced as a pawn. A
                // guess does not say which men are promoted.
                let drops = choices.reserve == ReserveUse::Drops;
                if choices.capture_square == CaptureSquare::Stood
                    && capture.square.is_some_and(|square| square != taken.square)
                {
                    return false;
                }
                match capture.man {
                    None => true,
                    Some(CapturedMan::Pawn) => taken.role == Role::Pawn,
                    Some(CapturedMan::Piece) => taken.role != Role::Pawn,
                    Some(CapturedMan::Exactly(role)) => {
                        role == taken.role || (drops && role == Role::Pawn)
                    }
                }
            }
            (None, Some(_)) | (Some(_), None) => false,
        }
    }

    /// Updates our men `own` with the move.
    pub fn follow(&self, own: &mut Own) {
        if let Some(t) = self.played
            && self.by == own.color
        {
            own.play(t);
        }
        if let Some((square, _)) = self.lost {
            own.lose(square);
        }
    }
}
