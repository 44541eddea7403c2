//! A score as the record of a game.

use referee::StartPosition;
use rules::{Ruleset, rulesets};

use super::{file::ScoreFile, stop::Stop, write::TranscriptError};
use crate::{ParseTranscriptError, RecordedGame};

/// Error: a score is not a game under a ruleset.
#[derive(Clone, Debug, thiserror::Error)]
pub enum RecordedScoreError {
    /// Neither the caller nor the file names the ruleset.
    #[error("a score does not say what was announced; name the ruleset")]
    NoRules,
    /// A move cannot be played.
    #[error("{0}")]
    Stop(Box<Stop>),
    /// The referee does not play a move under the ruleset.
    #[error(transparent)]
    Refused(#[from] TranscriptError),
    /// The transcript of the game cannot be read again.
    #[error(transparent)]
    Transcript(#[from] ParseTranscriptError),
}

impl ScoreFile {
    /// Returns the record of the game, with what the referee would have announced under a ruleset,
    /// or under the file's own one; `None` if the file is no score.
    ///
    /// # Errors
    /// No ruleset is known, or the score cannot be played under it.
    pub fn recorded(
        &self,
        title: &str,
        ruleset: Option<&Ruleset>,
    ) -> Result<Option<RecordedGame>, RecordedScoreError> {
        let given = ruleset.or_else(|| self.tag("Rules").and_then(rulesets::by_id));
        let choices = given.map_or(&rulesets::RAND.choices, |ruleset| &ruleset.choices);
        let fen = self.tag("FEN");
        let fen = fen.map(|fen| StartPosition::from_fen(fen, choices));
        let Ok(start) = fen.unwrap_or_else(|| Ok(StartPosition::initial())) else {
            return Ok(None);
        };
        if !self.is_score(start.clone(), choices) {
            return Ok(None);
        }
        let ruleset = given.ok_or(RecordedScoreError::NoRules)?;
        let score = self
            .play(start, choices)
            .map_err(RecordedScoreError::Stop)?;
        let transcript = score.transcript(ruleset, title, "a score", Vec::new())?;
        let mut game = RecordedGame::from_transcript(&transcript.to_string())?;
        for (key, value) in &self.tags {
            game.tags.set(key, value);
        }
        Ok(Some(game))
    }
}
