//! Games, for Python.

use pyo3::{prelude::*, types::PyList};
use referee::{Cause, EndCause, Event, Opened, StartPosition};
use rules::{Answer, Attempt, Audience, CallSink, Heard, Listener, Reply, chess::Color};

use crate::{
    errors::{Refused, Secret, error},
    files, json,
    log::Log,
    outcome::Outcome,
    ruleset::Ruleset,
    truth::{Truth, lines},
    view::{Seat, View, attempt_of, color, seat},
};

/// A game: the referee with the true position, and what each seat heard.
///
/// `Game()` is a game of `wild16` from the usual position. `Game(ruleset, fen)` takes a `Ruleset` or
/// the name of one, and a start position. Nothing here but `truth()` tells what a seat may not know,
/// until the game is over. But a game is the umpire's: whoever holds it can end, pickle and read it.
/// Give players a `View`.
///
/// Raises `KriegspielError` if the FEN is not a legal position.
#[pyclass(module = "kriegspiel")]
#[derive(Clone)]
pub(crate) struct Game {
    pub ruleset: Ruleset,
    pub referee: referee::Game,
    white: Seat,
    black: Seat,
    events: Log<Event>,
}

/// Passes each call to the seats that hear it, and keeps the first reply that the mover hears.
struct Hearers<'a> {
    white: &'a mut Seat,
    black: &'a mut Seat,
    by: Listener,
    answer: Option<Answer>,
}

impl CallSink for Hearers<'_> {
    #[inline]
    fn call(&mut self, audience: Audience, heard: &Heard) {
        if audience.includes(Listener::White) {
            self.white.hear(heard);
        }
        if audience.includes(Listener::Black) {
            self.black.hear(heard);
        }
        if let Heard::Reply(reply) = heard
            && audience.includes(self.by)
        {
            self.answer = Some(match *reply {
                Reply::Verdict { verdict, .. } => verdict.into(),
                Reply::Any { answer: true, .. } => Answer::Yes,
                Reply::Any { answer: false, .. } => Answer::None,
                Reply::Rebuffs { .. } => Answer::Count,
                Reply::Recap { .. } => Answer::Recap,
            });
        }
    }
}

impl Game {
    fn open(ruleset: Ruleset, referee: referee::Game) -> Game {
        let open = |color: Color| {
            let mut seat = Seat::open(&ruleset, color, referee.start(color.into()));
            for call in &referee.opening_calls() {
                if call.audience.includes(color.into()) {
                    seat.hear(&call.heard);
                }
            }
            seat
        };
        Game {
            white: open(Color::White),
            black: open(Color::Black),
            ruleset,
            referee,
            events: Log::new(),
        }
    }

    pub fn seat(&self, color: Color) -> &Seat {
        match color {
            Color::White => &self.white,
            Color::Black => &self.black,
        }
    }

    /// Judges and applies an attempt. Returns the answer as the player who made it hears it.
    #[inline]
    pub fn try_attempt(&mut self, by: Color, attempt: Attempt) -> PyResult<Answer> {
        let mut hearers = Hearers {
            white: &mut self.white,
            black: &mut self.black,
            by: by.into(),
            answer: None,
        };
        let event = self
            .referee
            .attempt_before(by, attempt, &mut hearers)
            .map_err(|refusal| Refused::new_err(refusal.to_string()))?;
        let answer = hearers.answer.or_else(|| event.answer());
        self.events.push(event);
        Ok(answer.expect("an attempt never opens a game"))
    }

    fn end(&mut self, cause: EndCause) -> PyResult<()> {
        let ruling = self
            .referee
            .judge_end(cause)
            .map_err(|refusal| Refused::new_err(refusal.to_string()))?;
        let mut hearers = Hearers {
            white: &mut self.white,
            black: &mut self.black,
            by: Listener::Room,
            answer: None,
        };
        for call in &ruling.calls {
            hearers.call(call.audience, &call.heard);
        }
        self.referee.apply(&ruling.event);
        self.events.push(ruling.event);
        Ok(())
    }

