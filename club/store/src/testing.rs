//! Stores with hooks, for tests of code that uses a store.

use std::time::Duration;

use async_trait::async_trait;
use referee::{Event, Game, Opened, StartPosition};
use rules::{
    Attempt, Over,
    chess::{ByColor, Color},
    rulesets::WILD16,
};
use tokio::time::{Instant, sleep, sleep_until};

use crate::{
    account::{
        Account, AccountChange, AccountChanges, AccountId, AccountKind, NewAccount, Session,
        TokenHash,
    },
    error::StoreError,
    evening::{Evening, EveningGame, EveningId, EveningPlayer, EveningStore},
    game::{ColorWish, GameRecord, NewGame, Offer, OfferId, Terms, TimeControl},
    id::GameId,
    message::{AccountNote, MessageChanges, MessageStore, MessageTo, NewMessage, StoredMessage},
    push::{PushStore, PushSubscription},
    rating::{Against, GameSearch, RatingStore, ResultCount, StoredRating},
    row::{Act, Millis, NewRow, Row},
    store::{AppendError, Expected, Fence, Lease, Store},
    study::{StudyRecord, StudyStore},
};

/// Functions that a [`Tapped`] store calls before, after or in place of its own work.
#[async_trait]
pub trait Around: Send + Sync + 'static {
    /// Called before the store appends the rows.
    async fn before(&self, _rows: &[NewRow]) {}

    /// Called after the store has answered, and before the caller gets the answer.
    async fn after(&self, _rows: &[NewRow], _appended: &Result<(), AppendError>) {}

    /// Called before an append. If this function returns an error, the caller gets that error
    /// and the store is not called.
    async fn refused(&self) -> Option<AppendError> {
        None
    }

    /// Appends to the store. A hook can append in a faulty way instead.
    async fn append(&self, store: &dyn Store, append: Append<'_>) -> Result<(), AppendError> {
        append.to(store, append.expected).await
    }

    /// Reads the rows of a log. A hook can read in a faulty way instead.
    async fn rows(
        &self,
        store: &dyn Store,
        game: GameId,
        from: u32,
    ) -> Result<Vec<Row>, StoreError> {
        store.rows(game, from).await
    }

    /// Called before an account, a recovery code or a session is read or changed.
    async fn account_call(&self) {}

    /// Called after an offer was stored, and before the caller gets the answer.
    async fn offer_created(&self, _offer: &OfferId) {}

    /// Called before the ownership with the number `fence` is renewed, or before any is claimed. If
    /// this function returns an error, the store is not called.
    async fn renewal(&self, _fence: Option<Fence>) -> Result<(), StoreError> {
        Ok(())
    }
}

/// Arguments of [`Store::append`].
#[derive(Copy, Clone, Debug)]
pub struct Append<'a> {
    /// Game to whose log the rows are appended.
    pub game: GameId,
    /// Expected state of the log.
    pub expected: Expected,
    /// New rows.
    pub rows: &'a [NewRow],
    /// End of the game.
    pub over: Option<Over>,
}

impl Append<'_> {
    /// Appends to a store that is expected in this state, in place of
    /// [`expected`](Append::expected).
    ///
    /// # Errors
    /// As for [`Store::append`].
    pub async fn to(&self, store: &dyn Store, expected: Expected) -> Result<(), AppendError> {
        store
            .append(self.game, expected, self.rows, self.over)
            .await
    }
}

/// Store that calls hooks before, after or in place of its own work.
#[derive(Debug)]
pub struct Tapped<S, A> {
    /// Store that does the work.
    pub store: S,
    /// The hooks.
    pub around: A,
}

/// Implements a trait of [`Tapped`]: every function calls the function of the store.
macro_rules! passed_on {
    ($($part:ident { $($name:ident($($arg:ident: $of:ty),*) -> $back:ty;)+ })+) => {
        $(#[async_trait]
        impl<S: Store, A: Around> $part for Tapped<S, A> {
            $(async fn $name(&self, $($arg: $of),*) -> Result<$back, StoreError> {
                self.store.$name($($arg),*).await
            })+
        })+
    };
}

crate::parts!(passed_on);

