//! Dialogs with the command, compared byte for byte.
//!
//! Each file of `tests/golden` is a whole dialog. Lines that start with `> `
//! were typed, the others were printed. The first lines start with `#` and say
//! what the file shows; `# args:` gives the options. `cargo xtask bless`
//! rewrites the printed lines. Read the difference before you commit it.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    fs,
    io::{self, BufRead, Read, Write},
    path::{Path, PathBuf},
    rc::Rc,
};

use clap::Parser;
use ksref::command::{self, Args};

#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    args: Args,
}

/// Everything printed so far, as a terminal would show it.
type Printed = Rc<RefCell<String>>;

/// Simulates a user: types the next line only when the program reads.
struct Keyboard {
    lines: std::vec::IntoIter<String>,
    line: Vec<u8>,
    printed: Printed,
}

impl Read for Keyboard {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.fill_buf()?.read(buffer)?;
        self.consume(n);
        Ok(n)
    }
}

impl BufRead for Keyboard {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.line.is_empty()
            && let Some(line) = self.lines.next()
        {
            *self.printed.borrow_mut() += &format!("> {line}\n");
            self.line = format!("{line}\n").into_bytes();
        }
        Ok(&self.line)
    }

    fn consume(&mut self, amount: usize) {
        self.line.drain(..amount);
    }
}

struct Printer(Printed);

impl Write for Printer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        *self.0.borrow_mut() += std::str::from_utf8(bytes).unwrap();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Runs the dialog of a golden file again, and returns the new text.
fn held(golden: &str) -> String {
    let head: Vec<&str> = golden.lines().take_while(|l| l.starts_with('#')).collect();
    let options = head.iter().find_map(|l| l.strip_prefix("# args: "));
    let words: Vec<String> = match options.map(|options| options.split_once(' ')) {
        Some(Some((name, value))) if !value.starts_with("--") => {
            vec![name.to_owned(), value.to_owned()]
        }
        Some(_) => {
            // A blank separates the options here, so `_` in a value means a blank.
            let words = options.unwrap_or_default().split(' ');
            words.map(|word| word.replace('_', " ")).collect()
        }
        None => Vec::new(),
    };
    let args = Cli::parse_from(["ksref".to_owned()].into_iter().chain(words)).args;
    let typed: Vec<String> = golden
        .lines()
        .filter_map(|l| l.strip_prefix("> ").map(str::to_owned))
        .collect();
    let printed = Printed::default();
    *printed.borrow_mut() = head.iter().map(|l| format!("{l}\n")).collect();
    let keyboard = Keyboard {
        lines: typed.into_iter(),
        line: Vec::new(),
        printed: printed.clone(),
    };
    command::main(&args, keyboard, Printer(printed.clone()), io::sink()).unwrap();
    printed.take()
}

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    files
}

#[test]
fn dialogs_equal_the_golden_files() {
    let bless = std::env::var_os("KRIEGSPIEL_BLESS").is_some();
    let mut differing = Vec::new();
    for path in files() {
        let golden = fs::read_to_string(&path).unwrap();
        let held = held(&golden);
        if golden != held {
            if bless {
                fs::write(&path, &held).unwrap();
            } else {
                println!("--- {}\n{held}", path.display());
                differing.push(path);
            }
        }
    }
    assert!(
        differing.is_empty(),
        "{differing:?} differ; if the output above is right, run `cargo xtask bless`"
    );
}

/// Returns all values that each named cell has in the dialogs under these
/// rules.
fn values_seen(rules: &str) -> BTreeMap<String, BTreeSet<i32>> {
    let mut seen: BTreeMap<String, BTreeSet<i32>> = BTreeMap::new();
    for path in files() {
        if !path
            .file_name()
            .unwrap()
            .to_str()
            .unwrap()
            .starts_with(rules)
        {
            continue;
        }
        let text = held(&fs::read_to_string(&path).unwrap());
        for line in text.lines().filter(|l| l.starts_with(' ')) {
            let words: Vec<&str> = line.split_whitespace().collect();
            for pair in words.windows(2) {
                if let Ok(value) = pair[1].parse()
                    && pair[0].chars().all(|c| c.is_ascii_uppercase())
                {
                    seen.entry(pair[0].to_owned()).or_default().insert(value);
                }
            }
            if words.get(1) == Some(&"COLUMN") {
                let row = words[0].parse().unwrap();
                seen.entry("row".to_owned()).or_default().insert(row);
            }
        }
    }
    seen
}

#[track_caller]
fn shows(rules: &str, expected: &[(&str, &[i32])]) {
    let seen = values_seen(rules);
    for (name, values) in expected {
        let found = seen.get(*name).cloned().unwrap_or_default();
        let wanted: BTreeSet<i32> = values.iter().copied().collect();
        assert!(
            wanted.is_subset(&found),
            "{rules}: {name} has {found:?}, wanted {wanted:?}"
        );
    }
}

#[test]
fn western_dialogs_show_every_named_cell_of_minfo() {
    let rows: Vec<i32> = (10..=23).chain(25..=30).collect();
    shows(
        "western",
        &[
            ("MTERMN", &[1, 2, 3]),
            ("MRULES", &[1]),
            ("MLOST", &[0, 2, 3, 4, 5, 6]),
            ("MSQRH", &[0, 1, 3, 5]),
            ("MSQRV", &[0, 3, 5, 7]),
            ("MCAPT", &[0, 1, 2]),
            ("MPROMO", &[0, 1]),
            ("MATMPT", &[0, 1, 2]),
            ("MCOLOR", &[1, 2]),
            ("MCHEKA", &[0, 2, 3, 4, 5, 6]),
            ("MCHEKB", &[0, 4]),
            ("MTRYEA", &[0]),
            ("MNOS", &[0, 1, 2]),
            ("MSTRY", &[0, 1, 2, 14]),
            ("MDTRY", &[0, 1, 6]),
            ("row", &rows),
        ],
    );
}

#[test]
fn eastern_dialogs_show_every_named_cell_of_minfo() {
    shows(
        "eastern",
        &[
            ("MTERMN", &[1, 2, 3]),
            ("MRULES", &[2]),
            ("MLOST", &[0, 2, 3, 4, 5, 6]),
            ("MSQRH", &[0, 1, 3, 5]),
            ("MSQRV", &[0, 3, 5, 7]),
            ("MCAPT", &[0, 3]),
            ("MPROMO", &[0, 1]),
            ("MATMPT", &[0, 1, 2]),
            ("MCOLOR", &[1, 2]),
            ("MCHEKA", &[0, 1]),
            ("MCHEKB", &[0]),
            ("MTRYEA", &[0, 1, 2]),
            ("MNOS", &[0, 1, 2]),
            ("MSTRY", &[0, 1]),
            ("MDTRY", &[0]),
        ],
    );
}
