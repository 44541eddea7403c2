//! The store delays the append of a private try. The tests check that this does not delay other
//! listeners.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use referee::{Game, Opened, StartPosition};
use rules::{Attempt, Listener, Ruleset, chess::Color, rulesets};
use store::{
    NewRow, Store,
    testing::{Gate, Late},
};
use testkit::pairs::{Happening, Pair, Step, heard_by};
use tokio::sync::Semaphore;

use crate::{late, played_upon, transcript::first_difference};

/// Returns a pair of games. White makes a private illegal try in only one game. Then, in both
/// games, Black offers a draw and makes every request that a listener can make.
fn pair(ruleset: &Ruleset, private: &str) -> Pair {
    let opened = Opened::new(ruleset, ruleset.choices, StartPosition::initial());
    let private = private.parse().expect("the text is a try");
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

/// Returns a store in which an append of White's row never finishes, and a counter of such appends.
/// If `after` is true, the row is stored but the append does not return. Otherwise the row is not
/// stored.
fn holding(after: bool) -> (Arc<dyn Store>, Arc<AtomicU32>) {
    let held = Arc::<AtomicU32>::default();
    let counted = Arc::clone(&held);
    let gate = Arc::new(Semaphore::new(0));
    let hold: Box<Gate> = Box::new(move |rows: &[NewRow]| {
        let white = |row: &NewRow| matches!(row.request, Some((Color::White, _)));
        rows.iter().any(white).then(|| {
            counted.fetch_add(1, Ordering::Relaxed);
            Arc::clone(&gate)
        })
    });
    let free: Box<Gate> = Box::new(|_: &[NewRow]| None);
    let store = if after {
        Late::holding(free, hold)
    } else {
        Late::holding(hold, free)
    };
    (late(store), held)
}

/// Plays both games of the pair. Returns the difference that the listener can observe between the
/// games, if there is one.
fn difference(pair: &Pair, after: bool) -> Option<String> {
    let (store, held) = holding(after);
    // `played_upon` also checks that the stored events are the events of the pair. The result of
    // this check is ignored here, because White's row is not stored, or its append does not return.
    let (one, _) = played_upon(store, pair, 0);
    assert_eq!(
        held.load(Ordering::Relaxed),
        1,
        "one try of White is held back"
    );
    let (store, held) = holding(after);
    let (other, played) = played_upon(store, pair, 1);
    assert_eq!(held.load(Ordering::Relaxed), 0);
    assert_eq!(played, Ok(()));
    let counts = one.counts;
    assert!(counts.asked > 15 && counts.attempts == 2 && counts.whispers == 1);
    first_difference(pair, [&one, &other]).map(|difference| difference.to_string())
}

/// The append of the private try never finishes during the test. The opponent must get the same
/// messages and answers, at the same times, as in the game without this try.
#[test]
fn a_delayed_private_try_does_not_delay_the_opponent() {
    let mut private = 0;
    // Illegal tries: a pawn's capture on an empty square, and a king's move over three squares.
    let tries = ["e2d3", "e1e4"];
    for (ruleset, text) in rulesets::ALL.iter().flat_map(|r| tries.map(|t| (r, t))) {
        let pair = pair(ruleset, text);
        let game = Game::open(pair.opened[0].clone());
        let ruling = pair.steps[0].happenings[0][0].judged(&game);
        let ruling = ruling.expect("White may try it");
        if !heard_by(Listener::Black, &ruling.calls).is_empty() {
            continue;
        }
        private += 1;
        for after in [false, true] {
            let told = difference(&pair, after);
            assert_eq!(told, None, "{} {text}, held after: {after}", ruleset.id);
        }
    }
    assert!(
        private > 4,
        "the try must be private under several rulesets"
    );
    println!("figure: private tries made while the store is blocked {private}");
}
