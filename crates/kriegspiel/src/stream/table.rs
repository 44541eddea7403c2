//! The umpire's table: a game, the views of both seats, and the number of the
//! current line.

use notation::{BoardNames, read_attempt, read_typed};
use referee::{EndCause, FenError, Game, Opened, Ruling, StartPosition};
use rules::{
    Answer, Attempt, ByListener, Calls, Heard, Listener, NonsenseRow, Start, Try,
    chess::{ByColor, Color},
};
use views::PlayerView;
use wire::AnswerJson;

use super::{
    Form, Settings,
    input::{LONGEST, RawLine},
    request::Request,
};

/// Maximum number of characters that the answer repeats from a line that was not
/// understood.
const MOST_REPEATED: usize = 200;

/// Result of one line.
#[derive(Clone, Debug)]
pub(crate) struct Outcome {
    pub(crate) n: u32,
    pub(crate) by: Option<Color>,
    pub(crate) attempt: String,
    pub(crate) answer: AnswerJson,
    pub(crate) start: Option<ByListener<Start>>,
    pub(crate) calls: Calls,
    pub(crate) why: Option<String>,
    /// Reason for nonsense. Only the mover hears it.
    pub(crate) row: Option<Row>,
}

/// Reason for nonsense.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Row {
    /// A row of the table of verdicts.
    Verdict(NonsenseRow),
    /// The question Any? of a player without pawns.
    NoPawns,
}

impl Outcome {
    /// Creates an outcome of which no listener hears anything.
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
        }
    }

    /// Returns what a listener hears, in order.
    pub(crate) fn heard(&self, listener: Listener) -> impl Iterator<Item = &Heard> {
        self.calls
            .iter()
            .filter(move |call| call.audience.includes(listener))
            .map(|call| &call.heard)
    }

    /// Returns the start of a new game, as a listener hears it.
    pub(crate) fn start(&self, listener: Listener) -> Option<&Start> {
        Some(self.start.as_ref()?.get(listener))
    }
}

/// A running game, and what its seats know of it.
pub(crate) struct UmpireTable<'a> {
    settings: &'a Settings,
    game: Game,
    views: ByColor<PlayerView>,
    n: u32,
}

impl<'a> UmpireTable<'a> {
    /// Creates a table at the usual start position. The opening is not
    /// announced yet.
    pub(crate) fn new(settings: &'a Settings) -> UmpireTable<'a> {
        let choices = settings.choices;
        UmpireTable {
            settings,
            game: UmpireTable::open(settings, StartPosition::initial()),
            views: ByColor::new_with(|color| PlayerView::initial(choices, color)),
            n: 0,
        }
    }

    fn open(settings: &Settings, start: StartPosition) -> Game {
        Game::open(Opened::new(&settings.ruleset, settings.choices, start))
    }

    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    pub(crate) fn view(&self, color: Color) -> &PlayerView {
        self.views.get(color)
    }

    /// Returns the attempts worth making now, for the player to move.
    pub(crate) fn tries(&self) -> Vec<Try> {
        self.game
            .to_move()
            .map(|color| self.view(color).tries())
            .unwrap_or_default()
    }

    /// Begins a new game and announces it to everyone.
    pub(crate) fn begin(&mut self, start: StartPosition, attempt: String) -> Outcome {
        self.game = UmpireTable::open(self.settings, start);
        let starts = ByListener::new_with(|listener| self.game.start(listener));
        let choices = self.settings.choices;
        self.views =
            ByColor::new_with(|color| PlayerView::open(choices, color, starts.get(color.into())));
        self.n = 0;
        let calls = self.game.opening_calls();
        self.tell(&calls);
        Outcome {
            start: Some(starts),
            calls,
            ..Outcome::silent(0, None, attempt, AnswerJson::New)
        }
    }

    fn tell(&mut self, calls: &Calls) {
        self.views.white.hear_calls(calls);
        self.views.black.hear_calls(calls);
    }

    /// Answers a line. Returns `None` if the line gets no answer.
    pub(crate) fn answer(&mut self, raw: &RawLine) -> Option<Outcome> {
        match raw {
            RawLine::Silent => None,
            RawLine::TooLong(text) => {
                let why = format!("the line is longer than {LONGEST} bytes");
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
        let attempt = raw.chars().take(MOST_REPEATED).collect();
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
                let attempt = raw.trim().chars().take(MOST_REPEATED).collect();
                self.refused(None, attempt, e.to_string())
            }
        }
    }

    fn flag(&mut self, by: Color) -> Outcome {
        match self.game.judge_end(EndCause::Flag(by)) {
            Ok(ruling) => self.happen(by, "flag".to_owned(), ruling, None),
            Err(refusal) => self.refused(Some(by), "flag".to_owned(), refusal.to_string()),
        }
    }

    fn word(&mut self, by: Option<Color>, word: &str, raw: &str) -> Outcome {
        if by.is_some() && word.is_empty() {
            let why = "a colour alone is not an attempt: write `white e2e4`".to_owned();
            return self.not_understood(raw, why);
        }
        let turn = self.game.turn();
        let reader = self.view(by.unwrap_or(turn));
        let (own, choices) = (reader.own(), &self.settings.choices);
        let attempt = match self.settings.form {
            Form::Json => read_attempt(word, own, choices).map_err(|e| e.to_string()),
            // People also write `e4` or `Nf3`. It is read from the player's own men only.
            Form::Words { .. } => read_typed(word, own, reader.turn(), choices, BoardNames::Usual)
                .map_err(|e| e.to_string()),
        };
        let attempt = match attempt {
            Ok(attempt) => attempt,
            Err(why) => return self.not_understood(raw, why),
        };
        let by = by.unwrap_or_else(|| self.asker(attempt));
        let text = attempt.to_string();
        match self.game.judge(by, attempt) {
            Ok(ruling) => self.happen(by, text, ruling, Some(attempt)),
            Err(refusal) => self.refused(Some(by), text, refusal.to_string()),
        }
    }

    /// Returns the player who makes an attempt, if the line does not name a colour.
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

    fn happen(
        &mut self,
        by: Color,
        text: String,
        ruling: Ruling,
        attempt: Option<Attempt>,
    ) -> Outcome {
        let answer = ruling.answer();
        self.game.apply(&ruling.event);
        self.tell(&ruling.calls);
        let row = match (answer, attempt) {
            (Answer::Nonsense, Some(Attempt::Any)) => Some(Row::NoPawns),
            (Answer::Nonsense, Some(_)) => self.view(by).last_nonsense().map(Row::Verdict),
            _ => None,
        };
        Outcome {
            calls: ruling.calls,
            row,
            ..Outcome::silent(self.counted(), Some(by), text, answer.into())
        }
    }
}

/// Returns the canonical text of the line that begins a game from this
/// position.
pub(crate) fn new_attempt(start: &StartPosition) -> String {
    format!("new {}", start.fen())
}
