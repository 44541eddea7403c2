//! The umpire's table: a game, the views of all listeners, the lines of the game that were not
//! taken back, and the number of the current line.

use notation::{BoardNames, TypedError, name, read_attempt, read_for_referee, read_typed};
use referee::{Cause, EndCause, Event, FenError, Game, Opened, Refusal, Ruling, StartPosition};
use rules::{
    Answer, Attempt, ByListener, Calls, Heard, Listener, NonsenseRow, Start, Try,
    chess::{ByColor, Color},
};
use scores::{Asked, Entry, Header, Transcript};
use views::{PlayerView, SpectatorView};
use wire::AnswerJson;

use super::{
    input::{MAX_LENGTH, RawLine},
    request::Request,
    settings::{Form, Settings},
};

/// The answer to a line that is not understood repeats at most this many characters of the line.
const MAX_REPEATED: usize = 200;

/// Maximum number of moves that the message about an ambiguous text lists. If there are more, the
/// message says only how many; the menu below the message lists the moves.
const MAX_NAMED: usize = 6;

/// Result of one line.
#[derive(Clone, Debug)]
pub(crate) struct Outcome {
    /// Number of the line. With [`Form::Json`], all lines since the start of the game are counted.
    /// With [`Form::Words`], a line counts only if the referee ruled on it and it was not taken
    /// back.
    pub(crate) n: u32,
    pub(crate) by: Option<Color>,
    pub(crate) attempt: String,
    pub(crate) answer: AnswerJson,
    pub(crate) start: Option<ByListener<Start>>,
    pub(crate) calls: Calls,
    /// Why the line was refused or not understood.
    pub(crate) why: Option<String>,
    /// Reason for nonsense. Only the mover hears this reason.
    pub(crate) row: Option<Row>,
    /// The tries that fit the text, if there are several.
    pub(crate) fits: Vec<Try>,
}

/// Reason for nonsense.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Row {
    /// A row of the table of verdicts.
    Verdict(NonsenseRow),
    /// A player without pawns asked Any?.
    NoPawns,
}

impl Outcome {
    /// Creates an outcome about which no listener hears anything.
    fn silent(n: u32, by: Option<Color>, attempt: String, answer: AnswerJson) -> Outcome {
        Outcome {
            n,
            by,
            attempt,
            answer,
            start: None,
            calls: Calls::new(),
            why: None,
            row: None,
            fits: Vec::new(),
        }
    }

    /// Whether the referee has ruled on the line. Only such a line is a line of the game.
    pub(crate) fn is_ruled(&self) -> bool {
        self.why.is_none() && self.start.is_none()
    }

    /// Returns what a listener hears, in order.
    pub(crate) fn heard(&self, listener: Listener) -> impl Iterator<Item = &Heard> {
        self.calls
            .iter()
            .filter(move |call| call.audience.includes(listener))
            .map(|call| &call.heard)
    }

    /// Returns the start of a new game, as a listener hears it. Returns `None` if the line began no
    /// game.
    pub(crate) fn start(&self, listener: Listener) -> Option<&Start> {
        Some(self.start.as_ref()?.get(listener))
    }
}

/// A line of the game that was not taken back.
#[derive(Clone)]
pub(crate) struct Ruled {
    pub(crate) outcome: Outcome,
    event: Event,
    /// Index of the line in the entries of the transcript.
    entry: usize,
}

/// Lines that were taken back.
#[derive(Clone, Debug)]
pub(crate) struct TakenBack {
    /// The lines that are void now, in order.
    pub(crate) lines: Vec<Outcome>,
    /// What each listener is told; `None` for a listener who heard nothing about these lines.
    pub(crate) void: ByListener<Option<Void>>,
}

/// What a listener is told about lines that were taken back. The text for a listener depends only
/// on what this listener heard.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(crate) struct Void {
    /// Number of these lines about which the listener had heard something.
    pub(crate) heard: usize,
    /// Side to move after the takeback, according to the listener's view.
    pub(crate) to_move: Option<Color>,
}

