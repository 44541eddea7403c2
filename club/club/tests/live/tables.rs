//! Tests of acts at a table, and of the clocks.

use std::time::Duration;

use crate::common::{BLITZ, Scene, TEST_START, drain, terms};
use club::{
    Club, ColorWish, GameId, ListenerItem, Listening, Settings, Terms, TimeControl, request_id,
};
use rules::{
    Listener, Over, Reason, Winner,
    chess::Color::{Black, White},
};
use store::{Act, NewRow, TableEvent};
use tokio::time::{advance, sleep};
use wire::{GameStatus, RefusalCode, TableAct};

async fn over(ear: &mut Listening) -> Over {
    loop {
        match ear.next().await.unwrap() {
            ListenerItem::Facts(facts) if facts.standing.status == GameStatus::Over => {
                return facts.standing.over.unwrap();
            }
            ListenerItem::Hearing(_) | ListenerItem::Facts(_) => {}
        }
    }
}

pub async fn running() -> Scene {
    let mut scene = Scene::new(terms("wild16", BLITZ)).await;
    scene.moves(&["e2e4", "e7e5"]).await;
    scene
}

#[tokio::test(start_paused = true)]
async fn game_without_first_move_is_aborted() {
    let mut scene = Scene::new(terms("wild16", BLITZ)).await;
    let facts = scene.facts(Listener::Room).await.standing;
    assert_eq!(facts.first_move_by, Some(TEST_START + 30_000));
    sleep(Duration::from_secs(29)).await;
    scene.say(White, "e2e4").await;
    let facts = scene.facts(Listener::Room).await.standing;
    assert_eq!(facts.first_move_by, Some(TEST_START + 59_000));
    assert_eq!(facts.clocks.unwrap().running, None);
    let mut ear = scene.listen(Listener::Room).await;
    let end = over(&mut ear).await;
    assert_eq!(
        (end.winner, end.reason),
        (Winner::Unfinished, Reason::Aborted)
    );
    assert_eq!(scene.clock.0.elapsed().as_secs(), 59);
}

#[tokio::test(start_paused = true)]
async fn a_game_can_be_aborted_until_both_have_moved() {
    let mut scene = Scene::new(terms("wild16", BLITZ)).await;
    scene.say(White, "e2e4").await;
    assert_eq!(scene.act(White, TableAct::Abort).await.answer, "done");
    let end = scene.facts(Listener::Black).await.standing.over;
    assert_eq!(end.unwrap().reason, Reason::Aborted);
    let mut scene = running().await;
    assert!(!scene.facts(Listener::Black).await.standing.can_abort);
    let late = scene.try_act(Black, TableAct::Abort).await;
    assert_eq!(
        late.expect_err("both have moved").code,
        RefusalCode::NotPossible
    );
}

#[tokio::test(start_paused = true)]
async fn each_refused_try_is_listed_once() {
    let mut scene = running().await;
    for text in ["e4d5", "e4f5", "e4d5", "e4d5", "e4f5"] {
        assert_ne!(scene.say(White, text).await.answer, "moved");
    }
    let view = scene.club.seat_view(scene.game, scene.white.id).await;
    let refused = view.unwrap().refused.into_iter();
    let refused: Vec<_> = refused.map(|r| r.attempt.to_string()).collect();
    assert_eq!(refused, ["e4d5", "e4f5"]);
}

/// The limits on the number of games apply only to new requests. A repeated request gets its
/// earlier answer.
#[tokio::test(start_paused = true)]
async fn repeated_rematch_is_answered_despite_the_game_limit() {
    let mut scene = running().await;
    let settings = Settings {
        games_of_person: 1,
        ..Settings::cheap()
    };
    let clock = scene.clock.clone();
    scene.stop().await;
    scene.club = Club::open(scene.store.clone(), clock, settings)
        .await
        .unwrap();
    scene.say(White, "resign").await;
    scene.act(White, TableAct::Rematch).await;
    let id = || request_id("again").unwrap();
    let (club, game, black) = (&scene.club, scene.game, scene.black.id);
    let first = club.act(game, black, id(), TableAct::Rematch).await;
    assert_eq!(first.as_ref().unwrap().answer, "done");
    let again = club.act(game, black, id(), TableAct::Rematch).await;
    assert_eq!(again, first);
    let new = club
        .act(game, black, request_id("new").unwrap(), TableAct::Rematch)
        .await;
    let refused = new.expect_err("the player has too many games");
    assert_eq!(refused.code, RefusalCode::NotPossible);
}

#[tokio::test(start_paused = true)]
async fn adjourned_clocks_stop_until_both_resume() {
    let mut scene = running().await;
    sleep(Duration::from_secs(10)).await;
    scene.act(White, TableAct::Adjourn).await;
    let facts = scene.facts(Listener::Black).await.standing;
    assert_eq!(facts.offers.unwrap().adjourn, Some(White));
    assert_eq!(scene.facts(Listener::Room).await.standing.offers, None);
    let twice = scene.try_act(White, TableAct::Adjourn).await;
    assert_eq!(
        twice.expect_err("White has offered this before").code,
        RefusalCode::NotPossible
    );
    scene.act(Black, TableAct::DeclineAdjourn).await;
    scene.act(White, TableAct::Adjourn).await;
    scene.act(Black, TableAct::Adjourn).await;
    let facts = scene.facts(Listener::Room).await.standing;
    assert_eq!(facts.status, GameStatus::Adjourned);
    assert_eq!(facts.clocks.unwrap().left.white, 290_000);
    assert_eq!(scene.refused(White, "d2d4").await, RefusalCode::Adjourned);
    advance(Duration::from_secs(100_000)).await;
    scene.reopen().await;
    sleep(Duration::from_secs(10)).await;
    scene.act(Black, TableAct::Resume).await;
    scene.act(White, TableAct::Resume).await;
    let clocks = scene.facts(Listener::Room).await.standing.clocks.unwrap();
    assert_eq!((clocks.left.white, clocks.running), (290_000, Some(White)));
    assert_eq!(scene.say(White, "d2d4").await.answer, "moved");
}

