//! Tests of what a new user sees first: the program without arguments, its help,
//! and the rules.

use std::process::Command;

fn said(args: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_kriegspiel"))
        .args(args)
        .output()
        .expect("the program starts");
    assert!(output.status.success(), "{args:?}");
    assert!(output.stderr.is_empty(), "{args:?}");
    String::from_utf8(output.stdout).expect("the output is UTF-8")
}

#[test]
fn alone_it_says_what_it_is_and_six_examples() {
    let text = said(&[]);
    let examples = text
        .lines()
        .filter(|l| l.starts_with("  kriegspiel "))
        .count();
    assert_eq!(examples, 6);
    assert!(text.contains("the referee of Kriegspiel"));
    assert!(text.lines().all(|l| l.len() <= 80), "{text}");
}

#[test]
fn every_command_has_help() {
    let text = said(&["--help"]);
    for command in [
        "rules", "referee", "arena", "ksref", "score", "audit", "belief", "solve", "convert",
        "endgame", "play", "view", "serve", "bot", "store", "teletype",
    ] {
        assert!(text.contains(command));
        let help = said(&[command, "--help"]);
        assert!(help.contains("Usage: kriegspiel"), "{help}");
        assert!(help.lines().all(|l| l.len() <= 100), "{help}");
    }
}

#[test]
fn reading_scores_has_help() {
    let help = said(&["score", "read", "--help"]);
    assert!(help.contains("--mend"), "{help}");
    assert!(help.lines().all(|l| l.len() <= 100), "{help}");
}

#[test]
fn rules_list_explain_compare_and_print() {
    let list = said(&["rules"]);
    let table = said(&["rules", "--compare"]);
    for ruleset in &rules::rulesets::ALL {
        let id = &*ruleset.id;
        assert!(
            list.lines().any(|l| l.split(' ').next() == Some(id)),
            "{id}"
        );
        assert!(
            table.lines().any(|l| l.split(' ').next() == Some(id)),
            "{id}"
        );
        let page = said(&["rules", id]);
        assert!(page.starts_with(&format!("{id}: {}", ruleset.title)));
        assert!(page.contains("\nSources\n"));
        let file = said(&["rules", "--toml", id]);
        let read = notation::read_ruleset(&file).expect("the output is a ruleset file");
        assert_eq!(read.choices, ruleset.choices);
        assert_eq!(read.id, format!("my-{id}"));
    }
    assert!(table.lines().all(|l| l.len() <= 100));
}
