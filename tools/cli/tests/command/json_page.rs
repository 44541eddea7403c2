//! Tests of docs/json.md and of json_examples.md. The tests run every example, and check that the
//! examples show every `kind` and every `answer`, and that the page lists them.

use std::{collections::BTreeSet, fs};

use rules::{Reason, rulesets};
use stream::{self, Form, Settings};
use wire::{AnswerJson, HeardJson, LineJson};

fn page() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/json.md");
    fs::read_to_string(path).unwrap()
}

/// Examples that the page leaves out.
const MORE: &str = include_str!("json_examples.md");

/// A command and the output below it. If the output begins with `...`,
/// the answer to the first line is not shown.
struct Example {
    command: String,
    printed: Vec<String>,
}

fn examples() -> Vec<Example> {
    let page = page();
    let mut all: Vec<Example> = Vec::new();
    let mut inside = false;
    for line in page.lines().chain(MORE.lines()) {
        if let Some(fence) = line.strip_prefix("```") {
            inside = fence == "console";
        } else if let (true, Some(command)) = (inside, line.strip_prefix("$ ")) {
            all.push(Example {
                command: command.to_owned(),
                printed: Vec::new(),
            });
        } else if inside {
            let example = all.last_mut().unwrap();
            example.printed.push(line.to_owned());
        }
    }
    all
}

/// Returns what the command prints. The command has the form
/// `printf 'INPUT' | kriegspiel referee --rules ID --json [--tries]`.
fn run(command: &str) -> Vec<String> {
    let (input, rest) = command
        .strip_prefix("printf '")
        .and_then(|rest| rest.split_once("' | kriegspiel referee --rules "))
        .unwrap();
    let (id, options) = rest.split_once(" --json").unwrap();
    let mut settings = Settings::new(rulesets::by_id(id).unwrap().clone());
    settings.form = Form::Json;
    settings.tries = match options {
        "" => false,
        " --tries" => true,
        other => panic!("`{other}`"),
    };
    let input = input.replace("\\n", "\n");
    let mut output = Vec::new();
    stream::run(input.as_bytes(), &mut output, &settings).unwrap();
    let output = String::from_utf8(output).unwrap();
    output.lines().map(str::to_owned).collect()
}

#[test]
fn examples_print_the_shown_output() {
    let all = examples();
    assert!(all.len() > 10, "{}", all.len());
    for Example { command, printed } in all {
        let said = run(&command);
        let skipped = usize::from(printed[0] == "...");
        assert_eq!(said[skipped..], printed[skipped..], "{command}");
    }
}

/// Collects the values of `kind`, including the values in a recap.
fn kinds(heard: &HeardJson, into: &mut BTreeSet<&'static str>) {
    into.insert(match heard {
        HeardJson::Start { .. } => "start",
        HeardJson::Moved { .. } => "moved",
        HeardJson::No { .. } => "no",
        HeardJson::Nonsense { .. } => "nonsense",
        HeardJson::RepeatNo { .. } => "repeat-no",
        HeardJson::Any { .. } => "any",
        HeardJson::Lost { .. } => "lost",
        HeardJson::Capture { .. } => "capture",
        HeardJson::Drop { .. } => "drop",
        HeardJson::Promotion { .. } => "promotion",
        HeardJson::Check { .. } => "check",
        HeardJson::Tries { .. } => "tries",
        HeardJson::Turn { .. } => "turn",
        HeardJson::Rebuffs { .. } => "rebuffs",
        HeardJson::Recap { .. } => "recap",
        HeardJson::DrawOffer { .. } => "draw-offer",
        HeardJson::DrawDeclined { .. } => "draw-declined",
        HeardJson::DrawWithdrawn { .. } => "draw-withdrawn",
        HeardJson::Over { .. } => "over",
    });
}

const KINDS: usize = 19;

/// All answers, each with a flag that tells whether `kriegspiel referee` can give it.
const ANSWERS: [(&str, bool); 19] = [
    ("new", true),
    ("moved", true),
    ("no", true),
    ("nonsense", true),
    ("repeat-no", true),
    ("yes", true),
    ("none", true),
    ("count", true),
    ("recap", true),
    ("offered", true),
    ("declined", true),
    ("withdrawn", true),
    ("drawn", true),
    ("resigned", true),
    ("flag", true),
    ("refused", true),
    ("not-understood", true),
    ("gone", false),
    ("aborted", false),
];

/// Returns the index of an answer in [`ANSWERS`]. A new answer must be added
/// here.
fn place(answer: AnswerJson) -> usize {
    match answer {
        AnswerJson::New => 0,
        AnswerJson::Moved => 1,
        AnswerJson::No => 2,
        AnswerJson::Nonsense => 3,
        AnswerJson::RepeatNo => 4,
        AnswerJson::Yes => 5,
        AnswerJson::None => 6,
        AnswerJson::Count => 7,
        AnswerJson::Recap => 8,
        AnswerJson::Offered => 9,
        AnswerJson::Declined => 10,
        AnswerJson::Withdrawn => 11,
        AnswerJson::Drawn => 12,
        AnswerJson::Resigned => 13,
        AnswerJson::Flag => 14,
        AnswerJson::Refused => 15,
        AnswerJson::NotUnderstood => 16,
        AnswerJson::Gone => 17,
        AnswerJson::Aborted => 18,
    }
}

/// Returns the words in the first cells of the page's tables.
fn in_tables(page: &str) -> BTreeSet<&str> {
    page.lines()
        .filter_map(|line| line.strip_prefix("| ")?.split(" | ").next())
        .flat_map(|cell| cell.split(", "))
        .filter_map(|word| word.strip_prefix('`')?.strip_suffix('`'))
        .collect()
}

#[test]
fn every_kind_and_every_answer_is_shown() {
    let page = page();
    let words = in_tables(&page);
    let mut shown = BTreeSet::new();
    let mut answers = BTreeSet::new();
    for example in examples() {
        for text in example.printed.iter().filter(|text| *text != "...") {
            let line: LineJson = serde_json::from_str(text).unwrap();
            let place = place(line.answer);
            let word = format!(r#""answer":"{}""#, ANSWERS[place].0);
            assert!(text.contains(&word), "{text}");
            answers.insert(place);
            for heard in [&line.white, &line.black, &line.room].into_iter().flatten() {
                kinds(heard, &mut shown);
            }
        }
    }
    assert_eq!(shown.len(), KINDS, "{shown:?}");
    for kind in &shown {
        assert!(words.contains(kind), "the page has no row for `{kind}`");
    }
    for (i, (word, streamed)) in ANSWERS.into_iter().enumerate() {
        assert_eq!(answers.contains(&i), streamed, "{word}");
        assert!(words.contains(word), "the page has no row for {word}");
    }
    for reason in Reason::ALL {
        let word = format!("`\"{}\"`", reason.name());
        assert!(page.contains(&word), "the page does not contain {word}");
    }
}

#[test]
fn json_keys_why_and_tries_occur_where_the_page_says() {
    for example in examples() {
        let tries = example.command.ends_with(" --tries");
        for text in run(&example.command) {
            let line: LineJson = serde_json::from_str(&text).unwrap();
            let error = matches!(line.answer, AnswerJson::Refused | AnswerJson::NotUnderstood);
            assert_eq!(line.why.is_some(), error, "{text}");
            assert_eq!(line.tries.is_some(), tries, "{text}");
        }
    }
}
