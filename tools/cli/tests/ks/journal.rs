//! Reads the files that an end (the program `ks` of one player) has stored.

use std::{fs, path::Path};

use doors::ks::JournalEntry;
use wire::HeardJson;

/// Returns the entries of the journal in a folder, without an incomplete last
/// line.
pub fn entries(folder: &Path) -> Vec<JournalEntry> {
    let Ok(files) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let is_journal = |path: &Path| path.extension().is_some_and(|end| end == "journal");
    let paths = files.map_while(Result::ok).map(|file| file.path());
    let Some(path) = paths.into_iter().find(|path| is_journal(path)) else {
        return Vec::new();
    };
    let text = fs::read_to_string(path).unwrap_or_default();
    let whole = text
        .split_inclusive('\n')
        .filter(|line| line.ends_with('\n'));
    whole
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Returns the record of the finished game in a folder, as PGN.
pub fn whole_game(folder: &Path) -> String {
    let files = fs::read_dir(folder).unwrap();
    let paths = files.map_while(Result::ok).map(|file| file.path());
    let mut paths = paths.filter(|path| path.extension().is_some_and(|end| end == "pgn"));
    let path = paths.next().unwrap();
    assert_eq!(paths.next(), None);
    fs::read_to_string(path).unwrap()
}

/// Returns all hearings in order, and checks that their numbers have no gaps.
pub fn heard(folder: &Path) -> Vec<HeardJson> {
    let mut all = Vec::new();
    let mut n = 0;
    for entry in entries(folder) {
        if let JournalEntry::Heard(hearing) = entry {
            n += 1;
            assert_eq!(hearing.n, n, "a hearing is missing or repeated");
            all.extend(hearing.heard);
        }
    }
    all
}

/// Returns the moves of the player of this end, in order.
pub fn own_moves(folder: &Path) -> Vec<String> {
    let own = |heard| match heard {
        HeardJson::Moved {
            attempt: Some(attempt),
            ..
        } => Some(attempt.0.to_string()),
        _ => None,
    };
    heard(folder).into_iter().filter_map(own).collect()
}

/// Whether the journal contains a request that is not answered yet.
pub fn waits(folder: &Path) -> bool {
    entries(folder)
        .into_iter()
        .fold(false, |waits, entry| match entry {
            JournalEntry::Heard(_) => waits,
            JournalEntry::Asked { .. } => true,
            JournalEntry::Answered(_) => false,
        })
}
