//! Facts of a game, beside what is heard there.

use rules::{
    Choices, Listener, Over,
    chess::{ByColor, Color},
};

use store::{GameId, Millis, Terms};

use crate::account::Account;

/// Status of a game.
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
    /// Time at which these were true: that of a public row, never of a private one.
    pub at: Millis,
}

/// Open offers to adjourn or go on, and of a rematch. A draw offer is in `referee::Game`.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Default)]
pub struct TableOffers {
    /// Side that offers to adjourn or, when adjourned, to go on.
    pub adjourn: Option<Color>,
    /// Side that offers a rematch.
    pub rematch: Option<Color>,
    /// The game of the rematch, once agreed.
    pub next: Option<GameId>,
}

/// Changing facts of a game, as one listener may know them. Nothing here changes when
/// something private happens.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Standing {
    /// Status.
    pub status: Status,
    /// End of the game, if it is over.
    pub over: Option<Over>,
    /// The clocks; `None` without clocks.
    pub clocks: Option<Clocks>,
    /// Sides that are connected.
    pub here: ByColor<bool>,
    /// Open offers; `None` for a spectator.
    pub offers: Option<TableOffers>,
    /// Time from which the reader may claim the game because the opponent is gone.
    pub claim_from: Option<Millis>,
    /// Whether the game can still be broken off without a result.
    pub can_abort: bool,
    /// Deadline for the first move of the player to move.
    pub first_move_by: Option<Millis>,
}

impl Standing {
    /// The same in a time that is behind.
    pub(crate) fn earlier_by(mut self, ahead: Millis) -> Standing {
        if let Some(clocks) = &mut self.clocks {
            clocks.at = clocks.at.saturating_sub(ahead);
        }
        for at in [&mut self.claim_from, &mut self.first_move_by] {
            *at = at.map(|at| at.saturating_sub(ahead));
        }
        self
    }

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

/// Facts of a game, beside what is heard there, for one reader.
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
    /// Choices of the ruleset, with the game's switches set.
    pub choices: Choices,
    /// Time at which the game was made.
    pub at: Millis,
    /// Changing facts.
    pub standing: Standing,
}
