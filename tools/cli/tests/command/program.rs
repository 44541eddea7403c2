//! Starts the program for tests.

use std::{
    io::Write,
    process::{Child, Command, Output, Stdio},
};

/// A position in which White has one pawn capture, on d5.
pub const CAPTURE: &str = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1";

pub fn kriegspiel(args: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kriegspiel"));
    // Variables of the proofs are no settings of the program.
    let names = std::env::vars_os().map(|(name, _)| name);
    for name in names.filter(|name| name.to_string_lossy().starts_with("KRIEGSPIEL_")) {
        command.env_remove(name);
    }
    command
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

pub fn run(args: &[&str], input: &[u8]) -> Output {
    let mut child = kriegspiel(args);
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // A program that ends early closes the pipe. A closed pipe is not an error here.
    let writer = std::thread::spawn(move || stdin.write_all(&input).ok());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

/// Returns output as text.
pub fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// Returns the output lines of a stream that ends without an error.
pub fn lines(args: &[&str], input: &[u8]) -> Vec<String> {
    let output = run(&[&["referee", "--json", "--rules"], args].concat(), input);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    assert_eq!(stderr, "");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.is_empty() || text.ends_with('\n'));
    text.lines().map(str::to_owned).collect()
}
