//! Tests of the programs for teletypes. The two consoles are `nc`, `telnet` or
//! terminals of tmux.

use std::{
    collections::BTreeMap,
    io::{BufRead, BufReader, Read, Write},
    process::{Child, ChildStdin, Command, Stdio},
    sync::{Arc, Mutex},
    thread::{self, sleep},
    time::{Duration, Instant},
};

use crate::running::{Folder, plain, serve};
use crate::script::{Do, Script, cover, with_keys};

/// Timeout of the tests, longer than a very busy machine needs for one answer.
const LONG: Duration = Duration::from_secs(60);

const WHOLE_GAME: &str =
    include_str!("../../../../terminal/doors/tests/teletype/sessions/1965-whole-game.txt");
const MATE: &str =
    include_str!("../../../../terminal/doors/tests/teletype/sessions/today-mate.txt");

/// A running program, and the port on which it accepts teletypes.
struct Open {
    child: Child,
    url: String,
    port: String,
}

impl Open {
    #[allow(
        clippy::zombie_processes,
        reason = "the owner of the process waits for its end"
    )]
    fn start(mut command: Command) -> Open {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut said = BufReader::new(child.stdout.take().unwrap());
        let mut url = String::new();
        loop {
            let mut line = String::new();
            assert!(
                said.read_line(&mut line).unwrap() > 0,
                "the program ended early"
            );
            if let Some(rest) = line.strip_prefix("The club is open at ") {
                url = rest.split(' ').next().unwrap().to_owned();
            }
            if let Some((_, at)) = line.split_once(": telnet 127.0.0.1 ") {
                let port = at.split_whitespace().next().unwrap().to_owned();
                thread::spawn(move || said.read_to_end(&mut Vec::new()));
                return Open { child, url, port };
            }
        }
    }

    fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        let _dead = self.child.kill();
        let _dead = self.child.wait();
    }
}

/// A console: a process that prints the received text and sends the typed text.
struct Console {
    child: Child,
    types: Option<ChildStdin>,
    came: Arc<Mutex<Vec<u8>>>,
    telnet: bool,
    /// Length of the received text when the last wait ended.
    seen: usize,
}

impl Console {
    fn call(program: &str, port: &str) -> Console {
        let mut child = Command::new(program)
            .args(["127.0.0.1", port])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("{program}: {error}: run `cargo xtask setup`"));
        let came = Arc::<Mutex<Vec<u8>>>::default();
        let (mut out, keeps) = (child.stdout.take().unwrap(), Arc::clone(&came));
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(n @ 1..) = out.read(&mut buffer) {
                keeps.lock().unwrap().extend(&buffer[..n]);
            }
        });
        Console {
            types: child.stdin.take(),
            child,
            came,
            telnet: program == "telnet",
            seen: 0,
        }
    }

    fn line(&mut self, line: &str) {
        let types = self.types.as_mut().unwrap();
        types.write_all(format!("{line}\n").as_bytes()).unwrap();
        types.flush().unwrap();
    }

    /// Returns the bytes that came over the connection. The text that telnet itself
    /// prints first is removed.
    fn bytes(&self) -> Vec<u8> {
        let came = self.came.lock().unwrap().clone();
        if !self.telnet {
            return came;
        }
        let head = b"Escape character is '^]'.\n";
        let at = came.windows(head.len()).position(|part| part == head);
        at.map_or_else(Vec::new, |at| came[at + head.len()..].to_vec())
    }

    fn text(&self) -> String {
        String::from_utf8(self.bytes()).unwrap()
    }

    /// Waits until at least this number of bytes has come.
    fn wait(&self, bytes: usize) {
        until(|| self.bytes().len() >= bytes, || self.text());
    }

    /// Waits until the text received since the last wait ends with `end`.
    fn wait_for(&mut self, end: &str) {
        let text = || self.text().chars().skip(self.seen).collect::<String>();
        until(|| text().ends_with(end), text);
        self.seen = self.text().len();
    }

    /// Returns the bytes as this console program prints them.
    fn shown(&self, bytes: &[u8]) -> Vec<u8> {
        if self.telnet {
            String::from_utf8(bytes.to_vec())
                .unwrap()
                .replace("\r\n", "\n")
                .into()
        } else {
            bytes.to_vec()
        }
    }
}

impl Drop for Console {
    fn drop(&mut self) {
        let _ended = self.child.kill();
        let _ended = self.child.wait();
    }
}

