//! Checks that `kriegspiel referee --json` prints the recorded games of a run.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod common;

use arena::Run;
use common::{directory, files, run, run_from};
use rules::{Ruleset, rulesets};
use stream::{self, Form, Settings};
use wire::{AnswerJson, LineJson, Side};

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
        let lines: Vec<LineJson> = text
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(refereed(ruleset, &typed(&lines)), text, "{name}");
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
        run.games = 3;
        run.max_plies = 400;
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