/// A running game, and what its listeners know of it.
#[derive(Clone)]
pub(crate) struct UmpireTable<'a> {
    settings: &'a Settings,
    game: Game,
    views: ByColor<PlayerView>,
    room: SpectatorView,
    n: u32,
    /// Whether two players type the lines, without an umpire.
    two: bool,
    start: StartPosition,
    /// The calls at the start, if the start was announced.
    opening: Option<Calls>,
    /// The lines that were not taken back, in order. Empty with [`Form::Json`].
    ruled: Vec<Ruled>,
    /// The last attempt that a person typed, if it fits no try and was asked back.
    asked_back: Option<(Color, Try)>,
    /// The record of the game. Each line that was taken back stays in the record as a comment.
    transcript: Transcript,
}

impl<'a> UmpireTable<'a> {
    /// Creates a table for a game that begins at the usual start position. The start of the game
    /// is not announced yet.
    pub(crate) fn new(settings: &'a Settings) -> UmpireTable<'a> {
        let choices = settings.choices;
        let start = StartPosition::initial();
        let game = UmpireTable::open(settings, start.clone());
        UmpireTable {
            views: ByColor::new_with(|color| PlayerView::initial(choices, color)),
            room: SpectatorView::open(choices, &game.start(Listener::Room)),
            n: 0,
            two: false,
            opening: None,
            ruled: Vec::new(),
            asked_back: None,
            transcript: UmpireTable::record(settings, &game, &start),
            settings,
            game,
            start,
        }
    }

    /// Lets two players type the lines. Messages then say "your men", not "the mover's men".
    pub(crate) fn for_players(self) -> UmpireTable<'a> {
        UmpireTable { two: true, ..self }
    }

    fn open(settings: &Settings, start: StartPosition) -> Game {
        Game::open(Opened::new(&settings.ruleset, settings.choices, start))
    }

    /// Creates the record of a new game.
    fn record(settings: &Settings, game: &Game, start: &StartPosition) -> Transcript {
        let usual = *start == StartPosition::initial();
        let header = Header {
            title: "A refereed game".to_owned(),
            rules: settings.ruleset.id.to_string(),
            source: "kriegspiel referee".to_owned(),
            game: settings.switches.clone(),
            fen: (!usual).then(|| start.fen()),
        };
        Transcript::start(header, game)
    }

    /// Returns the record of the game: the lines that were not taken back, and comments.
    pub(crate) fn transcript(&self) -> &Transcript {
        &self.transcript
    }

    /// Adds a comment to the record.
    pub(crate) fn note(&mut self, comment: String) {
        self.transcript.entries.push(Entry::Comment(comment));
    }

    /// Returns the lines that were not taken back, in order.
    pub(crate) fn ruled(&self) -> &[Ruled] {
        &self.ruled
    }

    /// Returns the start of the game again, as it was announced.
    pub(crate) fn start_again(&self) -> Outcome {
        Outcome {
            start: Some(ByListener::new_with(|listener| self.game.start(listener))),
            calls: self.game.opening_calls(),
            ..Outcome::silent(0, None, "new".to_owned(), AnswerJson::New)
        }
    }

    /// Returns the number of lines from line `number` to the last line.
    ///
    /// # Errors
    /// There is no line `number`. The error says which line is the last.
    pub(crate) fn lines_from(&self, number: usize) -> Result<usize, String> {
        let count = self.ruled.len();
        match (count + 1).checked_sub(number) {
            Some(lines @ 1..) if number > 0 => Ok(lines),
            _ => Err(match count {
                0 => "there is no line yet".to_owned(),
                _ => format!("there is no line {number}: the last line is {count}"),
            }),
        }
    }

