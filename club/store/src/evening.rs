//! Evenings: hours in which many play against each other.

use async_trait::async_trait;
use rules::{Over, chess::ByColor};

use crate::{
    account::AccountId, error::StoreError, game::Terms, id::GameId, row::Millis, store::Fence,
};

/// Random id of an evening.
#[derive(Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub struct EveningId(pub String);

/// How an evening pairs its players.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum EveningKind {
    /// Whoever is free gets the next game.
    Arena,
    /// Everybody meets everybody once, in rounds.
    RoundRobin,
}

impl EveningKind {
    /// Returns the word for the kind.
    pub const fn name(self) -> &'static str {
        match self {
            EveningKind::Arena => "arena",
            EveningKind::RoundRobin => "round-robin",
        }
    }
}

/// An evening.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Evening {
    /// Id.
    pub id: EveningId,
    /// Kind.
    pub kind: EveningKind,
    /// Name.
    pub name: String,
    /// Account that made it.
    pub maker: AccountId,
    /// Terms of its games.
    pub terms: Terms,
    /// Time of creation.
    pub at: Millis,
    /// Time of its beginning.
    pub begins: Millis,
    /// Length, in minutes.
    pub minutes: u32,
    /// Whether its table is final.
    pub is_over: bool,
}

/// A player of an evening.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct EveningPlayer {
    /// Account.
    pub account: AccountId,
    /// Time of joining.
    pub joined: Millis,
    /// Time since which the player waits for a game; a game that begins then or later ends the wait.
    /// `None` after leaving.
    pub waits: Option<Millis>,
}

/// A game of an evening.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct EveningGame {
    /// Id of the game.
    pub game: GameId,
    /// Players.
    pub players: ByColor<AccountId>,
    /// Round, from 1; 0 in an arena hour.
    pub round: u32,
    /// Time of pairing.
    pub at: Millis,
    /// Whether the game exists.
    pub begun: bool,
    /// Result, if the game is over.
    pub over: Option<Over>,
}

/// Storage of evenings. It is a part of every [`Store`](crate::Store).
#[async_trait]
pub trait EveningStore: Send + Sync + 'static {
    /// Creates an evening.
    ///
    /// # Errors
    /// [`StoreError::Taken`] if the id is in use; [`StoreError::Absent`] if there is no such account.
    async fn create_evening(&self, evening: &Evening) -> Result<(), StoreError>;

    /// Deletes an evening that is not over, with its players.
    ///
    /// # Errors
    /// [`StoreError::Absent`] if there is no such evening.
    async fn cancel_evening(&self, id: &EveningId) -> Result<(), StoreError>;

    /// Ends an evening: removes its games that are not over, then marks it as over.
    ///
    /// # Errors
    /// [`StoreError::Absent`] if there is no such evening.
    async fn end_evening(&self, id: &EveningId) -> Result<(), StoreError>;

    /// Returns an evening; [`StoreError::Absent`] if there is none.
    async fn evening(&self, id: &EveningId) -> Result<Evening, StoreError>;

    /// Returns the evenings that are not over, the next first; or the last `limit` that are over, the
    /// last first.
    async fn evenings(&self, is_over: bool, limit: u32) -> Result<Vec<Evening>, StoreError>;

    /// Returns the evenings that an account has made or joined, in the order of their beginning.
    async fn evenings_of(&self, account: AccountId) -> Result<Vec<Evening>, StoreError>;

    /// Adds a player, or changes the `waits` of a player.
    ///
    /// # Errors
    /// [`StoreError::Absent`] if there is no such evening or account.
    async fn set_evening_player(
        &self,
        evening: &EveningId,
        player: &EveningPlayer,
    ) -> Result<(), StoreError>;

    /// Returns the players of an evening in the order of joining. A deleted account has left.
    async fn evening_players(&self, id: &EveningId) -> Result<Vec<EveningPlayer>, StoreError>;

    /// Adds a game that the caller will create.
    ///
    /// # Errors
    /// [`StoreError::Fenced`] if `fence` is not the number of the ownership, or if the game was added
    /// already; [`StoreError::Absent`] if there is no such evening or account.
    async fn add_evening_game(
        &self,
        fence: Fence,
        evening: &EveningId,
        game: &EveningGame,
    ) -> Result<(), StoreError>;

    /// Removes a game that could not be created.
    async fn remove_evening_game(&self, game: GameId) -> Result<(), StoreError>;

    /// Returns the games of an evening, oldest first.
    async fn evening_games(&self, id: &EveningId) -> Result<Vec<EveningGame>, StoreError>;
}
