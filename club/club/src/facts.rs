//! Facts of a game that are not hearings.

use rules::{
    Choices, Listener, Over,
    chess::{ByColor, Color},
};

use store::{ConditionalTries, GameId, Millis, Terms};
use wire::{ClocksJson, GameStatus, Side};

use crate::account::Account;

/// Both clocks, as they were at the time `at`.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub struct Clocks {
    /// Time left of each side, in milliseconds.
    pub left: ByColor<Millis>,
    /// Side whose clock is running, if any.
    pub running: Option<Color>,
    /// Time at which these values were true. It is the time of a public row, never the time of
    /// a private row.
    pub at: Millis,
}

impl From<Clocks> for ClocksJson {
    fn from(clocks: Clocks) -> ClocksJson {
        ClocksJson {
            white: clocks.left.white,
            black: clocks.left.black,
            running: clocks.running.map(Side::from),
            at: clocks.at,
        }
    }
}

/// Open offers at a table: offers to adjourn, offers to resume, and offers of a rematch. A draw
/// offer is not here, but in `referee::Game`.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Default)]
pub struct TableOffers {
    /// Side that offers to adjourn or, in an adjourned game, to resume.
    pub adjourn: Option<Color>,
    /// Side that offers a rematch.
    pub rematch: Option<Color>,
    /// Next game, if a rematch was agreed.
    pub next: Option<GameId>,
}

/// Facts of a game that can change, as one listener may know them. Private events do not change
/// these facts.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Standing {
    /// Status of the game.
    pub status: GameStatus,
    /// Result of the game, if it is over.
    pub over: Option<Over>,
    /// Clocks; `None` in a game without clocks.
    pub clocks: Option<Clocks>,
    /// Which sides are connected.
    pub here: ByColor<bool>,
    /// Open offers; `None` for a spectator.
    pub offers: Option<TableOffers>,
    /// From this time on, the reader may claim the game because the opponent is gone. `None` if no
    /// claim is possible.
    pub claim_from: Option<Millis>,
    /// Whether the game can still be aborted without a result.
    pub can_abort: bool,
    /// Deadline for the first move of the player to move.
    pub first_move_by: Option<Millis>,
    /// Tries that the reader makes in advance. Nobody else knows them.
    pub conditional: ConditionalTries,
    /// True position as FEN, for spectators of a game between two built-in bots.
    pub umpire: Option<String>,
}

impl Standing {
    /// Returns the same facts with all times moved back by `ahead` milliseconds.
    pub(crate) fn earlier_by(mut self, ahead: Millis) -> Standing {
        if let Some(clocks) = &mut self.clocks {
            clocks.at = clocks.at.saturating_sub(ahead);
        }
        for at in [&mut self.claim_from, &mut self.first_move_by] {
            *at = at.map(|at| at.saturating_sub(ahead));
        }
        self
    }

    /// Removes the next game from the offers if that game does not exist yet (`made` is false).
    pub(crate) fn with_next(mut self, made: bool) -> Standing {
        if let Some(offers) = &mut self.offers
            && !made
        {
            offers.next = None;
        }
        self
    }
}

/// Facts of a game that are not hearings, for one reader.
#[derive(Clone, PartialEq, Debug)]
pub struct GameFacts {
    /// Id of the game.
    pub id: GameId,
    /// Reader's seat, or [`Listener::Room`].
    pub seat: Listener,
    /// Players.
    pub players: ByColor<Account>,
    /// Terms of the game.
    pub terms: Terms,
    /// Choices of the ruleset, with the switches of this game applied.
    pub choices: Choices,
    /// Time at which the game was created.
    pub at: Millis,
    /// Facts that change.
    pub standing: Standing,
}
