//! Damaged files, and clubs that are opened with them.

use std::{
    fs,
    net::SocketAddr,
    path::Path,
    process::{Child, Command, Output, Stdio},
    time::{Duration, Instant},
};

use rand::{RngExt, rngs::StdRng};

use super::{Folder, plain, serve};

/// Maximum time until a club opens or ends.
const DECISION_TIMEOUT: Duration = Duration::from_secs(60);
/// Size of a page of the database, in bytes.
const PAGE: usize = 4096;

/// Damages the content of a file. Returns the kind of damage.
pub fn damage(bytes: &mut Vec<u8>, kind: usize, dice: &mut StdRng) -> &'static str {
    let flip = |bytes: &mut Vec<u8>, dice: &mut StdRng, count: usize| {
        for _ in 0..count {
            let bit = dice.random_range(0..bytes.len() * 8);
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
    };
    match kind % 4 {
        0 | 1 => {
            flip(bytes, dice, 8);
            "eight bits flipped"
        }
        2 => {
            let length = dice.random_range(1..bytes.len());
            bytes.truncate(length);
            "truncated"
        }
        _ => {
            for _ in 0..dice.random_range(1..=3) {
                let page = dice.random_range(0..bytes.len().div_ceil(PAGE));
                let end = bytes.len().min((page + 1) * PAGE);
                bytes[page * PAGE..end].fill(0);
            }
            "pages zeroed"
        }
    }
}

/// A club whose file is damaged. Dropping it kills the process.
pub struct Club(Child);

impl Drop for Club {
    fn drop(&mut self) {
        let _dead = self.0.kill();
        let _dead = self.0.wait();
    }
}

impl Club {
    /// Returns the processor time that the club has used so far.
    pub fn cpu_time(&self) -> Duration {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.0.id())).unwrap();
        let (_, rest) = stat.rsplit_once(')').unwrap();
        // Fields 14 and 15 of the file are the processor time, in hundredths of a second.
        let ticks = rest.split_whitespace().skip(11).take(2);
        let ticks: u64 = ticks.filter_map(|n| n.parse::<u64>().ok()).sum();
        Duration::from_millis(ticks * 10)
    }
}

/// Opens a club with the damaged file. Returns `Err` with the log of the club if the club ends.
pub fn open(folder: &Folder) -> Result<(Club, SocketAddr), String> {
    let (out, log) = (folder.path().join("out"), folder.path().join("log"));
    let create = |path: &Path| fs::File::create(path).unwrap();
    let mut command = serve(folder);
    command
        .stdin(Stdio::null())
        .stdout(create(&out))
        .stderr(create(&log));
    let mut club = Club(command.spawn().unwrap());
    let begun = Instant::now();
    let read = |path: &Path| fs::read_to_string(path).unwrap();
    loop {
        let said = read(&out);
        if let Some((_, rest)) = said.split_once("The club is open at http://")
            && let Some((address, _)) = rest.split_once(' ')
        {
            return Ok((club, address.parse().unwrap()));
        }
        if let Some(ended) = club.0.try_wait().unwrap() {
            assert_eq!(ended.code(), Some(1), "{}", read(&log));
            return Err(read(&log));
        }
        assert!(
            begun.elapsed() < DECISION_TIMEOUT,
            "the club hangs: {}",
            read(&log)
        );
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Runs `store check` with a file.
pub fn check(file: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kriegspiel"));
    plain(&mut command);
    command.args(["store", "check", "--data"]).arg(file);
    command.output().unwrap()
}
