//! Reads the record of a game from PGN.

use referee::Event;
use rules::{Attempt, Reason, Try, Winner, chess::Color};

use crate::{
    Asked,
    pgn::{Begun, PgnGame, Shown},
    recorded_game::{Act, Claim, RecordedAct, RecordedGame, RecordedGameError},
};

/// Texts that game archives use for the reason of an end. If a tag or comment contains several
/// of them, the first one in this list is used.
const ENDINGS: [(&str, Reason); 15] = [
    ("checkmate", Reason::Checkmate),
    ("stalemate", Reason::Stalemate),
    ("resign", Reason::Resignation),
    ("repetition", Reason::Threefold),
    ("threefold", Reason::Threefold),
    ("50", Reason::Fifty),
    ("fifty", Reason::Fifty),
    ("material", Reason::Insufficient),
    ("agree", Reason::Agreement),
    ("mutual", Reason::Agreement),
    ("on time", Reason::Time),
    ("time forfeit", Reason::Time),
    ("ran out of time", Reason::Time),
    ("disconnect", Reason::Abandoned),
    ("abandon", Reason::Abandoned),
];

fn reason(text: &str) -> Option<Reason> {
    let text = text.to_ascii_lowercase();
    ENDINGS
        .iter()
        .find(|(word, _)| text.contains(word))
        .map(|(_, reason)| *reason)
}

impl RecordedGame {
    /// Converts a game of a PGN file to a record.
    ///
    /// # Errors
    /// The game is the view of one player.
    pub fn from_pgn(game: PgnGame) -> Result<RecordedGame, RecordedGameError> {
        let view = RecordedGameError::View { line: game.line };
        let Begun::From(start) = &game.begun else {
            return Err(view);
        };
        let (title, source) = (
            game.tags.get("Event").filter(|e| *e != "?").unwrap_or(""),
            game.tags.get("Source").unwrap_or(""),
        );
        let mut recorded = RecordedGame {
            line: game.line,
            title: title.to_owned(),
            source: source.to_owned(),
            rules: game.tags.get("Rules").map(str::to_owned),
            fen: game.tags.get("FEN").map(|_| start.fen()),
            opened: game.opened.clone(),
            comments: usize::from(!game.before.text.is_empty()),
            ..RecordedGame::default()
        };
        let logged = game.opened.is_some();
        if logged {
            recorded
                .acts
                .extend(recorded_acts(&game.before.events, game.line));
        }
        let ended = if logged {
            game.result.map(|winner| Act::Ended {
                winner,
                reason: None,
                logged,
            })
        } else {
            ending(&game)
        };
        for ply in game.plies {
            let Shown::Move(t) = ply.shown else {
                return Err(view);
            };
            recorded.comments += usize::from(!ply.note.text.is_empty());
            let first = recorded.acts.len();
            if logged {
                recorded
                    .acts
                    .extend(recorded_acts(&ply.note.events, ply.line));
                let own = recorded.acts[first..]
                    .iter_mut()
                    .find(|told| matches!(told.claim.event, Some(Event::Moved { .. })));
                if let Some(own) = own {
                    own.claim.remark = ply.note.remark;
                    own.clock = ply.note.clock;
                }
                continue;
            }
            if let Some(remark) = &ply.note.remark {
                recorded
                    .acts
                    .extend(remark.refused.iter().map(|text| RecordedAct {
                        line: ply.line,
                        act: Act::Refused {
                            by: ply.by,
                            text: text.clone(),
                        },
                        claim: Claim::default(),
                        clock: None,
                    }));
            }
            recorded.acts.push(RecordedAct {
                line: ply.line,
                act: Act::Asked(moved(ply.by, t)),
                claim: Claim {
                    remark: ply.note.remark,
                    ..Claim::default()
                },
                clock: ply.note.clock,
            });
        }
        if let Some(act) = ended {
            recorded.acts.push(RecordedAct {
                line: recorded.acts.last().map_or(game.line, |told| told.line),
                act,
                claim: Claim::default(),
                clock: None,
            });
        }
        recorded.tags = game.tags;
        Ok(recorded)
    }
}

fn moved(by: Color, t: Try) -> Asked {
    Asked::Attempt {
        by,
        attempt: Attempt::Try(t),
    }
}

fn recorded_acts(events: &[Event], line: u64) -> impl Iterator<Item = RecordedAct> {
    events.iter().filter_map(move |event| {
        Some(RecordedAct {
            line,
            act: Act::Asked(event.cause()?.into()),
            claim: Claim {
                event: Some(event.clone()),
                ..Claim::default()
            },
            clock: None,
        })
    })
}

/// Returns the end of a game according to its result, the tags `ICCResult` and
/// `Termination`, and the last comment. Returns `None` if the game has no result, or the result `*`.
fn ending(game: &PgnGame) -> Option<Act> {
    let winner = game
        .result
        .or_else(|| game.tags.get("Result").and_then(Winner::from_score))?;
    if winner == Winner::Unfinished {
        return None;
    }
    let last = game.plies.last().map_or(&game.before, |ply| &ply.note);
    let texts = [
        game.tags.get("ICCResult"),
        Some(last.text.as_str()),
        game.tags.get("Termination"),
    ];
    Some(Act::Ended {
        winner,
        reason: texts.into_iter().flatten().find_map(reason),
        logged: false,
    })
}
