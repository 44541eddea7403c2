//! Tests of `kriegspiel score` as a program.

use std::{fs, path::PathBuf};

use crate::program::{CAPTURE, lines, run};

const HAYES: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../examples/hayes-juhasz-1971-score.txt"
);

/// Returns what is printed on stdout and stderr, and the exit code.
fn said(args: &[&str], input: &[u8]) -> (String, String, Option<i32>) {
    let output = run(&[&["score", "read"], args].concat(), input);
    (
        String::from_utf8(output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap(),
        output.status.code(),
    )
}

/// Returns the corrected game from the end of the file.
fn coordinates() -> String {
    let text = fs::read_to_string(HAYES).unwrap();
    text.lines()
        .filter_map(|line| line.strip_prefix("= "))
        .collect::<Vec<_>>()
        .join(" ")
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn two_columns_are_read_together() {
    let (out, err, code) = said(&[HAYES], b"");
    assert_eq!((err.as_str(), code), ("", Some(0)));
    for line in [
        "111 half-moves, descriptive and algebraic, 1-0",
        "3 differences",
        "22...Ba8 (algebraic) differs from the other column and can also be played; proposed: 22...Bh1",
        "3 remarks",
        "18.Nxe5 gives check, but has no check mark",
        "1. f4 f6 2. Nf3 c6",
        "56. Qe4+",
    ] {
        assert!(out.contains(line), "{line}\n{out}");
    }
}

#[test]
fn every_output_format_is_written_and_can_be_read() {
    let (out, err, code) = said(&[HAYES, "--to", "uci"], b"");
    assert_eq!((words(&out), code), (coordinates(), Some(0)));
    assert!(err.contains("proposed: 22...Bh1"), "{err}");
    for form in ["uci", "san", "descriptive", "pgn"] {
        let (text, _, _) = said(&[HAYES, "--to", form], b"");
        let (again, err, code) = said(&["-", "--to", "uci"], text.as_bytes());
        assert_eq!(
            (words(&again), code),
            (coordinates(), Some(0)),
            "{form}: {err}"
        );
    }
    let (out, _, code) = said(&[HAYES, "--to", "transcript", "--rules", "cincinnati"], b"");
    assert_eq!(code, Some(0));
    let transcript: scores::Transcript = out.parse().unwrap();
    assert_eq!(transcript.header.rules, "cincinnati");
    let (_, err, code) = said(&[HAYES, "--to", "transcript"], b"");
    assert!(err.contains("as in --rules cincinnati"), "{err}");
    assert_eq!(code, Some(2));
}

#[test]
fn converted_score_can_be_refereed() {
    let (out, _, _) = said(&[HAYES, "--to", "uci"], b"");
    let input = out.replace(' ', "\n");
    let answers = lines(&["cincinnati"], input.as_bytes());
    assert_eq!(answers.len(), 111);
    assert!(answers.iter().all(|l| l.contains(r#""answer":"moved""#)));
}

#[test]
fn unplayable_score_is_reported_and_corrected() {
    let algebraic = [HAYES, "--column", "algebraic"];
    let (out, err, code) = said(&algebraic, b"");
    assert_eq!((out.as_str(), code), ("", Some(1)));
    for line in [
        "line 32, column 34: 25...Bb2 cannot be played",
        "b1r3n1/5k1r/p3R1pp/2p5/2P2P2/P5P1/3NQ2P/4R1K1 b - - 0 25",
        "8  b . r . . . n .",
        "closest: Bb7 (1), Bg2 (1)",
    ] {
        assert!(err.contains(line), "{line}\n{err}");
    }
    // No other letters help this column.
    assert!(!err.contains("--letters"), "{err}");
    let (out, _, code) = said(&[&algebraic[..], &["--mend"]].concat(), b"");
    assert_eq!(code, Some(0));
    let mend = "2 characters: 25...Bb2 -> 25...Bg2, 26...Ba3 -> 26...Bh3";
    assert!(out.contains(mend), "{out}");
    assert!(
        out.contains("The search changes at most three moves"),
        "{out}"
    );
    let (out, err, code) = said(&[&algebraic[..], &["--mend", "--to", "uci"]].concat(), b"");
    let read = coordinates()
        .replace("b7h1", "b7a8")
        .replace("h1g2", "a8g2");
    assert_eq!((words(&out), code), (read, Some(0)));
    assert!(err.contains(mend), "{err}");
    let (_, err, code) = said(&["-", "--mend", "--to", "uci"], b"1. e4 e5 2. Nf4 Nc6");
    assert_eq!(code, Some(1));
    assert!(
        err.contains("several corrections have the same cost"),
        "{err}"
    );
}

#[test]
fn score_with_another_start_or_ruleset_is_read() {
    let pgn = b"[Rules \"wild16\"]\n[White \"A\"]\n[Black \"B\"]\n[FEN \"4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1\"]\n\n1. exd5 *\n";
    let (out, err, code) = said(&["-", "--to", "transcript"], pgn);
    assert_eq!((err.as_str(), code), ("", Some(0)));
    assert!(out.starts_with("title   A - B\nrules   wild16\n"), "{out}");
    assert!(
        out.contains("fen     4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1\n"),
        "{out}"
    );
    let start = ["-", "--fen", CAPTURE];
    let (out, _, code) = said(&[&start[..], &["--to", "descriptive"]].concat(), b"KPxP");
    assert_eq!((out.as_str(), code), ("  1. PxP\n", Some(0)));
    let (out, _, _) = said(
        &["-", "--rules", "crazykrieg", "--to", "san"],
        b"e4 d5 exd Qxd5 P@e4",
    );
    assert_eq!(out, "1. e4 d5 2. exd5 Qxd5 3. P@e4\n");
}

#[test]
fn faults_of_a_score_are_reported_with_their_place() {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("noise.txt");
    fs::write(&file, b"1. e4\n\x00\x01").unwrap();
    let noise = file.display().to_string();
    let big = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("big.txt");
    fs::write(&big, vec![b'e'; 5 << 20]).unwrap();
    let big = big.display().to_string();
    #[rustfmt::skip]
    let rows = [
        (vec!["no-such-file.txt"], &b""[..], "no-such-file.txt: ", 2),
        (vec![&*noise], b"", "noise.txt: line 2, column 1: byte 0x00 is not text", 2),
        (vec![&*big], b"", "big.txt: the file is longer than 4 megabytes", 2),
        (vec!["-"], b"", "standard input: the file contains no moves", 2),
        (vec!["-", "--rules", "wild61"], b"e4", "did you mean `wild16`?", 2),
        (vec!["-", "--fen", "x"], b"e4", "--fen: not a FEN", 2),
        (vec!["-", "--column", "3"], b"e4", "--column: there is no column `3`; the file has 1 (algebraic)", 2),
        (vec!["-", "--column", "descriptive"], b"e4", "there is no column `descriptive`", 2),
        (vec!["-"], b"1. e4 e5 3. Nf6", "line 1, column 10: the move number is 3., but the next move is 2.", 1),
        (vec!["-"], b"[FEN \"x\"]\n\n1. e4", "standard input: the FEN tag: not a FEN", 2),
        (vec!["-"], b"1. e4 ??", "line 1, column 7: 1...?? does not say which move was played", 1),
    ];
    for (args, input, named, expected) in rows {
        let (out, err, code) = said(&args, input);
        assert!(err.contains(named), "{args:?}: {err}");
        assert_eq!((out.as_str(), code), ("", Some(expected)), "{args:?}");
    }
}

/// The page of 1977 has both notations, with prose around the moves. Move 29 is beside move 1.
#[test]
fn a_printed_page_becomes_a_pgn_with_its_rules() {
    let text = fs::read_to_string(HAYES).unwrap();
    let cells: Vec<Vec<&str>> = text
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>())
        .filter(|words| words.len() == 5 && words[0].parse::<u32>().is_ok())
        .collect();
    let printed = |from: usize| -> String {
        (0..28)
            .map(|row| {
                let half =
                    |i: usize| format!("{}. {} {}", i + 1, cells[i][from], cells[i][from + 1]);
                format!("{}    {}\n", half(row), half(row + 28))
            })
            .collect()
    };
    let page = format!(
        "A Friday evening.\n\nOld style:\n{}\nNew style:\n{}\nBlack bought the drinks.\n",
        printed(1),
        printed(3)
    );
    assert!(page.contains("1. P-KB4 P-KB3    29. R1-Q5 P-N4"), "{page}");
    let (out, err, code) = said(
        &["-", "--to", "pgn", "--rules", "cincinnati"],
        page.as_bytes(),
    );
    assert_eq!(code, Some(0), "{err}");
    assert!(out.contains("[Rules \"cincinnati\"]\n"), "{out}");
    assert!(out.contains("56. Qe4+"), "{out}");
    assert!(err.contains("proposed: 22...Bh1"), "{err}");
    let (moves, _, _) = said(&["-", "--to", "uci"], page.as_bytes());
    assert_eq!(words(&moves), coordinates());
    let (mended, _, code) = said(&["-", "--column", "algebraic", "--mend"], page.as_bytes());
    assert_eq!(code, Some(0));
    assert!(
        mended.contains("25...Bb2 -> 25...Bg2, 26...Ba3 -> 26...Bh3"),
        "{mended}"
    );
    // The PGN names its ruleset, so other commands need no option.
    let json = run(&["convert", "-", "--to", "json"], out.as_bytes());
    assert_eq!(
        json.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&json.stderr)
    );
}

#[test]
fn pages_are_written_with_their_result_in_every_format() {
    let page =
        "A short game\n\n1. f3 A strange move. 1... e5\n2. g4 ?? \u{265b}h4\u{2021} Black wins.\n";
    for (form, expected) in [
        ("pgn", "[Result \"0-1\"]"),
        ("san", "1. f3 e5 2. g4 Qh4# 0-1\n"),
        ("descriptive", "0-1\n"),
        ("transcript", "black d8h4"),
        ("uci", "f2f3 e7e5 g2g4 d8h4\n"),
    ] {
        let (out, err, code) = said(
            &["-", "--to", form, "--rules", "cincinnati"],
            page.as_bytes(),
        );
        assert_eq!((err.as_str(), code), ("", Some(0)), "{form}");
        assert!(out.contains(expected), "{form}: {out}");
    }
}

#[test]
fn letters_of_a_language_are_read_and_proposed() {
    let german = "1. e4 e5 2. Sf3 Sc6 3. Lb5 Dh4".as_bytes();
    let (out, err, code) = said(&["-", "--letters", "de", "--to", "uci"], german);
    assert_eq!((err.as_str(), code), ("", Some(0)));
    assert_eq!(out, "e2e4 e7e5 g1f3 b8c6 f1b5 d8h4\n");
    let (_, err, code) = said(&["-", "--to", "uci"], german);
    assert!(
        err.contains("with --letters de, the whole score can be played"),
        "{err}"
    );
    assert_eq!(code, Some(1));
    let (_, err, code) = said(&["-", "--letters", "xx"], german);
    assert!(err.contains("give a language (en, de, fr"), "{err}");
    assert_eq!(code, Some(2));
}

#[test]
fn another_command_is_named_only_if_it_reads_the_file() {
    let moves = "rules   rand\nsource  RAND\n\nattempt | white | black | room\n";
    for (text, command) in [
        (
            format!("title   A\n{moves}white e2e4\n"),
            "`kriegspiel view standard input`",
        ),
        (
            format!(
                "title   A\n{}white e2e4\n",
                moves.replace("rand", "no-such-rules")
            ),
            "",
        ),
    ] {
        let (_, err, code) = said(&["-"], text.as_bytes());
        assert_ne!(code, Some(0), "{text}");
        assert_eq!(
            err.contains("kriegspiel view"),
            !command.is_empty(),
            "{text}{err}"
        );
    }
    // The score cannot be played, so `score read` is not named.
    for (text, named) in [
        ("1. e4 e5 2. Nf3 Nc6", true),
        ("1. e4 e5 2. Nf3 Nf3", false),
    ] {
        let output = run(&["convert", "-", "--to", "pgn"], text.as_bytes());
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(
            err.contains("kriegspiel score read"),
            named,
            "{text}: {err}"
        );
    }
    let utf16: Vec<u8> = "1. e4 e5"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let output = run(&["convert", "-", "--to", "pgn"], &utf16);
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        err.contains("the file is in UTF-16: save it in UTF-8"),
        "{err}"
    );
    let utf32 = run(&["audit", "-"], b"\xff\xfe\0\0e\0\0\0");
    let err = String::from_utf8_lossy(&utf32.stderr);
    assert!(err.contains("the file is in UTF-32"), "{err}");
    let (out, _, code) = said(&["-", "--to", "uci"], &utf16);
    assert_eq!((out.as_str(), code), ("e2e4 e7e5\n", Some(0)));
}
