//! Mail addresses of accounts. The owner confirms an address by a link. It then resets the password,
//! and gets digests of turns in games of days.
//!
//! A link is signed with a secret of the club and with what its use changes, so the store keeps no
//! links, and each works once. Addresses are settings of the account, which are deleted with it.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use store::{AccountChange, AccountId, AccountKind, AccountState, GameId, Millis, TimeControl};
use wire::{GameStatus, RefusalCode};

use super::accounts::check_state;
use crate::{
    account::{Account, check_password},
    error::{ClubError, StoreAnswer},
    inner::Club,
    notices::{AwayKind, AwayNotice},
    sync::lock,
    time::age,
    token::{Token, hex, unhex},
};

/// Name of the setting with the confirmed address; empty for none.
const ADDRESS: &str = "mail";
/// Name of the setting with the time of the last digest, or [`OFF`].
const DIGESTS: &str = "mail-digests";
/// Name of the setting that is [`DUE_NOW`] if a turn has begun since the last digest.
const DUE: &str = "mail-due";
const OFF: &str = "off";
const DUE_NOW: &str = "yes";

const HOUR: Millis = 3600 * 1000;
/// Times for which links work.
const CONFIRM_TIME: Millis = 24 * HOUR;
const PASSWORD_TIME: Millis = HOUR;
/// Minimum time between two digests of an account.
const DIGEST_INTERVAL: Millis = 12 * HOUR;
/// Maximum number of accounts with the same address whose passwords a mail can reset.
const MAX_ACCOUNTS: usize = 5;
/// Maximum length of a link's secret, in bytes.
const MAX_LINK: usize = 1500;

/// What a link does. The text begins the link.
#[derive(Copy, Clone, Eq, PartialEq)]
enum Purpose {
    Confirm,
    Password,
    Unsubscribe,
}

impl Purpose {
    const fn word(self) -> &'static str {
        match self {
            Purpose::Confirm => "c",
            Purpose::Password => "p",
            Purpose::Unsubscribe => "u",
        }
    }
}

/// The mail of an account, as its owner sees it.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct OwnMail {
    /// Confirmed address; empty for none.
    pub address: String,
    /// Whether the address gets digests.
    pub digests: bool,
}

/// A digest that is to be sent.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Digest {
    /// Account.
    pub account: Account,
    /// Confirmed address.
    pub address: String,
    /// Games of days in which the account has heard that it is its turn, and the names of the
    /// opponents.
    pub games: Vec<(GameId, String)>,
    /// Secret of the link that ends the digests.
    pub unsubscribe: String,
}

fn not_a_link() -> ClubError {
    ClubError::new(
        RefusalCode::NotFound,
        "mail-link",
        "this link was used, or is too old: ask for a new one",
    )
}

impl Club {
    async fn mail_setting(&self, of: AccountId, name: &str) -> Result<String, ClubError> {
        Ok(self.0.store.settings(of, name).await?.unwrap_or_default())
    }

    async fn keep_mail(&self, of: AccountId, name: &str, text: &str) -> Result<(), ClubError> {
        Ok(self.0.store.keep_settings(of, name, text).await?)
    }

    /// Starts the signature of a link. It contains the confirmed address and, except to unsubscribe,
    /// the hash of the password: after a change of either, the link is no longer valid.
    async fn signature(
        &self,
        purpose: Purpose,
        account: &store::Account,
        body: &str,
    ) -> Result<Hmac<Sha256>, ClubError> {
        let key = self.secret("mail", Token::draw().secret()).await?;
        let address = self.mail_setting(account.id, ADDRESS).await?;
        let password = match (purpose, &account.password) {
            (Purpose::Confirm | Purpose::Password, Some(hash)) => hash,
            (Purpose::Unsubscribe, _) | (_, None) => "",
        };
        let mac = Hmac::<Sha256>::new_from_slice(key.as_bytes());
        let mac = mac.expect("a key can have any length");
        Ok(mac.chain_update(format!("{body}\n{address}\n{password}")))
    }

