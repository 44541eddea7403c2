//! The options `--raw` and `--legal`: their output, and errors in the input.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::io::{self, BufReader, Read};

use ksref::{
    Cell, Iboard, Ksref, Rules,
    command::{self, Args},
};

fn raw() -> Args {
    Args {
        raw: true,
        ..Args::default()
    }
}

/// Runs the command. Returns the output, the notes, and the error that stopped
/// it.
fn run(args: &Args, input: impl Read) -> (String, String, Option<String>) {
    let (mut output, mut notes) = (Vec::new(), Vec::new());
    let done = command::main(args, BufReader::new(input), &mut output, &mut notes);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output), text(notes), done.err().map(|e| e.to_string()))
}

#[track_caller]
fn answers(args: &Args, input: &str) -> Vec<Vec<String>> {
    let (output, _, fault) = run(args, input.as_bytes());
    assert_eq!(fault, None);
    let rows: Vec<String> = output.lines().map(str::to_owned).collect();
    rows.chunks(11).map(<[String]>::to_vec).collect()
}

#[track_caller]
fn stops(input: &str, fault: &str) {
    let (_, _, found) = run(&raw(), input.as_bytes());
    assert_eq!(found.as_deref(), Some(fault));
}

#[test]
fn each_attempt_is_answered_with_eleven_rows() {
    let (output, notes, fault) = run(&raw(), "1\n5 2 5 4 0 0\n5 2 5 4 0 0\n".as_bytes());
    assert_eq!((notes.as_str(), fault), ("", None));
    let sheet = "1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
1 0 0 0 0 2 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
-1
-6 -3 -4 -5 -1 -4 -3 -6
-2 -2 -2 -2 -2 -2 -2 -2
0 0 0 0 0 0 0 0
0 0 0 0 0 0 0 0
0 0 0 0 2 0 0 0
0 0 0 0 0 0 0 0
2 2 2 2 0 2 2 2
6 3 4 5 1 4 3 6
";
    let heck_no = sheet.replacen("1 0 0 0 0 0", "1 0 0 0 0 2", 1);
    assert_eq!(output, format!("{sheet}{heck_no}"));
}

#[test]
fn numbers_may_be_separated_by_blanks_commas_or_line_ends() {
    let expected = answers(&raw(), "2\n5 2 5 4 0 0\n0 0 0 0 0 1\n");
    assert_eq!(expected.len(), 2);
    for input in [
        "2 5 2 5 4 0 0 0 0 0 0 0 1",
        "2\r\n5,2,5,4,0,0\r\n0,0,0,0,0,1",
        "2\n5\n2\n5\n4\n0\n0\n\n\n0 0 0\n0 0 1",
    ] {
        assert_eq!(answers(&raw(), input), expected, "{input:?}");
    }
}

#[test]
fn empty_input_gives_no_output() {
    for input in ["", "\n \n", "1", "2\n"] {
        assert_eq!(answers(&raw(), input), Vec::<Vec<String>>::new());
    }
}

#[test]
fn error_names_the_place_of_bad_input() {
    stops(
        "3\n",
        "line 1, column 1: the rules number is 3; it must be 1 (Western) or 2 (Eastern)",
    );
    stops("w", "line 1, column 1: `w` is not a whole number");
    stops(
        "1\n5 2 5 4 0 0\n5 7 e5",
        "line 3, column 5: `e5` is not a whole number",
    );
    stops(
        "1\n5 2 5 4\n",
        "line 3, column 1: the input ends after 4 of the 6 numbers of an attempt",
    );
    stops(
        "1 5 2 5 4 0 0\n1",
        "line 2, column 2: the input ends after 1 of the 6 numbers of an attempt",
    );
}

#[test]
fn answers_before_a_fault_are_printed() {
    let (output, _, fault) = run(&raw(), "1\n5 2 5 4 0 0\n?".as_bytes());
    assert_eq!(output.lines().count(), 11);
    assert!(fault.is_some());
}

#[test]
fn invalid_utf8_is_an_error_and_no_panic() {
    let (_, _, fault) = run(&raw(), &b"1 \xff\xfe\x00\x1b[2J"[..]);
    let fault = fault.unwrap();
    assert!(fault.starts_with("line 1, column 3: `"), "{fault:?}");
    assert!(!fault.contains('\x1b'));
}

