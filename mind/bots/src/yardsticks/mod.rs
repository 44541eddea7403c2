//! Yardsticks: players with which the engine is compared. They are unlike it and unlike one another:
//! `semi-random` and `simple` follow rules of thumb, `mcts` searches a tree.

mod budget_left;
mod mcts;
mod semi_random;
mod simple;

pub use self::{mcts::Mcts, semi_random::SemiRandom, simple::Simple};

use rules::{
    Attempt, Heard, Obligation, PawnTries, Reply, Tries, Try, Verdict,
    chess::{Role, Square},
};
use views::PlayerView;

/// The square on which the seat lost a man by the opponent's last move.
#[derive(Copy, Clone, Debug, Default)]
struct LastLoss(Option<Square>);

impl LastLoss {
    fn hear(&mut self, heard: &Heard) {
        match *heard {
            Heard::Reply(Reply::Verdict {
                verdict: Verdict::Moved,
                ..
            }) => self.0 = None,
            Heard::Lost { square, .. } => self.0 = Some(square),
            Heard::Reply(
                Reply::Verdict { .. }
                | Reply::Any { .. }
                | Reply::Rebuffs { .. }
                | Reply::Recap { .. },
            )
            | Heard::Announced(_)
            | Heard::Draw(_)
            | Heard::Over(_) => {}
        }
    }

    /// Returns whether a try goes to the square of the loss.
    fn is_target_of(self, t: Try) -> bool {
        self.0 == Some(t.to())
    }
}

/// Returns the question Any? if three conditions hold: it may be asked now, a pawn capture is worth
/// trying, and the answer yes does not oblige the player to make or try one.
fn free_question(view: &PlayerView, tries: &[Try]) -> Option<Attempt> {
    let choices = view.choices();
    let may = choices.pawn_tries == PawnTries::OnRequest
        && choices.obligation == Obligation::None
        && !view.turn().asked
        && tries.iter().any(|t| view.own().is_pawn_capture(*t));
    may.then_some(Attempt::Any)
}

/// Returns whether the referee announced that there is a legal pawn capture.
fn pawn_capture_announced(view: &PlayerView) -> bool {
    match view.turn().tries {
        Tries::Untold => false,
        Tries::Whether(any) => any,
        Tries::Count(count) => count > 0,
        Tries::Squares(squares) => !squares.is_empty(),
        Tries::SinglesAndDoubles { singles, doubles } => !(singles | doubles).is_empty(),
    }
}

/// Returns the usual value of a man, in pawns. The value of a king is greater than the value of all
/// other men together.
const fn value(role: Role) -> f64 {
    match role {
        Role::Pawn => 1.0,
        Role::Knight | Role::Bishop => 3.0,
        Role::Rook => 5.0,
        Role::Queen => 9.0,
        Role::King => 100.0,
    }
}
