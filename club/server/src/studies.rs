//! Games of studies: games of files that were opened, one player's own files, positions with what was
//! heard, and chapters that were kept. The text of such a game stays in memory for some time, under an
//! id like that of a game of the club.

use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use axum::body::Bytes;
use club::GameId;
use rand::random;
use rules::{Ruleset, chess::Color};
use scores::{
    BeliefLimits, Beliefs, PgnGame, Problem, RecordedGame, RecordedGames, SeatRecord, Tags, Target,
    convert,
    score::{RecordedScoreError, ScoreFile},
    write_player_file,
};
use sha2::{Digest, Sha256};
use wire::{FileGameJson, OpenedFileJson, RefusalCode};

use crate::{cache::Cache, refusal::Refusal, renderings::unreadable, reviews::Reviews};

/// Maximum length of a file, in bytes.
pub const MAX_FILE: usize = 1 << 20;
/// Maximum number of games of a file that are listed.
const MAX_GAMES: usize = 500;
/// Maximum number of attempts of a game.
const MAX_ATTEMPTS: usize = 3_000;
/// Maximum length of a title in a list, in characters.
const MAX_TITLE: usize = 100;
/// Maximum size of the texts in memory, in bytes.
const CACHE_BYTES: usize = 16 << 20;
/// Hayes against Juhasz, Cincinnati 1971, as a plain PGN.
const EXAMPLE: &str = include_str!("../assets/hayes-juhasz-1971.pgn");

/// The beginning of a position with what was heard: a problem as one line of JSON.
const POSITION: &str = "{\"id\"";
/// Tag of a player's own file that names the opponent's men at the start.
const THEIR_MEN: &str = "OpponentMen";

/// A game that can be studied.
#[derive(Debug)]
pub enum StudyGame {
    /// The record of a whole game.
    Whole(Box<RecordedGame>),
    /// What one player heard, and the tags of the file.
    Seat(Tags, Box<SeatRecord>),
}

impl From<RecordedGame> for StudyGame {
    fn from(game: RecordedGame) -> StudyGame {
        StudyGame::Whole(Box::new(game))
    }
}

impl StudyGame {
    /// Names the players of the game, or its title.
    pub fn title(&self) -> String {
        match self {
            StudyGame::Whole(game) => title(&game.tags, &game.title),
            StudyGame::Seat(tags, _) => title(tags, tags.get("Event").unwrap_or_default()),
        }
    }

    /// Returns what a player could know at each moment.
    ///
    /// # Errors
    /// The game cannot be read, or does not have what this player heard.
    pub fn beliefs(&self, seat: Color, limits: BeliefLimits) -> Result<Beliefs, Refusal> {
        match self {
            StudyGame::Whole(game) => {
                Beliefs::of(game, None, seat, limits).map_err(|_| unreadable())
            }
            StudyGame::Seat(_, record) if record.seat != seat => Err(one_seat()),
            StudyGame::Seat(_, record) if record.fen.is_none() && record.their_men.is_none() => {
                let why = "the file has only the player's own men at the start: open it again, and name \
                           the opponent's men, as in `?men=KQRRPPP`";
                Err(Refusal::new(RefusalCode::NotPossible, why).because("study-men"))
            }
            StudyGame::Seat(_, record) => {
                Beliefs::of_player(record, limits).map_err(|error| damaged(&error.to_string()))
            }
        }
    }

    /// Returns what a player heard, if the turns can be reviewed.
    ///
    /// # Errors
    /// The game cannot be read, or does not have everything that this player heard.
    pub fn record(&self, seat: Color) -> Result<SeatRecord, Refusal> {
        match self {
            StudyGame::Whole(game) => {
                let opened = game.opening().map_err(|_| unreadable())?;
                Ok(SeatRecord::of(game, opened, seat))
            }
            StudyGame::Seat(..) => Err(one_seat()),
        }
    }
}

fn one_seat() -> Refusal {
    let why = "this is what one player heard: it has no review of the other, and none of the turns";
    Refusal::new(RefusalCode::NotFound, why).because("game-not-over")
}

/// The opened games as text, and their reviews. The text is PGN, or that of a position.
#[derive(Clone, Debug)]
pub struct Studies {
    /// Makes ids that nobody can compute in advance.
    secret: [u8; 32],
    games: Arc<Mutex<Cache<GameId>>>,
    reviews: Reviews,
}

impl Studies {
    /// Creates the memory. Its reviews wait in the queue of `reviews`.
    pub fn new(reviews: &Reviews) -> Studies {
        Studies {
            secret: random(),
            games: Arc::new(Mutex::new(Cache::new(CACHE_BYTES))),
            reviews: reviews.sharing(),
        }
    }

    fn games(&self) -> MutexGuard<'_, Cache<GameId>> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a game in memory. The same text always gets the same id, until the server ends.
    pub fn open(&self, text: &str) -> GameId {
        let hash = Sha256::new().chain_update(self.secret).chain_update(text);
        let hash: [u8; 32] = hash.finalize().into();
        let chance = hash
            .first_chunk()
            .map_or(0, |first| u64::from_be_bytes(*first));
        let id = GameId::from_chance(chance);
        let text = Ok(Bytes::copy_from_slice(text.as_bytes()));
        let mut games = self.games();
        // An error means that the text is there already.
        let _same = games.add(id).set(text.clone());
        games.note(id, &text);
        id
    }

