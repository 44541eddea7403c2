//! Games in which moves take days.

use std::sync::Arc;

use club::{
    Clock as _, GameId, Millis, Terms, TimeControl,
    table::{Asked, Circumstances, Presence, Table},
};
use referee::{Event, Opened, StartPosition};
use rules::{
    Listener, Reason, Winner,
    chess::{
        ByColor,
        Color::{self, Black, White},
    },
    rulesets::WILD16,
};
use store::{
    AccountId, AccountKind, Act, GameRecord, MemoryStore, NewRow, RequestId, Row, Store,
    testing::{Tapped, opened_game},
};
use tokio::time::{Duration, advance, sleep};
use wire::RefusalCode;

use crate::{
    common::{Scene, TEST_START, TestClock, open, terms},
    outages::{SlowRows, stand_in, white_left},
};

const HOUR: Millis = 3_600_000;

const fn days(initial: Millis, increment: Millis, cap: Millis) -> TimeControl {
    TimeControl::Days {
        initial: initial * 24 * HOUR,
        increment: increment * 24 * HOUR,
        cap: cap * 24 * HOUR,
    }
}

/// Hour, what happens (a move; `stop` and `start`: the club closes and opens again), and the hours
/// that White and Black have left then.
type Step = (Millis, &'static str, Millis, Millis);

const EACH: [Step; 12] = [
    (0, "white e2e4", 72, 72),
    (20, "black e7e5", 72, 72),
    (50, "white d2d4", 72, 72),
    (60, "stop", 72, 62),
    (100, "start", 72, 62),
    (110, "black d7d5", 72, 72),
    (170, "white g1f3", 72, 72),
    (200, "black g8f6", 72, 72),
    (260, "white b1c3", 72, 72),
    (300, "stop", 72, 32),
    (310, "start", 72, 32),
    (336, "black b8c6", 72, 72),
];

const BANK: [Step; 10] = [
    (0, "white e2e4", 240, 240),
    (20, "black e7e5", 240, 240),
    (22, "white d2d4", 262, 240),
    (23, "black d7d5", 262, 263),
    (24, "white g1f3", 285, 263),
    (25, "black g8f6", 285, 286),
    (26, "white b1c3", 288, 286),
    (126, "black b8c6", 288, 210),
    (130, "stop", 284, 210),
    (336, "start", 284, 210),
];

fn opening() -> Opened {
    Opened::new(&WILD16, WILD16.choices, StartPosition::initial())
}

fn row(seq: u32, new: NewRow) -> Row {
    Row {
        seq,
        at: new.at,
        act: new.act,
        request: new.request,
    }
}

/// Plays the steps at a table that is read again from its log after each step.
fn played(time: TimeControl, steps: &[Step]) -> (GameRecord, Vec<Row>) {
    let record = GameRecord {
        id: GameId::from_chance(1),
        players: ByColor {
            white: AccountId(1),
            black: AccountId(2),
        },
        terms: terms("wild16", time),
        at: 0,
        over: None,
    };
    let act = Act::Game(Event::Opened(Box::new(opening())));
    let mut rows = vec![row(
        0,
        NewRow {
            at: 0,
            act,
            request: None,
        },
    )];
    for (hour, what, white, black) in steps {
        let (table, _) = Table::open(&record, &rows).unwrap();
        let now = hour * HOUR;
        assert_eq!(table.judge_due(now), None, "{what}");
        let judged = match *what {
            "stop" => table.judge_pause(now).unwrap(),
            "start" => table.judge_credit(None, now).unwrap(),
            _ => {
                let (by, text) = what.split_once(' ').unwrap();
                let by: Color = by.parse().unwrap();
                let circumstances = Circumstances {
                    now,
                    presence: Presence::default(),
                    next_game: GameId::from_chance(0),
                };
                let id = RequestId(what.replace(' ', "-"));
                let asked = Asked::Attempt(text.parse().unwrap());
                let judged = table.judge(by, &id, asked, &circumstances);
                judged.unwrap()
            }
        };
        rows.push(row(table.rows(), judged.row));
        let (table, _) = Table::open(&record, &rows).unwrap();
        let left = table.clocks().unwrap().left;
        let hours = (left.white / HOUR, left.black / HOUR);
        assert_eq!(hours, (*white, *black), "{what}");
    }
    (record, rows)
}

#[test]
fn a_fortnight_with_restarts_counts_days_up_to_the_cap() {
    for (time, steps, flag) in [
        (days(3, 3, 3), &EACH[..], 336 + 72),
        (days(10, 1, 12), &BANK[..], 336 + 284),
    ] {
        let (record, rows) = played(time, steps);
        let (table, _) = Table::open(&record, &rows).unwrap();
        assert_eq!(table.deadline(), Some(flag * HOUR));
        assert_eq!(table.judge_due(flag * HOUR - 1), None);
        let end = table.judge_due(flag * HOUR).and_then(|due| due.over());
        let end = end.unwrap();
        assert_eq!((end.winner, end.reason), (Winner::Black, Reason::Time));
    }
}

/// Nobody is there for years: only the clock ends the game.
#[test]
fn absence_does_not_end_a_game_of_days() {
    for moves in [0, 1, EACH.len()] {
        let (record, rows) = played(days(3, 3, 3), &EACH[..moves]);
        let (table, _) = Table::open(&record, &rows).unwrap();
        let presence = Presence {
            gone: ByColor {
                white: Some(0),
                black: Some(0),
            },
            came: ByColor {
                white: true,
                black: true,
            },
        };
        let late = 10_000 * 24 * HOUR;
        for (color, kind) in [(White, AccountKind::Person), (Black, AccountKind::Guest)] {
            let ended = table.judge_absence(color, kind, &presence, late);
            assert_eq!(ended, None, "{moves}");
            let standing = table.standing(color.into(), &presence);
            assert_eq!(standing.claim_from, None, "{moves}");
        }
        assert_eq!(table.judge_deserted(&presence, late), None, "{moves}");
        let end = table.judge_due(late).and_then(|due| due.over());
        let reason = if moves < 2 {
            Reason::Aborted
        } else {
            Reason::Time
        };
        assert_eq!(end.map(|end| end.reason), Some(reason), "{moves}");
    }
}

/// A club opens with a game that is a fortnight old, credits its own outage, and the flag falls.
#[tokio::test(start_paused = true)]
async fn a_flag_falls_after_a_fortnight_and_an_outage() {
    let (_, rows) = played(days(3, 3, 3), &EACH);
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let mut scene = Scene::over(Arc::clone(&store), people(days(3, 3, 3))).await;
    let players = ByColor {
        white: scene.white.id,
        black: scene.black.id,
    };
    scene.stop().await;
    // White has three minutes left when the club opens.
    let begun = TEST_START - (336 + 72) * HOUR + 180_000;
    let (id, time) = (GameId::from_chance(9), days(3, 3, 3));
    let new = opened_game(id, players, &opening(), time, begun);
    let fence = crate::common::own_elsewhere(&store, &scene.clock).await;
    store.create_game(fence, &new).await.unwrap();
    let later = |row: &Row| NewRow {
        at: row.at + begun,
        act: row.act.clone(),
        request: row.request.clone(),
    };
    let later: Vec<NewRow> = rows[1..].iter().map(later).collect();
    let expected = store::Expected { fence, ..1.into() };
    store.append(id, expected, &later, None).await.unwrap();
    store.release(fence).await.unwrap();
    scene.club = open(&store, &scene.clock).await;
    scene.game = id;
    sleep(Duration::from_secs(1)).await;
    assert!(scene.facts(Listener::Room).await.standing.over.is_none());
    let lobby = scene.club.lobby_for(None).await.unwrap();
    let listed = lobby.running.iter().any(|row| row.id == id);
    assert!(!listed, "nobody is there");
    sleep(Duration::from_secs(100)).await;
    scene.reopen().await;
    sleep(Duration::from_secs(60)).await;
    assert!(scene.facts(Listener::Room).await.standing.over.is_none());
    sleep(Duration::from_secs(60)).await;
    let over = scene.facts(Listener::Room).await.standing.over;
    assert_eq!(over.map(|over| over.reason), Some(Reason::Time));
}

/// Games of days are loaded after the opening: here it takes two seconds. No clock counts an outage
/// that begins before all are loaded and credited, or the one before it. Afterwards all time counts.
#[tokio::test(start_paused = true)]
async fn no_time_is_lost_while_games_of_days_are_loaded() {
    let hour = Duration::from_secs(3_600);
    for what in ["loads", "dies", "stops"] {
        let store = Tapped {
            store: MemoryStore::default(),
            around: SlowRows,
        };
        let mut scene = Scene::over(Arc::new(store), people(days(3, 3, 3))).await;
        scene.moves(&["e2e4", "e7e5"]).await;
        let (store, clock) = (scene.store.clone(), scene.clock.clone());
        let mut left = vec![72 * HOUR];
        for (plays, what) in [(60, what), (100, "loads")] {
            sleep(Duration::from_secs(plays)).await;
            scene.club = stand_in(&clock).await;
            advance(hour).await;
            let begun = scene.clock.now();
            scene.club = open(&store, &clock).await;
            assert!(scene.clock.now() - begun < 1_000, "no log is read");
            let lobby = scene.club.lobby_for(Some(scene.white.id)).await;
            assert_eq!(lobby.unwrap().mine.len(), 1);
            sleep(Duration::from_secs(1)).await;
            if what == "dies" {
                scene.club = stand_in(&clock).await;
                advance(hour).await;
                scene.club = open(&store, &clock).await;
            } else if what == "stops" {
                advance(hour).await;
            }
            sleep(Duration::from_secs(20)).await;
            left.push(white_left(&scene).await);
        }
        let spent = [left[0] - left[1], left[1] - left[2]];
        assert!((59_000..=61_000).contains(&spent[0]), "{what}: {spent:?}");
        assert!((115_000..=122_000).contains(&spent[1]), "{what}: {spent:?}");
    }
}

fn people(time: TimeControl) -> Terms {
    Terms {
        rated: true,
        ..terms("wild16", time)
    }
}

#[tokio::test(start_paused = true)]
async fn days_need_accounts_and_have_bounds() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let club = open(&store, &TestClock::new()).await;
    let guest = club.guest().await.unwrap();
    let anna = club.register("Anna", "correct horse").await.unwrap();
    for (by, time, code, reason) in [
        (
            guest.id,
            days(3, 3, 3),
            RefusalCode::NotPossible,
            "days-guest",
        ),
        (anna.id, days(0, 1, 1), RefusalCode::Invalid, "time-days"),
        (anna.id, days(61, 1, 90), RefusalCode::Invalid, "time-days"),
        (anna.id, days(3, 15, 20), RefusalCode::Invalid, "time-days"),
        (anna.id, days(3, 3, 2), RefusalCode::Invalid, "time-days"),
        (anna.id, days(3, 3, 91), RefusalCode::Invalid, "time-days"),
    ] {
        let refused = club.seek(by, terms("wild16", time)).await;
        let refused = refused.expect_err("the terms are refused");
        assert_eq!((refused.code, refused.reason), (code, reason));
    }
    let seek = club.seek(anna.id, terms("wild16", days(30, 1, 45))).await;
    let seek = seek.unwrap();
    let refused = club.accept(&seek.id, guest.id).await;
    let refused = refused.expect_err("a guest cannot accept");
    assert_eq!(refused.reason, "days-guest");
    let bert = club.register("Bert", "correct horse").await.unwrap();
    assert!(club.accept(&seek.id, bert.id).await.is_ok());
}
