//! What one seat heard, according to the record.

use referee::{Event, Game, Opened};
use rules::{
    Calls, Choices, Heard, Listener, Start,
    chess::{ByRole, Color},
};
use wire::ParsedHeard;

use super::{
    claims::claims_move,
    columns::plain,
    finding::Finding,
    follow::{Outcome, follow},
};
use crate::{
    Asked,
    recorded_game::{Act, Claim, RecordedGame},
};

/// What one seat of a recorded game heard, in order.
///
/// If the record says what was heard, the words of the record are used, even if they contradict the
/// rules. The findings list these contradictions. If the record does not say what was heard, the
/// referee's announcements are used. [`SeatRecord::of_player`] reads a player's own file, which has
/// only what this player heard.
#[derive(Clone, Debug)]
pub struct SeatRecord {
    /// The seat.
    pub seat: Color,
    /// The choices of the ruleset. Of a player's own file: only as much as the file tells.
    pub choices: Choices,
    /// What the seat heard of the start.
    pub start: Start,
    /// The start position as FEN, which both players know. `None` if the file has only the seat's
    /// own men.
    pub fen: Option<String>,
    /// The opponent's men at the start, which stood on unknown squares, if `fen` is `None` and they
    /// are known.
    pub their_men: Option<ByRole<u8>>,
    /// The side that moves first.
    pub first: Color,
    /// Whether the announcements after the seat's own moves are unknown.
    pub own_untold: bool,
    /// What the seat heard.
    pub heard: Vec<RecordedHeard>,
    /// Number of completed moves of both sides.
    pub moves: usize,
    /// Announcements that do not follow the rules.
    pub findings: Vec<Finding>,
    /// Whether, according to the record, the seat heard anything that differs from the referee's
    /// announcements.
    pub departs: bool,
    /// First line of the record that could not be judged, and the reason; `None` if the whole
    /// record was judged.
    pub unjudged: Option<(u64, String)>,
}

/// One thing that a seat heard.
#[derive(Clone, Debug)]
pub struct RecordedHeard {
    /// Line of the file.
    pub line: u64,
    /// Index of the act that caused the announcement.
    pub act: usize,
    /// Number of completed moves after this act.
    pub moves: usize,
    /// Item that was heard.
    pub heard: Heard,
}

impl SeatRecord {
    /// Returns what `seat` heard in a record. The game starts with `opened`.
    pub fn of(recorded: &RecordedGame, opened: Opened, seat: Color) -> SeatRecord {
        let listener = Listener::from(seat);
        let followed = follow(recorded, opened.clone(), false);
        let mut notes = followed.notes.iter().rev();
        let unjudged = followed.lost.map(|act| {
            let line = recorded.acts[act].line;
            let note = notes.find(|(noted, _)| *noted == line);
            (
                line,
                note.map(|(_, words)| words.clone()).unwrap_or_default(),
            )
        });
        let fen = opened.start.fen();
        let mut game = Game::open(opened);
        let mut record = SeatRecord {
            seat,
            choices: *game.choices(),
            start: game.start(listener),
            fen: Some(fen),
            their_men: None,
            first: game.turn(),
            own_untold: false,
            heard: Vec::new(),
            moves: 0,
            findings: followed.findings,
            departs: false,
            unjudged,
        };
        let opening = recorded
            .acts
            .first()
            .filter(|told| told.act == Act::Asked(Asked::Start));
        let claim = opening.map(|told| &told.claim);
        let opening = record.heard_of_act(&game, &game.opening_calls(), claim, listener);
        let line = recorded
            .acts
            .first()
            .map_or(recorded.line, |told| told.line);
        record.push(line, 0, opening);
        let mut last_act = None;
        for step in &followed.steps {
            // One act of the record can have several steps. Then the answer in the record belongs
            // to the first step.
            let is_first = last_act.replace(step.act) != Some(step.act);
            let claim = Some(&recorded.acts[step.act].claim).filter(|_| is_first);
            let calls = match &step.outcome {
                Outcome::Ruled(event) => game.calls(event),
                Outcome::Refused(_) | Outcome::Unread => Calls::new(),
            };
            let claimed = record.heard_of_act(&game, &calls, claim, listener);
            if let Outcome::Ruled(event) = &step.outcome {
                record.moves += usize::from(matches!(event, Event::Moved { .. }));
                game.apply(event);
            }
            record.push(step.line, step.act, claimed);
        }
        let unjudged = followed.lost.map_or(&[][..], |act| &recorded.acts[act..]);
        for (act, told) in (followed.lost.unwrap_or(0)..).zip(unjudged) {
            // After an act that could not be judged, the true position is unknown, so only the
            // words of the record are used.
            let Some(columns) = &told.claim.heard else {
                break;
            };
            let claimed = spoken(columns.get(listener), game.choices());
            record.moves += usize::from(claims_move(&told.claim) == Some(true));
            record.push(told.line, act, claimed);
        }
        record
    }

    fn push(&mut self, line: u64, act: usize, claimed: Vec<Heard>) {
        let moves = self.moves;
        self.heard
            .extend(claimed.into_iter().map(|heard| RecordedHeard {
                line,
                act,
                moves,
                heard,
            }));
    }

    /// Returns what the listener heard of an act. If the record differs from the referee's
    /// announcements, the words of the record are returned. Otherwise, or if the record says
    /// nothing, the referee's announcements are returned.
    fn heard_of_act(
        &mut self,
        game: &Game,
        calls: &Calls,
        claim: Option<&Claim>,
        listener: Listener,
    ) -> Vec<Heard> {
        let to_listener = |calls: &Calls| -> Vec<Heard> {
            let heard = calls.iter().filter(|call| call.audience.includes(listener));
            heard.map(|call| call.heard).collect()
        };
        let expected = to_listener(calls);
        let claimed = match claim {
            None => return expected,
            Some(Claim {
                heard: Some(columns),
                ..
            }) => columns.get(listener).clone(),
            Some(Claim {
                event: Some(event), ..
            }) => to_listener(&game.calls(event)),
            Some(_) => return expected,
        };
        let is_same = expected.iter().map(plain).eq(claimed.iter().map(plain));
        if is_same {
            expected
        } else {
            self.departs = true;
            spoken(&claimed, game.choices())
        }
    }
}

/// Returns what was heard according to the record. The choices decide what the words of the record
/// mean; see [`ParsedHeard::under`].
fn spoken(claimed: &[Heard], choices: &Choices) -> Vec<Heard> {
    let under = |heard: &Heard| match ParsedHeard::Heard(*heard).under(choices) {
        ParsedHeard::Heard(heard) => Some(heard),
        ParsedHeard::Start(_) => None,
    };
    claimed.iter().filter_map(under).collect()
}
