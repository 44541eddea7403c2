//! Tests of `kriegspiel problems` and of `kriegspiel play --problem` as a program.

use std::fs;

use tempfile::TempDir;

use crate::program::run;

/// Returns an empty folder for one test.
fn folder() -> TempDir {
    TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("the folder can be created")
}

fn said(args: &[&str], input: &str) -> String {
    let output = run(args, input.as_bytes());
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("the text is UTF-8");
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
}

fn refused(args: &[&str]) -> String {
    let output = run(args, b"");
    assert_eq!(output.status.code(), Some(2), "{args:?}");
    String::from_utf8(output.stderr).expect("the text is UTF-8")
}

/// Two problems. In the first, White mates on the last rank. In the second, White has no forced
/// mate.
const TWO: &str = r#"{"id":"rank","rules":"wild16","seat":"white","mate_in":1,"mate":true,"positions":["6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1","6k1/5ppp/7r/8/8/8/8/R5K1 w - - 0 1"],"author":"Ida","source":"a test"}
{"id":"no-rank","rules":"english","seat":"white","mate_in":1,"mate":false,"positions":["6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1","6k1/5pp1/8/8/8/8/8/R5K1 w - - 0 1"]}
"#;

#[test]
fn shipped_problems_are_listed_by_rules_moves_and_author() {
    let all = said(&["problems", "list"], "");
    assert!(all.lines().count() > 70);
    let some = [
        "problems",
        "list",
        "--rules",
        "english",
        "--mate-in",
        "6",
        "--author",
        "anderson",
    ];
    let some = said(&some, "");
    assert!(
        some.starts_with("anderson-25: White, english, mate in 6 own moves"),
        "{some}"
    );
    assert!(some.ends_with("1 problem\n"), "{some}");
    // The list does not show the answers.
    assert!(!all.contains("no mate"));
    let json = said(&["problems", "list", "--json"], "");
    assert!(!json.contains("\"mate\":"));
}

#[test]
fn problem_is_shown_as_the_player_knows_it_and_is_solved() {
    let folder = folder();
    let file = folder.path().join("two.jsonl");
    fs::write(&file, TWO).expect("the file can be written");
    let file = file.to_str().expect("the path is UTF-8");
    let shown = said(&["problems", "show", "rank", "--file", file], "");
    assert!(shown.contains("By Ida, a test"), "{shown}");
    assert!(shown.contains("1  R . . . . . K ."), "{shown}");
    // The opponent's men are hidden.
    assert!(shown.contains("8  . . . . . . . ."), "{shown}");
    assert!(shown.contains("Possible: 2 positions. Can White force mate within 1 own move"));
    let shown = said(
        &[
            "problems",
            "show",
            "rank",
            "--file",
            file,
            "--possible",
            "5",
        ],
        "",
    );
    assert!(shown.contains("6k1/5ppp/7r/8/8/8/8/R5K1 w"), "{shown}");
    // If only one position is possible, the player knows the squares of all men. So the board shows
    // all men.
    let shown = said(&["problems", "show", "anderson-6"], "");
    assert!(shown.contains("4  . p k . . . . ."), "{shown}");
    let solved = said(&["problems", "solve", "rank", "--file", file, "--keys"], "");
    assert!(solved.contains("try a1a8: mate if it is legal"), "{solved}");
    assert!(solved.contains("A mate can begin with: a1a8"), "{solved}");
    let solved = said(&["problems", "solve", "no-rank", "--file", file], "");
    assert!(
        solved.contains("no mate in 1 own move against 2 positions"),
        "{solved}"
    );
    assert!(solved.contains("6k1/5pp1/8/8/8/8/8/R5K1"), "{solved}");
    #[rustfmt::skip]
    let rows = [
        (&["problems", "show", "rook"][..], "`kriegspiel problems list` lists all"),
        (&["problems", "show", "x", "--file", "missing.jsonl"], "missing.jsonl"),
        (&["problems", "make", "--out", "x", "--counts", "4=1"], "PLIES=COUNT"),
        (&["problems", "make", "--out", "x", "--rules", "chess"], "`kriegspiel rules`"),
    ];
    for (args, why) in rows {
        let error = refused(args);
        assert!(error.contains(why), "{error}");
    }
}

