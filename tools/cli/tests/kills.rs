//! No answered request is lost. The club is killed many times during twenty games.
//! Afterwards the journals of the players are compared with the logs of the club.
#![allow(clippy::unwrap_used, reason = "a mistake here fails the test")]
#![cfg(target_os = "linux")]
#![allow(clippy::disallowed_methods, reason = "other processes are waited for")]

mod running;

use std::{
    collections::{BTreeMap, BTreeSet},
    env,
    os::unix::process::ExitStatusExt,
    process::Command,
    sync::{Arc, atomic::Ordering},
    time::{Duration, Instant},
};

use rand::{RngExt, SeedableRng, rngs::StdRng, seq::SliceRandom};
use services::Postgres;
use store::{Database, Location};
use tokio::{sync::watch, task::JoinSet};
use wire::{Side, TimeControlJson};

use running::{
    Folder, Running,
    dying::{self, Aim, Death},
    http,
    journal::{INCREMENT, Journal, Outage},
    plain,
    seat::{Door, Life, Seat, SharedState, Trigger},
    serve,
    verify::{self, Found},
    wall,
};

/// Number of simultaneous games.
const TABLES: usize = 20;
/// Rulesets of the games.
const RULES: [&str; 6] = [
    "wild16",
    "berkeley-any",
    "cincinnati",
    "english",
    "crazykrieg",
    "ks",
];
/// Maximum number of aimed kills at each point. (An aimed kill happens at a chosen point, and not
/// at any time; see [`Kill`].)
const AIMED: usize = 20;
/// Maximum number of appends or answers before an aimed kill happens.
const SOON: u32 = 100;
/// Duration of a long outage. The club must credit this time: no clock counts it.
const LONG: Duration = Duration::from_millis(3_500);
/// Maximum number of long outages.
const LONG_OUTAGES: usize = 8;
/// Maximum time until an aimed kill ends the server.
const EXIT_TIMEOUT: Duration = Duration::from_secs(120);

/// Entry point of the server process that kills itself in its store.
#[tokio::test(flavor = "multi_thread")]
async fn entry_point_of_the_server_that_kills_itself() {
    dying::serve().await;
}

/// Point at which a server is killed.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Debug)]
enum Kill {
    /// At any time.
    AtRandom,
    /// Before the store receives the rows.
    BeforeAppend,
    /// After the store has written the rows, before the club knows that they are
    /// written.
    BeforeAnswer,
    /// After the player has received the answer.
    AfterAnswer,
}

impl Kill {
    const fn name(self) -> &'static str {
        match self {
            Kill::AtRandom => "at random",
            Kill::BeforeAppend => "before the append",
            Kill::BeforeAnswer => "between append and answer",
            Kill::AfterAnswer => "after the answer",
        }
    }
}

/// One run of the club, and the outage after it.
#[derive(Copy, Clone, Debug)]
struct Step {
    kill: Kill,
    /// Number of appends or answers before an aimed kill.
    soon: u32,
    /// Whether the outage is long.
    long: bool,
}

fn plan(kills: usize, dice: &mut StdRng) -> Vec<Step> {
    let aimed = AIMED.min(kills / 4);
    let mut plan = vec![Kill::AtRandom; kills - 3 * aimed];
    for kill in [Kill::BeforeAppend, Kill::BeforeAnswer, Kill::AfterAnswer] {
        plan.extend(vec![kill; aimed]);
    }
    plan.shuffle(dice);
    let every = kills / (kills / 10).clamp(1, LONG_OUTAGES);
    let steps = plan.into_iter().enumerate().map(|(place, kill)| Step {
        kill,
        soon: dice.random_range(1..=SOON),
        long: place % every == every / 2,
    });
    let mut plan: Vec<Step> = steps.collect();
    // In one step the club dies while it credits a long outage. Another long outage
    // follows immediately.
    let place = plan.iter().position(|step| step.long);
    let aimed = plan.iter().position(|step| step.kill == Kill::BeforeAppend);
    if let (Some(place), Some(aimed)) = (place, aimed)
        && place + 1 < plan.len()
    {
        plan[aimed].kill = plan[place + 1].kill;
        plan[place + 1] = Step {
            kill: Kill::BeforeAppend,
            soon: dice.random_range(2..=TABLES as u32),
            long: true,
        };
    }
    plan
}

fn number(name: &str, otherwise: u64) -> u64 {
    let given = env::var(name).ok();
    given.map_or(otherwise, |text| text.parse().unwrap())
}

/// Runs the club again and again, and records its outages.
struct Keeper {
    folder: Folder,
    life: watch::Sender<Life>,
    trigger: Arc<Trigger>,
    dice: StdRng,
    up: Duration,
    /// Number of servers that were killed before the club was open.
    at_opening: u64,
    outages: Vec<Outage>,
}

