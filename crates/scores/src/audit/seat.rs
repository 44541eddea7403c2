//! What one seat heard, by the record.

use referee::{Event, Game, Opened};
use rules::{Calls, Choices, Heard, Listener, chess::Color};
use wire::ParsedHeard;

use super::{
    claims::claims_move,
    columns::plain,
    finding::Finding,
    follow::{Outcome, follow},
};
use crate::{
    Asked,
    account::{Account, Act, Claim},
};

/// What one seat of a recorded game heard, in order.
///
/// Where the record says what was heard, that is kept, also where it departs
/// from the rules: the findings tell where. Where it does not, the referee's
/// announcements stand for it.
#[derive(Clone, Debug)]
pub struct SeatRecord {
    /// The game as it opened.
    pub game: Game,
    /// What the seat heard.
    pub heard: Vec<RecordedHeard>,
    /// Number of completed moves of both sides.
    pub moves: usize,
    /// Announcements that do not follow the rules.
    pub findings: Vec<Finding>,
    /// Whether the seat heard something else than the referee would have said.
    pub departs: bool,
    /// Line from which on the record could not be judged, and why.
    pub unjudged: Option<(u64, String)>,
}

/// One thing that a seat heard.
#[derive(Clone, Debug)]
pub struct RecordedHeard {
    /// The line of the file.
    pub line: u64,
    /// Index of the act upon which it was heard.
    pub act: usize,
    /// Number of completed moves, that of this act included.
    pub moves: usize,
    /// Item that was heard.
    pub heard: Heard,
}

impl SeatRecord {
    /// What that seat heard of a record that is opened so.
    pub fn of(account: &Account, opened: Opened, seat: Color) -> SeatRecord {
        let listener = Listener::from(seat);
        let followed = follow(account, opened.clone(), false);
        let mut notes = followed.notes.iter().rev();
        let unjudged = followed.lost.map(|act| {
            let line = account.told[act].line;
            let note = notes.find(|(noted, _)| *noted == line);
            (
                line,
                note.map(|(_, words)| words.clone()).unwrap_or_default(),
            )
        });
        let mut game = Game::open(opened);
        let mut record = SeatRecord {
            game: game.clone(),
            heard: Vec::new(),
            moves: 0,
            findings: followed.findings,
            departs: false,
            unjudged,
        };
        let opening = account
            .told
            .first()
            .filter(|told| told.act == Act::Asked(Asked::Start));
        let claim = opening.map(|told| &told.claim);
        let opening = record.said(&game, &game.opening_calls(), claim, listener);
        let line = account.told.first().map_or(account.line, |told| told.line);
        record.push(line, 0, opening);
        let mut last_act = None;
        for step in &followed.steps {
            // What is claimed of an act is claimed once.
            let is_first = last_act.replace(step.act) != Some(step.act);
            let claim = Some(&account.told[step.act].claim).filter(|_| is_first);
            let calls = match &step.outcome {
                Outcome::Ruled(event) => game.calls(event),
                Outcome::Refused(_) | Outcome::Unread => Calls::new(),
            };
            let said = record.said(&game, &calls, claim, listener);
            if let Outcome::Ruled(event) = &step.outcome {
                record.moves += usize::from(matches!(event, Event::Moved { .. }));
                game.apply(event);
            }
            record.push(step.line, step.act, said);
        }
        let unjudged = followed.lost.map_or(&[][..], |act| &account.told[act..]);
        for (act, told) in (followed.lost.unwrap_or(0)..).zip(unjudged) {
            // Without the truth only the record's own words are left.
            let Some(columns) = &told.claim.heard else {
                break;
            };
            let said = spoken(columns.get(listener), game.choices());
            record.moves += usize::from(claims_move(&told.claim) == Some(true));
            record.push(told.line, act, said);
        }
        record
    }

    fn push(&mut self, line: u64, act: usize, said: Vec<Heard>) {
        let moves = self.moves;
        self.heard
            .extend(said.into_iter().map(|heard| RecordedHeard {
                line,
                act,
                moves,
                heard,
            }));
    }

    /// What the listener heard upon an act: by the record, if it says another
    /// thing than the referee.
    fn said(
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
        let should = to_listener(calls);
        let said = match claim {
            None => return should,
            Some(Claim {
                heard: Some(columns),
                ..
            }) => columns.get(listener).clone(),
            Some(Claim {
                event: Some(event), ..
            }) => to_listener(&game.calls(event)),
            Some(_) => return should,
        };
        let is_same = should.iter().map(plain).eq(said.iter().map(plain));
        if is_same {
            should
        } else {
            self.departs = true;
            spoken(&said, game.choices())
        }
    }
}

/// What a record says was heard, as the choices mean it.
fn spoken(said: &[Heard], choices: &Choices) -> Vec<Heard> {
    let under = |heard: &Heard| match ParsedHeard::Heard(*heard).under(choices) {
        ParsedHeard::Heard(heard) => Some(heard),
        ParsedHeard::Start(_) => None,
    };
    said.iter().filter_map(under).collect()
}
