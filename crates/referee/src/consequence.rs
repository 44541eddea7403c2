//! What a legal move leads to: the next position, the end, what there is to
//! announce.

use rules::{
    CheckTold, Directions, Fifty, Material, Over, PawnTries, PawnTrySquare, Reason, Stalemate,
    Threefold, Tries, Try, Winner,
    chess::{Color, Role},
};

use crate::{
    calls::Then,
    game::Game,
    kernel::{Captured, Facts, Position},
};

/// What a legal move did, beside the announcements.
#[derive(Copy, Clone)]
pub(crate) struct Step {
    /// Which man moved.
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
    /// What a move leads to: `position` is the one after it.
    #[inline(always)]
    pub(crate) fn then(&self, what: Try, position: &Position, step: Step, facts: &Facts) -> Then {
        let occurrences = self.occurrences(what, position, step);
        let over = self.natural_end(position, facts, step.halfmoves, occurrences);
        Then {
            check: facts.check,
            tries: if over.is_some() {
                Tries::Untold
            } else {
                self.announced_tries(position, facts)
            },
            over,
        }
    }

    pub(crate) fn counts_repetition(&self) -> bool {
        self.choices().threefold == Threefold::On
    }

    /// How often the position has occurred, this time included; 1 where
    /// repetition does not count.
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

    /// The end that the position itself makes, in the order of specification 3.1.
    pub(crate) fn natural_end(
        &self,
        position: &Position,
        facts: &Facts,
        halfmoves: u32,
        occurrences: usize,
    ) -> Option<Over> {
        let choices = self.choices();
        let draw = |reason| {
            Some(Over {
                winner: Winner::Draw,
                reason,
            })
        };
        if !facts.any_legal && self.sees_mates() {
            let mated = position.turn();
            return Some(if facts.check.is_empty() {
                Over {
                    winner: self.stalemate_winner(mated),
                    reason: Reason::Stalemate,
                }
            } else {
                Over {
                    winner: Winner::from(mated.other()),
                    reason: Reason::Checkmate,
                }
            });
        }
        let dead = match choices.material {
            Material::Off => false,
            Material::Dead => position.is_dead_material(),
            Material::OneMinorEach => position.is_one_minor_each(),
        };
        if dead {
            return draw(Reason::Insufficient);
        }
        if choices.threefold == Threefold::On && occurrences >= 3 {
            return draw(Reason::Threefold);
        }
        if choices.fifty == Fifty::On && halfmoves >= 100 {
            return draw(Reason::Fifty);
        }
        None
    }

    pub(crate) fn stalemate_winner(&self, stalemated: Color) -> Winner {
        match self.choices().stalemate {
            Stalemate::Draw => Winner::Draw,
            Stalemate::Loses => Winner::from(stalemated.other()),
        }
    }

    /// What is announced unasked about the pawn tries of the side to move.
    #[inline(always)]
    pub(crate) fn announced_tries(&self, position: &Position, facts: &Facts) -> Tries {
        let choices = self.choices();
        if matches!(choices.pawn_tries, PawnTries::Silent | PawnTries::OnRequest) {
            return Tries::Untold;
        }
        let tries = position.pawn_tries_seen(&facts.seen);
        match choices.pawn_tries {
            PawnTries::Silent | PawnTries::OnRequest => Tries::Untold,
            PawnTries::Whether => Tries::Whether(tries.count > 0),
            PawnTries::Count => Tries::Count(tries.count),
            PawnTries::Squares => Tries::Squares(match choices.pawn_try_square {
                PawnTrySquare::Landing => tries.landings,
                PawnTrySquare::Origin => tries.origins,
            }),
            PawnTries::SinglesAndDoubles => Tries::SinglesAndDoubles {
                singles: tries.landings & !tries.doubles,
                doubles: tries.doubles,
            },
        }
    }

    /// The check as it is announced; `None` if it is not.
    pub(crate) fn told_check(&self, check: Directions) -> Option<Directions> {
        match self.choices().check {
            CheckTold::Silent => None,
            CheckTold::Bare => (!check.is_empty()).then_some(Directions::NONE),
            CheckTold::Directions => (!check.is_empty()).then_some(check),
        }
    }
}
