//! Statements on studies, in SQL that SQLite and Postgres both accept.

use super::{
    columns::StoredRow,
    evenings::{Statements, number, text},
};
use crate::{account::AccountId, copy::Value, error::StoreError, study::StudyRecord};

pub(crate) const STUDY: &str = "select * from studies where id = $1";
pub(crate) const OF: &str = "\
select id, owner, title, access, at, '' as body from studies where owner = $1 order by at desc, id";
pub(crate) const PUBLIC: &str = "\
select id, owner, title, access, at, '' as body from studies where access = 'public'
order by at desc, id limit $1";
pub(crate) const DELETE_ALL: &str = "delete from studies where owner = $1";
const SET: &str = "\
insert into studies (id, owner, title, access, at, body) values ($1, $2, $3, $4, $5, $6)
on conflict (id) do update set title = excluded.title, access = excluded.access, at = excluded.at,
    body = excluded.body
where studies.owner = excluded.owner";
const DELETE: &str = "delete from studies where id = $1 and owner = $2";

impl Statements for StudyRecord {
    fn statements(&self) -> Vec<(&'static str, Vec<Value>)> {
        let mut values = vec![text(&self.id), number(self.owner.0)];
        if self.body.is_empty() {
            return vec![(DELETE, values)];
        }
        values.extend([text(&self.title), text(&self.access)]);
        values.extend([number(self.at), text(&self.body)]);
        vec![(SET, values)]
    }

    fn missed(&self) -> Option<StoreError> {
        Some(StoreError::Absent)
    }
}

pub(crate) fn study(row: &impl StoredRow) -> Result<StudyRecord, StoreError> {
    Ok(StudyRecord {
        id: row.text("id")?.to_owned(),
        owner: AccountId(row.number("owner")?),
        title: row.text("title")?.to_owned(),
        access: row.text("access")?.to_owned(),
        at: row.number("at")?,
        body: row.text("body")?.to_owned(),
    })
}

/// Implements [`StudyStore`](crate::study::StudyStore) with the functions of the evenings.
macro_rules! study_store {
    ($store:ty) => {
        #[async_trait::async_trait]
        impl StudyStore for $store {
            async fn set_study(&self, study: &StudyRecord) -> Result<(), StoreError> {
                self.change_rows(Box::new(study.clone())).await
            }

            async fn study(&self, id: &str) -> Result<StudyRecord, StoreError> {
                let id = Value::Text(Some(id.to_owned()));
                let found = self.read_rows(studies::STUDY, Some(id), studies::study);
                found.await?.into_iter().next().ok_or(StoreError::Absent)
            }

            async fn studies(
                &self,
                of: Option<AccountId>,
                limit: u32,
            ) -> Result<Vec<StudyRecord>, StoreError> {
                let (statement, value) = match of {
                    Some(owner) => (studies::OF, owner.0),
                    None => (studies::PUBLIC, limit.into()),
                };
                let value = Value::Number(Some(value));
                let mut found = self
                    .read_rows(statement, Some(value), studies::study)
                    .await?;
                found.truncate(limit as usize);
                Ok(found)
            }
        }
    };
}
pub(crate) use study_store;
