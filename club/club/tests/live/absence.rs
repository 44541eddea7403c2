//! Tests of the presence of players, and of claims because of absence.

use std::time::Duration;

use crate::{
    common::{Scene, drain, terms},
    tables::running,
};
use club::{ListenerItem, TimeControl};
use rules::{
    Listener, Reason, Winner,
    chess::Color::{Black, White},
};
use tokio::time::{advance, sleep};
use wire::{RefusalCode, TableAct};

#[tokio::test(start_paused = true)]
async fn reading_hearings_does_not_make_a_player_present() {
    let mut scene = running().await;
    let mut ear = scene.listen(Listener::White).await;
    sleep(Duration::from_millis(10)).await;
    drain(&mut ear);
    let reader = scene.reader(Listener::Black);
    let mut read = scene.club.heard(scene.game, reader, 1).await.unwrap();
    sleep(Duration::from_millis(10)).await;
    assert!(!scene.facts(Listener::White).await.standing.here.black);
    let items = drain(&mut read);
    assert!(matches!(items.first(), Some(ListenerItem::Hearing(hearing)) if hearing.n == 2));
    assert!(read.is_idle());
    assert_eq!(drain(&mut ear), [], "White gets no item");
    scene.say(White, "d2d4").await;
    assert!(matches!(read.next().await, Some(ListenerItem::Hearing(_))));
}

#[tokio::test(start_paused = true)]
async fn the_opponent_does_not_notice_a_short_disconnection() {
    let scene = running().await;
    let mut ear = scene.listen(Listener::White).await;
    let black = scene.listen(Listener::Black).await;
    sleep(Duration::from_millis(10)).await;
    drain(&mut ear);
    drop(black);
    sleep(Duration::from_millis(4_900)).await;
    let black = scene.listen(Listener::Black).await;
    sleep(Duration::from_millis(4_900)).await;
    assert_eq!(
        drain(&mut ear),
        [],
        "the player was away for less than five seconds"
    );
    drop(black);
    let left = scene.club.now();
    let Some(ListenerItem::Facts(facts)) = ear.next().await else {
        panic!("White must get facts about the departure");
    };
    assert!(!facts.standing.here.black);
    assert_eq!(facts.standing.claim_from, Some(left + 30_000));
    assert!((5_000..5_100).contains(&(scene.club.now() - left)));
    // A new connection is seen immediately.
    let _black = scene.listen(Listener::Black).await;
    sleep(Duration::from_millis(10)).await;
    assert!(scene.facts(Listener::White).await.standing.here.black);
}

#[tokio::test(start_paused = true)]
async fn a_win_or_a_draw_can_be_claimed_after_the_grace() {
    for (act, winner) in [
        (TableAct::ClaimWin, Winner::White),
        (TableAct::ClaimDraw, Winner::Draw),
    ] {
        let mut scene = running().await;
        let _white = scene.listen(Listener::White).await;
        let black = scene.listen(Listener::Black).await;
        let other_tab = scene.listen(Listener::Black).await;
        sleep(Duration::from_millis(5)).await;
        let facts = scene.facts(Listener::White).await.standing;
        assert!(facts.here.white && facts.here.black);
        drop(black);
        sleep(Duration::from_millis(5)).await;
        // Two browser tabs share one seat: the player is present while one of them is open.
        assert!(scene.facts(Listener::Room).await.standing.here.black);
        drop(other_tab);
        sleep(Duration::from_millis(5_005)).await;
        let facts = scene.facts(Listener::White).await.standing;
        assert!(!facts.here.black);
        let from = facts.claim_from.unwrap();
        assert_eq!(from - scene.club.now(), 30_000 - 5_005);
        assert_eq!(scene.facts(Listener::Room).await.standing.claim_from, None);
        let early = scene.try_act(White, act).await;
        assert_eq!(
            early.expect_err("the claim is too early").code,
            RefusalCode::NotPossible
        );
        let own = scene.try_act(Black, act).await;
        assert_eq!(
            own.expect_err("White is here").code,
            RefusalCode::NotPossible
        );
        sleep(Duration::from_secs(30)).await;
        scene.act(White, act).await;
        let end = scene.facts(Listener::Black).await.standing.over.unwrap();
        assert_eq!((end.winner, end.reason), (winner, Reason::Abandoned));
        scene.reopen().await;
        let again = scene.facts(Listener::Black).await.standing.over;
        assert_eq!(again, Some(end));
    }
}

/// Nobody could connect while the club was stopped, so the time of absence begins again
/// when the club continues.
#[tokio::test(start_paused = true)]
async fn absent_player_has_the_full_grace_after_a_stop() {
    let mut scene = running().await;
    let _white = scene.listen(Listener::White).await;
    sleep(Duration::from_secs(10)).await;
    advance(Duration::from_secs(3_600)).await;
    let claim = scene.try_act(White, TableAct::ClaimWin).await;
    assert_eq!(
        claim.expect_err("the claim is too early").code,
        RefusalCode::NotPossible
    );
    sleep(Duration::from_secs(31)).await;
    scene.act(White, TableAct::ClaimWin).await;
}

