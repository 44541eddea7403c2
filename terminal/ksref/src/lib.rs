//! A referee with the interface of a program of 1975. Our own referee decides which moves are
//! legal.
//!
//! T. J. Buckholtz and C. S. Wetherell published the program as Algorithm 89, "A program to referee
//! Kriegspiel and chess", in The Computer Journal 18(2), 1975. Its interface is four arrays.
//! [`Common`] has them in the layout of the article. In our easier form, [`Idata`] is the attempt,
//! and [`Iboard`] is the board. [`Minfo`] is the sheet with the referee's answers. [`Nos`] holds
//! the attempts answered *no* in this turn. [`Ksref::call`] judges one attempt and plays it if it
//! is legal. [`Ksref::legal`] only returns the verdict.
//!
//! All state is in the arrays: if the caller changes [`Iboard`] between two calls, the answers
//! change. The crate `position` decides what is legal. The verdicts are the verdicts of the program
//! of 1975. Some verdicts differ from the verdicts under our `western` and `eastern` rulesets.
//!
//! This crate does not depend on a network, a club or a clock. The sheet is
//! for the umpire only and must never be shown to a player.
//!
//! ```
//! use ksref::{Cell, Idata, Ksref, Rules};
//!
//! let (mut iboard, mut minfo, mut nos) = Ksref::start(Rules::Western);
//! let mut e2e4 = Idata::from([5, 2, 5, 4, 0, 0]);
//! Ksref::call(&mut e2e4, &mut iboard, &mut minfo, &mut nos)?;
//! assert_eq!(iboard.men[3][4], 2);
//! assert_eq!(minfo[Cell::MCOLOR], 2);
//! # Ok::<(), ksref::Refusal>(())
//! ```

pub mod command;
mod common;
mod iboard;
mod idata;
mod ksref;
mod minfo;
mod nos;
mod refusal;
mod truth;
mod verdict;

pub use crate::{
    common::Common,
    iboard::Iboard,
    idata::Idata,
    ksref::Ksref,
    minfo::{Cell, Minfo},
    nos::Nos,
    refusal::{BoardFault, Refusal},
    verdict::{Rules, Verdict},
};

/// Runs the library example of docs/ksref.md as a doctest.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Page;
