//! Hearings, numbered separately for each listener.

use std::sync::Arc;

use rules::{Heard, Start};
use wire::CauseJson;

use crate::facts::{Clocks, GameFacts};

/// One item of a hearing: the opening of the game, or something heard.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum HeardItem {
    /// The game opens.
    Start(Start),
    /// Something that the listener hears.
    Heard(Heard),
}

/// Everything that one listener hears because of one event; never empty.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Hearing {
    /// Number of the hearing for this listener, from 1 without gaps. Number 1 is the opening.
    pub n: u32,
    /// Items of the hearing, in order.
    pub heard: Arc<[HeardItem]>,
    /// Clocks after the event; `None` in a game without clocks.
    pub clocks: Option<Clocks>,
}

/// Next item for a listener.
#[derive(Clone, PartialEq, Debug)]
pub enum ListenerItem {
    /// Something that the listener hears.
    Hearing(Hearing),
    /// Facts of the game. They come once after the past hearings, and again
    /// after each change.
    Facts(Box<GameFacts>),
}

/// Answer to a try, a question or an act. Only the asker gets it.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct RequestAnswer {
    /// Number of the hearing that the request caused for the asker; `None` for an act.
    pub n: Option<u32>,
    /// Answer in one word, as the asker heard it; `done` for an act.
    pub answer: &'static str,
    /// Why the referee refused the attempt; `None` if it was not refused.
    pub cause: Option<CauseJson>,
    /// Explanation as text.
    pub why: String,
}
