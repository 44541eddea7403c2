//! Reads the record of a game from PGN.

use referee::Event;
use rules::{Attempt, Try, chess::Color};

use crate::{
    Asked,
    pgn::{Begun, PgnGame, Shown, named_rules},
    recorded_game::{
        Act, Claim, EndClaim, MATE_SIGN, RecordedAct, RecordedGame, RecordedGameError,
    },
};

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
            rules: named_rules(&game.tags).map(str::to_owned),
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
        let mut claims = EndClaim::all(&game);
        if logged {
            // The tags of a game with a log are compared word by word.
            claims.retain(|claim| !matches!(claim.place, "[Result]" | "[Termination]" | MATE_SIGN));
        }
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
        if !claims.is_empty() {
            recorded.acts.push(RecordedAct {
                line: recorded.acts.last().map_or(game.line, |told| told.line),
                act: Act::Ended { claims, logged },
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
