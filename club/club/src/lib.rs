//! Live play: accounts and sessions, the lobby, and tables at which the referee answers the
//! players.
//!
//! [`Club`] is the handle that every door (HTTP server, teletype, chess client) calls. Each running
//! game has one task. The task judges requests and appends rows to the store. It publishes only
//! what is stored. A table is computed from the rows of its log and from nothing else. What a
//! listener gets is computed only from what that listener heard. The caller passes the source of
//! the time as a [`Clock`].
//!
//! This crate does not depend on the wire format, sockets or HTTP.
//!
//! Modules:
//!
//! - `club`: the methods of [`Club`], which doors call: people, the lobby, games, tables;
//! - `inner`: state that the club shares with its running tables;
//! - `actor`: the task of a running table, which judges and appends rows, and the
//!   limit on requests that bring nothing new;
//! - `handle`: the sender of requests to that task, and the state that the table has published;
//! - [`table`]: the state of a game, computed from its log: rulings, clocks, the state of each
//!   listener;
//! - `act`, `facts`, `hearing`, `seat_view`: types of what a player does at a table, and of what a
//!   listener gets;
//! - `listening`: the stream of one listener's items;
//! - `messages`, `talk_listening`: messages between people, and the stream of the messages of one
//!   group at a game;
//! - `notices`: what people hear of while no page of theirs is open;
//! - `players`, `connections`: the players of a table, and which of them are connected;
//! - `creation`: new games in the store;
//! - `finished`, `replays`: a game that is over, including everything that was hidden during play;
//! - `lobby`, `listed`, `lobby_listening`, `terms`: offers, lists of games, their changes for one
//!   reader, and the checks of a game's terms;
//! - `account`, `account_changes`, `passwords`, `recovery`, `guesses`, `token`: people, their
//!   passwords, recovery codes and sessions;
//! - `evening`: points, places and pairings of evenings;
//! - `ratings`, `profile`: Glicko-2, and what everybody may know of an account;
//! - `liveness`: the renewals of this club's ownership of the games, and outages;
//! - `error`, `refusals`: errors, and the texts of refusals;
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
//! // Anna has heard number 1, the opening of the game. Anna's first try is refused.
//! let no = club.say(game, anna, request_id("a1")?, 1, "e2e5").await?;
//! assert_eq!(no.answer, "no");
//! let yes = club.say(game, anna, request_id("a2")?, 2, "e2e4").await?;
//! assert_eq!((yes.answer, yes.n), ("moved", Some(3)));
//!
//! // Bert has heard the opening and that Anna has moved. The refused try is not announced to Bert.
//! assert_eq!(club.seat_view(game, bert).await?.n, 2);
//! club.close().await;
//! # Ok(())
//! # }
//! ```

mod account;
mod account_changes;
mod act;
mod actor;
mod club;
mod connections;
mod creation;
mod error;
mod evening;
mod facts;
mod finished;
mod guesses;
mod handle;
mod hearing;
mod inner;
mod listed;
mod listening;
mod liveness;
mod lobby;
mod lobby_listening;
mod messages;
mod notices;
mod passwords;
mod players;
mod profile;
mod ratings;
mod recovery;
mod refusals;
mod replays;
mod seat_view;
mod settings;
mod sync;
pub mod table;
mod talk_listening;
mod terms;
mod time;
mod token;

pub use crate::{
    account::{Account, check_name},
    account_changes::AccountWatch,
    act::request_id,
    club::{
        Digest, HallBoard, Leaving, MAX_LABEL, MAX_TOKEN_DAYS, MAX_TOKENS, MUTED, OPERATOR,
        OwnAccount, OwnMail, OwnSession, PROBLEM_RESULTS, SET, evening_id, hall_address,
    },
    error::ClubError,
    evening::{EveningPlace, EveningRow, EveningView},
    facts::{Clocks, GameFacts, Standing, TableOffers},
    finished::{FinishedGame, PlayedMove},
    hearing::{HeardItem, Hearing, ListenerItem, RequestAnswer},
    inner::{Club, EndReason},
    listening::Listening,
    lobby::{GameRow, Lobby, LobbyChanges, LobbyItem, OfferKind, OfferView, offer_id},
    lobby_listening::LobbyListening,
    messages::Message,
    notices::{AwayKind, AwayNotice, NoticeWatch},
    passwords::{draw_password, hash_password},
    profile::{GameTally, Leader, Profile, ProfileRating},
    ratings::PlayerRating,
    recovery::RecoveryCode,
    seat_view::{RefusedTry, SeatView},
    settings::{PasswordCost, Settings},
    table::cause_words,
    talk_listening::TalkListening,
    terms::custom_ruleset,
    time::{Clock, Speed, SystemClock},
    token::Token,
};

// Types of the store, exported under names of the club because doors do not depend on the store.

/// Kind of the opponents for whom a rating counts.
pub type Opponents = store::Against;
/// Number of an account; never shown to anybody.
pub type AccountId = store::AccountId;
/// Kind of an account.
pub type AccountKind = store::AccountKind;
/// Colour that the maker of an offer asks for.
pub type ColorWish = store::ColorWish;
/// How an evening pairs its players.
pub type Pairing = store::EveningKind;
/// A study that an account keeps.
pub type StudyDocument = store::StudyRecord;
/// Search of finished games.
pub type FinishedSearch = store::GameSearch;
/// Id of a game. Implements `Display` and `FromStr`.
pub type GameId = store::GameId;
/// Formats a time as `2026-11-23 08:00:00`, in UTC.
pub fn utc(at: Millis) -> String {
    store::utc(at)
}

/// Formats the UTC day of a time as PGN does: `2026.11.23`.
pub fn pgn_date(at: Millis) -> String {
    store::pgn_date(at)
}

/// Milliseconds since the beginning of 1970 (UTC), or a duration in milliseconds.
pub type Millis = store::Millis;
/// Id of an offer. [`offer_id`] parses an id; field 0 is the text of the id.
pub type OfferId = store::OfferId;
/// Id of a request, chosen by the client. [`request_id`] parses an id.
pub type RequestId = store::RequestId;
/// A browser that gets notices.
pub type Subscriber = store::PushSubscription;
/// Group of people at a game who read each other's messages: the players, or the spectators.
pub type TalkGroup = store::MessageGroup;
/// Terms of a game.
pub type Terms = store::Terms;
/// Time control.
pub type TimeControl = store::TimeControl;
