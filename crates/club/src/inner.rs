//! State of a club that its tables and its stub both use.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use rand::{RngExt, rngs::StdRng};
use rules::chess::ByColor;
use store::{AccountId, GameId, GameRecord, Store};
use tokio::sync::{mpsc, watch};

use crate::{
    account::Account,
    error::{ClubError, Code, StoreAnswer},
    handle::{Handle, Tables},
    liveness::Liveness,
    passwords::Passwords,
    settings::Settings,
    sign_in_brake::SignInBrake,
    sync::lock,
    time::ClubTime,
};

/// Largest number of accounts in the cache.
const MOST_NAMES: usize = 10_000;

/// State of the club.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(crate) enum Life {
    /// It runs.
    Open,
    /// It closes in order: clocks are paused if no other club is alive.
    Closing {
        /// Whether clocks are paused.
        pause: bool,
    },
}

/// The club. Cheap to clone; all clones are one, and when the last is dropped
/// without [`close`](Club::close) it is as if the machine had stopped.
#[derive(Clone)]
pub struct Club(pub(crate) Arc<Inner>);

pub(crate) struct Inner {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) time: ClubTime,
    pub(crate) settings: Settings,
    pub(crate) passwords: Passwords,
    pub(crate) sign_in_brake: SignInBrake,
    pub(crate) tables: Tables,
    pub(crate) lobby: watch::Sender<u64>,
    pub(crate) names: Mutex<HashMap<AccountId, Account>>,
    pub(crate) programs: Mutex<Vec<Account>>,
    pub(crate) chance: Mutex<StdRng>,
    pub(crate) life: watch::Sender<Life>,
    /// Held by every task; when all have ended, closing is done.
    pub(crate) tasks: mpsc::Sender<()>,
    pub(crate) tasks_end: Mutex<Option<mpsc::Receiver<()>>>,
    /// Signs of life of this club and of others over this store.
    pub(crate) liveness: Arc<Liveness>,
    /// This club's own number.
    pub(crate) number: u64,
    /// Running games whose logs cannot be read.
    pub(crate) damaged: Mutex<Vec<(GameId, String)>>,
}

/// Only the operator may read why it cannot be read: the text of a row is the truth.
pub(crate) fn damaged(game: GameId) -> ClubError {
    ClubError::new(
        Code::Unavailable,
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

    /// Wakes every table.
    pub(crate) fn wake_tables(&self) {
        for handle in lock(&self.tables).values() {
            handle.wake.notify_one();
        }
    }

    /// Forgets a table that nobody holds but the map and its own task.
    pub(crate) fn forget(&self, handle: &Arc<Handle>) -> bool {
        let mut tables = lock(&self.tables);
        // The map, the actor, and what ends it.
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
                Code::NotFound,
                "there is no such game: look at its address again",
            )
        })
    }

    pub(crate) async fn account(&self, id: AccountId) -> Result<Account, ClubError> {
        if let Some(known) = lock(&self.names).get(&id) {
            return Ok(known.clone());
        }
        let account = Account::from(self.store.account(id).await?);
        let mut names = lock(&self.names);
        if names.len() >= MOST_NAMES {
            names.clear();
        }
        names.insert(id, account.clone());
        Ok(account)
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

    /// Tells that some lobby may have changed.
    pub(crate) fn stir_lobby(&self) {
        self.lobby
            .send_modify(|version| *version = version.wrapping_add(1));
    }

    pub(crate) fn add_program(&self, account: &Account) {
        let mut programs = lock(&self.programs);
        if !programs.contains(account) {
            programs.push(account.clone());
            drop(programs);
            self.stir_lobby();
        }
    }
}

/// Waits until the club closes; it may have done so before anybody listened.
pub(crate) async fn closing(life: &mut watch::Receiver<Life>) {
    // An error is a club that is gone.
    let _closing = life.wait_for(|life| *life != Life::Open).await;
}
