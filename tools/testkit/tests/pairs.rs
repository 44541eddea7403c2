//! Makes pairs of games in which one listener hears the same. Everything that
//! reaches the listener must be equal.
//!
//! `KRIEGSPIEL_PAIRS` is the number of pairs; the default is 2,000.

use std::{
    env,
    sync::atomic::{AtomicU64, Ordering},
    thread,
};

use referee::Game;
use rules::{Listener, chess::Color, rulesets};
use scores::{BeliefLimits, Beliefs, RecordedGames, Tags, write_umpire_view};
use testkit::pairs::{Pair, Tally, compare};

/// Seed of the pairs. The seed is fixed, so the pairs are the same in every run.
const SEED: u64 = 2;

fn wanted() -> u64 {
    match env::var("KRIEGSPIEL_PAIRS") {
        Ok(n) => n.parse().expect("KRIEGSPIEL_PAIRS is a number"),
        Err(_) => 2_000,
    }
}

#[test]
fn listeners_who_hear_the_same_receive_the_same() {
    let wanted = wanted();
    let next = AtomicU64::new(0);
    let worker = || {
        let mut tally = Tally::default();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= wanted {
                return tally;
            }
            let pair = Pair::make(SEED, index);
            match compare(&pair) {
                Ok(compared) => tally.add(&pair, &compared),
                Err(leak) => {
                    next.store(wanted, Ordering::Relaxed);
                    panic!("{leak}\n{}", both(&pair));
                }
            }
        }
    };
    let mut tally = Tally::default();
    thread::scope(|scope| {
        let workers = thread::available_parallelism().map_or(1, usize::from);
        let all: Vec<_> = (0..workers).map(|_| scope.spawn(worker)).collect();
        for one in all {
            match one.join() {
                Ok(counted) => tally.merge(&counted),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    for line in tally.lines() {
        println!("figure: {line}");
    }
    assert_eq!(tally.pairs, wanted);
    assert!(
        2 * tally.five >= tally.pairs,
        "only {} of {} pairs differ for five plies in a row",
        tally.five,
        tally.pairs
    );
    if wanted >= 2_000 {
        for kind in EVERY_KIND {
            assert!(tally.sum.kinds.contains_key(kind), "never heard: {kind}");
        }
        assert_eq!(
            tally.by_rules.len(),
            rulesets::ALL.len() + 1,
            "there must be pairs for every named ruleset and for custom rulesets"
        );
        assert_eq!(tally.by_listener.len(), 3);
    }
}

const EVERY_KIND: &[&str] = &[
    "own move",
    "move",
    "own no",
    "no",
    "own nonsense",
    "nonsense",
    "own repeat no",
    "repeat no",
    "any",
    "lost",
    "capture",
    "drop",
    "promotion",
    "check",
    "tries",
    "turn",
    "rebuffs",
    "recap",
    "draw offer",
    "draw declined",
    "draw withdrawn",
    "over, checkmate",
    "over, resignation",
    "over, agreement",
    "over, time",
    "over, abandoned",
    "over, aborted",
];

#[test]
fn same_number_makes_the_same_pair_and_logs_can_be_replayed() {
    for index in 0..40 {
        let pair = Pair::make(SEED, index);
        assert_eq!(pair, Pair::make(SEED, index));
        for which in 0..2 {
            let log = pair.log(which);
            Game::replay(&log).expect("the log is that of a real game");
        }
    }
}

/// Returns a player's review of one of the two games, in the form that the club sends.
fn review(pair: &Pair, which: usize, seat: Color) -> String {
    let mut pgn = String::new();
    write_umpire_view(&mut pgn, &Tags::default(), &pair.log(which), &[]);
    let mut accounts = RecordedGames::new(pgn.as_bytes()).expect("a string can be read");
    let account = accounts
        .next()
        .expect("the text contains a game")
        .expect("a string can be read");
    let account = account.expect("the written game can be read");
    let limits = BeliefLimits {
        positions: 300,
        work: 3_000,
    };
    let beliefs = Beliefs::of(&account, None, seat, limits).expect("the belief can be computed");
    serde_json::to_string(&beliefs.json(|| true)).expect("all keys are strings")
}

#[test]
fn games_that_sound_alike_have_the_same_review() {
    let (mut compared, mut moments) = (0, 0);
    for index in 0..wanted().min(60) {
        let pair = Pair::make(SEED, index);
        let seat = match pair.listener {
            Listener::White => Color::White,
            Listener::Black => Color::Black,
            Listener::Room => continue,
        };
        // The start position is public, so the reviews may depend on it.
        let [one, two] = &pair.opened;
        if one.start.fen() != two.start.fen() || pair.log(0) == pair.log(1) {
            continue;
        }
        let reviews = [0, 1].map(|which| review(&pair, which, seat));
        assert!(reviews[0] == reviews[1], "{}\n{reviews:?}", both(&pair));
        compared += 1;
        moments += reviews[0].matches("\"regime\"").count();
    }
    assert!(
        compared > 10 && moments > 500,
        "{compared} pairs, {moments} moments"
    );
}

/// Writes the two games of a pair side by side, step by step.
fn both(pair: &Pair) -> String {
    let mut text = format!(
        "{}\n{}\n",
        pair.opened[0].start.fen(),
        pair.opened[1].start.fen()
    );
    for (n, step) in (1..).zip(&pair.steps) {
        let side = |which: usize| {
            let all: Vec<String> = step.happenings[which]
                .iter()
                .map(|h| h.to_string())
                .collect();
            all.join(", ")
        };
        text.push_str(&format!("{n:>4} {:<40} | {}\n", side(0), side(1)));
    }
    text
}
