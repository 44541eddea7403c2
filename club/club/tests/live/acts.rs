//! Tests every act at a table in every state of the table, and claims at every
//! speed.

use std::time::Duration;

use crate::common::{BLITZ, Scene, terms};
use club::{Millis, TimeControl};
use rules::{
    Listener, Reason, Winner,
    chess::{
        ByColor,
        Color::{self, Black, White},
    },
};
use tokio::time::sleep;
use wire::TableAct;

/// Acts, in the order of the columns of [`CELLS`].
const ACTS: [TableAct; 8] = [
    TableAct::Abort,
    TableAct::ClaimWin,
    TableAct::ClaimDraw,
    TableAct::Adjourn,
    TableAct::Resume,
    TableAct::DeclineAdjourn,
    TableAct::Rematch,
    TableAct::DeclineRematch,
];

/// Words in [`CELLS`] that mean a refusal, each with a part of the text of this refusal.
const REFUSALS: [(&str, &str); 10] = [
    ("moved", "both sides have moved"),
    ("here", "your opponent is connected"),
    ("soon", "before both sides have moved"),
    ("going", "the game is not adjourned"),
    ("adj", "the game is adjourned"),
    ("over", "the game is over"),
    ("early", "the game is not over yet"),
    ("begun", "the rematch has already begun"),
    ("twice", "you have already made this offer"),
    ("none", "there is no open offer of that kind"),
];

/// Each line has a state of a table, and the result of each act of White in this state: `ok`, or a
/// word of [`REFUSALS`]. Both players are present.
const CELLS: &str = "
                    abort win   draw  adj   res   dec-a rem   dec-r
opened              ok    soon  soon  ok    going none  early none
moved               moved here  here  ok    going none  early none
white-adjourns      moved here  here  twice going ok    early none
black-adjourns      moved here  here  ok    going ok    early none
adjourned           adj   adj   adj   adj   ok    none  early none
white-resumes       adj   adj   adj   adj   twice ok    early none
black-resumes       adj   adj   adj   adj   ok    ok    early none
over                over  over  over  over  over  none  ok    none
white-again         over  over  over  over  over  none  twice ok
black-again         over  over  over  over  over  none  ok    ok
begun               over  over  over  over  over  none  begun none
";

/// Returns a table in a state of [`CELLS`].
async fn table(state: &str) -> Scene {
    let mut scene = Scene::new(terms("wild16", BLITZ)).await;
    if state != "opened" {
        scene.moves(&["e2e4", "e7e5"]).await;
    }
    let acts: &[(Color, TableAct)] = match state {
        "opened" | "moved" | "over" => &[],
        "white-adjourns" => &[(White, TableAct::Adjourn)],
        "black-adjourns" => &[(Black, TableAct::Adjourn)],
        "adjourned" | "white-resumes" | "black-resumes" => {
            &[(White, TableAct::Adjourn), (Black, TableAct::Adjourn)]
        }
        "white-again" => &[(White, TableAct::Rematch)],
        "black-again" => &[(Black, TableAct::Rematch)],
        "begun" => &[(White, TableAct::Rematch), (Black, TableAct::Rematch)],
        other => panic!("unknown state {other}"),
    };
    if matches!(state, "over" | "white-again" | "black-again" | "begun") {
        scene.say(Black, "resign").await;
    }
    for (by, act) in acts {
        scene.act(*by, *act).await;
    }
    match state {
        "white-resumes" => scene.act(White, TableAct::Resume).await,
        "black-resumes" => scene.act(Black, TableAct::Resume).await,
        _ => return scene,
    };
    scene
}

#[tokio::test(start_paused = true)]
async fn every_act_in_every_state_has_the_listed_result() {
    for row in CELLS.trim().lines().skip(1) {
        let mut words = row.split_whitespace();
        let state = words.next().unwrap();
        let cells: Vec<&str> = words.collect();
        assert_eq!(cells.len(), ACTS.len(), "{row}");
        for (act, cell) in ACTS.into_iter().zip(cells) {
            let mut scene = table(state).await;
            let _white = scene.listen(Listener::White).await;
            let _black = scene.listen(Listener::Black).await;
            sleep(Duration::from_millis(10)).await;
            match (scene.try_act(White, act).await, cell) {
                (Ok(_), "ok") => {}
                (Err(error), _) if cell != "ok" => {
                    let (_, text) = REFUSALS.iter().find(|(word, _)| *word == cell).expect(cell);
                    assert!(error.why.contains(text), "{state}, {act:?}: {error}");
                }
                (done, _) => panic!("{state}, {act:?}: expected {cell}, got {done:?}"),
            }
        }
    }
}

/// One time control of each speed, with the time for which the opponent must be absent before a
/// claim, in milliseconds.
const SPEEDS: [(TimeControl, Millis); 5] = [
    (clock(60), 15_000),
    (clock(300), 30_000),
    (clock(900), 60_000),
    (clock(3600), 120_000),
    (TimeControl::Unlimited, 86_400_000),
];

const fn clock(seconds: Millis) -> TimeControl {
    TimeControl::Clock {
        initial: seconds * 1000,
        increment: 0,
    }
}

