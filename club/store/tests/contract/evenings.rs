//! Tests of the contract: evenings.

use store::{Evening, EveningGame, EveningId, EveningKind, EveningPlayer};

use super::*;

fn evening(name: &str, maker: AccountId, begins: i64) -> Evening {
    Evening {
        id: EveningId(name.to_owned()),
        kind: if name == "b" {
            EveningKind::RoundRobin
        } else {
            EveningKind::Arena
        },
        name: format!("The evening {name}"),
        maker,
        terms: terms(),
        at: 1,
        begins,
        minutes: 60,
        is_over: false,
    }
}

fn player(account: AccountId, joined: i64, waits: Option<i64>) -> EveningPlayer {
    EveningPlayer {
        account,
        joined,
        waits,
    }
}

fn ids(found: Result<Vec<Evening>, StoreError>) -> String {
    let found = found.unwrap();
    found.into_iter().map(|evening| evening.id.0).collect()
}

pub(crate) async fn evenings_are_read_as_they_were_written(store: Any) {
    let of = players(store.as_ref()).await;
    let (a, b) = (evening("a", of.white, 20), evening("b", of.black, 10));
    for new in [&a, &b] {
        assert_eq!(store.create_evening(new).await, Ok(()));
    }
    assert_eq!(store.create_evening(&a).await, Err(StoreError::Taken));
    let nobody = evening("c", AccountId(99), 1);
    assert_eq!(store.create_evening(&nobody).await, Err(StoreError::Absent));
    for made in [&a, &b] {
        assert_eq!(store.evening(&made.id).await.as_ref(), Ok(made));
    }
    assert_eq!(store.evening(&nobody.id).await, Err(StoreError::Absent));
    assert_eq!(ids(store.evenings(false, 9).await), "ba");

    let joins = [
        player(of.black, 5, Some(5)),
        player(of.white, 4, Some(4)),
        player(of.black, 7, Some(7)),
    ];
    for join in &joins {
        assert_eq!(store.set_evening_player(&a.id, join).await, Ok(()));
    }
    let absent = store.set_evening_player(&nobody.id, &joins[0]).await;
    assert_eq!(absent, Err(StoreError::Absent));
    let found = vec![joins[1].clone(), player(of.black, 5, Some(7))];
    assert_eq!(store.evening_players(&a.id).await, Ok(found));
    assert_eq!(ids(store.evenings_of(of.black).await), "ba");
    assert_eq!(ids(store.evenings_of(of.white).await), "a");

    let deleted = store.change_account(of.black, None, &AccountChange::Delete);
    assert_eq!(deleted.await, Ok(()));
    let left = store.evening_players(&a.id).await;
    assert_eq!(left, Ok(vec![joins[1].clone(), player(of.black, 5, None)]));
    for id in [&a.id, &b.id] {
        assert_eq!(store.end_evening(id).await, Ok(()));
    }
    assert_eq!(ids(store.evenings(true, 9).await), "ab");
    assert_eq!(ids(store.evenings(true, 1).await), "a");
    assert_eq!(store.cancel_evening(&a.id).await, Err(StoreError::Absent));
}

pub(crate) async fn games_of_an_evening_count_if_they_are_over_at_its_end(store: Any) {
    let players = players(store.as_ref()).await;
    let made = evening("a", players.white, 10);
    assert_eq!(store.create_evening(&made).await, Ok(()));
    let lease = store.claim(20).await.unwrap();
    let fence = lease.unwrap().fence;
    let game = |number| EveningGame {
        game: id(number),
        players,
        round: number as u32,
        at: number as i64,
        begun: false,
        over: None,
    };
    for number in [3, 1, 2] {
        let added = store.add_evening_game(fence, &made.id, &game(number)).await;
        assert_eq!(added, Ok(()));
    }
    for (fence, number) in [(fence - 1, 4), (fence, 1)] {
        let added = store.add_evening_game(fence, &made.id, &game(number)).await;
        assert_eq!(added, Err(StoreError::Fenced));
    }
    for number in [1, 2] {
        let new = new_game(id(number), players, 20);
        assert_eq!(store.create_game(fence, &new).await, Ok(()));
    }
    let expected = Expected { fence, ..1.into() };
    let rows = [resignation(30)];
    let ended = store.append(id(1), expected, &rows, Some(RESIGNED));
    assert_eq!(ended.await, Ok(()));
    let over = EveningGame {
        begun: true,
        over: Some(RESIGNED),
        ..game(1)
    };
    let running = EveningGame {
        begun: true,
        ..game(2)
    };
    let all = vec![over.clone(), running.clone(), game(3)];
    assert_eq!(store.evening_games(&made.id).await, Ok(all));
    for number in [2, 3] {
        assert_eq!(store.remove_evening_game(id(number)).await, Ok(()));
    }
    let left = vec![over.clone(), running];
    assert_eq!(store.evening_games(&made.id).await, Ok(left));
    assert_eq!(store.end_evening(&made.id).await, Ok(()));
    assert_eq!(store.evening_games(&made.id).await, Ok(vec![over]));
}

pub(crate) async fn a_cancelled_evening_leaves_nothing(store: Any) {
    let of = players(store.as_ref()).await;
    let made = evening("a", of.white, 10);
    assert_eq!(store.create_evening(&made).await, Ok(()));
    let join = player(of.black, 5, Some(5));
    assert_eq!(store.set_evening_player(&made.id, &join).await, Ok(()));
    assert_eq!(store.cancel_evening(&made.id).await, Ok(()));
    assert_eq!(
        store.cancel_evening(&made.id).await,
        Err(StoreError::Absent)
    );
    assert_eq!(ids(store.evenings_of(of.black).await), "");
    assert_eq!(store.evening_players(&made.id).await, Ok(Vec::new()));
}
