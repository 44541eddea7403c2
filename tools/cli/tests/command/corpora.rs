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
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        println!("{}", path.display());
        check(&fs::read(&path).unwrap());
        count += 1;
    }
    count
}

#[test]
fn stored_start_positions_pass_the_fuzz_checks() {
    assert!(walk("fen", checks::fen) >= 20);
}

#[test]
fn stored_ruleset_files_pass_the_fuzz_checks() {
    assert!(walk("toml", checks::toml) >= 20);
}

#[test]
fn stored_streams_pass_the_fuzz_checks() {
    assert!(walk("stream", checks::stream) >= 25);
}

#[test]
fn stored_sessions_at_a_table_pass_the_fuzz_checks() {
    assert!(walk("table", checks::table) >= 10);
}

#[test]
fn stored_input_of_teletypes_passes_the_fuzz_checks() {
    assert!(walk("teletype", checks::doors::teletype) >= 6);
}

#[test]
fn stored_recorded_games_pass_the_fuzz_checks() {
    assert!(walk("pgn", checks::pgn) >= 11);
}

#[test]
fn stored_problems_pass_the_fuzz_checks() {
    assert!(walk("problem", checks::problem) >= 14);
}

#[test]
fn stored_certificates_pass_the_fuzz_checks() {
    assert!(walk("certificate", checks::certificate) >= 12);
}

#[test]
fn stored_attempts_pass_the_fuzz_checks() {
    assert!(walk("attempt", checks::attempt) >= 20);
}

#[test]
fn stored_scores_pass_the_fuzz_checks() {
    assert!(walk("score", checks::score) >= 20);
}

#[test]
fn stored_input_of_ksref_passes_the_fuzz_checks() {
    assert!(walk("ksref", checks::ksref) >= 12);
}

#[test]
fn stored_frames_and_bodies_pass_the_fuzz_checks() {
    assert!(walk("wire", checks::wire) >= 20);
}

#[test]
fn stored_bytes_of_telnet_pass_the_fuzz_checks() {
    assert!(walk("telnet", checks::doors::telnet) >= 6);
}

#[test]
fn stored_sessions_of_chess_clients_pass_the_fuzz_checks() {
    assert!(walk("ics", checks::doors::ics) >= 8);
}

#[test]
fn stored_lines_of_ks_pass_the_fuzz_checks() {
    assert!(walk("ks", checks::doors::ks) >= 3);
}
