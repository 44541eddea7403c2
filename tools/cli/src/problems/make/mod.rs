//! The command `kriegspiel problems make`.

mod family;
mod game;
mod plan;
mod search;

use std::{
    collections::BTreeMap,
    fs::{self, File, OpenOptions},
    io::{self, BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
        mpsc::{self, RecvTimeoutError, SyncSender},
    },
    thread,
    time::{Duration, Instant},
};

use anyhow::Context;
use bots::Seed;
use problems::{KeptCertificate, SOLVER_BYTES};
use rules::{Ruleset, rulesets};
use serde::{Deserialize, Serialize};
use solver::search::Solver;

use self::{
    family::Family,
    plan::{LONG_GAMES, MAX_MOVES, SHORT_GAMES},
    search::{MadeProblem, Wanted},
};
use crate::{interrupt::Work, terminal::tell, usage};

/// Make problems from games that are played for this purpose
///
/// Plays games from a seed. In each game, examines the turns from the last one back
/// to the first one. A turn with a forced mate in N own moves, and none in N - 1,
/// becomes a problem. A near miss becomes a problem, too: there is no forced mate in
/// N, but there is one if a few of the possible positions are left out.
/// The verdict of every problem of fewer than five own moves has a certificate that
/// the referee confirms; longer problems have a certificate if it is not too long.
/// At most half of the problems are against a lone king. The same command continues
/// a run that was stopped; the result does not depend on where it was stopped. A
/// run must be continued with the same seed and rulesets. Other options may change:
/// they apply to the games that follow.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  kriegspiel problems make --out problems.jsonl --counts 3=50,5=50
  kriegspiel problems make --out problems.jsonl --limit 600 --seed 7
  kriegspiel problems make --out problems.jsonl --counts 9=20,11=5 --long")]
pub(super) struct Args {
    /// Append problems to this file (JSON lines). A second file, with .state added to the name,
    /// stores where the run continues
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Number of mates for each number of half-moves; the run also makes this number of near misses
    #[arg(
        long,
        value_name = "PLIES=COUNT,...",
        default_value = "3=500,5=500,7=500,9=200,11=30,13=10",
        value_delimiter = ',',
        value_parser = count
    )]
    counts: Vec<(u8, u32)>,

    /// Look for long mates: after a game with a forced mate, play further games from almost the same
    /// start position, and look further ahead in them
    #[arg(long)]
    long: bool,

    /// Rulesets of the games
    #[arg(
        long,
        value_name = "ID,...",
        default_value = "berkeley,wild16,english,cincinnati",
        value_delimiter = ',',
        value_parser = named
    )]
    rules: Vec<&'static Ruleset>,

    /// Seed of the games
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Stop after this number of games
    #[arg(long, value_name = "N")]
    games: Option<u64>,

    /// Stop after this number of seconds
    #[arg(long, value_name = "SECONDS")]
    limit: Option<u64>,

    /// Append the certificate of each problem to this file (JSON lines)
    #[arg(long, value_name = "FILE")]
    certificates: Option<PathBuf>,

    /// Number of threads; the result does not depend on it
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
}

impl Args {
    /// Returns the greatest number of own moves of the problems to make.
    fn most(&self) -> u8 {
        let wanted = self.counts.iter().filter(|one| one.1 > 0);
        wanted.map(|one| one.0).max().unwrap_or(0)
    }
}

fn named(id: &str) -> Result<&'static Ruleset, String> {
    rulesets::by_id(id)
        .ok_or_else(|| format!("there is no ruleset {id:?}; `kriegspiel rules` lists all"))
}

/// Parses `5=500`: 500 mates and 500 near misses of 5 half-moves. Returns the number of own moves,
/// and 500.
fn count(text: &str) -> Result<(u8, u32), String> {
    let wrong = || {
        let most = 2 * MAX_MOVES - 1;
        format!(
            "write PLIES=COUNT, for example 5=500; the number of half-moves is odd, from 3 to {most}"
        )
    };
    let (plies, count) = text.split_once('=').ok_or_else(wrong)?;
    let plies: u8 = plies.parse().map_err(|_| wrong())?;
    let count = count.parse().map_err(|_| wrong())?;
    let moves = plies / 2 + 1;
    let possible = plies % 2 == 1 && (2..=MAX_MOVES).contains(&moves);
    possible.then_some((moves, count)).ok_or_else(wrong)
}

