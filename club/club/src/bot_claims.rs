//! The claims of built-in bots that this club knows.

use std::{collections::HashMap, sync::Mutex};

use store::GameId;

use crate::sync::lock;

/// Clubs that have claimed the built-in bots of running games.
#[derive(Default)]
pub(crate) struct BotClaims {
    /// The claims as this club last read them: a game, and the number of a club.
    known: Mutex<HashMap<GameId, u64>>,
    /// Held while the claims are changed or read, so that an older reading never replaces a newer
    /// one.
    pub(crate) reading: tokio::sync::Mutex<()>,
}

impl BotClaims {
    pub(crate) fn of(&self, game: GameId) -> Option<u64> {
        lock(&self.known).get(&game).copied()
    }

    pub(crate) fn set(&self, claims: Vec<(GameId, u64)>) {
        *lock(&self.known) = claims.into_iter().collect();
    }
}
