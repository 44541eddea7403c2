//! Property tests that a table depends only on the rows of its log. The tests play random games at
//! the table alone, without the tasks of a club.

use club::{
    HeardItem,
    table::{Asked, Body, Circumstances, Examined, ListenerState, Presence, Request, Table},
};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;
use referee::{Event, Game, Opened, StartPosition};
use rules::{
    Attempt, ByListener, Calls, Listener, Try, Winner,
    chess::{ByColor, Color, Square},
    rulesets,
};
use store::{AccountId, Act, GameId, GameRecord, RequestId, Row};
use wire::RefusalCode;

use crate::common::{BLITZ, terms};

struct Played {
    record: GameRecord,
    rows: Vec<Row>,
    table: Table,
    states: ByListener<ListenerState>,
    /// Items that each listener must hear for each event, according to the referee.
    heard: ByListener<Vec<Vec<HeardItem>>>,
}

fn heard_by(calls: &Calls, listener: Listener) -> Vec<HeardItem> {
    calls
        .iter()
        .filter(|call| call.audience.includes(listener))
        .map(|call| HeardItem::Heard(call.heard))
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
    let ruleset = rulesets::ALL.choose(&mut rng).unwrap();
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
    let mut heard = ByListener::new_with(|listener| {
        let mut all = vec![HeardItem::Start(game.start(listener))];
        all.extend(heard_by(&opening, listener));
        vec![all]
    });
    let (mut table, mut states) = Table::open(&record, &rows).unwrap();
    for i in 0..attempts {
        if table.over().is_some() {
            break;
        }
        let turn = game.to_move().unwrap();
        let seat = if rng.random_range(0..20) == 0 {
            !turn
        } else {
            turn
        };
        let view = states.get(seat.into()).seat_view().unwrap();
        let attempt = attempt(&mut rng, &view.view.tries());
        let request = Request {
            seat,
            id: RequestId(format!("{i}")),
            body: Body::Say {
                after: view.n,
                text: attempt.to_string(),
            },
        };
        let circumstances = Circumstances {
            now: i64::from(i) * 100,
            presence: Presence::default(),
            next_game: GameId::from_chance(0),
        };
        let asked = Asked::Attempt(attempt);
        match states.get(seat.into()).examine(&request) {
            Err(error) => {
                assert_ne!(error.code, RefusalCode::Invalid);
                continue;
            }
            Ok(examined) => assert_eq!(examined, Examined::Admitted(asked.clone())),
        }
        let judged = table.judge(seat, &request.id, asked, &circumstances);
        let Ok(judged) = judged else { continue };
        let before = (table.clone(), states.clone());
        let row = Row {
            seq: table.rows(),
            at: judged.row.at,
            act: judged.row.act,
            request: judged.row.request,
        };
        let Act::Game(event) = &row.act else {
            panic!("an attempt is an event of the game")
        };
        let calls = game.calls(event);
        // The calls of the judgement are equal to the calls of the row. So a club need not compute
        // them again.
        assert_eq!(judged.calls, calls);
        game.apply(event);
        for (listener, update) in table.apply(&row, &judged.calls) {
            let heard_now = heard_by(&calls, listener);
            assert_eq!(update.hearing.is_some(), !heard_now.is_empty());
            let said = states.get_mut(listener).take(update);
            assert_eq!(said.is_some(), listener == seat.into());
            if let Some(said) = said {
                // The repeated request gets the earlier answer and is not judged again.
                let again = states.get(listener).examine(&request);
                assert_eq!(again, Ok(Examined::Answered(said)));
            }
            if heard_now.is_empty() {
                unchanged(&before, (&table, &states), listener);
            } else {
                heard.get_mut(listener).push(heard_now);
            }
        }
        rows.push(row);
    }
    Played {
        record,
        rows,
        table,
        states,
        heard,
    }
}

/// Checks that nothing has changed for this listener.
fn unchanged(
    before: &(Table, ByListener<ListenerState>),
    after: (&Table, &ByListener<ListenerState>),
    listener: Listener,
) {
    let presence = Presence::default();
    assert_eq!(
        before.0.standing(listener, &presence),
        after.0.standing(listener, &presence)
    );
    let (before, after) = (before.1.get(listener), after.1.get(listener));
    assert_eq!(before.hearings(), after.hearings());
    assert_eq!(before.seat_view(), after.seat_view());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn a_table_is_computed_from_its_rows_alone(seed in any::<u64>()) {
        let played = play(seed, 160);
        for (listener, heard) in played.heard {
            let hearings = played.states.get(listener).hearings();
            prop_assert_eq!(hearings.len(), heard.len());
            for (n, (hearing, heard)) in (1..).zip(hearings.iter().zip(&heard)) {
                prop_assert_eq!(hearing.n, n);
                prop_assert_eq!(&hearing.heard[..], &heard[..]);
            }
        }
        let (table, states) = Table::open(&played.record, &played.rows).unwrap();
        prop_assert_eq!(&table, &played.table);
        prop_assert_eq!(&states, &played.states);
        // The view has the number of the seat's last hearing.
        for color in Color::ALL {
            let state = states.get(color.into());
            let view = state.seat_view().unwrap();
            prop_assert_eq!(view.n as usize, state.hearings().len());
        }
    }
}

