//! Checks that `kriegspiel referee --json --tries` prints the recorded games of a run.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod common;

use arena::Run;
use common::{directory, files, run, run_from};
use rules::{
    Ruleset,
    rulesets::{self, WILD16},
};
use stream::{self, Form, Settings};
use wire::{AnswerJson, LineJson, Side, named_choices};

/// Returns the input for which `kriegspiel referee --json` prints these lines.
fn typed(lines: &[LineJson]) -> String {
    lines
        .iter()
        .map(|line| match line.by {
            Some(Side::White) => format!("white {}\n", line.attempt),
            Some(Side::Black) => format!("black {}\n", line.attempt),
            None => format!("{}\n", line.attempt),
        })
        .collect()
}

fn refereed(ruleset: &Ruleset, input: &str) -> String {
    let mut settings = Settings::new(ruleset.clone());
    settings.form = Form::Json;
    settings.tries = true;
    let mut output = Vec::new();
    stream::run(input.as_bytes(), &mut output, &settings).unwrap();
    String::from_utf8(output).unwrap()
}

fn check(mut run: Run, ruleset: &Ruleset, name: &str) -> Vec<LineJson> {
    let out = directory(&format!("records-{name}"));
    run.out = Some(out.clone());
    let outcome = run.play(|_| {});
    assert!(outcome.fault.is_none());
    let mut all = Vec::new();
    for (name, text) in files(&out) {
        let mut lines: Vec<LineJson> = text
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let place = lines[0].run.take().unwrap();
        assert_eq!(name, format!("game-{:06}.jsonl", place.game));
        assert_eq!(place.choices, named_choices(&ruleset.choices));
        let plain: String = lines
            .iter()
            .map(|line| serde_json::to_string(line).unwrap() + "\n")
            .collect();
        assert_eq!(refereed(ruleset, &typed(&lines)), plain, "{name}");
        all.extend(lines);
    }
    let answered = |line: &&LineJson| {
        !matches!(
            line.answer,
            AnswerJson::New | AnswerJson::Refused | AnswerJson::NotUnderstood
        )
    };
    let attempts: u64 = outcome.games.iter().map(|g| g.played.attempts).sum();
    assert_eq!(all.iter().filter(answered).count() as u64, attempts);
    all
}

#[test]
fn referee_prints_the_recorded_bytes_under_every_ruleset() {
    for ruleset in &rulesets::ALL {
        let mut run = run(ruleset);
        run.players[0] = "random+any".parse().unwrap();
        run.games = 2;
        run.max_plies = 200;
        let lines = check(run, ruleset, &ruleset.id);
        assert_eq!(lines[0].attempt, "new");
        assert_eq!(lines[0].answer, AnswerJson::New);
    }
}

#[test]
fn record_of_a_game_from_a_fen_begins_with_the_fen() {
    let fen = "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1";
    let ruleset = rulesets::by_id("rand").unwrap();
    let lines = check(run_from(ruleset, Some(fen)), ruleset, "fen");
    assert_eq!(lines[0].attempt, format!("new {fen}"));
    assert_eq!(lines[0].fen, fen);
}

#[test]
fn records_name_the_players_who_swap_colours() {
    let mut run = run(&WILD16);
    run.players[1] = "simple".parse().unwrap();
    (run.swap, run.games, run.seed) = (true, 2, 5);
    let out = directory("records-players");
    run.out = Some(out.clone());
    run.play(|_| {});
    let names: Vec<_> = files(&out)
        .iter()
        .filter_map(|(_, text)| {
            let line: LineJson = serde_json::from_str(text.lines().next()?).unwrap();
            line.run.map(|run| (run.white, run.black, run.seed))
        })
        .collect();
    let [random, simple] = ["random", "simple"].map(str::to_owned);
    assert_eq!(
        names,
        [(random.clone(), simple.clone(), 5), (simple, random, 5)]
    );
}

#[test]
fn marginals_count_the_men_of_the_opponent() {
    let mut run = run(&WILD16);
    (run.games, run.max_plies, run.marginals) = (2, 40, Some(2000));
    let out = directory("records-marginals");
    run.out = Some(out.clone());
    run.play(|_| {});
    let mut compared = 0;
    for (name, text) in files(&out) {
        for line in text.lines() {
            let line: LineJson = serde_json::from_str(line).unwrap();
            let (Some(marginals), Some(to_move)) = (line.marginals, line.to_move) else {
                continue;
            };
            let board = line.fen.split(' ').next().unwrap();
            let theirs = |c: &char| c.is_ascii_uppercase() == (to_move == Side::Black);
            let men = board.chars().filter(char::is_ascii_alphabetic);
            let men = men.filter(theirs).count() as f64;
            let shares = marginals.values().flat_map(|squares| squares.values());
            let expected: f64 = shares.map(|share| f64::from(*share) / 10_000.0).sum();
            assert!((men - expected).abs() < 0.1, "{name}: {men} {expected}");
            compared += 1;
        }
    }
    assert!(compared > 40);
}