#[test]
fn huge_line_is_read_or_reported() {
    let blanks = io::repeat(b' ').take(10_000_000);
    let (output, _, fault) = run(&raw(), b"1".chain(blanks).chain(&b"5 2 5 4 0 0"[..]));
    assert_eq!((output.lines().count(), fault), (11, None));

    let digits = io::repeat(b'7').take(10_000_000);
    let (output, _, fault) = run(&raw(), b"1 5 2 5 ".chain(digits).chain(&b" 0 0\n"[..]));
    assert_eq!(fault, None);
    assert!(output.starts_with("1 0 0 0 0 2 0"), "the answer is heck-no");

    let letters = io::repeat(b'x').take(10_000_000);
    let (_, _, fault) = run(&raw(), b"1 ".chain(letters));
    assert!(fault.unwrap().len() < 100);

    let letters = io::repeat(b'x').take(10_000_000);
    let (output, _, fault) = run(&Args::default(), letters.chain(&b"\n1\nend\n"[..]));
    assert_eq!(fault, None);
    assert!(output.contains("NOT ACCEPTED: LINE 1: IT IS LONGER THAN 4096 CHARACTERS"));
    assert!(output.contains("THE PLAYER TO MOVE IS WHITE"));
}

#[test]
fn dialog_skips_blank_lines() {
    let typed = |input: &str| run(&Args::default(), input.as_bytes());
    assert_eq!(typed("\n1\r\n \n5 2 5 4 0 0\n\n"), typed("1\n5 2 5 4 0 0"));
}

#[test]
fn attempts_with_numbers_out_of_range_get_heck_no() {
    for wild in [
        "0 0 0 0 0 0",
        "9 2 5 4 0 0",
        "5 -2 5 4 0 0",
        "5 2 5 2147483648 0 0",
        "5 2 -99999999999 4 0 0",
        "5 2 5 4 -1 0",
        "5 2 5 4 99 0",
        "5 2 5 4 0 2",
        "5 2 5 4 0 -1",
    ] {
        let [answer] = &answers(&raw(), &format!("2 {wild}"))[..] else {
            panic!("not exactly one answer to {wild}");
        };
        assert!(answer[0].starts_with("1 0 0 0 0 2 0"), "{wild}");
        assert_eq!(answer[2], "1");
    }
}

/// The program of 1975 started another game in this case. Our program corrects this.
#[test]
fn call_after_the_end_is_refused() {
    let mate = "6 2 6 3 0 0 5 7 5 5 0 0 7 2 7 4 0 0 4 8 8 4 0 0";
    let (output, notes, fault) = run(&raw(), format!("1 {mate} 5 2 5 4 0 0").as_bytes());
    let rows: Vec<&str> = output.lines().collect();
    let [.., end, after] = &rows.chunks(11).collect::<Vec<_>>()[..] else {
        panic!("not exactly five answers");
    };
    assert_eq!(end[2], "0");
    assert_eq!(end, after);
    assert_eq!(notes, "attempt 5: the game is over; start another\n");
    assert_eq!(fault, None);
}

/// The program of 1975 accepted this request. Our program corrects this.
#[test]
fn try_request_under_western_rules_is_refused() {
    let (output, notes, _) = run(&raw(), "1 5 4 5 5 0 0 0 0 0 0 0 1".as_bytes());
    let rows: Vec<&str> = output.lines().collect();
    assert_eq!(rows[..11], rows[11..]);
    assert!(notes.starts_with("attempt 2: a try request"), "{notes}");
}

/// The program of 1975 forgot each *no* after the 49th *no* of a turn. Our program corrects this.
#[test]
fn noes_beyond_the_49th_are_remembered() {
    // White's queens are behind a row of black rooks, which White does not see. So White has more
    // than 49 different tries that are answered *no*.
    let mut iboard = Iboard::of_men([[0; 8]; 8], 1);
    iboard.men[0] = [5, 5, 5, 5, 5, 5, 5, 1];
    iboard.men[1] = [-6, -6, -6, -6, -6, -6, -6, -6];
    iboard.men[7][7] = -1;
    let (mut minfo, mut nos) = Ksref::supplied(Rules::Western, &mut iboard).unwrap();
    let mut refused = Vec::new();
    for h in 1..=7 {
        for v in 3..=8 {
            refused.push([h, 1, h, v, 0, 0]);
        }
        for away in 2..=7 {
            for to_h in [h - away, h + away] {
                if (1..=8).contains(&to_h) {
                    refused.push([h, 1, to_h, 1 + away, 0, 0]);
                }
            }
        }
    }
    assert!(refused.len() > 70);
    for (n, cells) in refused.iter().enumerate() {
        Ksref::call(&mut (*cells).into(), &mut iboard, &mut minfo, &mut nos).unwrap();
        assert_eq!((minfo[Cell::MATMPT], minfo[Cell::MNOS]), (1, n as i16 + 1));
    }
    for cells in &refused {
        Ksref::call(&mut (*cells).into(), &mut iboard, &mut minfo, &mut nos).unwrap();
        let count = refused.len() as i16;
        assert_eq!((minfo[Cell::MATMPT], minfo[Cell::MNOS]), (2, count));
    }
}

