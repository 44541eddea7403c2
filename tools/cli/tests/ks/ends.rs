//! The two ends of a game (the program `ks` of each player) as separate processes.

use std::{
    env,
    io::{BufRead, BufReader, Write},
    net::TcpListener,
    path::{Path, PathBuf},
    process::{self, Child, ChildStdin, Command, ExitStatus, Stdio},
    sync::{
        Arc, Condvar, Mutex,
        atomic::{AtomicU16, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use tempfile::TempDir;

/// Timeout of the tests, longer than any step takes.
pub const LONG: Duration = Duration::from_secs(60);

pub const KEY: &str = "abcde-fghij-kmnpq-rstuv";

/// A temporary folder for one test. The folder is removed when the test ends.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Folder {
        let folder = TempDir::with_prefix("kriegspiel-ks-");
        Folder(folder.unwrap())
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }
}

/// Returns a number from 1 to 1000. The port that `ks` uses for this number (19860 + number) is
/// free, and no other test uses it.
pub fn number() -> u16 {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    loop {
        let next = NEXT.fetch_add(1, Ordering::Relaxed);
        let number = 1 + ((process::id() as u16).wrapping_mul(37).wrapping_add(next)) % 1000;
        if TcpListener::bind(("127.0.0.1", 19860 + number)).is_ok() {
            return number;
        }
    }
}

/// Two players: their folder, their port, and a command that starts them.
pub struct Pair {
    pub folder: Folder,
    pub number: u16,
    /// Command that comes before the program in the command line, such as `nsenter`.
    pub through: Vec<String>,
}

impl Pair {
    pub fn new() -> Pair {
        Pair {
            folder: Folder::new(),
            number: number(),
            through: Vec::new(),
        }
    }

    /// Returns the command of one of the two players.
    pub fn command(&self, me: &str, options: &[&str], opponent: &str) -> Command {
        let program = env!("CARGO_BIN_EXE_kriegspiel");
        let mut command = match self.through.split_first() {
            Some((first, rest)) => {
                let mut command = Command::new(first);
                command.args(rest).arg(program);
                command
            }
            None => Command::new(program),
        };
        for (name, _) in env::vars_os() {
            if name.to_string_lossy().starts_with("KRIEGSPIEL_") {
                command.env_remove(name);
            }
        }
        command
            .env("KRIEGSPIEL_KS_STATE", self.folder.path())
            .env("KRIEGSPIEL_KS_KEY", KEY)
            .env("KRIEGSPIEL_KS_NAME", me)
            .arg("ks")
            .args(options)
            .arg(self.number.to_string())
            .arg(opponent);
        command
    }

    pub fn anna(&self, options: &[&str]) -> End {
        End::start(self.command("anna", options, "bert"))
    }

    pub fn bert(&self, options: &[&str]) -> End {
        End::start(self.command("bert", options, "anna"))
    }

    /// Starts both players, Anna first. Anna is the host unless an option says
    /// otherwise.
    pub fn both(&self, annas: &[&str], berts: &[&str]) -> (End, End) {
        let mut anna = self.anna(annas);
        anna.hears("Waiting for bert");
        (anna, self.bert(berts))
    }

    /// Returns the folder in which a player stores the game.
    pub fn kept(&self, me: &str, opponent: &str) -> PathBuf {
        self.folder.path().join(me).join(opponent)
    }
}

#[derive(Default)]
struct Said {
    lines: Vec<String>,
    ended: bool,
}

/// One end, with its output in lines.
pub struct End {
    pub child: Child,
    input: Option<ChildStdin>,
    said: Arc<(Mutex<Said>, Condvar)>,
    /// Number of lines in which `hears` has already searched.
    at: usize,
}

impl End {
    pub fn start(mut command: Command) -> End {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let said = Arc::<(Mutex<Said>, Condvar)>::default();
        let out = child.stdout.take().unwrap();
        let err = child.stderr.take().unwrap();
        let to = Arc::clone(&said);
        thread::spawn(move || {
            let lines = BufReader::new(out)
                .lines()
                .chain(BufReader::new(err).lines());
            for line in lines.map_while(Result::ok) {
                to.0.lock().unwrap().lines.push(line);
                to.1.notify_all();
            }
            to.0.lock().unwrap().ended = true;
            to.1.notify_all();
        });
        End {
            input: child.stdin.take(),
            child,
            said,
            at: 0,
        }
    }

    /// Types a line.
    pub fn types(&mut self, line: &str) {
        let input = self.input.as_mut().unwrap();
        // An end that was killed does not read.
        let _gone = writeln!(input, "{line}").and_then(|()| input.flush());
    }

    /// Waits for a line that contains `part`. The search begins after the last line that
    /// was found. Returns the line.
    pub fn hears(&mut self, part: &str) -> String {
        match self.finds(part) {
            Some(line) => line,
            None => panic!("not heard: {part}\n{}", self.all().join("\n")),
        }
    }

    /// Waits until each part was heard, in any order.
    pub fn hears_each(&mut self, parts: &[&str]) {
        let (from, mut until) = (self.at, self.at);
        for part in parts {
            self.at = from;
            self.hears(part);
            until = until.max(self.at);
        }
        self.at = until;
    }

    fn finds(&mut self, part: &str) -> Option<String> {
        let begun = Instant::now();
        let (said, changed) = &*self.said;
        let mut said = said.lock().unwrap();
        loop {
            let new = said.lines[self.at..].iter();
            if let Some(found) = new.clone().position(|line| line.contains(part)) {
                self.at += found + 1;
                return Some(said.lines[self.at - 1].clone());
            }
            if said.ended || begun.elapsed() > LONG {
                return None;
            }
            said = changed
                .wait_timeout(said, Duration::from_secs(1))
                .unwrap()
                .0;
        }
    }

    /// Returns all lines of the output.
    pub fn all(&self) -> Vec<String> {
        self.said.0.lock().unwrap().lines.clone()
    }

    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Waits until the process has ended. Returns the exit status and all
    /// lines.
    pub fn ends(mut self) -> (ExitStatus, Vec<String>) {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                let (said, changed) = &*self.said;
                let mut said = said.lock().unwrap();
                while !said.ended {
                    said = changed
                        .wait_timeout(said, Duration::from_secs(1))
                        .unwrap()
                        .0;
                }
                return (status, said.lines.clone());
            }
            let late = begun.elapsed() > LONG;
            assert!(
                !late,
                "the process of this player should have exited: {}",
                self.all().join("\n")
            );
            thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for End {
    fn drop(&mut self) {
        let _ended = self.child.kill();
        let _ended = self.child.wait();
    }
}
