//! Runs the club again and again according to a plan, makes it fail, and measures its memory.

use std::{
    collections::BTreeMap,
    env, fs,
    net::TcpListener,
    path::PathBuf,
    sync::Arc,
    thread::{self, JoinHandle, sleep},
    time::{Duration, Instant},
};

use rand::{RngExt, SeedableRng, rngs::StdRng};
use tokio::sync::watch;

use crate::{
    ground::{Ground, Span, lock},
    plan::{End, Program, Step},
    running::{
        Folder, Running,
        damage::{check, damage, open},
        full_disk, http, plain,
        seat::Life,
        stepped,
    },
};

/// Interval between two measurements of the memory.
const MEMORY_INTERVAL: Duration = Duration::from_millis(500);
/// Minimum time for which a club runs after it has opened, even if it was slow to open.
const MIN_LIFE: Duration = Duration::from_secs(2);
/// Interval between two checks of the club.
const TICK: Duration = Duration::from_millis(50);

/// Measurements of the resident memory in one run of the club. Each measurement has the time since
/// the opening, and the number of bytes.
pub type Memory = Vec<(Duration, u64)>;

/// Ports of the club. The ports stay the same, so that everybody finds the club again.
#[derive(Copy, Clone, Debug)]
pub struct Ports {
    pub http: u16,
    pub ics: u16,
    pub teletype: u16,
}

impl Ports {
    /// Chooses ports that are free. The ports are below 32768, because the system gives
    /// clients only ports from 32768 on.
    pub fn choose(dice: &mut StdRng) -> Ports {
        let mut port = || loop {
            let port = dice.random_range(21_000..32_000);
            if TcpListener::bind(("127.0.0.1", port)).is_ok() {
                return port;
            }
        };
        Ports {
            http: port(),
            ics: port(),
            teletype: port(),
        }
    }
}

/// The club's file, and everything else that is needed to carry out a plan.
pub struct Keeper {
    pub folder: Folder,
    pub ports: Ports,
    pub ground: Arc<Ground>,
    pub life: watch::Sender<Life>,
    pub dice: StdRng,
    pub memory: Vec<Memory>,
    /// The damaged copy that is being opened.
    pub damaged: Option<JoinHandle<&'static str>>,
}

impl Keeper {
    fn words(&self, program: Program) -> Vec<String> {
        let at = |port: u16| format!("127.0.0.1:{port}");
        let file = self.folder.file().display().to_string();
        let mut words = vec!["serve".to_owned()];
        let Ports {
            http,
            ics,
            teletype,
        } = self.ports;
        for (flag, value) in [
            ("--listen", at(http)),
            ("--data", file),
            ("--ics", at(ics)),
            ("--teletype", at(teletype)),
        ] {
            words.extend([flag.to_owned(), value]);
        }
        if program == Program::BehindProxy {
            words.push("--behind-proxy".to_owned());
        }
        words
    }

    /// Starts a club.
    pub fn open(&self, program: Program) -> Running {
        let words = self.words(program);
        let command = match program {
            Program::Released | Program::BehindProxy => {
                let mut command = full_disk::command(env!("CARGO_BIN_EXE_kriegspiel"));
                plain(&mut command);
                command.args(words);
                command
            }
            Program::OwnClock { ahead } => {
                let this = env::current_exe().unwrap();
                let mut command = full_disk::command(this);
                stepped::command(&mut command, ahead, &words);
                command
            }
        };
        Running::start(command, &self.folder)
    }

