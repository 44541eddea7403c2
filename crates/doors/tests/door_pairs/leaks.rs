//! Leaks planted in the doors: each is caught.

/// What `build.rs` plants, and something that stands in one of the two games
/// at the first difference.
#[cfg(feature = "leaks")]
const TELLS: &[(&str, &str)] = &[
    ("ics_idle", "Idle for: "),
    ("ics_prompt", "\\r\\nics% "),
    ("ics_truth", "<12>"),
];

#[cfg(feature = "leaks")]
#[test]
fn every_planted_leak_is_caught() {
    use testkit::pairs::Pair;

    use crate::{SEED, both, ics::Ics, play::first_difference};

    for (name, tells) in TELLS {
        let found = (0..300).find_map(|index| {
            let pair = Pair::make(SEED, index);
            club::leak::open(Some(name));
            let both = both(&Ics, &pair);
            club::leak::open(None);
            first_difference(&pair, &both)
        });
        let found = found.unwrap_or_else(|| panic!("{name} is not caught"));
        println!("{name}: {found}");
        assert!(
            found.is.iter().any(|is| is.contains(tells)),
            "{name}: {found}"
        );
        println!("count planted leaks of doors caught 1");
    }
}
