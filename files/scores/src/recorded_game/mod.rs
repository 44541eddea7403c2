//! Record of a game, in a form common to all file formats.

mod end_claim;
mod from_json;
mod from_pgn;
mod from_transcript;
mod read;

use std::{borrow::Cow, time::Duration};

use referee::{Event, FenError, Opened, StartPosition};
use rules::{ByListener, GameSwitch, Heard, Ruleset, Start, SwitchError, chess::Color, rulesets};

use crate::{
    Answered, Asked, Remark, Tags, opening::switches, pgn::Damaged, read::ParseTranscriptError,
};

pub(crate) use self::end_claim::MATE_SIGN;
pub use self::{
    end_claim::EndClaim,
    read::{Form, RecordedGames},
};

/// Record of one game: every act in order, and what the record claims about each act. The record
/// may contradict the rules.
#[derive(Clone, Debug, Default)]
pub struct RecordedGame {
    /// Line of the file on which the game begins, from 1.
    pub line: u64,
    /// Title of the game.
    pub title: String,
    /// Source of the game or of its rules.
    pub source: String,
    /// Tags, if the record is a PGN game.
    pub tags: Tags,
    /// Id of the ruleset, if the record names one.
    pub rules: Option<String>,
    /// Opening event, if the record contains a log. This event contains every choice of the
    /// ruleset.
    pub opened: Option<Box<Opened>>,
    /// Switches of the game.
    pub switches: Vec<GameSwitch>,
    /// The start position, if it is not the usual one.
    pub fen: Option<String>,
    /// What White, Black and the spectators were told about the start.
    pub starts: Option<Box<ByListener<Start>>>,
    /// Acts of the game, in order.
    pub acts: Vec<RecordedAct>,
    /// Number of comments in words. In a PGN, all comments after one move count as one comment;
    /// clock times, remarks and commands do not count.
    pub comments: usize,
}

/// An act, and what the record claims about it.
#[derive(Clone, Debug)]
pub struct RecordedAct {
    /// Line of the file, from 1.
    pub line: u64,
    /// The act.
    pub act: Act,
    /// Claims of the record about what the referee said.
    pub claim: Claim,
    /// Time left on the mover's clock after the act.
    pub clock: Option<Duration>,
}

/// Something done in a game.
#[derive(Clone, PartialEq, Debug)]
pub enum Act {
    /// Something asked of the referee.
    Asked(Asked),
    /// A refused try that a remark in a PGN mentions.
    Refused {
        /// The player who tried.
        by: Color,
        /// The try as written.
        text: String,
    },
    /// The end of the game according to the tags, the last comment and the result of a PGN.
    Ended {
        /// What the file says, one claim for each place; at least one.
        claims: Vec<EndClaim>,
        /// Whether the record has a log. If it has one, the log must end in the same way.
        logged: bool,
    },
}

/// What a record claims about an act.
#[derive(Clone, Debug, Default)]
pub struct Claim {
    /// The answer.
    pub answered: Option<Answered>,
    /// What White, Black and the spectators heard.
    pub heard: Option<ByListener<Vec<Heard>>>,
    /// Event of the log.
    pub event: Option<Event>,
    /// Remark that follows a move.
    pub remark: Option<Remark>,
    /// True position after the act, as FEN.
    pub fen: Option<String>,
}

impl Claim {
    /// Checks whether the record claims nothing about what the referee said.
    pub fn is_empty(&self) -> bool {
        self.answered.is_none()
            && self.heard.is_none()
            && self.event.is_none()
            && self.remark.is_none()
    }
}

/// Error: a game cannot be read.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum RecordedGameError {
    /// The game is in PGN and damaged.
    #[error(transparent)]
    Pgn(#[from] Damaged),
    /// The game is one player's view, which does not contain all moves.
    #[error(
        "line {line}: this is one player's view, in which moves are hidden; it cannot be judged"
    )]
    View {
        /// Line on which the game begins.
        line: u64,
    },
    /// The text is not a valid transcript.
    #[error(transparent)]
    Transcript(#[from] ParseTranscriptError),
    /// The line is not valid JSON of the umpire's stream.
    #[error("line {line}: {why}")]
    Json {
        /// Line of the file, from 1.
        line: u64,
        /// Description of the fault.
        why: String,
    },
    /// The line or the file is longer than the limit of its format.
    #[error("line {line}: longer than {most} bytes, so this is not a game")]
    TooLong {
        /// Line of the file, from 1.
        line: u64,
        /// Limit, in bytes.
        most: usize,
    },
    /// The transcript is not UTF-8.
    #[error("line {line}: the file is not UTF-8; write it in that encoding")]
    NotUtf8 {
        /// Line of the file with the first invalid byte, from 1.
        line: u64,
    },
}

impl RecordedGameError {
    /// Returns the line of the fault in the file, from 1.
    pub const fn line(&self) -> u64 {
        match self {
            RecordedGameError::Pgn(Damaged { line, .. })
            | RecordedGameError::View { line }
            | RecordedGameError::Json { line, .. }
            | RecordedGameError::TooLong { line, .. }
            | RecordedGameError::NotUtf8 { line } => *line,
            RecordedGameError::Transcript(error) => error.line as u64,
        }
    }
}

/// Error: a game cannot be opened under a ruleset.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum OpeningError {
    /// The record names no ruleset.
    #[error("the game does not name its ruleset; --rules names the ruleset, as in --rules wild16")]
    NoRules,
    /// The record names a ruleset that is not built in.
    #[error("the ruleset `{0}` of this game is not built in; --rules FILE.toml gives it")]
    UnknownRules(String),
    /// The start position is invalid.
    #[error("the start position: {0}")]
    Start(FenError),
    /// A switch does not exist.
    #[error(transparent)]
    Switch(SwitchError),
}

impl RecordedGame {
    /// Returns the opening event of the game, under its own ruleset.
    ///
    /// # Errors
    /// The record names no ruleset or an unknown ruleset, its start position is invalid, or
    /// a switch does not exist.
    pub fn opening(&self) -> Result<Opened, OpeningError> {
        if let Some(opened) = &self.opened {
            return Ok((**opened).clone());
        }
        let id = self.rules.as_deref().ok_or(OpeningError::NoRules)?;
        let ruleset = rulesets::by_id(id)
            .ok_or_else(|| OpeningError::UnknownRules(id.chars().take(40).collect()))?;
        self.opening_under(ruleset)
    }

    /// Returns the opening event of the game under another ruleset. If that ruleset
    /// always announces mate and stalemate, the switches `mate` and `no-mate` are
    /// ignored.
    ///
    /// # Errors
    /// The start position is invalid, or a switch does not exist.
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
