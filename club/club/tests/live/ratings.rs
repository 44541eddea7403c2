//! Tests of rated games: who may play them, and when they change ratings.

use std::sync::Arc;

use club::{AccountId, ColorWish, Terms, TimeControl};
use rules::{Family, chess::Color};
use store::{Against, MemoryStore, Store};
use tokio::time::{Duration, sleep};
use wire::{RefusalCode, TableAct};

use crate::common::{Scene, TestClock, open, terms};

fn rated(rules: &str) -> Terms {
    Terms {
        rated: true,
        ..terms(rules, TimeControl::Unlimited)
    }
}

/// Waits until the club has counted the games that are over.
async fn count() {
    sleep(Duration::from_secs(1)).await;
}

/// Returns the present ratings: family, kind of opponents, points and deviation.
async fn ratings(store: &Arc<dyn Store>, account: AccountId) -> Vec<String> {
    let found = store.ratings(account).await.unwrap();
    let shown = found.iter().map(|rating| {
        let (against, n) = (rating.against.name(), rating.n);
        let [points, deviation] = [rating.rating, rating.deviation].map(|value| value / 1000);
        format!("{} {against} {points} {deviation} {n}", rating.family)
    });
    shown.collect()
}

const OPENING: [&str; 4] = ["e2e4", "e7e5", "g1f3", "g8f6"];

#[tokio::test(start_paused = true)]
async fn a_rating_changes_once_when_a_rated_game_ends() {
    for stops_at_the_end in [false, true] {
        let mut scene = Scene::new(rated("wild16")).await;
        scene.moves(&OPENING).await;
        count().await;
        assert_eq!(ratings(&scene.store, scene.white.id).await, [""; 0]);
        scene.say(Color::Black, "resign").await;
        if stops_at_the_end {
            scene.reopen().await;
        }
        count().await;
        let [white, black] = ["wild16 people 1662 290 1", "wild16 people 1337 290 1"];
        assert_eq!(ratings(&scene.store, scene.white.id).await, [white]);
        assert_eq!(ratings(&scene.store, scene.black.id).await, [black]);
        scene.act(Color::White, TableAct::Rematch).await;
        scene.act(Color::Black, TableAct::Rematch).await;
        scene.reopen().await;
        count().await;
        assert_eq!(ratings(&scene.store, scene.white.id).await, [white]);
        let next = scene.store.running().await.unwrap();
        let [next] = &next[..] else {
            panic!("the rematch is created: {next:?}");
        };
        assert!(next.terms.rated);
        assert_eq!(next.players.white, scene.black.id);
    }
}

#[tokio::test(start_paused = true)]
async fn short_and_aborted_games_and_casual_games_do_not_count() {
    for (terms, moves, resigns) in [
        (rated("wild16"), 0, true),
        (rated("wild16"), 3, true),
        (rated("wild16"), 1, false),
        (terms("wild16", TimeControl::Unlimited), 4, true),
    ] {
        let mut scene = Scene::new(terms).await;
        scene.moves(&OPENING[..moves]).await;
        match resigns {
            true => drop(scene.say(Color::White, "resign").await),
            false => drop(scene.act(Color::White, TableAct::Abort).await),
        }
        count().await;
        assert_eq!(ratings(&scene.store, scene.white.id).await, [""; 0]);
        assert_eq!(scene.store.uncounted().await, Ok(Vec::new()));
    }
}

#[tokio::test(start_paused = true)]
async fn a_game_with_a_level_changes_only_the_persons_rating() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let club = open(&store, &TestClock::new()).await;
    let level = club.program("level-2").await.unwrap();
    for _ in 0..2 {
        club.fix_rating(&level, 1230.0, 20.4).await.unwrap();
    }
    let fixed = ratings(&store, level.id).await;
    assert_eq!(fixed.len(), Family::ALL.len());
    assert!(
        fixed.contains(&"ks people 1230 20 1".to_owned()),
        "{fixed:?}"
    );
    let anna = club.register("Anna", "correct horse").await.unwrap();
    let offer = club.challenge(anna.id, "level-2", rated("ks+a")).await;
    let offer = offer.unwrap();
    let game = club.accept(&offer.id, level.id).await.unwrap();
    for (i, text) in OPENING.iter().chain(&["resign"]).enumerate() {
        let by = if i % 2 == 0 { anna.id } else { level.id };
        let after = club.seat_view(game, by).await.unwrap().n;
        let request = club::request_id(&format!("r{i}")).unwrap();
        club.say(game, by, request, after, text).await.unwrap();
    }
    count().await;
    assert_eq!(ratings(&store, anna.id).await, ["ks programs 1133 278 1"]);
    assert_eq!(ratings(&store, level.id).await, fixed);
}

#[tokio::test(start_paused = true)]
async fn unfit_offers_of_rated_games_are_refused() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let club = open(&store, &TestClock::new()).await;
    let guest = club.guest().await.unwrap();
    let anna = club.register("Anna", "correct horse").await.unwrap();
    club.program("random").await.unwrap();
    let custom = Terms {
        custom: Some("from = \"wild16\"\n".to_owned()),
        ..rated("wild16")
    };
    let any = Terms {
        color: ColorWish::Any,
        ..rated("wild16")
    };
    let refused = (RefusalCode::NotPossible, "rated-guest");
    for (by, to, terms, expected) in [
        (guest.id, None, any.clone(), refused),
        (guest.id, Some("Anna"), any.clone(), refused),
        (anna.id, Some(&*guest.name), any.clone(), refused),
        (
            anna.id,
            Some("random"),
            any.clone(),
            (RefusalCode::NotPossible, "rated-program"),
        ),
        (
            anna.id,
            None,
            custom,
            (RefusalCode::Invalid, "rated-custom"),
        ),
    ] {
        let offered = match to {
            Some(to) => club.challenge(by, to, terms).await,
            None => club.seek(by, terms).await,
        };
        let error = offered.expect_err(expected.1);
        assert_eq!((error.code, error.reason), expected);
    }
    let seek = club.seek(anna.id, any).await.unwrap();
    let error = club.accept(&seek.id, guest.id).await.expect_err("a guest");
    assert_eq!((error.code, error.reason), refused);
    let best = store.best(
        "wild16",
        Against::People,
        store::AccountKind::Person,
        i64::MAX,
        9,
    );
    assert_eq!(best.await, Ok(Vec::new()));
}
