//! The review of the turns of one player of a finished game, while it is computed in parts.

use bots::{Lapse, Odds, ReviewedTurn, TurnReview, accuracy};
use rules::chess::Color;
use scores::{RecordedHeard, SeatRecord};
use wire::{LapseJson, OddsJson, TurnWorthJson, TurnsJson};

/// The review of one player's turns.
#[derive(Debug)]
pub struct TurnWork {
    seat: Color,
    review: TurnReview,
    heard: std::vec::IntoIter<RecordedHeard>,
    all: usize,
    /// Number of completed moves of both sides.
    moves: u32,
    /// The turns, each with the number of completed moves before it.
    turns: Vec<(u32, ReviewedTurn)>,
}

impl TurnWork {
    /// Begins the review of what a player heard. `nodes` is the work for one turn: the number of
    /// positions that are valued.
    ///
    /// # Errors
    /// Says why the start is not possible.
    pub fn new(record: SeatRecord, nodes: u64) -> Result<TurnWork, String> {
        let SeatRecord {
            seat,
            choices,
            start,
            fen,
            heard,
            ..
        } = record;
        Ok(TurnWork {
            seat,
            review: TurnReview::open(choices, seat, &start, fen.as_deref(), nodes)?,
            all: heard.len(),
            heard: heard.into_iter(),
            moves: 0,
            turns: Vec::new(),
        })
    }

    /// Reviews turns until `may_continue`, which is called before each hearing, returns false.
    /// Returns whether the work is done.
    pub fn advance(&mut self, mut may_continue: impl FnMut() -> bool) -> bool {
        while self.heard.len() > 0 && may_continue() {
            let Some(heard) = self.heard.next() else {
                break;
            };
            if let Some(turn) = self.review.hear(&heard.heard) {
                self.turns.push((self.moves, turn));
            }
            self.moves = u32::try_from(heard.moves).unwrap_or(u32::MAX);
        }
        self.heard.len() == 0
    }

    /// Returns the number of reviewed hearings, and the number of all hearings.
    pub fn progress(&self) -> (usize, usize) {
        (self.all - self.heard.len(), self.all)
    }

    /// Returns the turns that are reviewed so far, without the first `skipped` ones.
    pub fn turns(&self, skipped: usize) -> impl Iterator<Item = TurnWorthJson> {
        let turns = self.turns.iter().skip(skipped);
        turns.map(|(moves, turn)| turn_json(*moves, turn))
    }

    /// Returns the review of the turns so far.
    pub fn finish(self) -> TurnsJson {
        let reviewed = self.turns.iter().map(|(_, turn)| turn);
        TurnsJson {
            seat: self.seat.into(),
            accuracy: accuracy(reviewed).map(|percent| percent.round() as u8),
            turns: self.turns(0).collect(),
            complete: self.heard.len() == 0,
        }
    }
}

/// Describes a turn before which both sides had completed this number of moves.
pub fn turn_json(moves: u32, turn: &ReviewedTurn) -> TurnWorthJson {
    let hundredths = |value: f32| (value * 100.0).round() as i32;
    TurnWorthJson {
        turn: turn.turn,
        moves,
        made: turn.made.to_string(),
        best: turn.best.map(|best| best.to_string()),
        ask_any: turn.asks,
        forced_mate: turn.is_mate,
        value: turn.worth.map(|worth| hundredths(worth.made)),
        best_value: turn.worth.map(|worth| hundredths(worth.best)),
        legal: turn.worth.map(|worth| percent(worth.legal)),
        marked: turn.is_marked(),
        lapses: turn.lapses.iter().map(lapse_json).collect(),
    }
}

/// Describes what an attempt does.
pub fn odds_json(odds: &Odds) -> OddsJson {
    OddsJson {
        played: percent(odds.played),
        captures: percent(odds.captures),
        retaken: percent(odds.retaken),
        exposed: percent(odds.exposed),
        checks: percent(odds.checks),
        mates: percent(odds.mates),
        draws: percent(odds.draws),
    }
}

fn lapse_json(lapse: &Lapse) -> LapseJson {
    match *lapse {
        Lapse::Retaken { share } => LapseJson::Retaken {
            percent: percent(share),
        },
        Lapse::PawnTry => LapseJson::PawnTry,
        Lapse::Draw { share } => LapseJson::Draw {
            percent: percent(share),
        },
        Lapse::Free { share } => LapseJson::Free {
            percent: percent(share),
        },
        Lapse::AskAny { share } => LapseJson::AskAny {
            percent: percent(share),
        },
        Lapse::Known {
            role,
            square,
            share,
        } => LapseJson::Known {
            man: role.into(),
            square: square.to_string(),
            percent: percent(share),
        },
    }
}

/// Rounds a share; only 1 becomes 100.
fn percent(share: f32) -> u8 {
    let rounded = (share * 100.0).round() as u8;
    if share < 1.0 { rounded.min(99) } else { 100 }
}
