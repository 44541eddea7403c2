//! A game that is over: everything for everybody.

use referee::Event;
use rules::{Choices, Over, chess::ByColor};

use crate::{Account, GameId, Millis, Terms, facts::Clocks};

/// A game that is over: everybody may see everything.
#[derive(Clone, PartialEq, Debug)]
pub struct FinishedGame {
    /// Its id.
    pub id: GameId,
    /// Who played.
    pub players: ByColor<Account>,
    /// The terms.
    pub terms: Terms,
    /// What the ruleset chose.
    pub choices: Choices,
    /// When it was made.
    pub at: Millis,
    /// How it ended.
    pub over: Over,
    /// Every event of the game, the opening first.
    pub log: Vec<Event>,
    /// The clocks after each event of the log; `None` without clocks.
    pub clocks: Vec<Option<Clocks>>,
}
