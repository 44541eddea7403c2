//! Studies: who keeps and who reads them.

use store::{AccountId, AccountKind, StudyRecord};
use wire::RefusalCode;

use crate::{
    account::Account,
    error::{ClubError, StoreAnswer},
    inner::Club,
    messages::is_line,
    refusals::{not_possible, too_many},
    sync::lock,
    token::Token,
};

/// Maximum length of a title, in characters.
const MAX_TITLE: usize = 100;
/// Maximum number of studies of one account.
const MAX_STUDIES: u32 = 50;
/// Number of public studies in a list.
const MAX_PUBLIC: u32 = 30;
/// Number of hexadecimal digits of an id.
const ID_DIGITS: usize = 16;

fn unknown() -> ClubError {
    ClubError::new(
        RefusalCode::NotFound,
        "study-unknown",
        "there is no such study: it was deleted, it is private, or the address is wrong",
    )
}

impl Club {
    /// Whether an account is in a game that is not over.
    pub fn plays(&self, account: AccountId) -> bool {
        let listed = lock(&self.0.listed);
        listed.games_of(account).next().is_some()
    }

    /// Keeps a study of its owner: a new one if it has no id, or else in place of the earlier one. An
    /// empty body deletes it. Returns its id.
    ///
    /// # Errors
    /// [`RefusalCode::NotPossible`] for guests and programs, [`RefusalCode::TooMany`] if the account
    /// keeps too many, [`RefusalCode::NotFound`] if it has no study with this id,
    /// [`RefusalCode::Invalid`] if the title does not fit.
    pub async fn keep_study(
        &self,
        by: &Account,
        mut study: StudyRecord,
    ) -> Result<String, ClubError> {
        let store = &self.0.store;
        if by.kind != AccountKind::Person {
            return Err(not_possible(
                "study-guest",
                "a study is kept by a person with an account: create an account",
            ));
        }
        let title = study.title.trim();
        if title.is_empty() || title.chars().count() > MAX_TITLE || !is_line(title) {
            return Err(ClubError::new(
                RefusalCode::Invalid,
                "study-title",
                "a title is one line of 1 to 100 characters of plain text",
            ));
        }
        if !study.id.is_empty() {
            // A study that was deleted meanwhile is not stored again.
            store.study(&study.id).await.found()?.ok_or_else(unknown)?;
        } else if store.studies(Some(by.id), MAX_STUDIES).await?.len() == MAX_STUDIES as usize {
            return Err(too_many(
                "studies-full",
                "you keep fifty studies, which is the limit: delete one",
            ));
        } else {
            study.id = Token::draw().secret().chars().take(ID_DIGITS).collect();
        }
        study.at = self.0.time.now();
        store.set_study(&study).await.found()?.ok_or_else(unknown)?;
        Ok(study.id)
    }

    /// Returns a study that this reader may read, with its owner.
    ///
    /// # Errors
    /// [`RefusalCode::NotFound`] if there is none with this id, or if it is another's private study.
    pub async fn study(
        &self,
        id: &str,
        reader: Option<AccountId>,
    ) -> Result<(StudyRecord, Account), ClubError> {
        let study = self.0.store.study(id).await.found()?;
        let may_read =
            |study: &StudyRecord| study.access != "private" || reader == Some(study.owner);
        let study = study.filter(may_read).ok_or_else(unknown)?;
        let owner = self.0.account(study.owner).await?;
        Ok((study, owner))
    }

    /// Returns the studies of an account, or the last changed public ones, without their chapters and
    /// with their owners.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub async fn studies(
        &self,
        of: Option<AccountId>,
    ) -> Result<Vec<(StudyRecord, Account)>, ClubError> {
        let most = if of.is_some() {
            MAX_STUDIES
        } else {
            MAX_PUBLIC
        };
        let mut found = Vec::new();
        for study in self.0.store.studies(of, most).await? {
            let owner = self.0.account(study.owner).await?;
            found.push((study, owner));
        }
        Ok(found)
    }
}