    /// Returns the text of an opened game.
    pub fn text(&self, id: GameId) -> Option<Bytes> {
        self.games().answer(id)?.ok()
    }

    /// Returns the reviews of the opened games.
    pub fn reviews(&self) -> &Reviews {
        &self.reviews
    }
}

/// Returns the built-in game, written like every opened game.
pub fn example() -> &'static str {
    static WRITTEN: LazyLock<String> = LazyLock::new(|| {
        let read = read(EXAMPLE.as_bytes(), None, None, None);
        read.ok().and_then(|(_, pgn)| pgn).unwrap_or_default()
    });
    &WRITTEN
}

/// Reads a game that the club itself wrote as text.
pub fn recorded(text: &[u8]) -> Result<StudyGame, Refusal> {
    if text.starts_with(POSITION.as_bytes()) {
        return Ok(position(text)?.1);
    }
    let mut games = RecordedGames::new(text).map_err(|_| unreadable())?;
    match games.next() {
        Some(Ok(Ok(recorded))) => Ok(recorded.into()),
        Some(Ok(Err(_)) | Err(_)) | None => {
            let view = games.take_view().ok_or_else(unreadable)?;
            let ruleset = view.ruleset().map_err(|_| unreadable())?;
            seat(&view, ruleset)
        }
    }
}

/// Reads one player's own file.
fn seat(view: &PgnGame, ruleset: &Ruleset) -> Result<StudyGame, Refusal> {
    let record = SeatRecord::of_player(view, ruleset);
    let mut record = record.map_err(|error| damaged(&error.to_string()))?;
    if let Some(men) = view.tags.get(THEIR_MEN) {
        record.their_men = Some(problems::letters(men).map_err(|why| damaged(&why))?);
    }
    one_player(view.tags.clone(), record)
}

fn one_player(tags: Tags, record: SeatRecord) -> Result<StudyGame, Refusal> {
    // An attempt, what it causes, and whose turn it is.
    if record.heard.len() > 3 * MAX_ATTEMPTS {
        return Err(too_long());
    }
    Ok(StudyGame::Seat(tags, Box::new(record)))
}

/// Reads a position with what was heard.
fn position(text: &[u8]) -> Result<(Problem, StudyGame), Refusal> {
    let text = String::from_utf8_lossy(text);
    let problem = Problem::read(text.trim()).map_err(|error| damaged(&error.to_string()))?;
    let record = problems::record(&problem).map_err(|why| damaged(&why))?;
    let mut tags = Tags::default();
    tags.set("Event", &problem.id);
    Ok((problem, one_player(tags, record)?))
}

/// Names the players, or returns another title.
fn title(tags: &Tags, other: &str) -> String {
    let name = |tag| tags.get(tag).filter(|name| !matches!(*name, "" | "?"));
    let title = match (name("White"), name("Black")) {
        (Some(white), Some(black)) => format!("{white} – {black}"),
        _ => other.to_owned(),
    };
    title.chars().take(MAX_TITLE).collect()
}

/// Reads a file: lists its games, and returns the game with this number, from 1, as text. Without a
/// number, a file with several games is only listed. `men` are the letters of the opponent's men at
/// the start of a player's own file that lacks them.
///
/// # Errors
/// The refusal names the fault and its place.
pub fn read(
    bytes: &[u8],
    number: Option<usize>,
    ruleset: Option<&Ruleset>,
    men: Option<&str>,
) -> Result<(OpenedFileJson, Option<String>), Refusal> {
    let mut games = Vec::new();
    if bytes.trim_ascii_start().starts_with(POSITION.as_bytes()) {
        let (problem, game) = position(bytes)?;
        games.push(row(1, game.title(), None));
        return Ok((OpenedFileJson { games, game: None }, Some(problem.write())));
    }
    let mut wanted = None;
    let (mut part_has_acts, mut is_score) = (false, true);
    let mut reader = RecordedGames::new(bytes).map_err(|error| damaged(&error.to_string()))?;
    while games.len() < MAX_GAMES
        && let Some(Ok(item)) = reader.next()
    {
        let is_wanted = number.unwrap_or(1) == games.len() + 1;
        if let Some(view) = reader.take_view() {
            games.push(row(view.line, title(&view.tags, ""), None));
            if is_wanted {
                is_score = false;
                wanted = Some(own_file(&view, ruleset, men));
            }
            continue;
        }
        games.push(match &item {
            Ok(game) => row(game.line, title(&game.tags, &game.title), None),
            Err(fault) => row(
                fault.line(),
                String::new(),
                Some(first_line(&fault.to_string())),
            ),
        });
        part_has_acts |= reader.take_part().is_some_and(|part| !part.acts.is_empty());
        if is_wanted {
            let game = item.map_err(|fault| damaged(&fault.to_string()));
            is_score = game.as_ref().map_or(true, |game| game.acts.is_empty());
            wanted = Some(game.and_then(|game| pgn(&game, ruleset)));
        }
    }
    // The PGN reader also accepts the header of a score, but then it finds no act.
    let is_one = games.len() <= 1;
    if is_one
        && !part_has_acts
        && is_score
        && let Some(game) = score(bytes, ruleset)?
    {
        games = vec![row(1, title(&game.tags, &game.title), None)];
        wanted = Some(pgn(&game, ruleset));
    }
    let chosen = match wanted {
        _ if number.is_none() && games.len() > 1 => None,
        Some(text) => Some(text?),
        None if games.is_empty() => {
            let why =
                "this is no game: PGN, transcripts, JSON lines and printed scores can be opened";
            return Err(Refusal::new(RefusalCode::Invalid, why).because("study-no-game"));
        }
        None => {
            let why = format!(
                "the file has no game with this number: it has {}",
                games.len()
            );
            return Err(Refusal::new(RefusalCode::NotFound, why).because("study-no-game"));
        }
    };
    Ok((OpenedFileJson { games, game: None }, chosen))
}

