//! Tests of `kriegspiel store` as a program.

use std::{
    fs,
    process::{Command, Output},
};

use referee::{Event, Game};
use rules::{
    Over, Reason, Winner,
    chess::{ByColor, Color},
    rulesets,
};
use store::{
    AccountKind, Act, ColorWish, GameId, NewAccount, NewGame, NewRow, SqliteStore, Store, Terms,
    TimeControl,
};
use tempfile::TempDir;

#[cfg(target_os = "linux")]
use crate::running::syncs;

fn run(words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kriegspiel"));
    command.env_remove("KRIEGSPIEL_DATA").args(words);
    command.output().unwrap()
}

/// A folder with a club's file. The folder is removed when the test ends.
struct Club(TempDir);

impl Club {
    /// Creates a club with two games. In game 1 White has resigned; game 2 is
    /// running.
    async fn new() -> Club {
        let folder = TempDir::with_prefix("kriegspiel-store-");
        let club = Club(folder.unwrap());
        let store = SqliteStore::open(club.0.path().join("club.db")).await;
        let store = store.unwrap();
        let mut ids = Vec::new();
        for name in ["Anna", "Bert"] {
            let account = NewAccount {
                name: name.to_owned(),
                kind: AccountKind::Person,
                password: Some("$argon2id$secret".to_owned()),
                at: 0,
            };
            ids.push(store.create_account(&account).await.unwrap());
        }
        let row = |event| NewRow {
            at: 1_735_603_200_000,
            act: Act::Game(event),
            request: None,
        };
        for chance in [1, 2] {
            let game = NewGame {
                id: GameId::from_chance(chance),
                players: ByColor {
                    white: ids[0],
                    black: ids[1],
                },
                terms: Terms {
                    rules: "cincinnati".to_owned(),
                    custom: None,
                    time: TimeControl::Unlimited,
                    rated: false,
                    color: ColorWish::Any,
                },
                at: 1_735_603_200_000,
                rows: vec![row(Game::from(&rulesets::CINCINNATI).opened_event())],
                offer: None,
            };
            store.create_game(0, &game).await.unwrap();
        }
        let over = Over {
            winner: Winner::Black,
            reason: Reason::Resignation,
        };
        let resigned = [row(Event::Resigned { by: Color::White })];
        let ended = store.append(GameId::from_chance(1), 1.into(), &resigned, Some(over));
        ended.await.unwrap();
        store.close().await;
        club
    }

    fn path(&self, name: &str) -> String {
        let path = self.0.path().join(name);
        path.to_str().unwrap().to_owned()
    }

    fn store(&self, words: &[&str]) -> Output {
        let data = self.path("club.db");
        run(&[&["store"], words, &["--data", &data]].concat())
    }
}

