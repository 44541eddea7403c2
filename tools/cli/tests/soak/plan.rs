//! The plan of a run. A seed determines the whole plan.

use std::time::Duration;

use rand::{RngExt, rngs::StdRng, seq::SliceRandom};

/// Mean time from the start of one club to the start of the next one, in seconds.
const MEAN_LIFE: u64 = 27;
/// Minimum number of runs of the club.
const MIN_LIVES: usize = 4;
/// Minimum length, in seconds, of a test in which one club has a long life. This club runs for a
/// quarter of the test, so that the growth of its memory can be measured.
const WITH_LONG_LIFE: u64 = 300;

/// The program that serves the club, and its clock.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Program {
    /// `kriegspiel serve`.
    Released,
    /// `kriegspiel serve --behind-proxy`.
    BehindProxy,
    /// The same club in this test program. The wall clock of this club is this many milliseconds
    /// ahead, and is set again while the club runs.
    OwnClock { ahead: i64 },
}

/// How a club ends.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum End {
    /// SIGKILL.
    Kill,
    /// SIGKILL while the disk cannot be written.
    KillWithFullDisk,
    /// SIGTERM.
    Terminate,
}

/// A period in which the files on the disk cannot grow.
#[derive(Copy, Clone, Debug)]
pub struct FullDisk {
    /// Time from the opening of the club.
    pub after: Duration,
    pub length: Duration,
    /// Maximum length of a file, in thousandths of the length of the database. Writing beyond this
    /// length fails.
    pub place: u64,
}

/// One run of the club, and the outage after it.
#[derive(Copy, Clone, Debug)]
pub struct Step {
    pub program: Program,
    pub length: Duration,
    pub full_disk: Option<FullDisk>,
    pub end: End,
    pub outage: Duration,
    /// Whether a damaged copy of the file is opened afterwards.
    pub damages: bool,
}

/// Returns the plan of a run of this many seconds.
pub fn plan(seconds: u64, dice: &mut StdRng) -> Vec<Step> {
    let count = MIN_LIVES.max(usize::try_from(seconds / MEAN_LIFE).unwrap());
    let mut programs: Vec<usize> = (0..count).collect();
    programs.shuffle(dice);
    let mut ends: Vec<usize> = (0..count).collect();
    ends.shuffle(dice);
    let mut weights: Vec<f64> = (0..count).map(|_| dice.random_range(0.6..1.4)).collect();
    let all: f64 = weights.iter().sum();
    if seconds >= WITH_LONG_LIFE {
        weights[count / 2] = all / 3.0;
    }
    let all: f64 = weights.iter().sum();
    let mut steps: Vec<Step> = Vec::new();
    for life in 0..count {
        // Every other outage is so long that it must be credited.
        let outage = match life % 2 {
            0 => dice.random_range(3_000..5_000),
            _ => dice.random_range(50..800),
        };
        let mean = (seconds * 1_000) as f64 / all;
        let length = (mean * weights[life]) as u64;
        let length = Duration::from_millis(length.saturating_sub(outage).max(3_000));
        let full_disk = FullDisk {
            after: length.mul_f64(dice.random_range(0.3..0.6)),
            length: Duration::from_millis(dice.random_range(500..2_500)).min(length / 4),
            place: dice.random_range(0..1_000),
        };
        let ahead = [-1, 1][dice.random_range(0..2)] * dice.random_range(2_000..300_000);
        steps.push(Step {
            program: match programs[life] % 4 {
                0 | 2 => Program::Released,
                1 => Program::BehindProxy,
                _ => Program::OwnClock { ahead },
            },
            length,
            full_disk: (life % 2 == 1).then_some(full_disk),
            end: match ends[life] % 4 {
                0 | 2 => End::Kill,
                1 => End::KillWithFullDisk,
                _ => End::Terminate,
            },
            outage: Duration::from_millis(outage),
            damages: life % 2 == 0 || dice.random_bool(0.3),
        });
    }
    steps
}
