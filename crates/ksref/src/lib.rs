//! The referee of 1975: the coding of Algorithm 89 over our referee.
//!
//! T. Buckholtz and C. Wetherell published "A program to referee Kriegspiel
//! and chess" in The Computer Journal 18(2), 1975. Its interface is four
//! arrays, and so is ours: [`Idata`] is the attempt, [`Iboard`] the board,
//! [`Minfo`] the referee's sheet of answers, [`Nos`] the noes of this turn.
//! [`Ksref::call`] judges one attempt, [`Ksref::legal`] only says what the
//! verdict would be.
//!
//! All state is in the arrays: a change of [`Iboard`] between two calls changes
//! the answer. The chess is done by [`referee::kernel`]; the verdicts are those
//! of the 1975 code, which differ from our `western` and `eastern` rulesets in
//! a few places.
//!
//! It must never know: the network, a club, a clock. The sheet is the
//! umpire's own and must never be shown to a player.
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
mod iboard;
mod idata;
mod ksref;
mod minfo;
mod nos;
mod refusal;
mod truth;
mod verdict;

pub use crate::{
    iboard::Iboard,
    idata::Idata,
    ksref::Ksref,
    minfo::{Cell, Minfo},
    nos::Nos,
    refusal::{BoardFault, Refusal},
    verdict::{Rules, Verdict},
};

/// Runs the library's example on the page.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/ksref.md")]
struct Page;
