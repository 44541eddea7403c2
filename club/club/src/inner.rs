//! State that a club shares with the tasks of its tables.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, atomic::AtomicU64},
};

use rand::{RngExt, rngs::StdRng};
use rules::chess::ByColor;
use store::{AccountId, Fence, GameId, GameRecord, Offer, OfferId, OfferKind, Store, StoreError};
use tokio::sync::{broadcast, mpsc, watch};
use wire::RefusalCode;

use crate::{
    account::Account,
    error::{ClubError, StoreAnswer},
    guesses::Guesses,
    handle::{Handle, Tables},
    listed::{Listed, ListedOffer},
    liveness::Liveness,
    messages::Messages,
    notices::AwayNotice,
    passwords::Passwords,
    ratings::ProblemResults,
    replays::Replays,
    settings::Settings,
    sync::lock,
    time::ClubTime,
};

/// Maximum number of accounts in the cache: there is room for the players of all unfinished games.
const MAX_CACHED_ACCOUNTS: usize = 25_000;

/// Phase of the club's life.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Debug)]
pub(crate) enum Life {
    /// The club runs.
    Open,
    /// The tables store their last rows.
    Closing,
    /// Nothing is written any more.
    Closed,
}

/// Why a club that was not closed writes nothing any more. It must be opened again.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum EndReason {
    /// Another process owns the games.
    Fenced,
    /// The store has lost rows that this club had stored or read: its server was replaced by an
    /// older copy, or its file was removed or replaced.
    RowsLost,
}

impl EndReason {
    /// Returns the error for a request.
    pub(crate) fn error(self) -> ClubError {
        match self {
            EndReason::Fenced => StoreError::Fenced.into(),
            EndReason::RowsLost => ClubError::new(
                RefusalCode::Unavailable,
                "answers-lost",
                "the club's database was removed or replaced, and the last answers are lost. This \
                 request was not executed. This server starts again. Every game continues from \
                 the last stored answer",
            ),
        }
    }
}

/// A club. Clones are cheap and share one state. If the last clone is dropped without
/// [`close`](Club::close), the effect is the same as if the machine had stopped.
#[derive(Clone)]
pub struct Club(pub(crate) Arc<Inner>);

pub(crate) struct Inner {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) time: ClubTime,
    pub(crate) settings: Settings,
    pub(crate) passwords: Passwords,
    pub(crate) guesses: Guesses,
    pub(crate) tables: Tables,
    pub(crate) replays: Replays,
    pub(crate) lobby: watch::Sender<u64>,
    /// Entries of the lobby.
    pub(crate) listed: Mutex<Listed>,
    pub(crate) names: Mutex<HashMap<AccountId, Account>>,
    /// Number of changes of names that this club has seen.
    pub(crate) names_version: AtomicU64,
    /// Accounts that were changed, and accounts with an ended session. `None` stands for all
    /// accounts.
    pub(crate) account_changes: broadcast::Sender<Option<AccountId>>,
    /// Number of the last change of an account that this club has seen.
    pub(crate) last_account_change: tokio::sync::Mutex<i64>,
    pub(crate) programs: Mutex<Vec<Account>>,
    pub(crate) notices: broadcast::Sender<AwayNotice>,
    pub(crate) messages: Messages,
    /// Held while evenings are read to be changed.
    pub(crate) evenings: tokio::sync::Mutex<()>,
    /// Held while a result at a problem is counted.
    pub(crate) problem_results: tokio::sync::Mutex<ProblemResults>,
    /// One lock for each account that begins games with built-in bots.
    pub(crate) bot_game_locks: Mutex<HashMap<AccountId, Arc<tokio::sync::Mutex<()>>>>,
    pub(crate) chance: Mutex<StdRng>,
    pub(crate) life: watch::Sender<Life>,
    /// Every task holds a clone of this sender. When only this sender is left, all tasks
    /// have ended and the club is closed.
    pub(crate) tasks: mpsc::Sender<()>,
    pub(crate) tasks_end: Mutex<Option<mpsc::Receiver<()>>>,
    /// Renewals of this club's ownership of the games.
    pub(crate) liveness: Arc<Liveness>,
    /// Number of this club's ownership.
    pub(crate) fence: Fence,
    pub(crate) ended: watch::Sender<Option<EndReason>>,
    /// Running games whose logs cannot be read, each with the reason.
    pub(crate) damaged: Mutex<Vec<(GameId, String)>>,
}

/// Reason of the error for a log that cannot be read.
pub(crate) const DAMAGED: &str = "game-damaged";

/// Returns the error for a log that cannot be read. The error does not contain the reason, which
/// only the operator may read, because the reason may contain the true position.
pub(crate) fn damaged(game: GameId) -> ClubError {
    ClubError::new(
        RefusalCode::Unavailable,
        DAMAGED,
        format!(
            "the log of game {game} cannot be read: the operator of this club must look at it with \
             `kriegspiel store check`"
        ),
    )
}

