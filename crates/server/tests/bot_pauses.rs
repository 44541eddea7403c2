//! Tests how long a built-in bot pauses in a turn, for each ruleset and for different numbers of
//! refused tries.

#![allow(clippy::unwrap_used, reason = "a mistake here fails the test")]

use std::{sync::Arc, time::Duration};

use club::{
    Clock, Club, ColorWish, HeardItem, ListenerItem, Listening, Millis, Settings, Terms,
    TimeControl, request_id,
};
use referee::Event;
use rules::{Announcement, Heard, NoHeard, chess::Color, rulesets};
use server::{Given, Server};
use store::{Act, MemoryStore, Row, Store};
use tokio::time::{Instant, sleep};

/// Minimum pause of a bot. The maximum pause is twice as long.
const THINK: Duration = Duration::from_secs(4);
/// Maximum number of turns of a game: first for games in which both players hear refusals, then
/// for games in which only the mover hears them.
const TURNS: [u32; 2] = [6, 80];
/// Number of turns with a refusal that only the bot heard. The moves of the bot are random, so
/// games are played until there were this many of these turns.
const REFUSED: usize = 16;
/// Maximum number of games.
const GAMES: usize = 200;

struct Paused(Instant);

impl Clock for Paused {
    fn now(&self) -> Millis {
        1_800_000_000_000 + Millis::try_from(self.0.elapsed().as_millis()).unwrap()
    }
}

/// Waits until it is White's turn. Returns false if the game is over.
async fn whites_turn(listening: &mut Listening) -> bool {
    loop {
        let Some(ListenerItem::Hearing(hearing)) = listening.next().await else {
            continue;
        };
        for item in hearing.heard.iter() {
            match item {
                HeardItem::Heard(Heard::Announced(Announcement::Turn { to_move })) => {
                    if *to_move == Color::White {
                        return true;
                    }
                }
                HeardItem::Heard(Heard::Over(_)) => return false,
                HeardItem::Start(_) | HeardItem::Heard(_) => {}
            }
        }
    }
}

/// Returns the number of Black's refused tries in Black's last turn.
fn refusals(rows: &[Row]) -> u32 {
    let events = rows.iter().rev().filter_map(|row| match &row.act {
        Act::Game(event) => Some(event),
        Act::Table(_) => None,
    });
    let turn = events
        .skip_while(|event| {
            !matches!(
                event,
                Event::Moved {
                    by: Color::Black,
                    ..
                }
            )
        })
        .skip(1)
        .take_while(|event| !matches!(event, Event::Moved { .. }));
    turn.filter(|event| {
        matches!(
            event,
            Event::Rebuffed {
                by: Color::Black,
                ..
            }
        )
    })
    .count()
    .try_into()
    .unwrap()
}

/// Returns who made the last move.
fn last_mover(rows: &[Row]) -> Option<Color> {
    rows.iter().rev().find_map(|row| match row.act {
        Act::Game(Event::Moved { by, .. }) => Some(by),
        Act::Game(_) | Act::Table(_) => None,
    })
}

#[tokio::test(start_paused = true)]
async fn a_turn_of_a_built_in_bot_has_one_pause_however_often_refused() {
    let store = Arc::new(MemoryStore::default());
    let clock = Arc::new(Paused(Instant::now()));
    let club = Club::open(store.clone(), clock, Settings::cheap())
        .await
        .unwrap();
    let config = Given {
        bots: Some(vec!["random".to_owned()]),
        think: Some(u64::try_from(THINK.as_millis()).unwrap()),
        ..Given::default()
    };
    let server = Server::open(club.clone(), config.settle().unwrap())
        .await
        .unwrap();
    tokio::spawn(async move { server.run_built_in_bots().await });
    let (mut turns, mut games, mut private) = (0, 0, Vec::new());
    let heard_by_mover = rulesets::ALL
        .iter()
        .filter(|ruleset| ruleset.choices.no_heard == NoHeard::Mover);
    for ruleset in rulesets::ALL.iter().chain(heard_by_mover.cycle()) {
        let refused = private.iter().filter(|refused| **refused > 0).count();
        let longest = private.iter().max().copied().unwrap_or(0);
        let seen_enough = refused >= REFUSED && longest > 2;
        if games >= GAMES || games >= rulesets::ALL.len() && seen_enough {
            break;
        }
        games += 1;
        let person = club.guest().await.unwrap();
        let terms = Terms {
            rules: ruleset.id.to_string(),
            custom: None,
            time: TimeControl::Unlimited,
            rated: false,
            color: ColorWish::White,
        };
        club.challenge(person.id, "random", terms).await.unwrap();
        let game = loop {
            sleep(Duration::from_millis(10)).await;
            if let Some(game) = club.waiting_for(person.id).0.first() {
                break *game;
            }
        };
        let mut listening = club.listen(game, Some(person.id), 0).await.unwrap();
        let mut goes_on = whites_turn(&mut listening).await;
        let mut said = 0;
        let is_private = ruleset.choices.no_heard == NoHeard::Mover;
        for _ in 0..TURNS[usize::from(is_private)] {
            if !goes_on {
                break;
            }
            let view = club.seat_view(game, person.id).await.unwrap();
            for what in view.view.tries() {
                said += 1;
                let id = request_id(&format!("r{said}")).unwrap();
                let n = club.seat_view(game, person.id).await.unwrap().n;
                let answer = club.say(game, person.id, id, n, &what.to_string()).await;
                if answer.unwrap().answer == "moved" {
                    break;
                }
            }
            let begun = Instant::now();
            goes_on = whites_turn(&mut listening).await;
            let took = begun.elapsed();
            let rows = store.rows(game, 0).await.unwrap();
            if last_mover(&rows) != Some(Color::Black) {
                break;
            }
            let refused = refusals(&rows);
            let pauses = match ruleset.choices.no_heard {
                NoHeard::Mover => 1,
                NoHeard::Both => refused + 1,
            };
            let most = 2 * pauses * THINK + Duration::from_millis(100);
            assert!(
                (pauses * THINK..=most).contains(&took),
                "{}: {refused} refusals, {took:?}",
                ruleset.id
            );
            turns += 1;
            if is_private {
                private.push(refused);
            }
        }
        if goes_on {
            let id = request_id("resign").unwrap();
            let n = club.seat_view(game, person.id).await.unwrap().n;
            club.say(game, person.id, id, n, "resign").await.unwrap();
        }
    }
    println!("count turns {turns} games {games}");
    assert!(turns > 60, "{turns}");
    let refused = private.iter().filter(|refused| **refused > 0).count();
    assert!(refused >= REFUSED, "{private:?}");
    assert!(private.iter().any(|refused| *refused > 2), "{private:?}");
}
