//! Converts what a club answers into the messages and JSON of [`wire`].
//!
//! Every program that serves a seat of the [`club`] over JSON uses this crate. So a hearing, a
//! refusal or a list of games has the same form everywhere. Each JSON value is built field by
//! field, so a new field stays secret until somebody adds it here.
//!
//! This crate does not depend on the referee or on HTTP, and does not know who is connected.
//!
//! ```
//! use club::RequestAnswer;
//! use wire::ServerSays;
//!
//! let answer = RequestAnswer { n: Some(3), answer: "moved", cause: None, why: String::new() };
//! let says = present::answer("a1".to_owned(), "abc234".to_owned(), answer);
//! assert!(matches!(says, ServerSays::Answer { n: Some(3), .. }));
//! ```

mod evening;
mod game;
mod lobby;
mod message;
mod people;
mod person;
mod seat;
mod talk;
mod terms;

pub use crate::{
    evening::{evening, evening_kind, evening_row},
    game::{game, game_row},
    lobby::{invitation, lobby, lobby_changes, seek},
    message::{answer, heard, refused},
    people::player,
    person::{against_from, leader, person},
    seat::{hearing, seat_view},
    talk::{message, talk, talk_group},
    terms::terms,
};
