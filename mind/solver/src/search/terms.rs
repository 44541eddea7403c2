//! The rules of a search: when a line of play is won, and when it has failed.

use belief::{Compat, Report};
use position::{Captured, Position, Seen, announcements};
use rules::{
    Choices, Material, Mates, Obligation, PawnTries, ReserveUse, Stalemate, Try, TryLimit, Winner,
    chess::{Bitboard, Color, Role, Square, attacks},
};

/// The rules of a search: the ruleset, and the seat that is to mate.
#[derive(Clone, Debug)]
pub(crate) struct Terms {
    /// The choices of the ruleset. The search assumes that mate and stalemate are recognised, even
    /// if the ruleset says otherwise.
    pub choices: Choices,
    /// Changes to the rules, only to compare results with another project.
    pub compat: Option<Compat>,
    /// The seat that is to mate.
    pub seat: Color,
    /// Whether the ruleset has drops.
    pub drops: bool,
    /// Whether a stalemate of the opponent is a win.
    pub stalemate_wins: bool,
}

/// State of a line of play after the seat's own move.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(crate) enum State {
    /// The seat has won.
    Won,
    /// The game is over, and the seat has not won.
    Failed,
    /// The opponent is to move.
    Open,
}

impl Terms {
    pub(crate) fn new(choices: Choices, compat: Option<Compat>, seat: Color) -> Terms {
        let choices = Choices {
            mates: Mates::Announced,
            ..choices
        };
        Terms {
            choices,
            compat,
            seat,
            drops: choices.reserve == ReserveUse::Drops,
            stalemate_wins: choices.stalemate == Stalemate::Loses,
        }
    }

    /// Returns the roles that a pawn can promote to.
    pub(crate) fn promotions(&self) -> &'static [Role] {
        match self.choices.promotion_man {
            rules::PromotionMan::QueenOnly => &[Role::Queen],
            rules::PromotionMan::Named | rules::PromotionMan::QueenUnlessNamed => {
                &[Role::Queen, Role::Knight, Role::Rook, Role::Bishop]
            }
        }
    }

    /// Returns whether the seat can ask Any? and the answer never leads to an obligation.
    pub(crate) fn any_is_free(&self) -> bool {
        self.choices.pawn_tries == PawnTries::OnRequest
            && self.choices.obligation == Obligation::None
    }

    /// Returns whether a refused attempt or a question can have a cost for the seat.
    pub(crate) fn refusals_cost(&self) -> bool {
        self.choices.obligation != Obligation::None || self.choices.try_limit != TryLimit::None
    }

    #[inline]
    fn is_dead(&self, p: &Position) -> bool {
        match self.choices.material {
            Material::Off => false,
            Material::Dead => p.is_dead_material(),
            Material::OneMinorEach => p.is_one_minor_each(),
        }
    }

    /// Returns whether the changed rules end the game with a win of the side that has just moved.
    fn compat_won(&self, after: &Position) -> bool {
        self.compat.is_some_and(|compat| {
            let by = after.turn().other();
            let others = after.side(after.turn()).count();
            compat.is_won(&after.own(by), others)
        })
    }

    /// Returns the state after a move of the seat.
    #[inline]
    pub(crate) fn after_own(&self, after: &Position, seen: &Seen) -> State {
        if self.compat.is_some() && self.compat_won(after) {
            return State::Won;
        }
        if !after.any_move_seen(seen) {
            let mate = !after.directions_seen(seen).is_empty();
            return if mate || self.stalemate_wins {
                State::Won
            } else {
                State::Failed
            };
        }
        if self.is_dead(after) {
            return State::Failed;
        }
        State::Open
    }

    /// Returns whether the line fails because the opponent's move ended the game by dead material or
    /// by the changed rules. The function does not notice mate and stalemate of the seat: the caller
    /// must test whether the seat has a legal move.
    #[inline]
    pub(crate) fn fails_after_reply(&self, next: &Position) -> bool {
        self.is_dead(next) || (self.compat.is_some() && self.compat_won(next))
    }

    /// Returns whether the opponent, who is to move, can end the game by three refused pawn
    /// captures without a win of the seat. After three refused pawn captures in a turn, no other
    /// pawn capture may be tried. If no other move is legal, the game ends.
    pub(crate) fn can_exhaust(&self, after: &Position) -> bool {
        if self.choices.try_limit == TryLimit::None {
            return false;
        }
        let ends = announcements::exhausted(&self.choices, after);
        ends.is_some_and(|over| over.winner != Winner::from(self.seat))
            && refusable_captures(after) >= 3
    }

    /// Returns what the seat hears about a legal move that does not end the game.
    pub(crate) fn report(
        &self,
        t: Try,
        taken: Option<Captured>,
        after: &Position,
        seen: &Seen,
    ) -> Report {
        Report {
            check: announcements::check(&self.choices, after.directions_seen(seen)),
            tries: announcements::tries(&self.choices, after, seen),
            ..Report::of_move(&self.choices, self.seat, t, taken, after)
        }
    }
}

/// Returns the number of pawn captures of the side to move that can be answered "no".
fn refusable_captures(p: &Position) -> usize {
    let us = p.turn();
    let own = p.side(us);
    let captures = |from: Square| attacks::pawn_attacks(us, from) & !own;
    let illegal = |from: Square, to: Square| {
        let last = to.rank() == us.relative_rank(rules::chess::Rank::Eighth);
        let promotion = last.then_some(Role::Queen);
        !p.is_legal(Try::Step {
            from,
            to,
            promotion,
        })
    };
    let pawns: Bitboard = p.men(Role::Pawn) & own;
    pawns
        .into_iter()
        .map(|from| {
            captures(from)
                .into_iter()
                .filter(|to| illegal(from, *to))
                .count()
        })
        .sum()
}