#[test]
fn the_help_lists_every_correction() {
    for correction in [
        "49th",
        "after the end",
        "Western",
        "ITRYRQ",
        "wild coordinates",
    ] {
        assert!(command::CORRECTIONS.contains(correction), "{correction}");
    }
}

#[test]
fn supplied_board_keeps_castling_and_en_passant_rights() {
    let board = Args {
        raw: true,
        board: true,
        ..Args::default()
    };
    let home = "1  0 0 0 0 -1 0 0 0  0 0 0 0 0 0 0 0  0 0 0 0 0 0 0 0  0 0 0 0 0 0 0 0
        0 0 0 0 0 0 0 0  0 0 0 0 0 0 0 0  0 0 0 0 0 0 0 0  6 0 0 0 1 0 0 6";
    let answer = &answers(&board, &format!("1 {home} 5 1 7 1 0 0"))[0];
    assert_eq!(answer[10], "6 0 0 0 0 6 1 0");

    let fen = |fen: &str, attempt: &str| {
        let args = Args {
            raw: true,
            fen: Some(fen.to_owned()),
            ..Args::default()
        };
        answers(&args, &format!("1 {attempt}"))[0].clone()
    };
    let no_right = fen("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "5 1 7 1 0 0");
    assert!(no_right[0].starts_with("1 0 0 0 0 2"));
    let passed = fen("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "5 5 4 6 0 0");
    assert!(passed[0].starts_with("1 2 4 2"), "a pawn was captured");
    let not_passed = fen("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", "5 5 4 6 0 0");
    assert!(not_passed[0].starts_with("1 0 0 0 0 2"));
    let check = fen("4k3/8/8/8/8/8/4r3/4K2R w K - 0 1", "5 1 7 1 0 0");
    assert!(
        check[0].starts_with("1 0 0 0 0 2 4"),
        "MCHEKA still holds the check on the file"
    );
}

#[test]
fn invalid_supplied_boards_are_reported() {
    let board = Args {
        raw: true,
        board: true,
        ..Args::default()
    };
    let fault = |input: &str| run(&board, input.as_bytes()).2.unwrap();
    let empty = "0 ".repeat(64);
    assert_eq!(
        fault(&format!("1 1 {empty}")),
        "the supplied board: each side must have exactly one king (codes 1 and -1)"
    );
    assert_eq!(
        fault(&format!("1 3 {empty}")),
        "the supplied board: ICOLOR is 3: it must be 1 (White moves) or -1 (Black moves)"
    );
    assert_eq!(
        fault(&format!("1 1 7 {}", "0 ".repeat(63))),
        "the supplied board: column 1, row 8 of IBOARD holds 7: it must be from -6 to 6"
    );
    assert_eq!(
        fault(&format!("1 1 777 {}", "0 ".repeat(63))),
        "the supplied board: a man's code is 777"
    );
    assert_eq!(
        fault("1 1 0 0"),
        "line 1, column 8: the input ends after 3 of the 65 numbers of a board (ICOLOR and 64 codes)"
    );
    let args = Args {
        raw: true,
        fen: Some("8/8/8/8/8/8/8/8 w - - 0 1".to_owned()),
        ..Args::default()
    };
    let (_, _, fault) = run(&args, "1".as_bytes());
    assert!(fault.unwrap().starts_with("--fen: "));
}

#[test]
fn option_legal_judges_without_playing() {
    let legal = Args {
        legal: true,
        ..Args::default()
    };
    let (output, notes, fault) = run(
        &legal,
        "1  5 2 5 4 0 0  5 2 5 4 5 1  5 7 5 5 0 0  1 1 1 5 0 0".as_bytes(),
    );
    assert_eq!(output, "0\n0\n2\n2\n");
    assert_eq!((notes.as_str(), fault), ("", None));
}