    /// Makes a game from its log. The error names the first event that the referee would not decide.
    pub fn of_log(log: &[Event]) -> PyResult<Game> {
        let (first, rest) = log.split_first().ok_or_else(|| error("the log is empty"))?;
        let Event::Opened(opened) = first else {
            return Err(error("event 0: a log must begin with the event `opened`"));
        };
        let ruleset = Ruleset::of_game(&opened.rules, &opened.choices);
        let mut game = Game::open(ruleset, referee::Game::open((**opened).clone()));
        for (i, event) in rest.iter().enumerate() {
            let at = |why: String| error(format!("event {}: {why}", i + 1));
            match event.cause() {
                Some(Cause::Attempt { by, attempt }) => {
                    let done = game.try_attempt(by, attempt).map(|_| ());
                    done.map_err(|e| at(e.to_string()))?;
                }
                Some(Cause::End(cause)) => game.end(cause).map_err(|e| at(e.to_string()))?,
                None => return Err(at("the game was opened before".to_owned())),
            }
            if game.events.last() != Some(event) {
                return Err(at(format!(
                    "the referee would not decide this here: {event}"
                )));
            }
        }
        Ok(game)
    }

    fn finished(&self) -> PyResult<()> {
        match self.referee.over() {
            Some(_) => Ok(()),
            None => Err(Secret::new_err(
                "the game goes on, and its log tells the true moves; the umpire has truth().events()",
            )),
        }
    }

    fn at(ruleset: &Ruleset, fen: Option<&str>) -> PyResult<Game> {
        let choices = *ruleset.choices();
        let start = match fen {
            Some(fen) => StartPosition::from_fen(fen, &choices).map_err(error)?,
            None => StartPosition::of_ruleset(&ruleset.0).map_err(error)?,
        };
        let referee = referee::Game::open(Opened::new(&ruleset.0, choices, start));
        Ok(Game::open(ruleset.clone(), referee))
    }

