//! Storage of a club: an append-only log for each game, and tables of accounts, sessions, offers
//! and games.
//!
//! A row is durable before [`Store::append`] returns, so nobody hears anything that could still be
//! lost. Callers use the trait [`Store`] and see no SQL.
//!
//! One process at a time owns the games and appends to their logs ([`Store::claim`]). There are
//! three stores: [`SqliteStore`], [`PostgresStore`], and [`MemoryStore`] for tests. All have the same contract,
//! except that nothing in memory is durable. docs/store.md says when each change is durable.
//!
//! This crate does not depend on the club or the wire format. It has no connections to players.
//!
//! # Examples
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use referee::Game;
//! use rules::{chess::{ByColor, Color}, rulesets};
//! use store::{
//!     AccountKind, Act, AppendError, ColorWish, GameId, MemoryStore, NewAccount, NewGame, NewRow,
//!     Store, Terms, TimeControl,
//! };
//!
//! let store = MemoryStore::default();
//! let account = |name: &str| NewAccount {
//!     name: name.to_owned(),
//!     kind: AccountKind::Guest,
//!     password: None,
//!     at: 0,
//! };
//! let white = store.create_account(&account("Anna")).await?;
//! let black = store.create_account(&account("Bert")).await?;
//!
//! let mut game = Game::from(&rulesets::WILD16);
//! let row = |event| NewRow { at: 0, act: Act::Game(event), request: None };
//! let id = GameId::from_chance(1);
//! let terms = Terms {
//!     rules: "wild16".to_owned(),
//!     custom: None,
//!     time: TimeControl::Unlimited,
//!     rated: false,
//!     color: ColorWish::Any,
//! };
//! let rows = vec![row(game.opened_event())];
//! let players = ByColor { white, black };
//! store.create_game(0, &NewGame { id, players, terms, at: 0, rows, offer: None }).await?;
//!
//! let event = game.judge(Color::White, "e2e4".parse()?)?.event;
//! store.append(id, 1.into(), &[row(event.clone())], None).await?;
//! game.apply(&event);
//!
//! // A second append that expects one row in the log gets a conflict.
//! let late = store.append(id, 1.into(), &[row(event)], None).await;
//! assert_eq!(late, Err(AppendError::Conflict));
//! assert_eq!(store.rows(id, 0).await?.len(), 2);
//! # Ok(())
//! # }
//! ```

mod account;
mod calendar;
mod check;
mod conditional;
mod copy;
mod database;
mod error;
mod evening;
mod export;
mod game;
pub mod history;
mod id;
mod memory;
mod message;
mod pace;
mod parts;
mod postgres;
mod push;
mod rating;
mod row;
mod snapshot;
mod sql;
mod sqlite;
mod store;
mod study;
#[cfg(feature = "testing")]
pub mod testing;
mod writer;

pub use crate::{
    account::{
        Account, AccountChange, AccountChanges, AccountId, AccountKind, AccountState, DELETED_NAME,
        NewAccount, Scope, Session, TokenHash, plain_name,
    },
    calendar::{pgn_date, utc},
    check::Report,
    conditional::{Condition, ConditionalTries, ConditionalTry, OpponentMove, ParseConditionError},
    database::{Copied, Database, Location},
    error::StoreError,
    evening::{Evening, EveningGame, EveningId, EveningKind, EveningPlayer, EveningStore},
    export::{ExportError, ExportForm, ExportGames, PgnExport},
    game::{ColorWish, GameRecord, NewGame, Offer, OfferId, OfferKind, Terms, TimeControl},
    id::{GameId, ParseIdError},
    memory::MemoryStore,
    message::{
        AccountNote, MAX_MUTES, MAX_NOTES, MAX_OF_GROUP, MAX_WAITING, MAX_WAITING_OF_GUEST,
        MAX_WAITING_OF_GUESTS, MAX_WAITING_OF_SENDER, MessageChanges, MessageGroup, MessageStore,
        MessageTo, NOTES_PERIOD, NewMessage, StoredMessage,
    },
    postgres::{PostgresStore, ServerSettings},
    push::{MAX_SUBSCRIPTIONS, PushStore, PushSubscription},
    rating::{Against, GameSearch, RatingStore, ResultCount, StoredRating},
    row::{Act, Millis, NewRow, ParseActError, RequestId, Row, TableEvent},
    sqlite::{Pragmas, SqliteStore},
    store::{AppendError, Expected, Fence, LEASE_TIME, Lease, Store},
    study::{StudyRecord, StudyStore},
};
