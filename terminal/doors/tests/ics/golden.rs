//! Compares whole sessions with recordings.
//!
//! Each file in `golden/` is one session. A line `NAME< TEXT` means that NAME types TEXT. The lines
//! `NAME| TEXT` after it show the text that each person receives next. `NAME+` connects a person
//! who has an account, `NAME-` disconnects the person, and `* wait SECONDS` advances the time. If
//! `KRIEGSPIEL_BLESS` is set, the test rewrites the files.

use std::{collections::BTreeMap, fs, path::Path, time::Duration};

use tokio::time::sleep;

use crate::{
    quiet::Quiet,
    test_club::{Person, TestClub},
};

/// Replaces ids of games and names of guests, because they are random.
fn covered(text: &str) -> String {
    let mut out = String::new();
    for word in text.split_inclusive(' ') {
        let bare = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
        let is_id = bare.len() == 12
            && bare
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
            && bare.bytes().any(|b| b.is_ascii_digit());
        out.push_str(&if is_id {
            word.replace(bare, "GAME")
        } else {
            word.to_owned()
        });
    }
    out
}

fn tell(told: &mut String, people: &BTreeMap<String, Person>) {
    for (name, person) in people {
        let heard = person.heard().replace('\u{7}', "^G");
        if heard.is_empty() {
            continue;
        }
        for line in heard.split('\n') {
            let line = format!("{name}| {}", covered(line));
            told.push_str(line.trim_end());
            told.push('\n');
        }
    }
}

async fn run(script: &str) -> String {
    let test_club = TestClub::new().await;
    let mut people: BTreeMap<String, Person> = BTreeMap::new();
    let mut told = String::new();
    for line in script.lines() {
        let does = line
            .split_once(['<', '+', '-'])
            .filter(|(name, _)| !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphabetic()));
        if line.is_empty() || line.starts_with('#') {
            told.push_str(line);
            told.push('\n');
            continue;
        }
        if let Some(span) = line.strip_prefix("* wait ") {
            let span = span.parse().expect("the wait must be a number of seconds");
            sleep(Duration::from_secs(span)).await;
        } else if let Some((name, text)) = does {
            match line.as_bytes()[name.len()] {
                b'+' => {
                    let person = test_club.named(name).await;
                    people.insert(name.to_owned(), person);
                }
                b'-' => {
                    people.remove(name);
                }
                _ => {
                    let person = people.get_mut(name).expect("the person is connected");
                    person
                        .sends(format!("{}\r\n", text.trim()).as_bytes())
                        .await;
                }
            }
            sleep(Duration::from_millis(20)).await;
        } else {
            continue;
        }
        told.push_str(line);
        told.push('\n');
        tell(&mut told, &people);
    }
    told
}

#[test]
fn sessions_equal_their_recordings() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ics/golden");
    let bless = std::env::var_os("KRIEGSPIEL_BLESS").is_some();
    let mut differing = Vec::new();
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|f| f.unwrap().path())
        .collect();
    files.sort();
    assert!(files.len() >= 4);
    for file in files {
        let script = fs::read_to_string(&file).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .unwrap();
        let quiet = Quiet::begin();
        let told = runtime.block_on(run(&script));
        quiet.check();
        if told == script {
            continue;
        }
        let at = told
            .lines()
            .zip(script.lines())
            .position(|(is, was)| is != was);
        println!(
            "{}: differs at line {:?}",
            file.display(),
            at.map(|n| n + 1)
        );
        if let Some(at) = at {
            println!(
                "is:  {:?}\nwas: {:?}",
                told.lines().nth(at),
                script.lines().nth(at)
            );
        }
        if bless {
            fs::write(&file, told).unwrap();
        } else {
            differing.push(file);
        }
    }
    assert!(
        differing.is_empty(),
        "{differing:?} differ; if the new output is right, run `cargo xtask bless`"
    );
}
