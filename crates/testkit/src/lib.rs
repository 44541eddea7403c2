//! Tests of the referee: a slow oracle written from the rules page, random
//! starts and games, comparison of two umpires, and planted faults.
//!
//! For tests only: no other crate depends on it outside of tests. The
//! [`oracle`] shares the nouns of `rules` with the referee and none of its
//! judgement; [`differential`] plays random games at both and compares every
//! answer and every word to every listener.
//!
//! ```
//! use testkit::{differential, umpire::Setting};
//!
//! let oracle = |setting: &Setting| {
//!     let oracle = setting.oracle()?;
//!     Ok(Box::new(oracle) as Box<dyn testkit::umpire::Umpire>)
//! };
//! let coverage = differential::run(0..4, &oracle).expect("it agrees with itself");
//! assert_eq!(coverage.of("games"), 4);
//! ```

#![forbid(unsafe_code)]

pub mod coverage;
pub mod differential;
pub mod faults;
pub mod oracle;
pub mod pairs;
pub mod planted;
pub mod possible;
pub mod real;
pub mod self_play;
pub mod starts;
pub mod story;
pub mod umpire;
pub mod walk;
