//! Tests of what a new user sees first: the program without arguments, its help,
//! and the rules.

use std::process::Command;

fn said(args: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_kriegspiel"))
        .args(args)
        .output()
        .unwrap();
    assert!(output.status.success(), "{args:?}");
    assert!(output.stderr.is_empty(), "{args:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn no_arguments_print_a_welcome_with_six_examples() {
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
fn every_historic_system_has_its_command() {
    let welcome = said(&[]);
    let readme = include_str!("../../../../README.md");
    for (ruleset, command) in [
        ("umpire", "kriegspiel teletype --1965 --listen 1965"),
        ("western", "kriegspiel ksref --paper"),
        ("eastern", "kriegspiel ksref --paper"),
        ("cincinnati", "kriegspiel play --rules cincinnati"),
        ("ks", "kriegspiel ks USER@MACHINE"),
        ("ks", "kriegspiel xks USER@MACHINE"),
        ("bodlaender", "kriegspiel play --rules bodlaender"),
    ] {
        assert!(welcome.contains(command), "{welcome}");
        assert!(readme.contains(&format!("`{command}`")), "{command}");
        let page = said(&["rules", ruleset]);
        assert!(page.contains(&format!("  - {command}\n")), "{page}");
    }
    assert!(said(&["rules", "ks+ap"]).contains("kriegspiel ks +a +p USER@MACHINE\n"));
}

#[test]
fn every_command_has_help() {
    let text = said(&["--help"]);
    for command in [
        "rules", "referee", "arena", "ksref", "score", "audit", "belief", "solve", "convert",
        "endgame", "play", "view", "serve", "bot", "store", "teletype", "load",
    ] {
        assert!(text.contains(command));
        let help = said(&[command, "--help"]);
        assert!(help.contains("Usage: kriegspiel"), "{help}");
        assert!(help.lines().all(|l| l.len() <= 100), "{help}");
    }
}

/// The help, the completions and the manual pages are made from the same definitions.
#[test]
fn completions_and_manual_pages_name_every_command() {
    let help = said(&["--help"]);
    let (_, list) = help.split_once("Commands:").unwrap();
    let commands: Vec<&str> = list
        .lines()
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter(|line| !line.starts_with("    "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    assert!(commands.len() >= 15, "{commands:?}");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = said(&["completions", shell]);
        for command in &commands {
            assert!(script.contains(command), "{shell} {command}");
        }
        assert!(script.contains("guess-rules"), "{shell}");
    }
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("man");
    said(&["man", "--out", &folder.display().to_string()]);
    for command in &commands {
        let page = std::fs::read_to_string(folder.join(format!("kriegspiel-{command}.1")));
        let page = page.unwrap();
        assert!(page.contains(".SH SYNOPSIS"), "{page}");
    }
    let page = said(&["man", "score", "read"]);
    assert!(page.contains("\\-\\-mend"), "{page}");
}

#[test]
fn mistyped_words_get_a_suggestion() {
    for (args, meant) in [
        (vec!["refere"], "referee"),
        (vec!["audit", "x.txt", "--gues-rules"], "--guess-rules"),
        (vec!["rules", "cincinatti"], "cincinnati"),
        (vec!["arena", "--rules", "wild61"], "wild16"),
        (vec!["man", "refere"], "referee"),
        (vec!["completions", "bsh"], "bash"),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_kriegspiel"))
            .args(&args)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(meant), "{args:?}: {said}");
    }
}

#[test]
fn command_score_read_has_help() {
    let help = said(&["score", "read", "--help"]);
    assert!(help.contains("--mend"), "{help}");
    assert!(help.lines().all(|l| l.len() <= 100), "{help}");
}

#[test]
fn rules_command_can_list_explain_compare_and_print_rulesets() {
    let list = said(&["rules"]);
    let table = said(&["rules", "--compare"]);
    for ruleset in &rules::rulesets::ALL {
        let id = &*ruleset.id;
        assert!(
            list.lines().any(|l| l.split(' ').next() == Some(id)),
            "{id}"
        );
        let named = |line: &str| line.trim().split(", ").any(|named| named == id);
        assert!(table.lines().any(named), "{id}");
        let page = said(&["rules", id]);
        assert!(page.starts_with(&format!("{id}: {}", ruleset.title)));
        assert!(page.contains("\nSources\n"));
        let file = said(&["rules", "--toml", id]);
        let read = notation::read_ruleset(&file).unwrap();
        assert_eq!(read.choices, ruleset.choices);
        assert_eq!(read.id, format!("my-{id}"));
    }
    assert!(table.lines().all(|l| l.chars().count() <= 100));
    // The table needs no legend, because the rules are sentences.
    assert!(table.contains("\nA capture\n"), "{table}");
    let two = said(&["rules", "--compare", "rand", "cincinnati"]);
    assert!(
        two.contains("\n      all\n") && two.contains("\n      rand\n"),
        "{two}"
    );
}
