//! Tests of the contract: ratings and searches of finished games.

use super::*;

fn rating(account: AccountId, n: u32, points: i64) -> StoredRating {
    StoredRating {
        account,
        family: "wild16".to_owned(),
        against: Against::People,
        n,
        rating: points * 1000,
        deviation: 80_000,
        volatility: 59_999,
        at: i64::from(n),
        game: None,
    }
}

async fn rate(store: &Any, ratings: &[StoredRating]) {
    store.rate(None, ratings).await.unwrap();
}

/// Adds a finished game.
async fn play(store: &Any, number: u64, white: AccountId, black: AccountId, winner: Winner) {
    let mut game = new_game(id(number), ByColor { white, black }, number as i64);
    game.terms.rated = true;
    if number.is_multiple_of(2) {
        game.terms.rules = "rand".to_owned();
        let rand = rules::rulesets::by_id("rand").unwrap();
        game.rows = vec![row(0, referee::Game::from(rand).opened_event())];
    }
    store.create_game(0, &game).await.unwrap();
    let (by, reason) = match winner {
        Winner::White => (Some(Color::Black), Reason::Resignation),
        Winner::Black => (Some(Color::White), Reason::Resignation),
        Winner::Draw | Winner::Unfinished => (None, Reason::Aborted),
    };
    let event = by.map_or(Event::Aborted, |by| Event::Resigned { by });
    let over = Over { winner, reason };
    let rows = [row(20, event)];
    let ended = store.append(id(number), 1.into(), &rows, Some(over));
    ended.await.unwrap();
}

pub(crate) async fn a_rating_is_added_once_and_the_last_is_current(store: Any) {
    let players = players(store.as_ref()).await;
    let of = players.white;
    let mut against_programs = rating(of, 1, 1400);
    against_programs.against = Against::Programs;
    let all: Vec<_> = (1..=4)
        .map(|n| rating(of, n, 1500 + i64::from(n)))
        .collect();
    rate(&store, &[against_programs.clone(), all[0].clone()]).await;
    rate(&store, &all[1..]).await;
    let other = rating(players.black, 1, 1300);
    let again = store
        .rate(None, &[other.clone(), rating(of, 4, 1900)])
        .await;
    assert_eq!(again, Err(StoreError::Taken));
    let nobody = store
        .rate(None, &[other, rating(AccountId(99), 1, 1)])
        .await;
    assert_eq!(nobody, Err(StoreError::Absent));
    assert_eq!(store.ratings(players.black).await, Ok(Vec::new()));
    let current = vec![all[3].clone(), against_programs.clone()];
    assert_eq!(store.ratings(of).await, Ok(current));
    let last = vec![all[2].clone(), all[3].clone(), against_programs];
    assert_eq!(store.rating_changes(of, 2).await, Ok(last));
}

pub(crate) async fn a_rated_game_is_counted_only_once(store: Any) {
    let players = players(store.as_ref()).await;
    with_unrated_end(&store, players).await;
    play(&store, 2, players.white, players.black, Winner::White).await;
    let games = store.uncounted().await.unwrap();
    assert_eq!(
        games.iter().map(|game| game.id).collect::<Vec<_>>(),
        [id(2)]
    );
    let mut change = rating(players.white, 1, 1600);
    change.game = Some(id(2));
    let rated = store.rate(Some(id(2)), std::slice::from_ref(&change)).await;
    assert_eq!(rated, Ok(()));
    assert_eq!(store.ratings(players.white).await, Ok(vec![change]));
    let other = [rating(players.black, 1, 1400)];
    let again = store.rate(Some(id(2)), &other).await;
    assert_eq!(again, Err(StoreError::Taken));
    assert_eq!(store.ratings(players.black).await, Ok(Vec::new()));
    assert_eq!(store.uncounted().await, Ok(Vec::new()));
}

async fn with_unrated_end(store: &Any, players: ByColor<AccountId>) {
    let game = new_game(id(1), players, 1);
    store.create_game(0, &game).await.unwrap();
    let rows = [resignation(20)];
    let ended = store.append(id(1), 1.into(), &rows, Some(RESIGNED));
    ended.await.unwrap();
}

pub(crate) async fn best_ratings_come_first(store: Any) {
    let mut accounts = Vec::new();
    for name in ["Anna", "Bert", "Carl", "Dora", "Emil"] {
        accounts.push(account(store.as_ref(), name).await);
    }
    let mut uncertain = rating(accounts[3], 1, 2500);
    uncertain.deviation = 110_001;
    let mut other_family = rating(accounts[0], 1, 2600);
    other_family.family = "ks".to_owned();
    let ratings = [
        rating(accounts[0], 1, 1900),
        rating(accounts[0], 2, 1500),
        rating(accounts[1], 1, 1600),
        rating(accounts[2], 1, 1600),
        rating(accounts[4], 1, 2000),
        uncertain,
        other_family,
    ];
    rate(&store, &ratings).await;
    let disabled = AccountChange::Disable;
    let disabled = store.change_account(accounts[4], None, &disabled).await;
    disabled.unwrap();
    for (kind, limit, found) in [
        (AccountKind::Person, 9, &[1, 2, 0][..]),
        (AccountKind::Person, 2, &[1, 2]),
        (AccountKind::Program, 9, &[]),
    ] {
        let best = store.best("wild16", Against::People, kind, 110_000, limit);
        let best = best.await.unwrap();
        let ids: Vec<_> = best.iter().map(|rating| rating.account).collect();
        let expected: Vec<_> = found.iter().map(|place| accounts[*place]).collect();
        assert_eq!(ids, expected, "{kind:?} {limit}");
    }
}