/// Black was never connected. White is connected, and reads the time from which a claim is allowed.
/// With clocks, this time is the end of the grace after Black's last move. Without clocks, a claim
/// is allowed only in Black's turn, and the grace begins with that turn.
#[tokio::test(start_paused = true)]
async fn claims_depend_on_speed_turn_and_first_moves() {
    for (time, grace) in SPEEDS {
        let is_timed = time != TimeControl::Unlimited;
        let mut scene = Scene::new(terms("wild16", time)).await;
        let _white = scene.listen(Listener::White).await;
        let mut moved_at = ByColor::<Millis>::default();
        for (color, text, counted_from) in [
            (White, "e2e4", (!is_timed).then_some(White)),
            (Black, "e7e5", is_timed.then_some(Black)),
            (White, "d2d4", Some(if is_timed { Black } else { White })),
            (Black, "d7d5", is_timed.then_some(Black)),
        ] {
            sleep(Duration::from_secs(5)).await;
            scene.say(color, text).await;
            *moved_at.get_mut(color) = scene.club.now();
            let from = scene.facts(Listener::White).await.standing.claim_from;
            let expected = counted_from.map(|color| *moved_at.get(color) + grace);
            assert_eq!(from, expected, "{time:?} after {text}");
            let refused = scene.try_act(White, TableAct::ClaimWin).await;
            let why = refused.expect_err("it is too early for a claim").why;
            let reason = match (counted_from, text) {
                (Some(_), _) => "has not been gone for long enough",
                (None, "e2e4") => "before both sides have moved",
                (None, _) => "it is your turn",
            };
            assert!(why.contains(reason), "{time:?} after {text}: {why}");
        }
    }
}

/// White was never connected; Black is connected. After White's first move Black cannot claim: with
/// clocks, both sides must have moved, and without clocks, it must be the opponent's turn. After
/// Black's first move Black can claim, and after the end of the game no longer.
#[tokio::test(start_paused = true)]
async fn claims_begin_after_first_moves_and_end_with_the_game() {
    for (time, _) in SPEEDS {
        let mut scene = Scene::new(terms("wild16", time)).await;
        let _black = scene.listen(Listener::Black).await;
        for (color, text, may_claim) in [
            (White, "e2e4", false),
            (Black, "e7e5", true),
            (Black, "resign", false),
        ] {
            scene.say(color, text).await;
            let from = scene.facts(Listener::Black).await.standing.claim_from;
            assert_eq!(from.is_some(), may_claim, "{time:?} after {text}");
        }
    }
}

/// Tests every claim at every speed, by either side, in either turn. With clocks, the claim is
/// possible in the turn of either side. It is refused until the grace is over, and is accepted from
/// that millisecond on. Without clocks the claim is possible in the opponent's turn only. The
/// other player cannot claim, and the facts of spectators name no time for a claim.
#[tokio::test(start_paused = true)]
async fn a_claim_is_possible_exactly_after_the_grace() {
    let mut claimed = 0;
    for (time, grace) in SPEEDS {
        let is_timed = time != TimeControl::Unlimited;
        for claimant in [White, Black] {
            for to_move in [White, Black] {
                for act in [TableAct::ClaimWin, TableAct::ClaimDraw] {
                    let mut scene = Scene::new(terms("wild16", time)).await;
                    let _ear = scene.listen(claimant.into()).await;
                    let moves = ["e2e4", "e7e5", "d2d4"];
                    scene
                        .moves(&moves[..if to_move == White { 2 } else { 3 }])
                        .await;
                    let case = format!("{time:?}, {claimant} in {to_move}'s turn, {act:?}");
                    let moved_at = scene.club.now();
                    let is_possible = is_timed || to_move != claimant;
                    let from = scene.facts(claimant.into()).await.standing.claim_from;
                    assert_eq!(from, is_possible.then_some(moved_at + grace), "{case}");
                    for other in [Listener::from(!claimant), Listener::Room] {
                        let from = scene.facts(other).await.standing.claim_from;
                        assert_eq!(from, None, "{case}: {other:?}");
                    }
                    assert!(scene.try_act(!claimant, act).await.is_err(), "{case}");
                    // Without clocks, the grace is a day. The test waits for a minute only, because
                    // `claim_from` was checked above.
                    let waits = if is_timed { grace } else { 60_000 };
                    sleep(Duration::from_millis(waits.unsigned_abs() - 1)).await;
                    assert!(scene.try_act(claimant, act).await.is_err(), "{case}");
                    if !is_timed {
                        continue;
                    }
                    sleep(Duration::from_millis(1)).await;
                    scene.act(claimant, act).await;
                    let over = scene.facts(Listener::Room).await.standing.over.unwrap();
                    let winner = match (act, claimant) {
                        (TableAct::ClaimWin, White) => Winner::White,
                        (TableAct::ClaimWin, _) => Winner::Black,
                        _ => Winner::Draw,
                    };
                    assert_eq!(
                        (over.winner, over.reason),
                        (winner, Reason::Abandoned),
                        "{case}"
                    );
                    claimed += 1;
                }
            }
        }
    }
    assert_eq!(claimed, 32);
}
