//! Tests of the manual pages.

use std::{path::Path, process::Command};

const PAGES: [(&str, &str); 2] = [
    ("ks.1", include_str!("../../../../docs/man/ks.1")),
    (
        "kriegspiel.1",
        include_str!("../../../../docs/man/kriegspiel.1"),
    ),
];

#[test]
fn manual_pages_pass_mandoc() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/man");
    for (name, _) in PAGES {
        let linted = Command::new("mandoc")
            .args(["-T", "lint", "-W", "warning"])
            .arg(folder.join(name))
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&linted.stdout).into_owned();
        assert!(linted.status.success() && said.is_empty(), "{said}");
    }
}

#[test]
fn every_option_and_command_is_in_the_manual() {
    let [(_, ks), (_, all)] = PAGES;
    for letter in "wbcaprsdh".chars() {
        assert!(ks.contains(&format!(" {letter}")), "{letter}");
    }
    for word in [
        "--name",
        "--key",
        "--new",
        "--state",
        "--silence",
        "--url",
        "--token",
    ] {
        assert!(ks.contains(word.trim_start_matches('-')), "{word}");
    }
    let help = Command::new(env!("CARGO_BIN_EXE_kriegspiel"))
        .arg("--help")
        .output()
        .unwrap();
    let help = String::from_utf8_lossy(&help.stdout).into_owned();
    let (_, commands) = help.split_once("Commands:").unwrap();
    for line in commands.lines().skip(1).take_while(|line| !line.is_empty()) {
        let name = line.split_whitespace().next().unwrap_or_default();
        // A continuation line has a much larger indent than the line of a command.
        let is_name = line.starts_with("  ") && !line.starts_with("    ");
        if is_name && name != "help" {
            assert!(
                all.contains(&format!("Cm {name}")),
                "kriegspiel(1) lacks {name}"
            );
        }
    }
}
