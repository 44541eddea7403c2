//! Failures of the disk, the file or the machine while a club runs. The club
//! reports a failure in words, leaves nothing half done, and continues if possible.

use std::{
    fs::{self, File},
    io::{BufRead, BufReader, Write},
    net::SocketAddr,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use services::{Postgres, free_port};
use store::PostgresStore;
use wire::{
    ClientSays, GameJson, GameStatus, RefusalCode, RefusedJson, SaidJson, SeatViewJson, ServerSays,
    Side, TimeControlJson, TryJson,
};

use crate::running::{Folder, Running, full_disk, http, plain, serve, socket::Socket, words};

const FISCHER: TimeControlJson = TimeControlJson::Fischer {
    initial: 1800,
    increment: 5,
};

fn view(at: SocketAddr, game: &str, token: &str) -> SeatViewJson {
    let path = format!("/api/games/{game}/view");
    let (status, body) = http::ask(at, "GET", &path, token, "").unwrap();
    assert_eq!(status, 200, "{body}");
    serde_json::from_str(&body).unwrap()
}

fn facts(at: SocketAddr, game: &str, token: &str) -> GameJson {
    let path = format!("/api/games/{game}");
    let (status, body) = http::ask(at, "GET", &path, token, "").unwrap();
    assert_eq!(status, 200, "{body}");
    serde_json::from_str(&body).unwrap()
}

/// Makes a try. Its `after` is the number of the last hearing of the seat.
fn say(
    at: SocketAddr,
    game: &str,
    token: &str,
    id: &str,
    text: &str,
) -> Result<SaidJson, RefusedJson> {
    let asked = TryJson {
        id: id.to_owned(),
        after: view(at, game, token).n,
        text: text.to_owned(),
        ask: false,
    };
    let asked = serde_json::to_string(&asked).unwrap();
    let path = format!("/api/games/{game}/tries");
    let (status, body) = http::ask(at, "POST", &path, token, &asked).unwrap();
    if status == 200 {
        Ok(serde_json::from_str(&body).unwrap())
    } else {
        Err(serde_json::from_str(&body).unwrap())
    }
}

fn moved(at: SocketAddr, game: &str, token: &str, id: &str, text: &str) {
    let said = say(at, game, token, id, text).unwrap();
    assert_eq!(said.answer, "moved", "{text}");
}

/// Starts a server that must fail to open. Checks that the exit code is 1, and returns the messages
/// of the server.
fn does_not_open(mut command: Command) -> String {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut out = String::new();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    stdout.read_line(&mut out).unwrap();
    if !out.is_empty() {
        child.kill().unwrap();
    }
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(out.is_empty(), "{command:?} opened: {out} {said}");
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(!said.contains("panicked"), "{said}");
    said
}

/// A second server on the same file is a standby. It refuses every request, and continues the games
/// within two seconds after the first server has ended or died.
#[test]
fn a_second_server_on_a_file_is_a_standby() {
    for dies in [false, true] {
        let folder = Folder::new();
        let mut one = Running::start(serve(&folder), &folder);
        let (white, black) = (http::guest(one.address), http::guest(one.address));
        let game = http::game(one.address, &white, &black, "wild16", FISCHER);
        moved(one.address, &game, &white, "p0", "e2e4");
        moved(one.address, &game, &black, "p1", "e7e5");
        let two = Running::start_any(serve(&folder), &folder);
        let healthz = |at| http::ask(at, "GET", "/healthz", "", "").unwrap();
        assert_eq!(healthz(one.address), (200, "ok\n".to_owned()));
        assert_eq!(healthz(two.address), (503, "standby\n".to_owned()));
        let path = format!("/api/games/{game}");
        let (status, body) = http::ask(two.address, "GET", &path, &white, "").unwrap();
        assert!(status == 503 && body.contains("standby"), "{status} {body}");
        // What packaging/haproxy.cfg asks for.
        let asked =
            |at| http::ask(at, "GET", "/manifest.webmanifest", "", "").map(|(code, _)| code);
        assert_eq!(
            [one.address, two.address].map(|at| asked(at).ok()),
            [Some(200), Some(503)]
        );
        match dies {
            true => one.kill(),
            false => assert!(one.terminate().success()),
        }
        let ended = Instant::now();
        while healthz(two.address).0 != 200 {
            let waited = ended.elapsed();
            assert!(waited < Duration::from_secs(10), "{waited:?}");
            std::thread::sleep(Duration::from_millis(20));
        }
        println!(
            "figure: time to a takeover, milliseconds {}",
            ended.elapsed().as_millis()
        );
        let clocks = facts(two.address, &game, &white).clocks;
        assert_eq!(clocks.unwrap().running, Some(Side::White));
        moved(two.address, &game, &white, "p4", "f1c4");
    }
}

/// A backup takes the place of the file of a running club, first beside the files of the old one. The
/// club ends within seconds, and no club opens the backup with the log of another file.
#[test]
fn a_replaced_file_ends_the_club_and_a_foreign_log_is_refused() {
    for copies in [false, true] {
        let folder = Folder::new();
        let mut server = Running::start(serve(&folder), &folder);
        let (white, black) = (http::guest(server.address), http::guest(server.address));
        let game = http::game(server.address, &white, &black, "wild16", FISCHER);
        moved(server.address, &game, &white, "p0", "e2e4");
        let (file, backup) = (folder.file(), folder.path().join("backup.db"));
        let mut command = Command::new(env!("CARGO_BIN_EXE_kriegspiel"));
        command.args(["store", "backup", "--data"]).arg(&file);
        assert!(command.arg(&backup).status().unwrap().success());
        moved(server.address, &game, &black, "p1", "e7e5");
        if copies {
            server.kill();
            fs::copy(&backup, &file).unwrap();
        } else {
            fs::rename(&backup, &file).unwrap();
            let status = server.end(Duration::from_secs(10)).unwrap();
            assert_eq!(status.code(), Some(1));
            let log = folder.log();
            assert!(log.contains("was removed or replaced"), "{log}");
        }
        let said = does_not_open(serve(&folder));
        assert!(said.contains("belongs to another file"), "{said}");
        for end in ["-wal", "-shm"] {
            let _absent = fs::remove_file(folder.path().join(format!("club.db{end}")));
        }
        let server = Running::start(serve(&folder), &folder);
        moved(server.address, &game, &black, "p2", "d7d5");
    }
}

/// The file of a club is removed. No new club opens beside the log of the old one.
#[test]
fn a_removed_file_is_noticed() {
    let folder = Folder::new();
    let mut server = Running::start(serve(&folder), &folder);
    fs::write(folder.path().join("kept-wal"), b"").unwrap();
    fs::remove_file(folder.file()).unwrap();
    let status = server.end(Duration::from_secs(10)).unwrap();
    assert_eq!(status.code(), Some(1));
    fs::rename(
        folder.path().join("kept-wal"),
        folder.path().join("club.db-wal"),
    )
    .unwrap();
    let said = does_not_open(serve(&folder));
    assert!(said.contains("belongs to another file"), "{said}");
    fs::write(folder.file(), b"").unwrap();
    let said = does_not_open(serve(&folder));
    assert!(said.contains("is empty: put a backup"), "{said}");
}

/// The operator ends a game of a running club, and one while no club runs.
#[test]
fn the_operator_lists_and_ends_games() {
    let folder = Folder::new();
    let mut server = Running::start(serve(&folder), &folder);
    let (white, black) = (http::guest(server.address), http::guest(server.address));
    let games = [0, 1].map(|_| http::game(server.address, &white, &black, "rand", FISCHER));
    let run = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kriegspiel"));
        plain(&mut command);
        command.arg("games").args(words);
        command.arg("--data").arg(folder.file());
        command.output().unwrap()
    };
    let list = String::from_utf8(run(&["list"]).stdout).unwrap();
    for (game, line) in games.iter().zip(list.lines().skip(1)) {
        assert!(
            list.contains(game.as_str()) && line.contains("rand"),
            "{list}"
        );
    }
    assert!(run(&["end", &games[0]]).status.success());
    let ordered = Instant::now();
    while facts(server.address, &games[0], &white).status != GameStatus::Over {
        assert!(ordered.elapsed() < Duration::from_secs(10));
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(run(&["end", &games[0]]).status.code(), Some(2));
    assert_eq!(run(&["end", "000000000000"]).status.code(), Some(2));
    assert_eq!(run(&["end", "short"]).status.code(), Some(2));
    assert_eq!(run(&["hall", &games[1]]).status.code(), Some(2));
    server.kill();
    assert!(run(&["end", &games[1]]).status.success());
    let server = Running::start(serve(&folder), &folder);
    let opened = Instant::now();
    while facts(server.address, &games[1], &white).status != GameStatus::Over {
        assert!(opened.elapsed() < Duration::from_secs(10));
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A club gets SIGTERM during a game: the clients get a goodbye message, the clocks
/// stop, the exit code is 0.
#[tokio::test(flavor = "multi_thread")]
async fn club_stops_the_clocks_after_sigterm() {
    let folder = Folder::new();
    let server = Running::start(serve(&folder), &folder);
    let at = server.address;
    let (white, black) = (http::guest(at), http::guest(at));
    let game = http::game(at, &white, &black, "wild16", FISCHER);
    moved(at, &game, &white, "1", "e2e4");
    moved(at, &game, &black, "1", "e7e5");
    let before = facts(at, &game, &white).clocks.unwrap();
    let mut socket = Socket::open(at, &white).await.unwrap();
    let watch = ClientSays::Watch {
        game: game.clone(),
        after: 0,
    };
    socket.say(&watch).await.unwrap();
    while !matches!(socket.hear().await, Ok(ServerSays::Game { .. })) {}
    let closed = tokio::task::spawn_blocking(move || server.terminate());
    let mut told = Vec::new();
    while let Ok(says) = socket.hear().await {
        told.push(says);
    }
    assert!(closed.await.unwrap().success());
    let goodbye = told.last();
    assert!(matches!(goodbye, Some(ServerSays::Bye { .. })), "{told:?}");

    let away = Duration::from_millis(1_500);
    std::thread::sleep(away);
    let server = Running::start(serve(&folder), &folder);
    let game = facts(server.address, &game, &white);
    let after = game.clocks.unwrap();
    assert_eq!(
        (game.status, after.running),
        (GameStatus::Running, Some(Side::White))
    );
    let (lost, passed) = (before.white - after.white, after.at - before.at);
    assert!(
        lost >= 0 && lost <= passed - away.as_millis() as i64,
        "{lost} of {passed}"
    );
}

#[test]
fn unusable_file_is_reported() {
    let folder = Folder::new();
    let in_place = |path: &Path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kriegspiel"));
        plain(&mut command);
        command.args(words(path));
        command
    };
    let named = |said: &str, words: &str| {
        assert!(said.contains(words), "{words}: {said}");
        assert!(
            said.contains(&folder.path().display().to_string()),
            "{said}"
        );
    };
    named(&does_not_open(in_place(folder.path())), "folder");

    let letter = folder.path().join("letter.txt");
    fs::write(&letter, "Dear Anna,\n".repeat(500)).unwrap();
    named(&does_not_open(in_place(&letter)), "not a club's file");
    assert!(
        fs::read_to_string(&letter)
            .unwrap()
            .starts_with("Dear Anna")
    );

    let server = Running::start(serve(&folder), &folder);
    assert!(server.terminate().success(), "{}", folder.log());
    let whole = fs::read(folder.file()).unwrap();
    let half = folder.path().join("half.db");
    fs::write(&half, &whole[..whole.len() / 2]).unwrap();
    named(&does_not_open(in_place(&half)), "backup");

    // A disk that cannot be written: the server, and only the server, sees a read-only
    // mount.
    let script = "mount --bind \"$0\" \"$0\" && mount -o remount,bind,ro \"$0\" && exec \"$@\"";
    let mut command = Command::new("unshare");
    plain(&mut command);
    command.args(["-Urm", "sh", "-c", script]);
    command
        .arg(folder.path())
        .arg(env!("CARGO_BIN_EXE_kriegspiel"));
    command.args(words(&folder.file()));
    named(&does_not_open(command), "must be writable");
    assert_eq!(fs::read(folder.file()).unwrap(), whole);
}

/// A club that cannot use its database ends with exit code 1 and one line.
#[test]
fn unusable_database_is_reported() {
    let server = Postgres::start().unwrap();
    let roles = "create role busy login connection limit 0; create role guest login; \
                 revoke all on schema public from public";
    server.run(roles).unwrap();
    let (port, free) = (server.port(), free_port().unwrap());
    let read_only = "postgres?options[default_transaction_read_only]=on";
    for (user, port, database, expected) in [
        ("kriegspiel", free, "postgres", "does not answer"),
        ("kriegspiel", port, "nowhere", "createdb"),
        ("kriegspiel", port, read_only, "standby or read-only"),
        ("busy", port, "postgres", "raise max_connections"),
        ("guest", port, "postgres", "schema"),
    ] {
        let address = format!("postgres://{user}:s3cret@127.0.0.1:{port}/{database}");
        let mut command = Command::new(env!("CARGO_BIN_EXE_kriegspiel"));
        plain(&mut command);
        command.args(words(Path::new(&address)));
        let said = does_not_open(command);
        assert!(said.contains(expected), "{expected}: {said}");
        assert!(!said.contains("s3cret"), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}

/// A standby of the database lacks the last rows, and is promoted. The server of the club ends: its
/// games contain rows that are now lost. After a restart the game continues from the stored rows.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_ends_if_its_database_has_lost_rows() {
    const LONG: Duration = Duration::from_secs(30);
    let mut primary = Postgres::start().unwrap();
    let mut standby = primary.standby().unwrap();
    let hosts = [&primary, &standby].map(|server| format!("127.0.0.1:{}", server.port()));
    let address = format!("postgres://kriegspiel@{}/postgres", hosts.join(","));
    let folder = Folder::with_database(address);
    let mut node = Running::start(serve(&folder), &folder);
    let at = node.address;
    let (white, black) = (http::guest(at), http::guest(at));
    let game = http::game(at, &white, &black, "wild16", FISCHER);
    let play = |ply: usize, text: &str| {
        let token = [&white, &black][ply % 2];
        moved(at, &game, token, &format!("p{ply}"), text);
    };
    play(0, "e2e4");
    play(1, "e7e5");
    let begun = Instant::now();
    let count = "select count(*) from events";
    while standby.run(count).ok().as_deref() != Some("3") {
        assert!(begun.elapsed() < LONG, "the standby should get the rows");
        std::thread::sleep(Duration::from_millis(20));
    }
    standby.kill();
    play(2, "g1f3");
    play(3, "b8c6");
    let heard = view(at, &game, &white).n;
    let mut socket = Socket::open(at, &white).await.unwrap();
    let watch = |after| ClientSays::Watch {
        game: game.clone(),
        after,
    };
    socket.say(&watch(0)).await.unwrap();
    primary.kill();
    standby.resume().unwrap();
    standby.promote().unwrap();
    // The club notices it with the next row.
    let lost = ClientSays::Try {
        id: "lost".to_owned(),
        game: game.clone(),
        after: heard,
        text: "d2d4".to_owned(),
        ask: false,
    };
    socket.say(&lost).await.unwrap();

    let mut told = Vec::new();
    while let Ok(says) = socket.hear().await {
        told.push(says);
    }
    let goodbye = told.last();
    let is_clear =
        matches!(goodbye, Some(ServerSays::Bye { why }) if why.contains("removed or replaced"));
    assert!(is_clear, "{goodbye:?}");
    let ended = node.end(LONG).unwrap();
    assert_eq!(ended.code(), Some(1), "{}", folder.log());
    let log = folder.log();
    let lines = log
        .lines()
        .filter(|line| line.contains("removed or replaced"));
    assert_eq!(lines.count(), 1, "{log}");

    let node = Running::start(serve(&folder), &folder);
    // The player has heard more than what is stored.
    let mut socket = Socket::open(node.address, &white).await;
    let socket = socket.as_mut().unwrap();
    socket.say(&watch(heard)).await.unwrap();
    let refused = loop {
        let says = socket.hear().await.unwrap();
        if let ServerSays::Refused { code, why, .. } = says {
            break (code, why);
        }
        assert!(matches!(says, ServerSays::Welcome { .. }), "{says:?}");
    };
    assert_eq!(refused.0, RefusalCode::Invalid, "{refused:?}");
    assert!(refused.1.contains("begin again with 0"), "{refused:?}");
    assert!(view(node.address, &game, &white).n < heard);
    moved(node.address, &game, &white, "p4", "d2d4");
    moved(node.address, &game, &black, "p5", "d7d6");
    let store = PostgresStore::open_existing(&standby.address()).await;
    let store = store.unwrap();
    let report = store.check().await.unwrap();
    assert!(report.faults.is_empty(), "{report:?}");
    store.close().await;
}

/// A log that cannot be read does not stop other games.
#[test]
fn damaged_game_is_reported_and_other_games_continue() {
    let folder = Folder::new();
    let server = Running::start(serve(&folder), &folder);
    let at = server.address;
    let (white, black) = (http::guest(at), http::guest(at));
    let bad = http::game(at, &white, &black, "english", FISCHER);
    let good = http::game(at, &white, &black, "wild16", FISCHER);
    assert!(server.terminate().success());
    let mut file = fs::read(folder.file()).unwrap();
    let text = b"opened v1 english";
    let place = file.windows(text.len()).position(|bytes| bytes == text);
    file[place.unwrap()] = b'0';
    fs::write(folder.file(), file).unwrap();

    let server = Running::start(serve(&folder), &folder);
    let at = server.address;
    assert!(folder.log().contains(&bad), "{}", folder.log());
    moved(at, &good, &white, "1", "e2e4");
    let path = format!("/api/games/{bad}/view");
    let (status, body) = http::ask(at, "GET", &path, &white, "").unwrap();
    assert_eq!(status, 503, "{body}");
    assert!(body.contains("operator"), "{body}");
    // The content of the row must not be visible to the player or in the server's log.
    let log = folder.log();
    assert!(
        !body.contains("pened v1") && !log.contains("pened v1"),
        "{body} {log}"
    );
}

/// Starts a server on a disk of only two megabytes. Also returns the path by which
/// this process can reach that disk.
fn on_a_small_disk(folder: &Folder) -> (Running, PathBuf) {
    let script = "mount -t tmpfs -o size=2m tmpfs \"$0\" && cd \"$0\" && exec \"$@\"";
    let disk = folder.path().join("disk");
    fs::create_dir_all(&disk).unwrap();
    let mut command = Command::new("unshare");
    plain(&mut command);
    command.args(["-Urm", "sh", "-c", script]);
    command.arg(&disk).arg(env!("CARGO_BIN_EXE_kriegspiel"));
    command.args(words(Path::new("club.db")));
    let server = Running::start(command, folder);
    let pid = server.pid().as_raw_nonzero();
    (server, PathBuf::from(format!("/proc/{pid}/cwd")))
}

#[test]
fn full_disk_is_reported_and_games_continue_after_it() {
    let folder = Folder::new();
    let (server, disk) = on_a_small_disk(&folder);
    let at = server.address;
    let (white, black) = (http::guest(at), http::guest(at));
    let game = http::game(at, &white, &black, "wild16", FISCHER);
    moved(at, &game, &white, "w1", "e2e4");
    moved(at, &game, &black, "b1", "e7e5");
    let ballast = disk.join("ballast");
    let mut file = File::create(&ballast).unwrap();
    while file.write_all(&[7; 512]).is_ok() {}

    // The club can still write into its files up to their present length. After that, no write
    // succeeds.
    let heard = |token: &str| view(at, &game, token).n;
    let mut asked = 0;
    let (before, refused) = loop {
        let before = (heard(&white), heard(&black));
        asked += 1;
        assert!(asked < 5_000, "the disk should be full by now");
        match say(at, &game, &white, &format!("w-{asked}"), "e1e3") {
            Ok(said) => assert_ne!(said.answer, "moved"),
            Err(refused) => break (before, refused),
        }
    };
    assert_eq!(refused.refused, RefusalCode::Unavailable);
    assert!(
        refused.why.contains("full: free some space"),
        "{}",
        refused.why
    );
    assert_eq!(
        (heard(&white), heard(&black)),
        before,
        "nobody may hear an attempt that is not stored"
    );
    // The operator may be a player, so the log says nothing about tries that could not be stored.
    for (n, text) in ["e1e3", "g1f3", "resign"].into_iter().enumerate() {
        say(at, &game, &white, &format!("lost-{n}"), text).expect_err("the disk is full");
    }
    assert_eq!(folder.log(), "", "a try must leave no log line");
    let (status, body) = http::ask(at, "POST", "/api/guests", "", "{}").unwrap();
    assert!(
        status == 503 && body.contains("free some space"),
        "{status} {body}"
    );
    let log = folder.log();
    assert!(
        log.contains("/api/guests") && log.contains("free some space") && !log.contains("/tries"),
        "{log}"
    );
    assert_eq!(log.lines().count(), 1, "{log}");
    // One line says that the file cannot be written. This line does not depend on the tries.
    let begun = Instant::now();
    while folder.log().lines().count() == 1 {
        assert!(begun.elapsed() < Duration::from_secs(20), "no new log line");
        std::thread::sleep(Duration::from_millis(100));
    }
    say(at, &game, &white, "lost-3", "g1f3").expect_err("the disk is full");
    let log = folder.log();
    assert_eq!(log.lines().count(), 2, "{log}");

    fs::remove_file(ballast).unwrap();
    drop(file);
    let begun = Instant::now();
    let id = format!("w-{asked}");
    let said = loop {
        match say(at, &game, &white, &id, "g1f3") {
            Ok(said) => break said,
            Err(refused) => assert_eq!(refused.refused, RefusalCode::Unavailable),
        }
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "the club should accept tries again"
        );
    };
    assert_eq!(said.answer, "moved");
    moved(at, &game, &black, "b2", "b8c6");
    assert!(server.terminate().success(), "{}", folder.log());
}

/// The log file is on the full disk too. Only lines of the log are lost.
#[test]
fn club_answers_if_its_log_cannot_be_written() {
    let folder = Folder::new();
    let mut command = full_disk::command(env!("CARGO_BIN_EXE_kriegspiel"));
    plain(&mut command);
    command.args(words(&folder.file()));
    let server = Running::start(command, &folder);
    let at = server.address;
    let ask = |path: &str| {
        let (status, body) = http::ask(at, "GET", path, "", "").unwrap();
        assert_eq!(status, 200, "{path}: {body}");
    };
    full_disk::limit(&server, Some(0));
    ask("/api/me");
    ask("/api/lobby");
    full_disk::limit(&server, None);
    ask("/api/lobby");
    assert!(!folder.log().contains("panicked"), "{}", folder.log());
    assert!(server.terminate().success(), "{}", folder.log());
}
