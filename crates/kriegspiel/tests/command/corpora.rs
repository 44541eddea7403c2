//! Runs the checks of the fuzz targets on the stored corpus.

#[path = "../../../../fuzz/src/lib.rs"]
mod checks;

use std::{fs, path::Path};

/// Checks every file of a corpus. Returns the number of files.
fn walk(target: &str, check: fn(&[u8])) -> usize {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fuzz/corpus")
        .join(target);
    let mut count = 0;
    for entry in fs::read_dir(folder).expect("the folder of the corpus can be read") {
        let path = entry.expect("the folder can be read").path();
        println!("{}", path.display());
        check(&fs::read(&path).expect("the file can be read"));
        count += 1;
    }
    count
}

#[test]
fn start_positions() {
    assert!(walk("fen", checks::fen) >= 20);
}

#[test]
fn ruleset_files() {
    assert!(walk("toml", checks::toml) >= 20);
}

#[test]
fn streams() {
    assert!(walk("stream", checks::stream) >= 25);
}

#[test]
fn sessions_at_a_table() {
    assert!(walk("table", checks::table) >= 10);
}

#[test]
fn consoles_of_1965() {
    assert!(walk("teletype", checks::doors::teletype) >= 6);
}

#[test]
fn recorded_games() {
    assert!(walk("pgn", checks::pgn) >= 11);
}

#[test]
fn problems() {
    assert!(walk("problem", checks::problem) >= 14);
}

#[test]
fn certificates() {
    assert!(walk("certificate", checks::certificate) >= 12);
}

#[test]
fn attempts() {
    assert!(walk("attempt", checks::attempt) >= 20);
}

#[test]
fn scores() {
    assert!(walk("score", checks::score) >= 20);
}

#[test]
fn numbers_of_1975() {
    assert!(walk("ksref", checks::ksref) >= 12);
}

#[test]
fn frames_and_bodies() {
    assert!(walk("wire", checks::wire) >= 20);
}

#[test]
fn telnet() {
    assert!(walk("telnet", checks::doors::telnet) >= 6);
}

#[test]
fn sessions_of_chess_clients() {
    assert!(walk("ics", checks::doors::ics) >= 8);
}

#[test]
fn lines_of_ks() {
    assert!(walk("ks", checks::doors::ks) >= 3);
}
