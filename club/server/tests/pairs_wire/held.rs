//! The store commits in long ticks. A private try that waits for a tick does not delay other
//! listeners.

use std::{sync::Arc, time::Duration};

use referee::{Game, Opened, StartPosition};
use rules::{Attempt, Listener, Ruleset, chess::Color, rulesets};
use store::{
    MemoryStore,
    testing::{Tapped, Ticks},
};
use testkit::pairs::{Happening, Pair, Step, heard_by};

use crate::{played_upon, transcript::first_difference};

/// Returns a pair of games. White makes a private illegal try in only one game. Then, in both
/// games, Black offers a draw and makes every request that a listener can make.
fn pair(ruleset: &Ruleset, private: &str) -> Pair {
    let opened = Opened::new(ruleset, ruleset.choices, StartPosition::initial());
    let private = private.parse().unwrap();
    let whisper = Happening::Asked(Color::White, Attempt::Try(private));
    let offer = Happening::Asked(Color::Black, Attempt::OfferDraw);
    Pair {
        index: 0,
        listener: Listener::Black,
        opened: [opened.clone(), opened],
        steps: vec![
            Step {
                happenings: [vec![whisper], vec![]],
            },
            Step {
                happenings: [vec![offer], vec![offer]],
            },
        ],
    }
}

/// Plays both games of the pair over stores that commit in ticks of this interval. Returns the
/// difference that the listener can observe between the games, if there is one.
fn difference(pair: &Pair, interval: Duration) -> Option<String> {
    let store = || {
        let store = MemoryStore::default();
        let around = Ticks::every(interval);
        Arc::new(Tapped { store, around })
    };
    let [(one, one_played), (other, other_played)] =
        [0, 1].map(|which| played_upon(store, pair, which));
    assert_eq!((one_played, other_played), (Ok(()), Ok(())));
    let counts = one.counts;
    assert!(counts.asked > 15 && counts.attempts == 2 && counts.whispers == 1);
    first_difference(pair, [&one, &other]).map(|difference| difference.to_string())
}

/// The opponent must get the same messages and answers, at the same times, as in the game without
/// the private try.
#[test]
fn a_delayed_private_try_does_not_delay_the_opponent() {
    let mut private = 0;
    // Illegal tries: a pawn's capture on an empty square, and a king's move over three squares.
    let tries = ["e2d3", "e1e4"];
    for (ruleset, text) in rulesets::ALL.iter().flat_map(|r| tries.map(|t| (r, t))) {
        let pair = pair(ruleset, text);
        let game = Game::open(pair.opened[0].clone());
        let ruling = pair.steps[0].happenings[0][0].judged(&game).unwrap();
        if !heard_by(Listener::Black, &ruling.calls).is_empty() {
            continue;
        }
        private += 1;
        for interval in [7, 300] {
            let told = difference(&pair, Duration::from_millis(interval));
            assert_eq!(told, None, "{} {text}, ticks of {interval} ms", ruleset.id);
        }
    }
    assert!(
        private > 4,
        "the try must be private under several rulesets"
    );
    println!("figure: private tries that wait for a tick {private}");
}
