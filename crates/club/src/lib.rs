//! Live play: people and sessions, the lobby, and tables at which the referee
//! presides.
//!
//! [`Club`] is the stub that every door uses. Behind it one task a running
//! game judges, appends to the store, and speaks only of what is stored: a
//! table is a fold of its log's rows and nothing else, and what each listener is
//! given is a fold of what that listener heard. Time is an argument ([`Clock`]).
//!
//! It must never know: the wire, sockets, HTTP.
//!
//! Modules:
//!
//! - `club`: what doors call on [`Club`]: people, the lobby, games, tables;
//! - `inner`: state that the club shares with its running tables;
//! - `actor`: the task of a running table, which judges and appends rows;
//! - `handle`: the sender to that task, and what the table has published;
//! - [`table`]: the fold of a game's log: rulings, clocks, the state of each listener;
//! - `act`, `facts`, `hearing`, `seat_view`: what goes into a table, and what a listener gets;
//! - `listening`: the stream of one listener's items;
//! - `connections`: which players are connected to a table;
//! - `creation`: new games in the store;
//! - `finished`: a game that is over, with all that was hidden;
//! - `lobby`, `terms`: offers, lists of games, and the checks of a game's terms;
//! - `account`, `passwords`, `token`: people, their passwords and sessions;
//! - `liveness`: when this club and others over the store were last alive;
//! - `error`, `refusals`: errors, and refusals in words;
//! - `settings`, `time`, `sync`: limits, clocks, locks.
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use std::sync::Arc;
//!
//! use club::{Club, ColorWish, Settings, SystemClock, Terms, TimeControl, request_id};
//! use store::MemoryStore;
//!
//! let store = Arc::new(MemoryStore::default());
//! let club = Club::open(store, Arc::new(SystemClock), Settings::cheap()).await?;
//! let (anna, bert) = (club.guest().await?.id, club.guest().await?.id);
//!
//! let terms = Terms {
//!     rules: "wild16".to_owned(),
//!     custom: None,
//!     time: TimeControl::Unlimited,
//!     rated: false,
//!     color: ColorWish::White,
//! };
//! let seek = club.seek(anna, terms).await?;
//! let game = club.accept(&seek.id, bert).await?;
//!
//! // Anna has heard number 1, the opening, and tries twice.
//! let no = club.say(game, anna, request_id("a1")?, 1, "e2e5").await?;
//! assert_eq!(no.answer, "no");
//! let yes = club.say(game, anna, request_id("a2")?, 2, "e2e4").await?;
//! assert_eq!((yes.answer, yes.n), ("moved", Some(3)));
//!
//! // Bert heard the opening and that Anna has moved; of the first try nothing.
//! assert_eq!(club.seat_view(game, bert).await?.n, 2);
//! club.close().await;
//! # Ok(())
//! # }
//! ```

mod account;
mod act;
mod actor;
mod club;
mod connections;
mod creation;
mod error;
mod facts;
mod finished;
mod handle;
mod hearing;
mod inner;
mod listening;
mod liveness;
mod lobby;
mod passwords;
mod refusals;
mod seat_view;
mod settings;
mod sign_in_brake;
mod sync;
pub mod table;
mod terms;
mod time;
mod token;

pub use crate::{
    account::Account,
    act::{TableAct, request_id},
    error::{ClubError, Code},
    facts::{Clocks, GameFacts, Standing, Status, TableOffers},
    finished::{FinishedGame, PlayedMove},
    hearing::{HeardItem, Hearing, ListenerItem, RequestAnswer},
    inner::Club,
    listening::Listening,
    lobby::{GameRow, Lobby, OfferKind, OfferView, offer_id},
    seat_view::{RefusedTry, SeatView},
    settings::{PasswordCost, Settings},
    terms::custom_ruleset,
    time::{Clock, Speed, SystemClock},
    token::Token,
};

// Types of the store under names of the club: the doors do not know the store.

/// An account's number; never shown to anybody.
pub type AccountId = store::AccountId;
/// Kind of an account.
pub type AccountKind = store::AccountKind;
/// Colour that the maker of an offer asks for.
pub type ColorWish = store::ColorWish;
/// The name of a game; it reads and prints itself.
pub type GameId = store::GameId;
/// Formats a time as `2026-11-23 08:00:00`, in UTC.
pub fn utc(at: Millis) -> String {
    store::utc(at)
}

/// Formats the UTC day of a time as PGN does: `2026.11.23`.
pub fn pgn_date(at: Millis) -> String {
    store::pgn_date(at)
}

/// Milliseconds since the beginning of 1970, or a span of them.
pub type Millis = store::Millis;
/// The name of an offer; read by [`offer_id`], its text is field 0.
pub type OfferId = store::OfferId;
/// A request's name; read by [`request_id`].
pub type RequestId = store::RequestId;
/// Terms of a game.
pub type Terms = store::Terms;
/// Time control.
pub type TimeControl = store::TimeControl;
