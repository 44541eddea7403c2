//! People, guests, programs, and their sessions.

use std::time::Duration;

use store::{AccountId, AccountKind, Millis, NewAccount, Scope, Session, TokenHash};

use super::accounts::check_state;
use wire::RefusalCode;

use crate::{
    account::{Account, GUEST, check_name, check_password},
    error::{ClubError, StoreAnswer},
    guesses::{self, Guesser},
    inner::Club,
    time::age,
    token::Token,
};

/// Number of random letters in a guest's name, after `guest`. Chess clients accept only letters.
const GUEST_LETTERS: usize = 8;
/// Maximum number of random names that are tried for one guest.
const MAX_DRAWS: usize = 8;

pub(super) fn taken() -> ClubError {
    ClubError::new(
        RefusalCode::Taken,
        "name-taken",
        "this name is taken, or looks like one that is: choose another name",
    )
}

pub(super) fn wrong_password() -> ClubError {
    ClubError::new(
        RefusalCode::WrongPassword,
        "sign-in-wrong",
        "wrong name or password",
    )
}

pub(super) fn too_many_wrong(wait: Duration) -> ClubError {
    ClubError::too_soon(wait, "passwords-wrong", |seconds| {
        format!(
            "too many wrong passwords for this name from devices where it never signed in: sign in at a \
             device where it did, or with a recovery code; otherwise the next password is checked in \
             {seconds} s"
        )
    })
}

/// Maximum number of characters in the label of a session.
pub const MAX_LABEL: usize = 60;

/// Maximum number of tokens of programs of one account.
pub const MAX_TOKENS: usize = 20;

/// Maximum number of days for which a token of a program lasts.
pub const MAX_TOKEN_DAYS: u32 = 366;

pub(super) fn no_session() -> ClubError {
    ClubError::new(
        RefusalCode::SignIn,
        "session-over",
        "this session is over: sign in again",
    )
}

impl Club {
    /// Creates the account of a person.
    ///
    /// # Errors
    /// - [`RefusalCode::Invalid`] if the name or the password has a wrong form.
    /// - [`RefusalCode::Taken`] if the name is in use or reserved, or looks like one in use.
    /// - [`RefusalCode::TooMany`] if the club hashes too many passwords at this moment.
    pub async fn register(&self, name: &str, password: &str) -> Result<Account, ClubError> {
        self.make_with_password(name, password, AccountKind::Person)
            .await
    }

    /// Creates the account of a program. (Built-in bots use
    /// [`program`](Club::program).)
    ///
    /// # Errors
    /// As for [`register`](Club::register).
    pub async fn register_program(&self, name: &str, password: &str) -> Result<Account, ClubError> {
        self.make_with_password(name, password, AccountKind::Program)
            .await
    }

    async fn make_with_password(
        &self,
        name: &str,
        password: &str,
        kind: AccountKind,
    ) -> Result<Account, ClubError> {
        check_name(name)?;
        check_password(password)?;
        let club = &self.0;
        // The name is checked before the password is hashed, because hashing is expensive.
        if club.store.account_like(name).await.found()?.is_some() {
            return Err(taken());
        }
        let hash = club.passwords.hash(password).await?;
        self.make_account(name, kind, Some(hash)).await
    }

