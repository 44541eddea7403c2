//! Tests with unmodified xboard programs at the door for chess clients.
//!
//! Two xboards play a whole game against each other, by mouse and by typing. The
//! game has captures, pawn tries, a promotion and a mate. One move is refused, and xboard
//! takes it back. During the game one xboard is killed and started again. In a second game
//! one xboard plays against a bot and resigns. If `KRIEGSPIEL_PICTURE` names a file,
//! the test writes a picture of the display during the first game to this file.

use std::{
    env, fs,
    io::{BufRead, BufReader, Read, Write},
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Command, Stdio},
    sync::{Arc, Mutex, PoisonError},
    thread::{self, sleep},
    time::{Duration, Instant},
};

use rustix::process::{Signal, kill_process};

use crate::running::{Folder, Running, http::ask, plain};

/// Timeout of each step, long enough for a busy machine.
const WAIT_TIMEOUT: Duration = Duration::from_secs(90);

/// Size of a square with its edge, in pixels, with `-size 49`.
const SQUARE: u32 = 50;
/// Distance of the board from the left edge, in pixels.
const LEFT: u32 = 2;
const BOARD: u32 = 8 * SQUARE + 1;

fn until<T>(what: &str, mut is: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = is() {
            return found;
        }
        assert!(begun.elapsed() < WAIT_TIMEOUT, "still waiting for {what}");
        sleep(Duration::from_millis(50));
    }
}

/// A virtual X display.
struct Screen {
    child: Child,
    name: String,
}

impl Screen {
    fn open() -> Screen {
        let mut child = Command::new("Xvfb")
            .args([
                "-displayfd",
                "1",
                "-screen",
                "0",
                "900x520x24",
                "-nolisten",
                "tcp",
            ])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut number = String::new();
        let out = child.stdout.as_mut().unwrap();
        BufReader::new(out).read_line(&mut number).unwrap();
        Screen {
            child,
            name: format!(":{}", number.trim()),
        }
    }

    /// Runs a program on this display, and returns what it prints.
    fn run(&self, program: &str, words: &[&str]) -> Vec<u8> {
        let done = Command::new(program)
            .args(words)
            .env("DISPLAY", &self.name)
            .output();
        done.unwrap_or_else(|e| panic!("{program} is installed by `cargo xtask setup`: {e}"))
            .stdout
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _dead = self.child.kill();
        let _dead = self.child.wait();
    }
}

/// An xboard with its console and its window.
struct Xboard<'a> {
    screen: &'a Screen,
    child: Child,
    console: ChildStdin,
    said: Arc<Mutex<String>>,
    read: usize,
    window: String,
    pgn: PathBuf,
    black: bool,
}

