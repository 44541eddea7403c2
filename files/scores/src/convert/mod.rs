//! Converts games from one format to another.
//!
//! A record is replayed under its ruleset ([`follow`](crate::follow)) and written
//! in the target format. The result lists what the target format cannot hold, by
//! kind of [`Loss`]. A record that does not follow the rules is not converted; the
//! audit shows the reasons.

mod loss;
mod to_json;
mod to_transcript;

use std::time::Duration;

use rules::{Attempt, chess::Color};

use self::loss::lose;
pub use self::loss::{Loss, Losses};
use crate::{
    Asked, Tags,
    audit::{AnnouncementKind, Finding, Followed, Outcome, follow},
    pgn::{EndText, is_public, write_player, write_umpire},
    recorded_game::{Act, Form, OpeningError, RecordedGame},
};

/// Target format of a conversion.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Target {
    /// Our transcript.
    Transcript,
    /// PGN, the umpire's view.
    Pgn,
    /// PGN, the view of one player.
    PlayerPgn(Color),
    /// JSON lines of the umpire's stream.
    Json,
}

/// A converted game.
#[derive(Clone, Debug)]
pub struct Converted {
    /// Text of the game.
    pub text: String,
    /// Data that the target format cannot hold.
    pub losses: Losses,
    /// Assumptions made about unclear parts of the record, as (line of the file, text).
    pub notes: Vec<(u64, String)>,
}

/// Error: a game cannot be converted.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ConvertError {
    /// The game cannot be opened.
    #[error(transparent)]
    Opening(#[from] OpeningError),
    /// The record does not follow the rules.
    #[error("{0}; the record does not follow its rules: `kriegspiel audit` lists every difference")]
    Finding(Box<Finding>),
}

/// Converts a game. The game starts with `opened`, or with the start in the
/// record if `opened` is `None`.
///
/// # Errors
/// The record cannot be opened, or does not follow the rules.
pub fn convert(
    game: &RecordedGame,
    opened: Option<referee::Opened>,
    to: Target,
) -> Result<Converted, ConvertError> {
    let opened = match opened {
        Some(opened) => opened,
        None => game.opening()?,
    };
    let mut followed = follow(game, opened, true);
    // A disputed end is kept as it is written.
    let disputed = followed.end_disputed;
    let blocks = |finding: &&Finding| !(disputed && finding.what == AnnouncementKind::Over);
    if let Some(finding) = followed.findings.iter().find(blocks) {
        return Err(ConvertError::Finding(Box::new(finding.clone())));
    }
    let mut losses = Losses::new();
    if game.comments > 0 {
        losses.insert(Loss::Comments, (game.comments, game.line));
    }
    if let Some(finding) = followed.findings.first() {
        let words = format!(
            "the end is kept as it is written, because the file contradicts itself or the rules: said `{}`, should be `{}`",
            finding.recorded, finding.expected
        );
        followed.notes.push((finding.line, words));
        if matches!(to, Target::Transcript | Target::Json) {
            lose(&mut losses, Loss::End, finding.line);
        }
    }
    let text = match to {
        Target::Transcript => to_transcript::write(game, &followed, &mut losses),
        Target::Json => to_json::write(game, &followed, &mut losses),
        Target::Pgn | Target::PlayerPgn(_) => pgn(game, &followed, to, &mut losses),
    };
    Ok(Converted {
        text,
        losses,
        notes: followed.notes,
    })
}

impl Target {
    /// Returns the format in which the output can be read again; `None` for the view
    /// of one player.
    pub fn form(self) -> Option<Form> {
        match self {
            Target::Transcript => Some(Form::Transcript),
            Target::Pgn => Some(Form::Pgn),
            Target::Json => Some(Form::Json),
            Target::PlayerPgn(_) => None,
        }
    }
}

fn pgn(game: &RecordedGame, followed: &Followed, to: Target, losses: &mut Losses) -> String {
    let mut tags: Tags = game.tags.clone();
    if !game.title.is_empty() {
        tags.set("Event", &game.title);
    }
    if !game.source.is_empty() {
        tags.set("Source", &game.source);
    }
    let mut clocks: Vec<Option<Duration>> = Vec::new();
    for step in &followed.steps {
        match &step.outcome {
            Outcome::Ruled(event) => {
                if matches!(event, referee::Event::Moved { .. }) {
                    clocks.push(step.clock);
                }
            }
            Outcome::Refused(_) => lose(losses, Loss::Refusals, step.line),
            Outcome::Unread => lose(losses, Loss::Unread, step.line),
        }
        if is_px(&step.asked) {
            lose(losses, Loss::Px, step.line);
        }
    }
    let mut text = String::new();
    let kept = followed.end_disputed.then(|| kept_end(game));
    match to {
        Target::PlayerPgn(player) => {
            lose(losses, Loss::Unseen, game.line);
            if !tags.0.iter().all(|tag| is_public(&tag.name)) {
                lose(losses, Loss::Tags, game.line);
            }
            let log = followed.log();
            write_player(&mut text, &tags, &log, &clocks, player, kept.as_ref());
        }
        Target::Pgn | Target::Transcript | Target::Json => {
            write_umpire(&mut text, &tags, &followed.log(), &clocks, kept.as_ref());
        }
    }
    text
}

/// Returns what the file says about the end of the game.
fn kept_end(game: &RecordedGame) -> EndText {
    let tag = |name| game.tags.get(name).map(str::to_owned);
    let after_moves = game.acts.iter().find_map(|told| match &told.act {
        Act::Ended { claims, .. } => claims.iter().find(|claim| claim.place == "result"),
        Act::Asked(_) | Act::Refused { .. } => None,
    });
    let result = after_moves.map_or_else(|| "*".to_owned(), |claim| claim.text.clone());
    EndText {
        tag: tag("Result").unwrap_or_else(|| result.clone()),
        termination: tag("Termination"),
        result,
    }
}

fn is_px(asked: &Asked) -> bool {
    matches!(
        asked,
        Asked::Attempt {
            attempt: Attempt::Px { .. },
            ..
        }
    )
}
