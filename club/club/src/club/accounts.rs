//! Accounts with passwords: change of the password, recovery codes, sessions, deletion.

use sha2::{Digest, Sha256};
use store::{
    AccountChange, AccountId, AccountKind, AccountState, GameId, Millis, OfferId, RequestId, Scope,
    Session,
};

use wire::RefusalCode;

use super::people::{no_session, taken, wrong_password};
use crate::{
    account::{Account, check_name, check_password},
    error::{ClubError, StoreAnswer},
    guesses::Guesser,
    inner::{Club, Inner},
    recovery::{RecoveryCode, number_of},
    sync::lock,
    token::Token,
};

/// Number of bytes in the public id of a session.
const SESSION_ID_BYTES: usize = 8;

/// One session of an account, as its owner sees it.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct OwnSession {
    /// Id of the session. It does not reveal the token.
    pub id: String,
    /// Start time.
    pub at: Millis,
    /// End time.
    pub until: Millis,
    /// Whether the request came with the token of this session.
    pub current: bool,
    /// Name of the session: of the browser in which it began, or the name that its holder gave.
    pub label: String,
    /// Whether the session may only play.
    pub only_plays: bool,
}

/// What to do with running games before an account is deleted.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Leaving {
    /// Resign the running games.
    Resign,
    /// Delete the account when the last running game is over. Until then the account can play its
    /// running games.
    Wait,
}

/// State of an account, as its owner sees it.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct OwnAccount {
    /// Time of creation.
    pub at: Millis,
    /// Number of recovery codes that are still unused.
    pub recovery_codes: u32,
    /// Whether the account is deleted when its last game is over.
    pub leaving: bool,
    /// Games that are not over.
    pub running: Vec<GameId>,
    /// Open seeks, challenges and invitations of this account.
    pub offers: Vec<OfferId>,
}

fn wrong_code() -> ClubError {
    ClubError::new(
        RefusalCode::WrongPassword,
        "recovery-code-wrong",
        "the name or the recovery code is wrong, or the code was used: try another code",
    )
}

fn changed_meanwhile() -> ClubError {
    ClubError::new(
        RefusalCode::SignIn,
        "account-changed",
        "this account was changed a moment ago, and its sessions have ended: sign in again",
    )
}

/// Returns the public id of a session: a hash of its token's hash.
fn session_id(session: &Session) -> String {
    let hash = Sha256::digest(session.token.0);
    let bytes = hash.iter().take(SESSION_ID_BYTES);
    bytes.map(|byte| format!("{byte:02x}")).collect()
}

impl Club {
    /// Creates new recovery codes for an account; the old codes are no longer valid. The codes are
    /// returned only here; the store keeps only their hashes.
    ///
    /// # Errors
    /// [`RefusalCode::NotPossible`] for a guest, who has no password.
    pub async fn new_recovery_codes(
        &self,
        account: &Account,
    ) -> Result<Vec<RecoveryCode>, ClubError> {
        if account.kind == AccountKind::Guest {
            return Err(ClubError::new(
                RefusalCode::NotPossible,
                "guest-without-password",
                "a guest has no password to recover: make an account",
            ));
        }
        let old = self.0.store.recovery_codes(account.id).await?;
        self.0.replace_codes(account, old).await
    }

    /// Creates new recovery codes, if the password is right.
    ///
    /// # Errors
    /// [`RefusalCode::Taken`] if another request renewed the codes meanwhile; otherwise as for
    /// [`sign_in_from`](Club::sign_in_from) and
    /// [`new_recovery_codes`](Club::new_recovery_codes).
    pub async fn renew_recovery_codes(
        &self,
        account: &Account,
        password: &str,
    ) -> Result<Vec<RecoveryCode>, ClubError> {
        // The codes are read before the password is checked. So of two simultaneous renewals, the
        // later renewal notices that the codes have changed.
        let old = self.0.store.recovery_codes(account.id).await?;
        let account = self.confirmed(account, password).await?;
        self.0.replace_codes(&account, old).await
    }