impl Inner {
    pub(crate) fn is_closing(&self) -> bool {
        *self.life.borrow() != Life::Open
    }

    /// Returns why the club writes nothing any more.
    pub(crate) fn ended(&self) -> Option<EndReason> {
        *self.ended.borrow()
    }

    /// Makes the club write nothing any more. The first reason stays.
    pub(crate) fn end(&self, why: EndReason) {
        let is_first = |ended: &mut Option<EndReason>| ended.replace(why).is_none();
        if self.ended().is_none() && self.ended.send_if_modified(is_first) {
            self.wake_tables();
        }
    }

    /// Wakes every table.
    pub(crate) fn wake_tables(&self) {
        for handle in lock(&self.tables).values() {
            handle.wake.notify_one();
        }
    }

    /// Whether every table has credited the last outage.
    pub(crate) fn is_credited(&self) -> bool {
        self.liveness.last_outage().is_none_or(|outage| {
            let has = |handle: &Arc<Handle>| handle.has_credited(outage.until);
            lock(&self.tables).values().all(has)
        })
    }

    /// Removes a table from the map, if only its own task uses the table. Returns whether it
    /// was removed.
    pub(crate) fn forget(&self, handle: &Arc<Handle>) -> bool {
        let mut tables = lock(&self.tables);
        // Three references are always held: by the map, by the actor, and by the
        // actor's cleanup.
        let unused = Arc::strong_count(handle) <= 3;
        if unused {
            tables.remove(&handle.id());
        }
        unused
    }

    /// Removes a table whose task has ended.
    pub(crate) fn remove(&self, handle: &Arc<Handle>) {
        let mut tables = lock(&self.tables);
        let same = |found: &Arc<Handle>| Arc::ptr_eq(found, handle);
        if tables.get(&handle.id()).is_some_and(same) {
            tables.remove(&handle.id());
        }
    }

    pub(crate) async fn record(&self, game: GameId) -> Result<GameRecord, ClubError> {
        let record = self.store.game(game).await.found()?;
        record.ok_or_else(|| {
            ClubError::new(
                RefusalCode::NotFound,
                "game-unknown",
                "there is no such game: check the address",
            )
        })
    }

    pub(crate) async fn account(&self, id: AccountId) -> Result<Account, ClubError> {
        if let Some(known) = lock(&self.names).get(&id) {
            return Ok(known.clone());
        }
        Ok(self.remember(Account::from(self.store.account(id).await?)))
    }

    /// Keeps an account in the cache.
    pub(crate) fn remember(&self, account: Account) -> Account {
        let mut names = lock(&self.names);
        if names.len() >= MAX_CACHED_ACCOUNTS {
            names.clear();
        }
        names.insert(account.id, account.clone());
        account
    }

    pub(crate) async fn players(&self, record: &GameRecord) -> Result<ByColor<Account>, ClubError> {
        Ok(ByColor {
            white: self.account(record.players.white).await?,
            black: self.account(record.players.black).await?,
        })
    }

    /// Draws a random id for a game.
    pub(crate) fn draw_game_id(&self) -> GameId {
        GameId::from_chance(lock(&self.chance).random())
    }

    /// Informs subscribers that the lobby may have changed.
    pub(crate) fn notify_lobby(&self) {
        self.lobby
            .send_modify(|version| *version = version.wrapping_add(1));
    }

    /// Lists a seek or a challenge. An invitation is not listed.
    pub(crate) async fn list_offer(&self, offer: &Offer) -> Result<(), ClubError> {
        let to = match offer.kind {
            OfferKind::Seek => None,
            OfferKind::Challenge { to } => Some(self.account(to).await?),
            OfferKind::Invitation => return Ok(()),
        };
        let listed = ListedOffer {
            offer: offer.clone(),
            by: self.account(offer.by).await?,
            to,
        };
        lock(&self.listed).put_offer(listed);
        self.notify_lobby();
        Ok(())
    }

    /// Removes an offer from the lobby.
    pub(crate) fn unlist_offer(&self, id: &OfferId) {
        if lock(&self.listed).remove_offer(id) {
            self.notify_lobby();
        }
    }

    pub(crate) fn add_program(&self, account: &Account) {
        let mut programs = lock(&self.programs);
        if !programs.contains(account) {
            programs.push(account.clone());
            drop(programs);
            lock(&self.listed).note_programs();
            self.notify_lobby();
        }
    }
}

/// Waits until the club closes. Returns immediately if the club is already closing.
pub(crate) async fn closing(life: &mut watch::Receiver<Life>) {
    // The error means that the club was dropped.
    let _closing = life.wait_for(|life| *life != Life::Open).await;
}