#[test]
fn problem_is_played_against_the_defender() {
    let folder = folder();
    let file = folder.path().join("two.jsonl");
    fs::write(&file, TWO).expect("the file can be written");
    let file = file.to_str().expect("the path is UTF-8");
    let proof = folder.path().join("proof.jsonl");
    let proof = proof.to_str().expect("the path is UTF-8");
    let input = format!("Ra7\nnone\ncertificate {proof}\nRa8\n");
    let played = said(&["play", "--problem", "rank", "--file", file], &input);
    assert!(played.contains("Not mated."), "{played}");
    assert!(
        played.contains("Wrong: there is a forced mate."),
        "{played}"
    );
    assert!(
        played.ends_with("Mate. The problem is solved.\n"),
        "{played}"
    );
    assert!(said(&["solve", "--check", proof], "").contains("mate in 1 own move is proved"));
    // The try a1a8 mates in one position only. The defender chooses the other position.
    let played = said(
        &["play", "--problem", "no-rank", "--file", file],
        "Ra8\nnone\n",
    );
    assert!(
        played.contains("6k1/5pp1") || played.contains("/5pp1/"),
        "{played}"
    );
    assert!(played.contains("Right."), "{played}");
}

#[test]
fn generated_problems_do_not_depend_on_interruptions() {
    let folder = folder();
    let path = |name: &str| {
        folder
            .path()
            .join(name)
            .to_str()
            .expect("the path is UTF-8")
            .to_owned()
    };
    let make = |name: &str, games: &str, threads: &str| {
        let (out, proofs) = (path(name), path(&format!("proofs-{name}")));
        let args = [
            "problems",
            "make",
            "--out",
            &out,
            "--certificates",
            &proofs,
            "--counts",
            "3=9,5=9",
            "--seed",
            "3",
            "--threads",
            threads,
        ];
        said(&[&args[..], &["--games", games]].concat(), "");
        let read = |path: &str| fs::read_to_string(path).expect("the file can be read");
        (read(&out), read(&proofs))
    };
    let once = make("once.jsonl", "20", "1");
    make("twice.jsonl", "8", "2");
    let twice = make("twice.jsonl", "12", "2");
    assert_eq!(once, twice);
    assert!(once.0.lines().count() > 3, "{}", once.0);
    assert_eq!(once.0.lines().count(), once.1.lines().count());
    let file = path("once.jsonl");
    // The labels are the verdicts of the solver, and the referee confirms the certificates.
    let solved = said(&["solve", "--problems", &file], "");
    assert!(!solved.contains("according to the file"), "{solved}");
    // A long certificate is only a hash in this file.
    let is_whole = |line: &&str| !line.contains("\"sha256\"");
    let whole: Vec<&str> = once.1.lines().filter(is_whole).collect();
    assert!(whole.len() > 3, "{}", whole.len());
    said(&["solve", "--check", "-"], &(whole.join("\n") + "\n"));
    let other = refused(&["problems", "make", "--out", &file, "--seed", "4"]);
    assert!(other.contains("was begun with --seed 3"), "{other}");
}

#[test]
fn long_run_finds_problems_in_variants_of_a_first_game() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let make = |name: &str, threads: &str| {
        let (out, proofs) = (path(name), path(&format!("proofs-{name}")));
        let options = "--long --counts 3=1,5=1 --rules wild16 --seed 17 --games 1";
        let files = ["--out", &out, "--certificates", &proofs];
        let args = ["problems", "make", "--threads", threads];
        let options: Vec<&str> = options.split(' ').collect();
        said(&[&args[..], &files, &options].concat(), "");
        let read = |path: &str| fs::read_to_string(path).expect("the file can be read");
        (read(&out), read(&proofs))
    };
    let (problems, proofs) = make("one.jsonl", "1");
    assert_eq!((problems.clone(), proofs.clone()), make("two.jsonl", "2"));
    for problem in problems.lines() {
        assert!(problem.contains("seed 17, game 0, variant "), "{problem}");
    }
    assert_eq!(problems.lines().count(), 4, "{problems}");
    let checked = said(&["solve", "--check", "-"], &proofs);
    assert_eq!(checked.matches("is proved").count(), 4, "{checked}");
}

#[test]
fn shipped_certificate_is_printed_and_checked() {
    let all = said(&["problems", "list", "--author", "problems make"], "");
    let (id, _) = all.split_once(':').expect("the list begins with an id");
    let certificate = said(&["problems", "certificate", id], "");
    let checked = run(&["solve", "--check", "-"], certificate.as_bytes());
    let checked = String::from_utf8(checked.stdout).expect("the text is UTF-8");
    assert!(checked.starts_with(&format!("{id}: ")), "{checked}");
    assert!(checked.contains("is proved"), "{checked}");
    // A composed problem has no shipped certificate, so the command makes one.
    let certificate = said(&["problems", "certificate", "anderson-3"], "");
    let checked = run(&["solve", "--check", "-"], certificate.as_bytes());
    assert!(checked.status.success());
}
