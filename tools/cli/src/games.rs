//! Reads files of recorded games, for several commands.

use std::{
    cell::Cell,
    fmt::Display,
    fs,
    io::{self, BufRead, BufReader, IsTerminal, Read},
    path::{Path, PathBuf},
    rc::Rc,
    time::Duration,
};

use indicatif::{ProgressBar, ProgressStyle};
use notation::read_ruleset;
use problems::certificate::Certificate;
use referee::{Opened, StartPosition};
use rules::{Attempt, Ruleset, rulesets};
use scores::{
    Form, OpeningError, PgnGame, Problem, RecordedGame, RecordedGameError, RecordedGames,
    SeatRecord,
    score::{RecordedScoreError, ScoreFile, wide_encoding},
};

use super::{
    terminal::{self, shown},
    unpack, usage,
};

/// Maximum number of uncompressed bytes of one game. The limit stops the reading of
/// endless input.
const MAX_BYTES: u64 = 1 << 27;

/// Minimum size, in bytes, of a file for which a progress bar is shown.
const SEEN: u64 = 4 << 20;

/// Maximum number of skipped games of one file that are named.
const MAX_REPORTED: u64 = 20;

/// Format of a file, as named on the command line.
#[derive(Copy, Clone, Debug, clap::ValueEnum)]
pub(super) enum FormName {
    /// PGN with tries
    Pgn,
    /// A transcript: one line per attempt, one column per listener
    Transcript,
    /// The lines of `kriegspiel referee --json`
    Json,
}

impl From<FormName> for Form {
    fn from(name: FormName) -> Form {
        match name {
            FormName::Pgn => Form::Pgn,
            FormName::Transcript => Form::Transcript,
            FormName::Json => Form::Json,
        }
    }
}

/// A game that a user asked for.
pub(super) enum Found {
    /// The record of a game.
    Game(RecordedGame),
    /// The part of a game before a fault, and the fault.
    Part(RecordedGame, String),
    /// One player's own file.
    Player(Box<PgnGame>),
}

/// Reader of the games of a file. Damaged games are reported and counted.
pub(super) struct Games {
    path: PathBuf,
    /// The beginning of the file, uncompressed.
    beginning: Vec<u8>,
    /// Whether games that cannot be read are reported.
    pub(super) reports: bool,
    recorded: RecordedGames<Box<dyn BufRead>>,
    /// Number of bytes read since the end of the last game.
    since: Rc<Cell<u64>>,
    bar: ProgressBar,
    /// Number of games that could be read.
    pub(super) read: u64,
    /// Number of games that could not be read.
    pub(super) damaged: u64,
    /// Number of games that were reported as skipped.
    reported: u64,
}

impl Games {
    /// Opens a file, which may be compressed by gzip or Zstandard. `-` is standard input.
    pub(super) fn open(path: &Path, form: Option<FormName>) -> anyhow::Result<Games> {
        let (input, length) = unpack::open(path)?;
        let bar = bar(length);
        let input = unpack::unpacked(path, bar.wrap_read(input))?;
        let since = Rc::default();
        let input = Bounded {
            input,
            since: Rc::clone(&since),
        };
        let mut input: Box<dyn BufRead> = Box::new(BufReader::with_capacity(1 << 18, input));
        let beginning = input.fill_buf();
        let beginning = beginning.map_err(|e| unpack::fault(path, &e))?.to_vec();
        if beginning.iter().all(u8::is_ascii_whitespace) {
            return Err(usage(format_args!(
                "{}: there is nothing in it; give a file of games",
                shown(path)
            )));
        }
        if let Some(encoding) = wide_encoding(&beginning) {
            return Err(usage(format_args!(
                "{}: the file is in {encoding}: save it in UTF-8",
                shown(path)
            )));
        }
        let form = form.map_or_else(|| Form::of(&beginning), Form::from);
        Ok(Games {
            path: path.to_owned(),
            beginning,
            reports: true,
            recorded: RecordedGames::of_form(input, form),
            since,
            bar,
            read: 0,
            damaged: 0,
            reported: 0,
        })
    }

    /// Returns the beginning of the file, uncompressed.
    pub(super) fn beginning(&self) -> &[u8] {
        &self.beginning
    }

    /// Fails if the file had no game at all.
    pub(super) fn finish(&self) -> anyhow::Result<()> {
        if self.read + self.damaged > 0 {
            return Ok(());
        }
        Err(usage(format_args!(
            "{}: there is no game in it{}",
            shown(&self.path),
            self.hint()
        )))
    }

    /// Names the command that can read the file, if there is one.
    pub(super) fn hint(&self) -> String {
        let shown = self.path.display().to_string();
        match reader_of(&self.beginning, &shown) {
            Some(command) => format!("; {command} reads this file"),
            None => String::new(),
        }
    }

