//! The referee: judges every attempt by the true position, and decides who
//! hears what.
//!
//! A [`Game`] holds the true position. [`Game::judge`] decides, but does not change the game: it
//! returns a [`Ruling`] (the [`Event`] to record and the calls to make) or a [`Refusal`].
//! [`Game::apply`] changes the game, but decides nothing. [`Game::replay`] rebuilds an equal game
//! from the list of its events.
//!
//! The crate `position` answers questions about a position alone: which tries are legal, and what
//! is announced about them.
//!
//! This crate must never know about clocks, threads, serialisation, or who is
//! connected.
//!
//! ```
//! use referee::Game;
//! use rules::{Answer, Attempt, chess::Color, rulesets};
//!
//! let mut game = Game::from(rulesets::by_id("cincinnati").expect("the id names a ruleset"));
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
mod refusal;
mod repetition;

pub use position::{FenError, StartPosition};

pub use crate::{
    cause::{Cause, EndCause},
    event::{Event, Opened, ParseEventError, VERSION},
    game::{Finished, Game, ReplayError, Ruling, Sheet},
    refusal::Refusal,
};
