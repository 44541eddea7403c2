//! The steps of the seat's own turn, and their effect on one position.

use rules::{Try, chess::Role};

use crate::{
    entries::Entry, hidden::Hidden, known::Known, law::Law, men::Men, report::Report,
    situation::clock,
};

/// A step of the seat's own turn. A possible position must agree with the step.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(crate) enum OwnStep {
    /// The try was played, with this report. [`Known`] is what the seat knows
    /// after the move.
    Moved(Try, Report, Known),
    /// The try was answered "no".
    Refused(Try),
    /// Any? got this answer.
    Any(bool),
}

impl OwnStep {
    /// Returns whether the position agrees with this step. If it does, `entry`
    /// becomes the position after the step. `known` is what the seat knew
    /// before the step.
    #[inline]
    pub(crate) fn admits<H: Hidden>(&self, entry: &mut Entry<H>, known: &Known, law: &Law) -> bool {
        let men = entry.hidden.unpack();
        let position = known.position(&men);
        match self {
            OwnStep::Refused(what) => !position.is_legal(*what),
            OwnStep::Any(answer) => (position.pawn_tries().count > 0) == *answer,
            OwnStep::Moved(what, report, after) => {
                let (what, role) = (*what, role_of(known, *what));
                if !position.is_legal(what) {
                    return false;
                }
                let mut next = position;
                let taken = next.play_man(what, role, known.drops);
                let quiet = clock(men.quiet, role, taken.is_some(), law);
                let told = Report::of_move(law, known.seat(), what, taken, &next);
                if !told.agrees_in_move(report)
                    || !report.agrees_with(law, &next, &next.seen(), quiet)
                    || law.is_won(&next)
                {
                    return false;
                }
                entry.hidden = H::pack(&Men::in_position(&next, after.seat(), quiet));
                true
            }
        }
    }
}

/// Returns the role of the man that a try of the seat moves or drops.
pub(crate) fn role_of(known: &Known, what: Try) -> Role {
    match what {
        Try::Drop { role, .. } => role,
        Try::Step { from, .. } => known.own.role_at(from).unwrap_or(Role::Pawn),
    }
}
