//! Compares a belief that computed the opponent's replies in advance with a belief that did not.
//!
//! `KRIEGSPIEL_AHEAD_GAMES` is the number of games.

use std::sync::{Arc, atomic::AtomicBool};

use belief::{Belief, Origin, Report, Settings, Watch};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use referee::{Event, Game};
use rules::{Announcement, Calls, Heard, Listener, chess::Color, rulesets};
use testkit::self_play::Play;

/// Number of turns that are compared in a game.
const TURNS: usize = 24;

fn heard(calls: &Calls, listener: Listener) -> Vec<Heard> {
    let mine = calls.iter().filter(|call| call.audience.includes(listener));
    mine.map(|call| call.heard).collect()
}

/// Plays a game of random moves. Returns two counts of the opponent's turns: the turns in which
/// the belief had expected the reply, and all turns. If `cuts` is true, the updates ask a function
/// whether they must stop early. The function always returns false.
fn play(index: u64, limit: usize, cuts: bool) -> (usize, usize) {
    let mut rng = ChaCha8Rng::seed_from_u64(0x61_6865_6164 ^ index);
    let ruleset = &rulesets::ALL[(index % 16) as usize];
    let mut game = Game::from(ruleset);
    let seat = Color::ALL[(index / 16 % 2) as usize];
    let listener = Listener::from(seat);
    let settings = Settings {
        limit,
        spread: 0.5,
        invented: 0.2,
        rebuild_work: Some(5_000),
        ..Settings::default()
    };
    let start = game.start(listener);
    let mut usual = Belief::open(ruleset.choices, seat, &start, &Origin::Usual, settings)
        .expect("the belief can be opened");
    let mut ahead = usual.clone();
    let watch = if cuts {
        Watch::cut_if(|| false)
    } else {
        Watch::default()
    };
    let (mut expected, mut turns) = (0, 0);
    let mut told = heard(&game.opening_calls(), listener);
    for one in &told {
        assert_eq!(usual.hear(one), ahead.hear(one));
    }
    for _ in 0..TURNS {
        let mut foresight = None;
        if game.to_move() == Some(!seat) {
            let stopped = Arc::new(AtomicBool::new(true));
            assert!(ahead.look_ahead(cuts, &stopped).is_none());
            let go = Arc::new(AtomicBool::new(false));
            foresight = ahead.look_ahead(cuts, &go);
        }
        let report = foresight.as_ref().map(|foresight| *foresight.report());
        told.clear();
        for attempt in Play::Quiet.turn(&game, &mut rng) {
            let Some(by) = game.to_move() else { break };
            let Ok(ruling) = game.judge(by, attempt) else {
                continue;
            };
            game.apply(&ruling.event);
            told.extend(heard(&ruling.calls, listener));
            if matches!(ruling.event, Event::Moved { .. }) {
                break;
            }
        }
        for one in &told {
            assert_eq!(
                usual.hear_watched(one, &watch),
                ahead.hear_ahead(one, &watch, &mut foresight)
            );
        }
        assert!(usual == ahead, "{}, game {index}", ruleset.id);
        turns += usize::from(report.is_some());
        expected += usize::from(report == Some(reported(&told)));
        if game.to_move().is_none() {
            break;
        }
    }
    (expected, turns)
}

/// Returns what was heard about one move, as a report. The report leaves out drops, promotions
/// and the end of the game.
fn reported(told: &[Heard]) -> Report {
    let mut report = Report::default();
    for one in told {
        match *one {
            Heard::Announced(Announcement::Check { directions }) => report.check = Some(directions),
            Heard::Announced(Announcement::Tries(tries)) => report.tries = tries,
            Heard::Announced(Announcement::Capture(capture)) => report.capture = Some(capture),
            Heard::Lost { square, man } => report.lost = Some((square, man)),
            Heard::Reply(_) | Heard::Announced(_) | Heard::Draw(_) | Heard::Over(_) => {}
        }
    }
    report
}

#[test]
fn belief_updated_in_advance_equals_the_usual_belief() {
    let games = std::env::var("KRIEGSPIEL_AHEAD_GAMES")
        .map_or(12, |games| games.parse().expect("the variable is a number"));
    let (mut expected, mut turns) = (0, 0);
    for index in 0..games {
        let (e, t) = play(index, 1_500, index % 3 == 0);
        (expected, turns) = (expected + e, turns + t);
    }
    println!("figure: turns {turns} of which expected {expected}");
    assert!(expected * 5 > turns && turns > 100, "{expected} of {turns}");
}