    /// Lets an open club run until the moment `until`. Then ends it as the plan says.
    pub fn keep(&mut self, mut server: Running, step: &Step, until: Instant) {
        let opened = Instant::now();
        let until = until.max(opened + MIN_LIFE);
        self.ground.count(match step.program {
            Program::Released => "runs of the released program",
            Program::BehindProxy => "runs behind a proxy",
            Program::OwnClock { .. } => "runs with a clock that is wrong and jumps",
        });
        self.life.send_replace(Life::Up(server.address));
        let mut memory = Memory::new();
        let mut next = opened;
        let mut full_disk = step.full_disk;
        while Instant::now() < until {
            sleep(TICK);
            if let Some(ended) = server.ended() {
                panic!("the club ended by itself: {ended} {}", self.folder.log());
            }
            if Instant::now() >= next {
                next += MEMORY_INTERVAL;
                memory.extend(resident(&server).map(|bytes| (opened.elapsed(), bytes)));
            }
            if let Some(full) = full_disk.take_if(|full| opened.elapsed() >= full.after) {
                let from = Instant::now();
                self.fill(&server, Some(full.place));
                sleep(full.length);
                self.fill(&server, None);
                self.failed(from);
                self.ground.count("periods with a full disk");
            }
        }
        self.memory.push(memory);
        let from = Instant::now();
        match step.end {
            End::KillWithFullDisk => {
                let place = self.dice.random_range(0..1_000);
                self.fill(&server, Some(place));
                sleep(Duration::from_millis(self.dice.random_range(0..1_500)));
                server.kill();
                self.ground.count("kills with a full disk");
            }
            End::Kill => {
                server.kill();
                self.ground.count("kills");
            }
            End::Terminate => {
                let ended = server.terminate();
                assert!(ended.success(), "{ended} {}", self.folder.log());
                self.ground.count("orderly shutdowns");
            }
        }
        self.life.send_replace(Life::Down);
        if step.damages {
            self.look_at_damaged_copy();
        }
        let dead = Instant::now();
        sleep(step.outage);
        let mut timeline = lock(&self.ground.timeline);
        timeline.outages.push(Span {
            from: dead,
            until: Instant::now(),
        });
        // The fault ends when the next club is open. Until then, the recorded end is far in the
        // future.
        timeline.faults.push(Span {
            from,
            until: Instant::now() + Duration::from_secs(3_600),
        });
    }

    /// Records that the club is open again.
    pub fn is_open_again(&self) {
        if let Some(outage) = lock(&self.ground.timeline).faults.last_mut() {
            outage.until = outage.until.min(Instant::now());
        }
    }

    /// Records a fault that began at the moment `from` and has ended now.
    fn failed(&self, from: Instant) {
        let until = Instant::now();
        let mut timeline = lock(&self.ground.timeline);
        timeline.faults.push(Span { from, until });
    }

    /// Simulates a full disk: no file of the club can grow beyond `place` thousandths of the present
    /// length of the database. `None` removes the limit.
    fn fill(&self, server: &Running, place: Option<u64>) {
        let length = fs::metadata(self.folder.file()).map_or(0, |file| file.len());
        full_disk::limit(server, place.map(|place| length * place / 1_000));
    }

    /// Damages a copy of the file, and opens another club over the copy. Checks that the other club
    /// answers, or that it ends and names the damage.
    fn look_at_damaged_copy(&mut self) {
        self.ends_damaged();
        let copy = Folder::new();
        let mut files: BTreeMap<PathBuf, Vec<u8>> = BTreeMap::new();
        for end in ["", "-wal"] {
            let with_end = |folder: &Folder| {
                let mut path = folder.file().into_os_string();
                path.push(end);
                PathBuf::from(path)
            };
            if let Ok(bytes) = fs::read(with_end(&self.folder)) {
                files.insert(with_end(&copy), bytes);
            }
        }
        let mut dice = StdRng::seed_from_u64(self.dice.random());
        self.damaged = Some(thread::spawn(move || {
            let bytes = files.get_mut(&copy.file()).unwrap();
            let done = damage(bytes, dice.random_range(0..4), &mut dice);
            for (path, bytes) in &files {
                fs::write(path, bytes).unwrap();
            }
            opens_or_is_named(&copy, done)
        }));
    }

    /// Waits for the result of the last damaged copy, and counts it.
    pub fn ends_damaged(&mut self) {
        if let Some(damaged) = self.damaged.take() {
            let found = damaged.join().unwrap();
            self.ground.count(format!("damaged copies: {found}"));
        }
    }
}

fn opens_or_is_named(copy: &Folder, done: &str) -> &'static str {
    let checked = check(&copy.file());
    let report = String::from_utf8_lossy(&checked.stdout).into_owned();
    match open(copy) {
        Err(log) => {
            assert!(log.contains("club.db"), "{done}: {log}");
            assert!(!log.contains("panicked"), "{done}: {log}");
            assert_eq!(checked.status.code(), Some(1), "{done}: {report} {log}");
            "the damage is named"
        }
        Ok((_club, at)) => {
            let answer = http::ask(at, "GET", "/api/lobby", "", "");
            let (status, body) = answer.unwrap();
            assert_eq!(status, 200, "{done}: {body}");
            let log = fs::read_to_string(copy.path().join("log")).unwrap_or_default();
            assert!(!log.contains("panicked"), "{done}: {log}");
            "the club opens"
        }
    }
}

/// Returns the resident memory of a server, in bytes.
fn resident(server: &Running) -> Option<u64> {
    let pid = server.pid().as_raw_nonzero();
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}
