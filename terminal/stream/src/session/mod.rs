//! A session: a person referees at a table, or two players share one screen.
//!
//! The session reads the notations that `kriegspiel play` reads, takes lines back, repeats
//! announcements, and keeps the game in a file.

mod back;
mod menu;
#[cfg(test)]
mod tests;
mod two;

use std::{
    fmt,
    io::{self, BufRead, Write},
    path::{Path, PathBuf},
};

use notation::{Question, name};
use referee::StartPosition;
use rules::{
    Answer, Listener, Try,
    chess::{ByColor, Color},
};
use scores::{Entry, RecordedGames, Target, Transcript, convert};
use wire::AnswerJson;

use super::{
    clock::TableClock,
    data::{DataFile, write_new},
    human,
    input::{RawLine, read_line},
    request::{Aside, Back, Request, meant},
    settings::{Form, Settings, Show},
    table::{Outcome, UmpireTable, new_attempt},
};

/// Empties the screen and its scroll-back.
const CLEAR: &str = "\u{1b}[H\u{1b}[2J\u{1b}[3J";
/// The first code switches to a screen without scroll-back. The second code returns to the usual
/// screen.
const OTHER_SCREEN: [&str; 2] = ["\u{1b}[?1049h", "\u{1b}[?1049l"];

/// The kind of line for which the session asks.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum LineFor {
    /// A line of the umpire.
    Umpire,
    /// A line of a player who sits at the screen.
    Player(Color),
    /// Only Enter is expected: no player's men are on the screen, or Enter hides them.
    Enter,
}

/// What a person types: a line, the end of input, or Ctrl-C.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum TypedLine {
    /// A line.
    Line(RawLine),
    /// The end of input, for example Ctrl-D.
    End,
    /// Ctrl-C.
    Interrupt,
}

/// Source of the lines of a session.
pub trait LineSource {
    /// Returns the next line.
    ///
    /// # Errors
    /// Reading failed.
    fn next(&mut self, asked: LineFor, prompt: &str) -> io::Result<TypedLine>;

    /// Whether [`next`](LineSource::next) shows the prompt. If it does not, the session writes the
    /// prompt.
    fn shows_prompt(&self) -> bool {
        false
    }
}

/// Lines of a pipe or a file.
#[derive(Debug)]
pub struct Piped<R> {
    input: R,
    line: Vec<u8>,
}

impl<R: BufRead> Piped<R> {
    /// Creates a source of the lines of `input`.
    pub fn new(input: R) -> Piped<R> {
        let line = Vec::new();
        Piped { input, line }
    }
}

impl<R: BufRead> LineSource for Piped<R> {
    fn next(&mut self, _: LineFor, _: &str) -> io::Result<TypedLine> {
        let raw = read_line(&mut self.input, &mut self.line)?;
        Ok(raw.map_or(TypedLine::End, TypedLine::Line))
    }
}

/// Speaks a text aloud.
pub type Voice = Box<dyn FnMut(&str)>;

/// What a session uses in addition to the game: the file, the clock, the voice.
#[derive(Default)]
pub struct Desk {
    /// File in which the game is kept, and the game that the file already holds.
    pub data: Option<(DataFile, Option<Transcript>)>,
    /// Clock of the players.
    pub clock: Option<TableClock>,
    /// Voice that speaks what the room hears.
    pub voice: Option<Voice>,
    /// Whether two players without an umpire share the screen.
    pub two: bool,
    /// Whether `save` may write files.
    pub saves: bool,
}

impl fmt::Debug for Desk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Desk")
            .field("data", &self.data)
            .field("clock", &self.clock)
            .field("two", &self.two)
            .field("saves", &self.saves)
            .finish_non_exhaustive()
    }
}

/// How a session ended.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Ended {
    /// Ended by `quit` or at the end of input.
    Usual,
    /// Ended by Ctrl-C.
    Interrupted,
}

