//! Tests that an answered change is durable: after SIGKILL, on a full disk, and on a read-only
//! disk. Another test checks the order of the system calls.
//!
//! Each test starts this program again as another process. Some tests start it in its own
//! Linux namespaces, or under strace.
#![allow(clippy::unwrap_used, reason = "a mistake here fails the test")]
#![cfg(target_os = "linux")]

mod given;

use std::{
    collections::HashMap,
    env, fs,
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Command, Output, Stdio},
};

use given::{Folder, account, id, knights, new_game, players};
use store::{AppendError, ExportForm, ExportGames, GameId, NewRow, SqliteStore, Store, StoreError};

/// Environment variable with the name of the task of the other process.
const TASK: &str = "KRIEGSPIEL_TEST_TASK";
/// Environment variable with the path of the folder that the other process uses.
const FOLDER: &str = "KRIEGSPIEL_TEST_FOLDER";

/// Number of games to which rows are appended at the same time.
const GAMES: u64 = 6;

/// The test that runs in the other process. Does nothing unless the environment
/// names a task.
#[tokio::test(flavor = "multi_thread")]
async fn the_other_process() {
    let (Ok(task), Some(folder)) = (env::var(TASK), env::var_os(FOLDER)) else {
        return;
    };
    let folder = Path::new(&folder);
    match task.as_str() {
        "append" => append_and_print_answers(folder).await,
        "full" => fill_the_disk(folder).await,
        "read-only" => write_to_a_read_only_disk(folder).await,
        other => panic!("unknown task `{other}`"),
    }
    said("done");
}

/// Prints a line with one system call, so that strace shows the complete line.
fn said(line: &str) {
    let mut out = std::io::stdout().lock();
    let line = format!("{line}\n");
    // The parent may have closed the pipe because it has read enough.
    let _ignored = out.write_all(line.as_bytes()).and_then(|()| out.flush());
}

/// Returns the command that runs this program as [`the_other_process`]. `through` is a command that
/// starts this program, such as strace. If `through` is empty, this program is started directly.
fn other_process(through: &[&str], task: &str, folder: &Path) -> Command {
    let this = env::current_exe().unwrap();
    let mut command = match through.split_first() {
        Some((program, words)) => {
            let mut command = Command::new(program);
            command.args(words).arg(this);
            command
        }
        None => Command::new(this),
    };
    command
        .args(["--exact", "the_other_process", "--nocapture"])
        .env(TASK, task)
        .env(FOLDER, folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped());
    command
}

fn well(output: &Output, tool: &str, package: &str) -> String {
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let complained = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && said.contains("done\n"),
        "the other process failed; this test needs `{tool}` (Debian package {package}) and permission to use it:\n{said}\n{complained}"
    );
    said
}

/// Returns the first `count` rows of a game. Every game of these tests has the same rows.
fn rows(count: usize) -> Vec<NewRow> {
    knights(count)
}

async fn length(store: &SqliteStore, game: GameId) -> usize {
    let rows = store.rows(game, 0).await;
    rows.unwrap().len()
}

async fn begin_games(store: &SqliteStore) {
    if store.game(id(0)).await.is_ok() {
        return;
    }
    let players = players(store).await;
    for number in 0..GAMES {
        let mut game = new_game(id(number), players, 1);
        game.rows = rows(1);
        store.create_game(0, &game).await.unwrap();
    }
}

/// Appends to all games at the same time, and prints each answer.
async fn append_and_print_answers(folder: &Path) {
    let opened = SqliteStore::open(folder.join("club.db")).await;
    let store = opened.unwrap();
    begin_games(&store).await;
    let more: usize = env::var("KRIEGSPIEL_TEST_ROWS")
        .ok()
        .and_then(|rows| rows.parse().ok())
        .unwrap_or(2000);
    let mut tasks = Vec::new();
    for number in 0..GAMES {
        let store = store.clone();
        tasks.push(tokio::spawn(async move {
            let begun = length(&store, id(number)).await;
            for (seq, row) in rows(begun + more).into_iter().enumerate().skip(begun) {
                let mut row = row;
                if let Some((_, request)) = &mut row.request {
                    request.0 = format!("request-{number}-{seq}.");
                }
                store
                    .append(id(number), (seq as u32).into(), &[row], None)
                    .await
                    .unwrap();
                said(&format!("answer {number} {seq}."));
            }
        }));
    }
    for task in tasks {
        task.await.unwrap();
    }
}

