//! Three nodes share one Postgres database. One node owns the games, and the others are standbys.
//! Nodes are killed, shut down by SIGTERM, paused, cut off from the database, or get a wrong clock.
//! The database is killed, or its standby is promoted. A seed decides which nodes fail, and when. At
//! the end the journals of the players and the histories of the games are compared with the logs.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a mistake here fails the test")]
#![allow(clippy::disallowed_methods, reason = "other processes are waited for")]

#[path = "../soak/clocks.rs"]
mod clocks;
#[path = "../soak/ground.rs"]
#[allow(dead_code, reason = "nobody attacks these nodes")]
mod ground;
#[path = "../soak/player.rs"]
mod player;
mod relay;
#[path = "../running/mod.rs"]
mod running;
mod served;

use std::{
    collections::{BTreeMap, BTreeSet},
    env,
    os::unix::process::ExitStatusExt,
    path::Path,
    process::{Command, ExitStatus},
    sync::{Arc, mpsc},
    thread::{self, sleep},
    time::{Duration, Instant},
};

use rand::{RngExt, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use rules::chess::Color;
use rustix::process::{Signal, kill_process};
use services::Postgres;
use store::{PostgresStore, Row, Store, history::History};
use tokio::{
    sync::{oneshot, watch},
    task::JoinSet,
};
use wire::{Side, TimeControlJson};

use ground::{Ground, Span, Timeline, address};
use player::{Player, Record, Times};
use relay::{Link, Relay};
use running::{
    Folder, Running, http,
    journal::{INCREMENT, Journal},
    plain,
    seat::{Door, Life, Seat, SharedState},
    stepped,
    verify::{self, Found},
    wall, words,
};
use served::{served_again, story};

/// Number of nodes.
const NODES: usize = 3;
/// Rulesets of the games.
const RULES: [&str; 4] = ["wild16", "berkeley-any", "cincinnati", "ks"];
/// Maximum time until all players have left at the end of the test.
const END_TIMEOUT: Duration = Duration::from_secs(120);

/// Maximum time from the end of a fault until a node has credited the outage, so that no clock
/// counts it.
const CREDIT_TIMEOUT: Duration = Duration::from_secs(3);

/// The clocks must not count an outage of the database that is longer than this.
const DATABASE_AWAY: Duration = Duration::from_millis(1_500);

/// Milliseconds by which the wall clock of a node may be wrong.
const WRONG_CLOCK: i64 = 300_000;

/// What can happen to a node or to the database.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Debug)]
enum Fault {
    /// SIGKILL; the node is started again.
    Kill,
    /// SIGTERM; the node is started again.
    Drain,
    /// SIGSTOP, and SIGCONT later.
    Pause,
    /// The node's connections to the database are closed.
    Cut,
    /// The node's connections to the database stay open, but carry no bytes.
    Silence,
    /// SIGKILL; the node is started again with a wall clock that is wrong by five minutes, and that
    /// jumps every second.
    Clock,
    /// The database is killed, and started again.
    Database,
    /// The database is killed, its synchronous standby is promoted, and the nodes' connections go
    /// to the new primary server.
    Promotion,
}

impl Fault {
    const ALL: [Fault; 8] = [
        Fault::Kill,
        Fault::Drain,
        Fault::Pause,
        Fault::Cut,
        Fault::Silence,
        Fault::Clock,
        Fault::Database,
        Fault::Promotion,
    ];

    const fn name(self) -> &'static str {
        match self {
            Fault::Kill => "nodes killed",
            Fault::Drain => "nodes ended in order",
            Fault::Pause => "nodes paused",
            Fault::Cut => "nodes cut off from the database",
            Fault::Silence => "nodes whose connections to the database were silent",
            Fault::Clock => "nodes started with a clock that is wrong by five minutes",
            Fault::Database => "kills of the database",
            Fault::Promotion => "standby servers promoted",
        }
    }
}

/// A node, and its own players. The test does the work of a proxy: the players connect to the node
/// that owns the games.
struct Node {
    folder: Folder,
    relay: Relay,
    server: Option<Running>,
    /// Address to which this node's own players connect now.
    life: watch::Sender<Life>,
    ground: Arc<Ground>,
}

impl Node {
    async fn open(database: u16) -> Node {
        let (life, lives) = watch::channel(Life::Down);
        let (_, attacks) = watch::channel(false);
        let mut node = Node {
            folder: Folder::new(),
            relay: Relay::open(database).await,
            server: None,
            life,
            ground: Arc::new(Ground::new(lives, attacks)),
        };
        node.start();
        node
    }