impl<'a> Xboard<'a> {
    fn open(screen: &'a Screen, folder: &Path, name: &str, port: u16, black: bool) -> Xboard<'a> {
        let home = folder.join(name);
        fs::create_dir_all(&home).unwrap();
        let (logon, pgn) = (home.join("logon"), home.join("games.pgn"));
        fs::write(&logon, format!("{name}\nsecret-123\n")).unwrap();
        let mut child = Command::new("/usr/games/xboard")
            .args([
                "-ics",
                "-icshost",
                "127.0.0.1",
                "-icsport",
                &port.to_string(),
                "-icslogon",
            ])
            .arg(&logon)
            .arg("-saveGameFile")
            .arg(&pgn)
            .args([
                "-size",
                "49",
                "-xpopup",
                "-xexit",
                "-xanimate",
                "-xdrag",
                "-xmovesound",
            ])
            .args([
                "-highlightLastMove",
                "false",
                "-highlightMoveWithArrow",
                "false",
            ])
            .env("DISPLAY", &screen.name)
            .env("HOME", &home)
            .current_dir(&home)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let said = Arc::<Mutex<String>>::default();
        let (into, mut out) = (Arc::clone(&said), child.stdout.take().unwrap());
        thread::spawn(move || {
            let mut bytes = [0; 1024];
            while let Ok(n @ 1..) = out.read(&mut bytes) {
                let text = String::from_utf8_lossy(&bytes[..n]);
                into.lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .push_str(&text);
            }
        });
        let pid = child.id().to_string();
        let window = until("a window", || {
            let found = screen.run(
                "xdotool",
                &[
                    "search",
                    "--all",
                    "--onlyvisible",
                    "--pid",
                    &pid,
                    "--name",
                    ".",
                ],
            );
            let found = String::from_utf8(found).ok()?;
            found.lines().last().map(str::to_owned)
        });
        let place = if black { "450" } else { "0" };
        screen.run("xdotool", &["windowmove", "--sync", &window, place, "0"]);
        let console = child.stdin.take().unwrap();
        let mut xboard = Xboard {
            screen,
            child,
            console,
            said,
            read: 0,
            window,
            pgn,
            black,
        };
        xboard.hears("Style 12 set.");
        xboard
    }

    /// Returns the height of the window. xboard changes this height after the window has become
    /// visible.
    fn height(&self) -> u32 {
        until("a window with a height", || {
            let words = ["getwindowgeometry", "--shell", &self.window];
            let shape = String::from_utf8(self.screen.run("xdotool", &words)).ok()?;
            let height = shape.lines().find_map(|l| l.strip_prefix("HEIGHT="));
            let height = height?.parse().ok()?;
            (height >= BOARD).then_some(height)
        })
    }

    /// Waits until the console shows a text. The search begins after the text for which this
    /// function last waited.
    fn hears(&mut self, text: &str) {
        if !self.hears_within(text, WAIT_TIMEOUT) {
            let said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
            panic!("`{text}` is not heard after: {}", &said[self.read..]);
        }
    }

    /// Like [`hears`](Xboard::hears), but returns whether the text came in time.
    fn hears_within(&mut self, text: &str, time: Duration) -> bool {
        let begun = Instant::now();
        loop {
            let said = self
                .said
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .clone();
            if let Some(at) = said[self.read..].find(text) {
                self.read += at + text.len();
                return true;
            }
            if begun.elapsed() > time {
                return false;
            }
            sleep(Duration::from_millis(20));
        }
    }

    fn types(&mut self, line: &str) {
        writeln!(self.console, "{line}").unwrap();
        self.console.flush().unwrap();
    }

    /// Returns the pixels of the board's lowest three ranks. The middle of the board
    /// is not compared, because a newly started xboard may show a hint there.
    fn board(&self) -> Vec<u8> {
        self.dots_of(3)
    }

    /// Returns the pixels of the lowest `ranks` ranks.
    fn dots_of(&self, ranks: u32) -> Vec<u8> {
        let high = ranks * SQUARE;
        let top = self.height() - high - 1;
        let shape = format!("{BOARD}x{high}+{LEFT}+{top}");
        let words = [
            "-window",
            &self.window,
            "-crop",
            &shape,
            "-depth",
            "8",
            "rgb:-",
        ];
        self.screen.run("import", &words)
    }

    /// Waits until the pixels of the board no longer change, and returns them. On a busy
    /// machine, xboard may pause while it draws.
    fn drawn(&self) -> Vec<u8> {
        let mut last = self.board();
        let mut equal = 0;
        until("a board that does not change", || {
            sleep(Duration::from_millis(200));
            let now = self.board();
            let same = !now.is_empty() && now == last;
            equal = if same { equal + 1 } else { 0 };
            last = now;
            (equal == 4).then(|| last.clone())
        })
    }

    fn dots(&self, square: &str) -> [String; 2] {
        let bytes = square.as_bytes();
        let (mut file, mut rank) = (u32::from(bytes[0] - b'a'), u32::from(bytes[1] - b'1'));
        if self.black {
            (file, rank) = (7 - file, 7 - rank);
        }
        let x = LEFT + file * SQUARE + SQUARE / 2;
        let y = self.height() - 2 - rank * SQUARE - SQUARE / 2;
        [x, y].map(|n| n.to_string())
    }

    /// Moves a man with the mouse, and waits for a text. If the drag comes before xboard has drawn
    /// the last move, xboard loses the drag. In this case the man is moved again.
    fn plays(&mut self, from: &str, to: &str, heard: &str) {
        for _ in 0..5 {
            self.drags(from, to);
            if self.hears_within(heard, WAIT_TIMEOUT / 5) {
                return;
            }
        }
        panic!("{from}-{to}: `{heard}` is not heard");
    }

    /// Moves a man with the mouse.
    fn drags(&self, from: &str, to: &str) {
        let ([x, y], [u, v]) = (self.dots(from), self.dots(to));
        let window = self.window.as_str();
        self.screen.run(
            "xdotool",
            &[
                "mousemove",
                "--window",
                window,
                &x,
                &y,
                "mousedown",
                "1",
                "mousemove",
                "--window",
                window,
                &u,
                &v,
                "mouseup",
                "1",
            ],
        );
    }

    /// Returns the moves of the last game that this xboard has saved.
    fn saved(&self) -> String {
        until("a saved game", || {
            let text = fs::read_to_string(&self.pgn).ok()?;
            let (_, moves) = text.trim_end().rsplit_once("\n\n")?;
            let moves = moves.split_whitespace().collect::<Vec<_>>().join(" ");
            moves.ends_with(['0', '1', '2']).then_some(moves)
        })
    }
}

impl Drop for Xboard<'_> {
    fn drop(&mut self) {
        let _dead = self.child.kill();
        let _dead = self.child.wait();
    }
}

