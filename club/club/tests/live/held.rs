//! Tests that a request of one seat never delays the other seat, even if the store delays a row.

use std::sync::Arc;

use async_trait::async_trait;
use club::{ClubError, Code, ListenerItem, RequestAnswer, TableAct, request_id};
use referee::Event;
use rules::{
    Listener,
    chess::Color::{Black, White},
};
use store::{
    Act, AppendError, MemoryStore, NewRow,
    testing::{Around, Tapped},
};
use tokio::{
    sync::watch,
    task::JoinHandle,
    time::{Duration, sleep, timeout},
};

use crate::common::{BLITZ, Scene, drain, terms};

/// Store that delays the rows of White's refused tries while `held` is true.
struct Holding {
    held: watch::Sender<bool>,
}

fn is_white_refused(rows: &[NewRow]) -> bool {
    rows.iter().any(|row| {
        matches!(
            row.act,
            Act::Game(Event::Rebuffed {
                by: White,
                over: None,
                ..
            })
        )
    })
}

#[async_trait]
impl Around for Holding {
    async fn before(&self, rows: &[NewRow]) {
        if is_white_refused(rows) {
            let mut held = self.held.subscribe();
            held.wait_for(|held| !held)
                .await
                .expect("the test keeps the sender");
        }
    }

    async fn after(&self, _: &[NewRow], _: &Result<(), AppendError>) {}
}

/// What White does in White's turn, while the test records what Black gets.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
enum Private {
    Nothing,
    Tries,
    TriesAndIsHeld,
}

/// Returns a game. Both sides have moved, White has offered a draw, and White does something
/// private.
async fn scene(private: Private) -> (Scene, watch::Sender<bool>, Option<JoinHandle<Answer>>) {
    let held = watch::Sender::new(private == Private::TriesAndIsHeld);
    let store = Arc::new(Tapped {
        store: MemoryStore::default(),
        around: Holding { held: held.clone() },
    });
    let mut scene = Scene::over(store, terms("wild16", BLITZ)).await;
    scene.moves(&["e2e4", "e7e5"]).await;
    scene.say(White, "offer-draw").await;
    let (club, game, white) = (scene.club.clone(), scene.game, scene.white.id);
    let tries = move |id: &'static str, text: &'static str| {
        let club = club.clone();
        async move {
            let id = request_id(id).expect("the id is valid");
            club.say(game, white, id, 4, text).await
        }
    };
    let pending = match private {
        Private::Nothing => None,
        Private::Tries => {
            for (id, text) in [("p1", "e4e5"), ("p2", "f1f8"), ("p3", "e4d5")] {
                assert_eq!(
                    tries(id, text).await.expect("the attempt is judged").answer,
                    "no"
                );
            }
            None
        }
        Private::TriesAndIsHeld => {
            let pending = tokio::spawn(tries("p1", "e4e5"));
            tokio::task::yield_now().await;
            Some(pending)
        }
    };
    (scene, held, pending)
}

type Answer = Result<RequestAnswer, ClubError>;

/// Collects everything that Black and the spectators get, and measures how long this takes.
async fn blacks(scene: &mut Scene) -> String {
    let began = scene.clock.0.elapsed();
    let lobby = *scene.club.lobby().borrow();
    let mut ear = scene.listen(Listener::Black).await;
    let mut room = scene.listen(Listener::Room).await;
    let items = format!("{:?} {:?}", drain(&mut ear), drain(&mut room));
    let view = scene.club.seat_view(scene.game, scene.black.id).await;
    let early = scene.try_say(Black, "g8f6").await;
    let unread = scene.try_say(Black, "xyz").await;
    let declined = scene.try_say(Black, "decline-draw").await;
    let act = scene.try_act(Black, TableAct::Adjourn).await;
    let lobby = *scene.club.lobby().borrow() - lobby;
    let resigned = scene.try_say(Black, "resign").await;
    let later = format!("{:?} {:?}", drain(&mut ear), drain(&mut room));
    let took = scene.clock.0.elapsed() - began;
    let all = format!(
        "{items}\n{view:?}\n{early:?}\n{unread:?}\n{declined:?}\n{act:?}\n{lobby}\n{resigned:?}\n{later}\n{took:?}"
    );
    // Names and ids are random.
    all.replace(&scene.game.to_string(), "GAME")
        .replace(&scene.white.name, "WHITE")
        .replace(&scene.black.name, "BLACK")
}

