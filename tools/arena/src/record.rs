//! Record of a game as JSON lines.

use std::collections::BTreeMap;

use belief::{Belief, Origin, Watch};
use referee::{Event, Game, Refusal};
use rules::{
    Attempt, Calls, Heard, Listener,
    chess::{ByColor, Color, Role, Square},
};
use views::PlayerView;
use wire::{AnswerJson, HeardJson, LineJson, OverJson, RunJson, Side};

use crate::scribe::Scribe;

/// Maximum length, in characters, of a recorded text that is not an attempt. The rest of the text is
/// cut off.
const MAX_RAW_CHARS: usize = 200;

/// Records a game as the lines that `kriegspiel referee --json --tries` would print. The
/// first line is `new`; it also says which game of the run this is.
#[derive(Debug, Default)]
pub struct Record {
    /// The game's place in the run, for the first line.
    pub run: Option<RunJson>,
    /// Maximum number of positions of a belief; `None` records no marginals.
    pub marginals: Option<usize>,
    text: Vec<u8>,
    n: u32,
    seats: Option<ByColor<Listening>>,
}

/// What one seat knows in the recorded game.
#[derive(Debug)]
struct Listening {
    view: PlayerView,
    /// `None` without marginals, or if the belief does not explain what was heard.
    belief: Option<Belief>,
}

impl Listening {
    fn open(game: &Game, seat: Color, limit: Option<usize>) -> Listening {
        let start = game.start(Listener::from(seat));
        let open = |limit| {
            let origin = Origin::OneOf(vec![game.sheet().fen()]);
            let settings = belief::Settings {
                limit,
                ..belief::Settings::default()
            };
            Belief::open(*game.choices(), seat, &start, &origin, settings).ok()
        };
        Listening {
            view: PlayerView::open(*game.choices(), seat, &start),
            belief: limit.and_then(open),
        }
    }

    fn hear(&mut self, heard: &Heard) {
        self.view.hear(heard);
        let explains = |belief: &mut Belief| belief.hear(heard, &Watch::default()).is_ok();
        if !self.belief.as_mut().is_none_or(explains) {
            self.belief = None;
        }
    }

    fn tries(&self) -> Vec<String> {
        let mut tries = Vec::new();
        self.view.tries_into(&mut tries);
        let mut texts: Vec<_> = tries.iter().map(ToString::to_string).collect();
        texts.sort_unstable();
        texts
    }

    /// Returns the marginals of the belief, in 1/10,000. Squares with 0 are left out.
    fn marginals(&self) -> Option<BTreeMap<String, BTreeMap<String, u16>>> {
        let marginals = self.belief.as_ref()?.marginals();
        let squares = |role| {
            let shares = Square::ALL.into_iter().map(|sq| {
                // At most 10,000, because a probability is at most 1.
                let share = (marginals.of(role, sq) * 10_000.0).round() as u16;
                (sq.to_string(), share)
            });
            shares.filter(|(_, share)| *share > 0).collect()
        };
        let roles = Role::ALL.into_iter();
        Some(
            roles
                .map(|role| (role.char().to_string(), squares(role)))
                .collect(),
        )
    }
}

impl Record {
    /// Returns the lines so far; each ends with a line feed.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Writes a line. `heard` contains the calls of the event, or the reason of a refusal.
    fn line(
        &mut self,
        game: &Game,
        by: Option<Color>,
        attempt: String,
        answer: AnswerJson,
        heard: Result<&[rules::Call], String>,
    ) {
        let calls = heard.as_ref().copied().unwrap_or_default();
        let hears = |listener| {
            let start = (answer == AnswerJson::New).then(|| HeardJson::from(&game.start(listener)));
            let calls = calls.iter().filter(|call| call.audience.includes(listener));
            let calls = calls.map(|call| HeardJson::from(&call.heard));
            start.into_iter().chain(calls).collect()
        };
        if answer == AnswerJson::New {
            let open = |seat| Listening::open(game, seat, self.marginals);
            self.seats = Some(ByColor::new_with(open));
        }
        if let Some(seats) = &mut self.seats {
            for call in calls {
                for seat in Color::ALL {
                    if call.audience.includes(Listener::from(seat)) {
                        seats.get_mut(seat).hear(&call.heard);
                    }
                }
            }
        }
        let seats = self.seats.as_ref();
        let to_move = game.to_move().and_then(|by| Some(seats?.get(by)));
        let line = LineJson {
            n: self.n,
            by: by.map(Side::from),
            attempt,
            answer,
            white: hears(Listener::White),
            black: hears(Listener::Black),
            room: hears(Listener::Room),
            fen: game.sheet().fen(),
            to_move: game.to_move().map(Side::from),
            over: game.over().map(OverJson::from),
            why: heard.err(),
            tries: Some(to_move.map_or_else(Vec::new, Listening::tries)),
            run: self.run.take(),
            marginals: to_move.and_then(Listening::marginals),
        };
        serde_json::to_writer(&mut self.text, &line).expect("the keys of a JSON line are strings");
        self.text.push(b'\n');
        self.n += 1;
    }
}

impl Scribe for Record {
    fn opened(&mut self, game: &Game, asked: &str, calls: &Calls) {
        self.text.clear();
        self.n = 0;
        self.line(game, None, asked.to_owned(), AnswerJson::New, Ok(calls));
    }

    fn ruled(&mut self, game: &Game, by: Color, attempt: Attempt, event: &Event, calls: &Calls) {
        let answer = event
            .answer()
            .expect("only the opening event has no answer, and no attempt causes it");
        self.line(
            game,
            Some(by),
            attempt.to_string(),
            answer.into(),
            Ok(calls),
        );
    }

    fn refused(&mut self, game: &Game, by: Color, attempt: Attempt, why: &Refusal) {
        let (attempt, why) = (attempt.to_string(), why.to_string());
        self.line(game, Some(by), attempt, AnswerJson::Refused, Err(why));
    }

    fn not_understood(&mut self, game: &Game, text: &str, why: &str) {
        let text = text.chars().take(MAX_RAW_CHARS).collect();
        let answer = AnswerJson::NotUnderstood;
        self.line(game, None, text, answer, Err(why.to_owned()));
    }

    fn gone(&mut self, game: &Game, by: Color, calls: &Calls) {
        let attempt = "gone".to_owned();
        self.line(game, Some(by), attempt, AnswerJson::Gone, Ok(calls));
    }
}
