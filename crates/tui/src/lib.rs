//! Kriegspiel in a terminal: a full-screen board for one player, or for two
//! who share the keyboard, and the viewer of finished games.
//!
//! An [`App`] is the state of the screen. Its inputs are messages of a club
//! ([`ClubMessage`]), keys and mouse events; its outputs are requests to the club
//! ([`ClubRequest`]). [`App::draw`] shows it. It has no clock, no network and no
//! terminal, so a test is a screen, keys and the next screen. [`run`] connects
//! it to a terminal, and to a club by channels. It does not know whether that
//! club is in this process or remote.
//!
//! It must never know: the referee, the club, the store. A board shows what
//! one seat heard; a finished game comes as [`Review`], prepared elsewhere.
//!
//! ```
//! use ratatui::{Terminal, backend::TestBackend};
//! use tui::{App, Start};
//!
//! let mut app = App::play(Start::default());
//! app.key("F1");
//! let mut terminal = Terminal::new(TestBackend::new(80, 24))?;
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