    async fn link(
        &self,
        purpose: Purpose,
        account: &store::Account,
        until: Millis,
        text: &str,
    ) -> Result<String, ClubError> {
        let (name, text) = (hex(account.name.as_bytes()), hex(text.as_bytes()));
        let body = format!("{}.{name}.{until}.{text}", purpose.word());
        let signature = self.signature(purpose, account, &body).await?;
        Ok(format!(
            "{body}.{}",
            hex(&signature.finalize().into_bytes())
        ))
    }

    /// Checks a link. Returns its account, and the text in it.
    async fn opened(
        &self,
        purpose: Purpose,
        link: &str,
    ) -> Result<(store::Account, String), ClubError> {
        let text = |hex: &str| String::from_utf8(unhex(hex)?).ok();
        let read = || {
            let (body, signature) = link.rsplit_once('.')?;
            let parts: Vec<&str> = body.split('.').collect();
            let [word, name, until, fresh] = parts.try_into().ok()?;
            let is_open = word == purpose.word() && until.parse::<Millis>().ok()? > self.now();
            is_open.then_some((body, text(name)?, text(fresh)?, unhex(signature)?))
        };
        let read = if link.len() <= MAX_LINK { read() } else { None };
        let (body, name, text, signature) = read.ok_or_else(not_a_link)?;
        let account = self.0.store.account_named(&name).await.found()?;
        let account = account.ok_or_else(not_a_link)?;
        let expected = self.signature(purpose, &account, body).await?;
        let fits = expected.verify_slice(&signature);
        fits.map_err(|_| not_a_link())?;
        check_state(account.state)?;
        Ok((account, text))
    }

