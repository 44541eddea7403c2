//! Checks that the comparison detects each planted leak of the doors. A planted
//! leak is a leak that is put into the code on purpose.

use testkit::{pairs::Pair, planted};

use crate::{SEED, both, ics::Ics, play::first_difference};

/// Name of each planted leak, and a text. At the first difference between the two games, the output
/// of at least one game must contain this text.
const TELLS: &[(&str, &str)] = &[
    ("ics_idle", "Idle for: "),
    ("ics_prompt", "\\r\\nics% "),
    ("ics_truth", "<12>"),
    ("message_to_players", "says: game "),
    ("message_to_spectators", "kibitzes: game "),
    ("told_by_watcher", "game "),
];

#[test]
fn every_planted_leak_is_caught() {
    let names: Vec<&str> = TELLS.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, planted::caught_by("doors::door_pairs"));
    for (name, tells) in TELLS {
        let found = (0..300).find_map(|index| {
            let pair = Pair::make(SEED, index);
            club::leak::open(Some(name));
            let both = both(&Ics, &pair);
            club::leak::open(None);
            first_difference(&pair, &both)
        });
        let found = found.unwrap_or_else(|| panic!("{name} was not detected"));
        println!("{name}: {found}");
        assert!(
            found.is.iter().any(|is| is.contains(tells)),
            "{name}: {found}"
        );
        println!("figure: planted leaks of doors caught 1");
    }
}
