//! Runs and directories for the tests.

#![allow(dead_code, reason = "not every test uses all functions")]

use std::{
    fs,
    path::{Path, PathBuf},
};

use arena::{ANSWER_TIMEOUT, Opening, RESULTS_NAME, Run, ScoredGames, Scribe, Shard};
use bots::{Budget, Weights};
use referee::{Event, Game, Opened, Refusal, StartPosition};
use rules::{Attempt, Calls, Ruleset, chess::Color, rulesets::WILD16};

/// Scribe that records nothing. Its [`writes`](Scribe::writes) returns true, so the arena collects
/// the calls in a list.
pub struct Silent;

impl Scribe for Silent {
    fn opened(&mut self, _: &Game, _: &str, _: &Calls) {}
    fn ruled(&mut self, _: &Game, _: Color, _: Attempt, _: &Event, _: &Calls) {}
    fn refused(&mut self, _: &Game, _: Color, _: Attempt, _: &Refusal) {}
    fn not_understood(&mut self, _: &Game, _: &str, _: &str) {}
    fn gone(&mut self, _: &Game, _: Color, _: &Calls) {}
}

/// Returns a run of ten games between `random` bots.
pub fn run(ruleset: &Ruleset) -> Run {
    run_from(ruleset, None)
}

/// Does the same as [`run`], but from the position `fen`, if given.
pub fn run_from(ruleset: &Ruleset, fen: Option<&str>) -> Run {
    let start = fen.map(|fen| StartPosition::from_fen(fen, &ruleset.choices).unwrap());
    let asked = start
        .as_ref()
        .map_or("new".to_owned(), |start| format!("new {}", start.fen()));
    let start = start.unwrap_or_else(StartPosition::initial);
    Run {
        opening: Opening::new(Opened::new(ruleset, ruleset.choices, start), asked),
        players: vec!["random".parse().unwrap(), "random".parse().unwrap()],
        swap: false,
        games: 10,
        seed: 1,
        random_moves: 0,
        budget: Budget::Usual,
        shard: Shard::WHOLE,
        sprt: None,
        threads: 1,
        max_plies: 2000,
        out: None,
        marginals: None,
        answer_timeout: ANSWER_TIMEOUT,
    }
}

/// Returns games of `master` with changed weights.
pub fn scored_games(count: u64, out: PathBuf, threads: usize) -> ScoredGames {
    ScoredGames {
        opening: run(&WILD16).opening,
        weights: (*Weights::shipped()).clone(),
        against: None,
        count,
        seed: 3,
        random_moves: 3,
        nodes: 20,
        threads,
        max_plies: 2000,
        out,
    }
}

/// Returns the file with the scores of the games.
pub fn scores(out: &Path) -> PathBuf {
    let name = out.file_name().unwrap().to_str().unwrap();
    out.with_file_name(format!("{name}.games"))
}

/// Creates an empty directory with this name.
pub fn directory(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if path.exists() {
        fs::remove_dir_all(&path).unwrap();
    }
    fs::create_dir_all(&path).unwrap();
    path
}

/// Returns the names and texts of the files in a directory, sorted by name. The results of a run
/// are left out.
pub fn files(path: &Path) -> Vec<(String, String)> {
    let mut files: Vec<_> = fs::read_dir(path)
        .unwrap()
        .map(|entry| {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            (name, fs::read_to_string(entry.path()).unwrap())
        })
        .collect();
    files.retain(|(name, _)| name != RESULTS_NAME);
    files.sort();
    files
}
