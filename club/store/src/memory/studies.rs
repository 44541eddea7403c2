//! Studies in memory.

use async_trait::async_trait;

use super::MemoryStore;
use crate::{
    account::AccountId,
    error::StoreError,
    study::{StudyRecord, StudyStore},
};

#[async_trait]
impl StudyStore for MemoryStore {
    async fn set_study(&self, study: &StudyRecord) -> Result<(), StoreError> {
        let mut tables = self.tables();
        let earlier = tables.studies.get(&study.id);
        if earlier.map_or(study.body.is_empty(), |known| known.owner != study.owner) {
            return Err(StoreError::Absent);
        }
        match study.body.is_empty() {
            true => tables.studies.remove(&study.id),
            false => tables.studies.insert(study.id.clone(), study.clone()),
        };
        Ok(())
    }

    async fn study(&self, id: &str) -> Result<StudyRecord, StoreError> {
        let tables = self.tables();
        tables.studies.get(id).cloned().ok_or(StoreError::Absent)
    }

    async fn studies(
        &self,
        of: Option<AccountId>,
        limit: u32,
    ) -> Result<Vec<StudyRecord>, StoreError> {
        let tables = self.tables();
        let is_listed = |study: &&StudyRecord| match of {
            Some(owner) => study.owner == owner,
            None => study.access == "public",
        };
        let listed = tables.studies.values().filter(is_listed);
        let mut listed: Vec<StudyRecord> = listed.cloned().collect();
        listed.sort_by_key(|study| -study.at);
        listed.truncate(limit as usize);
        listed.iter_mut().for_each(|study| study.body.clear());
        Ok(listed)
    }
}
