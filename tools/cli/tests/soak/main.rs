//! A club serves players, spectators, people at the doors and built-in bots, and is attacked by
//! strangers. Meanwhile the club is killed and closed, its clock is wrong, and its disk is full.
//! Other clubs are opened over damaged copies of its file. A seed determines the plan and all
//! random choices. At the end no answer may be lost, no clock may have counted a long outage, and
//! the answers must have come in time.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a mistake here fails the test")]
#![allow(clippy::disallowed_methods, reason = "other processes are waited for")]

mod attacks;
mod clocks;
mod doors;
#[path = "../ks/ends.rs"]
#[allow(dead_code, reason = "the ends meet at a club")]
mod ends;
mod ground;
mod keeper;
#[path = "../ks/journal.rs"]
#[allow(
    dead_code,
    clippy::wildcard_enum_match_arm,
    reason = "only moves are read"
)]
mod ks_journal;
#[path = "../../../../club/server/tests/live/long_game.rs"]
#[allow(dead_code, reason = "only the server's tests wait for it")]
mod long_game;
mod measure;
#[path = "../lines/person.rs"]
#[allow(dead_code, reason = "nobody comes from another machine")]
mod person;
mod plan;
mod player;
#[path = "../running/mod.rs"]
mod running;
#[path = "../../../../club/server/tests/live/stored.rs"]
mod stored;

