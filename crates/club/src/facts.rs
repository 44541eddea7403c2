//! What is known of a game beside what is heard there.

use rules::{
    Choices, Listener, Over,
    chess::{ByColor, Color},
};

use store::{GameId, Millis, Terms};

use crate::account::Account;

/// Where a game stands.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Status {
    /// It is being played.
    Running,
    /// Both agreed to go on later; the clocks stand.
    Adjourned,
    /// It is over.
    Over,
}

/// Both clocks, as of `at`.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub struct Clocks {
    /// The time left.
    pub left: ByColor<Millis>,
    /// Side whose clock runs.
    pub running: Option<Color>,
    /// When these were true: the time of a public row, never of a private one.
    pub at: Millis,
}

/// What stands offered between the players beside a draw.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Default)]
pub struct Offers {
    /// Side that offers to adjourn or, when adjourned, to go on.
    pub adjourn: Option<Color>,
    /// Side that offers a rematch.
    pub rematch: Option<Color>,
    /// The game of the rematch, once agreed.
    pub next: Option<GameId>,
}

/// What of a game changes beside what is heard, as one listener may know it:
/// nothing here moves when something private happens.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Standing {
    /// Where it stands.
    pub status: Status,
    /// How it ended.
    pub over: Option<Over>,
    /// The clocks; `None` without clocks.
    pub clocks: Option<Clocks>,
    /// Sides that are connected.
    pub here: ByColor<bool>,
    /// Open offers; `None` for a spectator.
    pub offers: Option<Offers>,
    /// Time from which the reader may claim the game because the opponent is gone.
    pub claim_from: Option<Millis>,
    /// Whether the game can still be broken off without a result.
    pub can_abort: bool,
    /// Deadline for the first move of the player to move.
    pub first_move_by: Option<Millis>,
}

impl Standing {
    /// A rematch is told of when its game exists.
    pub(crate) fn with_next(mut self, made: bool) -> Standing {
        if let Some(offers) = &mut self.offers
            && !made
        {
            offers.next = None;
        }
        self
    }
}

/// What is known of a game beside what is heard there, for one reader.
#[derive(Clone, PartialEq, Debug)]
pub struct GameFacts {
    /// Its id.
    pub id: GameId,
    /// Reader's seat, or [`Listener::Room`].
    pub seat: Listener,
    /// Players.
    pub players: ByColor<Account>,
    /// The terms.
    pub terms: Terms,
    /// What the ruleset chooses, with the game's switches set.
    pub choices: Choices,
    /// When the game was made.
    pub at: Millis,
    /// What changes.
    pub standing: Standing,
}