/// Removes comments in braces from a text.
fn without_comments(moves: &str) -> String {
    let mut depth = 0;
    let kept = moves.chars().filter(|c| {
        depth += i32::from(*c == '{');
        let keep = depth == 0;
        depth -= i32::from(*c == '}');
        keep
    });
    let kept: String = kept.collect();
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn two_xboards_play_a_game_and_one_plays_a_bot() {
    let folder = Folder::new();
    let port = TcpListener::bind("127.0.0.1:0")
        .and_then(|l| l.local_addr())
        .unwrap()
        .port();
    let mut command = Command::new(env!("CARGO_BIN_EXE_kriegspiel"));
    plain(&mut command);
    command.args([
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--bots",
        "random",
        "--think",
        "20",
    ]);
    command.args([
        "--password-cost",
        "cheap",
        "--ics",
        &port.to_string(),
        "--data",
    ]);
    command.arg(folder.file());
    let server = Running::start(command, &folder);
    for name in ["Fred", "Ginger"] {
        let body = format!(r#"{{"name":"{name}","password":"secret-123"}}"#);
        let (status, text) = ask(server.address, "POST", "/api/accounts", "", &body).unwrap();
        assert_eq!(status, 201, "{text}");
    }
    let screen = Screen::open();
    let mut fred = Xboard::open(&screen, folder.path(), "Fred", port, false);
    let mut ginger = Xboard::open(&screen, folder.path(), "Ginger", port, true);
    begin(&mut fred, &mut ginger);
    refused_moves_go_back(&server, &mut fred);
    let mut ginger = opening(&mut fred, ginger, &folder, port);
    ending(&mut fred, &mut ginger);
    drop(ginger);
    against_a_program(&mut fred);
}

fn begin<'a>(fred: &mut Xboard<'a>, ginger: &mut Xboard<'a>) {
    fred.types("match Ginger 10 5 kriegspiel white");
    ginger.hears("Challenge: Fred");
    ginger.types("accept");
    for one in [fred, ginger] {
        one.hears("Creating unrated wild/16 match.}");
        one.hears("0 pawn tries.");
    }
}

/// Tries a pawn capture without a man to capture. While the server is stopped, the
/// pawn is on the target square. After the refusal the pawn is on its origin again.
fn refused_moves_go_back(server: &Running, fred: &mut Xboard<'_>) {
    let before = fred.drawn();
    kill_process(server.pid(), Signal::STOP).unwrap();
    let mut dragged: Option<Instant> = None;
    let moved = until("the pawn on d3", || {
        if dragged.is_none_or(|at| at.elapsed() > WAIT_TIMEOUT / 5) {
            fred.drags("e2", "d3");
            dragged = Some(Instant::now());
        }
        let board = fred.board();
        (!alike(&board, &before)).then_some(board)
    });
    kill_process(server.pid(), Signal::CONT).unwrap();
    fred.hears("Illegal move (e2d3).");
    // The pawn must be on e2 again: the function `opening` moves it from e2 with the mouse.
    until("the pawn gone from d3", || {
        let board = fred.board();
        (alike(&board, &before) && board != moved).then_some(())
    });
}

/// Whether two pictures show the same men. A moved man changes about 1,400
/// pixels; on a busy machine xboard leaves a few hundred pixels undrawn.
fn alike(one: &[u8], other: &[u8]) -> bool {
    let dots = one.chunks(3).zip(other.chunks(3));
    one.len() == other.len() && dots.filter(|(a, b)| a != b).count() < 1_000
}

/// Plays the opening. Both players move; then Ginger's xboard is killed, and a new xboard shows the
/// same board.
fn opening<'a>(
    fred: &mut Xboard<'_>,
    mut ginger: Xboard<'a>,
    folder: &Folder,
    port: u16,
) -> Xboard<'a> {
    fred.plays("e2", "e4", "Black's move.");
    ginger.hears("Black's move.");
    ginger.plays("f7", "f5", "White's move.");
    fred.hears("1 pawn try.");
    fred.hears("White's move.");
    fred.plays("e4", "f5", "Pawn gone on f5.");
    ginger.hears("Your pawn on f5 is gone.");
    ginger.hears("Black's move.");
    ginger.types("g7g6");
    fred.hears("1 pawn try.");
    fred.types("f5g6");
    ginger.hears("Your pawn on g6 is gone.");
    ginger.hears("Black's move.");
    if let Some(file) = env::var_os("KRIEGSPIEL_PICTURE") {
        fred.drawn();
        fred.screen
            .run("import", &["-window", "root", &file.to_string_lossy()]);
    }
    let before = ginger.drawn();
    let screen = ginger.screen;
    drop(ginger);
    fred.hears("Ginger is not connected.");
    let mut ginger = Xboard::open(screen, folder.path(), "Ginger", port, true);
    ginger.hears("Continuing unrated wild/16 match.}");
    fred.hears("Ginger is here again.");
    until("the same board", || {
        alike(&ginger.drawn(), &before).then_some(())
    });
    ginger
}