fn answer(line: &str) -> Option<(u64, u32)> {
    let (game, seq) = line
        .strip_prefix("answer ")?
        .strip_suffix('.')?
        .split_once(' ')?;
    Some((game.parse().ok()?, seq.parse().ok()?))
}

#[tokio::test]
async fn answered_rows_survive_a_kill() {
    let folder = Folder::new();
    let mut answered: HashMap<u64, u32> = HashMap::new();
    for round in 0..12_usize {
        let mut child = other_process(&[], "append", folder.path()).spawn().unwrap();
        let out = child.stdout.take().unwrap();
        let mut heard = 0;
        let mut lines = BufReader::new(out).lines();
        // The first round kills the process without waiting for an answer. Later rounds wait for
        // more and more answers.
        let enough = round * round * 3;
        while heard < enough {
            let line = lines.next().unwrap().unwrap();
            if let Some((game, seq)) = answer(&line) {
                answered.insert(game, seq);
                heard += 1;
            }
        }
        child.kill().unwrap();
        child.wait().unwrap();
        // Lines that were already printed when the process died count too, if they are complete.
        for line in lines.map_while(Result::ok) {
            if let Some((game, seq)) = answer(&line) {
                answered.insert(game, seq);
            }
        }
        if !folder.file().exists() {
            continue;
        }
        let store = SqliteStore::open(folder.file()).await.unwrap();
        let report = store.check().await.unwrap();
        assert!(report.is_well(), "round {round}: {:?}", report.faults);
        for (game, seq) in &answered {
            let rows = store.rows(id(*game), *seq).await.unwrap();
            let row = rows.first().unwrap();
            let request = row.request.as_ref().map(|(_, id)| id.0.as_str());
            assert_eq!(request, Some(&*format!("request-{game}-{seq}.")));
        }
        store.close().await;
    }
    assert_eq!(
        answered.len() as u64,
        GAMES,
        "rows were appended to every game"
    );
}

/// Runs this program in new mount and user namespaces, and returns its output. In these namespaces,
/// the command `mount` needs no root rights.
fn unshared(mount: &str, task: &str, folder: &Path) -> Output {
    let script = format!("set -e; {mount}; shift; exec \"$@\"");
    let name = folder.to_str().unwrap();
    let through = ["unshare", "-Urmn", "sh", "-c", &script, "sh", name];
    let mut command = other_process(&through, task, folder);
    command.stderr(Stdio::piped()).output().unwrap()
}

#[test]
fn full_disk_gives_a_clear_error_and_no_partial_change() {
    let folder = Folder::new();
    let mount = "mount -t tmpfs -o size=2m tmpfs \"$1\"";
    well(
        &unshared(mount, "full", folder.path()),
        "unshare",
        "util-linux",
    );
}

