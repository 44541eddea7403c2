//! Tests of the contract: the logs of games.

use super::*;

pub(crate) async fn rows_are_read_as_they_were_written(store: Any) {
    let players = players(store.as_ref()).await;
    let mut rows = knights(40);
    rows.push(table(77, TableEvent::Credited { from: 70 }));
    let mut game = new_game(id(1), players, 10);
    game.rows = rows[..1].to_vec();
    store.create_game(0, &game).await.unwrap();
    store
        .append(id(1), 1.into(), &rows[1..5], None)
        .await
        .unwrap();
    store.append(id(1), 5.into(), &[], None).await.unwrap();
    store
        .append(id(1), 5.into(), &rows[5..], None)
        .await
        .unwrap();
    let read = store.rows(id(1), 0).await.unwrap();
    assert_eq!(read.len(), rows.len());
    for (seq, (read, written)) in (0_u32..).zip(read.iter().zip(&rows)) {
        assert_eq!(read.seq, seq);
        assert_eq!(read.at, written.at);
        assert_eq!(read.act, written.act);
        assert_eq!(read.request, written.request);
    }
    assert_eq!(store.rows(id(1), 38).await.unwrap(), read[38..]);
    assert_eq!(store.rows(id(1), 41).await, Ok(Vec::new()));
    assert_eq!(store.rows(id(1), 99).await, Ok(Vec::new()));
}

pub(crate) async fn only_one_of_several_concurrent_appends_succeeds(store: Any) {
    with_game(&store).await;
    let rows = |writer: i64| {
        let paused = table(writer, TableEvent::Paused);
        vec![paused.clone(), paused]
    };
    let mut tasks = Vec::new();
    for writer in 0..20 {
        let store = store.clone();
        tasks.push(tokio::spawn(async move {
            store.append(id(1), 1.into(), &rows(writer), None).await
        }));
    }
    let mut winners = Vec::new();
    for (writer, task) in (0_i64..).zip(tasks) {
        match task.await.unwrap() {
            Ok(()) => winners.push(writer),
            Err(error) => assert_eq!(error, AppendError::Conflict),
        }
    }
    let stored = store.rows(id(1), 1).await.unwrap();
    let at: Vec<i64> = stored.iter().map(|row| row.at).collect();
    assert_eq!(winners.len(), 1);
    assert_eq!(at, [winners[0], winners[0]]);
}

pub(crate) async fn appends_to_many_games_at_once_succeed(store: Any) {
    let players = players(store.as_ref()).await;
    let mut tasks = Vec::new();
    for number in 0..16 {
        let store = store.clone();
        tasks.push(tokio::spawn(async move {
            let mut game = new_game(id(number), players, 10);
            game.rows = knights(1);
            store.create_game(0, &game).await.unwrap();
            for (seq, row) in (0_u32..).zip(knights(30)).skip(1) {
                store
                    .append(id(number), seq.into(), &[row], None)
                    .await
                    .unwrap();
            }
        }));
    }
    for task in tasks {
        task.await.unwrap();
    }
    for number in 0..16 {
        assert_eq!(
            store.rows(id(number), 0).await.map(|rows| rows.len()),
            Ok(30)
        );
    }
}

pub(crate) async fn a_request_id_of_a_seat_is_stored_only_once(store: Any) {
    with_game(&store).await;
    let mut game = fresh();
    let event = said(&mut game, Color::White, "e2e4");
    let mut first = row(11, event);
    first.request = Some((Color::White, request("a")));
    let mut second = row(12, said(&mut game, Color::Black, "e7e5"));
    // A request of the other seat may have the same id.
    second.request = Some((Color::Black, request("a")));
    store.append(id(1), 1.into(), &[first], None).await.unwrap();
    store
        .append(id(1), 2.into(), &[second], None)
        .await
        .unwrap();
    let mut again = row(13, said(&mut game, Color::White, "g1f3"));
    again.request = Some((Color::White, request("a")));
    let answer = store.append(id(1), 3.into(), &[again.clone()], None).await;
    assert_eq!(answer, Err(AppendError::Conflict));
    // The same id twice among the new rows is also a conflict.
    again.request = Some((Color::White, request("b")));
    let answer = store
        .append(id(1), 3.into(), &[again.clone(), again.clone()], None)
        .await;
    assert_eq!(answer, Err(AppendError::Conflict));
    assert_eq!(store.rows(id(1), 3).await, Ok(Vec::new()));
    store.append(id(1), 3.into(), &[again], None).await.unwrap();
}

