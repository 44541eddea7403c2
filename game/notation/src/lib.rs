//! Text forms of attempts, boards, calls and rulesets. The text is computed
//! from own men and announcements only.
//!
//! - [`read_attempt`] reads what a player types in coordinates; [`read_typed`]
//!   reads any notation, using the patterns of a [`MoveText`].
//! - [`Diagram`] draws a board, with own men only or with both sides.
//! - [`words`] writes every call as an English sentence.
//! - [`Page`] explains a ruleset in sentences; [`comparison`] writes a table of
//!   all rulesets.
//! - With the feature `toml`, `read_ruleset` and `write_ruleset` read and write ruleset files.
//!
//! This crate must never know about the referee: nothing here has access to the
//! true position.
//!
//! ```
//! use notation::words;
//! use rules::{Announcement, Direction, Heard, Listener, rulesets::RAND};
//!
//! let heard = Heard::Announced(Announcement::Check { directions: [Direction::Long].into_iter().collect() });
//! let said = words(&heard, &RAND.choices, Listener::Room);
//! assert_eq!(said.as_deref(), Some("Check on the long diagonal."));
//! ```

mod compare;
mod diagram;
mod moves;
mod nearest;
mod page;
mod printable;
mod question;
mod read;
#[cfg(feature = "toml")]
mod ruleset_file;
mod words;

#[cfg(feature = "toml")]
pub use crate::ruleset_file::{
    Place, RulesetFault, RulesetFileError, choices_of, is_for_hall, nearest_ruleset, read_ruleset,
    write_ruleset,
};
pub use crate::{
    compare::{Comparison, comparison},
    diagram::{Diagram, Men},
    moves::{
        BoardNames, CheckMark, Marks, MoveText, Notation, Pattern, StepPattern, Takes, TypedError,
        descriptive_file, descriptive_square, keyboard, ks_text, plain_signs, read_for_referee,
        read_typed, umpire_text,
    },
    nearest::{distance, nearest},
    page::{Page, Section, compared},
    printable::{is_unprintable, printable, printable_lines},
    question::{QUESTIONS, Question},
    read::{ReadError, may_be_typed, read_attempt, words as typed_words},
    words::{answer_word, name, over_words, row_words, start_words, void_words, words},
};