#[tokio::test(start_paused = true)]
async fn an_offer_to_adjourn_lapses_with_the_opponents_move() {
    let mut scene = running().await;
    scene.act(Black, TableAct::Adjourn).await;
    scene.say(White, "d2d4").await;
    let offers = scene.facts(Listener::White).await.standing.offers;
    assert_eq!(offers.unwrap().adjourn, None);
}

#[tokio::test(start_paused = true)]
async fn a_rematch_changes_colours() {
    let mut scene = running().await;
    let early = scene.try_act(White, TableAct::Rematch).await;
    assert_eq!(
        early.expect_err("the game is not over").code,
        RefusalCode::NotPossible
    );
    scene.say(White, "resign").await;
    let mut ear = scene.listen(Listener::White).await;
    scene.act(Black, TableAct::Rematch).await;
    scene.act(Black, TableAct::DeclineRematch).await;
    scene.act(White, TableAct::Rematch).await;
    scene.act(Black, TableAct::Rematch).await;
    let next = scene.facts(Listener::White).await.standing.offers;
    let next = next.unwrap().next.unwrap();
    let facts = scene.club.facts(next, Some(scene.white.id)).await.unwrap();
    assert_eq!(facts.seat, Listener::Black);
    // White asked for a colour in the first game. Nobody asks for a colour in the rematch.
    let first = scene.facts(Listener::Room).await.terms;
    assert_eq!(first.color, ColorWish::White);
    let terms = Terms {
        color: ColorWish::Any,
        ..first
    };
    assert_eq!(facts.terms, terms);
    let items = drain(&mut ear);
    assert!(items.iter().any(|item| match item {
        ListenerItem::Facts(facts) => facts.standing.offers.is_some_and(|o| o.next == Some(next)),
        ListenerItem::Hearing(_) => false,
    }));
    scene.reopen().await;
    // After the club is reopened, the next game is in the facts immediately.
    let again = scene.facts(Listener::White).await.standing.offers;
    assert_eq!(again.unwrap().next, Some(next));
}

/// A club may die after a rematch is agreed and before the game of the rematch
/// is created.
#[tokio::test(start_paused = true)]
async fn a_rematch_is_shown_when_its_game_exists() {
    let mut scene = running().await;
    scene.say(White, "resign").await;
    let next = GameId::from_chance(77);
    let rows = [TableEvent::RematchOffered(White), TableEvent::Rematch(next)];
    let rows = rows.map(|event| NewRow {
        at: scene.club.now(),
        act: Act::Table(event),
        request: None,
    });
    scene.stop().await;
    scene.append_elsewhere(&rows).await;
    scene.reopen().await;
    let offers = scene.facts(Listener::White).await.standing.offers;
    assert_eq!(
        offers.unwrap().next,
        None,
        "the next game does not exist yet"
    );
    sleep(Duration::from_millis(10)).await;
    let offers = scene.facts(Listener::White).await.standing.offers;
    assert_eq!(offers.unwrap().next, Some(next));
    let facts = scene.club.facts(next, Some(scene.white.id)).await;
    assert_eq!(facts.unwrap().seat, Listener::Black);
}

#[tokio::test(start_paused = true)]
async fn a_flag_falls_at_the_right_time() {
    let mut scene = Scene::new(terms(
        "wild16",
        TimeControl::Clock {
            initial: 60_000,
            increment: 0,
        },
    ))
    .await;
    scene.moves(&["e2e4", "e7e5"]).await;
    let mut ear = scene.listen(Listener::Room).await;
    sleep(Duration::from_millis(59_999)).await;
    assert_eq!(scene.facts(Listener::Room).await.standing.over, None);
    let end = over(&mut ear).await;
    assert_eq!((end.winner, end.reason), (Winner::Black, Reason::Time));
    assert_eq!(scene.clock.0.elapsed().as_secs(), 60);
}

/// Even if the lobby is full, a game with a built-in bot can begin, and so can a game of two
/// players who have agreed.
#[tokio::test(start_paused = true)]
async fn a_full_lobby_does_not_prevent_games() {
    let mut scene = running().await;
    let settings = Settings {
        seeks_in_all: 1,
        private_offers_in_all: 1,
        ..Settings::cheap()
    };
    let clock = scene.clock.clone();
    scene.stop().await;
    scene.club = Club::open(scene.store.clone(), clock, settings)
        .await
        .unwrap();
    let (club, white, black) = (&scene.club, scene.white.id, scene.black.id);
    let program = club.program("robot").await.unwrap();
    let terms = || terms("wild16", BLITZ);
    club.invite(black, terms()).await.unwrap();
    club.seek(black, terms()).await.unwrap();
    let full = [
        club.seek(white, terms()).await.err(),
        club.invite(white, terms()).await.err(),
        club.challenge(white, &scene.black.name, terms())
            .await
            .err(),
    ];
    for refused in full {
        assert_eq!(refused.unwrap().code, RefusalCode::TooMany);
    }
    let offer = club.challenge(white, &program.name, terms()).await.unwrap();
    club.accept(&offer.id, program.id).await.unwrap();
    let game = club.pair(white, black, terms()).await.unwrap();
    let facts = club.facts(game, Some(white)).await.unwrap();
    assert_eq!(facts.seat, Listener::White);
}
