//! Measures how many calls of `Ksref::call` are possible per second, on the eighty sample games.
//!
//! `cargo run --release -p kriegspiel-ksref --example pace`

use std::{
    error::Error,
    fs::File,
    hint::black_box,
    io::{BufRead, BufReader},
    path::Path,
    time::{Duration, Instant},
};

use flate2::read::GzDecoder;
use ksref::{Cell, Idata, Ksref, Rules};
use serde_json::Value;

struct Game {
    rules: Rules,
    attempts: Vec<Idata>,
}

fn games(file: &str) -> Result<Vec<Game>, Box<dyn Error>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(file);
    let mut games = Vec::new();
    for line in BufReader::new(GzDecoder::new(File::open(path)?)).lines() {
        let game: Value = serde_json::from_str(&line?)?;
        let rules = game["rules"].as_i64().and_then(Rules::of);
        let attempts = game["steps"].as_array().into_iter().flatten().map(|step| {
            let mut cells = [0; 6];
            for (cell, number) in cells.iter_mut().zip(step["in"].as_array()?) {
                *cell = i32::try_from(number.as_i64()?).ok()?;
            }
            Some(Idata::from(cells))
        });
        games.push(Game {
            rules: rules.ok_or("a game without rules")?,
            attempts: attempts.collect::<Option<_>>().ok_or("a broken step")?,
        });
    }
    Ok(games)
}

/// Plays all games again and again for 3 seconds, and prints the speed of the fastest round. If
/// `legal`, only the legal moves are played.
fn pace(what: &str, games: &[Game], legal: bool) -> Result<(), Box<dyn Error>> {
    let mut chosen = Vec::new();
    for game in games {
        let (mut iboard, mut minfo, mut nos) = Ksref::start(game.rules);
        let mut attempts = Vec::new();
        for idata in &game.attempts {
            Ksref::call(&mut idata.clone(), &mut iboard, &mut minfo, &mut nos)?;
            if !legal || (idata.itryrq == 0 && minfo[Cell::MATMPT] == 0) {
                attempts.push(*idata);
            }
        }
        chosen.push((game.rules, attempts));
    }
    let (mut calls, mut best) = (0, 0.0f64);
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(3) {
        let round = Instant::now();
        calls = 0;
        for _ in 0..20 {
            for (rules, attempts) in &chosen {
                let (mut iboard, mut minfo, mut nos) = Ksref::start(*rules);
                for idata in attempts {
                    Ksref::call(&mut idata.clone(), &mut iboard, &mut minfo, &mut nos)?;
                    calls += 1;
                }
                black_box((&iboard, &minfo));
            }
        }
        best = best.max(f64::from(calls) / round.elapsed().as_secs_f64());
    }
    println!(
        "{what:<24} {:>6.2} million calls per second ({:.0} ns per call; best round of {calls} calls)",
        best / 1e6,
        1e9 / best
    );
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    for (name, file) in [
        ("western", "ksref_western_sample.jsonl.gz"),
        ("eastern", "ksref_eastern_sample.jsonl.gz"),
    ] {
        let games = games(file)?;
        pace(&format!("{name}, all attempts"), &games, false)?;
        pace(&format!("{name}, legal moves"), &games, true)?;
    }
    Ok(())
}
