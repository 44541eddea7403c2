//! Checks that nothing leaks at the doors for lines of text. In both games of a
//! pair, one listener hears the same. The test checks that the console of this
//! listener gets the same bytes at the same times in both games.
//!
//! Each door has its own file, which defines the lines that the listener types
//! there ([`Door`]). Everything else is common to all doors.
//!
//! The environment variable `KRIEGSPIEL_DOOR_PAIRS` sets the number of pairs;
//! the default is 200.
#![allow(clippy::unwrap_used, reason = "a mistake here fails the test")]

mod ics;
mod play;
mod scene;

use std::{env, thread};

use testkit::pairs::Pair;

use crate::{
    play::{Heard, first_difference, played},
    scene::Door,
};

/// Seed of the pairs. The pairs are the same in every run, and differ from the
/// pairs of other tests.
const SEED: u64 = 5;

fn wanted() -> u64 {
    match env::var("KRIEGSPIEL_DOOR_PAIRS") {
        Ok(n) => n.parse().unwrap(),
        Err(_) => 200,
    }
}

/// Plays both games of a pair at a door.
fn both(door: &dyn Door, pair: &Pair) -> [Heard; 2] {
    [0, 1].map(|which| played(door, pair, which))
}

/// Compares pairs at a door, with one thread per processor.
fn compare(door: &(dyn Door + Sync)) {
    let wanted = wanted();
    let workers = thread::available_parallelism().map_or(1, usize::from) as u64;
    let work = |first: u64| {
        let (mut bytes, mut whispers, mut asked, mut pairs) = (0, 0, 0, 0);
        let mut written = 0;
        for index in (first..wanted).step_by(workers as usize) {
            let pair = Pair::make(SEED, index);
            let both = both(door, &pair);
            if let Some(difference) = first_difference(&pair, &both) {
                panic!("{}: {difference}", door.name());
            }
            for one in &both {
                assert_eq!(
                    one.wrong, None,
                    "pair {index}: the log differs from the events of the pair"
                );
                bytes += one.bytes();
                whispers += one.whispers;
                asked += one.asked;
                written += one.written;
            }
            pairs += 1;
        }
        [pairs, whispers, asked, bytes, written]
    };
    let sums = thread::scope(|scope| {
        let all: Vec<_> = (0..workers).map(|n| scope.spawn(move || work(n))).collect();
        let all = all.into_iter().map(|one| one.join().unwrap());
        all.reduce(|a, b| std::array::from_fn(|i| a[i] + b[i]))
    });
    let [pairs, whispers, asked, bytes, written] = sums.unwrap();
    let name = door.name();
    println!("figure: pairs of games at the door {name} {pairs}");
    println!("figure: private attempts at the door {name} {whispers}");
    println!("figure: other lines of listeners at the door {name} {asked}");
    println!("figure: bytes compared at the door {name} {bytes}");
    println!("figure: lines to others than the listener at the door {name} {written}");
    assert_eq!(pairs, wanted);
    assert!(whispers > wanted / 2 && asked > wanted && bytes > 1000 * wanted);
    assert!(written > wanted, "too few lines to others: {written}");
}

#[test]
fn equal_hearings_give_equal_ics_bytes() {
    compare(&ics::Ics);
}
