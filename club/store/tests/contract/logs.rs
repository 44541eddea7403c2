//! Tests of the contract: the logs of games.

use super::*;

pub(crate) async fn rows_are_read_as_they_were_written(store: Any) {
    let players = players(store.as_ref()).await;
    let mut rows = knights(40);
    rows.push(table(77, TableEvent::Credited { from: 70 }));
    let mut game = new_game(id(1), players, 10);
    game.rows = rows[..1].to_vec();
    store.create_game(&game).await.expect("the game is created");
    store
        .append(id(1), 1, &rows[1..5], None)
        .await
        .expect("the rows are appended");
    store
        .append(id(1), 5, &[], None)
        .await
        .expect("an append of no rows succeeds");
    store
        .append(id(1), 5, &rows[5..], None)
        .await
        .expect("the other rows are appended");
    let read = store.rows(id(1), 0).await.expect("the game exists");
    assert_eq!(read.len(), rows.len());
    for (seq, (read, written)) in (0_u32..).zip(read.iter().zip(&rows)) {
        assert_eq!(read.seq, seq);
        assert_eq!(read.at, written.at);
        assert_eq!(read.act, written.act);
        assert_eq!(read.request, written.request);
    }
    assert_eq!(
        store
            .rows(id(1), 38)
            .await
            .expect("the last rows can be read"),
        read[38..]
    );
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
            store.append(id(1), 1, &rows(writer), None).await
        }));
    }
    let mut winners = Vec::new();
    for (writer, task) in (0_i64..).zip(tasks) {
        match task.await.expect("the task does not panic") {
            Ok(()) => winners.push(writer),
            Err(error) => assert_eq!(error, AppendError::Conflict),
        }
    }
    let stored = store.rows(id(1), 1).await.expect("the game exists");
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
            store.create_game(&game).await.expect("the game is created");
            for (seq, row) in (0_u32..).zip(knights(30)).skip(1) {
                store
                    .append(id(number), seq, &[row], None)
                    .await
                    .expect("nobody else appends");
            }
        }));
    }
    for task in tasks {
        task.await.expect("the task does not panic");
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
    store
        .append(id(1), 1, &[first], None)
        .await
        .expect("the rows are appended");
    store
        .append(id(1), 2, &[second], None)
        .await
        .expect("the other seat may use the same id");
    let mut again = row(13, said(&mut game, Color::White, "g1f3"));
    again.request = Some((Color::White, request("a")));
    let answer = store.append(id(1), 3, &[again.clone()], None).await;
    assert_eq!(answer, Err(AppendError::Conflict));
    // The same id twice among the new rows is also a conflict.
    again.request = Some((Color::White, request("b")));
    let answer = store
        .append(id(1), 3, &[again.clone(), again.clone()], None)
        .await;
    assert_eq!(answer, Err(AppendError::Conflict));
    assert_eq!(store.rows(id(1), 3).await, Ok(Vec::new()));
    store
        .append(id(1), 3, &[again], None)
        .await
        .expect("the row is appended");
}

pub(crate) async fn a_conflict_changes_nothing(store: Any) {
    with_game(&store).await;
    let rows = [table(5, TableEvent::Paused), table(6, TableEvent::Paused)];
    let end = Some(Over {
        winner: Winner::Unfinished,
        reason: Reason::Aborted,
    });
    for expected in [0, 2, u32::MAX] {
        let answer = store.append(id(1), expected, &rows, end).await;
        assert_eq!(answer, Err(AppendError::Conflict));
    }
    assert_eq!(store.rows(id(1), 1).await, Ok(Vec::new()));
    assert_eq!(store.running().await.map(|games| games.len()), Ok(1));
}

pub(crate) async fn append_to_an_unknown_game_fails(store: Any) {
    let rows = [table(5, TableEvent::Paused)];
    let answer = store.append(id(1), 0, &rows, None).await;
    assert_eq!(answer, Err(AppendError::Store(StoreError::Absent)));
    assert_eq!(store.rows(id(1), 0).await, Err(StoreError::Absent));
    assert_eq!(store.game(id(1)).await, Err(StoreError::Absent));
}