/// A session at a table.
#[allow(missing_debug_implementations, reason = "it holds the true position")]
pub struct TableSession<'a> {
    settings: &'a Settings,
    table: UmpireTable<'a>,
    data: Option<DataFile>,
    clock: Option<TableClock>,
    voice: Option<Voice>,
    two: bool,
    saves: bool,
    /// The menu, if the last text was ambiguous: the tries that the text can mean. Each entry also
    /// holds the player who typed the text.
    offered: Vec<(Color, Try)>,
    /// File to which `save` wrote the game.
    saved_as: Option<PathBuf>,
    /// Whether `save` has written every line of the game.
    is_saved: bool,
    /// Whether the person was told that the game is not saved.
    warned: bool,
    /// A takeback of many lines that was typed once. If the person types it again, the lines are
    /// taken back.
    doubted: Option<Back>,
    /// Whether the session continues a recorded game.
    resumed: bool,
    /// What each player heard, if two players share the screen.
    heard: ByColor<Vec<String>>,
    /// For each player, the number of entries of `heard` at the end of the player's last turn. The
    /// entries after them are shown in the player's next turn.
    seen: ByColor<usize>,
}

impl<'a> TableSession<'a> {
    /// Opens a session. If the desk's file holds a game, the session continues it.
    ///
    /// # Errors
    /// The recorded game cannot be continued under these settings, or the file cannot be written.
    pub fn open(settings: &'a Settings, desk: Desk) -> Result<TableSession<'a>, String> {
        let Desk {
            data,
            clock,
            voice,
            two,
            saves,
        } = desk;
        let (data, recorded) = data.map_or((None, None), |(data, game)| (Some(data), game));
        let mut session = TableSession {
            settings,
            table: if two {
                UmpireTable::new(settings).for_players()
            } else {
                UmpireTable::new(settings)
            },
            data,
            clock,
            voice,
            two,
            saves,
            offered: Vec::new(),
            saved_as: None,
            is_saved: true,
            warned: false,
            doubted: None,
            resumed: recorded.is_some(),
            heard: ByColor::new_with(|_| Vec::new()),
            seen: ByColor::new_with(|_| 0),
        };
        let shown = session
            .data
            .as_ref()
            .map(|data| data.path().display().to_string());
        let named = |message: String| match &shown {
            Some(path) => format!("{path}: {message}"),
            None => message,
        };
        if let Some(recorded) = recorded {
            session.table.resume(&recorded).map_err(&named)?;
            session.restore_clock(&recorded);
        } else if session.data.is_some() {
            let start = session
                .settings
                .start
                .clone()
                .unwrap_or_else(StartPosition::initial);
            session.table.begin(start, "new".to_owned());
            session.rewrite().map_err(|e| named(e.to_string()))?;
        }
        Ok(session)
    }

    fn restore_clock(&mut self, recorded: &Transcript) {
        let Some(clock) = &mut self.clock else {
            return;
        };
        for entry in recorded.entries.iter().rev() {
            if let Entry::Comment(text) = entry
                && clock.restore(text)
            {
                return;
            }
        }
    }

    /// Referees lines until the end of the input, or until the session is ended.
    ///
    /// # Errors
    /// Reading or writing failed.
    pub fn run(
        &mut self,
        lines: &mut dyn LineSource,
        output: &mut impl Write,
    ) -> io::Result<Ended> {
        if self.two {
            output.write_all(OTHER_SCREEN[0].as_bytes())?;
            let ended = self.run_two(lines, output);
            output.write_all(CLEAR.as_bytes())?;
            output.write_all(OTHER_SCREEN[1].as_bytes())?;
            if self.table.game().over().is_some() {
                self.result(output)?;
            }
            self.farewell(output)?;
            return ended;
        }
        let prompt = self.is_prompted();
        let mut opening = self.settings.start.clone();
        if self.resumed {
            self.welcome_back(output)?;
            opening = None;
        } else if prompt {
            let start = opening.take().unwrap_or_else(StartPosition::initial);
            self.begin(output, start)?;
        }
        if prompt {
            writeln!(
                output,
                "Type what the player says, for example e2e4 or Nf3; or takeback, board, again, moves, save FILE, help, quit."
            )?;
        }
        loop {
            let typed = self.next(lines, output, LineFor::Umpire)?;
            let raw = match typed {
                TypedLine::Line(raw) => raw,
                TypedLine::End => break,
                TypedLine::Interrupt if self.may_end(output)? => return Ok(Ended::Interrupted),
                TypedLine::Interrupt => continue,
            };
            // If the user gave a start position, it is announced before the first line is answered.
            if let Some(start) = opening.take() {
                self.begin(output, start)?;
            }
            if let Some(aside) = Aside::read(&raw, prompt) {
                if aside == Aside::Quit {
                    if self.may_end(output)? {
                        return Ok(Ended::Usual);
                    }
                } else {
                    self.aside(output, aside)?;
                }
                output.flush()?;
                continue;
            }
            if let Some(outcome) = self.answer(output, &raw)? {
                self.write(output, &outcome)?;
                let unread = outcome.answer == AnswerJson::NotUnderstood;
                if prompt
                    && unread
                    && let Some(word) = meant(&raw, &self.settings.choices)
                {
                    writeln!(output, "     Did you mean `{word}`?")?;
                    output.flush()?;
                }
            }
        }
        if prompt {
            writeln!(output)?;
            self.farewell(output)?;
        }
        output.flush()?;
        Ok(Ended::Usual)
    }

    fn is_prompted(&self) -> bool {
        matches!(self.settings.form, Form::Words { prompt: true, .. })
    }

    fn next(
        &mut self,
        lines: &mut dyn LineSource,
        output: &mut impl Write,
        asked: LineFor,
    ) -> io::Result<TypedLine> {
        let prompt = match asked {
            LineFor::Umpire => {
                let may_begin = !self.two && self.data.is_none();
                human::prompt(&self.table, self.clock.as_ref(), may_begin)
            }
            LineFor::Player(color) => self.player_prompt(color),
            LineFor::Enter => String::new(),
        };
        if let (Some(clock), Some(color)) = (&self.clock, self.table.game().to_move())
            && asked == LineFor::Umpire
            && clock.left(color).is_zero()
        {
            writeln!(
                output,
                "     {}'s time is up: type `flag` to end the game, or continue.",
                name(color)
            )?;
        }
        if self.is_prompted() && !lines.shows_prompt() {
            output.write_all(prompt.as_bytes())?;
        }
        output.flush()?;
        lines.next(asked, &prompt)
    }

    fn begin(&mut self, output: &mut impl Write, start: StartPosition) -> io::Result<()> {
        let attempt = if self.settings.start.is_some() {
            new_attempt(&start)
        } else {
            "new".to_owned()
        };
        let outcome = self.table.begin(start, attempt);
        self.speak(&outcome);
        self.write(output, &outcome)
    }

    fn welcome_back(&mut self, output: &mut impl Write) -> io::Result<()> {
        if let Some(data) = &self.data {
            let after = match self.table.ruled().len() {
                0 => "at its start".to_owned(),
                lines => format!("after line {lines}"),
            };
            writeln!(
                output,
                "The game in {} continues {after}.",
                data.path().display()
            )?;
        }
        self.again(output)
    }

    /// Says where the game is stored, at the end of a session.
    fn farewell(&self, output: &mut impl Write) -> io::Result<()> {
        if let Some(data) = &self.data {
            writeln!(
                output,
                "The game is in {}; the same command continues it.",
                data.path().display()
            )?;
        }
        output.flush()
    }

    /// Whether the session may end now. If the game is not saved, the person is warned first. Then
    /// the session may end only when the person asks again.
    fn may_end(&mut self, output: &mut impl Write) -> io::Result<bool> {
        let saved = self.is_saved || self.data.is_some() || self.table.ruled().is_empty();
        if saved || self.warned {
            if !self.two {
                self.farewell(output)?;
            }
            return Ok(true);
        }
        self.warned = true;
        writeln!(
            output,
            "     The game is not saved: `save FILE` saves it; `quit` again ends without it."
        )?;
        output.flush()?;
        Ok(false)
    }

    fn write(&self, output: &mut impl Write, outcome: &Outcome) -> io::Result<()> {
        if let Form::Words { show, .. } = self.settings.form {
            human::write(output, outcome, &self.table, self.settings, show)?;
        }
        output.flush()
    }

    fn speak(&mut self, outcome: &Outcome) {
        let text = human::said(outcome, &self.settings.choices, Listener::Room);
        self.say(&text);
    }

    fn say(&mut self, text: &str) {
        if let Some(voice) = &mut self.voice
            && !text.is_empty()
        {
            voice(text);
        }
    }

    /// Answers a line of the game. If the game is kept in a file, the line is on the disk before
    /// this function returns its outcome. Returns `None` if the line gets no outcome.
    fn answer(&mut self, output: &mut impl Write, raw: &RawLine) -> io::Result<Option<Outcome>> {
        self.doubted = None;
        let chosen = self.chosen(raw);
        let begins = matches!(raw, RawLine::Text(text) if matches!(Request::read(text), Request::New { .. }));
        if let Some(data) = &self.data
            && begins
        {
            writeln!(
                output,
                "     {} holds this game: `quit`, and give another file for another game.",
                data.path().display()
            )?;
            return Ok(None);
        }
        if let Some((by, fits)) = chosen {
            let outcome = self.choice(by, raw, fits);
            return self.ruled(output, outcome, Some(by));
        }
        let Some(outcome) = self.table.answer(raw) else {
            return Ok(None);
        };
        let typist = match raw {
            RawLine::Text(text) => match Request::read(text) {
                Request::Word { by, .. } => by,
                Request::New { .. } | Request::Flag { .. } => None,
            },
            RawLine::Silent | RawLine::TooLong(_) | RawLine::NotUtf8(_) => None,
        };
        self.ruled(output, outcome, typist)
    }

    /// Stores an outcome, updates the clock, and speaks the outcome. If the outcome cannot be
    /// stored, takes the line back, leaves the clock as it was before the line, and returns `None`.
    fn ruled(
        &mut self,
        output: &mut impl Write,
        outcome: Outcome,
        typist: Option<Color>,
    ) -> io::Result<Option<Outcome>> {
        let typist = typist.unwrap_or(self.table.game().turn());
        self.offered = outcome.fits.iter().map(|t| (typist, *t)).collect();
        if outcome.start.is_some() {
            if let Some(clock) = &mut self.clock {
                clock.reset();
            }
            self.is_saved = true;
        }
        if outcome.is_ruled() {
            let moved = outcome
                .by
                .filter(|_| outcome.answer == Answer::Moved.into());
            let clock_before = self.clock.as_ref().map(TableClock::state);
            self.turn(moved);
            if let Err(error) = self.keep() {
                // `take_back` fails only if there is no line to take back. Here there is one.
                let _taken = self.table.take_back(1);
                if let (Some(clock), Some(before)) = (&mut self.clock, clock_before) {
                    clock.set_state(before);
                }
                writeln!(
                    output,
                    "     The line does not count, because it cannot be stored ({error}). Make room, and type it again."
                )?;
                return Ok(None);
            }
            self.is_saved = false;
            self.warned = false;
        }
        self.speak(&outcome);
        Ok(Some(outcome))
    }

    /// Updates the clock after a line. `moved` is the side that completed a move with this line.
    fn turn(&mut self, moved: Option<Color>) {
        if let Some(clock) = &mut self.clock {
            clock.turn(self.table.game().to_move(), moved);
        }
    }

    /// Appends the last line to the file.
    fn keep(&mut self) -> io::Result<()> {
        let Some(data) = &mut self.data else {
            return Ok(());
        };
        let mut text = String::new();
        if let Some(Entry::Line(line)) = self.table.transcript().entries.last() {
            text = format!("{line}\n");
        }
        let note = self.clock.as_ref().map(TableClock::note);
        if let Some(note) = &note {
            text.push_str(&format!("#{note}\n"));
        }
        data.append(&text)?;
        if let Some(note) = note {
            self.table.note(note);
        }
        Ok(())
    }

    /// Writes the whole game to the file.
    fn rewrite(&mut self) -> io::Result<()> {
        let text = self.table.transcript().to_string();
        self.data
            .as_mut()
            .map_or(Ok(()), |data| data.replace(&text))
    }

    fn aside(&mut self, output: &mut impl Write, aside: Aside<'_>) -> io::Result<()> {
        let doubted = self.doubted.take();
        match aside {
            Aside::Help => human::help(output, &self.table, self.settings, self.clock.is_some()),
            Aside::Quit => Ok(()),
            Aside::TakeBack(back) => self.take_back(output, back, doubted),
            Aside::Board(whose) => {
                let show = match whose {
                    None => Show::Umpire,
                    Some(Color::White) => Show::White,
                    Some(Color::Black) => Show::Black,
                };
                human::board(output, &self.table, show)
            }
            Aside::Again | Aside::Ask(Question::Call) => self.again(output),
            Aside::Ask(question) => {
                self.answer_question(output, self.table.game().turn(), question)
            }
            Aside::Moves => human::moves(output, &self.table),
            Aside::Save(file) => self.save(output, file),
            Aside::Clock => {
                self.answer_question(output, self.table.game().turn(), Question::Clocks)
            }
            Aside::Pause => match &mut self.clock {
                Some(clock) => {
                    clock.stop();
                    writeln!(output, "     The clock is stopped until the next line.")
                }
                None => no_clock(output),
            },
            Aside::SetClock(color, time) => match &mut self.clock {
                Some(clock) => match clock.set(color, time) {
                    Ok(()) => writeln!(output, "    {}", clock.note()),
                    Err(remedy) => writeln!(output, "     {remedy}"),
                },
                None => no_clock(output),
            },
            Aside::Wrong(remedy) => writeln!(output, "     Not understood: {remedy}."),
        }
    }

    /// Answers a question about what a player knows.
    fn answer_question(
        &self,
        output: &mut impl Write,
        color: Color,
        question: Question,
    ) -> io::Result<()> {
        let (who, rules) = (name(color), &self.settings.ruleset);
        if let Some(men) = question.men(&self.table.view(color).own().board()) {
            return writeln!(output, "     {who}'s men: {men}.");
        }
        match (question, &self.clock) {
            (Question::Clocks, Some(clock)) => writeln!(output, "    {}", clock.note()),
            (Question::Clocks, None) => no_clock(output),
            _ => writeln!(
                output,
                "     {} ({}), {who} to move.",
                rules.title, rules.id
            ),
        }
    }

    /// Repeats the announcements of the last move and of every line since. If there is no move yet,
    /// repeats the start and every line.
    fn again(&mut self, output: &mut impl Write) -> io::Result<()> {
        let ruled = self.table.ruled();
        let moved = |outcome: &Outcome| outcome.answer == Answer::Moved.into();
        let from = ruled.iter().rposition(|line| moved(&line.outcome));
        let mut outcomes = Vec::new();
        if from.is_none() {
            outcomes.push(self.table.start_again());
        }
        let last = ruled.get(from.unwrap_or(0)..).unwrap_or_default();
        outcomes.extend(last.iter().map(|line| line.outcome.clone()));
        for outcome in outcomes {
            human::write(output, &outcome, &self.table, self.settings, None)?;
        }
        Ok(())
    }

    fn save(&mut self, output: &mut impl Write, file: Option<&str>) -> io::Result<()> {
        if !self.saves {
            return writeln!(output, "     Not saved: no files can be written here.");
        }
        let Some(file) = file.map(PathBuf::from).or_else(|| self.saved_as.clone()) else {
            return match &self.data {
                Some(data) => writeln!(
                    output,
                    "     Every line is in {} already.",
                    data.path().display()
                ),
                None => writeln!(
                    output,
                    "     Name a file: `save evening.txt`, `save evening.pgn` or `save evening.jsonl`."
                ),
            };
        };
        let text = match self.text_for(&file) {
            Ok(text) => text,
            Err(why) => return writeln!(output, "     Not saved: {why}."),
        };
        let replace = self.saved_as.as_ref() == Some(&file);
        match write_new(&file, &text, replace) {
            Ok(()) => {
                let count = self.table.ruled().len();
                let lines = if count == 1 { "line" } else { "lines" };
                writeln!(output, "     Saved: {} ({count} {lines}).", file.display())?;
                self.saved_as = Some(file);
                self.is_saved = true;
                Ok(())
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => writeln!(
                output,
                "     Not saved: {} exists already. Choose another name.",
                file.display()
            ),
            Err(error) => writeln!(output, "     Not saved: {}: {error}.", file.display()),
        }
    }

    /// Returns the game as text, in the format that the ending of the file name chooses.
    fn text_for(&self, file: &Path) -> Result<String, String> {
        let text = self.table.transcript().to_string();
        let ending = file.extension().and_then(|ending| ending.to_str());
        let target = match ending.map(str::to_ascii_lowercase).as_deref() {
            Some("pgn") => Target::Pgn,
            Some("json" | "jsonl") => Target::Json,
            _ => return Ok(text),
        };
        let mut games = RecordedGames::new(text.as_bytes()).map_err(|e| e.to_string())?;
        let game = match games.next() {
            Some(Ok(Ok(game))) => game,
            Some(Ok(Err(error))) => return Err(error.to_string()),
            Some(Err(error)) => return Err(error.to_string()),
            None => return Err("there is no game".to_owned()),
        };
        let opened = game.opening_under(&self.settings.ruleset);
        let opened = opened.map_err(|e| e.to_string())?;
        let converted = convert(&game, Some(opened), target).map_err(|e| e.to_string())?;
        Ok(converted.text)
    }
}

fn no_clock(output: &mut impl Write) -> io::Result<()> {
    writeln!(
        output,
        "     There is no clock: start with --clock 10+5 to have one."
    )
}
