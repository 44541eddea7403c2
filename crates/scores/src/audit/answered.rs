//! What an umpire notes beside an attempt: the answer, and for nonsense the
//! row of the table of verdicts.

use referee::{Event, Game, Opened};
use rules::{
    Announcement, Answer, Calls, Heard, NonsenseRow, SeatVerdict, Tries, Try, TurnState, Verdict,
    chess::Color, seat_verdict,
};

use super::finding::What;
use crate::{Answered, truth::Truth};

/// What the player to move knows of the current turn, besides the game.
#[derive(Clone, Debug)]
pub(crate) struct Turn {
    state: TurnState,
    pub(crate) truth: Truth,
}

impl Turn {
    /// At the opening of a game.
    pub(crate) fn of(opened: &Opened, game: &Game) -> Turn {
        let mut turn = Turn {
            state: TurnState::default(),
            truth: Truth::of(opened),
        };
        turn.begin(&game.opening_calls());
        turn
    }

    fn begin(&mut self, calls: &Calls) {
        let (mut check, mut tries) = (None, Tries::Untold);
        for call in calls {
            match call.heard {
                Heard::Announced(Announcement::Check { directions }) => check = Some(directions),
                Heard::Announced(Announcement::Tries(told)) => tries = told,
                Heard::Reply(_)
                | Heard::Lost { .. }
                | Heard::Announced(_)
                | Heard::Draw(_)
                | Heard::Over(_) => {}
            }
        }
        self.state.begin(check, tries);
    }

    /// Which row makes a try nonsense.
    pub(crate) fn row(&self, game: &Game, by: Color, what: Try) -> Option<NonsenseRow> {
        let own = self.truth.position.own(by);
        match seat_verdict(game.choices(), &own, &self.state, what) {
            SeatVerdict::Nonsense(row) => Some(row),
            SeatVerdict::Open | SeatVerdict::RepeatNo | SeatVerdict::No => None,
        }
    }

    /// Takes note of an event; `game` is as before it.
    pub(crate) fn note(&mut self, game: &Game, event: &Event, calls: &Calls) {
        match *event {
            Event::Moved { .. } => {
                self.truth.apply(event);
                self.begin(calls);
            }
            Event::Rebuffed {
                by, what, verdict, ..
            } => {
                if verdict == Verdict::No {
                    let own = self.truth.position.own(by);
                    let capture = own.is_pawn_capture(what);
                    self.state.refused(game.choices(), capture, what);
                }
            }
            Event::Any { answer, .. } => {
                if let Some(answer) = answer {
                    self.state.any_answered(game.choices(), answer);
                }
            }
            Event::Opened(_)
            | Event::Count { .. }
            | Event::Recap { .. }
            | Event::Resigned { .. }
            | Event::Offered { .. }
            | Event::Agreed { .. }
            | Event::Declined { .. }
            | Event::Withdrew { .. }
            | Event::Flagged { .. }
            | Event::Left { .. }
            | Event::Aborted => {}
        }
    }

    /// What an umpire notes beside an event.
    pub(crate) fn answered(&self, game: &Game, event: &Event) -> Option<Answered> {
        let row = if let Event::Rebuffed {
            by,
            what,
            verdict: Verdict::Nonsense,
            ..
        } = *event
        {
            self.row(game, by, what).map(NonsenseRow::number)
        } else {
            None
        };
        event.answer().map(|answer| Answered::Ruled { answer, row })
    }
}

/// What an answer is about.
pub(super) const fn about(answer: Answer) -> What {
    match answer {
        Answer::Moved | Answer::No | Answer::RepeatNo | Answer::Nonsense => What::Verdict,
        Answer::Yes | Answer::None => What::Any,
        Answer::Count => What::Rebuffs,
        Answer::Recap => What::Recap,
        Answer::Offered | Answer::Declined | Answer::Withdrawn => What::Draw,
        Answer::Resigned | Answer::Drawn | Answer::Flag | Answer::Gone | Answer::Aborted => {
            What::Over
        }
    }
}
