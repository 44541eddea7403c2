//! What an end has kept, read from outside.

use std::{fs, path::Path};

use doors::ks::JournalEntry;
use wire::HeardJson;

/// The lines of the one journal in a folder, as far as they are whole.
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
        .map(|line| serde_json::from_str(line).expect("a line of a journal"))
        .collect()
}

/// The one game in a folder that is over, whole, as PGN.
pub fn whole_game(folder: &Path) -> String {
    let files = fs::read_dir(folder).expect("it is there");
    let paths = files.map_while(Result::ok).map(|file| file.path());
    let mut paths = paths.filter(|path| path.extension().is_some_and(|end| end == "pgn"));
    let path = paths.next().expect("a whole game");
    assert_eq!(paths.next(), None);
    fs::read_to_string(path).expect("it is text")
}

/// All that was heard, in order; its numbers have no gaps.
pub fn heard(folder: &Path) -> Vec<HeardJson> {
    let mut all = Vec::new();
    let mut n = 0;
    for entry in entries(folder) {
        if let JournalEntry::Heard(hearing) = entry {
            n += 1;
            assert_eq!(hearing.n, n, "a gap, or something twice");
            all.extend(hearing.heard);
        }
    }
    all
}

/// The moves that this end's player made, in order.
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

/// Whether something was asked and not answered yet.
pub fn waits(folder: &Path) -> bool {
    entries(folder)
        .into_iter()
        .fold(false, |waits, entry| match entry {
            JournalEntry::Heard(_) => waits,
            JournalEntry::Asked { .. } => true,
            JournalEntry::Answered(_) => false,
        })
}
