//! Scores of games as people wrote them: reading, comparison, correction, writing.

mod choice;
mod clean;
mod closest;
mod descriptive;
mod ending;
mod file;
mod fit;
mod items;
mod letters;
mod page;
mod players;
mod read;
mod recorded;
mod remark;
mod repair;
mod result;
mod san;
mod search;
mod stop;
mod text;
mod write;
mod written;

pub(crate) use self::clean::windows1252;
pub use self::{
    clean::wide_encoding,
    descriptive::descriptive,
    ending::Ending,
    file::{Column, ScoreFile},
    fit::named_moves,
    letters::Letters,
    read::{Difference, Score},
    recorded::RecordedScoreError,
    remark::{Remark, RemarkKind},
    repair::{Change, Repair, Repairs},
    san::san,
    stop::{Closest, Stop, Why},
    text::TextError,
    write::{ScoreForm, TranscriptError},
    written::Written,
};
