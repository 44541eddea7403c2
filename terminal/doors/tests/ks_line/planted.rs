//! Checks that the comparison detects the planted leak of this door (a leak
//! that is put into the code on purpose).

use testkit::planted;

use crate::pairs::{pairs, played};

#[test]
fn every_planted_leak_is_caught() {
    assert_eq!(planted::caught_by("doors::ks_line"), ["ks_nudge"]);
    let found = pairs().take(200).find_map(|pair| {
        club::leak::open(Some("ks_nudge"));
        let [one, other] = [0, 1].map(|which| played(&pair, which));
        club::leak::open(None);
        one.difference(&other).map(|d| (pair.index, d))
    });
    let (index, difference) = found.expect("the leak must be detected");
    println!("ks_nudge | pair {index} | {difference}");
    assert!(difference.contains("pong"), "{difference}");
    println!("figure: planted leaks caught 1");
}
