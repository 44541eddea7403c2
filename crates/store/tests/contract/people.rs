//! Tests of the contract: accounts, sessions, and signs of life of clubs.

use super::*;

pub(crate) async fn names_are_unique_whatever_their_case(store: Any) {
    let anna = account(store.as_ref(), "Anna").await;
    let umlaut = account(store.as_ref(), "Ölaf").await;
    for name in ["anna", "ANNA", "Anna", "öLAF"] {
        let again = NewAccount {
            name: name.to_owned(),
            kind: AccountKind::Guest,
            password: None,
            at: 2,
        };
        assert_eq!(store.create_account(&again).await, Err(StoreError::Taken));
    }
    let named = store
        .account_named("aNNa")
        .await
        .expect("the account exists");
    assert_eq!((named.id, named.name.as_str()), (anna, "Anna"));
    assert_eq!(store.account_named("ölaf").await.map(|a| a.id), Ok(umlaut));
    assert_eq!(store.account_named("Ann").await, Err(StoreError::Absent));
    // If two tasks create accounts with the same name at the same time, only one
    // account is created.
    let make = async |name: &str| {
        let account = NewAccount {
            name: name.to_owned(),
            kind: AccountKind::Guest,
            password: None,
            at: 2,
        };
        store.create_account(&account).await
    };
    let (one, two) = tokio::join!(make("Carl"), make("CARL"));
    assert!(one.is_ok() != two.is_ok());
}

pub(crate) async fn accounts_are_read_as_they_were_written(store: Any) {
    let kinds = [
        AccountKind::Person,
        AccountKind::Guest,
        AccountKind::Program,
    ];
    for (number, kind) in kinds.into_iter().enumerate() {
        let account = NewAccount {
            name: format!("No {number}; drop table accounts"),
            kind,
            password: (number == 0).then(|| "hash".to_owned()),
            at: 3,
        };
        let id = store
            .create_account(&account)
            .await
            .expect("the account is created");
        let expected = Account {
            id,
            name: account.name.clone(),
            kind,
            password: account.password.clone(),
        };
        assert_eq!(store.account(id).await, Ok(expected));
    }
    assert_eq!(store.account(AccountId(0)).await, Err(StoreError::Absent));
}

fn session(number: u8, account: AccountId, at: i64, until: i64) -> Session {
    Session {
        token: TokenHash([number; 32]),
        account,
        at,
        until,
    }
}

pub(crate) async fn a_session_lives_until_it_is_ended(store: Any) {
    let anna = account(store.as_ref(), "Anna").await;
    let first = session(0, anna, 10, 100);
    let second = session(0xff, anna, 10, 100);
    for session in [&first, &second] {
        store
            .create_session(session)
            .await
            .expect("the session is created");
    }
    assert_eq!(store.create_session(&first).await, Err(StoreError::Taken));
    let nobodys = session(3, AccountId(99), 10, 100);
    assert_eq!(
        store.create_session(&nobodys).await,
        Err(StoreError::Absent)
    );
    assert_eq!(store.session(first.token).await, Ok(first.clone()));
    for _ in 0..2 {
        store
            .end_session(first.token)
            .await
            .expect("ending a session twice is no error");
        assert_eq!(store.session(first.token).await, Err(StoreError::Absent));
    }
    assert_eq!(store.session(second.token).await, Ok(second));
}

pub(crate) async fn a_new_session_forgets_those_that_are_over(store: Any) {
    let anna = account(store.as_ref(), "Anna").await;
    let old = session(1, anna, 10, 100);
    let young = session(2, anna, 10, 101);
    for session in [&old, &young] {
        store
            .create_session(session)
            .await
            .expect("the session is created");
    }
    let new = session(3, anna, 100, 200);
    store
        .create_session(&new)
        .await
        .expect("the session is created");
    assert_eq!(store.session(old.token).await, Err(StoreError::Absent));
    assert_eq!(store.session(young.token).await, Ok(young));
    assert_eq!(store.session(new.token).await, Ok(new));
}

pub(crate) async fn each_club_has_its_own_last_sign_of_life(store: Any) {
    const MONTH: i64 = 30 * 24 * 3600 * 1000;
    let signs = async || {
        let found = store.signs_of_life().await.expect("signs");
        let found = found.iter().map(|sign| (sign.club, sign.at));
        found.collect::<Vec<_>>()
    };
    assert_eq!(signs().await, []);
    for (club, now, expected) in [
        (1, 10, vec![(1, 10)]),
        (u64::MAX, 30, vec![(1, 10), (u64::MAX, 30)]),
        (1, 40, vec![(1, 40), (u64::MAX, 30)]),
        // Signs with a later time were written by a clock that was ahead. They are
        // deleted.
        (2, 35, vec![(2, 35), (u64::MAX, 30)]),
        (2, MONTH + 31, vec![(2, MONTH + 31)]),
    ] {
        store.alive(club, now).await.expect("it is written");
        let mut found = signs().await;
        found.sort_unstable();
        assert_eq!(found, expected);
    }
}
