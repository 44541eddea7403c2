//! Tests everything that a listener gets: the form, the order, and whether views can
//! be rebuilt from it. Also tests that crates for players do not depend on the
//! referee.

use std::{collections::BTreeSet, fs, path::Path};

use referee::Game;
use rules::{
    Announcement, Answer, Attempt, DrawTalk, Heard, Listener, Reply, Try, Verdict,
    chess::{Color, Square},
};
use serde_json::Value;
use testkit::pairs::{ListenerView, Pair, heard_by};
use wire::{HeardJson, player_view, spectator_view};

const SEED: u64 = 3;

/// Plays the first game of a pair again. After every event, calls `each` with the
/// game and with what each of the three listeners heard.
fn replay(pair: &Pair, mut each: impl FnMut(&Game, [&[Heard]; 3])) {
    let log = pair.log(0);
    let mut game = Game::open(pair.opened[0].clone());
    let heard = |calls: &rules::Calls| Listener::ALL.map(|who| heard_by(who, calls));
    let opening = heard(&game.opening_calls());
    each(&game, opening.each_ref().map(Vec::as_slice));
    for event in &log[1..] {
        let heard = heard(&game.calls(event));
        game.apply(event);
        each(&game, heard.each_ref().map(Vec::as_slice));
    }
}

#[test]
fn views_rebuilt_from_json_equal_the_live_views() {
    for index in 0..60 {
        let pair = Pair::make(SEED, index);
        let first = Game::open(pair.opened[0].clone());
        let choices = *pair.choices();
        let mut live = Listener::ALL.map(|who| ListenerView::open(choices, who, &first.start(who)));
        // The messages that each listener received, as text, with one message in each line.
        let mut sent = Listener::ALL.map(|who| {
            let start = HeardJson::from(&first.start(who));
            vec![serde_json::to_string(&[start]).unwrap()]
        });
        replay(&pair, |_, heard| {
            for (i, who) in Listener::ALL.into_iter().enumerate() {
                if heard[i].is_empty() {
                    continue;
                }
                for one in heard[i] {
                    live[i].hear(one);
                }
                let list: Vec<HeardJson> = heard[i].iter().map(HeardJson::from).collect();
                sent[i].push(serde_json::to_string(&list).unwrap());
                let all: Vec<HeardJson> = sent[i]
                    .iter()
                    .flat_map(|line| serde_json::from_str::<Vec<HeardJson>>(line).unwrap())
                    .collect();
                let rebuilt = match who.color() {
                    Some(color) => {
                        ListenerView::Seat(Box::new(player_view(choices, color, &all).unwrap()))
                    }
                    None => ListenerView::Room(Box::new(spectator_view(choices, &all).unwrap())),
                };
                assert_eq!(rebuilt, live[i], "pair {index}, {who:?}");
                assert_eq!(rebuilt.tries(), live[i].tries());
            }
        });
    }
}

#[test]
fn refusals_and_nonsense_are_equal_in_both_games() {
    let mut compared = 0_u64;
    for index in 0..120 {
        let pair = Pair::make(SEED, index);
        let Some(color) = pair.listener.color() else {
            continue;
        };
        let games = [0, 1].map(|which| {
            let log = pair.log(which);
            Game::replay(&log).unwrap()
        });
        for from in Square::ALL {
            for to in Square::ALL {
                let attempt = Attempt::Try(Try::step(from, to));
                let told = games.each_ref().map(|game| {
                    let answer = game.judge(color, attempt).map(|ruling| ruling.answer());
                    answer.map(|answer| {
                        let unseen = [Answer::Nonsense, Answer::RepeatNo].contains(&answer);
                        unseen.then_some(answer)
                    })
                });
                assert_eq!(told[0], told[1], "pair {index}, {attempt}");
                compared += 1;
            }
        }
    }
    assert!(compared > 100_000);
}

/// Returns the place of an item. The items of one event must be heard in the order of their places.
fn place(heard: &Heard) -> u8 {
    match heard {
        Heard::Reply(Reply::Verdict { .. })
        | Heard::Reply(Reply::Any { .. })
        | Heard::Reply(Reply::Rebuffs { .. })
        | Heard::Reply(Reply::Recap { .. })
        | Heard::Draw(DrawTalk::Offer { .. })
        | Heard::Draw(DrawTalk::Declined { .. })
        | Heard::Draw(DrawTalk::Withdrawn { .. }) => 0,
        Heard::Lost { .. } => 1,
        Heard::Announced(Announcement::Capture(_)) => 2,
        Heard::Announced(Announcement::Drop { .. }) => 3,
        Heard::Announced(Announcement::Promotion { .. }) => 4,
        Heard::Announced(Announcement::Check { .. }) => 5,
        Heard::Announced(Announcement::Tries(_)) => 6,
        Heard::Announced(Announcement::Turn { .. }) => 7,
        Heard::Over(_) => 8,
    }
}

