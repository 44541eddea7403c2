//! Tests of the contract: accounts and sessions.

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
    let guest = NewAccount {
        name: "guest-lee".to_owned(),
        kind: AccountKind::Guest,
        password: None,
        at: 2,
    };
    assert!(store.create_account(&guest).await.is_ok());
    let like = async |name| store.account_like(name).await.ok().map(|found| found.id);
    for name in ["anna", "4NN4", "A-nna", "an_na"] {
        assert_eq!(like(name).await, Some(anna), "{name}");
    }
    account(store.as_ref(), "Lil-Otsea").await;
    assert!(like("1I1_075e4").await.is_some());
    for name in ["Ann", "guest-lee"] {
        assert_eq!(like(name).await, None, "{name}");
    }
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
            at: 3,
            generation: 0,
            state: AccountState::Active,
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
        generation: 0,
        label: format!("device {number}"),
        scope: Scope::Play,
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

pub(crate) async fn a_new_session_deletes_expired_sessions(store: Any) {
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

fn password(hash: &str) -> AccountChange {
    AccountChange::Password(hash.to_owned())
}

pub(crate) async fn a_changed_password_ends_every_session(store: Any) {
    let anna = account(store.as_ref(), "Anna").await;
    let bert = account(store.as_ref(), "Bert").await;
    let (first, second) = (session(1, anna, 10, 100), session(2, anna, 11, 100));
    let other = session(3, bert, 10, 100);
    for session in [&second, &first, &other] {
        store
            .create_session(session)
            .await
            .expect("the session exists");
    }
    let own = vec![first.clone(), second.clone()];
    assert_eq!(
        store.sessions_of(anna).await,
        Ok(own),
        "the oldest session comes first"
    );
    let changed = store.change_account(anna, None, &password("new")).await;
    assert_eq!(changed, Ok(()));
    assert_eq!(store.sessions_of(anna).await, Ok(vec![]));
    for ended in [&first, &second] {
        assert_eq!(store.session(ended.token).await, Err(StoreError::Absent));
    }
    assert_eq!(store.session(other.token).await, Ok(other));
    let account = store.account(anna).await.expect("the account exists");
    assert_eq!(account.password.as_deref(), Some("new"));
    assert_eq!(account.generation, 1);
    // A session of the old generation cannot be created after the change of the password.
    let late = store.create_session(&first).await;
    assert_eq!(late, Err(StoreError::Absent));
    let fresh = Session {
        generation: 1,
        ..first
    };
    assert_eq!(store.create_session(&fresh).await, Ok(()));
    assert_eq!(store.session(fresh.token).await, Ok(fresh));
}

pub(crate) async fn a_change_for_an_old_generation_fails(store: Any) {
    let anna = account(store.as_ref(), "Anna").await;
    let (one, two) = (password("one"), password("two"));
    let (first, second) = tokio::join!(
        store.change_account(anna, Some(0), &one),
        store.change_account(anna, Some(0), &two),
    );
    assert!(first.is_ok() != second.is_ok(), "{first:?} {second:?}");
    let absent = AccountId(99);
    let nobody = store.change_account(absent, None, &one).await;
    assert_eq!(nobody, Err(StoreError::Absent));
    let rename = AccountChange::Rename("Bert".to_owned());
    let late = store.change_account(anna, Some(0), &rename).await;
    assert_eq!(late, Err(StoreError::Absent));
    assert_eq!(store.change_account(anna, Some(1), &rename).await, Ok(()));
    let carl = account(store.as_ref(), "Carl").await;
    let taken = AccountChange::Rename("bERT".to_owned());
    let renamed = store.change_account(carl, None, &taken).await;
    assert_eq!(renamed, Err(StoreError::Taken));
    // An account can change the case of the letters in its own name.
    assert_eq!(store.change_account(anna, None, &taken).await, Ok(()));
    let found = store
        .account_named("bert")
        .await
        .expect("the account exists");
    assert_eq!((found.id, found.name.as_str()), (anna, "bERT"));
}

pub(crate) async fn a_recovery_code_can_be_used_only_once(store: Any) {
    let anna = account(store.as_ref(), "Anna").await;
    let hashes = |names: [&str; 2]| names.map(str::to_owned).to_vec();
    let codes = |old, new| AccountChange::RecoveryCodes {
        old,
        new: hashes(new),
    };
    for (old, new, done) in [
        (Some(vec![]), ["a", "b"], Ok(())),
        // These changes expect other codes than the account has.
        (Some(vec![]), ["x", "y"], Err(StoreError::Taken)),
        (Some(hashes(["b", "a"])), ["x", "y"], Err(StoreError::Taken)),
        (Some(hashes(["a", "b"])), ["k", "l"], Ok(())),
        (None, ["c", "d"], Ok(())),
    ] {
        let renewed = store.change_account(anna, None, &codes(old, new)).await;
        assert_eq!(renewed, done, "{new:?}");
    }
    assert_eq!(store.recovery_codes(anna).await, Ok(hashes(["c", "d"])));
    assert_eq!(store.recovery_code(anna, 1).await.as_deref(), Ok("d"));
    let absent = store.recovery_code(anna, 2).await;
    assert_eq!(absent, Err(StoreError::Absent));
    let use_code = |hash: &str| AccountChange::Recover {
        number: 1,
        code: hash.to_owned(),
        password: "new".to_owned(),
    };
    // A code of an earlier set is refused, although the new set has a code with the same number.
    let earlier = store.change_account(anna, None, &use_code("l")).await;
    assert_eq!(earlier, Err(StoreError::Absent));
    assert_eq!(store.recovery_codes(anna).await, Ok(hashes(["c", "d"])));
    let use_code = use_code("d");
    let (one, two) = tokio::join!(
        store.change_account(anna, None, &use_code),
        store.change_account(anna, None, &use_code),
    );
    assert!(one.is_ok() != two.is_ok(), "{one:?} {two:?}");
    assert_eq!(store.recovery_codes(anna).await, Ok(vec!["c".to_owned()]));
    let found = store.account(anna).await.expect("the account exists");
    assert_eq!(
        (found.password.as_deref(), found.generation),
        (Some("new"), 1)
    );
}

pub(crate) async fn a_guest_who_becomes_a_person_keeps_account_and_game(store: Any) {
    let guest = NewAccount {
        name: "guest-1".to_owned(),
        kind: AccountKind::Guest,
        password: None,
        at: 1,
    };
    let guest = store
        .create_account(&guest)
        .await
        .expect("the guest is created");
    let players = ByColor {
        white: guest,
        black: account(store.as_ref(), "Bert").await,
    };
    let game = new_game(id(1), players, 1);
    store
        .create_game(0, &game)
        .await
        .expect("the game is created");
    account(store.as_ref(), "Taken").await;
    let become_person = |name: &str| AccountChange::MakePerson {
        name: name.to_owned(),
        password: "hash".to_owned(),
    };
    for (name, done) in [
        ("taken", Err(StoreError::Taken)),
        ("Dora", Ok(())),
        // A person cannot become a person again.
        ("Else", Err(StoreError::Taken)),
    ] {
        let change = become_person(name);
        let changed = store.change_account(guest, None, &change).await;
        assert_eq!(changed, done, "{name}");
    }
    let dora = store
        .account_named("dora")
        .await
        .expect("the account exists");
    assert_eq!((dora.id, dora.kind), (guest, AccountKind::Person));
    assert_eq!(dora.password.as_deref(), Some("hash"));
    let gone = store.account_named("guest-1").await;
    assert_eq!(gone, Err(StoreError::Absent));
    let game = store.game(id(1)).await.expect("the game exists");
    assert_eq!(game.players, players);
}

pub(crate) async fn a_deleted_account_leaves_only_its_games(store: Any) {
    let players = players(store.as_ref()).await;
    let (white, black) = (players.white, players.black);
    let codes = AccountChange::RecoveryCodes {
        old: None,
        new: vec!["code".to_owned()],
    };
    store
        .change_account(white, None, &codes)
        .await
        .expect("the recovery codes are created");
    let game = new_game(id(1), players, 1);
    store.create_game(0, &game).await.expect("the game exists");
    let running = store
        .change_account(white, None, &AccountChange::Delete)
        .await;
    assert_eq!(
        running,
        Err(StoreError::Taken),
        "the account has a running game"
    );
    let resigns = Event::Resigned { by: Color::White };
    let over = Over {
        winner: Winner::Black,
        reason: Reason::Resignation,
    };
    let ended = store
        .append(game.id, 1.into(), &[row(2, resigns)], Some(over))
        .await;
    ended.expect("the game ends");
    for id in [white, black] {
        let deleted = store.change_account(id, None, &AccountChange::Delete).await;
        assert_eq!(deleted, Ok(()));
        let again = store.change_account(id, None, &AccountChange::Delete).await;
        assert_eq!(again, Err(StoreError::Absent));
        let left = store
            .account(id)
            .await
            .expect("the row of a deleted account is kept");
        assert_eq!(left.name, store::DELETED_NAME);
        assert_eq!((left.password, left.state), (None, AccountState::Deleted));
        assert_eq!(store.recovery_codes(id).await, Ok(Vec::new()));
    }
    let named = store.account_named(store::DELETED_NAME).await;
    assert_eq!(named, Err(StoreError::Absent));
    let games = store.finished(&GameSearch::of(white), 10).await;
    assert_eq!(games.map(|games| games.len()), Ok(1));
    assert_eq!(store.accounts().await.map(|all| all.len()), Ok(2));
}

pub(crate) async fn disabled_and_leaving_accounts_get_no_offers_or_games(store: Any) {
    let players = players(store.as_ref()).await;
    let offer = |number: u32, by: AccountId, kind: OfferKind| Offer {
        id: OfferId(format!("{number}")),
        kind,
        by,
        terms: terms(),
        at: 1,
        game: None,
    };
    let (white, black) = (players.white, players.black);
    for (number, by, kind) in [
        (1, white, OfferKind::Seek),
        (2, black, OfferKind::Challenge { to: white }),
        (3, black, OfferKind::Seek),
    ] {
        let made = store.create_offer(&offer(number, by, kind)).await;
        made.expect("the offer exists");
    }
    let signed_in = session(1, white, 10, 100);
    store
        .create_session(&signed_in)
        .await
        .expect("the session exists");
    for (change, stays, leaves) in [
        (AccountChange::Wait, true, 1),
        (AccountChange::Enable, true, 0),
        (AccountChange::Resign, false, 1),
        (AccountChange::Disable, false, 0),
    ] {
        let changed = store.change_account(white, None, &change).await;
        assert_eq!(changed, Ok(()), "{change:?}");
        let session = store.session(signed_in.token).await;
        assert_eq!(session.is_ok(), stays, "{change:?}");
        let leaving = store.leaving().await.map(|all| all.len());
        assert_eq!(leaving, Ok(leaves), "{change:?}");
        if change == AccountChange::Enable {
            continue;
        }
        let open = store.offers().await.expect("the offers can be read");
        assert_eq!(
            open.len(),
            1,
            "{change:?}: only the offer of the other account remains"
        );
        for new in [
            offer(4, white, OfferKind::Seek),
            offer(5, black, OfferKind::Challenge { to: white }),
        ] {
            let made = store.create_offer(&new).await;
            assert_eq!(made, Err(StoreError::Absent), "{change:?}");
        }
        let game = store.create_game(0, &new_game(id(1), players, 1)).await;
        assert_eq!(game, Err(StoreError::Absent), "{change:?}");
    }
}

pub(crate) async fn changes_of_accounts_are_listed_in_order(store: Any) {
    let anna = account(store.as_ref(), "Anna").await;
    let bert = account(store.as_ref(), "Bert").await;
    let begin = store
        .account_changes(0)
        .await
        .expect("the changes can be read")
        .last;
    assert_eq!(begin, 0);
    let own = session(1, bert, 10, 100);
    store
        .create_session(&own)
        .await
        .expect("the session exists");
    store
        .end_session(own.token)
        .await
        .expect("the session ends");
    let ended = store.end_session(own.token).await;
    ended.expect("the session is ended");
    let changed = store.change_account(anna, None, &AccountChange::EndSessions);
    changed.await.expect("the change is written");
    let told = store
        .account_changes(begin)
        .await
        .expect("the changes can be read");
    assert_eq!(told.accounts, Some(vec![bert, anna]));
    let rest = store
        .account_changes(told.last - 1)
        .await
        .expect("the changes can be read");
    assert_eq!(rest.accounts, Some(vec![anna]));
    let none = store
        .account_changes(told.last)
        .await
        .expect("the changes can be read");
    assert_eq!((none.last, none.accounts), (told.last, Some(vec![])));
}

fn subscription(session: u8, endpoint: &str, at: i64) -> PushSubscription {
    PushSubscription {
        session: TokenHash([session; 32]),
        endpoint: endpoint.to_owned(),
        p256dh: "key".to_owned(),
        auth: "secret".to_owned(),
        language: "de".to_owned(),
        at,
    }
}

pub(crate) async fn a_subscription_ends_with_its_session(store: Any) {
    let anna = account(store.as_ref(), "Anna").await;
    let bert = account(store.as_ref(), "Bert").await;
    let most = u8::try_from(MAX_SUBSCRIPTIONS).expect("the limit is small");
    let of = async |who| store.subscriptions(who).await.expect("the store answers");
    let subscribe = async |one: &PushSubscription| store.subscribe(one).await;
    let unknown = subscription(99, "a", 1);
    assert_eq!(subscribe(&unknown).await, Err(StoreError::Absent));
    let mut expected = Vec::new();
    for n in 0..=most {
        let begun = session(n, anna, 10, 100);
        store.create_session(&begun).await.expect("it begins");
        let one = subscription(n, &format!("anna {n}"), 10 + i64::from(n));
        assert_eq!(subscribe(&one).await, Ok(()));
        expected.push(one);
    }
    // Of six, the oldest is not kept.
    expected.remove(0);
    assert_eq!(of(anna).await, expected);
    // A session has one subscription, and an endpoint belongs to one session.
    let again = subscription(1, "again", 30);
    assert_eq!(subscribe(&again).await, Ok(()));
    expected.remove(0);
    expected.push(again);
    assert_eq!(of(anna).await, expected);
    let other = session(50, bert, 10, 100);
    store.create_session(&other).await.expect("it begins");
    let berts = subscription(50, "again", 31);
    assert_eq!(subscribe(&berts).await, Ok(()));
    expected.pop();
    assert_eq!(of(anna).await, expected);
    assert_eq!(of(bert).await, [berts]);

    let [second, third] = [expected.remove(0), expected.remove(0)];
    for (session, endpoint) in [
        (second.session, None),
        (third.session, Some("another")),
        (third.session, Some(&*third.endpoint)),
    ] {
        let ended = store.unsubscribe(session, endpoint).await;
        assert_eq!(ended, Ok(()));
    }
    assert_eq!(of(anna).await, expected);
    let ended = store.end_session(expected.remove(0).session).await;
    assert_eq!((ended, of(anna).await), (Ok(()), expected));
    let deleted = store.change_account(bert, None, &AccountChange::Delete);
    assert_eq!((deleted.await, of(bert).await), (Ok(()), Vec::new()));
    let changed = password("new");
    let changed = store.change_account(anna, None, &changed).await;
    assert_eq!((changed, of(anna).await), (Ok(()), Vec::new()));
}

pub(crate) async fn a_secret_is_stored_once(store: Any) {
    for fresh in ["first", "second"] {
        assert_eq!(store.secret("key", fresh).await, Ok("first".to_owned()));
    }
    assert_eq!(store.secret("other", "x").await, Ok("x".to_owned()));
}