    /// Changes the password, if the old password is right. All sessions of the account end, at
    /// every club that uses the store.
    ///
    /// # Errors
    /// As for [`sign_in_from`](Club::sign_in_from); [`RefusalCode::Invalid`] if the new password has a
    /// wrong form.
    pub async fn change_password(
        &self,
        account: &Account,
        old: &str,
        new: &str,
    ) -> Result<Account, ClubError> {
        check_password(new)?;
        let account = self.confirmed(account, old).await?;
        let hash = self.0.passwords.hash(new).await?;
        let change = AccountChange::Password(hash);
        self.0
            .change(account.id, Some(account.generation), change)
            .await?;
        self.changed(account.id, account.generation).await
    }

    /// Sets a new password with a recovery code, which is then used up. All sessions of the account
    /// end, at every club that uses the store. A code is too random to be
    /// guessed, so wrong codes are not counted. An unknown name gets the same answer as a wrong code, after the same time.
    /// So nobody can find out which names exist.
    ///
    /// # Errors
    /// [`RefusalCode::WrongPassword`] if the name or the code is wrong; [`RefusalCode::Invalid`] if the new
    /// password has a wrong form.
    pub async fn recover(
        &self,
        name: &str,
        code: &str,
        password: &str,
    ) -> Result<Account, ClubError> {
        check_password(password)?;
        if name.len() > 100 || code.len() > 100 {
            return Err(wrong_code());
        }
        self.with_code(name, code, password).await
    }

    async fn with_code(
        &self,
        name: &str,
        code: &str,
        password: &str,
    ) -> Result<Account, ClubError> {
        let club = &self.0;
        let found = club.store.account_named(name).await.found()?;
        let code = RecoveryCode::read(code);
        let number = code.as_ref().map(number_of);
        let hash = match (&found, number) {
            (Some(account), Some(number)) => {
                let hash = club.store.recovery_code(account.id, number).await;
                hash.found()?
            }
            (Some(_) | None, _) => None,
        };
        // The name or the code may be unknown. One hash is computed in every case, so that the time
        // does not reveal the reason of a refusal.
        let text = code.as_ref().map_or("", RecoveryCode::secret);
        let fits = club.passwords.fits(text, hash.clone()).await?;
        let (Some(account), Some(number), Some(code), true) = (found, number, hash, fits) else {
            return Err(wrong_code());
        };
        check_state(account.state)?;
        let password = club.passwords.hash(password).await?;
        let change = AccountChange::Recover {
            number,
            code,
            password,
        };
        let used = club.change(account.id, Some(account.generation), change);
        // Another request may have used the code meanwhile.
        used.await.map_err(|error| {
            if error.code == RefusalCode::SignIn {
                wrong_code()
            } else {
                error
            }
        })?;
        self.changed(account.id, account.generation).await
    }

    /// Gives a guest an account with a name and a password. The guest's games, also the running
    /// games, belong to the new account. All sessions of the guest end.
    ///
    /// # Errors
    /// As for [`register`](Club::register).
    pub async fn register_guest(
        &self,
        guest: &Account,
        name: &str,
        password: &str,
    ) -> Result<Account, ClubError> {
        check_name(name)?;
        check_password(password)?;
        let club = &self.0;
        if club.store.account_like(name).await.found()?.is_some() {
            return Err(taken());
        }
        let change = AccountChange::MakePerson {
            name: name.to_owned(),
            password: club.passwords.hash(password).await?,
        };
        let changed = club.change(guest.id, Some(guest.generation), change).await;
        changed.map_err(|error| {
            if error.code == RefusalCode::Taken {
                taken()
            } else {
                error
            }
        })?;
        self.changed(guest.id, guest.generation).await
    }