/// Writes one player's own file, with its ruleset and the opponent's men.
fn own_file(
    view: &PgnGame,
    ruleset: Option<&Ruleset>,
    men: Option<&str>,
) -> Result<String, Refusal> {
    let ruleset = match ruleset {
        Some(ruleset) => ruleset,
        None => view.ruleset().map_err(|_| no_rules())?,
    };
    let mut text = String::new();
    if let Some(men) = men {
        problems::letters(men).map_err(|why| damaged(&why))?;
        text = format!("[{THEIR_MEN} \"{men}\"]\n");
    }
    write_player_file(&mut text, view, Some(&ruleset.id));
    recorded(text.as_bytes())?;
    Ok(text)
}

fn too_long() -> Refusal {
    let why = format!("a game of a study has at most {MAX_ATTEMPTS} attempts");
    Refusal::new(RefusalCode::TooLarge, why)
}

fn row(line: u64, title: String, fault: Option<String>) -> FileGameJson {
    FileGameJson {
        line: u32::try_from(line).unwrap_or(u32::MAX),
        title,
        fault,
    }
}

fn score(bytes: &[u8], ruleset: Option<&Ruleset>) -> Result<Option<RecordedGame>, Refusal> {
    let Ok(file) = ScoreFile::read(bytes) else {
        return Ok(None);
    };
    file.recorded("", ruleset).map_err(|error| match error {
        RecordedScoreError::NoRules => no_rules(),
        RecordedScoreError::Stop(stop) => damaged(&stop.to_string()),
        RecordedScoreError::Refused(_) | RecordedScoreError::Transcript(_) => {
            damaged(&error.to_string())
        }
    })
}

/// Writes a game, with everything that the referee decided, as PGN.
fn pgn(game: &RecordedGame, ruleset: Option<&Ruleset>) -> Result<String, Refusal> {
    if game.acts.len() > MAX_ATTEMPTS {
        return Err(too_long());
    }
    let opened = match ruleset {
        Some(ruleset) => game.opening_under(ruleset),
        None => game.opening(),
    };
    let opened = opened.map_err(|error| match error {
        scores::OpeningError::NoRules => no_rules(),
        scores::OpeningError::UnknownRules(_)
        | scores::OpeningError::Start(_)
        | scores::OpeningError::Switch(_) => damaged(&error.to_string()),
    })?;
    let written = convert(game, Some(opened), Target::Pgn);
    written
        .map(|written| written.text)
        .map_err(|error| damaged(&error.to_string()))
}

fn first_line(text: &str) -> String {
    text.lines()
        .next()
        .unwrap_or_default()
        .chars()
        .take(300)
        .collect()
}

/// Returns the refusal of a file with a fault. The text of the fault names its place.
fn damaged(fault: &str) -> Refusal {
    let fault = first_line(fault);
    Refusal {
        args: vec![("fault", fault.clone())],
        ..Refusal::new(RefusalCode::Invalid, fault).because("study-fault")
    }
}

fn no_rules() -> Refusal {
    let why = "the file does not name its ruleset: add one, as in `?rules=cincinnati`";
    Refusal::new(RefusalCode::Invalid, why).because("study-no-rules")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn example_is_read_like_a_file_and_stays_itself() {
        let (file, pgn) = read(EXAMPLE.as_bytes(), None, None, None).unwrap();
        assert_eq!(file.games[0].title, "Rea B. Hayes – Mike Juhasz");
        let pgn = pgn.unwrap();
        let (_, again) = read(pgn.as_bytes(), None, None, None).unwrap();
        assert_eq!(again.as_ref(), Some(&pgn));
        assert_eq!(example(), pgn);
        let StudyGame::Whole(game) = recorded(pgn.as_bytes()).unwrap() else {
            panic!("the game is whole");
        };
        assert_eq!(game.acts.len(), 113);
    }
}
