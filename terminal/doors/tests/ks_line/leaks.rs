//! Checks that docs/leaks.md lists the planted leak of this door (a leak that
//! is put into the code on purpose).

/// The page that lists planted leaks.
const PAGE: &str = include_str!("../../../../docs/leaks.md");

#[test]
fn the_planted_leak_is_on_the_page() {
    assert!(PAGE.contains("| `ks_nudge` |"));
}