async fn fill_the_disk(folder: &Path) {
    let ballast = folder.join("ballast");
    fs::write(&ballast, vec![7; 600_000]).unwrap();
    let file = folder.join("club.db");
    let store = SqliteStore::open(&file).await.unwrap();
    begin_games(&store).await;
    let all = rows(20_000);

    // Two changes at the same time, one far too large and one small: the small one succeeds.
    let (large, small) = tokio::join!(
        store.append(id(0), 1.into(), &all[1..], None),
        store.append(id(1), 1.into(), &all[1..2], None)
    );
    assert_eq!(large, Err(AppendError::Store(StoreError::Full)));
    assert_eq!(small, Ok(()));
    assert_eq!(length(&store, id(0)).await, 1);

    // Appends until the disk is full.
    let mut stored = 1;
    let refused = loop {
        let rows = &all[stored..stored + 20];
        match store
            .append(id(0), (stored as u32).into(), rows, None)
            .await
        {
            Ok(()) => stored += 20,
            Err(error) => break error,
        }
    };
    assert_eq!(refused, AppendError::Store(StoreError::Full));
    let text = refused.to_string();
    assert!(text.contains("full: free some space"), "{text}");
    assert_eq!(
        length(&store, id(0)).await,
        stored,
        "an append stores all rows or none"
    );

    // Other changes fail with the same error, and a failed copy leaves no file behind.
    let released = store.release(0).await;
    let full_or_there = matches!(released, Ok(()) | Err(StoreError::Full));
    assert!(full_or_there, "{released:?}");
    let copy = folder.join("copy.db");
    assert_eq!(store.backup(&copy).await, Err(StoreError::Full));
    assert!(!copy.exists() && !folder.join("copy.db.part").exists());
    let report = store.check().await.unwrap();
    assert!(report.is_well(), "{:?}", report.faults);

    // Fills the rest of the disk, so that no new file can be created either.
    let mut rest = fs::File::create(folder.join("rest")).unwrap();
    while rest.write_all(&[7; 512]).is_ok() {}
    let other = SqliteStore::open(folder.join("other.db")).await;
    assert_eq!(other.err(), Some(StoreError::Full));

    // After space is freed, the same store works again.
    fs::remove_file(&ballast).unwrap();
    let rows = &all[stored..stored + 20];
    let answer = store
        .append(id(0), (stored as u32).into(), rows, None)
        .await;
    assert_eq!(answer, Ok(()));
    store.close().await;

    let store = SqliteStore::open(&file).await.unwrap();
    assert_eq!(length(&store, id(0)).await, stored + 20);
    let report = store.check().await.unwrap();
    assert!(report.is_well(), "{:?}", report.faults);
}

#[tokio::test]
async fn read_only_disk_gives_a_clear_error() {
    let folder = Folder::new();
    let store = SqliteStore::open(folder.file()).await.unwrap();
    begin_games(&store).await;
    store.close().await;
    let before = fs::read(folder.file()).unwrap();
    let unfinished = folder.path().join("unfinished.db");
    // A link, because a copy would refuse the log of another file.
    fs::hard_link(folder.file(), &unfinished).unwrap();
    fs::write(folder.path().join("unfinished.db-wal"), b"rows").unwrap();
    let mount = "mount --bind \"$1\" \"$1\"; mount -o remount,bind,ro \"$1\"";
    let output = unshared(mount, "read-only", folder.path());
    well(&output, "unshare", "util-linux");
    assert_eq!(fs::read(folder.file()).unwrap(), before);
    let store = SqliteStore::open(folder.file()).await.unwrap();
    assert!(store.check().await.unwrap().is_well());
}

async fn write_to_a_read_only_disk(folder: &Path) {
    for opened in [
        SqliteStore::open(folder.join("club.db")).await,
        SqliteStore::open_existing(folder.join("club.db")).await,
        SqliteStore::open(folder.join("new.db")).await,
    ] {
        let error = opened.expect_err("nothing can be written");
        assert!(matches!(error, StoreError::ReadOnly(_)), "{error:?}");
        let text = error.to_string();
        assert!(text.contains("must be writable"), "{text}");
    }
    // A closed file can be checked and exported. A file with rows in its write-ahead log cannot,
    // because these rows would be missing.
    let store = SqliteStore::open_to_read(folder.join("club.db"))
        .await
        .unwrap();
    let report = store.check().await.unwrap();
    assert!(report.is_well() && report.games == GAMES, "{report:?}");
    let mut text = Vec::new();
    let (form, games) = (ExportForm::Lines, ExportGames::All);
    let exported = store.export(form, games, &mut text).await;
    assert_eq!(exported.unwrap(), GAMES);
    let unfinished = SqliteStore::open_to_read(folder.join("unfinished.db")).await;
    assert!(
        matches!(unfinished, Err(StoreError::ReadOnly(_))),
        "{unfinished:?}"
    );
    // A backup to the read-only disk fails, even if the store is on another disk.
    let elsewhere = Folder::new();
    let store = SqliteStore::open(elsewhere.file()).await.unwrap();
    account(&store, "Anna").await;
    let copied = store.backup(folder.join("copy.db")).await;
    assert!(matches!(copied, Err(StoreError::ReadOnly(_))), "{copied:?}");
}