/// Maximum time that the run waits for a result before it checks whether it must stop.
const POLL: Duration = Duration::from_millis(100);
/// Time between two writes of the state file.
const SAVE_INTERVAL: Duration = Duration::from_secs(10);

/// The progress of a run, from which a later run continues.
#[derive(Serialize, Deserialize)]
struct State {
    /// Seed of the games.
    seed: u64,
    /// Ids of the rulesets.
    rules: Vec<String>,
    /// Number of the first family of games (see [`Family`]) whose problems are not yet in the file.
    /// Printed texts say "game" instead of "family".
    game: u64,
    /// Number of lines of the file of problems.
    lines: usize,
    /// Counts of the problems in the file, for each number of own moves. The four counts are:
    /// mates, mates against the lone king, near misses, near misses against the lone king.
    made: BTreeMap<u8, [u32; 4]>,
    /// For each ruleset and number of half-moves (for example `berkeley-5`), the number of problems
    /// in the file. The next problem gets the next number at the end of its id.
    numbers: BTreeMap<String, u32>,
}

pub(super) fn main(args: &Args) -> anyhow::Result<ExitCode> {
    let work = Work::begin()?;
    let mut maker = Maker::open(args)?;
    let first = maker.state.game;
    let shared = Shared {
        args,
        work: &work,
        wanted: Mutex::new(maker.wanted()),
        next: AtomicU64::new(first),
        end: args
            .games
            .map_or(u64::MAX, |games| first.saturating_add(games)),
        over: AtomicBool::new(maker.is_done()),
    };
    let done = thread::scope(|scope| {
        let (sender, results) = mpsc::sync_channel(64);
        for _ in 0..args.threads {
            let (shared, sender) = (&shared, sender.clone());
            scope.spawn(move || shared.work(&sender));
        }
        drop(sender);
        let done = maker.collect(&shared, &results);
        shared.over.store(true, Ordering::Relaxed);
        done
    });
    done?;
    maker.save()?;
    tell(maker.progress());
    if work.is_stopped() {
        return Ok(Work::stopped());
    }
    Ok(ExitCode::SUCCESS)
}

/// The number of a family of games, and the problems that were found in these games.
type GameResult = (u64, Vec<MadeProblem>);

/// What the threads share.
struct Shared<'a> {
    args: &'a Args,
    work: &'a Work,
    /// Problems that are still wanted. If a thread reads an old value, it does unnecessary work,
    /// but the result is the same.
    wanted: Mutex<Wanted>,
    /// Number of the next family.
    next: AtomicU64,
    /// The run plays only families with numbers below this number.
    end: u64,
    /// Whether the threads must stop.
    over: AtomicBool,
}

impl Shared<'_> {
    fn is_over(&self) -> bool {
        self.work.is_stopped() || self.over.load(Ordering::Relaxed)
    }

    /// Plays families of games until the work is over. If a family was interrupted, its result is
    /// not sent.
    fn work(&self, results: &SyncSender<GameResult>) {
        let mut solver = Solver::with_bytes(SOLVER_BYTES);
        while !self.is_over() {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if number >= self.end {
                break;
            }
            let result = self.game(number, &mut solver);
            if self.is_over() || results.send((number, result)).is_err() {
                break;
            }
        }
    }

    /// Plays the games of one family, and returns the problems that were found in them.
    fn game(&self, number: u64, solver: &mut Solver) -> Vec<MadeProblem> {
        let rules = &self.args.rules;
        let ruleset = rules[(number % rules.len() as u64) as usize];
        let seed = Seed {
            seed: self.args.seed,
            stream: number,
        };
        let wanted = self.wanted.lock().unwrap_or_else(PoisonError::into_inner);
        let wanted = wanted.clone();
        let family = Family {
            plan: if self.args.long {
                &LONG_GAMES
            } else {
                &SHORT_GAMES
            },
            ruleset,
            seed,
            most: self.args.most(),
            wanted: &wanted,
            watch: &self.work.watch,
            stop: &|| self.is_over(),
        };
        family.problems(solver)
    }
}

