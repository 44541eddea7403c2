//! Scores of games as people wrote them: reading, comparison, correction, writing.

mod closest;
mod descriptive;
mod distance;
mod ending;
mod file;
mod fit;
mod mend;
mod page;
mod read;
mod remark;
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
    mend::{Change, Mend, Mends},
    read::{Difference, Score},
    remark::{Remark, RemarkKind},
    san::san,
    stop::{Closest, Stop, Why},
    text::TextError,
    write::{ScoreForm, TranscriptError},
};
