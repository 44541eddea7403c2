//! The umpire: judges every attempt by the true position, and addresses every
//! call.
//!
//! A [`Game`] holds the truth. [`Game::judge`] decides and changes nothing: it
//! returns a [`Ruling`] (the [`Event`] to record and the calls to make) or a
//! [`Refusal`]. [`Game::apply`] changes and decides nothing. A log of events
//! is the game: [`Game::replay`] of it equals the live one.
//!
//! [`kernel`] holds the pure verdicts on a bare position, and [`told`] what is
//! announced of it.
//!
//! It must never know: clocks, threads, serialisation, who is connected.
//!
//! ```
//! use referee::Game;
//! use rules::{Answer, Attempt, chess::Color, rulesets};
//!
//! let mut game = Game::from(rulesets::by_id("cincinnati").expect("a named ruleset"));
//! let attempt: Attempt = "e2e4".parse()?;
//! let ruling = game.judge(Color::White, attempt)?;
//! assert_eq!(ruling.answer(), Answer::Moved);
//! game.apply(&ruling.event);
//! assert_eq!(game.to_move(), Some(Color::Black));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod apply;
mod calls;
mod cause;
mod consequence;
mod event;
mod game;
mod judge;
pub mod kernel;
mod refusal;
mod start;
pub mod told;

pub use crate::{
    cause::{Cause, EndCause},
    event::{Event, Opened, ParseEventError, VERSION},
    game::{Finished, Game, ReplayError, Ruling, Sheet},
    refusal::Refusal,
    start::{FenError, StartPosition},
};
