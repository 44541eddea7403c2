//! Methods of [`Club`] for notices: who gets them, and on which devices.

use rules::chess::Color;
use store::{AccountId, AccountKind, GameId};
use wire::{NewPushJson, RefusalCode};

use super::people::no_session;
use crate::{
    Subscriber,
    account::Account,
    error::{ClubError, StoreAnswer},
    handle::Handle,
    inner::{Club, Inner},
    notices::{AwayKind, AwayNotice, NoticeWatch},
    token::Token,
};

impl Club {
    /// Subscribes to the notices for all people.
    pub fn notices(&self) -> NoticeWatch {
        NoticeWatch(self.0.notices.subscribe())
    }

    /// Lets the browser with the session of `token` get notices, in place of its earlier
    /// subscription.
    ///
    /// # Errors
    /// [`RefusalCode::Forbidden`] if the account is not a person's; [`RefusalCode::SignIn`] if the
    /// session has ended.
    pub async fn subscribe(
        &self,
        account: &Account,
        token: &str,
        new: NewPushJson,
    ) -> Result<(), ClubError> {
        if account.kind != AccountKind::Person {
            let why = "only people with an account get notices: sign in, or create an account";
            return Err(ClubError::new(RefusalCode::Forbidden, "push-guest", why));
        }
        let subscriber = Subscriber {
            session: Token::hash(token).ok_or_else(no_session)?,
            endpoint: new.endpoint,
            p256dh: new.p256dh,
            auth: new.auth,
            language: new.language,
            at: self.now(),
        };
        let stored = self.0.store.subscribe(&subscriber).await.found()?;
        stored.ok_or_else(no_session)
    }

    /// Ends the notices for the browser with the session of `token`.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn unsubscribe(&self, token: &str) -> Result<(), ClubError> {
        let session = Token::hash(token).ok_or_else(no_session)?;
        Ok(self.0.store.unsubscribe(session, None).await?)
    }

    /// Whether the browser with the session of `token` gets notices.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn is_subscribed(&self, by: AccountId, token: &str) -> Result<bool, ClubError> {
        let session = Token::hash(token).ok_or_else(no_session)?;
        let all = self.subscribers(by).await?;
        Ok(all.iter().any(|one| one.session == session))
    }

    /// Returns the browsers of an account that get notices.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn subscribers(&self, of: AccountId) -> Result<Vec<Subscriber>, ClubError> {
        Ok(self.0.store.subscriptions(of).await?)
    }

    /// Removes a browser whose push service no longer knows it.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn remove_subscriber(&self, gone: &Subscriber) -> Result<(), ClubError> {
        let endpoint = Some(&*gone.endpoint);
        Ok(self.0.store.unsubscribe(gone.session, endpoint).await?)
    }

    /// Returns a secret of the club, which all its nodes share. The first call for a name stores
    /// `fresh`.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn secret(&self, name: &str, fresh: &str) -> Result<String, ClubError> {
        Ok(self.0.store.secret(name, fresh).await?)
    }
}

impl Inner {
    /// Makes a notice, if the account is a person's.
    pub(crate) fn notify(&self, to: &Account, kind: AwayKind, game: Option<GameId>) {
        if to.kind == AccountKind::Person {
            let to = to.id;
            // The error means that nobody is subscribed.
            let _none = self.notices.send(AwayNotice { to, kind, game });
        }
    }

    /// Notifies a player of something at a table, unless the player is connected to it.
    pub(crate) fn notify_seat(&self, table: &Handle, seat: Color, kind: AwayKind) {
        if !table.connections.is_here(seat) {
            self.notify(table.players.get().get(seat), kind, Some(table.id()));
        }
    }
}
