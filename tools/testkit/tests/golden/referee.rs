//! Plays a story with the referee. After every step, checks properties that must always
//! hold.

use referee::{Event, Game, Opened, Ruling, StartPosition};
use rules::{Attempt, ByListener, Calls, Heard, Listener, chess::Color};
use scores::{Answered, Asked, Transcript, TranscriptLine};
use views::{PlayerView, SpectatorView};

use crate::{
    files::Golden,
    oracle::{self, noted, silent},
};

/// The views of the three listeners, each computed from what that listener
/// heard.
#[derive(Clone, PartialEq, Debug)]
struct Views {
    white: PlayerView,
    black: PlayerView,
    room: SpectatorView,
}

impl Views {
    fn open(game: &Game) -> Views {
        let choices = *game.choices();
        let seat = |color| PlayerView::open(choices, color, &game.start(Listener::from(color)));
        Views {
            white: seat(Color::White),
            black: seat(Color::Black),
            room: SpectatorView::open(choices, &game.start(Listener::Room)),
        }
    }

    fn hear(&mut self, columns: &ByListener<Vec<Heard>>) {
        let ByListener { white, black, room } = columns;
        white.iter().for_each(|heard| self.white.hear(heard));
        black.iter().for_each(|heard| self.black.hear(heard));
        room.iter().for_each(|heard| self.room.hear(heard));
    }

    fn seat(&self, color: Color) -> &PlayerView {
        match color {
            Color::White => &self.white,
            Color::Black => &self.black,
        }
    }
}

/// A game in progress, with the list of its events.
struct Live {
    game: Game,
    log: Vec<Event>,
}

impl Live {
    fn open(golden: &Golden) -> Live {
        let choices = golden.choices();
        let start = match &golden.transcript.header.fen {
            None => StartPosition::initial(),
            Some(fen) => StartPosition::from_fen(fen, &choices)
                .unwrap_or_else(|e| panic!("{}: {e}", golden.name)),
        };
        let game = Game::open(Opened::new(golden.ruleset(), choices, start));
        let log = vec![game.opened_event()];
        Live { game, log }
    }

    fn ask(&mut self, asked: &Asked) -> TranscriptLine {
        let ruling = match asked {
            Asked::Start => {
                return TranscriptLine {
                    asked: asked.clone(),
                    answered: None,
                    heard: Some(ByListener::from(&self.game.opening_calls())),
                };
            }
            Asked::Unread { .. } => return silent(asked, Answered::NotUnderstood),
            Asked::Attempt { by, attempt } => self.game.judge(*by, *attempt),
            Asked::End(cause) => self.game.judge_end(*cause),
        };
        if let Asked::Attempt { by, attempt } = asked {
            self.in_one(*by, *attempt, ruling.as_ref().ok());
        }
        let Ok(ruling) = ruling else {
            return silent(asked, Answered::Refused);
        };
        assert_eq!(
            self.game.calls(&ruling.event),
            ruling.calls,
            "a ruling must have the calls of its event"
        );
        self.game.apply(&ruling.event);
        self.log.push(ruling.event.clone());
        TranscriptLine {
            asked: asked.clone(),
            answered: Some(noted(ruling.answer(), None)),
            heard: Some(ByListener::from(&ruling.calls)),
        }
    }

    /// Checks that judging and applying in one call gives the same as in two calls, and
    /// that a refusal changes nothing.
    fn in_one(&self, by: Color, attempt: Attempt, ruling: Option<&Ruling>) {
        let (mut one, mut two) = (self.game.clone(), self.game.clone());
        let mut calls = Calls::new();
        let event = one.attempt(by, attempt, &mut calls).ok();
        if let Some(ruling) = ruling {
            two.apply(&ruling.event);
        }
        let expected = ruling.map(|r| r.calls.clone()).unwrap_or_default();
        assert_eq!(event.as_ref(), ruling.map(|r| &r.event), "{by} {attempt}");
        assert_eq!((calls, one == two), (expected, true), "{by} {attempt}");
    }

    /// Checks that a replay gives an equal game, and that every event can be
    /// read from its text.
    fn check(&self, place: &str, found: &mut Vec<String>) {
        let last = self.log.last().expect("a log begins with its opening");
        let text = last.to_string();
        match text.parse::<Event>() {
            Ok(event) if event == *last => {}
            Ok(_) => found.push(format!("{place}: `{text}` is read as another event")),
            Err(e) => found.push(format!("{place}: `{text}` cannot be read as an event: {e}")),
        }
        match Game::replay(&self.log) {
            Ok(game) if game == self.game => {}
            Ok(_) => found.push(format!("{place}: replay differs from the live game")),
            Err(e) => found.push(format!("{place}: the log cannot be replayed: {e}")),
        }
    }
}

/// Plays the story. Adds a description of every fault to `found`.
pub fn tell(golden: &Golden, found: &mut Vec<String>) -> Transcript {
    let mut live = Live::open(golden);
    let opened = oracle::open(golden);
    for (listener, start) in Listener::ALL.into_iter().zip(opened.starts()) {
        if live.game.start(listener) != start {
            found.push(format!(
                "{}: the start that {listener:?} hears differs from the oracle's start",
                golden.name
            ));
        }
    }
    let fresh = Views::open(&live.game);
    let mut views = fresh.clone();
    let mut written = Vec::new();
    golden.retold(|i, line| {
        let place = golden.place(i);
        let mut told = live.ask(&line.asked);
        live.check(&place, found);
        views.hear(told.heard.as_ref().expect("the line has hearings"));
        written.extend(line.heard.clone());
        let mut rebuilt = fresh.clone();
        written.iter().for_each(|columns| rebuilt.hear(columns));
        if rebuilt != views {
            found.push(format!(
                "{place}: a view differs from the view rebuilt from the columns"
            ));
        }
        if live.game.to_move() != views.white.to_move()
            || live.game.over() != views.black.over()
            || live.game.over() != views.room.over()
        {
            found.push(format!("{place}: a view has a wrong turn or a wrong end"));
        }
        // Only the mover hears the row of the table, so the row is taken from the mover's view.
        if let (
            Asked::Attempt { by, .. },
            Some(Answered::Ruled {
                answer: rules::Answer::Nonsense,
                row,
            }),
        ) = (&line.asked, &mut told.answered)
        {
            let known = views.seat(*by).last_nonsense().map(|r| r.number());
            let about_a_try = matches!(
                line.asked,
                Asked::Attempt {
                    attempt: Attempt::Try(_),
                    ..
                }
            );
            *row = known.filter(|_| about_a_try);
        }
        told
    })
}