    /// Returns the next record of a whole game that can be read.
    pub(super) fn next(&mut self) -> anyhow::Result<Option<RecordedGame>> {
        loop {
            match self.next_or_view()? {
                None => return Ok(None),
                Some(Ok(game)) => return Ok(Some(game)),
                Some(Err(view)) => self.refuse(&RecordedGameError::View { line: view.line }),
            }
        }
    }

    /// Returns the next record of a whole game, or the next file of one player.
    pub(super) fn next_or_view(
        &mut self,
    ) -> anyhow::Result<Option<Result<RecordedGame, Box<PgnGame>>>> {
        while let Some(item) = self.item().map_err(|e| unpack::fault(&self.path, &e))? {
            self.read += 1;
            match (item, self.recorded.take_view()) {
                (Ok(game), _) => return Ok(Some(Ok(game))),
                (Err(_), Some(view)) => return Ok(Some(Err(view))),
                (Err(damage), None) => self.refuse(&damage),
            }
        }
        Ok(None)
    }

    fn item(&mut self) -> io::Result<Option<Result<RecordedGame, RecordedGameError>>> {
        let Some(item) = self.recorded.next() else {
            self.bar.finish_and_clear();
            return Ok(None);
        };
        self.since.set(0);
        item.map(Some)
    }

    /// Counts and reports the last game, which was read, as a game that cannot be used.
    pub(super) fn refuse(&mut self, why: &dyn Display) {
        self.read -= 1;
        self.skipped(why);
    }

    /// Counts and reports the last game as a game that cannot be read.
    fn skipped(&mut self, why: &dyn Display) {
        self.damaged += 1;
        if self.reports {
            let first = self.read == 0 && self.damaged == 1;
            let hint = if first { self.hint() } else { String::new() };
            self.report(&format!("{why}; the game is skipped{hint}"));
        }
    }

    /// Says why the last game is skipped. Of many games of one file, only the first are named.
    pub(super) fn report(&mut self, why: &str) {
        self.reported += 1;
        if self.reported <= MAX_REPORTED {
            self.say(&format!("{}: {why}", self.place()));
        } else if self.reported == MAX_REPORTED + 1 {
            let shown = shown(&self.path);
            self.say(&format!(
                "{shown}: more games are skipped; only the first {MAX_REPORTED} are named"
            ));
        }
    }

    /// Returns how the last game begins, as [`opening`] does. A game that cannot begin is skipped.
    pub(super) fn opening(
        &mut self,
        game: &RecordedGame,
        ruleset: Option<&Ruleset>,
        hint: &str,
    ) -> Option<Opened> {
        match opened(game, ruleset) {
            Ok(opened) => Some(opened),
            Err(why) => {
                self.refuse(&format!("line {}: {why}{hint}", game.line));
                None
            }
        }
    }

    /// Names the file and the number of the last game, for messages.
    pub(super) fn place(&self) -> String {
        format!("{}: game {}", shown(&self.path), self.number())
    }

    /// Returns the number of the last game in the file, from 1. Damaged games count.
    pub(super) fn number(&self) -> u64 {
        self.recorded.number()
    }

    /// Returns the game with this number in the file, from 1. Damaged games count.
    pub(super) fn nth(
        &mut self,
        number: u64,
        ruleset: Option<&Ruleset>,
    ) -> anyhow::Result<RecordedGame> {
        match self.pick(number, ruleset)? {
            Found::Game(game) => Ok(game),
            Found::Part(_, fault) => anyhow::bail!("{}: {fault}", shown(&self.path)),
            Found::Player(view) => {
                let error = RecordedGameError::View { line: view.line };
                anyhow::bail!("{}: {error}", self.place())
            }
        }
    }

    /// Returns the error for a file that has too few games.
    fn too_few(&self) -> anyhow::Error {
        let has = match self.number() {
            0 => format!("no game{}", self.hint()),
            games => format!("only {}", counted(games, "game")),
        };
        usage(format_args!("{}: it has {has}", shown(&self.path)))
    }

    /// Like [`nth`](Games::nth), but also accepts one player's own file, and a fault in the game. For
    /// example, the file may be cut off.
    pub(super) fn pick(&mut self, number: u64, ruleset: Option<&Ruleset>) -> anyhow::Result<Found> {
        let found = self.find(number, ruleset)?;
        found.ok_or_else(|| self.too_few())
    }

