//! Tables of evenings in memory.

use std::collections::BTreeMap;

use crate::{
    account::AccountId,
    error::StoreError,
    evening::{Evening, EveningGame, EveningId, EveningPlayer},
};

/// Tables of evenings.
#[derive(Debug, Default)]
pub(super) struct EveningTables {
    pub(super) evenings: Vec<Evening>,
    pub(super) players: BTreeMap<(EveningId, AccountId), EveningPlayer>,
    pub(super) games: Vec<(EveningId, EveningGame)>,
}

impl EveningTables {
    /// A deleted account leaves all evenings.
    pub(super) fn leave(&mut self, account: AccountId) {
        let players = self.players.values_mut();
        for player in players.filter(|player| player.account == account) {
            player.waits = None;
        }
    }

    pub(super) fn open(&mut self, id: &EveningId) -> Result<&mut Evening, StoreError> {
        let found = self.evenings.iter_mut().find(|evening| evening.id == *id);
        found.ok_or(StoreError::Absent)
    }

    pub(super) fn sorted(&self, wanted: impl Fn(&Evening) -> bool) -> Vec<Evening> {
        let evenings = self.evenings.iter().filter(|evening| wanted(evening));
        let mut found: Vec<Evening> = evenings.cloned().collect();
        found.sort_by_key(|evening| (evening.begins, evening.id.clone()));
        found
    }
}
