//! Tests of the contract: the index of games.

use super::*;

pub(crate) async fn append_of_the_end_marks_the_game_as_over_in_the_index(store: Any) {
    with_game(&store).await;
    let record = store.game(id(1)).await.unwrap();
    assert_eq!(record.over, None);
    let ended = store
        .append(id(1), 1.into(), &[resignation(20)], Some(RESIGNED))
        .await;
    ended.unwrap();
    let record = store.game(id(1)).await.unwrap();
    assert_eq!(record.over, Some(RESIGNED));
    assert_eq!(store.running().await, Ok(Vec::new()));
}

pub(crate) async fn a_game_ends_only_once(store: Any) {
    with_game(&store).await;
    let ended = store
        .append(id(1), 1.into(), &[resignation(20)], Some(RESIGNED))
        .await;
    ended.unwrap();
    let rows = [table(21, TableEvent::Paused)];
    let again = store.append(id(1), 2.into(), &rows, Some(RESIGNED)).await;
    assert_eq!(again, Err(AppendError::Store(StoreError::Taken)));
    assert_eq!(store.rows(id(1), 2).await, Ok(Vec::new()));
}

pub(crate) async fn a_game_needs_two_accounts_and_a_new_id(store: Any) {
    let players = with_game(&store).await;
    let same = new_game(id(1), players, 11);
    assert_eq!(store.create_game(0, &same).await, Err(StoreError::Taken));
    let nobody = ByColor {
        white: players.white,
        black: AccountId(99),
    };
    let without = new_game(id(2), nobody, 12);
    assert_eq!(
        store.create_game(0, &without).await,
        Err(StoreError::Absent)
    );
    assert_eq!(store.game(id(2)).await, Err(StoreError::Absent));
    assert_eq!(store.rows(id(1), 0).await.map(|rows| rows.len()), Ok(1));
}

pub(crate) async fn running_games_come_oldest_first(store: Any) {
    let players = players(store.as_ref()).await;
    for (number, at) in [(1, 30), (2, 10), (3, 20)] {
        let game = new_game(id(number), players, at);
        store.create_game(0, &game).await.unwrap();
    }
    let games = store.running().await.unwrap();
    let ids: Vec<_> = games.iter().map(|game| game.id).collect();
    assert_eq!(ids, [id(2), id(3), id(1)]);
}

pub(crate) async fn finished_games_come_newest_first(store: Any) {
    let two = players(store.as_ref()).await;
    let other = account(store.as_ref(), "Carl").await;
    let swapped = ByColor {
        white: two.black,
        black: two.white,
    };
    let others = ByColor {
        white: other,
        black: two.black,
    };
    for (number, seats) in [(1, two), (2, swapped), (3, others), (4, two), (5, two)] {
        let game = new_game(id(number), seats, number as i64);
        store.create_game(0, &game).await.unwrap();
        if number != 4 {
            let rows = [resignation(20)];
            let ended = store
                .append(id(number), 1.into(), &rows, Some(RESIGNED))
                .await;
            ended.unwrap();
        }
    }
    let listed = async |account, before, limit| {
        let found = store
            .finished(
                &GameSearch {
                    before,
                    ..GameSearch::of(account)
                },
                limit,
            )
            .await;
        let found = found.unwrap();
        found.iter().map(|game| game.id).collect::<Vec<_>>()
    };
    assert_eq!(listed(two.white, 99, 9).await, [id(5), id(2), id(1)]);
    assert_eq!(listed(two.white, 5, 9).await, [id(2), id(1)]);
    assert_eq!(listed(two.black, 99, 2).await, [id(5), id(3)]);
    assert_eq!(listed(AccountId(99), 99, 9).await, []);
}

/// The time of the last game of a page is `before` of the next page. So games with the same time
/// are on the same page.
pub(crate) async fn pages_of_games_miss_no_game_of_the_same_time(store: Any) {
    let players = players(store.as_ref()).await;
    for (number, at) in [(1, 10), (2, 20), (3, 20), (4, 20), (5, 30)] {
        let game = new_game(id(number), players, at);
        store.create_game(0, &game).await.unwrap();
        let rows = [resignation(at)];
        let ended = store
            .append(id(number), 1.into(), &rows, Some(RESIGNED))
            .await;
        ended.unwrap();
    }
    for limit in 1..=6 {
        let (mut before, mut pages) = (i64::MAX, Vec::new());
        loop {
            let page = store
                .finished(
                    &GameSearch {
                        before,
                        ..GameSearch::of(players.white)
                    },
                    limit,
                )
                .await;
            let page = page.unwrap();
            let Some(last) = page.last() else {
                break;
            };
            before = last.at;
            pages.push(page.iter().map(|game| game.id).collect::<Vec<_>>());
        }
        let all = [5, 4, 3, 2, 1].map(id);
        assert_eq!(pages.concat(), all, "{limit}: {pages:?}");
        let lengths: Vec<_> = pages.iter().map(Vec::len).collect();
        let expected: &[usize] = match limit {
            1 => &[1, 3, 1],
            2..=4 => &[4, 1],
            _ => &[5],
        };
        assert_eq!(lengths, expected, "{limit}");
    }
}

pub(crate) async fn terms_are_read_as_they_were_written(store: Any) {
    let players = players(store.as_ref()).await;
    for (number, color) in [ColorWish::Any, ColorWish::White, ColorWish::Black]
        .into_iter()
        .enumerate()
    {
        let mut game = new_game(id(number as u64), players, 5);
        game.terms.color = color;
        game.terms.rated = number == 1;
        if number == 1 {
            game.terms.time = TimeControl::Days {
                initial: 3,
                increment: 1,
                cap: 5,
            };
        }
        if number == 2 {
            game.terms.time = TimeControl::Unlimited;
            game.terms.custom = Some("rules = \"ä\"\n".to_owned());
        }
        store.create_game(0, &game).await.unwrap();
        let read = store.game(game.id).await.unwrap();
        assert_eq!(read.terms, game.terms);
        assert_eq!(read.players, players);
        assert_eq!((read.id, read.at, read.over), (game.id, 5, None));
    }
}
