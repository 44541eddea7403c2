//! Checks that the comparison detects each planted leak of this door. A planted
//! leak is a leak that is put into the code on purpose.

use club::leak;
use testkit::planted;

use crate::{difference, pair, played, test_club::Pieces};

/// Number of pairs within which every leak must be detected.
const CAUGHT_WITHIN: u64 = 20;

/// Name of every planted leak of this door, and whether the leak changes the
/// bytes. The other leaks change only the times at which bytes are sent.
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
        let (found, tells) = caught.unwrap_or_else(|| panic!("{name} was not detected"));
        println!("{name}: {found}");
        assert_eq!(
            tells, by_bytes,
            "{name}: wrong kind of difference (bytes or only times): {found}"
        );
    }
    println!("figure: planted leaks caught {}", LEAKS.len());
}
