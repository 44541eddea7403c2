//! The bot `sparring`: plays to win, by guessing the men that it cannot see.
//!
//! In the comments of this module, "we" are the bot's side, and "the other
//! side" is the opponent's.

pub(crate) mod belief;
pub(crate) mod choice;
mod distance;
pub(crate) mod guess;
pub(crate) mod lone_king;
mod mend;
pub(crate) mod told;
pub(crate) mod worth;

use rules::{Attempt, Heard, Obligation, Own, PawnTries, Try};
use views::PlayerView;

use self::{
    belief::Belief,
    choice::{Past, blind, judge},
    lone_king::Hunt,
    told::Fact,
};
use crate::{
    dice::{Dice, Seed},
    player::Player,
};

/// A bot that plays to win. It keeps guesses of the true position that agree with everything that
/// it heard, and makes the try with the greatest value in these guesses. Because of these values it
/// recaptures, uses pawn tries, gives check, promotes and mates. Against a lone king it searches
/// several moves ahead.
///
/// It asks Any? if the answer is useful enough. It accepts a draw offer only if it has a lone king
/// or is more than 6 pawns behind. The bot never offers a draw, and resigns only if it has no try
/// left.
#[derive(Clone, Debug)]
pub struct Sparring {
    dice: Dice,
    facts: Vec<Fact>,
    belief: Option<Belief>,
    past: Past,
}

impl Sparring {
    /// Returns a player that assumes the usual start position. If the seat's own men do not fit
    /// this position, the player guesses the men of the other side.
    pub fn new(seed: Seed) -> Sparring {
        Sparring {
            dice: Dice::new(seed),
            facts: Vec::new(),
            belief: None,
            past: Past::default(),
        }
    }

    /// Returns a player that knows the start of the game: its own men, and the
    /// possible men of the other side.
    pub fn knowing(seed: Seed, own: Own, others: &[Own]) -> Sparring {
        let mut sparring = Sparring::new(seed);
        sparring.belief = Some(Belief::new(own, others));
        sparring
    }

    /// Updates the belief with what was heard since the last attempt, and returns the belief.
    fn learn(&mut self, view: &PlayerView) -> Belief {
        let mut belief = self
            .belief
            .take()
            .unwrap_or_else(|| Belief::initial(view.color()));
        for fact in std::mem::take(&mut self.facts) {
            let before = belief.now.own;
            belief.learn(view.choices(), &fact, &mut self.dice);
            if let Fact::Moved(told) = fact {
                self.past.moved(&before, &told, &belief.now.own);
            }
        }
        if belief.now.own.men != view.own().men {
            belief.restart(view.choices(), *view.own(), &mut self.dice);
        }
        let other = *view.reserves().get(view.color().other());
        belief.set_reserves(view.own().reserve, other);
        belief
    }

    /// Returns the answer to a draw offer of the other side, if there is an
    /// offer.
    fn answer_draw(&self, view: &PlayerView, belief: &Belief) -> Option<Attempt> {
        if view.draw_offer() != Some(view.color().other()) {
            return None;
        }
        Some(if is_lost(view, Some(belief)) {
            Attempt::AcceptDraw
        } else {
            Attempt::DeclineDraw
        })
    }

    /// Returns the question Any? if it may be asked and the answer is useful
    /// enough.
    fn question(&self, view: &PlayerView, belief: &Belief, tries: &[Try]) -> Option<Attempt> {
        let (own, turn, choices) = (view.own(), view.turn(), view.choices());
        let may = choices.pawn_tries == PawnTries::OnRequest
            && !turn.asked
            && tries.iter().any(|t| own.is_pawn_capture(*t));
        if !may {
            return None;
        }
        let likely = belief.pawn_capture();
        let worth_it = match choices.obligation {
            Obligation::None => likely < 1.0,
            // Under these rulesets, the answer yes obliges the player to try, or to make, a pawn
            // capture. So the question has a cost.
            Obligation::Try => likely > 0.02,
            Obligation::Make => likely > 0.1,
        };
        worth_it.then_some(Attempt::Any)
    }
}

/// Returns whether the bot accepts a draw. The bot does so if it has only its king, or if it is
/// more than 6 pawns behind.
fn is_lost(view: &PlayerView, belief: Option<&Belief>) -> bool {
    let own = view.own();
    let bare = own.all() == own.men.king && own.reserve.is_empty();
    bare || belief.is_some_and(|belief| belief.ahead() < -6.0)
}

impl Player for Sparring {
    fn hear(&mut self, heard: &Heard) {
        told::note(&mut self.facts, heard);
    }

    fn accepts_draw(&self, view: &PlayerView) -> bool {
        is_lost(view, self.belief.as_ref())
    }

    fn attempt(&mut self, view: &PlayerView, tries: &[Try]) -> Attempt {
        let belief = self.learn(view);
        let attempt = self.choose(view, &belief, tries);
        self.belief = Some(belief);
        attempt
    }
}

impl Sparring {
    fn choose(&mut self, view: &PlayerView, belief: &Belief, tries: &[Try]) -> Attempt {
        if tries.is_empty() {
            return Attempt::Resign;
        }
        if let Some(other) = self
            .answer_draw(view, belief)
            .or_else(|| self.question(view, belief, tries))
        {
            return other;
        }
        let (own, choices) = (view.own(), view.choices());
        let hunted = belief.lone_king().and_then(|kings| {
            let hunt = Hunt { choices };
            hunt.best(own, kings, tries, &self.past, &mut self.dice, || false)
        });
        hunted
            .or_else(|| {
                let judged = judge(
                    choices,
                    &belief.guesses,
                    own,
                    tries,
                    &self.past,
                    &mut self.dice,
                );
                let best = judged.first().filter(|best| best.legal > 0.0);
                best.map(|best| best.t)
            })
            .or_else(|| blind(own, tries, belief.hit(), &mut self.dice))
            .map_or(Attempt::Resign, Attempt::Try)
    }
}