    /// Creates a guest with a random name. Guests play only casual games.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn guest(&self) -> Result<Account, ClubError> {
        for _ in 0..MAX_DRAWS {
            let letters: [u8; GUEST_LETTERS] = rand::random();
            let letters = letters.map(|byte| char::from(b'a' + byte % 16));
            let name = format!("{GUEST}{}", letters.iter().collect::<String>());
            match self.make_account(&name, AccountKind::Guest, None).await {
                Err(error) if error.code == RefusalCode::Taken => {}
                made => return made,
            }
        }
        Err(taken())
    }

    /// Returns the account of a built-in bot, and creates the account if it does not exist. From
    /// now on the lobby shows the bot.
    ///
    /// # Errors
    /// [`RefusalCode::Invalid`] if the name has a wrong form; [`RefusalCode::Taken`] if the name is reserved, or if
    /// an account that is no built-in bot has the name.
    pub async fn program(&self, name: &str) -> Result<Account, ClubError> {
        check_name(name)?;
        let store = &self.0.store;
        let account = match store.account_named(name).await.found()? {
            Some(found) if found.kind == AccountKind::Program && found.password.is_none() => {
                Account::from(found)
            }
            Some(_) => return Err(taken()),
            None => self.make_account(name, AccountKind::Program, None).await?,
        };
        self.0.add_program(&account);
        Ok(account)
    }

    async fn make_account(
        &self,
        name: &str,
        kind: AccountKind,
        password: Option<String>,
    ) -> Result<Account, ClubError> {
        let club = &self.0;
        let new = NewAccount {
            name: name.to_owned(),
            kind,
            password,
            at: club.time.now(),
        };
        let id = club.store.create_account(&new).await.or_taken(taken)?;
        Ok(Account {
            id,
            name: new.name,
            kind,
            generation: 0,
        })
    }

    /// Returns the account if the password is right. The check of an unknown name takes as long as
    /// the check of a wrong password, and gives the same answer.
    ///
    /// # Errors
    /// As for [`sign_in_from`](Club::sign_in_from).
    pub async fn sign_in(&self, name: &str, password: &str) -> Result<Account, ClubError> {
        self.sign_in_from(name, password, None).await
    }

    /// Returns the account if the password is right. `device` is the cookie that the browser keeps
    /// ([`Club::device_cookie`]). Wrong passwords for one name are counted together for all who show
    /// no such cookie, even if no account has the name.
    ///
    /// # Errors
    /// - [`RefusalCode::WrongPassword`] if the name or the password is wrong.
    /// - [`RefusalCode::Forbidden`] if the account is disabled, or is being deleted.
    /// - [`RefusalCode::TooMany`] if too many passwords for this name were wrong. In this case the error
    ///   holds the time after which the next password is checked.
    /// - [`RefusalCode::TooMany`] if the club hashes too many passwords at this moment.
    pub async fn sign_in_from(
        &self,
        name: &str,
        password: &str,
        device: Option<&str>,
    ) -> Result<Account, ClubError> {
        if name.len() > 100 || password.chars().count() > 128 {
            return Err(wrong_password());
        }
        let found = self.0.store.account_named(name).await.found()?;
        let guesser = Guesser::of(name, found.as_ref(), device);
        self.guessed(found, password, &guesser).await
    }

    /// Checks a password with the budget of `guesser`.
    pub(super) async fn guessed(
        &self,
        found: Option<store::Account>,
        password: &str,
        guesser: &Guesser,
    ) -> Result<Account, ClubError> {
        let guesses = &self.0.guesses;
        guesses.count(guesser).map_err(too_many_wrong)?;
        match self.account_with_password(found, password).await {
            Ok(None) => Err(wrong_password()),
            answer => {
                guesses.give_back(guesser);
                answer?.ok_or_else(wrong_password)
            }
        }
    }

    /// Makes the cookie by which the club knows a browser in which this account has signed in;
    /// `None` for an account without a password.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn device_cookie(&self, account: AccountId) -> Result<Option<String>, ClubError> {
        let account = self.0.store.account(account).await?;
        Ok(guesses::device_cookie(&account))
    }

    /// Checks a password. The check takes the same time for an unknown name and for a known name.
    async fn account_with_password(
        &self,
        found: Option<store::Account>,
        password: &str,
    ) -> Result<Option<Account>, ClubError> {
        let club = &self.0;
        let hash = found.as_ref().and_then(|account| account.password.clone());
        let fits = club.passwords.fits(password, hash).await?;
        let Some(found) = found.filter(|_| fits) else {
            return Ok(None);
        };
        check_state(found.state)?;
        Ok(Some(Account::from(found)))
    }

    /// Begins a session. The token is returned only here; the store keeps only its hash.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn begin_session(&self, account: AccountId) -> Result<Token, ClubError> {
        let generation = self.0.store.account(account).await?.generation;
        let lasts = self.0.settings.session;
        self.begin_session_in(account, generation, "", Scope::All, lasts)
            .await
    }

    /// Begins a session of an account that has just signed in. Its holder knows it by the label.
    ///
    /// # Errors
    /// [`RefusalCode::SignIn`] if the sessions of the account were ended after the password was checked. A
    /// change of the password also ends all sessions, so the checked password may be an old one.
    pub async fn begin_session_of(
        &self,
        account: &Account,
        label: &str,
    ) -> Result<Token, ClubError> {
        let lasts = self.0.settings.session;
        self.begin_session_in(account.id, account.generation, label, Scope::All, lasts)
            .await
    }

    /// Begins a session for a program that plays for this account. The session cannot change,
    /// export or delete the account. It lasts for `days` days.
    ///
    /// # Errors
    /// [`RefusalCode::Invalid`] if the label or the number of days has a wrong form;
    /// [`RefusalCode::Forbidden`] for a guest; [`RefusalCode::NotPossible`] if the account has
    /// [`MAX_TOKENS`] such sessions.
    pub async fn begin_token(
        &self,
        account: &Account,
        label: &str,
        days: u32,
    ) -> Result<Token, ClubError> {
        if account.kind == AccountKind::Guest {
            return Err(ClubError::new(
                RefusalCode::Forbidden,
                "token-of-guest",
                "a guest has no tokens: create an account",
            ));
        }
        let label = label.trim();
        let length = label.chars().count();
        if !(1..=MAX_LABEL).contains(&length) || label.chars().any(char::is_control) {
            return Err(ClubError::new(
                RefusalCode::Invalid,
                "token-label",
                format!("the name of a token is one line of 1 to {MAX_LABEL} characters"),
            ));
        }
        if !(1..=MAX_TOKEN_DAYS).contains(&days) {
            return Err(ClubError::new(
                RefusalCode::Invalid,
                "token-days",
                format!("a token lasts for 1 to {MAX_TOKEN_DAYS} days"),
            ));
        }
        let now = self.now();
        let sessions = self.0.store.sessions_of(account.id).await?;
        let is_token = |session: &&Session| session.scope == Scope::Play && session.until > now;
        if sessions.iter().filter(is_token).count() >= MAX_TOKENS {
            return Err(ClubError::new(
                RefusalCode::NotPossible,
                "tokens-full",
                format!("an account has at most {MAX_TOKENS} tokens: end one of them first"),
            ));
        }
        let lasts = Millis::from(days) * 24 * 3600 * 1000;
        self.begin_session_in(account.id, account.generation, label, Scope::Play, lasts)
            .await
    }

    /// Checks that the session of this token may change its account.
    ///
    /// # Errors
    /// [`RefusalCode::Forbidden`] for the token of a program.
    pub async fn check_owner(&self, token: &str) -> Result<(), ClubError> {
        let hash = Token::hash(token).ok_or_else(no_session)?;
        let session = self.0.store.session(hash).await.found()?;
        match session.ok_or_else(no_session)?.scope {
            Scope::All => Ok(()),
            Scope::Play => Err(ClubError::new(
                RefusalCode::Forbidden,
                "token-plays",
                "this token may only play: sign in with the password to do this",
            )),
        }
    }

    async fn begin_session_in(
        &self,
        account: AccountId,
        generation: i64,
        label: &str,
        scope: Scope,
        lasts: Millis,
    ) -> Result<Token, ClubError> {
        let token = Token::draw();
        let at = self.now();
        let session = Session {
            token: Token::hash(token.secret()).ok_or_else(no_session)?,
            account,
            at,
            until: at.saturating_add(lasts),
            generation,
            label: label.to_owned(),
            scope,
        };
        self.keep_session(&session).await?;
        Ok(token)
    }

    /// Begins a session with a key as its token. A key has 16 letters and digits, so it can be
    /// typed by hand. [`Club::key`] finds the account of a key. The key is returned only here; the
    /// store keeps only its hash.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn begin_key(&self, account: AccountId) -> Result<Token, ClubError> {
        let token = Token::draw_key();
        let at = self.now();
        let session = Session {
            token: Token::hash_of_key(token.secret()).ok_or_else(no_session)?,
            account,
            at,
            until: at.saturating_add(self.0.settings.session),
            generation: self.0.store.account(account).await?.generation,
            label: "teletype".to_owned(),
            scope: Scope::Play,
        };
        self.keep_session(&session).await?;
        Ok(token)
    }

    async fn keep_session(&self, session: &Session) -> Result<(), ClubError> {
        let begun = self.0.store.create_session(session).await.found()?;
        begun.ok_or_else(no_session)
    }

    /// Returns the account of a session.
    ///
    /// # Errors
    /// [`RefusalCode::SignIn`] if there is no such session, or if it has ended.
    pub async fn session(&self, token: &str) -> Result<Account, ClubError> {
        self.holder(Token::hash(token)).await
    }

    /// Returns the account of a key. A session's token is not accepted as a key.
    ///
    /// # Errors
    /// [`RefusalCode::SignIn`] if there is no such key, or if its session has ended.
    pub async fn key(&self, key: &str) -> Result<Account, ClubError> {
        self.holder(Token::hash_of_key(key)).await
    }

    async fn holder(&self, hash: Option<TokenHash>) -> Result<Account, ClubError> {
        let club = &self.0;
        let hash = hash.ok_or_else(no_session)?;
        let session = club.store.session(hash).await.found()?;
        let session = session.ok_or_else(no_session)?;
        let lasts = session.until.saturating_sub(session.at);
        if age(session.at, club.time.now()) >= lasts {
            return Err(no_session());
        }
        // The account may have been cached before all its sessions were ended. Then its
        // `generation` in the cache is too old, so the generation of the session is used.
        Ok(Account {
            generation: session.generation,
            ..club.account(session.account).await?
        })
    }

    /// Ends a session. It is no error if the session has ended already.
    ///
    /// # Errors
    /// [`RefusalCode::SignIn`] if the text does not have the form of a token.
    pub async fn end_session(&self, token: &str) -> Result<(), ClubError> {
        let hash = Token::hash(token).ok_or_else(no_session)?;
        self.0.store.end_session(hash).await.found()?;
        self.0.see_account_changes().await;
        Ok(())
    }
}
