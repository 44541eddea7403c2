//! Stores a player's guesses about the opponent's men, in games at a club. Each game and seat has
//! one file on this machine, which is deleted after the game. The guesses are never sent to a club.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use tui::Guessed;
use wire::Side;

use super::super::kept;

/// Storage of the guesses for one club.
pub(super) struct Guesses {
    folder: Option<PathBuf>,
    /// Whether the user was told that guesses cannot be stored.
    has_complained: bool,
}

impl Guesses {
    /// Opens the storage for a club, and reads the stored guesses. Guesses
    /// about a game in this process are not stored, because the game ends with
    /// the program.
    pub(super) fn open(url: Option<&str>) -> (Guesses, Vec<Guessed>) {
        let folder = url.and_then(|url| Some(kept::base()?.join("play").join(kept::club(url))));
        Guesses::over(folder)
    }

    fn over(folder: Option<PathBuf>) -> (Guesses, Vec<Guessed>) {
        let known = folder.as_deref().map_or_else(Vec::new, read_all);
        let guesses = Guesses {
            folder,
            has_complained: false,
        };
        (guesses, known)
    }

    /// Stores guesses, or deletes the stored guesses if `guessed` is empty. Returns
    /// an error only the first time that storing fails.
    pub(super) fn keep(&mut self, guessed: &Guessed) -> Result<(), String> {
        let Some(folder) = &self.folder else {
            return Ok(());
        };
        match write(folder, guessed) {
            Err(error) if !self.has_complained => {
                self.has_complained = true;
                Err(format!(
                    "Your guesses cannot be stored, and are lost when this program ends: {}: {error}.",
                    folder.display()
                ))
            }
            Ok(()) | Err(_) => Ok(()),
        }
    }
}

fn file(folder: &Path, guessed: &Guessed) -> io::Result<PathBuf> {
    let seat = match guessed.seat {
        Side::White => "white",
        Side::Black => "black",
    };
    // The id of a game comes from the club and is used as a file name.
    let plain = |c: char| c.is_ascii_alphanumeric();
    if guessed.game.is_empty() || guessed.game.len() > 64 || !guessed.game.chars().all(plain) {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    Ok(folder.join(format!("{}-{seat}", guessed.game)))
}

fn write(folder: &Path, guessed: &Guessed) -> io::Result<()> {
    let file = file(folder, guessed)?;
    if guessed.men.is_empty() {
        return match fs::remove_file(&file) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            Ok(()) | Err(_) => Ok(()),
        };
    }
    kept::make(folder)?;
    // Write a new file and rename it, so that a crash leaves a complete file.
    let new = file.with_extension("new");
    fs::write(&new, format!("{}\n{}\n", guessed.who, guessed.men))?;
    fs::rename(&new, &file)
}

/// Reads the stored guesses at one club; skips files that cannot be read.
fn read_all(folder: &Path) -> Vec<Guessed> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let guessed = entries.filter_map(|entry| {
        let entry = entry.ok()?;
        let name = entry.file_name().into_string().ok()?;
        let (game, seat) = name.rsplit_once('-')?;
        let seat = match seat {
            "white" => Side::White,
            "black" => Side::Black,
            _ => return None,
        };
        let text = fs::read_to_string(entry.path()).ok()?;
        let (who, men) = text.split_once('\n')?;
        Some(Guessed {
            game: game.to_owned(),
            seat,
            who: who.to_owned(),
            men: men.trim_end().to_owned(),
        })
    });
    guessed.collect()
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    fn guessed(game: &str, seat: Side, men: &str) -> Guessed {
        Guessed {
            game: game.to_owned(),
            seat,
            who: "anna".to_owned(),
            men: men.to_owned(),
        }
    }

    #[test]
    fn guesses_are_stored_by_game_and_seat_until_the_game_ends() {
        let folder = TempDir::with_prefix("kriegspiel-guesses-");
        let folder = folder.unwrap();
        let (mut guesses, none) = Guesses::over(Some(folder.path().to_owned()));
        assert!(none.is_empty());
        let white = guessed("g1", Side::White, "qe5 nf3");
        let black = guessed("g1", Side::Black, "Ke1");
        for one in [&white, &black] {
            assert_eq!(guesses.keep(one), Ok(()));
        }
        let (_, mut known) = Guesses::over(Some(folder.path().to_owned()));
        known.sort_by_key(|one| one.men.clone());
        assert_eq!(known, [black, white]);
        for side in [Side::White, Side::Black] {
            assert_eq!(guesses.keep(&guessed("g1", side, "")), Ok(()));
        }
        let left = fs::read_dir(folder.path()).unwrap();
        assert_eq!(left.count(), 0);
    }

    #[test]
    fn failure_to_store_guesses_is_reported_once() {
        let nowhere = Some(PathBuf::from("/dev/null/nowhere"));
        let (mut guesses, _) = Guesses::over(nowhere);
        let one = guessed("g1", Side::White, "qe5");
        assert!(guesses.keep(&one).is_err());
        assert_eq!(guesses.keep(&one), Ok(()));
        // An id from the club that is a path outside the folder is rejected.
        assert!(file(Path::new("x"), &guessed("../g1", Side::White, "qe5")).is_err());
    }
}
