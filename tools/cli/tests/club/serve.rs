//! Tests of `kriegspiel serve` and `kriegspiel bot` as programs.

mod bot;

use std::{
    io::{BufRead, BufReader, Read},
    path::PathBuf,
    process::{Child, Command, Output, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

const LONG: Duration = Duration::from_secs(30);

fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kriegspiel"));
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("KRIEGSPIEL_") {
            command.env_remove(name);
        }
    }
    command.stdin(Stdio::null());
    command
}

fn data(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    for ending in ["", "-wal", "-shm"] {
        // The error means that the file does not exist.
        let _gone = std::fs::remove_file(format!("{}{ending}", path.display()));
    }
    path
}

/// An open club. The club is killed when the test ends.
struct Open {
    child: Child,
    url: String,
}

impl Open {
    fn with(data: &PathBuf, flags: &[&str]) -> Open {
        Open::as_given(data, &[&["--password-cost", "cheap"], flags].concat())
    }

    /// Starts a club with these flags only, so it hashes passwords at the default cost.
    fn as_given(data: &PathBuf, flags: &[&str]) -> Open {
        let mut child = program()
            .args(["serve", "--listen", "127.0.0.1:0"])
            .args(["--think", "0", "--data"])
            .arg(data)
            .args(flags)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        output.read_line(&mut line).unwrap();
        let url = line
            .strip_prefix("The club is open at ")
            .and_then(|rest| rest.split(' ').next())
            .unwrap_or_else(|| panic!("{line:?}"));
        Open {
            url: url.to_owned(),
            child,
        }
    }