use std::{
    collections::{BTreeMap, BTreeSet},
    env,
    net::SocketAddr,
    process::Command,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use rand::{RngExt, SeedableRng, rngs::StdRng};
use referee::Event;
use store::{Act, SqliteStore, Store};
use tokio::{sync::watch, task::JoinSet, time::sleep};
use wire::{ChallengedJson, Side, TimeControlJson};

use attacks::Targets;
use doors::{DoorMoves, ICS, KS, KsPair};
use ground::{Ground, Span, address, lock};
use keeper::{Keeper, Ports};
use measure::AllWaits;
use plan::Program;
use player::{Player, Record, Times};
use running::{
    Folder, http,
    journal::{INCREMENT, Journal},
    plain,
    seat::{Door, Life, Seat, SharedState},
    stepped,
    verify::{self, Found},
};

/// The allocator of the released program. The club with its own clock runs in this test program, so
/// the test program uses the same allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Length of the run, in seconds.
const SECONDS: &str = "KRIEGSPIEL_SOAK_SECONDS";
/// Time in milliseconds within which 99 % of the answers must come; 0: no limit.
const MAX_WAIT: &str = "KRIEGSPIEL_SOAK_P99";
/// Maximum median time of an answer under attack, in per cent of the median without attacks; 0: no
/// limit.
const MAX_PERCENT: &str = "KRIEGSPIEL_SOAK_PERCENT";
/// Maximum growth of the memory, in KiB per minute; 0: no limit.
const MAX_GROWTH: &str = "KRIEGSPIEL_SOAK_GROWTH";
/// Number of tries in the game that is long and finished. Attackers ask for the files of this game.
const TRIES: &str = "KRIEGSPIEL_SOAK_TRIES";

/// The test prints every n-th measurement of the memory in the longest run of the club. This is n.
const MEMORY_SHOWN_EVERY: usize = 40;

/// Number of games between two people.
const TABLES: usize = 5;
/// Number of games against each built-in bot.
const BOT_TABLES: usize = 2;
const BOTS: [&str; 2] = ["random", "sparring"];
const SPECTATORS: usize = 6;
/// Rulesets of the games.
const RULES: [&str; 5] = ["wild16", "berkeley-any", "cincinnati", "english", "rand"];
/// The account whose password is guessed.
const ACCOUNT: &str = "Paula";
const TIME: TimeControlJson = TimeControlJson::Fischer {
    initial: 1800,
    increment: (INCREMENT / 1000) as u32,
};

/// Entry point of the server process that has its own clock.
#[tokio::test(flavor = "multi_thread")]
async fn entry_point_of_the_club_with_its_own_clock() {
    stepped::serve().await;
}

fn number(name: &str, otherwise: u64) -> u64 {
    let given = env::var(name).ok();
    given.map_or(otherwise, |text| text.parse().unwrap())
}

/// Everybody who comes to the club.
struct People {
    players: Vec<Player>,
    targets: Targets,
    teletypes: [String; 2],
    ks: KsPair,
}

/// Creates accounts, guests and games.
fn gather(ground: &Arc<Ground>, at: SocketAddr, ports: Ports, dice: &mut StdRng) -> People {
    let mut tokens = BTreeMap::new();
    for name in [ICS, KS].concat().into_iter().chain([ACCOUNT]) {
        let body = format!(r#"{{"name":"{name}","password":"secret-123","token":true}}"#);
        let (status, body) = http::ask(at, "POST", "/api/accounts", "", &body).unwrap();
        tokens.insert(name, http::token(status, &body));
    }
    let shared = SharedState {
        life: ground.life.clone(),
        trigger: Arc::default(),
        answers: Arc::default(),
    };
    let mut players = Vec::new();
    let mut player = |name: String, token: &str, game: &str, side, door| {
        let seat = Seat::new(shared.clone(), name, token.to_owned(), door, dice.random());
        let mut player = Player {
            ground: Arc::clone(ground),
            seat,
            from: address(1, players.len()),
            times: Times::default(),
        };
        player.sit_down(game.to_owned(), side);
        players.push(player);
    };
    for table in 0..TABLES {
        let [white, black] = [(); 2].map(|()| http::guest(at));
        let rules = RULES[table % RULES.len()];
        let game = http::game(at, &white, &black, rules, TIME);
        let door = [Door::Socket, Door::Http][usize::from(table.is_multiple_of(3))];
        player(format!("t{table}-a"), &white, &game, Side::White, door);
        player(format!("t{table}-b"), &black, &game, Side::Black, door);
    }
    for (n, bot) in BOTS.into_iter().enumerate() {
        for table in 0..BOT_TABLES {
            let token = http::guest(at);
            let terms = serde_json::to_string(&TIME).unwrap();
            let body = format!(
                r#"{{"to":"{bot}","terms":{{"rules":"wild16","time":{terms},"color":"white"}}}}"#
            );
            let (status, body) = http::ask(at, "POST", "/api/challenges", &token, &body).unwrap();
            assert_eq!(status, 201, "{body}");
            let made: ChallengedJson = serde_json::from_str(&body).unwrap();
            let game = made.game.unwrap();
            let name = format!("bot{n}-{table}");
            player(name, &token, &game, Side::White, Door::Socket);
        }
    }
    let guests = [(); 2].map(|()| http::guest(at));
    let unlimited = TimeControlJson::Unlimited {};
    let targets = Targets {
        long_game: String::new(),
        game: http::game(at, &guests[0], &guests[1], "wild16", unlimited),
        tokens: guests,
        account: ACCOUNT.to_owned(),
        doors: [ports.ics, ports.teletype],
    };
    doors::begin_ics(ports.ics).unwrap();
    let teletypes = doors::begin_teletypes(ports.teletype).unwrap();
    let ks = KsPair::begin(ports.http, KS.map(|name| tokens[name].clone()));
    People {
        players,
        targets,
        teletypes,
        ks,
    }
}

/// Everything that was recorded, for the comparison with the store.
struct Recorded {
    records: Vec<Record>,
    ics: DoorMoves,
    teletypes: DoorMoves,
    ks: [Vec<String>; 2],
}

#[tokio::test(flavor = "multi_thread")]
async fn a_club_withstands_attacks_and_faults() {
    let begun = Instant::now();
    let seconds = number(SECONDS, 12);
    let seed = number("KRIEGSPIEL_SEED", rand::random::<u32>().into());
    println!("KRIEGSPIEL_SEED={seed}");
    let mut dice = StdRng::seed_from_u64(seed);
    let (life, lives) = watch::channel(Life::Down);
    let (attacks, attacked) = watch::channel(false);
    let ground = Arc::new(Ground::new(lives, attacked));
    let folder = Folder::new();
    let store = SqliteStore::open(folder.file()).await.unwrap();
    let tries = u32::try_from(number(TRIES, 2_000)).unwrap();
    let long_game = long_game::add_long_game(&store, tries).await;
    store.close().await;
    let plan = plan::plan(seconds, &mut dice);
    plan.iter().for_each(|step| println!("{step:?}"));
    let mut keeper = Keeper {
        folder,
        ports: Ports::choose(&mut dice),
        ground: Arc::clone(&ground),
        life,
        dice: StdRng::seed_from_u64(dice.random()),
        memory: Vec::new(),
        damaged: None,
    };

    let ports = keeper.ports;
    let server = keeper.open(plan[0].program);
    let opened = begun.elapsed();
    let mut people = gather(&ground, server.address, ports, &mut dice);
    people.targets.long_game = long_game.to_string();
    let gathered = begun.elapsed();
    let mut players = JoinSet::new();
    for player in people.players {
        players.spawn(player.play());
    }
    let mut spectators = JoinSet::new();
    for n in 0..SPECTATORS {
        spectators.spawn(player::watch(Arc::clone(&ground), n, dice.random()));
    }
    let strangers = attacks::start(&ground, &people.targets, &mut dice);
    let [ics, teletypes, ks] = [(); 3].map(|()| (Arc::clone(&ground), dice.random::<u64>()));
    let ics = thread::spawn(move || doors::play_ics(&ics.0, ports.ics, ics.1));
    let keys = people.teletypes;
    let teletypes = thread::spawn(move || {
        doors::play_teletypes(&teletypes.0, ports.teletype, &keys, teletypes.1)
    });
    let pair = people.ks;
    let ks = thread::spawn(move || pair.play(&ks.0, ks.1));
    let pauses = tokio::spawn(attack_and_pause(
        Arc::clone(&ground),
        attacks,
        StdRng::seed_from_u64(dice.random()),
    ));

    let keeper = tokio::task::spawn_blocking(move || {
        let mut server = Some(server);
        // A club that takes long to open runs for a shorter time, so that the whole run does not
        // become longer.
        let mut until = Instant::now();
        for step in &plan {
            let server = server.take().unwrap_or_else(|| keeper.open(step.program));
            keeper.is_open_again();
            until += step.length;
            keeper.keep(server, step, until);
            until += step.outage;
        }
        let server = keeper.open(Program::Released);
        keeper.is_open_again();
        keeper.life.send_replace(Life::Last(server.address));
        keeper.ends_damaged();
        (keeper, server)
    });
    let (keeper, server) = keeper.await.unwrap();
    let records = tokio::time::timeout(Duration::from_secs(60), players.join_all());
    let records = records.await.unwrap();
    let spectators = spectators.join_all().await;
    let recorded = Recorded {
        records,
        ics: ics.join().unwrap(),
        teletypes: teletypes.join().unwrap(),
        ks: ks.join().unwrap(),
    };
    pauses.abort();
    drop(strangers);
    assert!(server.terminate().success(), "{}", keeper.folder.log());

    let played = begun.elapsed();
    report(&keeper, &recorded, &spectators).await;
    println!(
        "{:.1} s to open, {:.1} s to gather, {:.1} s to play, {:.1} s to check",
        opened.as_secs_f64(),
        (gathered - opened).as_secs_f64(),
        (played - gathered).as_secs_f64(),
        (begun.elapsed() - played).as_secs_f64()
    );
    let faults = ground.faults();
    let shown = faults.iter().take(20).cloned().collect::<Vec<_>>();
    assert!(
        faults.is_empty(),
        "KRIEGSPIEL_SEED={seed}: {} faults:\n{}\n{}",
        faults.len(),
        shown.join("\n"),
        keeper.folder.log()
    );
}

/// Lets the attackers attack and pause alternately, until the end of the run.
async fn attack_and_pause(ground: Arc<Ground>, attacks: watch::Sender<bool>, mut dice: StdRng) {
    loop {
        let span = dice.random_range(2_000..6_000);
        sleep(Duration::from_millis(span / 2)).await;
        let from = Instant::now();
        attacks.send_replace(true);
        sleep(Duration::from_millis(span)).await;
        attacks.send_replace(false);
        let until = Instant::now();
        lock(&ground.timeline).attacks.push(Span { from, until });
    }
}

/// Checks everything that was recorded, and prints the counts.
async fn report(keeper: &Keeper, recorded: &Recorded, spectators: &[Journal]) {
    let ground = &keeper.ground;
    let log = keeper.folder.log();
    if log.contains("panicked") {
        ground.fault(format!("a club panicked: {log}"));
    }
    let records = &recorded.records;
    let journals: Vec<&Journal> = records.iter().map(|record| &record.journal).collect();
    for journal in journals.iter().copied().chain(spectators) {
        journal
            .faults
            .iter()
            .cloned()
            .for_each(|why| ground.fault(why));
    }
    let (clocks, faults) = {
        let timeline = lock(&ground.timeline);
        clocks::check(records, &timeline)
    };
    faults.into_iter().for_each(|why| ground.fault(why));
    let disagreements = player::disagreements(spectators);
    disagreements.into_iter().for_each(|why| ground.fault(why));
    let found = look_into_the_store(keeper, recorded, &journals).await;
    found
        .faults
        .iter()
        .cloned()
        .for_each(|why| ground.fault(why));

    for (what, number) in ground.counts() {
        println!("figure: {what} {number}");
    }
    let answered: usize = journals
        .iter()
        .map(|journal| {
            journal
                .asks
                .iter()
                .filter(|ask| ask.answer.is_some())
                .count()
        })
        .sum();
    let repeated: u64 = journals.iter().map(|journal| journal.repeated).sum();
    let heard = spectators.iter().flat_map(|journal| journal.books.values());
    let at_doors = recorded.ics.answered + recorded.teletypes.answered;
    let at_doors = at_doors + recorded.ks.iter().map(Vec::len).sum::<usize>();
    #[rustfmt::skip]
    let cases = [
        ("requests answered", answered as u64),
        ("games", found.games),
        ("games played to an end", found.over),
        ("rows in the logs", found.rows),
        ("rows that credit an outage", found.credits),
        ("repeated requests with the same answer", repeated),
        ("repeated requests that were not judged before", found.judged_later),
        ("hearings of spectators", heard.map(|book| book.heard.len() as u64).sum()),
        ("intervals in which a clock counted at most the time that passed", clocks.bounded),
        ("intervals of a clock with a credited outage", clocks.credited),
        ("moves answered at the doors", at_doors as u64),
    ];
    for (what, number) in cases {
        println!("figure: {what} {number}");
        if number == 0 && !what.starts_with("requests") && !what.starts_with("games played") {
            ground.fault(format!("no {what}"));
        }
    }
    // This count may be 0: a club is killed only a few times, and possibly never between the storage
    // of a request and its answer.
    println!(
        "figure: repeated requests that were judged before, and are answered from the log {}",
        found.answered_from_log
    );
    // This count may be 0: on a slow machine, possibly no player moved fast enough.
    let exact = clocks.exact;
    println!("figure: intervals in which a clock counted exactly the time that passed {exact}");
    check_waits(ground, records);
    check_memory(keeper);
}

fn check_waits(ground: &Ground, records: &[Record]) {
    let waits = AllWaits::of(records, &lock(&ground.timeline));
    for (what, waits) in [
        ("not near a fault", &waits.undisturbed),
        ("not near a fault, without attacks", &waits.calm),
        ("not near a fault, under attack", &waits.attacked),
        ("in 5 s after a fault", &waits.disturbed),
    ] {
        println!("figure: answers {what} {}", waits.count());
        for (name, permille) in [("median", 500), ("99th percentile", 990)] {
            let micros = (waits.permille(permille) * 1_000.0) as u64;
            println!("figure: {name} of the times of answers {what}, microseconds {micros}");
        }
    }
    let most = number(MAX_WAIT, 0);
    let late = waits.undisturbed.permille(990);
    if most > 0 && late > most as f64 {
        ground.fault(format!(
            "99 % of the answers took up to {late:.1} ms, not {most}"
        ));
    }
    let percent = number(MAX_PERCENT, 0) as f64;
    let [calm, attacked] = [&waits.calm, &waits.attacked].map(|waits| waits.permille(500));
    if percent > 0.0 && attacked * 100.0 > calm * percent {
        ground.fault(format!(
            "median {calm:.1} ms without attacks, {attacked:.1} ms under attack"
        ));
    }
}

fn check_memory(keeper: &Keeper) {
    let most = keeper
        .memory
        .iter()
        .flatten()
        .map(|(_, bytes)| *bytes)
        .max();
    println!(
        "figure: largest resident memory, KiB {}",
        most.unwrap_or(0) / 1_024
    );
    let longest = keeper.memory.iter().max_by_key(|memory| memory.len());
    for (at, bytes) in longest.into_iter().flatten().step_by(MEMORY_SHOWN_EVERY) {
        println!("after {} s: {} KiB", at.as_secs(), bytes / 1_024);
    }
    let Some(growth) = longest.and_then(measure::growth) else {
        return;
    };
    println!(
        "figure: growth of the memory, KiB per minute {}",
        growth.round()
    );
    let most = number(MAX_GROWTH, 0);
    if most > 0 && growth > most as f64 {
        let why = format!("the memory grows by {growth:.0} KiB a minute, not {most}");
        keeper.ground.fault(why);
    }
}

/// Compares everything that was recorded with the club's file.
async fn look_into_the_store(keeper: &Keeper, recorded: &Recorded, journals: &[&Journal]) -> Found {
    let mut check = Command::new(env!("CARGO_BIN_EXE_kriegspiel"));
    plain(&mut check);
    check.args(["store", "check", "--data"]);
    let check = check.arg(keeper.folder.file()).output().unwrap();
    let said = String::from_utf8_lossy(&check.stdout).into_owned();
    assert!(
        check.status.success() && said.contains("no error found"),
        "{said}"
    );
    println!("{}", said.trim());

    let store = SqliteStore::open_existing(keeper.folder.file()).await;
    let store = store.unwrap();
    let mut found = Found::default();
    let games: BTreeSet<&String> = journals.iter().flat_map(|j| j.books.keys()).collect();
    for game in games {
        let id = game.parse().unwrap();
        let rows = store.rows(id, 0).await.unwrap();
        let record = store.game(id).await.unwrap();
        found.over += u64::from(record.over.is_some());
        let sat = journals.iter().filter(|j| j.books.contains_key(game));
        let sat: Vec<&Journal> = sat.copied().collect();
        match sat[..] {
            // The other player is a built-in bot.
            [one] if one.name.starts_with("bot") => {
                verify::check_rows(&mut found, game, &rows);
                verify::compare_seat(&mut found, game, &rows, one);
            }
            _ => verify::compare(&mut found, game, &rows, &sat),
        }
    }
    let ics = moves_of_accounts(&store, ICS).await;
    let ks = moves_of_accounts(&store, KS).await;
    let running = store.running().await.unwrap();
    // Only teletypes play under a ruleset of their own.
    let mut at_teletypes = running.iter().filter(|one| one.terms.custom.is_some());
    let teletypes = at_teletypes.next().unwrap();
    let teletypes = moves_of_game(&store, teletypes.id).await;
    store.close().await;

    for (who, known, moves) in [
        ("the door for chess clients", &recorded.ics, ics),
        ("teletypes", &recorded.teletypes, teletypes),
    ] {
        found.faults.extend(known.faults.iter().cloned());
        let more = moves.len().checked_sub(known.answered);
        if !matches!(more, Some(0 | 1)) {
            let (stored, answered) = (moves.len(), known.answered);
            let why = format!("{who}: {stored} moves are stored, {answered} were answered");
            found.faults.push(why);
        }
        if moves != doors::moves(moves.len()) {
            found.faults.push(format!("{who}: other moves: {moves:?}"));
        }
    }
    let [white, black] = &recorded.ks;
    let answered = white.len() + black.len();
    if ks != doors::moves(ks.len()) || ks.len() < answered {
        let why = format!("ks: {answered} moves were answered, these are stored: {ks:?}");
        found.faults.push(why);
    }
    found
}

/// Returns the moves of the only game of two accounts.
async fn moves_of_accounts(store: &SqliteStore, names: [&str; 2]) -> Vec<String> {
    let white = store.account_named(names[0]).await.unwrap();
    let running = store.running().await.unwrap();
    let mut games = running.iter().filter(|game| game.players.white == white.id);
    let game = games.next().unwrap();
    assert!(games.next().is_none(), "{names:?} must have only one game");
    moves_of_game(store, game.id).await
}

async fn moves_of_game(store: &SqliteStore, game: store::GameId) -> Vec<String> {
    let rows = store.rows(game, 0).await.unwrap();
    let moved = rows.into_iter().filter_map(|row| match row.act {
        Act::Game(Event::Moved { what, .. }) => Some(what.to_string()),
        Act::Game(_) | Act::Table(_) => None,
    });
    moved.collect()
}
