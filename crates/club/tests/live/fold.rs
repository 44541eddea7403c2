//! A table is the fold of its rows: random games, without tasks.

use club::{
    Code, ToldItem,
    table::{Asked, Circumstances, Judged, Presence, Request, Table},
};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;
use referee::{Event, Game, Opened, StartPosition};
use rules::{
    Attempt, Calls, Listener, Try, Winner,
    chess::{ByColor, Color, Square},
    rulesets,
};
use store::{AccountId, Act, GameId, GameRecord, RequestId, Row};

use crate::common::{BLITZ, terms};

struct Played {
    record: GameRecord,
    rows: Vec<Row>,
    table: Table,
    /// What the referee has each listener hear, event by event.
    heard: [Vec<Vec<ToldItem>>; 3],
}

fn told(calls: &Calls, listener: Listener) -> Vec<ToldItem> {
    calls
        .iter()
        .filter(|call| call.audience.includes(listener))
        .map(|call| ToldItem::Heard(call.heard))
        .collect()
}

fn attempt(rng: &mut ChaCha8Rng, tries: &[Try]) -> Attempt {
    match rng.random_range(0..40) {
        0 => Attempt::Any,
        1 => Attempt::Count,
        2 => Attempt::Recap,
        3 => Attempt::OfferDraw,
        4 => Attempt::DeclineDraw,
        5 => Attempt::WithdrawDraw,
        6 => Attempt::Px { promotion: None },
        7..=9 => {
            let square = |rng: &mut ChaCha8Rng| Square::new(rng.random_range(0..64));
            Attempt::Try(Try::step(square(rng), square(rng)))
        }
        _ => tries
            .choose(rng)
            .map_or(Attempt::Resign, |t| Attempt::Try(*t)),
    }
}

fn play(seed: u64, attempts: u32) -> Played {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let ruleset = rulesets::ALL.choose(&mut rng).expect("there are rulesets");
    let opened = Opened::new(ruleset, ruleset.choices, StartPosition::initial());
    let record = GameRecord {
        id: GameId::from_chance(seed),
        players: ByColor {
            white: AccountId(1),
            black: AccountId(2),
        },
        terms: terms(&ruleset.id, BLITZ),
        at: 0,
        over: None,
    };
    let mut game = Game::open(opened.clone());
    let mut rows = vec![Row {
        seq: 0,
        at: 0,
        act: Act::Game(Event::Opened(Box::new(opened))),
        request: None,
    }];
    let opening = game.opening_calls();
    let mut heard = Listener::ALL.map(|listener| {
        let mut all = vec![ToldItem::Start(game.start(listener))];
        all.extend(told(&opening, listener));
        vec![all]
    });
    let mut table = Table::open(&record, &rows).expect("a log");
    for i in 0..attempts {
        if table.over().is_some() {
            break;
        }
        let turn = game.to_move().expect("it goes on");
        let seat = if rng.random_range(0..20) == 0 {
            !turn
        } else {
            turn
        };
        let view = table.seat_view(seat).expect("a seat");
        let request = Request {
            seat,
            id: RequestId(format!("{i}")),
            after: view.n,
            asked: Asked::Attempt(attempt(&mut rng, &view.view.tries())),
        };
        let circumstances = Circumstances {
            now: i64::from(i) * 100,
            presence: Presence::default(),
            lot: GameId::from_chance(0),
        };
        let before = table.clone();
        match table.judge(&request, &circumstances) {
            Err(error) => assert_ne!(error.code, Code::Invalid),
            Ok(Judged::Append(judged)) => {
                for new in judged.rows {
                    let row = Row {
                        seq: table.rows(),
                        at: new.at,
                        act: new.act,
                        request: new.request,
                    };
                    let Act::Game(event) = &row.act else {
                        panic!("an attempt is an event of the game")
                    };
                    let calls = game.calls(event);
                    game.apply(event);
                    let applied = table.apply(&row);
                    for (listener, heard) in Listener::ALL.into_iter().zip(&mut heard) {
                        let told = told(&calls, listener);
                        assert_eq!(applied.hearing(listener).is_some(), !told.is_empty());
                        if told.is_empty() {
                            unchanged(&before, &table, listener);
                        } else {
                            heard.push(told);
                        }
                    }
                    rows.push(row);
                }
                // The same again is answered and not judged.
                let again = table.judge(&request, &circumstances);
                assert!(matches!(again, Ok(Judged::Answered(_))), "{again:?}");
            }
            Ok(other) => panic!("{other:?}"),
        }
    }
    Played {
        record,
        rows,
        table,
        heard,
    }
}