    fn lines(&self) -> Vec<String> {
        lines(&self.referee.opened_event(), &self.events)
    }
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (ruleset: "Ruleset | str | None" = None, fen: "str | None" = None))]
    fn new(ruleset: Option<&Bound<'_, PyAny>>, fen: Option<&str>) -> PyResult<Game> {
        Game::at(&Ruleset::or_default(ruleset)?, fen)
    }

    /// The ruleset.
    #[getter]
    fn ruleset(&self) -> Ruleset {
        self.ruleset.clone()
    }

    /// The side to move in the position: `True` for White.
    #[getter]
    fn turn(&self) -> bool {
        seat(self.referee.turn())
    }

    /// Makes an attempt: an action id, or text (`e2e4`, `e7e8q`, `O-O`, `N@f3`, `any`, `resign`).
    ///
    /// `seat` is who attempts, by default the side to move. Returns the answer as this seat hears it:
    /// `moved`, `no`, `nonsense`, `repeat-no`, `yes`, `none`, `count`, `recap`, `resigned`, `offered`,
    /// `drawn`, `declined` or `withdrawn`. An answer `no` is no error: the side stays to move.
    ///
    /// Raises `Refused` if the referee does not judge the attempt, `KriegspielError` if it is not an
    /// attempt.
    #[pyo3(signature = (action: "int | str", seat: "bool | None" = None) -> "str")]
    fn attempt(&mut self, action: &Bound<'_, PyAny>, seat: Option<bool>) -> PyResult<&'static str> {
        let by = seat.map_or(self.referee.turn(), color);
        let attempt = attempt_of(action, &self.seat(by).known)?;
        self.try_attempt(by, attempt).map(Answer::name)
    }

    /// Makes attempts of the side to move, one after the other, without a call of Python for each.
    /// Returns the answers. Raises like `attempt`; the attempts before the fault were made.
    #[pyo3(signature = (actions: "Iterable[int | str]") -> "list[str]")]
    fn play<'py>(
        &mut self,
        py: Python<'py>,
        actions: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyList>> {
        let answers = PyList::empty(py);
        for action in actions.try_iter()? {
            let by = self.referee.turn();
            let attempt = attempt_of(&action?, &self.seat(by).known)?;
            answers.append(self.try_attempt(by, attempt)?.name())?;
        }
        Ok(answers)
    }

    /// Everything that a seat heard, as dictionaries in the form of docs/json.md. The first is the
    /// start. `since` leaves out the first items.
    #[pyo3(signature = (seat: "bool", since: "int" = 0) -> "list[Heard]")]
    fn heard<'py>(
        &self,
        py: Python<'py>,
        seat: bool,
        since: usize,
    ) -> PyResult<Bound<'py, PyList>> {
        let seat = self.seat(color(seat));
        json::list(py, &seat.start, seat.heard.iter(), since)
    }

    /// What a seat knows now. Later attempts do not change the view.
    fn view(&self, seat: bool) -> View {
        View {
            ruleset: self.ruleset.clone(),
            seat: self.seat(color(seat)).clone(),
        }
    }

    /// The attempts worth making for a seat, as text; empty in the opponent's turn.
    #[pyo3(signature = (seat: "bool") -> "list[str]")]
    fn tries(&self, seat: bool) -> Vec<String> {
        let tries = self.seat(color(seat)).known.view.tries();
        tries.iter().map(ToString::to_string).collect()
    }

    /// An independent copy.
    #[pyo3(name = "clone")]
    fn copy(&self) -> Game {
        self.clone()
    }

    fn __copy__(&self) -> Game {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Game {
        self.clone()
    }

    /// Ends the game without a result. Raises `Refused` if it is over.
    fn abort(&mut self) -> PyResult<()> {
        self.end(EndCause::Abort)
    }

    /// The end of the game; `None` if it is not over.
    fn outcome(&self) -> Option<Outcome> {
        self.referee.over().map(Outcome)
    }

    /// Whether the game is over.
    fn is_game_over(&self) -> bool {
        self.referee.over().is_some()
    }

    /// `1-0`, `0-1` or `1/2-1/2`; `*` while the game goes on and if it was aborted.
    fn result(&self) -> &'static str {
        self.referee.over().map_or("*", |over| over.winner.score())
    }

    /// The log of a finished game: the opening, then each attempt with what the referee decided, as
    /// text. Raises `Secret` while the game goes on; the umpire has `truth().events()`.
    #[pyo3(signature = () -> "list[str]")]
    fn events(&self) -> PyResult<Vec<String>> {
        self.finished()?;
        Ok(self.lines())
    }

    /// Makes a game from its log. Raises `KriegspielError`, with the number of the event, if the log
    /// cannot be the log of a game.
    #[staticmethod]
    #[pyo3(signature = (events: "Iterable[str]") -> "Game")]
    fn replay(events: &Bound<'_, PyAny>) -> PyResult<Game> {
        let mut log = Vec::new();
        for (index, line) in events.try_iter()?.enumerate() {
            let line: String = line?.extract()?;
            let event = line.parse::<Event>();
            log.push(event.map_err(|e| error(format!("event {index}: {e}")))?);
        }
        Game::of_log(&log)
    }

    /// The finished game as text: `pgn`, `transcript` or `json` (lines of the umpire's stream,
    /// docs/json.md). `seat` writes a PGN of what one seat knows. `parse_games` reads all of them but
    /// the last. Raises `Secret` while the game goes on.
    #[pyo3(signature = (form: "str" = "pgn", seat: "bool | None" = None) -> "str")]
    fn text(&self, form: &str, seat: Option<bool>) -> PyResult<String> {
        self.finished()?;
        let Event::Opened(opened) = self.referee.opened_event() else {
            return Err(error("the game has no opening"));
        };
        let log: Vec<Event> = self.events.iter().cloned().collect();
        files::write(&opened, &log, form, seat.map(color))
    }

    /// A game that goes on from a position that is possible for a seat: for search by sampling. The
    /// view's seat has heard what the view heard, the referee holds the position `fen` (one of
    /// `Belief.sample`), and the opponent knows only their own men and the last announcements.
    /// Earlier positions are forgotten, so repetitions count anew.
    ///
    /// Raises `KriegspielError` if the position contradicts what the seat heard in this turn.
    #[staticmethod]
    #[pyo3(signature = (view: "View", fen: "str") -> "Game")]
    fn determinize(view: &View, fen: &str) -> PyResult<Game> {
        let mut game = Game::at(&view.ruleset, Some(fen))?;
        let by = view.seat.color();
        if view.seat.known.view.own().board() != game.seat(by).known.view.own().board() {
            return Err(error(
                "the position has other men of the seat than the view",
            ));
        }
        if view.seat.known.view.to_move() != game.referee.to_move() {
            return Err(error("the position has another side to move than the view"));
        }
        for attempt in view.seat.refused() {
            let answer = game.try_attempt(by, attempt)?;
            if answer == Answer::Moved {
                return Err(error(format!(
                    "{attempt} is legal in the position, but was refused"
                )));
            }
        }
        match by {
            Color::White => game.white = view.seat.clone(),
            Color::Black => game.black = view.seat.clone(),
        }
        Ok(game)
    }

    /// The truth, for the umpire: the one way to what no seat may know.
    fn truth(&self) -> Truth {
        Truth {
            sheet: self.referee.sheet(),
            to_move: self.referee.to_move(),
            opened: self.referee.opened_event(),
            events: self.events.clone(),
        }
    }

    fn __repr__(&self) -> String {
        format!("<Game {} {}>", self.ruleset.0.id, self.result())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Vec<String>,))> {
        Ok((py.get_type::<Game>().getattr("replay")?, (self.lines(),)))
    }
}