pub(crate) async fn a_conflict_changes_nothing(store: Any) {
    with_game(&store).await;
    let rows = [table(5, TableEvent::Paused), table(6, TableEvent::Paused)];
    let end = Some(Over {
        winner: Winner::Unfinished,
        reason: Reason::Aborted,
    });
    for expected in [0, 2, u32::MAX] {
        let answer = store.append(id(1), expected.into(), &rows, end).await;
        assert_eq!(answer, Err(AppendError::Conflict));
    }
    assert_eq!(store.rows(id(1), 1).await, Ok(Vec::new()));
    assert_eq!(store.running().await.map(|games| games.len()), Ok(1));
}

pub(crate) async fn append_to_an_unknown_game_fails(store: Any) {
    let rows = [table(5, TableEvent::Paused)];
    let answer = store.append(id(1), 0.into(), &rows, None).await;
    assert_eq!(answer, Err(AppendError::Store(StoreError::Absent)));
    assert_eq!(store.rows(id(1), 0).await, Err(StoreError::Absent));
    assert_eq!(store.game(id(1)).await, Err(StoreError::Absent));
}

pub(crate) async fn rows_may_be_appended_after_the_end_of_a_game(store: Any) {
    with_game(&store).await;
    let ended = store
        .append(id(1), 1.into(), &[resignation(20)], Some(RESIGNED))
        .await;
    ended.unwrap();
    let rows = [table(21, TableEvent::RematchOffered(Color::White))];
    store.append(id(1), 2.into(), &rows, None).await.unwrap();
    assert_eq!(store.rows(id(1), 0).await.map(|rows| rows.len()), Ok(3));
}

pub(crate) async fn an_append_expects_the_time_of_the_last_row(store: Any) {
    with_game(&store).await;
    let rows = [table(5, TableEvent::Paused)];
    for (last_at, answer) in [(9, Err(AppendError::Conflict)), (10, Ok(()))] {
        let expected = Expected {
            last_at: Some(last_at),
            ..1.into()
        };
        let appended = store.append(id(1), expected, &rows, None).await;
        assert_eq!(appended, answer, "{last_at}");
    }
}

pub(crate) async fn only_the_owner_appends_and_creates_games(store: Any) {
    let players = with_game(&store).await;
    let rows = [table(20, TableEvent::Paused)];
    let append = async |fence: Fence, rows_before: u32| {
        let expected = Expected {
            fence,
            ..rows_before.into()
        };
        store.append(id(1), expected, &rows, None).await
    };
    let create = async |fence: Fence, game: u64| {
        let new = new_game(id(game), players, 10);
        store.create_game(fence, &new).await
    };
    let fenced = StoreError::Fenced;
    let (first, second) = (
        claim(&store, 1_000).await,
        claim(&store, 1_000 + LEASE_TIME).await,
    );
    let first = first.unwrap().fence;
    // A store with its own clock grants the second claim only after real time has passed.
    let second = match second {
        Some(lease) => lease.fence,
        None => {
            sleep(Duration::from_millis(LEASE_TIME.unsigned_abs() + 100)).await;
            claim(&store, 0).await.unwrap().fence
        }
    };
    assert!(first > 0 && second > first);
    for stale in [0, first] {
        assert_eq!(
            append(stale, 1).await,
            Err(fenced.clone().into()),
            "{stale}"
        );
        assert_eq!(create(stale, 2).await, Err(fenced.clone()), "{stale}");
        let renewed = store.renew(stale, 0, 1_000 + LEASE_TIME, true).await;
        assert_eq!(renewed, Err(fenced.clone()), "{stale}");
    }
    assert_eq!(append(second, 1).await, Ok(()));
    assert_eq!(create(second, 2).await, Ok(()));
}

pub(crate) async fn games_are_owned_until_they_are_released(store: Any) {
    let first = claim(&store, 1_000).await.unwrap();
    assert_eq!(first.served_until, None);
    store.release(first.fence).await.unwrap();
    // Games without an earlier owner are served from the claim on.
    let first = claim(&store, 1_050).await.unwrap();
    assert!(first.served_until.is_some());
    assert_eq!(claim(&store, 1_100).await, None);
    let renewed = store.renew(first.fence, 0, 1_300, true).await.unwrap();
    assert_eq!(claim(&store, 1_400).await, None);
    // The store has lost a renewal that it does not have.
    let lost = store
        .renew(first.fence, renewed + 60_000, 1_400, true)
        .await;
    assert_eq!(lost, Err(StoreError::Absent));
    store.release(first.fence).await.unwrap();
    let next = claim(&store, 1_500).await.unwrap();
    assert!(next.fence > first.fence);
    // An owner that does not serve yet does not hide how long the games were not served.
    assert_eq!(next.served_until, Some(1_300));
    let renewed = store.renew(next.fence, renewed, 1_600, false).await;
    renewed.unwrap();
    store.release(next.fence).await.unwrap();
    let last = claim(&store, 1_700).await.unwrap();
    assert_eq!(last.served_until, Some(1_300));
}

async fn claim(store: &Any, now: i64) -> Option<Lease> {
    store.claim(now).await.unwrap()
}
