//! A leak planted in this door is caught.

/// The page that lists them.
const PAGE: &str = include_str!("../../../../docs/leaks.md");

#[test]
fn the_planted_leak_is_on_the_page() {
    assert!(PAGE.contains("| `ks_nudge` |"));
}

#[cfg(feature = "leaks")]
#[test]
fn every_planted_leak_is_caught() {
    use crate::pairs::{pairs, played};

    let found = pairs().take(200).find_map(|pair| {
        club::leak::open(Some("ks_nudge"));
        let [one, other] = [0, 1].map(|which| played(&pair, which));
        club::leak::open(None);
        one.difference(&other).map(|d| (pair.index, d))
    });
    let (index, difference) = found.expect("the leak is caught");
    println!("ks_nudge | pair {index} | {difference}");
    assert!(difference.contains("pong"), "{difference}");
    println!("count planted leaks caught 1");
}