    /// Takes the last `count` lines back. Afterwards the game is in the state before these lines.
    ///
    /// # Errors
    /// There are fewer than `count` lines. The error says how many there are.
    pub(crate) fn take_back(&mut self, count: usize) -> Result<TakenBack, String> {
        let lines = self.ruled.len();
        if lines == 0 {
            return Err("there is no line yet".to_owned());
        }
        let Some(first) = lines.checked_sub(count) else {
            return Err(match lines {
                1 => "there is only 1 line".to_owned(),
                _ => format!("there are only {lines} lines"),
            });
        };
        let taken = self.ruled.split_off(first);
        for ruled in &taken {
            if let Some(entry) = self.transcript.entries.get_mut(ruled.entry)
                && let Entry::Line(line) = entry
            {
                *entry = Entry::Comment(format!(" void: {line}"));
            }
        }
        self.restore();
        let void = ByListener::new_with(|listener| {
            let hears = |ruled: &&Ruled| ruled.outcome.heard(listener).next().is_some();
            let heard = taken.iter().filter(hears).count();
            let to_move = match listener {
                Listener::White => self.views.white.to_move(),
                Listener::Black => self.views.black.to_move(),
                Listener::Room => self.room.to_move(),
            };
            (heard > 0).then_some(Void { heard, to_move })
        });
        let lines = taken.into_iter().map(|ruled| ruled.outcome).collect();
        Ok(TakenBack { lines, void })
    }

    /// Replays the lines that were not taken back.
    fn restore(&mut self) {
        let choices = self.settings.choices;
        self.game = UmpireTable::open(self.settings, self.start.clone());
        let start = |listener| self.game.start(listener);
        self.room = SpectatorView::open(choices, &start(Listener::Room));
        self.views = match &self.opening {
            Some(_) => {
                ByColor::new_with(|color| PlayerView::open(choices, color, &start(color.into())))
            }
            None => ByColor::new_with(|color| PlayerView::initial(choices, color)),
        };
        if let Some(calls) = self.opening.clone() {
            self.tell(&calls);
        }
        let ruled = std::mem::take(&mut self.ruled);
        for line in &ruled {
            self.game.apply(&line.event);
            self.tell(&line.outcome.calls);
        }
        self.ruled = ruled;
    }

    /// Continues a recorded game: referees its lines again, and keeps its comments.
    ///
    /// # Errors
    /// The start position is not valid, a line cannot be refereed, or the listeners would not hear
    /// what the record says. The error names the line.
    pub(crate) fn resume(&mut self, recorded: &Transcript) -> Result<(), String> {
        let start = match &recorded.header.fen {
            Some(fen) => StartPosition::from_fen(fen, &self.settings.choices)
                .map_err(|error| format!("the header: {error}"))?,
            None => StartPosition::initial(),
        };
        self.begin(start, "new".to_owned());
        self.transcript.header = recorded.header.clone();
        for (index, entry) in recorded.entries.iter().enumerate() {
            let line = match entry {
                Entry::Blank => continue,
                Entry::Comment(text) => {
                    self.note(text.clone());
                    continue;
                }
                Entry::Line(line) => line,
            };
            let number = recorded.line_number(index);
            let cause = match &line.asked {
                Asked::Start => continue,
                Asked::Attempt { by, attempt } => Cause::Attempt {
                    by: *by,
                    attempt: *attempt,
                },
                Asked::End(cause) => Cause::End(*cause),
                Asked::Unread { .. } => continue,
            };
            let ruling = self
                .game
                .judge_cause(cause)
                .map_err(|refusal| format!("line {number}: {refusal}"))?;
            let heard = ByListener::from(&ruling.calls);
            if line.heard.as_ref().is_some_and(|told| *told != heard) {
                return Err(format!(
                    "line {number}: under the ruleset of this session, the listeners do not hear what this line says; was the game recorded under another ruleset?"
                ));
            }
            let (by, text) = match cause {
                Cause::Attempt { by, attempt } => (Some(by), attempt.to_string()),
                Cause::End(cause) => (cause.color(), cause.word().to_owned()),
            };
            self.happen(by, text, ruling, cause);
        }
        Ok(())
    }

    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    pub(crate) fn view(&self, color: Color) -> &PlayerView {
        self.views.get(color)
    }

