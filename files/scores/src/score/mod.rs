//! Scores of games as people wrote them: reading, comparison, correction, writing.

mod closest;
mod descriptive;
mod distance;
mod ending;
mod file;
mod fit;
mod page;
mod read;
mod remark;
mod repair;
mod san;
mod search;
mod stop;
mod text;
mod write;

pub use self::{
    descriptive::descriptive,
    ending::Ending,
    file::{Column, ScoreFile, Written},
    fit::named_moves,
    read::{Difference, Score},
    remark::{Remark, RemarkKind},
    repair::{Change, Repair, Repairs},
    san::san,
    stop::{Closest, Stop, Why},
    text::TextError,
    write::{ScoreForm, TranscriptError},
};