fn until(ready: impl Fn() -> bool, shown: impl Fn() -> String) {
    let begun = Instant::now();
    while !ready() {
        assert!(
            begun.elapsed() < LONG,
            "the text does not come: {}",
            shown()
        );
        sleep(Duration::from_millis(5));
    }
}

/// Plays a session at two consoles, and compares every byte of both.
fn play(text: &str, port: &str, programs: [&str; 2]) {
    let script = Script::read(text);
    let mut consoles: BTreeMap<u8, Console> = BTreeMap::new();
    let (mut expected, mut keys) = (BTreeMap::<u8, Vec<u8>>::new(), BTreeMap::new());
    for step in &script.steps {
        let n = step.console;
        match &step.what {
            Do::Call => {
                let program = programs[usize::from(n) - 1];
                consoles.insert(n, Console::call(program, port));
            }
            Do::Line(line) => {
                let line = with_keys(line, &keys);
                consoles.get_mut(&n).unwrap().line(&line);
            }
            Do::Bytes(_) | Do::HangUp => panic!("this step is not possible with nc or telnet"),
        }
        for (n, bytes) in &step.printed {
            expected.entry(*n).or_default().extend(bytes);
        }
        for (n, console) in &consoles {
            let all = expected.entry(*n).or_default();
            console.wait(console.shown(all).len());
            keys.extend(cover(&console.bytes()).1.map(|key| (*n, key)));
        }
    }
    for (n, console) in &consoles {
        let (came, key) = cover(&console.bytes());
        assert!(key.is_some());
        let (came, written) = (
            String::from_utf8(came).unwrap(),
            console.shown(&expected[n]),
        );
        assert_eq!(came, String::from_utf8(written).unwrap(), "console {n}");
    }
}

fn club(folder: &Folder, flags: &[&str]) -> Open {
    let mut command = serve(folder);
    command.args(["--teletype", "127.0.0.1:0"]).args(flags);
    Open::start(command)
}

fn program(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kriegspiel"));
    plain(&mut command);
    command.args(words);
    command
}

/// Returns the answer of the club's API to a visitor.
fn ask(open: &Open, path: &str) -> String {
    let curl = Command::new("curl")
        .args(["-sS", &format!("{}{path}", open.url)])
        .output()
        .unwrap();
    String::from_utf8(curl.stdout).unwrap()
}

#[test]
fn teletype_without_consoles_shows_examples() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kriegspiel"));
    plain(&mut command);
    let output = command.arg("teletype").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    for example in ["teletype --listen 1965", "teletype /dev/pts/3"] {
        assert!(said.contains(example), "{said}");
    }
}

#[test]
fn a_whole_game_by_nc_and_telnet_has_the_golden_bytes() {
    let folder = Folder::new();
    let open = club(&folder, &["--1965"]);
    play(WHOLE_GAME, &open.port, ["nc", "telnet"]);
    // In the club, the game is stored like any other game.
    drop(open);
    let export = program(&["store", "export", "--pgn", "--data"])
        .arg(folder.file())
        .output()
        .unwrap();
    let pgn = String::from_utf8(export.stdout).unwrap();
    assert!(pgn.contains("[Rules \"umpire\"]"), "{pgn}");
    assert!(pgn.contains("bxa8=Q") && pgn.contains("0-1"), "{pgn}");
}

#[test]
fn two_consoles_play_without_a_club_and_mate_is_announced() {
    let open = Open::start(program(&["teletype", "--listen", "127.0.0.1:0"]));
    play(MATE, &open.port, ["telnet", "nc"]);
}