    /// Sends a request with curl.
    fn ask(&self, method: &str, path: &str, token: &str, body: &str) -> String {
        let mut curl = Command::new("curl");
        curl.args([
            "-sS",
            "-X",
            method,
            "-H",
            &format!("authorization: Bearer {token}"),
        ]);
        if !body.is_empty() {
            curl.args(["-H", "content-type: application/json", "-d", body]);
        }
        let output = curl.arg(format!("{}{path}", self.url)).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    fn guest(&self) -> String {
        let made = self.ask("POST", "/api/guests", "", r#"{"token":true}"#);
        field(&made, "token")
    }

    fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        assert!(
            Command::new("kill")
                .args([name, &id])
                .status()
                .unwrap()
                .success()
        );
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        // The process may already have ended.
        let _ended = self.child.kill();
        let _ended = self.child.wait();
    }
}

/// Returns the value of the first field with this name.
fn field(json: &str, name: &str) -> String {
    let (_, rest) = json
        .split_once(&format!("\"{name}\":\""))
        .unwrap_or_else(|| panic!("no {name}: {json}"));
    rest.split('"').next().unwrap().to_owned()
}

fn wait(child: &mut Child) -> std::process::ExitStatus {
    let end = Instant::now() + LONG;
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        assert!(Instant::now() < end, "the process should have ended");
        sleep(Duration::from_millis(10));
    }
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

const CHALLENGE: &str =
    r#"{"to":"random","terms":{"rules":"wild16","time":{"kind":"unlimited"},"color":"white"}}"#;

#[test]
fn club_continues_after_an_orderly_close() {
    let data = data("closed.db");
    let (token, game) = {
        let mut club = Open::with(&data, &[]);
        let token = club.guest();
        let game = field(
            &club.ask("POST", "/api/challenges", &token, CHALLENGE),
            "game",
        );
        let tries = format!("/api/games/{game}/tries");
        let said = club.ask(
            "POST",
            &tries,
            &token,
            r#"{"id":"1","after":1,"text":"e4"}"#,
        );
        assert!(said.contains("moved"), "{said}");
        club.signal("-TERM");
        let status = wait(&mut club.child);
        assert_eq!(status.code(), Some(0));
        (token, game)
    };
    let club = Open::with(&data, &[]);
    // The built-in bot plays without a client.
    let end = Instant::now() + LONG;
    loop {
        let view = club.ask("GET", &format!("/api/games/{game}/view"), &token, "");
        if view.contains(r#""to_move":"white""#) {
            break;
        }
        assert!(Instant::now() < end, "{view}");
        sleep(Duration::from_millis(50));
    }
    let again = r#"{"id":"1","after":1,"text":"e4"}"#;
    let said = club.ask("POST", &format!("/api/games/{game}/tries"), &token, again);
    assert!(said.contains(r#""n":2,"answer":"moved""#), "{said}");
}

#[test]
fn metrics_are_for_the_operator_and_name_nobody() {
    let mut child = program()
        .args(["serve", "--listen", "127.0.0.1:0", "--metrics"])
        .args(["127.0.0.1:0", "--password-cost", "cheap", "--data"])
        .arg(data("metrics.db"))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut at = |before: &str| {
        let line = lines.next().unwrap().unwrap();
        let rest = line
            .strip_prefix(before)
            .unwrap_or_else(|| panic!("{line}"));
        rest.split(' ').next().unwrap().to_owned()
    };
    let (url, figures) = (
        at("The club is open at "),
        at("Metrics for the operator are at "),
    );
    let club = Open { child, url };
    let made = club.ask("POST", "/api/guests", "", r#"{"token":true}"#);
    let (token, name) = (field(&made, "token"), field(&made, "name"));
    let game = field(
        &club.ask("POST", "/api/challenges", &token, CHALLENGE),
        "game",
    );
    let tried = r#"{"id":"1","after":1,"text":"e4"}"#;
    let said = club.ask("POST", &format!("/api/games/{game}/tries"), &token, tried);
    assert!(said.contains("moved"), "{said}");
    let read = Command::new("curl").args(["-sS", &figures]).output();
    let text = String::from_utf8(read.unwrap().stdout).unwrap();
    let answered = r#"{method="POST",route="/api/games/{id}/tries",status="200"} 1"#;
    let shown = format!("kriegspiel_answer_seconds_count{answered}\n");
    assert!(text.contains(&shown), "{text}");
    assert!(text.contains("\nkriegspiel_games 1\n"), "{text}");
    assert!(text.contains("\nkriegspiel_store_writable 1\n"), "{text}");
    for private in [&name, &game, &token, "e2e4", "\"e4", "wild16"] {
        assert!(!text.contains(private), "{private}: {text}");
    }
    // The address for players does not serve the metrics.
    let lost = club.ask("GET", "/metrics", &token, "");
    assert!(!lost.contains("kriegspiel_"), "{lost}");
    let same = program()
        .args(["serve", "--listen", "127.0.0.1:9", "--metrics"])
        .args(["127.0.0.1:9", "--data"])
        .arg(data("metrics-same.db"))
        .output()
        .unwrap();
    assert_eq!(same.status.code(), Some(2));
    assert!(self::text(&same).contains("`metrics`"));
}

/// The alerts of docs/operating.md use only metrics that docs/hosting.md describes.
#[test]
fn alerts_use_metrics_that_a_club_has() {
    let page = include_str!("../../../../docs/operating.md");
    let described = include_str!("../../../../docs/hosting.md");
    let (_, alerts) = page.split_once("## Alerts").unwrap();
    let names: Vec<&str> = alerts
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .filter(|word| word.starts_with("kriegspiel_"))
        .collect();
    assert!(names.len() >= 7, "{names:?}");
    for name in names {
        let base = name.strip_suffix("_bucket").unwrap_or(name);
        assert!(described.contains(&format!("| `{base}` |")), "{name}");
    }
}

#[test]
fn club_that_cannot_open_names_the_remedy() {
    let data = data("told.db");
    let club = Open::with(&data, &[]);
    let address = club.url.strip_prefix("http://").unwrap();
    let taken = program()
        .args(["serve", "--listen", address, "--data"])
        .arg(&data)
        .output()
        .unwrap();
    assert_eq!(taken.status.code(), Some(1));
    assert!(text(&taken).contains("is in use") && text(&taken).contains("--listen"));
    // If the address of a door is in use, the message names the option of this door.
    for door in doors::ALL {
        let name = door.address.name;
        let beside = self::data("beside.db");
        let taken = program()
            .args([
                "serve",
                "--listen",
                "127.0.0.1:0",
                &format!("--{name}"),
                address,
                "--data",
            ])
            .arg(&beside)
            .output()
            .unwrap();
        let said = text(&taken);
        assert_eq!(taken.status.code(), Some(1), "{said}");
        assert!(
            said.contains("is in use")
                && said.contains(&format!("for example --{name} 127.0.0.1:")),
            "{said}"
        );
        assert!(
            !said.contains("--listen") && !said.contains("--data"),
            "{said}"
        );
    }

    let wrong = |command: &mut Command, named: &str| {
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(text(&output).contains(named), "{output:?}");
        assert_eq!(text(&output).lines().count(), 1, "{output:?}");
    };
    wrong(
        program().arg("serve").env("KRIEGSPIEL_LISTN", "x"),
        "KRIEGSPIEL_LISTN",
    );
    wrong(program().args(["serve", "--bots", "deep"]), "random");
    wrong(
        program().args(["serve", "--config", "no-such.toml"]),
        "no-such.toml",
    );
    let nowhere = program()
        .args([
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--data",
            "/no/such/folder/x.db",
        ])
        .output()
        .unwrap();
    assert_eq!(nowhere.status.code(), Some(1));
    for part in [
        "/no/such/folder/x.db",
        "the folder /no/such/folder does not exist: create it",
    ] {
        assert!(text(&nowhere).contains(part), "{nowhere:?}");
    }
}

#[test]
fn bot_program_publishes_a_seek_and_plays() {
    let data = data("outside.db");
    let club = Open::with(&data, &["--bots", "none"]);
    let mut bot = program()
        .args(["bot", "--url", &club.url, "--think", "0", "--games", "1"])
        .args(["--seek", "wild16", "--time", "5+3", "random"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(bot.stderr.take().unwrap());
    let mut line = String::new();
    said.read_line(&mut line).unwrap();
    assert!(line.starts_with("random plays as guest"), "{line}");
    let token = club.guest();
    let end = Instant::now() + LONG;
    let seek = loop {
        let lobby = club.ask("GET", "/api/lobby", &token, "");
        if lobby.contains("\"initial\":300") {
            break field(&lobby, "id");
        }
        assert!(Instant::now() < end, "{lobby}");
        sleep(Duration::from_millis(20));
    };
    let game = field(
        &club.ask("POST", &format!("/api/seeks/{seek}/accept"), &token, ""),
        "game",
    );
    // Make three moves against the bot, then resign.
    let mut moves = 0;
    while moves < 3 {
        let view = club.ask("GET", &format!("/api/games/{game}/view"), &token, "");
        assert!(Instant::now() < end, "{view}");
        if view.contains(r#""tries":[]"#) {
            sleep(Duration::from_millis(20));
            continue;
        }
        let n = view.split(['{', ':', ',']).nth(2).unwrap().to_owned();
        let first = field(&view.replace("\"tries\":[\"", "\"tries\":\""), "tries");
        let said = club.ask(
            "POST",
            &format!("/api/games/{game}/tries"),
            &token,
            &format!(r#"{{"id":"{n}","after":{n},"text":"{first}"}}"#),
        );
        moves += u32::from(said.contains("moved"));
    }
    let view = club.ask("GET", &format!("/api/games/{game}/view"), &token, "");
    let n = view.split(['{', ':', ',']).nth(2).unwrap();
    let resign = format!(r#"{{"id":"end","after":{n},"text":"resign"}}"#);
    club.ask("POST", &format!("/api/games/{game}/tries"), &token, &resign);
    assert_eq!(wait(&mut bot).code(), Some(0));
    let mut rest = String::new();
    said.read_to_string(&mut rest).unwrap();
    assert!(rest.contains("resigns"), "{rest}");

    // The commands `audit` and `convert` can read the finished game in every format,
    // including JSON.
    let me = field(&club.ask("GET", "/api/me", &token, ""), "name");
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    for ending in ["json", "pgn", "txt"] {
        let path = format!("/api/games/{game}/finished.{ending}");
        let file = folder.join(format!("outside.{ending}"));
        std::fs::write(&file, club.ask("GET", &path, &token, "")).unwrap();
        let audit = program().arg("audit").arg(&file).output().unwrap();
        assert!(audit.status.success(), "{audit:?}");
        let pgn = program()
            .args(["convert", "--to", "pgn"])
            .arg(&file)
            .output()
            .unwrap();
        assert!(pgn.status.success(), "{pgn:?}");
        let pgn = String::from_utf8(pgn.stdout).unwrap();
        assert!(pgn.contains("[Rules \"wild16\"]"), "{ending}: {pgn}");
        assert!(
            ending == "txt" || pgn.contains(&format!("\"{me}\"")),
            "{ending}: {pgn}"
        );
    }
}

/// The settings file in docs/hosting.md has the effect that the page describes.
#[test]
fn settings_of_the_hosting_page_have_their_effect() {
    let page = include_str!("../../../../docs/hosting.md");
    let (_, rest) = page.split_once("```toml\n").unwrap();
    let (settings, _) = rest.split_once("```").unwrap();
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("hosting.toml");
    std::fs::write(&path, settings).unwrap();
    // Flags override the file, so the test can use another port and another club
    // file.
    let club = Open::with(&data("hosting.db"), &["--config", path.to_str().unwrap()]);
    assert_eq!(club.url, "https://club.example.org");
}

/// A bot that is stopped withdraws its seek. A bot ends if its seek is refused.
#[test]
fn stopped_bot_withdraws_its_seek() {
    let club = Open::with(&data("seeking.db"), &["--bots", "none"]);
    let bot = |rules: &str| {
        let mut bot = program();
        bot.args(["bot", "--url", &club.url, "--seek", rules, "random"]);
        bot.stdout(Stdio::null()).stderr(Stdio::piped());
        bot
    };
    let refused = bot("nosuch").output().unwrap();
    assert_eq!(refused.status.code(), Some(1));
    assert!(
        text(&refused).contains("the offer of a game was refused"),
        "{refused:?}"
    );
    let mut bot = bot("wild16").spawn().unwrap();
    let token = club.guest();
    let seeks = |how_many: usize| {
        let end = Instant::now() + LONG;
        loop {
            let lobby = club.ask("GET", "/api/lobby", &token, "");
            let (_, seeks) = lobby.split_once("\"seeks\":[").unwrap();
            let (seeks, _) = seeks.split_once("\"challenges\"").unwrap();
            if seeks.matches("\"terms\"").count() == how_many {
                return;
            }
            assert!(Instant::now() < end, "{lobby}");
            sleep(Duration::from_millis(20));
        }
    };
    seeks(1);
    let id = bot.id().to_string();
    assert!(Command::new("kill").arg(&id).status().unwrap().success());
    assert_eq!(wait(&mut bot).code(), Some(0));
    seeks(0);
}

/// Without the option `password-cost`, a club hashes passwords at the full cost.
#[test]
fn password_is_hashed_at_the_default_cost() {
    let data = data("strength.db");
    let club = Open::as_given(&data, &[]);
    let body = r#"{"name":"Anna","password":"correct horse"}"#;
    let made = club.ask("POST", "/api/accounts", "", body);
    assert_eq!(field(&made, "name"), "Anna", "{made}");
    drop(club);
    let file = std::fs::read(&data).unwrap();
    let log = std::fs::read(format!("{}-wal", data.display())).unwrap_or_default();
    let all = [file, log].concat();
    let stored = all.windows(8).position(|at| at == b"$argon2i").unwrap();
    let stored = String::from_utf8_lossy(&all[stored..stored + 97]).into_owned();
    // The parameters are 19 MiB and two passes. The salt has 16 bytes and the hash has 32
    // bytes.
    let rest = stored.strip_prefix("$argon2id$v=19$m=19456,t=2,p=1$");
    let (salt, hash) = rest.and_then(|rest| rest.split_once('$')).expect(&stored);
    assert_eq!((salt.len(), hash.len()), (22, 43), "{stored}");
    assert!(
        salt.bytes().any(|byte| byte != salt.as_bytes()[0]),
        "{stored}"
    );
}
