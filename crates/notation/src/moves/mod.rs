//! A move as text: what is written becomes a [`MoveText`], a set of patterns
//! that names no board; whoever knows a board then asks which moves fit.
//!
//! Here only own men are asked ([`read_typed`]); a score may ask the truth, in
//! a crate of its own.

mod algebraic;
mod descriptive;
mod marks;
mod names;
mod pattern;
mod typed;

pub use self::{
    marks::{CheckMark, Marks},
    names::{descriptive_file, descriptive_square, ks_text, umpire_text},
    pattern::{BoardNames, MoveText, Notation, Pattern, StepPattern, Takes},
    typed::{TypedError, read_typed},
};