#[async_trait]
impl<S: Store, A: Around> Store for Tapped<S, A> {
    async fn append(
        &self,
        game: GameId,
        expected: Expected,
        rows: &[NewRow],
        over: Option<Over>,
    ) -> Result<(), AppendError> {
        self.around.before(rows).await;
        let store = &self.store;
        let appended = match self.around.refused().await {
            Some(error) => Err(error),
            None => {
                let append = Append {
                    game,
                    expected,
                    rows,
                    over,
                };
                self.around.append(store, append).await
            }
        };
        self.around.after(rows, &appended).await;
        appended
    }

    async fn rows(&self, game: GameId, from: u32) -> Result<Vec<Row>, StoreError> {
        self.around.rows(&self.store, game, from).await
    }

    async fn create_game(&self, fence: Fence, game: &NewGame) -> Result<(), StoreError> {
        self.store.create_game(fence, game).await
    }

    async fn game(&self, game: GameId) -> Result<GameRecord, StoreError> {
        self.store.game(game).await
    }

    async fn running(&self) -> Result<Vec<GameRecord>, StoreError> {
        self.store.running().await
    }

    async fn create_account(&self, account: &NewAccount) -> Result<AccountId, StoreError> {
        self.store.create_account(account).await
    }

    async fn account(&self, id: AccountId) -> Result<Account, StoreError> {
        self.around.account_call().await;
        self.store.account(id).await
    }

    async fn account_named(&self, name: &str) -> Result<Account, StoreError> {
        self.around.account_call().await;
        self.store.account_named(name).await
    }

    async fn account_like(&self, name: &str) -> Result<Account, StoreError> {
        self.around.account_call().await;
        self.store.account_like(name).await
    }

    async fn accounts(&self) -> Result<Vec<Account>, StoreError> {
        self.store.accounts().await
    }

    async fn order_end(&self, game: GameId) -> Result<(), StoreError> {
        self.store.order_end(game).await
    }

    async fn to_end(&self) -> Result<Vec<GameId>, StoreError> {
        self.store.to_end().await
    }

    async fn leaving(&self) -> Result<Vec<Account>, StoreError> {
        self.store.leaving().await
    }

    async fn change_account(
        &self,
        id: AccountId,
        generation: Option<i64>,
        change: &AccountChange,
    ) -> Result<(), StoreError> {
        self.around.account_call().await;
        self.store.change_account(id, generation, change).await
    }

    async fn recovery_code(&self, account: AccountId, number: u32) -> Result<String, StoreError> {
        self.around.account_call().await;
        self.store.recovery_code(account, number).await
    }

    async fn recovery_codes(&self, account: AccountId) -> Result<Vec<String>, StoreError> {
        self.around.account_call().await;
        self.store.recovery_codes(account).await
    }

    async fn account_changes(&self, after: i64) -> Result<AccountChanges, StoreError> {
        self.store.account_changes(after).await
    }

    async fn sessions_of(&self, account: AccountId) -> Result<Vec<Session>, StoreError> {
        self.around.account_call().await;
        self.store.sessions_of(account).await
    }

    async fn create_session(&self, session: &Session) -> Result<(), StoreError> {
        self.around.account_call().await;
        self.store.create_session(session).await
    }

    async fn session(&self, token: TokenHash) -> Result<Session, StoreError> {
        self.around.account_call().await;
        self.store.session(token).await
    }

    async fn end_session(&self, token: TokenHash) -> Result<(), StoreError> {
        self.store.end_session(token).await
    }

    async fn create_offer(&self, offer: &Offer) -> Result<(), StoreError> {
        self.store.create_offer(offer).await?;
        self.around.offer_created(&offer.id).await;
        Ok(())
    }

    async fn offer(&self, id: &OfferId) -> Result<Offer, StoreError> {
        self.store.offer(id).await
    }

    async fn offers(&self) -> Result<Vec<Offer>, StoreError> {
        self.store.offers().await
    }

    async fn close_offer(&self, id: &OfferId) -> Result<(), StoreError> {
        self.store.close_offer(id).await
    }

    async fn claim(&self, now: Millis) -> Result<Option<Lease>, StoreError> {
        self.around.renewal(None).await?;
        self.store.claim(now).await
    }

