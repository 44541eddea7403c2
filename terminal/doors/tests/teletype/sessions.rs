//! Compares every byte of every console with recorded sessions. If
//! `KRIEGSPIEL_BLESS=1` is set, the test rewrites the recordings; check their
//! diff afterwards.

use std::{env, fs, path::Path};

use doors::teletype::Settings;

use crate::{beside::beside, quiet::Quiet, script::Script, test_club::play};

#[tokio::test(start_paused = true)]
async fn sessions_print_the_recorded_bytes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/teletype/sessions");
    let mut wrong = Vec::new();
    let mut count = 0;
    let mut files: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    files.sort();
    for file in files {
        count += 1;
        let written = fs::read_to_string(&file).unwrap();
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let settings = Settings {
            as_in_1965: name.starts_with("1965"),
            cps: None,
        };
        let script = Script::read(&written);
        let quiet = Quiet::begin();
        let played = play(&script, settings).await.write();
        quiet.check();
        if played == written {
            continue;
        }
        if env::var_os("KRIEGSPIEL_BLESS").is_some() {
            fs::write(&file, played).unwrap();
        } else {
            let at = played
                .lines()
                .zip(written.lines())
                .position(|(a, b)| a != b);
            let at = at.unwrap_or(0);
            let line = |text: &str| text.lines().nth(at).unwrap_or_default().to_owned();
            wrong.push(format!(
                "{name}:{}: printed {:?}, not {:?}",
                at + 1,
                line(&played),
                line(&written)
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count >= 5);
}

/// Checks that the session in docs/doors.md is a part of a recorded one.
#[test]
fn session_in_doors_md_equals_the_recorded_one() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let session = root.join("tests/teletype/sessions/1965-short-game.txt");
    let shown = beside(&Script::read(&fs::read_to_string(session).unwrap()));
    let page = fs::read_to_string(root.join("../../docs/doors.md")).unwrap();
    let (_, rest) = page.split_once("```text\n").unwrap();
    let (part, _) = rest.split_once("```").unwrap();
    assert!(shown.contains(part), "{part}\nis no part of\n{shown}");
}