/// The file of problems, and the progress of the run.
struct Maker<'a> {
    args: &'a Args,
    state: State,
    state_path: PathBuf,
    file: File,
    certificates: Option<File>,
}

impl Maker<'_> {
    /// Takes the results in the order of the families.
    fn collect(
        &mut self,
        shared: &Shared<'_>,
        results: &mpsc::Receiver<GameResult>,
    ) -> anyhow::Result<()> {
        let began = Instant::now();
        let limit = self.args.limit.map(Duration::from_secs);
        let mut saved = Instant::now();
        // Results that wait for the result of an earlier family.
        let mut waiting = BTreeMap::new();
        while !self.is_done() && !shared.work.is_stopped() {
            if limit.is_some_and(|limit| began.elapsed() >= limit) {
                break;
            }
            match results.recv_timeout(POLL) {
                Ok((number, result)) => {
                    waiting.insert(number, result);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            while !self.is_done()
                && let Some(result) = waiting.remove(&self.state.game)
            {
                if !result.is_empty() {
                    for made in result {
                        if self.takes(&made) {
                            self.add(made)?;
                        }
                    }
                    *shared.wanted.lock().unwrap_or_else(PoisonError::into_inner) = self.wanted();
                }
                self.state.game += 1;
            }
            if saved.elapsed() >= SAVE_INTERVAL {
                self.save()?;
                tell(self.progress());
                saved = Instant::now();
            }
        }
        Ok(())
    }

    fn open(args: &Args) -> anyhow::Result<Maker<'_>> {
        let mut state_path = args.out.clone().into_os_string();
        state_path.push(".state");
        let state_path = PathBuf::from(state_path);
        let rules: Vec<String> = args.rules.iter().map(|r| r.id.to_string()).collect();
        let shown = args.out.display();
        let state = match fs::read_to_string(&state_path) {
            Ok(text) => {
                let state: State = serde_json::from_str(&text).map_err(|error| {
                    usage(format_args!(
                        "{}: {error}; remove this file and {shown} to begin again",
                        state_path.display()
                    ))
                })?;
                if state.seed != args.seed || state.rules != rules {
                    return Err(usage(format_args!(
                        "{shown} was begun with --seed {} --rules {}; give the same options, or \
                         another --out",
                        state.seed,
                        state.rules.join(",")
                    )));
                }
                cut(&args.out, state.lines)?;
                if let Some(path) = &args.certificates {
                    cut(path, state.lines)?;
                }
                state
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                if args.out.exists() {
                    return Err(usage(format_args!(
                        "{shown} exists, but not {}: remove {shown}, or give another --out",
                        state_path.display()
                    )));
                }
                State {
                    seed: args.seed,
                    rules,
                    game: 0,
                    lines: 0,
                    made: BTreeMap::new(),
                    numbers: BTreeMap::new(),
                }
            }
            Err(error) => return Err(usage(format_args!("{}: {error}", state_path.display()))),
        };
        let file = append(&args.out)?;
        let certificates = args.certificates.as_deref().map(append).transpose()?;
        let maker = Maker {
            args,
            state,
            state_path,
            file,
            certificates,
        };
        maker.save()?;
        Ok(maker)
    }

    /// Returns how many mates in this number of own moves are wanted. The same number of near
    /// misses is wanted.
    fn count(&self, moves: u8) -> u32 {
        let of = self.args.counts.iter().rev().find(|one| one.0 == moves);
        of.map_or(0, |one| one.1)
    }

    fn made(&self, moves: u8) -> [u32; 4] {
        self.state.made.get(&moves).copied().unwrap_or_default()
    }

    fn wanted(&self) -> Wanted {
        let mut wanted = Wanted::default();
        for moves in 2..=MAX_MOVES {
            let made = self.made(moves);
            wanted.mates[usize::from(moves)] = made[0] < self.count(moves);
            wanted.near_misses[usize::from(moves)] = made[2] < self.count(moves);
        }
        wanted
    }

    fn is_done(&self) -> bool {
        (2..=MAX_MOVES).all(|moves| {
            let made = self.made(moves);
            made[0] >= self.count(moves) && made[2] >= self.count(moves)
        })
    }

    /// Whether a problem is wanted. For each length, at most half of the mates and at most half of
    /// the near misses may be against a lone king, at every time of the run.
    fn takes(&self, found: &MadeProblem) -> bool {
        let made = self.made(found.moves);
        let (all, lone) = if found.mate {
            (made[0], made[1])
        } else {
            (made[2], made[3])
        };
        let has_room = !found.lone || 2 * (lone + 1) <= all + 1;
        all < self.count(found.moves) && has_room
    }

    fn add(&mut self, found: MadeProblem) -> anyhow::Result<()> {
        let mut problem = found.problem;
        let kind = format!("{}-{}", problem.rules, 2 * found.moves - 1);
        let number = self.state.numbers.entry(kind.clone()).or_default();
        *number += 1;
        problem.id = format!("{kind}-{number}");
        writeln!(self.file, "{}", problem.write()).context("the file cannot be written")?;
        if let Some(file) = &mut self.certificates {
            let kept = KeptCertificate::of(&problem.id, found.certificate);
            writeln!(file, "{}", kept.write())
                .context("the file of certificates cannot be written")?;
        }
        self.state.lines += 1;
        let made = self.state.made.entry(found.moves).or_default();
        let index = if found.mate { 0 } else { 2 };
        made[index] += 1;
        made[index + 1] += u32::from(found.lone);
        Ok(())
    }

    /// Syncs the files of problems and of certificates. Then writes the state file.
    fn save(&self) -> anyhow::Result<()> {
        let shown = self.state_path.display();
        let fault = |error: io::Error| anyhow::anyhow!("{shown}: {error}");
        self.file.sync_data().map_err(fault)?;
        if let Some(file) = &self.certificates {
            file.sync_data().map_err(fault)?;
        }
        let mut new = self.state_path.clone().into_os_string();
        new.push(".new");
        let text = serde_json::to_string(&self.state)?;
        fs::write(&new, text).map_err(fault)?;
        fs::rename(&new, &self.state_path).map_err(fault)
    }

    fn progress(&self) -> String {
        let of = |moves: u8| {
            let ([mates, _, near, _], count) = (self.made(moves), self.count(moves));
            let length = 2 * moves - 1;
            format!("{mates}+{near} of {count}+{count} in {length} half-moves")
        };
        let all: Vec<String> = (2..=MAX_MOVES)
            .filter(|moves| self.count(*moves) > 0)
            .map(of)
            .collect();
        format!(
            "{} games; mates + near misses: {}",
            self.state.game,
            all.join(", ")
        )
    }
}

/// Opens a file to append lines.
fn append(path: &Path) -> anyhow::Result<File> {
    let file = OpenOptions::new().create(true).append(true).open(path);
    file.map_err(|error| usage(format_args!("{}: {error}", path.display())))
}

/// Keeps the first `lines` lines, and removes the others, which were written after the state was
/// saved.
fn cut(path: &Path, lines: usize) -> anyhow::Result<()> {
    let fault = |error: io::Error| usage(format_args!("{}: {error}", path.display()));
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .open(path)
        .map_err(fault)?;
    let mut reader = BufReader::new(&file);
    let (mut length, mut line) = (0, Vec::new());
    for _ in 0..lines {
        line.clear();
        let read = reader.read_until(b'\n', &mut line).map_err(fault)?;
        if read == 0 {
            return Err(usage(format_args!(
                "{}: it has fewer lines than its state file says; remove both to begin again",
                path.display()
            )));
        }
        length += read as u64;
    }
    file.set_len(length).map_err(fault)
}
