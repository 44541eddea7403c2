//! Golden games: the stories in `transcripts/`. Each story is expanded for every
//! ruleset that it covers.
//!
//! The slow oracle and the referee play every story again. Both must give every listener the
//! answers in the story. The test of the referee also checks three properties: a replay gives an
//! equal game, every event can be read from its text, and each listener's view can be rebuilt from
//! the listener's column.
//!
//! `cargo xtask bless` replaces the expected answers by the answers of the slow oracle. The command
//! sets `KRIEGSPIEL_BLESS=1` and runs only the oracle's test, because no other test may read the
//! files while they are written.

#[path = "golden/files.rs"]
mod files;
#[path = "golden/oracle.rs"]
mod oracle;
#[path = "golden/referee.rs"]
mod referee;

use std::{fs, path::PathBuf};

use rules::rulesets;
use scores::{Transcript, TranscriptLine};
use testkit::story;

use files::Golden;

/// Compares a replayed story with the written story, line by line.
fn differences(golden: &Golden, who: &str, told: &Transcript) -> Vec<String> {
    let mut found = Vec::new();
    for ((i, written), (_, said)) in golden.transcript.lines().zip(told.lines()) {
        if written == said {
            continue;
        }
        let show = |line: &TranscriptLine| {
            let alone = Transcript {
                entries: vec![scores::Entry::Line(line.clone())],
                ..Transcript::default()
            };
            alone.to_string().lines().last().unwrap_or("").to_owned()
        };
        found.push(format!(
            "{}\n    written {}\n    {who:7} {}",
            golden.place(i),
            show(written),
            show(said)
        ));
    }
    found
}

fn fail_on(found: &[String]) {
    assert!(
        found.is_empty(),
        "\n{}\n{} differences; if the oracle is right, `cargo xtask bless` updates the stories\n",
        found.join("\n"),
        found.len()
    );
}

#[test]
fn the_slow_oracle_tells_every_story_as_written() {
    let bless = std::env::var_os("KRIEGSPIEL_BLESS").is_some();
    let mut found = Vec::new();
    let (mut count, mut lines) = (0, 0);
    for mut story in story::all() {
        let path = story::folder().join(&story.name).with_extension("txt");
        for id in story.rules.clone() {
            let golden = Golden::of(&story, id);
            let told = oracle::tell(&golden);
            count += 1;
            lines += told.lines().count();
            if bless {
                for ((i, written), (_, said)) in golden.transcript.lines().zip(told.lines()) {
                    if written.answered.is_some() && written.answered != said.answered {
                        eprintln!("{}: {:?} -> {:?}", golden.place(i), written, said.answered);
                    }
                }
                story.retell(id, &told.to_string());
            } else {
                found.extend(differences(&golden, "oracle", &told));
                if golden.text != golden.transcript.to_string() {
                    found.push(format!(
                        "{}: the text is not in canonical form",
                        golden.name
                    ));
                }
            }
        }
        let text = fs::read_to_string(&path).expect("the file was read before");
        if bless && text != story.to_string() {
            fs::write(&path, story.to_string()).expect("a story can be written");
        } else if text != story.to_string() {
            found.push(format!(
                "{}: the text is not in canonical form",
                path.display()
            ));
        }
    }
    if bless {
        fs::write(listed(), files::hashes()).expect("the hashes can be written");
    }
    fail_on(&found);
    println!("{count} transcripts, {lines} lines");
}

/// Returns the path of the file with a hash for each golden transcript.
fn listed() -> PathBuf {
    story::folder().join("SHA256SUMS")
}

#[test]
fn stories_expand_to_the_listed_transcripts() {
    let listed = fs::read_to_string(listed()).expect("the list of hashes can be read");
    let hashes = files::hashes();
    let mut wrong: Vec<&str> = Vec::new();
    wrong.extend(hashes.lines().filter(|line| !listed.contains(line)));
    wrong.extend(listed.lines().filter(|line| !hashes.contains(line)));
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
    assert_eq!(listed, hashes);
}

#[test]
fn castling_example_is_a_golden_transcript() {
    let path = story::folder().join("../examples/castling.txt");
    let example = fs::read_to_string(path).expect("the example can be read");
    assert_eq!(example, story::read("castling").expand("wild16").text);
}

#[test]
fn the_referee_tells_every_story_as_written() {
    let mut found = Vec::new();
    for golden in files::all() {
        let told = referee::tell(&golden, &mut found);
        found.extend(differences(&golden, "referee", &told));
    }
    fail_on(&found);
}

#[test]
fn story_hayes_juhasz_has_111_moves_under_every_ruleset() {
    let story = story::read("hayes-juhasz-1971");
    for ruleset in &rulesets::ALL {
        let golden = Golden::of(&story, &ruleset.id);
        assert_eq!(golden.transcript.header.fen, None);
        let plies = golden.transcript.lines().filter(|(_, line)| {
            matches!(
                line.answered,
                Some(scores::Answered::Ruled {
                    answer: rules::Answer::Moved,
                    ..
                })
            )
        });
        assert_eq!(plies.count(), 111, "{}", golden.name);
    }
}
