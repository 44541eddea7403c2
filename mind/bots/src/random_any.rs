//! The bot `random+any`: makes random moves and uses everything else that the
//! ruleset allows.

use rules::{
    Attempt, PawnTries, Px, QuestionRule, Tries, Try,
    chess::{Color, Role},
};
use views::PlayerView;

use crate::{
    dice::{Dice, Seed},
    player::Player,
};

/// Like [`Random`](crate::Random), but also uses the other attempts. If Any? is allowed and was not
/// asked in this turn, the bot asks with probability 1/4. Rarely, the bot asks for the count or the
/// recap, uses px, or offers, accepts, declines or withdraws a draw. The long test runs ("proofs")
/// play with this bot.
#[derive(Clone, Debug)]
pub struct RandomAny {
    dice: Dice,
}

impl RandomAny {
    /// Returns a player with this seed.
    pub fn new(seed: Seed) -> RandomAny {
        RandomAny {
            dice: Dice::new(seed),
        }
    }

    /// Returns, with a small probability, an attempt that is not a move.
    fn question(&mut self, view: &PlayerView, tries: &[Try]) -> Option<Attempt> {
        let choices = view.choices();
        let dice = &mut self.dice;
        let on_request = choices.pawn_tries == PawnTries::OnRequest;
        if on_request && !view.turn().asked && dice.once_in(4) {
            return Some(Attempt::Any);
        }
        if choices.count == QuestionRule::Aloud && dice.once_in(32) {
            return Some(Attempt::Count);
        }
        if choices.recap == QuestionRule::Aloud && dice.once_in(64) {
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
            // If the other side's draw offer is open, an own offer accepts it.
            Some(_) => match dice.below(64) {
                0 => Some(Attempt::AcceptDraw),
                1 => Some(Attempt::OfferDraw),
                2..16 => Some(Attempt::DeclineDraw),
                _ => None,
            },
        }
    }
}

/// Returns the promotion man for px: a queen if a pawn capture worth trying
/// would promote, otherwise `None`.
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