impl Keeper {
    /// One run of the club: the club is started, players play, the club is killed.
    fn live(&mut self, Step { kill, soon, .. }: Step) {
        let death = |aim| Death { aim, append: soon };
        let command = match kill {
            Kill::AtRandom | Kill::AfterAnswer => serve(&self.folder),
            Kill::BeforeAppend => dying::command(&self.folder, death(Aim::BeforeAppend)),
            Kill::BeforeAnswer => dying::command(&self.folder, death(Aim::BeforeAnswer)),
        };
        let mut server = match Running::try_start(command, &self.folder) {
            Ok(server) => server,
            // When the club starts after an outage, it may make an append to credit
            // this outage. An aimed kill may happen at this append.
            Err(ended) => {
                assert_eq!(ended.signal(), Some(9), "{ended} {}", self.folder.log());
                self.at_opening += 1;
                return;
            }
        };
        let up = Instant::now();
        if kill == Kill::AfterAnswer {
            let pid = server.pid().as_raw_nonzero().get();
            self.trigger.pid.store(pid, Ordering::SeqCst);
            let answers = i64::from(soon);
            self.trigger.answers.store(answers, Ordering::SeqCst);
        }
        self.life.send_replace(Life::Up(server.address));
        if kill == Kill::AtRandom {
            let span = self.dice.random_range(50..1_500);
            std::thread::sleep(Duration::from_millis(span));
            server.kill();
        } else {
            let ended = server.end(EXIT_TIMEOUT);
            let log = self.folder.log();
            let ended =
                ended.unwrap_or_else(|| panic!("the kill {kill:?} {soon} did not happen: {log}"));
            assert_eq!(ended.signal(), Some(9), "{kill:?} {soon}: {ended} {log}");
        }
        self.trigger.answers.store(0, Ordering::SeqCst);
        self.life.send_replace(Life::Down);
        self.up += up.elapsed();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_answered_request_is_lost_after_kills() {
    if dying::is_here() {
        return;
    }
    kill_again_and_again(Folder::new(), number("KRIEGSPIEL_KILLS", 8), "").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_answered_request_is_lost_over_postgres() {
    if dying::is_here() {
        return;
    }
    let postgres = Postgres::start().unwrap();
    let folder = Folder::with_database(postgres.address());
    let kills = number("KRIEGSPIEL_KILLS", 8).div_ceil(2).max(8);
    kill_again_and_again(folder, kills, "over Postgres: ").await;
}

/// Kills a club during its games, and checks that nothing is lost. `over` comes before the name of
/// each count that is printed.
async fn kill_again_and_again(folder: Folder, kills: u64, over: &str) {
    let kills = usize::try_from(kills).unwrap();
    let seed = number("KRIEGSPIEL_SEED", rand::random::<u32>().into());
    println!("KRIEGSPIEL_SEED={seed}");
    let (life, lives) = watch::channel(Life::Down);
    let shared = SharedState {
        life: lives,
        trigger: Arc::default(),
        answers: Arc::default(),
    };
    let mut keeper = Keeper {
        folder,
        life,
        trigger: Arc::clone(&shared.trigger),
        dice: StdRng::seed_from_u64(seed),
        up: Duration::ZERO,
        at_opening: 0,
        outages: Vec::new(),
    };

    let mut server = Running::start(serve(&keeper.folder), &keeper.folder);
    let mut players = JoinSet::new();
    for table in 0..TABLES {
        for seat in sit_down(&server, &shared, table, &mut keeper.dice) {
            players.spawn(seat.play());
        }
    }
    // Clocks run when the first long outage comes.
    let up = Instant::now();
    keeper.life.send_replace(Life::Up(server.address));
    while shared.answers.load(Ordering::Relaxed) < 6 * TABLES as u64 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let from = wall();
    server.kill();
    drop(server);
    keeper.life.send_replace(Life::Down);
    keeper.up += up.elapsed();
    keeper.outages.push(Outage {
        from,
        until: wall(),
    });

    let plan = plan(kills, &mut keeper.dice);
    let mut counts: BTreeMap<Kill, usize> = BTreeMap::new();
    for step in &plan {
        *counts.entry(step.kill).or_default() += 1;
    }
    let keeper = tokio::task::spawn_blocking(move || {
        for step in plan {
            keeper.live(step);
            let from = wall();
            if step.long {
                std::thread::sleep(LONG);
            }
            keeper.outages.push(Outage {
                from,
                until: wall(),
            });
        }
        keeper
    });
    let keeper = keeper.await.unwrap();
    let answers = shared.answers.load(Ordering::Relaxed);

    let server = Running::start(serve(&keeper.folder), &keeper.folder);
    keeper.life.send_replace(Life::Last(server.address));
    let journals = tokio::time::timeout(Duration::from_secs(1200), players.join_all());
    let mut journals = journals.await.unwrap();
    assert!(server.terminate().success(), "{}", keeper.folder.log());

    let found = look_into_the_store(&keeper.folder, &journals).await;
    let (mut exact, mut credited) = (0, 0);
    for journal in &mut journals {
        let seen = journal.check_clocks(&keeper.outages, &found.credited);
        exact += seen.exact;
        credited += seen.credited;
    }
    let repeated: u64 = journals.iter().map(|journal| journal.repeated).sum();
    let reheard: u64 = journals.iter().map(|journal| journal.reheard).sum();
    for (kill, count) in &counts {
        println!("figure: {over}kills {} {count}", kill.name());
    }
    println!(
        "figure: {over}kills while the club opened {}",
        keeper.at_opening
    );
    let rate = answers as f64 / keeper.up.as_secs_f64();
    for (what, number) in [
        ("attempts answered", answers),
        ("attempts per second", rate as u64),
        ("games", found.games),
        ("games played to an end", found.over),
        ("rows in the logs", found.rows),
        (
            "repeated requests that were not judged before",
            found.judged_later,
        ),
        (
            "repeated requests that were judged before, and are answered from the log",
            found.answered_from_log,
        ),
        ("repeated requests with the same answer", repeated),
        ("repeated hearings with the same content", reheard),
        (
            "intervals in which a clock counted exactly the time that passed",
            exact,
        ),
        ("intervals of a clock with a credited outage", credited),
        ("rows that credit an outage", found.credits),
    ] {
        println!("figure: {over}{what} {number}");
    }
    let faults: Vec<String> = journals
        .iter()
        .flat_map(|journal| journal.faults.clone())
        .chain(found.faults)
        .collect();
    let shown = faults.iter().take(20).cloned().collect::<Vec<_>>();
    assert!(
        faults.is_empty(),
        "KRIEGSPIEL_SEED={seed}: {} faults:\n{}\n{}",
        faults.len(),
        shown.join("\n"),
        keeper.folder.log()
    );
    assert!(
        credited > 0 && exact > 0 && answers > 0,
        "no game was played"
    );
}

/// Creates two guests and their game.
fn sit_down(server: &Running, shared: &SharedState, table: usize, dice: &mut StdRng) -> [Seat; 2] {
    let tokens = [(); 2].map(|()| http::guest(server.address));
    let time = TimeControlJson::Fischer {
        initial: 1800,
        increment: (INCREMENT / 1000) as u32,
    };
    let rules = RULES[table % RULES.len()];
    let game = http::game(server.address, &tokens[0], &tokens[1], rules, time);
    let door = if table.is_multiple_of(4) {
        Door::Http
    } else {
        Door::Socket
    };
    let mut sides = [Side::White, Side::Black].into_iter();
    tokens.map(|token| {
        let side = sides.next().unwrap_or(Side::White);
        let name = format!("t{table}-{}", if side == Side::White { 'a' } else { 'b' });
        let mut seat = Seat::new(shared.clone(), name, token, door, dice.random());
        seat.sit_down(game.clone(), side);
        seat
    })
}

/// Compares the journals with the club's data.
async fn look_into_the_store(folder: &Folder, journals: &[Journal]) -> Found {
    let mut check = Command::new(env!("CARGO_BIN_EXE_kriegspiel"));
    plain(&mut check);
    check.args(["store", "check", "--data"]).arg(folder.file());
    let check = check.output().unwrap();
    let said = String::from_utf8_lossy(&check.stdout).into_owned();
    assert!(
        check.status.success() && said.contains("no error found"),
        "{said}"
    );
    println!("{}", said.trim());

    let at = Location::parse(&folder.file()).unwrap();
    let database = Database::open_existing(&at).await.unwrap();
    let store = database.store();
    let mut found = Found::default();
    let games: BTreeSet<&String> = journals.iter().flat_map(|j| j.books.keys()).collect();
    for game in games {
        let id = game.parse().unwrap();
        let rows = store.rows(id, 0).await.unwrap();
        let record = store.game(id).await.unwrap();
        found.over += u64::from(record.over.is_some());
        let sat = journals.iter().filter(|j| j.books.contains_key(game));
        let sat: Vec<&Journal> = sat.collect();
        verify::compare(&mut found, game, &rows, &sat);
    }
    let running = store.running().await.unwrap().len();
    if running > TABLES {
        found.faults.push(format!("{running} games are running"));
    }
    database.close().await;
    found
}
