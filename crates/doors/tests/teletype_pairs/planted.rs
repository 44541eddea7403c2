//! Each leak planted in this door is caught.

use club::leak;
use testkit::planted;

use crate::{difference, hall::Pieces, pair, played};

/// Pairs within which every leak must be caught.
const CAUGHT_WITHIN: u64 = 20;

/// Every leak that is planted in this door, and whether its bytes tell it,
/// or the moments alone.
const LEAKS: [(&str, bool); 2] = [("teletype_bell", true), ("teletype_busy", false)];

fn timeless(pieces: &Pieces) -> Pieces {
    vec![(
        0,
        pieces
            .iter()
            .flat_map(|(_, bytes)| bytes)
            .copied()
            .collect(),
    )]
}

#[test]
fn every_planted_leak_is_caught() {
    assert_eq!(
        LEAKS.map(|(name, _)| name).as_slice(),
        planted::caught_by("doors::teletype_pairs")
    );
    for (name, by_bytes) in LEAKS {
        let caught = (0..CAUGHT_WITHIN).find_map(|number| {
            let pair = pair(number);
            let [one, other] = [0, 1].map(|which| {
                leak::open(Some(name));
                played(&pair, which).0
            });
            leak::open(None);
            let found = difference(&pair, &one, &other)?;
            let tells = difference(&pair, &timeless(&one), &timeless(&other)).is_some();
            Some((found, tells))
        });
        let (found, tells) = caught.unwrap_or_else(|| panic!("{name} is not caught"));
        println!("{name}: {found}");
        assert_eq!(tells, by_bytes, "{name}: a delay, or bytes? {found}");
    }
    println!("count planted leaks caught {}", LEAKS.len());
}
