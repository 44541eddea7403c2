//! Applies events to a game: updates the position, the turn and the counters.
//! This module does not decide anything.

use position::{Seen, announcements};
use rules::{Over, QuestionRule, Reason, Try, Verdict, Winner, chess::Color};

use crate::{calls::Consequences, consequence::Step, event::Event, game::Game};

impl Game {
    /// Updates the game with an event. The event contains all decisions; this
    /// function does not check them.
    pub fn apply(&mut self, event: &Event) {
        match *event {
            Event::Opened(ref opened) => *self = Game::open((**opened).clone()),
            Event::Moved {
                by,
                what,
                check,
                tries,
                over,
            } => {
                let drops = self.drops();
                let man = self.position.man_of(what);
                let step = Step::make(&mut self.position, self.halfmoves, drops, what, man);
                let seen = self.position.seen();
                self.settle(by, what, Consequences { check, tries, over }, step, seen);
            }
            Event::Rebuffed {
                by,
                what,
                verdict,
                over,
            } => self.settle_rebuff(by, what, verdict, over),
            Event::Any { answer, .. } => {
                if let Some(answer) = answer {
                    self.turn.any_answered(&self.opened.choices, answer);
                }
            }
            Event::Count { .. } | Event::Recap { .. } => {}
            Event::Resigned { by } => self.end(Winner::from(by.other()), Reason::Resignation),
            Event::Offered { by } => self.offer = Some(by),
            Event::Agreed { .. } => self.end(Winner::Draw, Reason::Agreement),
            Event::Declined { .. } | Event::Withdrew { .. } => self.offer = None,
            Event::Flagged { winner, .. } => self.end(winner, Reason::Time),
            Event::Left { winner, .. } => self.end(winner, Reason::Abandoned),
            Event::Aborted => self.end(Winner::Unfinished, Reason::Aborted),
        }
    }

    fn end(&mut self, winner: Winner, reason: Reason) {
        self.offer = None;
        self.over = Some(Over { winner, reason });
    }

    /// Records a try that was not played. Only an answer "no" changes the turn's state. `over` is
    /// the end of the game that the answer caused, if any.
    #[inline]
    pub(crate) fn settle_rebuff(
        &mut self,
        by: Color,
        what: Try,
        verdict: Verdict,
        over: Option<Over>,
    ) {
        if verdict == Verdict::No {
            *self.rebuffs.get_mut(by) += 1;
            let pawn_capture = self.position.is_pawn_capture(what);
            self.turn.refused(&self.opened.choices, pawn_capture, what);
        }
        self.over = over;
    }

    /// Updates everything except the position. The caller has already played the move in the
    /// position.
    #[inline(always)]
    pub(crate) fn settle(
        &mut self,
        by: Color,
        what: Try,
        then: Consequences,
        step: Step,
        seen: Seen,
    ) {
        if self.choices().recap == QuestionRule::Aloud {
            self.said = self.said_of_move(by, what, step.captured, then);
        }
        self.seen = seen;
        self.halfmoves = step.halfmoves;
        if self.counts_repetition() {
            if self.drops() {
                self.past.record_position(&self.position);
            } else if step.undoable {
                self.past.record_move(&self.position, step.man, what);
            } else {
                self.past.restart(&self.position);
            }
        }
        if by == Color::Black {
            self.fullmoves = self.fullmoves.saturating_add(1);
        }
        if self.offer == Some(by.other()) || then.over.is_some() {
            self.offer = None;
        }
        *self.rebuffs.get_mut(by.other()) = 0;
        let told = announcements::check(self.choices(), then.check);
        self.turn.begin(told, then.tries);
        self.over = then.over;
    }
}
