//! Tests of `kriegspiel audit` and `kriegspiel convert` as programs.

use testkit::story::{self, Story};

use crate::program::{run, text};

const WRONG: &str = "\
title   A capture on the wrong square
rules   cincinnati
source  CINC
fen     4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1

white e4d5 moved | moved w e4d5, x d4 pawn, tries no, turn b | moved w, lost d5 P, x d4 pawn, tries no, turn b | moved w, x d4 pawn, tries no, turn b
";

#[test]
fn golden_games_have_no_finding_and_can_be_converted() {
    let stories = story::all();
    let mut count = 0;
    for ruleset in &rules::rulesets::ALL {
        let of = |story: &&Story| story.rules.contains(&&*ruleset.id);
        for story in stories.iter().filter(of).step_by(7) {
            let name = format!("{}, {}", story.name, ruleset.id);
            let transcript = story.expand(&ruleset.id).text;
            let output = run(&["audit", "-"], transcript.as_bytes());
            assert_eq!(
                output.status.code(),
                Some(0),
                "{name}\n{}",
                text(&output.stdout)
            );
            let pgn = run(&["convert", "-", "--to", "pgn"], transcript.as_bytes());
            assert!(pgn.status.success(), "{name}\n{}", text(&pgn.stderr));
            let audit = run(&["audit", "-"], &pgn.stdout);
            assert_eq!(
                audit.status.code(),
                Some(0),
                "{name}\n{}",
                text(&audit.stdout)
            );
            count += 1;
        }
    }
    assert!(count >= 16);
}

#[test]
fn an_error_is_found_with_its_line_and_source() {
    let output = run(&["audit", "-"], WRONG.as_bytes());
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stdout);
    assert!(
        said.contains("  line 6: white e4d5: capture wrong (White, Black, the room): said `x d4 pawn`, should be `x d5 pawn`. The announced square is the square of the captured man"),
        "{said}"
    );
    assert!(said.contains("[CINC; specification 3]"), "{said}");
    assert!(
        said.ends_with("games 1, announcements judged 1, findings 1\n"),
        "{said}"
    );
    // A game that violates its rules is not converted.
    let output = run(&["convert", "-", "--to", "pgn"], WRONG.as_bytes());
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty() && text(&output.stderr).contains("line 6"));
}

#[test]
fn option_guess_rules_lists_the_possible_rulesets() {
    let castling = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/castling.txt");
    let output = run(&["audit", "--guess-rules", castling], b"");
    assert_eq!(output.status.code(), Some(0));
    let said = text(&output.stdout);
    assert!(said.starts_with("not contradicted: wild16\n"), "{said}");
    assert_eq!(said.lines().count(), 16);
    assert!(
        said.lines()
            .skip(1)
            .all(|l| l.contains(": line ") || l.contains(" line ")),
        "{said}"
    );
}

#[test]
fn faults_of_audit_and_convert_are_reported() {
    let call = |args: &[&str], input: &str| {
        let output = run(args, input.as_bytes());
        (output.status.code(), text(&output.stderr).to_owned())
    };
    let (code, said) = call(&["audit", "no-such-file"], "");
    assert!(code == Some(2) && said.contains("no-such-file"), "{said}");
    let (code, said) = call(&["audit", "-"], "1. e4 e5 *\n");
    assert!(code == Some(1) && said.contains("--rules"), "{said}");
    let (code, said) = call(&["audit", "-", "--rules", "rnd"], "1. e4 e5 *\n");
    assert!(code == Some(2) && said.contains("rand"), "{said}");
    let (code, said) = call(&["audit", "-", "--rules", "rand"], "1. e4 Ke2 *\n");
    assert!(
        code == Some(1) && said.contains("game 1: line 1, column 7: move 1... `Ke2`"),
        "{said}"
    );
    let (code, said) = call(&["convert", "-", "--to", "json", "--strict"], WRONG);
    assert!(code == Some(1) && !said.is_empty());
    let right = WRONG.replace("x d4", "x d5");
    let (code, said) = call(&["convert", "-", "--to", "json"], &right);
    assert!(
        code == Some(0) && said.contains("left out: title and source"),
        "{said}"
    );
    let (code, said) = call(&["convert", "-", "--to", "json", "--strict"], &right);
    assert!(
        code == Some(1) && said.contains("title and source"),
        "{said}"
    );
    let (code, said) = call(&["convert", "-", "--to", "json", "--view", "white"], &right);
    assert!(code == Some(2) && said.contains("--view"), "{said}");
}

#[test]
fn audit_accepts_a_missing_start_and_a_missing_source() {
    let lines = run(
        &["referee", "--rules", "rand", "--json"],
        b"e2e4\nd7d5\ne4d5\n",
    );
    let without = run(&["audit", "-"], &lines.stdout);
    let said = text(&without.stderr);
    assert_eq!(without.status.code(), Some(1), "{said}");
    assert!(said.contains("--rules"), "{said}");
    let audit = run(&["audit", "-", "--rules", "rand"], &lines.stdout);
    assert_eq!(audit.status.code(), Some(0), "{audit:?}");
    assert!(text(&audit.stdout).contains("judged 3, findings 0"));
    let pgn = run(
        &["convert", "-", "--rules", "rand", "--to", "pgn"],
        &lines.stdout,
    );
    assert!(text(&pgn.stdout).contains("2. exd5"), "{pgn:?}");

    let game = "rules rand\n\nattempt | white | black | room\nwhite e2e4\nblack e7e5\n";
    for header in ["title A game\n", "title A game\nsource a club\n"] {
        let audit = run(&["audit", "-"], format!("{header}{game}").as_bytes());
        assert_eq!(audit.status.code(), Some(0), "{audit:?}");
        assert!(text(&audit.stdout).contains("games 1,"), "{audit:?}");
    }
}