    /// Returns the mail of an account, for its owner.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn own_mail(&self, of: AccountId) -> Result<OwnMail, ClubError> {
        Ok(OwnMail {
            address: self.mail_setting(of, ADDRESS).await?,
            digests: self.mail_setting(of, DIGESTS).await? != OFF,
        })
    }

    /// If the password is right, returns the secret of a link that confirms `address` within a day,
    /// in place of the earlier address. An empty `address` removes the earlier one at once.
    ///
    /// # Errors
    /// As for [`change_password`](Club::change_password).
    pub async fn set_mail(
        &self,
        account: &Account,
        password: &str,
        address: &str,
    ) -> Result<Option<String>, ClubError> {
        let account = self.confirmed(account, password).await?;
        if address.is_empty() {
            self.keep_mail(account.id, ADDRESS, "").await?;
            return Ok(None);
        }
        let stored = self.0.store.account(account.id).await?;
        let until = self.now() + CONFIRM_TIME;
        let link = self.link(Purpose::Confirm, &stored, until, address).await?;
        Ok(Some(link))
    }

    /// Confirms an address with the secret of a link.
    ///
    /// # Errors
    /// [`RefusalCode::NotFound`] if the link is not valid.
    pub async fn confirm_mail(&self, link: &str) -> Result<(), ClubError> {
        let (account, address) = self.opened(Purpose::Confirm, link).await?;
        self.keep_mail(account.id, ADDRESS, &address).await
    }

    /// Returns the accounts with this confirmed address, and for each the secret of a link that sets
    /// a new password once, within an hour.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn password_links(&self, address: &str) -> Result<Vec<(String, String)>, ClubError> {
        let mut links = Vec::new();
        for id in self.0.store.accounts_with(ADDRESS, address).await? {
            let account = self.0.store.account(id).await?;
            if account.state.has_sessions() && links.len() < MAX_ACCOUNTS {
                let until = self.now() + PASSWORD_TIME;
                let link = self.link(Purpose::Password, &account, until, "").await?;
                links.push((account.name, link));
            }
        }
        Ok(links)
    }

    /// Sets a new password with the secret of a link. All sessions of the account end.
    ///
    /// # Errors
    /// [`RefusalCode::NotFound`] if the link is not valid; [`RefusalCode::Invalid`] if the password
    /// has a wrong form.
    pub async fn set_password_by_mail(
        &self,
        link: &str,
        password: &str,
    ) -> Result<Account, ClubError> {
        check_password(password)?;
        let (account, _) = self.opened(Purpose::Password, link).await?;
        let change = AccountChange::Password(self.0.passwords.hash(password).await?);
        let changed = self.0.change(account.id, Some(account.generation), change);
        // Another request may have used the link meanwhile.
        changed.await.map_err(|error| {
            if error.code == RefusalCode::SignIn {
                not_a_link()
            } else {
                error
            }
        })?;
        self.changed(account.id, account.generation).await
    }

    /// Begins or ends the digests of an account.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn set_digests(&self, of: AccountId, on: bool) -> Result<(), ClubError> {
        let now = self.mail_setting(of, DIGESTS).await?;
        if (now != OFF) == on {
            return Ok(());
        }
        // The time of the last digest is forgotten, so the next one comes in twelve hours.
        let begun = self.now().to_string();
        self.keep_mail(of, DIGESTS, if on { &begun } else { OFF })
            .await
    }

    /// Ends the digests with the secret of a link.
    ///
    /// # Errors
    /// [`RefusalCode::NotFound`] if the link is not valid.
    pub async fn unsubscribe_mail(&self, link: &str) -> Result<(), ClubError> {
        let (account, _) = self.opened(Purpose::Unsubscribe, link).await?;
        self.set_digests(account.id, false).await
    }

    /// Notes for the next digest that somebody's turn in a game of days has come.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn note_turn(&self, notice: &AwayNotice) -> Result<(), ClubError> {
        let table = notice
            .game
            .and_then(|game| lock(&self.0.tables).get(&game).cloned());
        let is_days =
            table.is_some_and(|table| matches!(table.record.terms.time, TimeControl::Days { .. }));
        if notice.kind != AwayKind::Turn || !is_days {
            return Ok(());
        }
        let own = self.own_mail(notice.to).await?;
        if own.address.is_empty()
            || !own.digests
            || self.mail_setting(notice.to, DUE).await? == DUE_NOW
        {
            return Ok(());
        }
        self.keep_mail(notice.to, DUE, DUE_NOW).await
    }

    /// Takes the digests that are due: a turn has begun since the last one, which was sent at least
    /// twelve hours ago. Each is taken once. `is_here` says whether somebody needs none.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn take_digests(
        &self,
        is_here: impl Fn(AccountId) -> bool,
    ) -> Result<Vec<Digest>, ClubError> {
        let (mut digests, now) = (Vec::new(), self.now());
        for id in self.0.store.accounts_with(DUE, DUE_NOW).await? {
            let OwnMail {
                address,
                digests: on,
            } = self.own_mail(id).await?;
            let last = self.mail_setting(id, DIGESTS).await?.parse().ok();
            let is_early = last.is_some_and(|last| age(last, now) < DIGEST_INTERVAL);
            if is_early && on && !address.is_empty() {
                continue;
            }
            self.keep_mail(id, DUE, "").await?;
            let games = self.turns_in_days(id).await;
            let account = self.0.store.account(id).await?;
            let may = account.kind == AccountKind::Person && account.state == AccountState::Active;
            if !on || address.is_empty() || games.is_empty() || is_here(id) || !may {
                continue;
            }
            self.keep_mail(id, DIGESTS, &now.to_string()).await?;
            let unsubscribe = self
                .link(Purpose::Unsubscribe, &account, Millis::MAX, "")
                .await?;
            digests.push(Digest {
                account: Account::from(account),
                address,
                games,
                unsubscribe,
            });
        }
        Ok(digests)
    }

    /// Returns the running games of days in which an account has heard that it is its turn.
    async fn turns_in_days(&self, of: AccountId) -> Vec<(GameId, String)> {
        let club = &self.0;
        let ids: Vec<GameId> = {
            let listed = lock(&club.listed);
            let games = listed.running_games_of(of);
            let days = games.filter(|game| matches!(game.terms.time, TimeControl::Days { .. }));
            days.map(|game| game.id).collect()
        };
        let mut turns = Vec::new();
        for id in ids {
            let Ok(table) = club.table(id).await else {
                continue;
            };
            if let Ok(seat) = table.color(of) {
                let state = &table.published(seat.into()).borrow().state;
                if state.status() == GameStatus::Running && state.has_turn() {
                    turns.push((id, table.players.get().get(seat.other()).name.clone()));
                }
            }
        }
        turns
    }
}