fn said(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

/// A file that the command line names is used, even if the environment variable names another file.
#[tokio::test(flavor = "multi_thread")]
async fn file_argument_overrides_the_environment_variable() {
    let club = Club::new().await;
    let file = club.0.path().join("club.db");
    let file = file.to_str().unwrap();
    for (variable, words, code) in [
        ("/nowhere/none.db", vec![file], 0),
        ("/nowhere/none.db", vec!["--data", file], 0),
        (file, vec![], 0),
        (file, vec!["/nowhere/none.db"], 2),
        (file, vec!["--data", file, file], 2),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kriegspiel"));
        command.env("KRIEGSPIEL_DATA", variable);
        command.args(["store", "check"]).args(&words);
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{words:?}: {said}");
    }
}

#[tokio::test]
async fn check_finds_no_error_in_an_intact_file() {
    let club = Club::new().await;
    let output = club.store(&["check"]);
    let (out, err) = said(&output);
    assert_eq!((output.status.code(), err.as_str()), (Some(0), ""));
    let expected = format!(
        "{}: 2 accounts, 2 games (1 running), 3 rows: no error found\n",
        club.path("club.db")
    );
    assert_eq!(out, expected);
}

#[tokio::test]
async fn check_of_a_damaged_file_has_exit_code_1() {
    let club = Club::new().await;
    // One byte in the text of a log is changed, so that `resigned` becomes
    // `Resigned`, an unknown word.
    let file = club.path("club.db");
    let mut bytes = fs::read(&file).unwrap();
    let at = bytes
        .windows(10)
        .position(|window| window == b"w resigned")
        .unwrap();
    bytes[at + 2] = b'R';
    fs::write(&file, bytes).unwrap();
    let output = club.store(&["check"]);
    let (out, err) = said(&output);
    assert_eq!((output.status.code(), err.as_str()), (Some(1), ""));
    assert!(
        out.starts_with("game 222222222223, row 1: `w Resigned`"),
        "{out}"
    );
    assert!(out.ends_with(": 1 error found\n"), "{out}");
}

#[tokio::test]
async fn games_are_exported_as_lines_and_as_pgn() {
    let club = Club::new().await;
    let (out, err) = said(&club.store(&["export"]));
    assert_eq!((out.lines().count(), err.as_str()), (2, ""));
    assert!(!out.contains("secret"), "{out}");
    let (out, err) = said(&club.store(&["export", "--finished"]));
    assert_eq!((out.lines().count(), err.as_str()), (1, ""));
    assert!(out.contains(r#""event":"w resigned""#), "{out}");
    let (out, err) = said(&club.store(&["export", "--pgn"]));
    assert_eq!((out.matches("[Event ").count(), err.as_str()), (1, ""));
    assert!(out.contains("[White \"Anna\"]"), "{out}");
    let file = club.path("games.pgn");
    fs::write(&file, out).unwrap();
    let audited = run(&["audit", &file]);
    assert!(audited.status.success(), "{:?}", said(&audited));
}

#[tokio::test]
async fn backup_is_a_club_file_and_overwrites_nothing() {
    let club = Club::new().await;
    let copy = club.path("copy.db");
    let output = club.store(&["backup", &copy]);
    assert!(output.status.success(), "{:?}", said(&output));
    let check = run(&["store", "check", "--data", &copy]);
    assert!(said(&check).0.ends_with(": no error found\n"));
    let again = club.store(&["backup", &copy]);
    let (out, err) = said(&again);
    assert_eq!((again.status.code(), out.as_str()), (Some(1), ""));
    assert!(
        err.contains("a backup does not overwrite files: give another name"),
        "{err}"
    );
    // The file that already exists is the copy, so the message begins with the copy's name.
    assert!(
        err.contains(&format!("{copy}: the file already exists")),
        "{err}"
    );
    assert!(!err.contains("the club's file"), "{err}");
}

/// With strace: the copy is on the disk before it gets its name, and its name is on the disk before
/// the command reports success.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_backup_is_synced_before_it_has_its_name() {
    let club = Club::new().await;
    let (trace, copy) = (club.path("trace"), club.path("copy.db"));
    let mut command = Command::new("strace");
    command
        .env_remove("KRIEGSPIEL_DATA")
        .args(["-f", "-y", "-s", "400", "-e", syncs::CALLS, "-o", &trace])
        .arg(env!("CARGO_BIN_EXE_kriegspiel"))
        .args(["store", "backup", &copy, "--data", &club.path("club.db")]);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{:?}", said(&output));
    let trace = fs::read(trace).unwrap();
    let counts = syncs::check(&trace, syncs::Output::OfProcess, |path| {
        path.ends_with("/copy.db") || path.ends_with("/copy.db.part")
    });
    assert!(counts.written > 0 && counts.synced > 0, "{counts:?}");
    assert_eq!(counts.renamed, 1, "{counts:?}");
}

/// With strace: an export into a file is on the disk when the command ends. A pipe is not synced.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn an_export_into_a_file_is_synced() {
    let club = Club::new().await;
    for form in [&["store", "export"][..], &["store", "export", "--pgn"]] {
        let (trace, out) = (club.path("trace"), club.path("games"));
        let mut command = Command::new("strace");
        command
            .env_remove("KRIEGSPIEL_DATA")
            .args(["-f", "-y", "-e", syncs::CALLS, "-o", &trace])
            .arg(env!("CARGO_BIN_EXE_kriegspiel"))
            .args(form)
            .args(["--data", &club.path("club.db")])
            .stdout(fs::File::create(&out).unwrap());
        let output = command.output().unwrap();
        assert!(output.status.success(), "{:?}", said(&output));
        let trace = fs::read_to_string(trace).unwrap();
        let of_file = |line: &&str| line.contains("/games>");
        let calls: Vec<&str> = trace.lines().filter(of_file).collect();
        let [.., write, sync] = calls[..] else {
            panic!("{calls:?}");
        };
        assert!(write.contains("write(1<"), "{write}");
        assert!(sync.contains("sync(") && !sync.contains("= -1"), "{sync}");
    }
    let piped = club.store(&["export"]);
    assert!(piped.status.success() && !piped.stdout.is_empty());
}

#[test]
fn missing_file_is_not_created() {
    let folder = TempDir::new().unwrap();
    let name = folder.path().join("club.db");
    let name = name.to_str().unwrap();
    for words in [&["check"][..], &["export"], &["backup", "copy.db"]] {
        let output = run(&[&["store"], words, &["--data", name]].concat());
        let (out, err) = said(&output);
        assert_eq!((output.status.code(), out.as_str()), (Some(2), ""));
        assert!(
            err.contains(
                "there is no such file; give the club's file with --data or KRIEGSPIEL_DATA"
            ),
            "{err}"
        );
        assert!(!fs::exists(name).unwrap());
    }
}

#[test]
fn only_the_help_of_export_warns_that_it_is_for_the_umpire() {
    for words in ["check", "export", "backup"] {
        let (help, err) = said(&run(&["store", words, "--help"]));
        assert!(err.is_empty(), "{err}");
        assert!(help.contains("KRIEGSPIEL_DATA"), "{help}");
        assert!(help.lines().all(|line| line.len() <= 100), "{help}");
        assert_eq!(help.contains("FOR THE UMPIRE ONLY"), words == "export");
    }
}
