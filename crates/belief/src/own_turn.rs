//! The seat's own turn: what each of its steps makes of a position.

use rules::{Choices, Try, chess::Role};

use crate::{
    compat::Compat, entries::Entry, hidden::Hidden, known::Known, report::Report, situation::clock,
};

/// A step of the seat's own turn that a position must agree with.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(crate) enum OwnStep {
    /// The try was played, with this report; what is known then.
    Moved(Try, Report, Known),
    /// The try was refused.
    Refused(Try),
    /// Any? was answered so.
    Any(bool),
}

impl OwnStep {
    /// Whether the position agrees; it is then changed to that after the step.
    #[inline]
    pub(crate) fn admits<H: Hidden>(
        &self,
        entry: &mut Entry<H>,
        known: &Known,
        choices: &Choices,
        compat: Option<Compat>,
    ) -> bool {
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
                let quiet = clock(men.quiet, role, taken.is_some(), choices);
                let told = Report::of_move(choices, known.seat(), what, taken, &next);
                if !told.agrees_in_move(report)
                    || !report.agrees_with(choices, &next, &next.seen(), quiet)
                    || compat.is_some_and(|compat| compat.ends(&next))
                {
                    return false;
                }
                entry.hidden = H::pack(&after.men(&next, quiet));
                true
            }
        }
    }
}

/// The man of an own try.
pub(crate) fn role_of(known: &Known, what: Try) -> Role {
    match what {
        Try::Drop { role, .. } => role,
        Try::Step { from, .. } => known.own.role_at(from).unwrap_or(Role::Pawn),
    }
}
