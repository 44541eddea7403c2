//! Reads the record of a game from a transcript.

use crate::{
    Entry, ParseTranscriptError, Transcript,
    recorded_game::{Act, Claim, RecordedAct, RecordedGame},
};

impl RecordedGame {
    /// Reads the record of a game from a transcript. Line numbers refer to `text`.
    ///
    /// # Errors
    /// The text is not a transcript.
    pub fn from_transcript(text: &str) -> Result<RecordedGame, ParseTranscriptError> {
        let transcript: Transcript = text.parse()?;
        let mut game = RecordedGame {
            line: 1,
            title: transcript.header.title,
            source: transcript.header.source,
            rules: Some(transcript.header.rules),
            switches: transcript.header.game,
            fen: transcript.header.fen,
            ..RecordedGame::default()
        };
        let below = (1..)
            .zip(text.lines())
            .skip_while(|(_, line)| !line.trim().is_empty())
            .skip(1);
        let mut headed = false;
        let mut numbers = below.filter(|(_, line)| {
            let heading = !headed
                && line.contains('|')
                && line.split('|').map(str::trim).eq(crate::print::HEADING);
            headed |= heading;
            !heading
        });
        for entry in transcript.entries {
            let line = numbers.next().map_or(0, |(number, _)| number);
            match entry {
                Entry::Blank => {}
                Entry::Comment(_) => game.comments += 1,
                Entry::Line(told) => game.acts.push(RecordedAct {
                    line,
                    act: Act::Asked(told.asked),
                    claim: Claim {
                        answered: told.answered,
                        heard: told.heard,
                        ..Claim::default()
                    },
                    clock: None,
                }),
            }
        }
        Ok(game)
    }
}
