//! Tests of `kriegspiel ksref`, which uses the number codes of 1975.

use crate::program::run;

#[test]
fn ksref_prints_eleven_rows_per_attempt_and_notes_on_stderr() {
    let output = run(&["ksref", "--raw"], b"1\n5 2 5 4 0 0\n0 0 0 0 0 1\n");
    assert!(output.status.success());
    let rows = String::from_utf8(output.stdout).unwrap();
    let rows: Vec<&str> = rows.lines().collect();
    assert_eq!(rows.len(), 22);
    assert_eq!(rows[..11], rows[11..]);
    assert_eq!(rows[2], "-1");
    let notes = String::from_utf8(output.stderr).unwrap();
    assert!(notes.starts_with("attempt 2: a try request"), "{notes}");
}

#[test]
fn unreadable_input_is_reported_in_one_line() {
    for (args, input, named) in [
        (
            &["ksref", "--raw"][..],
            "1 e2e4",
            "line 1, column 3: `e2e4`",
        ),
        (&["ksref", "--raw"], "1 5 2", "ends after 2 of the 6"),
        (&["ksref", "--fen", "8/8 w"], "1", "--fen: "),
    ] {
        let output = run(args, input.as_bytes());
        assert_eq!(output.status.code(), Some(2));
        let fault = String::from_utf8(output.stderr).unwrap();
        assert!(
            fault.starts_with("kriegspiel: ") && fault.contains(named),
            "{fault}"
        );
        assert_eq!(fault.lines().count(), 1);
    }
}

#[test]
fn help_lists_the_corrections() {
    let output = run(&["ksref", "--help"], b"");
    let help = String::from_utf8(output.stdout).unwrap();
    for mend in [
        "49th",
        "after the end",
        "try request, Western",
        "wild coordinates",
    ] {
        assert!(help.contains(mend), "{help}");
    }
}
