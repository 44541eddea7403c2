//! The players of a table.

use std::sync::{Arc, PoisonError, RwLock};

use rules::chess::ByColor;

use crate::account::Account;

/// Players of a table. Their names can change.
pub(crate) struct Players(RwLock<Arc<ByColor<Account>>>);

impl Players {
    pub(crate) fn new(players: ByColor<Account>) -> Players {
        Players(RwLock::new(Arc::new(players)))
    }

    pub(crate) fn get(&self) -> Arc<ByColor<Account>> {
        let players = self.0.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&players)
    }

    /// If one of the players has this account, stores the account's new name.
    pub(crate) fn see(&self, account: &Account) {
        let mut all = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let seen = |old: &Account| match old.id == account.id {
            true => account.clone(),
            false => old.clone(),
        };
        *all = Arc::new(ByColor {
            white: seen(&all.white),
            black: seen(&all.black),
        });
    }
}