    /// Returns the tries worth making now, for the player to move.
    pub(crate) fn tries(&self) -> Vec<Try> {
        self.game
            .to_move()
            .map(|color| self.view(color).tries())
            .unwrap_or_default()
    }

    /// Begins a new game and announces it to everyone.
    pub(crate) fn begin(&mut self, start: StartPosition, attempt: String) -> Outcome {
        self.game = UmpireTable::open(self.settings, start.clone());
        self.transcript = UmpireTable::record(self.settings, &self.game, &start);
        self.start = start;
        self.ruled.clear();
        let starts = ByListener::new_with(|listener| self.game.start(listener));
        let choices = self.settings.choices;
        self.views =
            ByColor::new_with(|color| PlayerView::open(choices, color, starts.get(color.into())));
        self.room = SpectatorView::open(choices, starts.get(Listener::Room));
        self.n = 0;
        let calls = self.game.opening_calls();
        self.tell(&calls);
        self.opening = Some(calls.clone());
        Outcome {
            start: Some(starts),
            calls,
            ..Outcome::silent(0, None, attempt, AnswerJson::New)
        }
    }

    fn tell(&mut self, calls: &Calls) {
        self.views.white.hear_calls(calls);
        self.views.black.hear_calls(calls);
        self.room.hear_calls(calls);
    }

    /// Answers a line. Returns `None` if the line gets no answer.
    pub(crate) fn answer(&mut self, raw: &RawLine) -> Option<Outcome> {
        match raw {
            RawLine::Silent => None,
            RawLine::TooLong(text) => {
                let why = format!("the line is longer than {MAX_LENGTH} bytes");
                Some(self.not_understood(text, why))
            }
            RawLine::NotUtf8(text) => {
                let why = "the line is not UTF-8".to_owned();
                Some(self.not_understood(text, why))
            }
            RawLine::Text(text) => Some(match Request::read(text) {
                Request::New { fen } => self.new_game(fen, text),
                Request::Flag { by } => self.flag(by.unwrap_or(self.game.turn())),
                Request::Word { by, word } => self.word(by, word, text),
            }),
        }
    }

    fn counted(&mut self) -> u32 {
        self.n = self.n.saturating_add(1);
        self.n
    }

    fn not_understood(&mut self, raw: &str, why: String) -> Outcome {
        let attempt = raw.chars().take(MAX_REPEATED).collect();
        Outcome {
            why: Some(why),
            ..Outcome::silent(self.counted(), None, attempt, AnswerJson::NotUnderstood)
        }
    }

    fn refused(&mut self, by: Option<Color>, attempt: String, why: String) -> Outcome {
        Outcome {
            why: Some(why),
            ..Outcome::silent(self.counted(), by, attempt, AnswerJson::Refused)
        }
    }

    fn new_game(&mut self, fen: Option<&str>, raw: &str) -> Outcome {
        let Some(fen) = fen else {
            return self.begin(StartPosition::initial(), "new".to_owned());
        };
        match StartPosition::from_fen(fen, &self.settings.choices) {
            Ok(start) => {
                let attempt = new_attempt(&start);
                self.begin(start, attempt)
            }
            Err(e @ FenError::Unreadable(_)) => self.not_understood(raw, e.to_string()),
            Err(e @ FenError::Impossible(_)) => {
                let attempt = raw.trim().chars().take(MAX_REPEATED).collect();
                self.refused(None, attempt, e.to_string())
            }
        }
    }

    /// Ends the game because the time of a player is up.
    pub(crate) fn flag(&mut self, by: Color) -> Outcome {
        let cause = EndCause::Flag(by);
        match self.game.judge_end(cause) {
            Ok(ruling) => self.happen(Some(by), "flag".to_owned(), ruling, Cause::End(cause)),
            Err(refusal) => self.refused(Some(by), "flag".to_owned(), self.why(refusal, by)),
        }
    }

