//! Answers of a club as the messages and JSON of [`wire`].
//!
//! Every program that serves a seat of the [`club`] over JSON converts here, so
//! that a hearing, a refusal or a list of games has one form. Values are built
//! field by field: a new field is absent until someone writes it.
//!
//! It must never know: the referee, HTTP, and who is connected.
//!
//! ```
//! use club::RequestAnswer;
//! use wire::ServerSays;
//!
//! let said = RequestAnswer { n: Some(3), answer: "moved", why: String::new() };
//! let says = present::answer("a1".to_owned(), "abc234".to_owned(), said);
//! assert!(matches!(says, ServerSays::Answer { n: Some(3), .. }));
//! ```

mod game;
mod lobby;
mod message;
mod people;
mod seat;
mod terms;

pub use crate::{
    game::{game, game_row, table_act},
    lobby::{invitation, lobby, seek},
    message::{answer, heard, refusal_code, refused},
    people::player,
    seat::{hearing, seat_view},
    terms::terms,
};