    /// Returns the arguments of `kriegspiel serve`.
    fn words(&self) -> Vec<String> {
        let port = self.relay.port;
        let data = format!("postgres://kriegspiel@127.0.0.1:{port}/postgres");
        words(Path::new(&data))
    }

    fn start(&mut self) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kriegspiel"));
        plain(&mut command);
        command.args(self.words());
        self.run(command);
    }

    /// Starts the node with a wall clock that is wrong by this number of milliseconds.
    fn start_with_clock(&mut self, ahead: i64) {
        let this = env::current_exe().unwrap();
        let mut command = Command::new(this);
        stepped::command(&mut command, ahead, &self.words());
        self.run(command);
    }

    fn run(&mut self, command: Command) {
        self.server = Some(Running::start_any(command, &self.folder));
    }

    /// Whether the node owns the games.
    fn is_owner(&self) -> bool {
        let server = self.server.as_ref();
        let asked = server.map(|server| http::ask(server.address, "GET", "/healthz", "", ""));
        matches!(asked, Some(Ok((200, _))))
    }

    fn server(&mut self) -> &mut Running {
        self.server.as_mut().unwrap()
    }
}

/// Runs the nodes, and makes them fail.
struct Keeper {
    postgres: Postgres,
    nodes: Vec<Node>,
    dice: StdRng,
    timeline: Timeline,
    counts: BTreeMap<Fault, u64>,
    /// Every fault, the number of its node, and its beginning and end. For the database, the number
    /// has no meaning.
    happened: Vec<(Fault, usize, Span)>,
    /// Moments at which the owner died while the other nodes and the database worked.
    deaths: Vec<Instant>,
    /// Moments at which the database was available again.
    returns: Vec<Instant>,
    /// Longest pause of a node.
    longest_pause: Duration,
}

impl Keeper {
    /// Waits until a node owns the games, and lets all players connect to it.
    fn redirect(&mut self) {
        let begun = Instant::now();
        let owner = loop {
            // A node that was stopped for long finds that another node owns the games, and ends.
            for node in &mut self.nodes {
                if node.server().ended().is_some() {
                    node.start();
                }
            }
            if let Some(owner) = self.nodes.iter().find(|node| node.is_owner()) {
                break owner.server.as_ref().unwrap().address;
            }
            assert!(begun.elapsed() < END_TIMEOUT, "no node takes over");
            sleep(Duration::from_millis(20));
        };
        for node in &self.nodes {
            node.life.send_replace(Life::Up(owner));
        }
    }

    /// Kills a node.
    fn kill(&mut self, n: usize) {
        let server = self.nodes[n].server();
        let _dead = kill_process(server.pid(), Signal::KILL);
        let ended = server.end(Duration::from_secs(20)).unwrap();
        self.expect_end(n, ended.signal() == Some(9), ended);
    }

    /// A node that was stopped for long may end before the signal: another node owns the games.
    fn expect_end(&self, n: usize, is_asked: bool, ended: ExitStatus) {
        let log = self.nodes[n].folder.log();
        let taken = log.trim_end().ends_with("it is a standby");
        assert!(is_asked || taken, "{ended} {log}");
    }

