//! Facts that a seat heard, grouped by move.

use rules::{
    Announcement, Attempt, Capture, Directions, Heard, Own, Reply, Try, Verdict,
    chess::{Color, Role, Square},
};

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
}

/// One fact that a seat learned.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Fact {
    /// A move was completed.
    Moved(MoveFacts),
    /// One of our tries was answered "no".
    Refused(Try),
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
                })),
                (Verdict::No, Some(t)) => facts.push(Fact::Refused(t)),
                (Verdict::No | Verdict::Nonsense | Verdict::RepeatNo, _) => {}
            }
        }
        Heard::Lost { square, man } => of(facts, |told| told.lost = Some((square, man))),
        Heard::Announced(Announcement::Capture(capture)) => {
            of(facts, |told| told.capture = Some(capture))
        }
        Heard::Announced(Announcement::Drop { man, .. }) => of(facts, |told| told.drop = Some(man)),
        Heard::Announced(Announcement::Check { directions }) => {
            of(facts, |told| told.check = Some(directions))
        }
        Heard::Reply(Reply::Any { .. } | Reply::Rebuffs { .. } | Reply::Recap { .. })
        | Heard::Announced(
            Announcement::Promotion { .. } | Announcement::Tries(_) | Announcement::Turn { .. },
        )
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

/// Earlier placements of our men, used to avoid repetitions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Placements {
    /// Our men after each of our moves since the last irreversible move.
    pub configs: Vec<Own>,
}

impl Placements {
    /// Records a completed move.
    pub fn moved(&mut self, before: &Own, told: &MoveFacts, after: &Own) {
        let ours = told.by == after.color;
        let pawn = ours
            && told
                .played
                .and_then(Try::from)
                .is_some_and(|from| before.men.pawn.contains(from));
        let lasting = pawn || told.capture.is_some() || told.lost.is_some() || told.drop.is_some();
        if lasting {
            self.configs.clear();
        }
        if ours {
            self.configs.push(*after);
        }
    }

    /// Returns how often our men have had this placement.
    pub fn times(&self, own: &Own) -> usize {
        let same = |past: &&Own| (past.men, past.castling) == (own.men, own.castling);
        self.configs.iter().filter(same).count()
    }
}
