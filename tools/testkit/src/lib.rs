//! Tools to test the referee: a slow oracle written from the specification,
//! random starts and games, comparison of two umpires.
//!
//! Other crates use this crate only in their tests. The [`oracle`] and the
//! referee share types of `rules`, but no code that judges.
//! [`differential`] plays random games with both, and compares every answer and
//! everything that each listener hears.
//!
//! ```
//! use testkit::{differential, umpire::Setting};
//!
//! let oracle = |setting: &Setting| {
//!     let oracle = setting.oracle()?;
//!     Ok(Box::new(oracle) as Box<dyn testkit::umpire::Umpire>)
//! };
//! let coverage = differential::run(0..4, &oracle).expect("the oracle agrees with itself");
//! assert_eq!(coverage.of("games"), 4);
//! ```

#![forbid(unsafe_code)]

pub mod coverage;
pub mod differential;
pub mod oracle;
pub mod pairs;
pub mod possible;
pub mod real;
pub mod self_play;
pub mod starts;
pub mod story;
pub mod umpire;
pub mod walk;