    /// Answers an attempt. `by` is the player who makes the attempt, if the line or the seat names
    /// this player. `word` is the text of the attempt. `raw` is the whole line, which an error
    /// message repeats.
    pub(crate) fn word(&mut self, by: Option<Color>, word: &str, raw: &str) -> Outcome {
        if by.is_some() && word.is_empty() {
            let why = "a colour alone is not an attempt: write `white e2e4`".to_owned();
            return self.not_understood(raw, why);
        }
        let turn = self.game.turn();
        let reader = self.view(by.unwrap_or(turn));
        let (own, choices) = (reader.own(), &self.settings.choices);
        let attempt = match self.settings.form {
            Form::Json => read_attempt(word, own, choices).map_err(|e| (e.to_string(), Vec::new())),
            // People also write `e4` or `Nf3`. What such a text means depends only on the player's
            // own men.
            Form::Words { .. } => {
                let read = read_for_referee(word, own, reader.turn(), choices, BoardNames::Usual);
                read.map_err(|error| self.unread(error))
            }
        };
        let attempt = match attempt {
            Ok(attempt) => attempt,
            Err((why, fits)) => {
                return Outcome {
                    fits,
                    ..self.not_understood(raw, why)
                };
            }
        };
        let by = by.unwrap_or_else(|| self.asker(attempt));
        if let Some(why) = self.ask_back(by, word, attempt) {
            return self.not_understood(raw, why);
        }
        let text = attempt.to_string();
        match self.game.judge(by, attempt) {
            Ok(ruling) => self.happen(Some(by), text, ruling, Cause::Attempt { by, attempt }),
            Err(refusal) => self.refused(Some(by), text, self.why(refusal, by)),
        }
    }

    /// Returns the message for a move that a person typed and that cannot be legal as far as the
    /// mover knows. The same move again goes to the referee.
    fn ask_back(&mut self, by: Color, word: &str, attempt: Attempt) -> Option<String> {
        let asked = self.asked_back.take();
        let Form::Words { prompt: true, .. } = self.settings.form else {
            return None;
        };
        let Attempt::Try(t) = attempt else {
            return None;
        };
        let (view, rule) = (self.view(by), self.settings.choices.promotion_man);
        let named = |t| view.own().with_default_promotion(t, rule);
        let fits = view.tries().iter().any(|one| named(*one) == named(t));
        if fits || view.to_move() != Some(by) || asked == Some((by, t)) {
            return None;
        }
        self.asked_back = Some((by, t));
        let whose = if self.two { "your" } else { "the mover's" };
        let word: String = word.chars().take(MAX_REPEATED).collect();
        Some(format!(
            "`{word}` fits no try: {whose} own men and the announcements show it; the same line again asks the referee"
        ))
    }

    /// Returns the message for a text that is not exactly one attempt, and the tries that the text
    /// can mean.
    fn unread(&self, error: TypedError) -> (String, Vec<Try>) {
        let said = if self.two {
            error.to_string()
        } else {
            error.umpire_words()
        };
        match error {
            TypedError::Ambiguous { text, fits } if fits.len() > MAX_NAMED => {
                (format!("`{text}` may mean {} moves", fits.len()), fits)
            }
            TypedError::Ambiguous { fits, .. } => (said, fits),
            TypedError::NotNotation(_) | TypedError::NotPossible { .. } => (said, Vec::new()),
        }
    }

    /// Returns the tries that a text can mean and that the player's own men can make.
    pub(crate) fn fits(&self, by: Color, text: &str) -> Vec<Try> {
        let (view, choices) = (self.view(by), &self.settings.choices);
        match read_typed(text, view.own(), view.turn(), choices, BoardNames::Usual) {
            Ok(Attempt::Try(t)) => vec![t],
            Err(TypedError::Ambiguous { fits, .. }) => fits,
            Ok(_) | Err(TypedError::NotNotation(_) | TypedError::NotPossible { .. }) => Vec::new(),
        }
    }

