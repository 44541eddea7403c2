//! A turn of a finished game that is tried again: what the player had heard before it, and what
//! another attempt was worth in the positions that were possible.

use bots::{OwnTurns, TurnReview};
use club::table::ListenerState;
use rules::{Attempt, Heard, Listener, chess::Color};
use scores::SeatRecord;
use wire::{ProblemOutcomeJson, RefusalCode, RetriedJson, RetryJson, named_choices};

use crate::{
    problems::{examined, hear},
    refusal::Refusal,
    turns::{odds_json, turn_json},
};

/// A turn that is tried again.
pub struct Retry {
    seat: Color,
    ears: ListenerState,
    review: TurnReview,
    /// What the player had heard before the turn.
    heard: Vec<Heard>,
    /// Number of completed moves of both sides.
    moves: u32,
    /// The turn before an attempt.
    pub json: RetryJson,
}

impl Retry {
    /// Opens a turn. Returns `None` if the player has no turn with this number, or if the record
    /// cannot be reviewed.
    pub fn open(record: SeatRecord, turn: u32, nodes: u64) -> Option<Retry> {
        let SeatRecord {
            seat,
            choices,
            start,
            fen,
            mut heard,
            ..
        } = record;
        let mut turns = OwnTurns::open(choices, seat, &start);
        let at = heard.iter().position(|one| {
            let first = turns.first(&one.heard);
            turns.hear(&one.heard);
            first.is_some_and(|(number, _)| number == turn)
        })?;
        heard.truncate(at);
        let moves = heard.last().map_or(0, |one| one.moves);
        let heard: Vec<Heard> = heard.into_iter().map(|one| one.heard).collect();
        let review = TurnReview::open(choices, seat, &start, fen.as_deref(), nodes).ok()?;
        let mut ears = ListenerState::new(Listener::from(seat), choices);
        hear(&mut ears, Some(start), &heard);
        let hearings = ears.hearings().iter();
        let json = RetryJson {
            seat: seat.into(),
            choices: named_choices(&choices),
            attempts: Vec::new(),
            hearings: hearings
                .map(|hearing| present::hearing(hearing, &choices, Listener::from(seat)))
                .collect(),
            view: present::seat_view(&ears.seat_view()?),
            outcome: ProblemOutcomeJson::Open,
            found: None,
        };
        Some(Retry {
            seat,
            ears,
            review,
            heard,
            moves: u32::try_from(moves).unwrap_or(u32::MAX),
            json,
        })
    }

    /// Reads an attempt: a move that the player could expect to be legal, or Any?.
    ///
    /// # Errors
    /// Says why the text is no such attempt.
    pub fn read(&self, text: &str) -> Result<Attempt, Refusal> {
        let attempt = examined(&self.ears, self.seat, text)?;
        if let Attempt::Px { .. } = attempt {
            let why = "here only moves and `any`";
            return Err(Refusal::new(RefusalCode::NotUnderstood, why).because("problem-words"));
        }
        let view = self.ears.seat_view();
        let possible = view.as_ref().is_some_and(|seat| match attempt.as_try() {
            Some(t) => seat.view.tries().contains(&t),
            None => attempt == Attempt::Any && seat.words.contains(&"any"),
        });
        if possible {
            return Ok(attempt);
        }
        let why = "from what the player had heard, this attempt was impossible";
        Err(Refusal::new(RefusalCode::NotPossible, why).because("retry-impossible"))
    }
}

/// The review of an attempt, while it is computed in parts.
pub struct RetryWork {
    retry: Retry,
    made: Attempt,
    /// Number of things heard that the review has followed.
    followed: usize,
}

impl RetryWork {
    /// Begins the review of an attempt that was [read](Retry::read).
    pub fn new(retry: Retry, made: Attempt) -> RetryWork {
        RetryWork {
            retry,
            made,
            followed: 0,
        }
    }

    /// Continues until `may_continue`, which is called before each part, returns false. Returns
    /// whether the work is done.
    pub fn advance(&mut self, mut may_continue: impl FnMut() -> bool) -> bool {
        while self.retry.json.found.is_none() && may_continue() {
            match self.retry.heard.get(self.followed) {
                Some(heard) => self.retry.review.skip(heard),
                None => self.review(),
            }
            self.followed += 1;
        }
        self.retry.json.found.is_some()
    }

    fn review(&mut self) {
        let Retry {
            review,
            json,
            moves,
            ..
        } = &mut self.retry;
        let reviewed = review.attempt(self.made);
        let is_possible = self.made == Attempt::Any || reviewed.odds.played > 0.0;
        json.attempts = vec![self.made.to_string()];
        json.outcome = match is_possible && !reviewed.is_marked() {
            true => ProblemOutcomeJson::Solved,
            false => ProblemOutcomeJson::Refuted,
        };
        json.found = Some(RetriedJson {
            worth: turn_json(*moves, &reviewed),
            odds: odds_json(&reviewed.odds),
        });
    }

    /// Returns the number of parts that are done, and of all.
    pub fn progress(&self) -> (usize, usize) {
        (self.followed, self.retry.heard.len() + 1)
    }

    /// Returns the result; `None` if the work is not done.
    pub fn finish(self) -> Option<RetryJson> {
        let json = self.retry.json;
        json.found.is_some().then_some(json)
    }
}