    /// Makes a node or the database fail, and lets it work again. Most nodes that fail are owners.
    fn fail(&mut self, fault: Fault) {
        let any = self.dice.random_range(0..NODES);
        let owner = self.nodes.iter().position(Node::is_owner);
        let n = owner.filter(|_| self.dice.random_bool(0.8)).unwrap_or(any);
        let is_owner = owner == Some(n);
        let short = Duration::from_millis(self.dice.random_range(200..2_500));
        let from = Instant::now();
        *self.counts.entry(fault).or_default() += 1;
        match fault {
            Fault::Kill => {
                self.kill(n);
                self.deaths.extend(is_owner.then(Instant::now));
                self.nodes[n].start();
            }
            Fault::Drain => {
                let server = self.nodes[n].server.take().unwrap();
                self.deaths.extend(is_owner.then(Instant::now));
                let ended = server.terminate();
                self.expect_end(n, ended.success(), ended);
                self.nodes[n].start();
            }
            Fault::Pause => {
                let pid = self.nodes[n].server().pid();
                kill_process(pid, Signal::STOP).unwrap();
                let long = self.dice.random_bool(0.1);
                sleep(if long { self.longest_pause } else { short });
                kill_process(pid, Signal::CONT).unwrap();
                if is_owner {
                    // If another node owns the games now, this one ends.
                    let _ended = self.nodes[n].server().end(Duration::from_millis(1_500));
                }
            }
            Fault::Cut | Fault::Silence => {
                let link = if fault == Fault::Cut {
                    Link::Cut
                } else {
                    Link::Silent
                };
                self.nodes[n].relay.set(link);
                sleep(short);
                self.nodes[n].relay.set(Link::Open);
            }
            Fault::Clock => {
                self.kill(n);
                self.deaths.extend(is_owner.then(Instant::now));
                let is_ahead = self.dice.random_bool(0.5);
                let ahead = if is_ahead { WRONG_CLOCK } else { -WRONG_CLOCK };
                self.nodes[n].start_with_clock(ahead);
            }
            Fault::Promotion => {
                let standby = self.postgres.synchronous_standby().unwrap();
                self.postgres.kill();
                let from = Instant::now();
                standby.promote().unwrap();
                // From the first redirection on, a node can reach the new primary server.
                let until = Instant::now();
                for node in &self.nodes {
                    node.relay.redirect(standby.port());
                }
                self.postgres = standby;
                self.database_was_away(Span { from, until });
                self.returns.push(Instant::now());
            }
            Fault::Database => {
                self.postgres.kill();
                let from = Instant::now();
                sleep(short);
                let until = Instant::now();
                self.postgres.resume().unwrap();
                self.database_was_away(Span { from, until });
                self.returns.push(Instant::now());
            }
        }
        self.redirect();
        let until = Instant::now();
        self.happened.push((fault, n, Span { from, until }));
        // A node credits an outage after the end of the outage, so the time of the fault includes
        // the time for the credit.
        let until = Instant::now() + CREDIT_TIMEOUT;
        self.timeline.faults.push(Span { from, until });
    }

    /// Records an outage of the database, if the clocks must not count it.
    fn database_was_away(&mut self, outage: Span) {
        if outage.length() > DATABASE_AWAY {
            self.timeline.outages.push(outage);
        }
    }
}

/// A moment of the test, and the time of the machine's clock at this moment.
#[derive(Copy, Clone, Debug)]
struct Zero {
    moment: Instant,
    wall: i64,
}

fn number(name: &str, otherwise: u64) -> u64 {
    let given = env::var(name).ok();
    given.map_or(otherwise, |text| text.parse().unwrap())
}

/// Creates two guests and their game at the owner.
fn sit_down(nodes: &[Node], table: usize, dice: &mut StdRng) -> [Player; 2] {
    let owner = nodes.iter().find(|node| node.is_owner());
    let owner = owner.and_then(|node| node.server.as_ref());
    let at = owner.unwrap().address;
    let tokens = [(); 2].map(|()| http::guest(at));
    let time = TimeControlJson::Fischer {
        initial: 1800,
        increment: (INCREMENT / 1000) as u32,
    };
    let rules = RULES[table % RULES.len()];
    let game = http::game(at, &tokens[0], &tokens[1], rules, time);
    let mut sides = [(0, Side::White), (1, Side::Black)].into_iter();
    tokens.map(|token| {
        let (n, side) = sides.next().unwrap();
        let ground = Arc::clone(&nodes[(table + n) % NODES].ground);
        let shared = SharedState {
            life: ground.life.clone(),
            trigger: Arc::default(),
            answers: Arc::default(),
        };
        let name = format!("t{table}-{n}");
        let mut player = Player {
            ground,
            seat: Seat::new(shared, name, token, Door::Socket, dice.random()),
            from: address(1, 2 * table + n),
            times: Times::default(),
        };
        player.sit_down(game.clone(), side);
        player
    })
}