    /// Returns the sessions of an account, oldest first. `token` is the token of the request.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn sessions(
        &self,
        account: AccountId,
        token: Option<&str>,
    ) -> Result<Vec<OwnSession>, ClubError> {
        let own = token.and_then(Token::hash);
        let now = self.now();
        let sessions = self.0.store.sessions_of(account).await?;
        let open = sessions.iter().filter(|session| session.until > now);
        Ok(open
            .map(|session| OwnSession {
                id: session_id(session),
                at: session.at,
                until: session.until,
                current: Some(session.token) == own,
                label: session.label.clone(),
                only_plays: session.scope == Scope::Play,
            })
            .collect())
    }

    /// Ends the session with the public id `id`, if it is a session of this account.
    ///
    /// # Errors
    /// [`RefusalCode::NotFound`] if the account has no such session.
    pub async fn end_own_session(&self, account: AccountId, id: &str) -> Result<(), ClubError> {
        let sessions = self.0.store.sessions_of(account).await?;
        let named = sessions.iter().find(|session| session_id(session) == id);
        let named = named.ok_or_else(|| {
            ClubError::new(
                RefusalCode::NotFound,
                "session-unknown",
                "you have no session with this id: the session has ended, or the id is wrong",
            )
        })?;
        self.0.store.end_session(named.token).await.found()?;
        self.0.see_account_changes().await;
        Ok(())
    }

    /// Ends all sessions of an account, at every club that uses the store.
    ///
    /// # Errors
    /// If the store fails, or if the sessions have ended since `account` was read.
    pub async fn end_all_sessions(&self, account: &Account) -> Result<(), ClubError> {
        let change = AccountChange::EndSessions;
        self.0
            .change(account.id, Some(account.generation), change)
            .await
    }

    /// Returns the state of an account for its owner.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn own_account(&self, account: AccountId) -> Result<OwnAccount, ClubError> {
        let club = &self.0;
        let found = club.store.account(account).await?;
        let offers = club.store.offers().await?;
        let codes = club.store.recovery_codes(account).await?;
        Ok(OwnAccount {
            at: found.at,
            recovery_codes: u32::try_from(codes.len()).unwrap_or(u32::MAX),
            leaving: found.state.leaves(),
            running: club.running_games(account),
            offers: offers
                .into_iter()
                .filter(|offer| offer.by == account)
                .map(|offer| offer.id)
                .collect(),
        })
    }

    /// Deletes an account, if the password is right. A guest needs no password. Finished games
    /// are kept, under a neutral name. Returns true if the account was deleted, and false if the
    /// account waits for the end of its running games.
    ///
    /// # Errors
    /// As for [`sign_in_from`](Club::sign_in_from).
    pub async fn delete_account(
        &self,
        account: &Account,
        password: Option<&str>,
        leaving: Leaving,
    ) -> Result<bool, ClubError> {
        let club = &self.0;
        let account = match (account.kind, password) {
            (AccountKind::Guest, _) => account.clone(),
            (AccountKind::Person | AccountKind::Program, password) => {
                self.confirmed(account, password.unwrap_or_default())
                    .await?
            }
        };
        let change = match leaving {
            Leaving::Resign => AccountChange::Resign,
            Leaving::Wait => AccountChange::Wait,
        };
        club.change(account.id, Some(account.generation), change)
            .await?;
        club.delete_leaving().await?;
        let state = club.store.account(account.id).await?.state;
        Ok(state == AccountState::Deleted)
    }

    /// Cancels the deletion of an account that waits for the end of its games.
    ///
    /// # Errors
    /// [`RefusalCode::NotPossible`] if the account does not wait.
    pub async fn keep_account(&self, account: &Account) -> Result<(), ClubError> {
        let found = self.0.store.account(account.id).await?;
        if found.state != AccountState::Waiting {
            return Err(ClubError::new(
                RefusalCode::NotPossible,
                "account-not-deleted",
                "this account is not waiting to be deleted",
            ));
        }
        let change = AccountChange::Enable;
        self.0
            .change(account.id, Some(found.generation), change)
            .await
    }

    /// Waits until all sessions of the account have ended, because the password was changed, or the
    /// account was disabled or deleted. Returns immediately if the sessions have ended since
    /// `account` was read. Doors that keep no session use this method.
    pub async fn account_ends(&self, account: &Account) {
        let mut changes = self.account_changes();
        loop {
            let now = self.0.store.account(account.id).await;
            let ended = now
                .is_ok_and(|now| now.generation != account.generation || !now.state.has_sessions());
            if ended {
                return;
            }
            changes.of(account.id).await;
        }
    }

    /// Checks the password of an account that is signed in, with the limits of
    /// [`sign_in_from`](Club::sign_in_from). Returns the account as it is now.
    pub(super) async fn confirmed(
        &self,
        account: &Account,
        password: &str,
    ) -> Result<Account, ClubError> {
        if account.kind == AccountKind::Guest {
            return Err(ClubError::new(
                RefusalCode::NotPossible,
                "guest-without-password",
                "a guest has no password: make an account",
            ));
        }
        let found = self.0.store.account(account.id).await.found()?;
        let guesser = Guesser::SignedIn(account.id);
        let confirmed = self.guessed(found, password, &guesser).await;
        let confirmed = confirmed.map_err(|error| {
            if error.code == RefusalCode::WrongPassword {
                ClubError::new(
                    error.code,
                    "password-wrong",
                    "the password is wrong: try again",
                )
            } else {
                error
            }
        })?;
        if confirmed.id != account.id || confirmed.generation != account.generation {
            return Err(changed_meanwhile());
        }
        Ok(confirmed)
    }

    /// Returns an account after a change that ended its sessions. `generation` is the generation
    /// before the change. If a later change has also ended the sessions, the caller cannot begin a
    /// session with the returned account. This is intended, because the later change may have
    /// replaced the caller's password.
    pub(super) async fn changed(
        &self,
        id: AccountId,
        generation: i64,
    ) -> Result<Account, ClubError> {
        Ok(Account {
            generation: generation + 1,
            ..self.fresh(id).await?
        })
    }

    /// Returns an account as it is in the store now.
    async fn fresh(&self, id: AccountId) -> Result<Account, ClubError> {
        let found = self.0.store.account(id).await.found()?;
        found.map(Account::from).ok_or_else(no_session)
    }
}