#[tokio::test(start_paused = true)]
async fn black_gets_the_same_whatever_white_tries_in_private() {
    let (mut quiet, _, _) = scene(Private::Nothing).await;
    let expected = blacks(&mut quiet).await;
    assert!(expected.ends_with("0ns"), "{expected}");
    let (mut loud, _, _) = scene(Private::Tries).await;
    assert_eq!(blacks(&mut loud).await, expected);
    let (mut slow, held, pending) = scene(Private::TriesAndIsHeld).await;
    assert_eq!(blacks(&mut slow).await, expected);
    // When the store continues, the append of the delayed try fails with a conflict, and the try is
    // judged again.
    held.send_replace(false);
    let answer = pending
        .expect("a try is held back")
        .await
        .expect("the task does not panic");
    assert_eq!(answer.expect_err("the game is over").code, Code::GameOver);
    let rows = slow
        .store
        .rows(slow.game, 0)
        .await
        .expect("the log can be read");
    assert!(
        !rows
            .iter()
            .any(|row| matches!(row.act, Act::Game(Event::Rebuffed { .. })))
    );
}

#[tokio::test(start_paused = true)]
async fn a_try_that_lost_its_place_in_the_log_is_judged_again() {
    let (mut slow, held, pending) = scene(Private::TriesAndIsHeld).await;
    assert_eq!(slow.say(Black, "decline-draw").await.answer, "declined");
    held.send_replace(false);
    let answer = pending
        .expect("a try is held back")
        .await
        .expect("the task does not panic");
    let said = answer.expect("the attempt is judged");
    assert_eq!((said.answer, said.n), ("no", Some(6)));
    assert_eq!(slow.say(White, "d2d4").await.answer, "moved");
}

#[tokio::test(start_paused = true)]
async fn listener_does_not_wake_for_unheard_events() {
    let mut scene = Scene::new(terms("wild16", BLITZ)).await;
    scene.moves(&["e2e4", "e7e5"]).await;
    let mut ears = [
        scene.listen(Listener::Black).await,
        scene.listen(Listener::Room).await,
    ];
    // The listeners first get the facts, which say that Black is connected.
    sleep(Duration::from_millis(5)).await;
    for ear in &mut ears {
        drain(ear);
    }
    let mut lobby = scene.club.lobby();
    lobby.borrow_and_update();
    for text in ["e4e5", "a1a8", "f1f8", "d1d8"] {
        assert_eq!(scene.say(White, text).await.answer, "no");
    }
    for ear in &mut ears {
        let woken = timeout(Duration::from_secs(20), ear.next()).await;
        assert!(woken.is_err(), "{woken:?}");
    }
    assert!(!lobby.has_changed().expect("the club is open"));
    // Black hears White's move immediately, as in a game without the tries.
    scene.say(White, "d2d4").await;
    for ear in &mut ears {
        assert!(matches!(ear.ready(), Some(ListenerItem::Hearing(h)) if h.n == 4));
    }
}

/// Store that delays the confirmation of White's king move while `held` is true.
struct Unconfirmed {
    held: watch::Sender<bool>,
}

#[async_trait]
impl Around for Unconfirmed {
    async fn before(&self, _: &[NewRow]) {}

    async fn after(&self, rows: &[NewRow], _: &Result<(), AppendError>) {
        let is_king_move = rows.iter().any(|row| {
            matches!(&row.act, Act::Game(Event::Moved { what, .. }) if what.to_string() == "e1e2")
        });
        if is_king_move {
            let mut held = self.held.subscribe();
            held.wait_for(|held| !held)
                .await
                .expect("the test keeps the sender");
        }
    }
}

/// The club reads White's move from the log before the store confirms the append of this move.
/// Requests of Black are judged after the move. The late confirmation must not apply the move a
/// second time.
#[tokio::test(start_paused = true)]
async fn an_unconfirmed_row_of_the_log_is_applied_once() {
    let held = watch::Sender::new(true);
    let store = Arc::new(Tapped {
        store: MemoryStore::default(),
        around: Unconfirmed { held: held.clone() },
    });
    let mut scene = Scene::over(store, terms("wild16", BLITZ)).await;
    let mut black = scene.listen(Listener::Black).await;
    scene.moves(&["e2e4", "e7e5"]).await;
    drain(&mut black);
    let (club, game, white) = (scene.club.clone(), scene.game, scene.white.id);
    let n = scene.n(White).await;
    let move_of_white = tokio::spawn(async move {
        let id = request_id("king").expect("the id is valid");
        club.say(game, white, id, n, "e1e2").await
    });
    timeout(Duration::from_secs(3), black.next())
        .await
        .expect("the move is read from the log");
    for (text, answer) in [("a8a5", "no"), ("g8f6", "moved")] {
        assert_eq!(scene.say(Black, text).await.answer, answer);
    }
    held.send_replace(false);
    let answer = move_of_white
        .await
        .expect("the task does not panic")
        .expect("the request is answered");
    assert_eq!(answer.answer, "moved");
    assert_eq!(scene.say(White, "e2e3").await.answer, "moved");
    let rows = scene
        .store
        .rows(scene.game, 0)
        .await
        .expect("the log can be read");
    assert_eq!(rows.len(), 7);
}