    /// Like [`pick`](Games::pick), but returns `None` if the file has fewer games. A
    /// file without a recorded game can be a printed score; then the moves are read with [`score`].
    pub(super) fn find(
        &mut self,
        number: u64,
        ruleset: Option<&Ruleset>,
    ) -> anyhow::Result<Option<Found>> {
        let is_first = number == 1;
        loop {
            let item = match self.item() {
                Ok(item) => item,
                Err(error) => {
                    let is_cut = error.kind() == io::ErrorKind::UnexpectedEof;
                    let error = unpack::fault(&self.path, &error);
                    return match self.recorded.take_part() {
                        Some(part) if is_cut && self.number() + 1 == number => {
                            let fault = "the compressed data end too early: the file was cut off";
                            Ok(Some(Found::Part(part, fault.to_owned())))
                        }
                        Some(_) | None => Err(error),
                    };
                }
            };
            match item {
                Some(Ok(game)) if self.number() == number => return Ok(Some(Found::Game(game))),
                Some(Err(damage)) if self.number() == number => {
                    if let Some(view) = self.recorded.take_view() {
                        return Ok(Some(Found::Player(view)));
                    }
                    let part = self.recorded.take_part();
                    // The PGN reader also accepts the header of a score, but then it finds no act.
                    // Such a file is read as a score.
                    if is_first
                        && part.as_ref().is_none_or(|part| part.acts.is_empty())
                        && let Some(game) = score(&self.path, &self.beginning, ruleset)?
                    {
                        return Ok(Some(Found::Game(game)));
                    }
                    match part {
                        Some(part) => {
                            return Ok(Some(Found::Part(part, format!("game {number}: {damage}"))));
                        }
                        None => anyhow::bail!("{}: {damage}{}", self.place(), self.hint()),
                    }
                }
                Some(Ok(_)) => self.read += 1,
                Some(Err(damage)) => self.skipped(&damage),
                None => break,
            }
        }
        if is_first
            && self.number() == 0
            && let Some(game) = score(&self.path, &self.beginning, ruleset)?
        {
            return Ok(Some(Found::Game(game)));
        }
        Ok(None)
    }

    /// Prints a message on standard error, above the progress bar.
    pub(super) fn say(&self, words: &str) {
        self.bar.suspend(|| terminal::tell(words));
    }
}

/// Reads a score: the moves as a person wrote them. Returns `None` if the file is not a score.
pub(super) fn score(
    path: &Path,
    bytes: &[u8],
    ruleset: Option<&Ruleset>,
) -> anyhow::Result<Option<RecordedGame>> {
    let Ok(file) = ScoreFile::read(bytes) else {
        return Ok(None);
    };
    let shown = shown(path);
    let title = path.file_stem().unwrap_or_default().to_string_lossy();
    file.recorded(&title, ruleset).map_err(|error| match error {
        RecordedScoreError::NoRules => {
            usage(format_args!("{shown}: {error}, as in --rules cincinnati"))
        }
        RecordedScoreError::Stop(stop) => usage(format_args!(
            "{shown}: {stop}\n`kriegspiel score read {shown} --mend` searches for misprints"
        )),
        RecordedScoreError::Refused(_) | RecordedScoreError::Transcript(_) => {
            usage(format_args!("{shown}: {error}"))
        }
    })
}

/// Formats a number with its noun: "1 move", "2 moves".
pub(super) fn counted(n: u64, noun: &str) -> String {
    if n == 1 {
        format!("1 {noun}")
    } else {
        format!("{n} {noun}s")
    }
}

/// Reader that fails if a game does not end within [`MAX_BYTES`].
struct Bounded {
    input: Box<dyn BufRead>,
    since: Rc<Cell<u64>>,
}

impl Read for Bounded {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.since.get() > MAX_BYTES {
            let most = MAX_BYTES >> 20;
            return Err(io::Error::other(format!(
                "no game ends within {most} MiB; is it a file of games?"
            )));
        }
        let read = self.input.read(buffer)?;
        self.since.set(self.since.get() + read as u64);
        Ok(read)
    }
}

/// Parses the number of a game.
pub(super) fn game_number(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(0) => Err("games are counted from 1".to_owned()),
        Ok(number) => Ok(number),
        Err(_) => Err("write the number of a game, counted from 1".to_owned()),
    }
}

/// Extensions of the files that can contain games.
const ENDINGS: [&str; 6] = ["pgn", "txt", "jsonl", "json", "gz", "zst"];

/// Returns the named files, and the files of games in the named folders and their subfolders. The
/// files of a folder are sorted by name.
pub(super) fn files(named: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut all = Vec::new();
    for path in named {
        if !path.is_dir() {
            all.push(path.clone());
            continue;
        }
        let before = all.len();
        search(path, &mut all).map_err(|e| usage(format_args!("{}: {e}", path.display())))?;
        if all.len() == before {
            return Err(usage(format_args!(
                "{}: the folder has no file of games (names that end with .pgn, .txt, .jsonl, .json, .gz or .zst)",
                path.display()
            )));
        }
    }
    Ok(all)
}