#[test]
fn calls_of_an_event_are_in_order_without_repetition() {
    for index in 0..400 {
        replay(&Pair::make(SEED, index), |_, heard| {
            for heard in heard {
                let places: Vec<u8> = heard.iter().map(place).collect();
                assert!(places.is_sorted_by(|a, b| a < b), "{heard:?}");
                let ends = places.iter().filter(|p| **p >= 7).count();
                let moved = heard.iter().any(|h| {
                    matches!(
                        h,
                        Heard::Reply(Reply::Verdict {
                            verdict: Verdict::Moved,
                            ..
                        })
                    )
                });
                assert!(ends == 1 || !moved, "{heard:?}");
            }
        });
    }
}

/// Keys that the JSON for a listener may contain. Before you add a key, check that its value does
/// not depend on the number of events that the listener does not hear.
const KEYS: [&str; 19] = [
    "kind",
    "by",
    "attempt",
    "answer",
    "square",
    "man",
    "en_passant",
    "directions",
    "any",
    "count",
    "squares",
    "double",
    "to_move",
    "said",
    "result",
    "reason",
    "rules",
    "men",
    "castling",
];

fn look(value: &Value, kind: &str, keys: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => {
            let kind = object.get("kind").and_then(Value::as_str).unwrap_or(kind);
            for (key, value) in object {
                keys.insert(key.clone());
                look(value, kind, keys);
            }
        }
        Value::Array(list) => {
            let squares: Vec<Square> = list
                .iter()
                .filter_map(|v| v.as_str()?.parse().ok())
                .collect();
            assert!(squares.is_sorted(), "squares out of order: {list:?}");
            for value in list {
                look(value, kind, keys);
            }
        }
        // The only numbers are the counts of pawn tries and of rebuffs.
        Value::Number(_) => assert!(matches!(kind, "tries" | "rebuffs"), "{kind}: {value}"),
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

#[test]
fn json_has_only_known_keys_no_counters_and_sorted_squares() {
    let mut keys = BTreeSet::new();
    for index in 0..200 {
        let pair = Pair::make(SEED, index);
        let game = Game::open(pair.opened[0].clone());
        for who in Listener::ALL {
            let start = HeardJson::from(&game.start(who));
            look(&serde_json::to_value(start).unwrap(), "", &mut keys);
        }
        replay(&pair, |_, heard| {
            for one in heard.into_iter().flatten() {
                let value = serde_json::to_value(HeardJson::from(one)).unwrap();
                if matches!(one, Heard::Over(_)) {
                    assert_eq!(
                        value.as_object().unwrap().len(),
                        3,
                        "`over` has the keys `kind`, `result` and `reason`"
                    );
                }
                look(&value, "", &mut keys);
            }
        });
    }
    // These keys belong to the reserves, which are public if men can be dropped.
    for public in ["reserves", "white", "black"] {
        keys.remove(public);
    }
    let known: BTreeSet<String> = KEYS.iter().map(|key| (*key).to_owned()).collect();
    assert_eq!(keys, known);
}

#[test]
fn tries_are_listed_once_and_only_in_the_own_turn() {
    for index in 0..120 {
        let pair = Pair::make(SEED, index);
        let first = Game::open(pair.opened[0].clone());
        let mut live = Color::ALL
            .map(|c| ListenerView::open(*pair.choices(), c.into(), &first.start(c.into())));
        replay(&pair, |game, heard| {
            for ((view, heard), color) in live.iter_mut().zip(heard).zip(Color::ALL) {
                for one in heard {
                    view.hear(one);
                }
                let tries = view.tries();
                let each: BTreeSet<&Try> = tries.iter().collect();
                assert_eq!(each.len(), tries.len(), "no try may be listed twice");
                assert!(tries.is_empty() || game.to_move() == Some(color));
            }
        });
    }
}

/// Crates that speak to players or think for them. These crates must not depend on the referee.
const BLIND: [&str; 7] = [
    "game/rules",
    "game/views",
    "game/notation",
    "game/wire",
    "mind/belief",
    "mind/solver",
    "mind/bots",
];

#[test]
fn crates_with_texts_for_players_do_not_use_the_referee() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for speaker in BLIND {
        let manifest = fs::read_to_string(root.join(speaker).join("Cargo.toml")).unwrap();
        let (dependencies, _dev) = manifest
            .split_once("[dev-dependencies]")
            .unwrap_or((&manifest, ""));
        assert!(
            !dependencies.lines().any(|line| line.starts_with("referee")),
            "{speaker} depends on the referee"
        );
        let mut folders = vec![root.join(speaker).join("src")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                for line in fs::read_to_string(&path).unwrap().lines() {
                    let code = line.split("//").next().unwrap_or_default();
                    assert!(
                        !code.contains("referee::") && !code.contains("extern crate"),
                        "{}: {line}",
                        path.display()
                    );
                }
            }
        }
    }
}
