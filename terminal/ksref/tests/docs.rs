//! Runs the examples of docs/ksref.md and compares the output with the page.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::io;

use clap::Parser;
use ksref::command::{self, Args};

#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    args: Args,
}

/// Splits a command line into words. Single quotes keep words together.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (n, part) in command.split('\'').enumerate() {
        if n % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

fn printed(command: &str) -> String {
    let words = words(command);
    let [printf, input, pipe, kriegspiel, ksref @ ..] = &words[..] else {
        panic!("{command}");
    };
    assert_eq!([printf, pipe, kriegspiel], ["printf", "|", "kriegspiel"]);
    let mut output = Vec::new();
    command::main(
        &Cli::parse_from(ksref).args,
        input.replace("\\n", "\n").as_bytes(),
        &mut output,
        io::sink(),
    )
    .unwrap();
    String::from_utf8(output).unwrap()
}

#[test]
fn the_examples_of_the_page_run() {
    let page = include_str!("../../../docs/ksref.md");
    let mut count = 0;
    for block in page.split("```console\n$ ").skip(1) {
        let (example, _) = block.split_once("```").unwrap();
        let (command, expected) = example.split_once('\n').unwrap();
        assert_eq!(
            printed(command).trim_end(),
            expected.trim_end(),
            "{command}"
        );
        count += 1;
    }
    assert_eq!(count, 4);
}
