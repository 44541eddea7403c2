//! Hearings, numbered for each listener.

use std::sync::Arc;

use rules::{Heard, Start};

use crate::facts::{Clocks, GameFacts};

/// One thing told: the opening of the game, or something heard.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum HeardItem {
    /// The game opens.
    Start(Start),
    /// Something is heard.
    Heard(Heard),
}

/// All that one listener hears upon one event, never nothing.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Hearing {
    /// The listener's own number, from 1 without gaps; 1 is the opening.
    pub n: u32,
    /// Items heard.
    pub heard: Arc<[HeardItem]>,
    /// The clocks after it; `None` without clocks.
    pub clocks: Option<Clocks>,
}

/// Next item for a listener.
#[derive(Clone, PartialEq, Debug)]
pub enum ListenerItem {
    /// Something is heard.
    Hearing(Hearing),
    /// The game's facts have changed (or are told for the first time).
    Facts(Box<GameFacts>),
}

/// The answer to a try or an act; the asker alone gets it.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct RequestAnswer {
    /// The number of what the asker heard upon it; `None` for an act.
    pub n: Option<u32>,
    /// Answer in one word, as the asker heard it; `done` for an act.
    pub answer: &'static str,
    /// In words.
    pub why: String,
}
