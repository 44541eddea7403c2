//! Tests that no secret leaks over the wire. In both games of a pair, one listener hears the same.
//! So three outputs must have the same bytes at the same times in both games: the listener's
//! socket, all responses of the API, and the server's log.
//!
//! `KRIEGSPIEL_WIRE_PAIRS` sets the number of pairs; the default is 2,000.
#![allow(clippy::unwrap_used, reason = "a mistake here fails the test")]

mod ask;
mod held;
mod line;
mod play;
mod scene;
mod tcp;
mod time;
mod transcript;

use std::{
    collections::BTreeSet,
    env,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    thread,
};

use club::TimeControl;
use rules::{Listener, rulesets};
use store::{
    MemoryStore, Store,
    testing::{Late, Tapped},
};
use testkit::pairs::Pair;
use tokio::{runtime::Builder, time::Instant};

use crate::{
    play::{add, place, play},
    scene::{HALF_AN_APPEND, Log, Scene, Setup},
    time::Time,
    transcript::{Counts, Difference, Transcript, first_difference},
};

/// Seed of the pairs. It is the same in every run. The tests of the referee use another seed.
const SEED: u64 = 3;

fn wanted(name: &str, usual: u64) -> u64 {
    match env::var(name) {
        Ok(n) => n.parse().unwrap(),
        Err(_) => usual,
    }
}

/// Returns the setup of a pair's games. It depends on the number of the pair.
fn setup(pair: &Pair) -> Setup {
    let clock = |initial, increment| TimeControl::Clock { initial, increment };
    // The ruleset and the listener also depend on the pair's number. Here the number is divided by
    // 7 first, so that all combinations of ruleset, listener and setup occur.
    let turn = pair.index / 7;
    Setup {
        listener: pair.listener,
        terms: match turn % 3 {
            0 => TimeControl::Unlimited,
            1 => clock(600_000, 2_000),
            _ => clock(900_000, 0),
        },
        others_here: (turn / 3).is_multiple_of(2),
        held_open: turn.is_multiple_of(4),
        signed_in: (turn / 2).is_multiple_of(2),
    }
}

/// Plays one game of a pair in its own club, with its own clock. The connections are pipes in
/// memory; everything else is as in a real server.
fn played(pair: &Pair, which: usize) -> (Transcript, Result<(), String>) {
    let store = || {
        let store = MemoryStore::default();
        let around = Late(HALF_AN_APPEND);
        Arc::new(Tapped { store, around })
    };
    played_upon(store, pair, which)
}

fn played_upon<S: Store>(
    store: impl FnOnce() -> Arc<S>,
    pair: &Pair,
    which: usize,
) -> (Transcript, Result<(), String>) {
    let log = Log::default();
    let _written = log.begin();
    let runtime = Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    runtime.block_on(async {
        let setup = setup(pair);
        let time = Time(Some(Instant::now()));
        let scene = Scene::open(&setup, &pair.opened[which], time, store()).await;
        play(pair, which, &setup, scene, &log).await
    })
}

/// Plays both games of a pair.
///
/// # Errors
/// Returns the difference by which the listener could distinguish the games.
fn compare(pair: &Pair) -> Result<[Transcript; 2], Box<Difference>> {
    let (one, one_played) = played(pair, 0);
    let (other, other_played) = played(pair, 1);
    if let Some(difference) = first_difference(pair, [&one, &other]) {
        return Err(Box::new(difference));
    }
    for played in [one_played, other_played] {
        played.unwrap();
    }
    Ok([one, other])
}

/// Sums of what was tested in several pairs of games.
#[derive(Default)]
struct Tally {
    pairs: u64,
    by_listener: [u64; 3],
    rules: BTreeSet<String>,
    whispered: u64,
    bytes: u64,
    counts: Counts,
}

impl Tally {
    fn add(&mut self, pair: &Pair, both: &[Transcript; 2]) {
        self.pairs += 1;
        self.by_listener[place(pair.listener)] += 1;
        self.rules.insert(pair.rules().to_owned());
        self.whispered += u64::from(both.iter().any(|t| t.counts.whispers > 0));
        self.bytes += both[0].bytes();
        for transcript in both {
            add(&mut self.counts, transcript.counts);
        }
    }

    fn merge(&mut self, other: &Tally) {
        self.pairs += other.pairs;
        for (sum, n) in self.by_listener.iter_mut().zip(other.by_listener) {
            *sum += n;
        }
        self.rules.extend(other.rules.iter().cloned());
        self.whispered += other.whispered;
        self.bytes += other.bytes;
        add(&mut self.counts, other.counts);
    }

    fn print(&self) {
        let Counts {
            attempts,
            whispers,
            asked,
        } = self.counts;
        println!("figure: pairs of games over the wire {}", self.pairs);
        println!("figure: pairs with private attempts {}", self.whispered);
        println!("figure: attempts over the wire {attempts}");
        println!("figure: private attempts {whispers}");
        println!("figure: other requests of listeners {asked}");
        println!("figure: bytes compared {}", self.bytes);
        for listener in Listener::ALL {
            let n = self.by_listener[place(listener)];
            println!("figure: pairs for listener {listener:?} {n}");
        }
    }
}

/// Runs `work` on one thread for each processor. The threads take the numbers from 0 to `wanted` -
/// 1 from a shared counter.
fn on_every_processor<T: Send>(
    wanted: u64,
    work: impl Fn(&dyn Fn() -> Option<u64>) -> T + Sync,
) -> Vec<T> {
    let next = AtomicU64::new(0);
    let take = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|n| *n < wanted);
    let worker = || {
        let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| work(&take)));
        if done.is_err() {
            next.store(wanted, Ordering::Relaxed);
        }
        done
    };
    thread::scope(|scope| {
        let workers = thread::available_parallelism().map_or(1, usize::from);
        let all: Vec<_> = (0..workers).map(|_| scope.spawn(worker)).collect();
        let joined = all.into_iter().map(|one| one.join().and_then(|done| done));
        joined
            .map(|done| done.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    })
}

#[test]
fn equal_hearings_give_equal_bytes_on_the_wire() {
    let wanted = wanted("KRIEGSPIEL_WIRE_PAIRS", 2_000);
    let tallies = on_every_processor(wanted, |next| {
        let mut tally = Tally::default();
        while let Some(index) = next() {
            let pair = Pair::make(SEED, index);
            match compare(&pair) {
                Ok(both) => tally.add(&pair, &both),
                Err(difference) => panic!("{difference}"),
            }
        }
        tally
    });
    let mut tally = Tally::default();
    for one in &tallies {
        tally.merge(one);
    }
    tally.print();
    assert_eq!(tally.pairs, wanted);
    if wanted >= 2_000 {
        assert!(tally.by_listener.iter().all(|n| *n > 0));
        assert_eq!(
            tally.rules.len(),
            rulesets::ALL.len() + 1,
            "all rulesets and a custom one"
        );
        assert!(
            2 * tally.whispered >= tally.pairs,
            "at least half of the pairs must have private attempts"
        );
    }
}
