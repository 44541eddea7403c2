//! Reads and writes moves as text. A text is read into a [`MoveText`]: a set of
//! patterns that does not depend on a board. The patterns are then compared with
//! a board to find the moves that fit.
//!
//! This crate compares the patterns only with own men ([`read_typed`]). The crate `scores` compares
//! the patterns with the true position.

mod algebraic;
mod descriptive;
mod marks;
mod names;
mod pattern;
mod signs;
mod spoken;
mod typed;

pub use self::{
    marks::{CheckMark, Marks},
    names::{descriptive_file, descriptive_square, ks_text, umpire_text},
    pattern::{BoardNames, MoveText, Notation, Pattern, StepPattern, Takes},
    signs::{keyboard, plain_signs},
    typed::{TypedError, read_for_referee, read_typed},
};
