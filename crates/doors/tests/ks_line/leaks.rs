//! The leak planted in this door is listed.

/// The page that lists them.
const PAGE: &str = include_str!("../../../../docs/leaks.md");

#[test]
fn the_planted_leak_is_on_the_page() {
    assert!(PAGE.contains("| `ks_nudge` |"));
}
