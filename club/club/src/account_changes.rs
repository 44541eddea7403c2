//! Changes of accounts and sessions, made by this club or by the operator.

use std::{
    collections::HashSet,
    sync::{Arc, atomic::Ordering},
};

use rules::Listener;
use store::{AccountId, AccountState};
use tokio::sync::broadcast;

use crate::{
    account::Account,
    handle::Handle,
    inner::{Club, EndReason, Inner},
    sync::lock,
};

/// Maximum number of changes that one subscriber has not read yet. If there are more, some changes
/// are lost, and the subscriber must check its accounts again.
pub(crate) const CHANGE_QUEUE_CAPACITY: usize = 256;

/// Subscription to changes of accounts and sessions.
pub struct AccountWatch(broadcast::Receiver<Option<AccountId>>);

impl AccountWatch {
    /// Waits until the account, or one of its sessions, may have changed. Never returns after the
    /// club was dropped.
    pub async fn of(&mut self, account: AccountId) {
        loop {
            match self.0.recv().await {
                Ok(Some(changed)) if changed != account => {}
                Ok(_) | Err(broadcast::error::RecvError::Lagged(_)) => return,
                Err(broadcast::error::RecvError::Closed) => std::future::pending().await,
            }
        }
    }
}

impl Club {
    /// Subscribes to changes of accounts and sessions. A change by another program that uses the
    /// same store is noticed about half a second later.
    pub fn account_changes(&self) -> AccountWatch {
        AccountWatch(self.0.account_changes.subscribe())
    }

    /// Returns a number that grows when the name of an account may have changed.
    pub fn names_version(&self) -> u64 {
        self.0.names_version.load(Ordering::Acquire)
    }
}

impl Inner {
    /// Reads from the store which accounts have changed, and informs the subscribers. If the store
    /// fails now, the changes are read about half a second later.
    pub(crate) async fn see_account_changes(&self) {
        let mut last = self.last_account_change.lock().await;
        let Ok(changes) = self.store.account_changes(*last).await else {
            return;
        };
        if changes.last < *last {
            self.end(EndReason::RowsLost);
        }
        if changes.last <= *last {
            return;
        }
        match changes.accounts {
            Some(accounts) => {
                for account in accounts {
                    self.messages.forget_mutes(Some(account));
                    self.see_account(account).await;
                    // The error means that there is no subscriber.
                    let _none = self.account_changes.send(Some(account));
                }
            }
            None => {
                self.messages.forget_mutes(None);
                let mut known: HashSet<AccountId> = lock(&self.names).keys().copied().collect();
                known.extend(lock(&self.listed).accounts_of_offers());
                for account in known {
                    self.see_account(account).await;
                }
                let _none = self.account_changes.send(None);
            }
        }
        *last = changes.last;
    }

    /// Reads one account again. If its name or kind has changed, shows the new name and kind
    /// everywhere. If the account is closed, removes its offers from the lobby.
    async fn see_account(&self, id: AccountId) {
        let old = lock(&self.names).get(&id).cloned();
        let plays = |handle: &Arc<Handle>| handle.record.seat(Some(id)) != Listener::Room;
        let offers = lock(&self.listed).offers_of(id);
        let is_unseen = old.is_none() && offers.is_empty() && self.running_games(id).is_empty();
        if is_unseen && !lock(&self.tables).values().any(plays) {
            return;
        }
        let Ok(found) = self.store.account(id).await else {
            lock(&self.names).remove(&id);
            return;
        };
        // The change that closed the account has also deleted the account's offers in the store. So
        // the lobby must not list these offers any more.
        if found.state != AccountState::Active {
            for offer in &offers {
                self.unlist_offer(offer);
            }
        }
        let account = self.remember(Account::from(found));
        let is_same = |old: Account| (&old.name, old.kind) == (&account.name, account.kind);
        if old.is_some_and(is_same) {
            return;
        }
        let handles: Vec<_> = lock(&self.tables).values().cloned().collect();
        for handle in handles {
            handle.see_player(&account);
        }
        self.read_messages_anew(account.id).await;
        lock(&self.listed).see_account(&account);
        self.replays.forget_all();
        let version = &self.names_version;
        version.fetch_add(1, Ordering::AcqRel);
        self.notify_lobby();
    }
}