/// The three stages of one row, as line numbers in the output of strace.
#[derive(Clone, Copy, Debug, Default)]
struct Way {
    /// Line of the first write of the row into the write-ahead log.
    written: Option<usize>,
    /// Line with the end of the first sync that began after the line `written`.
    synced: Option<usize>,
    /// Line on which the answer was printed.
    answered: Option<usize>,
}

#[test]
fn rows_are_synced_before_they_are_answered() {
    let folder = Folder::new();
    let trace = folder.path().join("trace");
    let name = trace.to_str().unwrap();
    let output = other_process(
        &[
            "strace",
            "-f",
            "-y",
            "-s",
            "9000",
            "-e",
            "trace=fsync,fdatasync,write,pwrite64,writev,pwritev",
            "-o",
            name,
        ],
        "append",
        folder.path(),
    )
    .env("KRIEGSPIEL_TEST_ROWS", "40")
    .stderr(Stdio::piped())
    .output()
    .unwrap();
    well(&output, "strace", "strace");

    let trace = fs::read(&trace).unwrap();
    let trace = String::from_utf8_lossy(&trace);
    let mut ways: HashMap<String, Way> = HashMap::new();
    // The running syncs of the write-ahead log. For each process with a running sync, the map has
    // the number of the line where this sync began.
    let mut syncing: HashMap<&str, usize> = HashMap::new();
    let mut syncs = 0;
    for (number, line) in trace.lines().enumerate() {
        let (process, call) = line.split_once(' ').unwrap();
        let call = call.trim_start();
        let of_log = call.contains("club.db-wal>");
        let ended = if call.starts_with("fdatasync(") || call.starts_with("fsync(") {
            if of_log && call.contains("<unfinished") {
                syncing.insert(process, number);
            }
            (of_log && call.ends_with("= 0")).then_some(number)
        } else if call.starts_with("<... fdatasync resumed>")
            || call.starts_with("<... fsync resumed>")
        {
            let begun = syncing.remove(process);
            begun.filter(|_| call.ends_with("= 0"))
        } else {
            None
        };
        if let Some(begun) = ended {
            syncs += 1;
            for way in ways.values_mut() {
                if way.written.is_some_and(|written| written < begun) {
                    way.synced.get_or_insert(number);
                }
            }
        }
        if of_log && (call.starts_with("pwrite") || call.starts_with("write")) {
            for marked in call.split("request-").skip(1) {
                // A page can also contain remains of its previous content. So not every text after
                // `request-` is the name of a row.
                let name = marked.split_once('.').map_or("", |(name, _)| name);
                if name.bytes().all(|b| b.is_ascii_digit() || b == b'-') {
                    let way = ways.entry(name.to_owned()).or_default();
                    way.written.get_or_insert(number);
                }
            }
        } else if call.starts_with("write(1<")
            && let Some((_, said)) = call.split_once("\"answer ")
        {
            let name = said.split('.').next().unwrap_or_default();
            let way = ways.entry(name.replace(' ', "-")).or_default();
            way.answered.get_or_insert(number);
        }
    }
    let answers = ways.values().filter(|way| way.answered.is_some()).count();
    assert_eq!(
        answers as u64,
        GAMES * 40,
        "the trace must contain every answer"
    );
    for (name, way) in ways.iter().filter(|(_, way)| way.answered.is_some()) {
        let (Some(written), Some(synced), Some(answered)) = (way.written, way.synced, way.answered)
        else {
            panic!("row {name} was not written, synced and answered: {way:?}");
        };
        assert!(written < synced && synced < answered, "row {name}: {way:?}");
    }
    assert!(
        syncs < answers,
        "{syncs} syncs for {answers} answers: changes must be committed together"
    );
}