    /// Answers a text that fits several tries.
    pub(crate) fn ambiguous(&mut self, text: &str, fits: Vec<Try>) -> Outcome {
        let (text, shown) = (text.to_owned(), text);
        let (why, fits) = self.unread(TypedError::Ambiguous { text, fits });
        Outcome {
            fits,
            ..self.not_understood(shown, why)
        }
    }

    /// Returns the message for a refusal. The referee's messages say "you". For a person who
    /// referees, the message names the player instead.
    fn why(&self, refusal: Refusal, by: Color) -> String {
        let for_umpire = !self.two && matches!(self.settings.form, Form::Words { .. });
        let by = name(by);
        match refusal {
            Refusal::PxNeedsMan if for_umpire => format!(
                "one of {by}'s pawns could promote by a capture: name the promotion man, as in px=q"
            ),
            Refusal::PxNoMan if for_umpire => {
                format!("none of {by}'s pawns could promote by a capture: write px without a man")
            }
            Refusal::NoOwnOffer if for_umpire => format!("{by} has no draw offer to withdraw"),
            Refusal::OfferStands if for_umpire => format!("{by}'s draw offer is still open"),
            Refusal::PxNeedsMan
            | Refusal::PxNoMan
            | Refusal::NoOwnOffer
            | Refusal::OfferStands
            | Refusal::GameOver
            | Refusal::NotYourTurn { .. }
            | Refusal::NoDrops
            | Refusal::NoAny
            | Refusal::AnyAsked
            | Refusal::NoCount
            | Refusal::NoRecap
            | Refusal::NoPx
            | Refusal::PxCount { .. }
            | Refusal::PxWrongMan
            | Refusal::NoOffer => refusal.to_string(),
        }
    }

    /// Returns the player who makes an attempt whose line names no colour.
    fn asker(&self, attempt: Attempt) -> Color {
        let turn = self.game.turn();
        match attempt {
            Attempt::AcceptDraw | Attempt::DeclineDraw => {
                self.game.draw_offer().map_or(turn, Color::other)
            }
            Attempt::WithdrawDraw => self.game.draw_offer().unwrap_or(turn),
            Attempt::Try(_)
            | Attempt::Px { .. }
            | Attempt::Any
            | Attempt::Count
            | Attempt::Recap
            | Attempt::Resign
            | Attempt::OfferDraw => turn,
        }
    }

    fn happen(&mut self, by: Option<Color>, text: String, ruling: Ruling, cause: Cause) -> Outcome {
        let answer = ruling.answer();
        let entry = self.transcript.entries.len();
        if matches!(self.settings.form, Form::Words { .. }) {
            self.transcript.push(&self.game, cause, &ruling);
        }
        self.game.apply(&ruling.event);
        self.tell(&ruling.calls);
        let row = match (answer, cause) {
            (
                Answer::Nonsense,
                Cause::Attempt {
                    attempt: Attempt::Any,
                    ..
                },
            ) => Some(Row::NoPawns),
            (Answer::Nonsense, Cause::Attempt { by, .. }) => {
                self.view(by).last_nonsense().map(Row::Verdict)
            }
            _ => None,
        };
        let n = match self.settings.form {
            Form::Json => self.counted(),
            Form::Words { .. } => u32::try_from(self.ruled.len() + 1).unwrap_or(u32::MAX),
        };
        let outcome = Outcome {
            calls: ruling.calls,
            row,
            ..Outcome::silent(n, by, text, answer.into())
        };
        if matches!(self.settings.form, Form::Words { .. }) {
            self.ruled.push(Ruled {
                outcome: outcome.clone(),
                event: ruling.event,
                entry,
            });
        }
        outcome
    }
}

/// Returns the canonical text of the line that begins a game from this
/// position.
pub(crate) fn new_attempt(start: &StartPosition) -> String {
    format!("new {}", start.fen())
}