pub(crate) async fn games_are_found_by_every_condition(store: Any) {
    let ByColor {
        white: anna,
        black: bert,
    } = players(store.as_ref()).await;
    let carl = account(store.as_ref(), "Carl").await;
    for (number, white, black, winner) in [
        (1, anna, bert, Winner::White),
        (2, bert, anna, Winner::White),
        (3, carl, anna, Winner::Black),
        (4, bert, carl, Winner::Unfinished),
        (5, anna, carl, Winner::Black),
    ] {
        play(&store, number, white, black, winner).await;
    }
    let all = GameSearch::default;
    let of_anna = || GameSearch::of(anna);
    #[rustfmt::skip]
    let cases = [
        (all(), &[5, 4, 3, 2, 1][..]),
        (of_anna(), &[5, 3, 2, 1]),
        (GameSearch::of(AccountId(99)), &[]),
        (GameSearch { opponent: Some(carl), ..of_anna() }, &[5, 3]),
        (GameSearch { rules: Some("rand".to_owned()), ..all() }, &[4, 2]),
        (GameSearch { winner: Some(Winner::White), ..all() }, &[2, 1]),
        (GameSearch { winner: Some(Winner::Unfinished), ..all() }, &[4]),
        (GameSearch { won: Some(true), ..of_anna() }, &[3, 1]),
        (GameSearch { won: Some(false), opponent: Some(bert), rules: Some("rand".to_owned()), ..of_anna() }, &[2]),
        (GameSearch { since: 2, before: 4, ..all() }, &[3, 2]),
    ];
    for (search, numbers) in cases {
        let found = store.finished(&search, 9).await.unwrap();
        let ids: Vec<_> = found.iter().map(|game| game.id).collect();
        let expected: Vec<_> = numbers.iter().map(|number| id(*number)).collect();
        assert_eq!(ids, expected, "{search:?}");
    }
}

pub(crate) async fn results_are_counted_by_colour_and_rules(store: Any) {
    let ByColor {
        white: anna,
        black: bert,
    } = players(store.as_ref()).await;
    for (number, white, black, winner) in [
        (1, anna, bert, Winner::White),
        (3, anna, bert, Winner::White),
        (2, anna, bert, Winner::White),
        (5, bert, anna, Winner::White),
    ] {
        play(&store, number, white, black, winner).await;
    }
    let count = |is_white, rules: &str, games| ResultCount {
        is_white,
        opponent: None,
        rules: rules.to_owned(),
        winner: Winner::White,
        games,
    };
    let carl = account(store.as_ref(), "Carl").await;
    for among in [&[carl][..], &[anna]] {
        assert_eq!(store.results(anna, among).await, Ok(Vec::new()));
    }
    // Only one game against Carl has a result.
    play(&store, 7, carl, anna, Winner::White).await;
    play(&store, 9, carl, anna, Winner::Unfinished).await;
    let among = store.results(anna, &[bert]).await.unwrap();
    assert_eq!(among.len(), 3);
    assert!(among.iter().all(|count| count.opponent == Some(bert)));
    for (limit, opponents) in [(1, &[bert][..]), (9, &[bert, carl])] {
        let found = store.opponents(anna, limit).await;
        assert_eq!(found, Ok(opponents.to_vec()));
    }
    let results = store.results(anna, &[]).await;
    let mut results = results.unwrap();
    results.retain(|count| count.winner == Winner::White);
    results.sort_by_key(|count| (count.is_white, count.rules.clone()));
    let expected = [
        count(false, "wild16", 2),
        count(true, "rand", 1),
        count(true, "wild16", 2),
    ];
    assert_eq!(results, expected);
}

pub(crate) async fn a_deleted_account_leaves_no_rating(store: Any) {
    let players = players(store.as_ref()).await;
    let of = players.white;
    rate(
        &store,
        &[rating(of, 1, 1500), rating(players.black, 1, 1500)],
    )
    .await;
    let deleted = store.change_account(of, None, &AccountChange::Delete).await;
    deleted.unwrap();
    assert_eq!(store.ratings(of).await, Ok(Vec::new()));
    let both = [rating(of, 2, 1600), rating(players.black, 2, 1600)];
    rate(&store, &both).await;
    assert_eq!(store.ratings(of).await, Ok(Vec::new()));
    let other = store.ratings(players.black).await;
    assert_eq!(other.map(|all| all.len()), Ok(1));
}