#[test]
fn rows_that_are_no_log_are_refused() {
    let played = play(1, 50);
    assert!(Table::open(&played.record, &[]).is_err());
    assert!(Table::open(&played.record, &played.rows[1..]).is_err());
    let mut gap = played.rows.clone();
    gap.remove(2);
    assert!(Table::open(&played.record, &gap).is_err());
}

/// This test does not measure the speed; `cargo run --release -p kriegspiel-club --example
/// resume` does.
#[test]
fn a_log_of_ten_thousand_rows_is_read() {
    let ruleset = rulesets::by_id("wild16").unwrap();
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
        let ruling = game.judge(Color::White, text.parse().unwrap());
        let event = ruling.unwrap().event;
        game.apply(&event);
        rows.push(Row {
            seq,
            at: i64::from(seq),
            act: Act::Game(event),
            request: Some((Color::White, RequestId(format!("{seq}")))),
        });
    }
    let (_, states) = Table::open(&record, &rows).unwrap();
    assert_eq!(states.white.hearings().len(), 10_000);
}

#[test]
fn flag_fall_against_a_bare_king_is_a_draw() {
    let ruleset = rulesets::by_id("wild16").unwrap();
    for (fen, winner) in [
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", Winner::Draw),
        ("4k3/7p/8/8/8/8/8/R3K3 w - - 0 1", Winner::Black),
    ] {
        let start = StartPosition::from_fen(fen, &ruleset.choices).unwrap();
        let opened = Opened::new(ruleset, ruleset.choices, start);
        let mut game = Game::open(opened.clone());
        let mut rows = vec![Row {
            seq: 0,
            at: 0,
            act: Act::Game(Event::Opened(Box::new(opened))),
            request: None,
        }];
        for (seq, color, text) in [(1, Color::White, "e1e2"), (2, Color::Black, "e8e7")] {
            let ruling = game.judge(color, text.parse().unwrap());
            let event = ruling.unwrap().event;
            game.apply(&event);
            rows.push(Row {
                seq,
                at: i64::from(seq),
                act: Act::Game(event),
                request: None,
            });
        }
        let (table, _) = Table::open(&play(0, 0).record, &rows).unwrap();
        let deadline = table.deadline().unwrap();
        assert_eq!(deadline, 300_002);
        assert_eq!(table.judge_due(deadline - 1), None);
        let due = table.judge_due(deadline).unwrap();
        assert_eq!(due.over().unwrap().winner, winner);
    }
}

/// A club appends some rows by itself: credits, flag falls, aborts. At any moment, only a few such
/// rows are due, and after them no further row is due. Otherwise a club would append rows until the
/// disk is full.
#[test]
fn a_club_appends_only_a_few_rows_by_itself() {
    const MAX: usize = 3;
    // A shorter time without renewals is no outage.
    const MIN_OUTAGE: i64 = 1_201;
    let mut appended = [0; MAX + 1];
    for seed in 0..8 {
        for attempts in [0, 1, 2, 3, 12] {
            let played = play(seed, attempts);
            let last = played.rows.last().unwrap().at;
            for is_paused in [false, true] {
                for after in [
                    0,
                    1,
                    1_999,
                    2_001,
                    29_999,
                    30_001,
                    299_000,
                    310_000,
                    40_000_000_000,
                ] {
                    for outage in [
                        None,
                        Some(0),
                        Some(last - 1),
                        Some(last),
                        Some(last + 1_000),
                    ] {
                        let mut rows = played.rows.clone();
                        let mut table = played.table.clone();
                        let now = last + after;
                        let outage = outage.filter(|from| now - from >= MIN_OUTAGE);
                        let mut add = |table: &mut Table, at, act| {
                            let row = Row {
                                seq: table.rows(),
                                at,
                                act,
                                request: None,
                            };
                            rows.push(row);
                            *table = Table::open(&played.record, &rows).unwrap().0;
                        };
                        if is_paused && let Some(pause) = table.judge_pause(last) {
                            add(&mut table, pause.row.at, pause.row.act);
                        }
                        let mut count = 0;
                        while let Some(due) = outage
                            .and_then(|from| table.judge_outage(from, now, now))
                            .or_else(|| table.judge_credit(None, now))
                            .or_else(|| table.judge_due(now))
                        {
                            count += 1;
                            assert!(
                                count <= MAX,
                                "{seed} {attempts} {is_paused} {after} {outage:?}: {:?}",
                                due.row.act
                            );
                            add(&mut table, due.row.at, due.row.act);
                        }
                        appended[count] += 1;
                    }
                }
            }
        }
    }
    // The test is not empty: in many cases no row was due, and in many cases one row.
    assert!(appended[0] > 100 && appended[1] > 100, "{appended:?}");
}
