//! Measures how fast games are read, and how much memory this takes, on one core.
//!
//! Run `cargo run --release -p kriegspiel-scores --example reading [FILE.pgn]`. Without a
//! file, the games are random games of every ruleset.

use std::{
    fs,
    hint::black_box,
    io::{self, BufReader, Read},
    time::Instant,
};

use scores::{Form, PgnReader, RecordedGame, RecordedGames, Tags, follow, write_umpire_view};

#[path = "../tests/common/mod.rs"]
mod common;

/// Input that repeats a text several times.
struct Again<'a> {
    text: &'a [u8],
    rest: &'a [u8],
    times: usize,
}

impl Read for Again<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty() && self.times > 0 {
            self.times -= 1;
            self.rest = self.text;
        }
        self.rest.read(buffer)
    }
}

fn again(text: &[u8], times: usize) -> BufReader<Again<'_>> {
    BufReader::with_capacity(
        1 << 18,
        Again {
            text,
            rest: &[],
            times,
        },
    )
}

/// Returns the resident memory in kilobytes; 0 if the system does not report it.
fn resident() -> u64 {
    let text = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|l| l.strip_prefix("VmRSS:"));
    line.and_then(|l| l.split_whitespace().next()?.parse().ok())
        .unwrap_or(0)
}

/// Returns the processor time used so far, in seconds, in steps of 10 ms; `None` if the
/// system does not report it. On a busy machine, elapsed time would not be a useful measure.
fn used() -> Option<f64> {
    let text = fs::read_to_string("/proc/self/stat").ok()?;
    let mut fields = text.rsplit_once(')')?.1.split_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<f64>().ok();
    Some((ticks()? + ticks()?) / 100.0)
}

/// Start of a measurement: elapsed time and processor time.
struct Start(Instant, Option<f64>);

impl Start {
    fn now() -> Start {
        Start(Instant::now(), used())
    }

    fn seconds(&self) -> f64 {
        match (self.1, used()) {
            (Some(before), Some(now)) if now > before => now - before,
            (_, _) => self.0.elapsed().as_secs_f64(),
        }
    }
}

/// Removes all comments. The result is like the PGN of an archive that has no comments.
fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before.trim_end_matches(' '));
        rest = after.split_once('}').map_or("", |(_, rest)| rest);
    }
    out.push_str(rest);
    out
}

fn report(what: &str, bytes: usize, games: usize, started: &Start) {
    let seconds = started.seconds();
    println!(
        "{what:<44} {games:>8} games {:>7.1} MB {seconds:>7.2} s {:>7.1} MB/s   {} kB in use",
        bytes as f64 / 1e6,
        bytes as f64 / 1e6 / seconds,
        resident()
    );
}

fn read(what: &str, text: &[u8], times: usize) {
    let started = Start::now();
    let mut games = 0;
    for game in PgnReader::new(again(text, times)) {
        let game = game
            .expect("the input can be read")
            .expect("the game is not damaged");
        games += 1;
        black_box(game);
    }
    report(what, text.len() * times, games, &started);
}

fn main() {
    let text = match std::env::args().nth(1) {
        Some(file) => fs::read_to_string(file).expect("the file can be read"),
        None => {
            let mut text = String::new();
            for (ruleset, salt) in common::every() {
                for seed in 0..60 {
                    let played = common::play(ruleset, salt + 3_000_000 + seed, 200);
                    write_umpire_view(&mut text, &Tags::default(), &played.log, &[]);
                }
            }
            text
        }
    };
    let whole = text.as_bytes();
    let bare = plain(&text);
    let remarks = text.replace("[%ks", "[%no");
    read("read, with remarks and log", whole, 1);
    read("read, with remarks and log", whole, 40);
    read("read, with remarks alone", remarks.as_bytes(), 40);
    read("read, moves alone", bare.as_bytes(), 200);

    let started = Start::now();
    let mut games = 0;
    for game in RecordedGames::of_form(again(whole, 20), Form::Pgn) {
        let game: RecordedGame = game
            .expect("the input can be read")
            .expect("the game is not damaged");
        let opened = game.opening().expect("the game names its ruleset");
        let followed = follow(&game, opened, false);
        assert!(followed.findings.is_empty());
        games += 1;
    }
    report(
        "every announcement judged again",
        whole.len() * 20,
        games,
        &started,
    );
    read(
        "a great many games",
        whole,
        std::env::var("TIMES").map_or(1, |t| t.parse().expect("the variable is a number")),
    );
}
