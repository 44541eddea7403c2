//! Account of a game, whatever the form of its file.

mod from_json;
mod from_pgn;
mod from_transcript;
mod read;

use std::{borrow::Cow, time::Duration};

use referee::{Event, FenError, Opened, StartPosition};
use rules::{
    ByListener, GameSwitch, Heard, Reason, Ruleset, Start, SwitchError, Winner, chess::Color,
    rulesets,
};

use crate::{
    Answered, Asked, Remark, Tags, opening::switches, pgn::Damaged, read::ParseTranscriptError,
};

pub use self::read::{Accounts, Form};

/// Record of one game: every act in order, with the claimed answers of the
/// referee. Nothing in it has been judged.
#[derive(Clone, Debug, Default)]
pub struct Account {
    /// The line of the file on which it begins.
    pub line: u64,
    /// Subject of the game.
    pub title: String,
    /// Source of the game or its rules.
    pub source: String,
    /// The head of a PGN.
    pub tags: Tags,
    /// The ruleset named.
    pub rules: Option<String>,
    /// The opening of a log, which names every choice.
    pub opened: Option<Box<Opened>>,
    /// The switches of the game.
    pub switches: Vec<GameSwitch>,
    /// The start position, if it is not the usual one.
    pub fen: Option<String>,
    /// Information of White, Black and the room about the start.
    pub starts: Option<Box<ByListener<Start>>>,
    /// Acts of the game, in order.
    pub told: Vec<RecordedAct>,
    /// Remarks in words that belong to no act.
    pub comments: usize,
}

/// An act and what is claimed of it.
#[derive(Clone, Debug)]
pub struct RecordedAct {
    /// The line of the file.
    pub line: u64,
    /// The act.
    pub act: Act,
    /// Claimed answer of the referee.
    pub claim: Claim,
    /// The mover's clock afterwards.
    pub clock: Option<Duration>,
}

/// Something done in a game.
#[derive(Clone, PartialEq, Debug)]
pub enum Act {
    /// Something asked of the referee.
    Asked(Asked),
    /// A try that was refused, as it is written in a remark.
    Refused {
        /// The player who tried.
        by: Color,
        /// As written.
        text: String,
    },
    /// The game ended so, by the head or the end of a PGN.
    Ended {
        /// The winner.
        winner: Winner,
        /// Reason, if it is written.
        reason: Option<Reason>,
        /// Whether the record has a log, which must then end so too.
        logged: bool,
    },
}

/// Claimed answer of the referee to an act.
#[derive(Clone, Debug, Default)]
pub struct Claim {
    /// The answer.
    pub answered: Option<Answered>,
    /// Items that White, Black and the room heard.
    pub heard: Option<ByListener<Vec<Heard>>>,
    /// The event of a log.
    pub event: Option<Event>,
    /// The remark behind a move.
    pub remark: Option<Remark>,
    /// The true position afterwards.
    pub fen: Option<String>,
}

impl Claim {
    /// Whether anything is claimed at all.
    pub fn is_empty(&self) -> bool {
        self.answered.is_none()
            && self.heard.is_none()
            && self.event.is_none()
            && self.remark.is_none()
    }
}

/// A game that cannot be read.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum AccountError {
    /// A game of a PGN.
    #[error(transparent)]
    Pgn(#[from] Damaged),
    /// A player's view, which does not hold the game.
    #[error(
        "line {line}: this is one player's view, in which moves are hidden; only the umpire's view can be judged or converted"
    )]
    View {
        /// Line on which the game begins.
        line: u64,
    },
    /// A transcript.
    #[error(transparent)]
    Transcript(#[from] ParseTranscriptError),
    /// A line of JSON.
    #[error("line {line}: {why}")]
    Json {
        /// The line.
        line: u64,
        /// The fault.
        why: String,
    },
    /// A file too long for its form.
    #[error("line {line}: longer than {most} bytes, which no game is")]
    TooLong {
        /// The line.
        line: u64,
        /// Largest length that is read, in bytes.
        most: usize,
    },
    /// A transcript that is no text.
    #[error("line {line}: the file is not UTF-8; write it in that encoding")]
    NotUtf8 {
        /// The line.
        line: u64,
    },
}

/// A game that cannot be opened under a ruleset.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum OpeningError {
    /// No ruleset is named.
    #[error("the game names no ruleset; name one, as in --rules wild16")]
    NoRules,
    /// The ruleset named is not one of ours.
    #[error(
        "the game names the ruleset `{0}`, which is none of the named ones; give its file, as in --rules FILE.toml"
    )]
    UnknownRules(String),
    /// The start position is none.
    #[error("the start position: {0}")]
    Start(FenError),
    /// A switch of the game does not exist there.
    #[error(transparent)]
    Switch(SwitchError),
}

impl Account {
    /// Returns the opening of the game, under its own ruleset.
    ///
    /// # Errors
    /// It names none, or one that is not known, or a start that cannot be.
    pub fn opening(&self) -> Result<Opened, OpeningError> {
        if let Some(opened) = &self.opened {
            return Ok((**opened).clone());
        }
        let id = self.rules.as_deref().ok_or(OpeningError::NoRules)?;
        let ruleset = rulesets::by_id(id)
            .ok_or_else(|| OpeningError::UnknownRules(id.chars().take(40).collect()))?;
        self.opening_under(ruleset)
    }

    /// Returns the opening of the game under another ruleset. Where mate and
    /// stalemate are always recognised, it ignores the switches of rulesets
    /// that do not recognise them.
    ///
    /// # Errors
    /// The start cannot be.
    pub fn opening_under(&self, ruleset: &Ruleset) -> Result<Opened, OpeningError> {
        let mut choices = ruleset.choices;
        let logged = self.opened.as_deref().and_then(switches);
        for switch in logged.as_ref().unwrap_or(&self.switches) {
            let so_far = Ruleset {
                choices,
                ..ruleset.clone()
            };
            match so_far.switched(&[*switch]) {
                Ok(switched) => choices = switched,
                Err(SwitchError::MateFixed { .. }) => {}
                Err(error @ SwitchError::Unknown { .. }) => {
                    return Err(OpeningError::Switch(error));
                }
            }
        }
        let fen = match (&self.opened, &self.fen) {
            (Some(opened), _) => Some(Cow::Owned(opened.start.fen())),
            (None, Some(fen)) => Some(Cow::Borrowed(fen.as_str())),
            (None, None) => None,
        };
        let start = match fen {
            Some(fen) => StartPosition::from_fen(&fen, &choices).map_err(OpeningError::Start)?,
            None => StartPosition::initial(),
        };
        Ok(Opened::new(ruleset, choices, start))
    }
}
