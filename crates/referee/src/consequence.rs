//! Consequences of a legal move: the next position, the end, what there is to
//! announce.

use rules::{Threefold, Tries, Try, chess::Role};

use crate::{
    calls::Consequences,
    game::Game,
    kernel::{Captured, Facts, Position},
    told,
};

/// Effects of a legal move, beside the announcements.
#[derive(Copy, Clone)]
pub(crate) struct Step {
    /// The man that moved.
    pub man: Role,
    pub captured: Option<Captured>,
    /// Whether earlier positions can come again: no capture, no pawn's move,
    /// no right to castle lost.
    pub undoable: bool,
    /// Half-moves since the last capture or pawn move, this one included.
    pub halfmoves: u32,
}

impl Step {
    /// Makes a legal try of a man on a position that had so many half-moves.
    #[inline]
    pub(crate) fn make(
        position: &mut Position,
        halfmoves: u32,
        drops: bool,
        what: Try,
        man: Role,
    ) -> Step {
        let rights = position.castling;
        let captured = position.play_man(what, man, drops);
        let quiet = man != Role::Pawn && captured.is_none();
        Step {
            man,
            captured,
            undoable: quiet && position.castling == rights,
            halfmoves: if quiet {
                halfmoves.saturating_add(1)
            } else {
                0
            },
        }
    }
}

impl Game {
    /// Returns the consequences of a move; `position` is the one after it.
    #[inline(always)]
    pub(crate) fn consequences(
        &self,
        what: Try,
        position: &Position,
        step: Step,
        facts: &Facts,
    ) -> Consequences {
        let occurrences = self.occurrences(what, position, step);
        let over = told::end(
            self.choices(),
            position,
            facts.check,
            facts.any_legal,
            step.halfmoves,
            occurrences,
        );
        Consequences {
            check: facts.check,
            tries: if over.is_some() {
                Tries::Untold
            } else {
                told::tries(self.choices(), position, &facts.seen)
            },
            over,
        }
    }

    pub(crate) fn counts_repetition(&self) -> bool {
        self.choices().threefold == Threefold::On
    }

    /// Returns the number of times that the position has occurred, this time
    /// included; 1 where repetition does not count.
    #[inline]
    fn occurrences(&self, what: Try, position: &Position, step: Step) -> usize {
        if !self.counts_repetition() {
            1
        } else if self.drops() {
            1 + self.past.count_whole(position)
        } else if step.undoable {
            1 + self.past.count(position, step.man, what)
        } else {
            1
        }
    }
}
