//! Checks that docs/leaks.md lists the leak planted in this door.

/// The page that lists planted leaks.
const PAGE: &str = include_str!("../../../../docs/leaks.md");

#[test]
fn the_planted_leak_is_on_the_page() {
    assert!(PAGE.contains("| `ks_nudge` |"));
}
