//! Kriegspiel in a terminal: a full-screen board, and the viewer of finished games. The board is
//! for one player, or for two players who share the keyboard.
//!
//! An [`App`] is the state of the screen. The inputs of an [`App`] are messages of a club
//! ([`ClubMessage`]), keys and mouse events. The outputs are requests to the club
//! ([`ClubRequest`]). [`App::draw`] draws the state. An [`App`] has no clock, no network and no
//! terminal, so a test consists of a screen, keys and the next screen. [`run`] connects the state
//! to a terminal, and to a club by channels. The club can be in this process or remote.
//!
//! This crate does not depend on the referee, the club or the store. A board
//! shows what one seat heard. A finished game is prepared elsewhere and is
//! passed as a [`Review`].
//!
//! ```
//! use ratatui::{Terminal, backend::TestBackend};
//! use tui::{App, Start};
//!
//! let mut app = App::play(Start::default());
//! app.key("F1");
//! let mut terminal = Terminal::new(TestBackend::new(80, 60))?;
//! terminal.draw(|frame| app.draw(frame))?;
//! assert!(terminal.backend().to_string().contains("pawn of yours can capture"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod app;
mod belief;
mod commands;
mod connection;
mod draw;
mod geometry;
mod keys;
mod lobby;
mod men;
mod messages;
mod phantoms;
mod review;
mod table;
mod terminal;
mod terms;
mod theme;

pub use crate::{
    app::{App, Effect, Start},
    keys::{Mouse, key_name},
    messages::{ClubMessage, ClubRequest, Guessed},
    review::Review,
    terminal::{Input, ask_password, inbox, run},
    terms::{time_control, time_words},
    theme::{MenStyle, Theme},
};