fn search(folder: &Path, all: &mut Vec<PathBuf>) -> io::Result<()> {
    let mut entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        let hidden = entry.file_name().to_string_lossy().starts_with('.');
        if hidden {
            continue;
        }
        if entry.file_type()?.is_dir() {
            search(&path, all)?;
            continue;
        }
        let ending = path.extension().and_then(|ending| ending.to_str());
        let ending = ending.map(str::to_ascii_lowercase);
        if ending.is_some_and(|ending| ENDINGS.contains(&ending.as_str())) && path.is_file() {
            all.push(path);
        }
    }
    Ok(())
}

/// Returns the command that can read a file with this beginning. Never returns a command that reads
/// recorded games.
pub(super) fn reader_of(beginning: &[u8], name: &str) -> Option<String> {
    if beginning.starts_with(b"SQLite format 3\0") {
        return Some(format!("`kriegspiel store export --data {name}`"));
    }
    let text = String::from_utf8_lossy(beginning);
    let first = text.lines().find(|line| !line.trim().is_empty())?;
    if first.trim_start().starts_with('{') {
        // The last line may be cut off.
        let whole = text.rfind('\n').map_or(&*text, |end| &text[..end]);
        let lines = || whole.lines().filter(|line| !line.trim().is_empty());
        return if lines().all(|line| Certificate::read(line).is_ok()) {
            Some(format!("`kriegspiel solve --check {name}`"))
        } else if lines().all(|line| Problem::read(line).is_ok()) {
            Some(format!("`kriegspiel solve --problems {name}`"))
        } else {
            None
        };
    }
    if read_ruleset(&text).is_ok() {
        return Some(format!("`kriegspiel rules {name}`"));
    }
    if ScoreFile::read(beginning).is_ok_and(|score| is_playable(&score)) {
        return Some(format!(
            "`kriegspiel score read {name}` (with --to pgn --rules ID to convert it)"
        ));
    }
    let lines = text.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut count = 0;
    let tries = lines.take(100).all(|line| {
        count += 1;
        is_attempt(line)
    });
    (tries && count > 0).then(|| format!("`kriegspiel referee --rules ID < {name}`"))
}

/// Whether `kriegspiel score read` can play a score.
fn is_playable(score: &ScoreFile) -> bool {
    let choices = &rulesets::RAND.choices;
    let start = match score.tag("FEN") {
        Some(fen) => StartPosition::from_fen(fen, choices).ok(),
        None => Some(StartPosition::initial()),
    };
    start.is_some_and(|start| {
        score.is_score(start.clone(), choices) && score.play(start, choices).is_ok()
    })
}

/// Whether `kriegspiel referee` can read a line.
fn is_attempt(line: &str) -> bool {
    let (first, rest) = line.split_once(' ').unwrap_or((line, ""));
    let word = match first {
        "white" | "black" => rest.trim(),
        "new" => return true,
        _ => line,
    };
    word == "flag" || word.parse::<Attempt>().is_ok()
}

/// Returns how a game begins under `ruleset`: the choices of the rules and the start position. If
/// `ruleset` is `None`, uses the ruleset that the file names.
///
/// # Errors
/// The game cannot begin under these rules.
pub(super) fn opening(
    file: &Path,
    game: &RecordedGame,
    ruleset: Option<&Ruleset>,
) -> anyhow::Result<Opened> {
    opened(game, ruleset).map_err(|e| {
        let shown = shown(file);
        usage(format_args!("{shown}: line {}: {e}", game.line))
    })
}

/// Returns what the player heard whose own file this is. `ruleset` replaces the ruleset of the file.
pub(super) fn player_record(
    file: &Path,
    view: &PgnGame,
    ruleset: Option<&Ruleset>,
) -> anyhow::Result<SeatRecord> {
    let shown = shown(file);
    let ruleset = match ruleset {
        Some(ruleset) => ruleset,
        None => view.ruleset().map_err(|e| {
            let line = view.line;
            usage(format_args!("{shown}: line {line}: {e}"))
        })?,
    };
    SeatRecord::of_player(view, ruleset).map_err(|e| usage(format_args!("{shown}: {e}")))
}

fn opened(game: &RecordedGame, ruleset: Option<&Ruleset>) -> Result<Opened, OpeningError> {
    match ruleset {
        Some(ruleset) => game.opening_under(ruleset),
        None => game.opening(),
    }
}

/// Returns a progress bar, which is hidden if stderr is not a terminal or the
/// file is short.
fn bar(length: Option<u64>) -> ProgressBar {
    let Some(length) = length.filter(|l| *l >= SEEN && io::stderr().is_terminal()) else {
        return ProgressBar::hidden();
    };
    let bar = ProgressBar::new(length);
    if let Ok(style) = ProgressStyle::with_template(
        "{bar:30} {bytes}/{total_bytes} {bytes_per_sec} {eta_precise} left",
    ) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
