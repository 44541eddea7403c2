//! Consequences of a legal move: the next position, the end of the game, and
//! what can be announced.

use position::{Captured, Facts, Position, announcements};
use rules::{Threefold, Tries, Try, chess::Role};

use crate::{calls::Consequences, game::Game};

/// Effects of a legal move, without the announcements.
#[derive(Copy, Clone)]
pub(crate) struct Step {
    /// Role of the man that moved.
    pub man: Role,
    pub captured: Option<Captured>,
    /// Whether an earlier position can occur again after this move, in a game without drops. False
    /// after a capture, a pawn move, or the loss of a castling right.
    pub undoable: bool,
    /// Half-moves since the last capture or pawn move, including this move.
    pub halfmoves: u32,
}

impl Step {
    /// Plays a legal try in `position`. `man` is the man that the try moves or drops. `halfmoves`
    /// is the number of half-moves since the last capture or pawn move, without this try.
    #[inline]
    pub(crate) fn make(
        position: &mut Position,
        halfmoves: u32,
        drops: bool,
        what: Try,
        man: Role,
    ) -> Step {
        let rights = position.rights();
        let captured = position.play_man(what, man, drops);
        let quiet = man != Role::Pawn && captured.is_none();
        Step {
            man,
            captured,
            undoable: quiet && position.rights() == rights,
            halfmoves: if quiet {
                halfmoves.saturating_add(1)
            } else {
                0
            },
        }
    }
}

impl Game {
    /// Returns the consequences of the move `what`. `position` is the position
    /// after the move, and `facts` are its facts.
    #[inline(always)]
    pub(crate) fn consequences(
        &self,
        what: Try,
        position: &Position,
        step: Step,
        facts: &Facts,
    ) -> Consequences {
        let occurrences = self.occurrences(what, position, step);
        let over = announcements::end(
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
                announcements::tries(self.choices(), position, &facts.seen)
            },
            over,
        }
    }

    pub(crate) fn counts_repetition(&self) -> bool {
        self.choices().threefold == Threefold::On
    }

    /// Returns how often the position has occurred, including this time; 1 if
    /// the ruleset does not count repetitions.
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