/// Refuses the use of an account that is disabled or deleted, or that is being deleted.
pub(super) fn check_state(state: AccountState) -> Result<(), ClubError> {
    let (reason, why) = match state {
        AccountState::Active | AccountState::Waiting => return Ok(()),
        AccountState::Disabled => (
            "account-disabled",
            "this account is disabled: ask the operator of this club",
        ),
        AccountState::Resigning => (
            "account-resigning",
            "this account is being deleted: make a new one",
        ),
        AccountState::Deleted => return Err(wrong_password()),
    };
    Err(ClubError::new(RefusalCode::Forbidden, reason, why))
}

impl Inner {
    /// Changes an account, and lets this club notice the change.
    pub(super) async fn change(
        &self,
        id: AccountId,
        generation: Option<i64>,
        change: AccountChange,
    ) -> Result<(), ClubError> {
        let changed = self.store.change_account(id, generation, &change).await;
        changed.found()?.ok_or_else(changed_meanwhile)?;
        self.see_account_changes().await;
        Ok(())
    }

    /// Replaces the recovery codes of an account if `old` contains the hashes of its present codes.
    async fn replace_codes(
        &self,
        account: &Account,
        old: Vec<String>,
    ) -> Result<Vec<RecoveryCode>, ClubError> {
        let codes = RecoveryCode::draw_all();
        let change = AccountChange::RecoveryCodes {
            old: Some(old),
            new: self.passwords.hash_codes(&codes).await?,
        };
        let changed = self.change(account.id, Some(account.generation), change);
        changed.await.map_err(|error| {
            if error.code == RefusalCode::Taken {
                ClubError::new(
                    RefusalCode::Taken,
                    "codes-renewed",
                    "another request renewed the recovery codes at the same time, and this request \
                     made none: use the codes of the other request, or renew them again",
                )
            } else {
                error
            }
        })?;
        Ok(codes)
    }

    pub(crate) fn running_games(&self, account: AccountId) -> Vec<GameId> {
        let listed = lock(&self.listed);
        listed.games_of(account).map(|record| record.id).collect()
    }

    /// Deletes the accounts whose deletion was requested, if they have no running games. First
    /// resigns the running games of those accounts that do not wait for the end of their games.
    pub(super) async fn delete_leaving(&self) -> Result<(), ClubError> {
        for account in self.store.leaving().await? {
            if account.state == AccountState::Resigning {
                self.resign_all(account.id).await?;
            }
            match self
                .store
                .change_account(account.id, None, &AccountChange::Delete)
                .await
            {
                Ok(()) => self.see_account_changes().await,
                // A game of the account is still running, or another club has deleted the account.
                Err(store::StoreError::Taken | store::StoreError::Absent) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Resigns all games of an account. A game that cannot be resigned now is resigned about half a
    /// second later.
    async fn resign_all(&self, account: AccountId) -> Result<(), ClubError> {
        // No client can send an id with a dot.
        let id = RequestId("account.deleted".to_owned());
        for game in self.running_games(account) {
            let handle = lock(&self.tables).get(&game).cloned();
            if let Some(handle) = handle {
                let _later = handle.resign(account, id.clone()).await;
            }
        }
        Ok(())
    }
}