/// Nothing that this listener is given is other than before.
fn unchanged(before: &Table, after: &Table, listener: Listener) {
    let presence = Presence::default();
    assert_eq!(before.hearings(listener), after.hearings(listener));
    assert_eq!(
        before.standing(listener, &presence),
        after.standing(listener, &presence)
    );
    if let Some(color) = listener.color() {
        assert_eq!(before.seat_view(color), after.seat_view(color));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn a_table_is_the_fold_of_its_rows(seed in any::<u64>()) {
        let played = play(seed, 160);
        for (listener, heard) in Listener::ALL.into_iter().zip(&played.heard) {
            let hearings = played.table.hearings(listener);
            prop_assert_eq!(hearings.len(), heard.len());
            for (n, (hearing, heard)) in (1..).zip(hearings.iter().zip(heard)) {
                prop_assert_eq!(hearing.n, n);
                prop_assert_eq!(&hearing.heard[..], &heard[..]);
            }
        }
        let again = Table::open(&played.record, &played.rows).expect("a log");
        prop_assert_eq!(&again, &played.table);
        // A seat that made no attempt of its own has no secret in the standing.
        for color in Color::ALL {
            let view = played.table.seat_view(color).expect("a seat");
            prop_assert_eq!(view.n as usize, played.table.hearings(color.into()).len());
        }
    }
}

#[test]
fn a_log_that_is_no_games_is_refused() {
    let played = play(1, 50);
    assert!(Table::open(&played.record, &[]).is_err());
    assert!(Table::open(&played.record, &played.rows[1..]).is_err());
    let mut gap = played.rows.clone();
    gap.remove(2);
    assert!(Table::open(&played.record, &gap).is_err());
}

/// How fast: `cargo run --release -p club --example resume`.
#[test]
fn a_log_of_ten_thousand_rows_is_read() {
    let ruleset = rulesets::by_id("wild16").expect("a named ruleset");
    let opened = Opened::new(ruleset, ruleset.choices, StartPosition::initial());
    let mut game = Game::open(opened.clone());
    let played = play(0, 0);
    let record = played.record;
    let mut rows = vec![Row {
        seq: 0,
        at: 0,
        act: Act::Game(Event::Opened(Box::new(opened))),
        request: None,
    }];
    for seq in 1..10_000 {
        let text = if seq % 2 == 1 {
            "offer-draw"
        } else {
            "withdraw-draw"
        };
        let ruling = game.judge(Color::White, text.parse().expect("a word"));
        let event = ruling.expect("it may be said").event;
        game.apply(&event);
        rows.push(Row {
            seq,
            at: i64::from(seq),
            act: Act::Game(event),
            request: Some((Color::White, RequestId(format!("{seq}")))),
        });
    }
    let table = Table::open(&record, &rows).expect("a log");
    assert_eq!(table.hearings(Listener::White).len(), 10_000);
}

#[test]
fn time_against_a_bare_king_draws() {
    let ruleset = rulesets::by_id("wild16").expect("a named ruleset");
    for (fen, winner) in [
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", Winner::Draw),
        ("4k3/7p/8/8/8/8/8/R3K3 w - - 0 1", Winner::Black),
    ] {
        let start = StartPosition::from_fen(fen, &ruleset.choices).expect("a position");
        let opened = Opened::new(ruleset, ruleset.choices, start);
        let mut game = Game::open(opened.clone());
        let mut rows = vec![Row {
            seq: 0,
            at: 0,
            act: Act::Game(Event::Opened(Box::new(opened))),
            request: None,
        }];
        for (seq, color, text) in [(1, Color::White, "e1e2"), (2, Color::Black, "e8e7")] {
            let ruling = game.judge(color, text.parse().expect("a try"));
            let event = ruling.expect("a ruling").event;
            game.apply(&event);
            rows.push(Row {
                seq,
                at: i64::from(seq),
                act: Act::Game(event),
                request: None,
            });
        }
        let table = Table::open(&play(0, 0).record, &rows).expect("a log");
        let deadline = table.deadline().expect("White's clock runs");
        assert_eq!(deadline, 300_002);
        assert_eq!(table.judge_due(deadline - 1), None);
        let due = table.judge_due(deadline).expect("his time is up");
        assert_eq!(due.over.expect("an end").winner, winner);
    }
}