fn ending<'a>(fred: &mut Xboard<'a>, ginger: &mut Xboard<'a>) {
    for (white, black) in [("g6h7", "a6a5"), ("h7g8=Q", "h8g8"), ("d1h5", "g8g6")] {
        if white == "g6h7" {
            ginger.types("a7a6");
            fred.hears("White's move.");
        }
        fred.types(white);
        ginger.hears("Black's move.");
        ginger.types(black);
        fred.hears("White's move.");
    }
    fred.drawn();
    let own = fred.dots_of(8);
    fred.types("h5g6");
    for one in [&mut *fred, ginger] {
        one.hears("(Fred vs. Ginger) Ginger checkmated} 1-0");
    }
    until("both armies", || (fred.dots_of(8) != own).then_some(()));
    let saved = fred.saved();
    // xboard does not know the opponent's king, so it marks every move as mate.
    assert_eq!(
        without_comments(&saved),
        "1. e4# ? 2. ef5# ? 3. fg6# ? 4. gh7# ? 5. hg8=Q# ?xg8 6. Qh5# ? 7. Qg6# 1-0"
    );
}

fn against_a_program(fred: &mut Xboard<'_>) {
    fred.types("match random 5 5 kriegspiel white");
    fred.hears("(Fred vs. random) Creating unrated wild/16 match.}");
    for text in ["a2a3", "h2h3", "b2b3"] {
        fred.types(text);
        fred.hears("Black's move.");
        fred.hears("White's move.");
    }
    fred.types("resign");
    fred.hears("(Fred vs. random) Fred resigns} 0-1");
    until("a second game", || {
        let saved = without_comments(&fred.saved());
        (saved.starts_with("1. a3# ?") && saved.ends_with("0-1")).then_some(())
    });
}