/// Entry point of a node that has its own clock.
#[tokio::test(flavor = "multi_thread")]
async fn entry_point_of_the_club_with_its_own_clock() {
    stepped::serve().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_lost_when_nodes_and_the_database_die() {
    let faults = number("KRIEGSPIEL_CLUSTER_FAULTS", 8);
    let tables = usize::try_from(number("KRIEGSPIEL_CLUSTER_GAMES", 8)).unwrap();
    let seed = number("KRIEGSPIEL_SEED", rand::random::<u32>().into());
    println!("KRIEGSPIEL_SEED={seed}");
    let zero = Zero {
        moment: Instant::now(),
        wall: wall(),
    };
    let postgres = Postgres::start().unwrap();
    let mut nodes = Vec::new();
    for _ in 0..NODES {
        nodes.push(Node::open(postgres.port()).await);
    }
    let mut dice = StdRng::seed_from_u64(seed);
    let mut players = JoinSet::new();
    for table in 0..tables {
        for player in sit_down(&nodes, table, &mut dice) {
            players.spawn(player.play());
        }
    }
    let mut spectators = JoinSet::new();
    for (n, node) in nodes.iter().enumerate() {
        spectators.spawn(player::watch(Arc::clone(&node.ground), n, dice.random()));
    }
    // First each kind of fault happens once, if there are enough faults. The further faults are of
    // random kinds.
    let mut plan: Vec<Fault> = Fault::ALL.to_vec();
    plan.resize_with(usize::try_from(faults).unwrap(), || {
        *Fault::ALL.choose(&mut dice).unwrap()
    });
    let mut keeper = Keeper {
        postgres,
        nodes,
        dice,
        timeline: Timeline::default(),
        counts: BTreeMap::new(),
        happened: Vec::new(),
        deaths: Vec::new(),
        returns: Vec::new(),
        longest_pause: Duration::from_millis(number("KRIEGSPIEL_CLUSTER_PAUSE", 4_000)),
    };
    keeper.redirect();
    let begun = Instant::now();
    // If the thread that started the database ends, the database ends too. So this thread lives
    // until the end of the test.
    let (done, is_done) = oneshot::channel();
    let (_end, ended) = mpsc::channel::<()>();
    thread::spawn(move || {
        for fault in plan {
            let calm = keeper.dice.random_range(800..2_500);
            sleep(Duration::from_millis(calm));
            keeper.fail(fault);
        }
        sleep(Duration::from_secs(2));
        // An owner whose ownership ended while the database was away finds that out later.
        keeper.redirect();
        assert!(done.send(keeper).is_ok(), "the test waits");
        let _ended = ended.recv();
    });
    let mut keeper = is_done.await.unwrap();
    let played = begun.elapsed();
    for node in &keeper.nodes {
        node.life.send_modify(|life| {
            if let Life::Up(at) = *life {
                *life = Life::Last(at);
            }
        });
    }
    let records = tokio::time::timeout(END_TIMEOUT, players.join_all()).await;
    let records = records.unwrap();
    let spectators = spectators.join_all().await;
    for node in &mut keeper.nodes {
        let server = node.server.take().unwrap();
        // A node that could not renew in time on a busy machine ends with an error, as it should.
        let is_well = server.terminate().success();
        let log = node.folder.log();
        assert!(is_well || log.contains("has taken over the games"), "{log}");
    }
    report(&keeper, &records, &spectators, zero, played, seed).await;
}

/// Checks everything that was recorded, and prints the counts.
async fn report(
    keeper: &Keeper,
    records: &[Record],
    spectators: &[Journal],
    zero: Zero,
    played: Duration,
    seed: u64,
) {
    let mut faults: Vec<String> = Vec::new();
    for node in &keeper.nodes {
        let log = node.folder.log();
        if log.contains("panicked") {
            faults.push(format!("a node panicked: {log}"));
        }
    }
    let journals: Vec<&Journal> = records.iter().map(|record| &record.journal).collect();
    for journal in journals.iter().copied().chain(spectators) {
        faults.extend(journal.faults.iter().cloned());
    }
    faults.extend(player::disagreements(spectators));
    let (checked, wrong) = clocks::check(records, &keeper.timeline);
    faults.extend(wrong);
    let found = look_into_the_store(keeper, records, zero).await;
    faults.extend(found.faults.iter().cloned());

    for (fault, count) in &keeper.counts {
        println!("figure: {} {count}", fault.name());
    }
    let asks = journals.iter().flat_map(|journal| &journal.asks);
    let answered = asks.filter(|ask| ask.answer.is_some()).count() as u64;
    let rate = answered as f64 / played.as_secs_f64();
    let heard = spectators.iter().flat_map(|journal| journal.books.values());
    for (what, number) in [
        ("attempts answered", answered),
        ("attempts per second", rate as u64),
        ("games", found.games),
        ("rows in the logs", found.rows),
        ("rows that credit an outage", found.credits),
        (
            "hearings of spectators",
            heard.map(|book| book.heard.len() as u64).sum(),
        ),
        (
            "intervals in which a clock counted at most the time that passed",
            checked.bounded,
        ),
        (
            "intervals in which a clock counted exactly the time that passed",
            checked.exact,
        ),
    ] {
        println!("figure: {what} {number}");
        if number == 0 && what != "rows that credit an outage" {
            faults.push(format!("no {what}"));
        }
    }
    for (what, moments, name) in [
        (
            "the death of a node",
            &keeper.deaths,
            "KRIEGSPIEL_CLUSTER_SERVED",
        ),
        (
            "the return of the database",
            &keeper.returns,
            "KRIEGSPIEL_CLUSTER_RETURN",
        ),
    ] {
        let waited = served_again(records, &keeper.happened, moments);
        let longest = waited.as_ref().map_or(0, |w| w.time.as_millis() as u64);
        println!(
            "figure: longest time from {what} to the next hearing of a game, milliseconds {longest}"
        );
        let most = number(name, 0);
        if most > 0 && longest > most {
            let story = waited.map(|waited| story(keeper, records, &waited));
            faults.push(format!(
                "after {what} a game waited for {longest} ms; the limit is {most} ms: {}",
                story.unwrap_or_default()
            ));
        }
    }
    let least = number("KRIEGSPIEL_CLUSTER_RATE", 0);
    if (rate as u64) < least {
        faults.push(format!("{rate:.0} attempts a second, not {least}"));
    }
    if !faults.is_empty() {
        let wall = |at: Instant| zero.wall + at.duration_since(zero.moment).as_millis() as i64;
        for (fault, n, Span { from, until }) in &keeper.happened {
            println!("{fault:?} of node {n}: {} to {}", wall(*from), wall(*until));
        }
        for Span { from, until } in &keeper.timeline.outages {
            println!("outage {} to {}", wall(*from), wall(*until));
        }
    }
    let shown = faults.iter().take(20).cloned().collect::<Vec<_>>();
    let logs = keeper.nodes.iter().map(|node| node.folder.log());
    assert!(
        faults.is_empty(),
        "KRIEGSPIEL_SEED={seed}: {} faults:\n{}\n{}",
        faults.len(),
        shown.join("\n"),
        logs.collect::<Vec<_>>().join("\n")
    );
}

/// Tolerance for the times of rows, in milliseconds. The test and the database have the same clock.
const CLOCK_TOLERANCE: i64 = 1_000;

/// Checks the history of a game: its log, and the records of its players.
fn check_history(rows: &[Row], game: &str, records: &[Record], zero: Zero) -> Vec<String> {
    let mut history = History::new(rows);
    history.clock(zero.wall, CLOCK_TOLERANCE);
    let since = |at: Instant| at.duration_since(zero.moment);
    for (number, record) in records.iter().enumerate() {
        let Some(book) = record.journal.books.get(game) else {
            continue;
        };
        let color = Color::from(book.side);
        for ask in record.journal.asks.iter().filter(|ask| ask.game == game) {
            let Some(sent) = record.times.sent.get(&ask.id) else {
                continue;
            };
            let answer = ask.answer.as_ref().map(|answer| answer.n);
            let answered = record.times.answered.get(&ask.id).zip(answer);
            let answered = answered.map(|(at, n)| (since(*at), n));
            history.attempt(Some(color), &ask.id, since(*sent), answered);
        }
        let times = record.times.heard.get(game);
        for (n, at) in (1..).zip(times.into_iter().flatten()) {
            history.hearing(number, color.into(), n, since(*at));
        }
    }
    history.check()
}

/// Compares the journals with the logs in the database.
async fn look_into_the_store(keeper: &Keeper, records: &[Record], zero: Zero) -> Found {
    let journals: Vec<&Journal> = records.iter().map(|record| &record.journal).collect();
    let address = keeper.postgres.address();
    let mut check = Command::new(env!("CARGO_BIN_EXE_kriegspiel"));
    plain(&mut check);
    check.args(["store", "check", "--data", &address]);
    let check = check.output().unwrap();
    let said = String::from_utf8_lossy(&check.stdout).into_owned();
    assert!(
        check.status.success() && said.contains("no error found"),
        "{said}"
    );
    let store = PostgresStore::open(&address).await.unwrap();
    let mut found = Found::default();
    let games: BTreeSet<&String> = journals.iter().flat_map(|j| j.books.keys()).collect();
    for game in games {
        let id = game.parse().unwrap();
        let rows = store.rows(id, 0).await.unwrap();
        let sat = journals.iter().filter(|j| j.books.contains_key(game));
        let sat: Vec<&Journal> = sat.copied().collect();
        verify::compare(&mut found, game, &rows, &sat);
        let faults = check_history(&rows, game, records, zero);
        let faults = faults
            .into_iter()
            .map(|fault| format!("game {game}: {fault}"));
        found.faults.extend(faults);
    }
    store.close().await;
    found
}