pub(crate) async fn rows_may_be_appended_after_the_end_of_a_game(store: Any) {
    with_game(&store).await;
    let ended = store
        .append(id(1), 1, &[resignation(20)], Some(RESIGNED))
        .await;
    ended.expect("the rows are appended");
    let rows = [table(21, TableEvent::RematchOffered(Color::White))];
    store
        .append(id(1), 2, &rows, None)
        .await
        .expect("the rematch is appended");
    assert_eq!(store.rows(id(1), 0).await.map(|rows| rows.len()), Ok(3));
}

pub(crate) async fn hints_contain_the_length_of_the_log(store: Any) {
    let mut hints = store.hints();
    with_game(&store).await;
    let rows = [table(5, TableEvent::Paused), table(6, TableEvent::Paused)];
    store
        .append(id(1), 1, &rows, None)
        .await
        .expect("two rows are appended");
    let refused = store.append(id(1), 1, &rows, None).await;
    assert_eq!(refused, Err(AppendError::Conflict));
    store
        .append(id(1), 3, &rows, None)
        .await
        .expect("two rows are appended");
    for rows in [1, 3, 5] {
        let hint = Hint::Rows { game: id(1), rows };
        assert_eq!(hints.recv().await, Ok(hint));
    }
    assert!(hints.try_recv().is_err());
}

pub(crate) async fn append_beside_permits_only_rows_of_named_requests(store: Any) {
    with_game(&store).await;
    let row = |seat, name: &str| NewRow {
        request: Some((seat, request(name))),
        ..table(5, TableEvent::Paused)
    };
    let (white, black) = (Color::White, Color::Black);
    let first = [row(white, "w1")];
    store
        .append(id(1), 1, &first, None)
        .await
        .expect("the row is appended");
    let others = [(white, request("w1"))];
    // The row `b1` was judged before the row `w1` was stored. The row `b2` was judged after `w1`
    // and `b1` were stored.
    for (expected, name, seq) in [(1, "b1", Ok(2)), (3, "b2", Ok(3))] {
        let rows = [row(black, name)];
        let added = store.append_beside(id(1), expected.into(), &others, &rows, None);
        assert_eq!(added.await, seq, "{name}");
    }
    // The caller names the time of the last row that it knows. If the row in the log has another
    // time, the append is a conflict.
    let end = |last_at| LogEnd {
        rows: 3,
        last_at: Some(last_at),
    };
    for (last_at, seq) in [(4, Err(AppendError::Conflict)), (5, Ok(4))] {
        let (rows, others) = ([row(black, "b4")], [(black, request("b2"))]);
        let added = store.append_beside(id(1), end(last_at), &others, &rows, None);
        assert_eq!(added.await, seq, "{last_at}");
    }
    // These appends are conflicts. In the first three, the log contains a row that the caller
    // neither expects nor names. In the last, the caller expects 9 rows, but the log has fewer.
    for (expected, others) in [(1, &others[..]), (3, &others), (1, &[]), (9, &others)] {
        let rows = [row(black, "b3")];
        let added = store.append_beside(id(1), expected.into(), others, &rows, None);
        assert_eq!(added.await, Err(AppendError::Conflict), "{expected}");
    }
    assert_eq!(
        store
            .rows(id(1), 0)
            .await
            .expect("the log can be read")
            .len(),
        5
    );
}

pub(crate) async fn lengths_of_the_logs_of_running_games_can_be_read(store: Any) {
    with_game(&store).await;
    let lengths = async || store.running_lengths().await.expect("the lengths are read");
    assert_eq!(lengths().await, [(id(1), 1)]);
    let paused = table(5, TableEvent::Paused);
    store
        .append(id(1), 1, &[paused.clone(), paused], None)
        .await
        .expect("the rows are appended");
    assert_eq!(lengths().await, [(id(1), 3)]);
    store
        .append(id(1), 3, &[resignation(20)], Some(RESIGNED))
        .await
        .expect("the game ends");
    assert_eq!(lengths().await, []);
}