    async fn renew(
        &self,
        fence: Fence,
        last: Millis,
        now: Millis,
        serves: bool,
    ) -> Result<Millis, StoreError> {
        self.around.renewal(Some(fence)).await?;
        self.store.renew(fence, last, now, serves).await
    }

    async fn release(&self, fence: Fence) -> Result<(), StoreError> {
        self.store.release(fence).await
    }

    async fn now(&self) -> Result<Option<Millis>, StoreError> {
        self.store.now().await
    }
}

/// Returns a new game whose log has only the opening row, with the time `at`.
pub fn opened_game(
    id: GameId,
    players: ByColor<AccountId>,
    opened: &Opened,
    time: TimeControl,
    at: Millis,
) -> NewGame {
    NewGame {
        id,
        players,
        terms: Terms {
            rules: opened.rules.to_string(),
            custom: None,
            time,
            rated: false,
            color: ColorWish::Any,
        },
        at,
        rows: vec![NewRow {
            at,
            act: Act::Game(Event::Opened(Box::new(opened.clone()))),
            request: None,
        }],
        offer: None,
    }
}

/// Illegal tries of Black after White's move e2e4. Only Black hears the answers to these tries.
const PRIVATE_TRIES: [&str; 4] = ["e7d6", "e7f6", "d7c6", "d7e6"];

/// Stores a running game of `wild16` without clocks. White moved, then Black made `tries` refused
/// tries that only Black heard, then Black moved. All rows have the time `at`.
///
/// # Errors
/// The store fails, a game with this id exists, or a club owns the games.
pub async fn game_with_private_tries(
    store: &dyn Store,
    id: GameId,
    players: ByColor<AccountId>,
    tries: u32,
    at: Millis,
) -> Result<(), AppendError> {
    let opened = Opened::new(&WILD16, WILD16.choices, StartPosition::initial());
    let mut game = Game::open(opened.clone());
    let new = opened_game(id, players, &opened, TimeControl::Unlimited, at);
    let lease = store.claim(at).await?.ok_or(StoreError::Fenced)?;
    store.create_game(lease.fence, &new).await?;
    let private = PRIVATE_TRIES.iter().cycle().take(tries as usize);
    let texts = std::iter::once(&"e2e4")
        .chain(private)
        .chain(["e7e5"].iter());
    let mut rows = Vec::new();
    for (n, text) in texts.enumerate() {
        let by = if n == 0 { Color::White } else { Color::Black };
        let attempt: Attempt = text.parse().expect("the text is an attempt");
        let ruling = game.judge(by, attempt).expect("the player is to move");
        game.apply(&ruling.event);
        rows.push(NewRow {
            at,
            act: Act::Game(ruling.event),
            request: None,
        });
    }
    let expected = Expected {
        fence: lease.fence,
        ..1.into()
    };
    store.append(id, expected, &rows, None).await?;
    Ok(store.release(lease.fence).await?)
}

/// Hook that waits for a fixed time before each append, and for the same time after it.
#[derive(Debug)]
pub struct Late(pub Duration);

#[async_trait]
impl Around for Late {
    async fn before(&self, _: &[NewRow]) {
        sleep(self.0).await;
    }

    async fn after(&self, _: &[NewRow], _: &Result<(), AppendError>) {
        sleep(self.0).await;
    }
}

/// Hook that commits in ticks: every row waits for the next multiple of an interval.
#[derive(Debug)]
pub struct Ticks {
    interval: Duration,
    zero: Instant,
}

impl Ticks {
    /// Creates a hook whose ticks have this interval, from now on.
    pub fn every(interval: Duration) -> Ticks {
        Ticks {
            interval,
            zero: Instant::now(),
        }
    }

    /// Waits for the next tick.
    pub async fn tick(&self) {
        let passed = self.zero.elapsed().as_nanos() / self.interval.as_nanos();
        let next = u32::try_from(passed + 1).unwrap_or(u32::MAX);
        sleep_until(self.zero + self.interval * next).await;
    }
}

#[async_trait]
impl Around for Ticks {
    async fn before(&self, _: &[NewRow]) {
        self.tick().await;
    }
}