/// In a game without clocks, a player may claim against an opponent who never moved, but only in
/// that opponent's turn.
#[tokio::test(start_paused = true)]
async fn an_opponent_who_never_moved_loses_by_claim_after_a_day() {
    const DAY: i64 = 24 * 3600 * 1000;
    for (seat, act) in [(Black, TableAct::ClaimWin), (White, TableAct::ClaimDraw)] {
        let mut scene = Scene::new(terms("wild16", TimeControl::Unlimited)).await;
        let begun = scene.club.now();
        let _ear = scene.listen(seat.into()).await;
        sleep(Duration::from_secs(60)).await;
        let mut since = begun;
        if seat == White {
            let own_turn = scene.facts(White.into()).await.standing.claim_from;
            assert_eq!(own_turn, None, "it is White's turn");
            scene.say(White, "e2e4").await;
            since = scene.club.now();
        }
        let from = scene.facts(seat.into()).await.standing.claim_from;
        assert_eq!(from, Some(since + DAY));
        assert!(scene.try_act(seat, act).await.is_err(), "it is too early");
        sleep(Duration::from_secs(24 * 3600)).await;
        scene.act(seat, act).await;
        let end = scene.facts(seat.into()).await.standing.over;
        assert_eq!(end.unwrap().reason, Reason::Abandoned);
    }
}

/// A game without clocks in which a guest plays ends an hour after the last public event and after
/// both have left; a game of accounts that nobody began ends after a week.
#[tokio::test(start_paused = true)]
async fn deserted_games_end() {
    const MINUTE: Duration = Duration::from_secs(60);
    let mut scene = Scene::new(terms("wild16", TimeControl::Unlimited)).await;
    let over = async |scene: &Scene| scene.facts(Listener::Room).await.standing.over;
    sleep(MINUTE * 50).await;
    scene.moves(&["e2e4"]).await;
    sleep(MINUTE * 50).await;
    let white = scene.listen(Listener::White).await;
    sleep(MINUTE * 500).await;
    assert_eq!(over(&scene).await, None, "White waits");
    drop(white);
    sleep(MINUTE * 59).await;
    assert_eq!(over(&scene).await, None);
    sleep(MINUTE * 2).await;
    let end = over(&scene).await.unwrap();
    assert_eq!(
        (end.winner, end.reason),
        (Winner::Unfinished, Reason::Aborted)
    );

    let club = &scene.club;
    let anna = club.register("Anna", "correct horse").await.unwrap().id;
    let bert = club.register("Bert", "correct horse").await.unwrap().id;
    let game = club
        .pair(anna, bert, terms("wild16", TimeControl::Unlimited))
        .await;
    let game = game.unwrap();
    for (days, ended) in [(6, false), (1, true)] {
        // The club does not run meanwhile: a week of its heartbeats takes a minute.
        advance(MINUTE * 60 * 24 * days).await;
        sleep(MINUTE).await;
        let facts = club.facts(game, None).await.unwrap();
        assert_eq!(facts.standing.over.is_some(), ended, "{days}");
    }
}

/// Guests leave a fifth of the club's games to others.
#[tokio::test(start_paused = true)]
async fn guests_do_not_fill_the_club() {
    let settings = club::Settings {
        games_in_all: 5,
        ..club::Settings::cheap()
    };
    let store: std::sync::Arc<dyn store::Store> =
        std::sync::Arc::new(store::MemoryStore::default());
    let clock = crate::common::TestClock::new();
    let club = club::Club::open(store, clock, settings).await.unwrap();
    let pair = async |named: &str, guests: bool| {
        let player = async |name: String| match guests {
            true => club.guest().await.unwrap().id,
            false => club.register(&name, "correct horse").await.unwrap().id,
        };
        let (one, two) = (
            player(format!("{named}-a")).await,
            player(format!("{named}-b")).await,
        );
        club.pair(one, two, terms("wild16", TimeControl::Unlimited))
            .await
            .map_err(|error| error.code)
    };
    for n in 0..4 {
        assert!(pair(&format!("g{n}"), true).await.is_ok());
    }
    assert_eq!(pair("g4", true).await, Err(RefusalCode::TooMany));
    assert!(pair("x1", false).await.is_ok());
    assert_eq!(pair("x2", false).await, Err(RefusalCode::TooMany));
}

/// The lobby lists a game without clocks while both players are connected, and for ten minutes
/// after a player left or made a move.
#[tokio::test(start_paused = true)]
async fn the_lobby_lists_only_games_that_are_being_played() {
    let mut scene = Scene::new(terms("wild16", TimeControl::Unlimited)).await;
    let white = scene.listen(Listener::White).await;
    let black = scene.listen(Listener::Black).await;
    let visitors = async |scene: &Scene| {
        let lobby = scene.club.lobby_for(None).await.unwrap();
        lobby.running.len()
    };
    scene.say(White, "e2e4").await;
    sleep(Duration::from_secs(3600)).await;
    assert_eq!(visitors(&scene).await, 1, "both players are connected");
    drop(black);
    sleep(Duration::from_secs(590)).await;
    assert_eq!(visitors(&scene).await, 1);
    // A player who does not listen can still make tries. A refused try, which only this player
    // hears, does not keep the game in the list.
    scene.say(Black, "d7e6").await;
    sleep(Duration::from_millis(10_100)).await;
    assert_eq!(visitors(&scene).await, 0);
    let own = scene.club.lobby_for(Some(scene.white.id)).await;
    assert_eq!(own.unwrap().mine.len(), 1, "the players see their own game");
    scene.say(Black, "e7e5").await;
    sleep(Duration::from_millis(100)).await;
    assert_eq!(visitors(&scene).await, 1, "a move was made");
    sleep(Duration::from_secs(601)).await;
    assert_eq!(visitors(&scene).await, 0);
    let back = scene.listen(Listener::Black).await;
    sleep(Duration::from_millis(100)).await;
    assert_eq!(visitors(&scene).await, 1);
    drop((white, back));
    // After a restart, no player is connected, and the last move is more than ten minutes old.
    scene.reopen().await;
    sleep(Duration::from_secs(40)).await;
    assert_eq!(visitors(&scene).await, 0);
}
