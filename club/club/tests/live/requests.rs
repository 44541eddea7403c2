//! Tests of two questions: which row answers a request, and what happens while a request waits.

use std::sync::Arc;

use async_trait::async_trait;
use club::{Club, ClubError, GameId, Hearing, RequestAnswer, request_id};
use rules::{
    Listener,
    chess::Color::{Black, White},
};
use store::{
    AccountId, AppendError, MemoryStore, NewRow, Store, StoreError,
    testing::{Append, Around, Tapped},
};
use tokio::{
    sync::watch,
    task::{JoinHandle, yield_now},
    time::{Duration, timeout},
};
use wire::RefusalCode;

use crate::common::{BLITZ, Scene, hearings, terms};

type Answer = Result<RequestAnswer, ClubError>;

/// Store that delays White's rows, or does not confirm them.
struct Holding {
    before: watch::Sender<bool>,
    unanswered: watch::Sender<bool>,
}

async fn wait(held: &watch::Sender<bool>, rows: &[NewRow]) {
    let by = rows.iter().filter_map(|row| row.request.as_ref());
    if by.into_iter().any(|(seat, _)| *seat == White) {
        let mut held = held.subscribe();
        held.wait_for(|held| !held).await.unwrap();
    }
}

#[async_trait]
impl Around for Holding {
    async fn before(&self, rows: &[NewRow]) {
        wait(&self.before, rows).await;
    }

    async fn append(&self, store: &dyn Store, append: Append<'_>) -> Result<(), AppendError> {
        append.to(store, append.expected).await?;
        match *self.unanswered.borrow() {
            true => Err(StoreError::NoAnswer(String::new()).into()),
            false => Ok(()),
        }
    }
}

/// Returns a game over a store that delays White's rows, or does not confirm rows.
async fn scene(
    before: bool,
    unanswered: bool,
) -> (Scene, watch::Sender<bool>, watch::Sender<bool>) {
    let (before, unanswered) = (watch::Sender::new(before), watch::Sender::new(unanswered));
    let around = Holding {
        before: before.clone(),
        unanswered: unanswered.clone(),
    };
    let store = MemoryStore::default();
    let scene = Scene::over(Arc::new(Tapped { store, around }), terms("wild16", BLITZ)).await;
    (scene, before, unanswered)
}

async fn say(club: &Club, game: GameId, by: AccountId, id: &str, after: u32, text: &str) -> Answer {
    let id = request_id(id).unwrap();
    club.say(game, by, id, after, text).await
}

/// Starts a request of White. The store delays the row of this request.
async fn held(scene: &Scene, id: &'static str, text: &'static str) -> JoinHandle<Answer> {
    let (club, game, white) = (scene.club.clone(), scene.game, scene.white.id);
    let held = tokio::spawn(async move { say(&club, game, white, id, 1, text).await });
    for _ in 0..8 {
        yield_now().await;
    }
    held
}

/// The store has the row, but its answer is lost. The club reads the row from the log, and answers
/// the request.
#[tokio::test(start_paused = true)]
async fn a_row_in_the_log_answers_its_request() {
    let (scene, _, unanswered) = scene(false, true).await;
    let pending = held(&scene, "a", "e2e4").await;
    let answer = timeout(Duration::from_secs(1), pending).await;
    let said = answer.unwrap().unwrap().unwrap();
    assert_eq!((said.answer, said.n), ("moved", Some(2)));
    unanswered.send_replace(false);
    let again = say(&scene.club, scene.game, scene.white.id, "a", 1, "e2e4").await;
    assert_eq!(again, Ok(said));
    let rows = scene.store.rows(scene.game, 0).await.unwrap();
    assert_eq!(rows.len(), 2);
}

/// An attempt may be valid when it arrives and stale when the store continues. So the club
/// examines the attempt again after the wait, with what the seat knows then.
#[tokio::test(start_paused = true)]
async fn waiting_attempt_is_examined_again_after_a_hearing() {
    let (scene, before, _) = scene(true, false).await;
    let first = held(&scene, "a", "e2e4").await;
    // The second attempt is possible before the first move is made. After that move, e2 is empty.
    let second = held(&scene, "b", "e2e3").await;
    let again = held(&scene, "a", "e2e4").await;
    let reused = held(&scene, "a", "d2d4").await;
    before.send_replace(false);
    let first = first.await.unwrap();
    assert_eq!(first.as_ref().map(|said| said.answer), Ok("moved"));
    let code = |answer: Answer| answer.expect_err("the attempt is refused").code;
    assert_eq!(code(second.await.unwrap()), RefusalCode::Stale);
    assert_eq!(again.await.unwrap(), first);
    assert_eq!(code(reused.await.unwrap()), RefusalCode::IdReused);
    let rows = scene.store.rows(scene.game, 0).await.unwrap();
    assert_eq!(rows.len(), 2);
}

/// A refused try does not make the next request stale, so the request that waited is
/// judged.
#[tokio::test(start_paused = true)]
async fn waiting_attempt_is_judged_after_a_refused_try() {
    let (scene, before, _) = scene(true, false).await;
    let first = held(&scene, "a", "a1a5").await;
    let second = held(&scene, "b", "Nf3").await;
    before.send_replace(false);
    let first = first.await.unwrap().unwrap();
    let second = second.await.unwrap().unwrap();
    assert_eq!((first.answer, first.n), ("no", Some(2)));
    assert_eq!((second.answer, second.n), ("moved", Some(3)));
}

/// The number of waiting requests of a seat is limited.
#[tokio::test(start_paused = true)]
async fn too_many_waiting_requests_are_refused() {
    let (scene, before, _) = scene(true, false).await;
    let ids: [&str; 17] = [
        "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16",
    ];
    let mut waiting = Vec::new();
    for id in ids {
        waiting.push(held(&scene, id, "a1a5").await);
    }
    let (game, white) = (scene.game, scene.white.id);
    let refused = say(&scene.club, game, white, "17", 1, "a1a5").await;
    assert_eq!(
        refused.expect_err("the queue is full").code,
        RefusalCode::TooMany
    );
    // If the state of the player's own seat is enough to refuse a request, the request needs no
    // place in the queue.
    let unread = say(&scene.club, game, white, "18", 1, "xyz").await;
    assert_eq!(
        unread.expect_err("the text is not an attempt").code,
        RefusalCode::NotUnderstood
    );
    before.send_replace(false);
    for answer in waiting {
        let said = answer.await.unwrap().unwrap();
        assert_eq!(said.answer, "no");
    }
}

/// A hearing is kept in memory once and shared, not copied.
#[tokio::test(start_paused = true)]
async fn a_hearing_is_shared_and_not_copied() {
    let mut scene = Scene::new(terms("wild16", BLITZ)).await;
    let first = |heard: Vec<Hearing>| Arc::clone(&heard[0].heard);
    let mut ear = scene.listen(Listener::White).await;
    let early = first(hearings(&mut ear));
    // Two references: the published state and `early`.
    assert_eq!(Arc::strong_count(&early), 2);
    for file in 'a'..='h' {
        let no = scene.try_say(White, "e1e5").await;
        assert_eq!(no.map(|said| said.answer), Ok("no"));
        scene.say(White, &format!("{file}2{file}3")).await;
        scene.say(Black, &format!("{file}7{file}6")).await;
    }
    assert_eq!(Arc::strong_count(&early), 2);
    let late = first(scene.heard(Listener::White).await);
    assert!(Arc::ptr_eq(&early, &late));
}
