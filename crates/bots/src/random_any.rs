//! `random+any`: moves at random, and uses everything else that may be asked.

use rules::{
    Attempt, PawnTries, Px, Question, Tries, Try,
    chess::{Color, Role},
};
use views::PlayerView;

use crate::{
    dice::{Dice, Seed},
    player::Player,
};

/// As [`Random`](crate::Random), but asks: Any? one time in four where it may
/// and has not yet this turn; rarely for the count of rebuffs, for the last
/// announcements, for px and for a draw. What the proofs play.
#[derive(Clone, Debug)]
pub struct RandomAny {
    dice: Dice,
}

impl RandomAny {
    /// Takes a seat.
    pub fn new(seed: Seed) -> RandomAny {
        RandomAny {
            dice: Dice::new(seed),
        }
    }

    /// Something other than a move, now and then.
    fn question(&mut self, view: &PlayerView, tries: &[Try]) -> Option<Attempt> {
        let choices = view.choices();
        let dice = &mut self.dice;
        let on_request = choices.pawn_tries == PawnTries::OnRequest;
        if on_request && !view.turn().asked && dice.once_in(4) {
            return Some(Attempt::Any);
        }
        if choices.count == Question::Aloud && dice.once_in(32) {
            return Some(Attempt::Count);
        }
        if choices.recap == Question::Aloud && dice.once_in(64) {
            return Some(Attempt::Recap);
        }
        if choices.px == Px::Present && view.turn().tries == Tries::Count(1) && dice.once_in(8) {
            return Some(Attempt::Px {
                promotion: px_man(view, tries),
            });
        }
        self.draw(view.draw_offer(), view.color())
    }

    fn draw(&mut self, offer: Option<Color>, own: Color) -> Option<Attempt> {
        let dice = &mut self.dice;
        match offer {
            None => dice.once_in(256).then_some(Attempt::OfferDraw),
            Some(by) if by == own => dice.once_in(8).then_some(Attempt::WithdrawDraw),
            // To offer while the other's offer stands is to accept.
            Some(_) => match dice.below(64) {
                0 => Some(Attempt::AcceptDraw),
                1 => Some(Attempt::OfferDraw),
                2..16 => Some(Attempt::DeclineDraw),
                _ => None,
            },
        }
    }
}

/// The man that px must name: one exactly if a pawn capture worth trying would
/// promote.
fn px_man(view: &PlayerView, tries: &[Try]) -> Option<Role> {
    tries
        .iter()
        .any(|t| view.own().is_promotion(*t) && view.own().is_pawn_capture(*t))
        .then_some(Role::Queen)
}

impl Player for RandomAny {
    fn hears(&self) -> bool {
        false
    }

    fn attempt(&mut self, view: &PlayerView, tries: &[Try]) -> Attempt {
        if tries.is_empty() {
            return Attempt::Resign;
        }
        self.question(view, tries)
            .or_else(|| self.dice.pick(tries).map(Attempt::Try))
            .unwrap_or(Attempt::Resign)
    }
}