#[test]
fn players_return_with_their_keys_after_a_server_kill() {
    let folder = Folder::new();
    let open = club(&folder, &[]);
    let (mut one, mut two) = (
        Console::call("nc", &open.port),
        Console::call("telnet", &open.port),
    );
    one.line("n");
    one.wait_for("WAITING FOR THE OTHER TELETYPE\r\n");
    two.line("n");
    one.wait_for("****\u{7}\u{7}");
    one.line("y");
    one.wait_for("(WHITE TO MOVE)\r\n****\u{7}\u{7}");
    two.wait_for("(WHITE TO MOVE)\n");
    for (white, black) in [("k2 k4", "q2 q4"), ("k4 q5", "q1 q4")] {
        one.line(white);
        two.wait_for("****\u{7}\u{7}");
        two.line(black);
        one.wait_for("****\u{7}\u{7}");
    }
    // Everybody in the club can see that the game is played, but not its moves.
    let lobby = ask(&open, "/api/lobby");
    assert!(
        lobby.contains("umpire-today") && !lobby.contains("d4d5"),
        "{lobby}"
    );
    let [one_key, two_key] = [&one, &two].map(|console| cover(&console.bytes()).1.unwrap());
    one.line("k2 k4");
    one.wait_for("(HELL NO)\r\n****\u{7}\u{7}");
    two.wait_for("(HELL NO)\n");
    open.kill();

    let open = club(&folder, &[]);
    let (mut one, mut two) = (
        Console::call("telnet", &open.port),
        Console::call("nc", &open.port),
    );
    two.line(&format!("join {}", two_key.to_lowercase()));
    two.wait_for(
        "YOU ARE BACK. YOU PLAY BLACK\r\n\
         YOUR MEN, BLACK\r\n  KING    K1\r\n  QUEEN   Q4\r\n  ROOK    QR1 KR1\r\n\
         \x20 BISHOP  QB1 KB1\r\n  KNIGHT  QN1 KN1\r\n  PAWN    QR2 QN2 QB2 K2 KB2 KN2 KR2\r\n\
         (WHITE TO MOVE)\r\n(PAWN GONE Q4)\r\n",
    );
    one.line(&format!("JOIN {one_key}"));
    one.wait_for("(WHITE TO MOVE)\n(PAWN GONE Q4)\n****\u{7}\u{7}");
    // The club still knows which tries were refused in this turn, and the game
    // continues.
    one.line("qn1 qb3");
    two.wait_for("(BLACK TO MOVE)\r\n****\u{7}\u{7}");
    two.line("resign");
    for console in [&mut one, &mut two] {
        console.wait_for("****\u{7}\u{7}");
        console.line("y");
    }
    one.wait_for("   1  K2 K4        Q2 Q4\n   2  K4 Q5        Q1 Q4\n   3  QN1 QB3\nGOOD BYE\n");
}

/// Two terminals of one machine, as windows of tmux.
#[test]
fn two_terminals_play_without_a_club() {
    let folder = Folder::new();
    let socket = folder.path().join("tmux");
    let tmux = |words: &[&str]| {
        let done = Command::new("tmux")
            .arg("-S")
            .arg(&socket)
            .args(words)
            .output();
        let done = done.unwrap_or_else(|error| panic!("tmux: {error}: run `cargo xtask setup`"));
        String::from_utf8(done.stdout).unwrap()
    };
    let size = ["-x", "80", "-y", "50"];
    tmux(
        &[
            &["-f", "/dev/null", "new-session", "-d", "-s", "two"][..],
            &size,
            &["sleep 1d"],
        ]
        .concat(),
    );
    let device = tmux(&["list-panes", "-t", "two", "-F", "#{pane_tty}"]);
    let program = env!("CARGO_BIN_EXE_kriegspiel");
    let command = format!("{program} teletype --1965 {}; sleep 1d", device.trim());
    tmux(&[&["new-session", "-d", "-s", "one"][..], &size, &[&*command]].concat());
    let shows = |who: &str, text: &str| {
        let screen = || tmux(&["capture-pane", "-p", "-t", who]);
        until(|| screen().contains(text), screen);
    };
    let types = |who: &str, text: &str| {
        tmux(&["send-keys", "-t", who, text, "Enter"]);
    };
    shows("one", "DO YOU WANT INSTRUCTION Y/N");
    shows("two", "DO YOU WANT INSTRUCTION Y/N");
    types("one", "n");
    shows("one", "WAITING FOR THE OTHER TELETYPE");
    types("two", "n");
    shows("one", "DO YOU PLAY WHITE Y/N");
    types("one", "n");
    shows("two", "YOU PLAY WHITE");
    types("two", "k2 k4");
    shows("one", "(BLACK TO MOVE)");
    types("one", "q1 q3");
    shows("two", "(HELL NO)");
    types("one", "resign");
    for who in ["one", "two"] {
        shows(who, "(BLACK RESIGNS: WHITE WINS, 1-0)");
        types(who, "y");
        shows(who, "   1  K2 K4\n");
        shows(who, "GOOD BYE");
    }
    tmux(&["kill-server"]);
}
