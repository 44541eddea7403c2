//! Games of studies: games of files that were opened, and chapters that were kept. The text of such
//! a game stays in memory for some time, under an id like that of a game of the club.

use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use axum::body::Bytes;
use club::GameId;
use rand::random;
use rules::Ruleset;
use scores::{
    RecordedGame, RecordedGames, Target, convert,
    score::{RecordedScoreError, ScoreFile},
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

/// The opened games, as PGN, and their reviews.
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
    pub fn open(&self, pgn: &str) -> GameId {
        let hash = Sha256::new().chain_update(self.secret).chain_update(pgn);
        let hash: [u8; 32] = hash.finalize().into();
        let chance = hash
            .first_chunk()
            .map_or(0, |first| u64::from_be_bytes(*first));
        let id = GameId::from_chance(chance);
        let text = Ok(Bytes::copy_from_slice(pgn.as_bytes()));
        let mut games = self.games();
        // An error means that the text is there already.
        let _same = games.add(id).set(text.clone());
        games.note(id, &text);
        id
    }

    /// Returns an opened game as PGN.
    pub fn pgn(&self, id: GameId) -> Option<Bytes> {
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
        let read = read(EXAMPLE.as_bytes(), None, None);
        read.ok().and_then(|(_, pgn)| pgn).unwrap_or_default()
    });
    &WRITTEN
}

/// Reads a game that the club itself wrote as PGN.
pub fn recorded(pgn: &[u8]) -> Result<RecordedGame, Refusal> {
    let mut games = RecordedGames::new(pgn).map_err(|_| unreadable())?;
    match games.next() {
        Some(Ok(Ok(recorded))) => Ok(recorded),
        Some(Ok(Err(_)) | Err(_)) | None => Err(unreadable()),
    }
}

/// Names the players of a game, or its title.
pub fn title(game: &RecordedGame) -> String {
    let name = |tag| game.tags.get(tag).filter(|name| !matches!(*name, "" | "?"));
    let title = match (name("White"), name("Black")) {
        (Some(white), Some(black)) => format!("{white} – {black}"),
        _ => game.title.clone(),
    };
    title.chars().take(MAX_TITLE).collect()
}

/// Reads a file: lists its games, and returns the game with this number, from 1, as PGN. Without a
/// number, a file with several games is only listed.
///
/// # Errors
/// The refusal names the fault and its place.
pub fn read(
    bytes: &[u8],
    number: Option<usize>,
    ruleset: Option<&Ruleset>,
) -> Result<(OpenedFileJson, Option<String>), Refusal> {
    let mut games = Vec::new();
    let mut wanted = None;
    let mut part_has_acts = false;
    let mut reader = RecordedGames::new(bytes).map_err(|error| damaged(&error.to_string()))?;
    while games.len() < MAX_GAMES
        && let Some(Ok(item)) = reader.next()
    {
        let is_wanted = number.unwrap_or(1) == games.len() + 1;
        games.push(match &item {
            Ok(game) => row(game.line, title(game), None),
            Err(fault) => row(
                fault.line(),
                String::new(),
                Some(first_line(&fault.to_string())),
            ),
        });
        part_has_acts |= reader.take_part().is_some_and(|part| !part.acts.is_empty());
        if is_wanted {
            wanted = Some(item.map_err(|fault| damaged(&fault.to_string())));
        }
    }
    // The PGN reader also accepts the header of a score, but then it finds no act.
    let is_one = games.len() <= 1;
    if is_one
        && !part_has_acts
        && !matches!(&wanted, Some(Ok(game)) if !game.acts.is_empty())
        && let Some(game) = score(bytes, ruleset)?
    {
        games = vec![row(1, title(&game), None)];
        wanted = Some(Ok(game));
    }
    let chosen = match wanted {
        _ if number.is_none() && games.len() > 1 => None,
        Some(game) => Some(pgn(&game?, ruleset)?),
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
        let why = format!("a game of a study has at most {MAX_ATTEMPTS} attempts");
        return Err(Refusal::new(RefusalCode::TooLarge, why));
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
        let (file, pgn) = read(EXAMPLE.as_bytes(), None, None).unwrap();
        assert_eq!(file.games[0].title, "Rea B. Hayes – Mike Juhasz");
        let pgn = pgn.unwrap();
        let (_, again) = read(pgn.as_bytes(), None, None).unwrap();
        assert_eq!(again.as_ref(), Some(&pgn));
        assert_eq!(example(), pgn);
        assert_eq!(recorded(pgn.as_bytes()).unwrap().acts.len(), 113);
    }
}
