//! A club as a separate process, and the people who play in it.
#![allow(
    dead_code,
    unreachable_pub,
    reason = "each test program uses a part of it"
)]

pub mod damage;
pub mod dying;
pub mod full_disk;
pub mod http;
pub mod journal;
pub mod seat;
pub mod socket;
pub mod stepped;
pub mod syncs;
pub mod verify;

use std::{
    env,
    fs::{self, File, OpenOptions},
    io::{BufRead, BufReader},
    net::SocketAddr,
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    process::{Child, ChildStdout, Command, ExitStatus, Stdio},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

/// A temporary folder for one test. The folder is removed when the test ends.
pub struct Folder {
    folder: TempDir,
    /// Address of the database, if the data of the club are not in the folder.
    address: Option<String>,
}

impl Folder {
    pub fn new() -> Folder {
        let folder = TempDir::with_prefix("kriegspiel-running-");
        let mut folder = folder.unwrap();
        if env::var_os("KRIEGSPIEL_KEEP").is_some() {
            folder.disable_cleanup(true);
            eprintln!("kept: {}", folder.path().display());
        }
        let address = None;
        Folder { folder, address }
    }

    /// Creates a folder for a club whose data are in a database.
    pub fn with_database(address: String) -> Folder {
        let mut folder = Folder::new();
        folder.address = Some(address);
        folder
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Returns the club's file, or the address of its database.
    pub fn file(&self) -> PathBuf {
        match &self.address {
            Some(address) => PathBuf::from(address),
            None => self.path().join("club.db"),
        }
    }

    /// Returns what the servers wrote to stderr, without the lines about
    /// requests and new files.
    pub fn log(&self) -> String {
        let log = fs::read_to_string(self.path().join("log")).unwrap_or_default();
        let is_usual = |line: &str| line.contains("INFO request ") || line.contains("a new club");
        let lines = log.lines().filter(|line| !is_usual(line));
        lines.collect::<Vec<_>>().join("\n")
    }

    fn open_log(&self) -> File {
        let mut options = OpenOptions::new();
        let log = options.create(true).append(true);
        log.open(self.path().join("log")).unwrap()
    }
}

/// Returns the time in milliseconds since 1970 UTC.
pub fn wall() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |span| span.as_millis() as i64)
}

/// Removes the environment variables for clubs and tests from a command.
pub fn plain(command: &mut Command) {
    for (name, _) in env::vars_os() {
        if name.to_string_lossy().starts_with("KRIEGSPIEL_") {
            command.env_remove(name);
        }
    }
}

/// Returns the arguments of `kriegspiel serve` for games between programs.
pub fn words(file: &Path) -> Vec<String> {
    let mut words: Vec<String> = [
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--bots",
        "none",
        "--password-cost",
        "cheap",
        "--data",
    ]
    .map(str::to_owned)
    .to_vec();
    words.push(file.display().to_string());
    for limit in ["connections", "messages", "requests", "guests", "offers"] {
        words.extend([format!("--{limit}"), "1000000".to_owned()]);
    }
    words
}

/// Returns the command `kriegspiel serve` for the folder's file.
pub fn serve(folder: &Folder) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kriegspiel"));
    plain(&mut command);
    command.args(words(&folder.file()));
    command
}

/// A running server. Dropping it kills the process.
pub struct Running {
    child: Child,
    /// Address on which the server listens.
    pub address: SocketAddr,
    // Kept open, so that the server can continue to print.
    _out: BufReader<ChildStdout>,
}

impl Running {
    /// Starts a server that is open, or is a standby.
    #[allow(dead_code, reason = "only some test programs have standbys")]
    pub fn start_any(command: Command, folder: &Folder) -> Running {
        let open = ["The club is open at http://", "A standby waits at http://"];
        Running::until(command, folder, &open)
            .unwrap_or_else(|ended| panic!("the server did not open: {ended}: {}", folder.log()))
    }

    /// Starts the server, and waits until the server prints its address.
    pub fn start(command: Command, folder: &Folder) -> Running {
        Running::try_start(command, folder)
            .unwrap_or_else(|ended| panic!("the server did not open: {ended}: {}", folder.log()))
    }

    /// Starts the server. Returns the exit status if the server ends before it is open.
    pub fn try_start(command: Command, folder: &Folder) -> Result<Running, ExitStatus> {
        Running::until(command, folder, &["The club is open at http://"])
    }

    /// Starts the server, and waits until it prints one of these texts before its address.
    #[allow(
        clippy::zombie_processes,
        reason = "the owner of the process waits for its end"
    )]
    fn until(mut command: Command, folder: &Folder, texts: &[&str]) -> Result<Running, ExitStatus> {
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(folder.open_log());
        let mut child = command.spawn().unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        loop {
            line.clear();
            if out.read_line(&mut line).unwrap() == 0 {
                return Err(child.wait().unwrap());
            }
            if let Some((_, rest)) = texts.iter().find_map(|text| line.split_once(text)) {
                let address = rest.split_whitespace().next().unwrap_or_default();
                let address = address.trim_end_matches(':');
                return Ok(Running {
                    child,
                    address: address.parse().unwrap(),
                    _out: out,
                });
            }
        }
    }

    pub fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    /// Returns the exit status, if the server has ended.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().unwrap()
    }

    /// Waits at most `patience` for the end of the server.
    pub fn end(&mut self, patience: Duration) -> Option<ExitStatus> {
        let until = Instant::now() + patience;
        loop {
            let ended = self.ended();
            if ended.is_some() || Instant::now() >= until {
                return ended;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Kills the server with SIGKILL.
    pub fn kill(&mut self) {
        // The server may already be dead.
        let _dead = kill_process(self.pid(), Signal::KILL);
        let ended = self.child.wait().unwrap();
        assert_eq!(
            ended.signal(),
            Some(9),
            "the server should be killed by the signal: {ended}"
        );
    }

    /// Stops the server with SIGTERM. Returns its exit status.
    pub fn terminate(mut self) -> ExitStatus {
        kill_process(self.pid(), Signal::TERM).unwrap();
        self.end(Duration::from_secs(20)).unwrap()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _dead = self.child.kill();
        let _dead = self.child.wait();
    }
}
