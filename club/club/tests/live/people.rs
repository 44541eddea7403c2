//! Tests of accounts, sessions, and the lobby.

use club::{Club, ColorWish, OfferKind, TimeControl, offer_id};
use rules::Listener;
use tokio::time::{Duration, advance};
use wire::RefusalCode;

use crate::common::{BLITZ, Scene, TestClock, open, terms};

async fn club() -> Club {
    let store: std::sync::Arc<dyn store::Store> =
        std::sync::Arc::new(store::MemoryStore::default());
    open(&store, &TestClock::new()).await
}

pub fn code<T: std::fmt::Debug>(result: Result<T, club::ClubError>) -> RefusalCode {
    result.expect_err("a refusal").code
}

#[tokio::test]
async fn a_person_creates_an_account_and_signs_in() {
    let club = club().await;
    let anna = club.register("Anna", "correct horse").await.unwrap();
    assert_eq!(
        code(club.register("ANNA", "another one").await),
        RefusalCode::Taken
    );
    assert_eq!(
        code(club.register("guest-1", "another one").await),
        RefusalCode::Taken
    );
    assert_eq!(
        code(club.register("a b", "another one").await),
        RefusalCode::Invalid
    );
    assert_eq!(
        code(club.register("Bert", "short").await),
        RefusalCode::Invalid
    );
    assert_eq!(
        club.sign_in("anna", "correct horse").await,
        Ok(anna.clone())
    );
    let wrong = club
        .sign_in("anna", "wrong horse")
        .await
        .expect_err("wrong");
    // The answer is the same whether or not an account has the name.
    assert_eq!(
        club.sign_in("nobody", "wrong horse").await,
        Err(wrong.clone())
    );
    let guest = club.guest().await.unwrap();
    assert_eq!(club.sign_in(&guest.name, "").await, Err(wrong));
    let program = club.program("sparring").await.unwrap();
    assert_eq!(club.program("Sparring").await, Ok(program));
    assert_eq!(code(club.program("anna").await), RefusalCode::Taken);
    let other = club.register_program("Hal", "correct horse").await;
    assert_eq!(
        other.map(|hal| hal.kind),
        Ok(club::AccountKind::Program),
        "everybody sees that the account is a program"
    );
    assert_eq!(
        code(club.program("hal").await),
        RefusalCode::Taken,
        "the account of another owner is not used for a built-in bot"
    );
}

#[tokio::test(start_paused = true)]
async fn guesses_are_limited_but_the_owner_can_sign_in() {
    let club = club().await;
    let anna = club.register("Anna", "correct horse").await.unwrap();
    let token = club.begin_session(anna.id).await.unwrap();
    let home = club.device_cookie(anna.id).await;
    let home = home.unwrap().unwrap();
    let codes = club.new_recovery_codes(&anna).await.unwrap();
    // Sends a hundred wrong passwords for one name.
    let guess = async |name: &str| {
        let mut examined = 0;
        let mut refusals = Vec::new();
        for _ in 0..100 {
            let error = club.sign_in(name, "wrong horse").await;
            let error = error.expect_err("a wrong password");
            examined += usize::from(error.code == RefusalCode::WrongPassword);
            refusals.push(error);
        }
        (examined, refusals)
    };
    let (examined, refusals) = guess("Anna").await;
    assert_eq!(examined, 10);
    assert_eq!(guess("Nobody").await, (examined, refusals));
    // The owner keeps the session, confirms changes, and signs in at a known device.
    let at_home = club
        .sign_in_from("anna", "correct horse", Some(&home))
        .await;
    assert_eq!(at_home, Ok(anna.clone()));
    assert_eq!(club.session(token.secret()).await, Ok(anna.clone()));
    let renewed = club.renew_recovery_codes(&anna, "wrong horse").await;
    assert_eq!(code(renewed), RefusalCode::WrongPassword);
    // At a new device the owner is told at once what helps, and it does.
    let refused = club.sign_in("Anna", "correct horse").await;
    let refused = refused.expect_err("the guesses of strangers are used up");
    assert_eq!(refused.code, RefusalCode::TooMany);
    assert!(
        refused
            .wait
            .is_some_and(|wait| wait <= Duration::from_secs(360))
    );
    let away = club
        .recover("Anna", &codes[0].shown(), "battery staple")
        .await;
    assert_eq!(away.map(|anna| anna.name), Ok("Anna".to_owned()));
}

#[tokio::test(start_paused = true)]
async fn a_session_ends_on_request_and_after_its_lifetime() {
    let club = club().await;
    let guest = club.guest().await.unwrap();
    let token = club.begin_session(guest.id).await.unwrap();
    let other = club.begin_session(guest.id).await.unwrap();
    assert_eq!(club.session(token.secret()).await, Ok(guest.clone()));
    for forged in ["", "x", &"0".repeat(64)] {
        assert_eq!(code(club.session(forged).await), RefusalCode::SignIn);
    }
    club.end_session(token.secret()).await.unwrap();
    club.end_session(token.secret()).await.unwrap();
    assert_eq!(
        code(club.session(token.secret()).await),
        RefusalCode::SignIn
    );
    assert_eq!(club.session(other.secret()).await, Ok(guest));
    advance(Duration::from_secs(31 * 24 * 3600)).await;
    assert_eq!(
        code(club.session(other.secret()).await),
        RefusalCode::SignIn
    );
}

/// A built-in bot accepts every challenge. The number of games of one account against built-in bots
/// is limited, so that the bots can play against others.
#[tokio::test(start_paused = true)]
async fn games_of_one_account_against_bots_are_limited() {
    let club = club().await;
    let house = club.program("sparring").await.unwrap().id;
    let anna = club.guest().await.unwrap().id;
    let hal = club.register_program("Hal", "correct horse").await;
    let hal = hal.unwrap().id;
    let bert = club.guest().await.unwrap().id;
    let untimed = || terms("wild16", TimeControl::Unlimited);
    for greedy in [anna, hal] {
        let mut games = 0;
        let refused = loop {
            let offer = club.challenge(greedy, "sparring", untimed()).await;
            let offer = offer.unwrap().id;
            match club.accept(&offer, house).await {
                Ok(_) => games += 1,
                Err(error) => break error,
            }
            assert!(games <= 5);
        };
        assert_eq!((games, refused.code), (5, RefusalCode::NotPossible));
    }
    for (one, two) in [(anna, bert), (hal, bert)] {
        let seek = club.seek(one, untimed()).await.unwrap().id;
        club.accept(&seek, two).await.unwrap();
    }
    let offer = club.challenge(bert, "sparring", untimed()).await;
    let offer = offer.unwrap().id;
    club.accept(&offer, house).await.unwrap();
}

/// A key is not accepted as a session's token, and a session's token is not
/// accepted as a key.
#[tokio::test(start_paused = true)]
async fn a_key_and_a_session_token_are_not_interchangeable() {
    let club = club().await;
    let guest = club.guest().await.unwrap();
    let token = club.begin_session(guest.id).await.unwrap();
    let key = club.begin_key(guest.id).await.unwrap();
    assert_eq!(club.key(key.secret()).await, Ok(guest));
    assert_eq!(code(club.session(key.secret()).await), RefusalCode::SignIn);
    assert_eq!(code(club.key(token.secret()).await), RefusalCode::SignIn);
    advance(Duration::from_secs(31 * 24 * 3600)).await;
    assert_eq!(code(club.key(key.secret()).await), RefusalCode::SignIn);
}

#[tokio::test(start_paused = true)]
async fn playing_oneself_and_rated_games_of_guests_are_refused() {
    let club = club().await;
    let anna = club.register("Anna", "correct horse").await.unwrap().id;
    let guest = club.guest().await.unwrap();
    let (guest, guest_name) = (guest.id, guest.name);
    let mut rated = terms("wild16", BLITZ);
    rated.rated = true;
    assert_eq!(
        code(club.invite(guest, rated.clone()).await),
        RefusalCode::NotPossible
    );
    let refused = club.challenge(anna, &guest_name, rated.clone()).await;
    let why = refused.expect_err("no rated game").why;
    assert!(why.contains("need an account"), "{why}");
    assert_eq!(
        code(club.pair(anna, guest, rated).await),
        RefusalCode::NotPossible
    );
    let seek = club.seek(anna, terms("wild16", BLITZ)).await.unwrap();
    assert_eq!(
        code(club.accept(&seek.id, anna).await),
        RefusalCode::Forbidden
    );
    let bert = club.register("Bert", "correct horse").await.unwrap().id;
    let game = club.accept(&seek.id, bert).await.unwrap();
    assert_eq!(
        code(club.accept(&seek.id, bert).await),
        RefusalCode::NotFound
    );
    assert_eq!(club.seat(game, Some(anna)).await, Ok(Listener::White));
    assert_eq!(
        code(club.challenge(anna, "ANNA", terms("wild16", BLITZ)).await),
        RefusalCode::Forbidden
    );
}

#[tokio::test(start_paused = true)]
async fn a_seek_expires_after_half_an_hour() {
    let store: std::sync::Arc<dyn store::Store> =
        std::sync::Arc::new(store::MemoryStore::default());
    let club = open(&store, &TestClock::new()).await;
    let anna = club.guest().await.unwrap();
    let bert = club.guest().await.unwrap();
    let seek = club.seek(anna.id, terms("wild16", BLITZ)).await;
    let seek = seek.unwrap().id;
    let link = club.invite(anna.id, terms("wild16", BLITZ)).await;
    let link = link.unwrap().id;
    let called = club.challenge(anna.id, &bert.name, terms("wild16", BLITZ));
    let called = called.await.unwrap().id;
    let mut lobby = club.lobby();
    tokio::time::sleep(Duration::from_secs(30 * 60 - 1)).await;
    assert_eq!(club.lobby_for(None).await.unwrap().seeks.len(), 1);
    assert!(club.offer(&seek, None).await.is_ok());
    lobby.mark_unchanged();
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert!(lobby.has_changed().unwrap(), "subscribers are informed");
    assert_eq!(club.lobby_for(None).await.unwrap().seeks.len(), 0);
    assert_eq!(code(club.offer(&seek, None).await), RefusalCode::NotFound);
    assert_eq!(
        code(club.accept(&seek, bert.id).await),
        RefusalCode::NotFound
    );
    // The next seek deletes the expired seek from the store.
    let next = club.seek(anna.id, terms("wild16", BLITZ)).await;
    assert!(next.is_ok());
    assert_eq!(store.offers().await.unwrap().len(), 3);
    for offer in [link, called] {
        assert!(
            club.accept(&offer, bert.id).await.is_ok(),
            "the offer is still open"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn challenges_and_invitations_expire_after_thirty_days() {
    const DAY: Duration = Duration::from_secs(24 * 3600);
    let store: std::sync::Arc<dyn store::Store> =
        std::sync::Arc::new(store::MemoryStore::default());
    let club = open(&store, &TestClock::new()).await;
    let anna = club.guest().await.unwrap();
    let bert = club.guest().await.unwrap();
    let link = club.invite(anna.id, terms("wild16", BLITZ)).await;
    let link = link.unwrap().id;
    let called = club.challenge(anna.id, &bert.name, terms("wild16", BLITZ));
    let called = called.await.unwrap().id;
    advance(29 * DAY).await;
    assert!(club.offer(&link, None).await.is_ok());
    assert!(club.offer(&called, Some(bert.id)).await.is_ok());
    advance(DAY).await;
    for offer in [&link, &called] {
        let accepted = club.accept(offer, bert.id).await;
        assert_eq!(code(accepted), RefusalCode::NotFound);
    }
    let lobby = club.lobby_for(Some(bert.id)).await.unwrap();
    assert_eq!(lobby.challenges.len(), 0);
    // The next offer deletes the expired offers from the store.
    let next = club.seek(anna.id, terms("wild16", BLITZ)).await;
    assert!(next.is_ok());
    assert_eq!(store.offers().await.unwrap().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn only_the_challenger_and_the_opponent_see_a_challenge() {
    let club = club().await;
    let [anna, bert, carl] = ["Anna", "Bert", "Carl"].map(|name| {
        let club = club.clone();
        async move { club.register(name, "correct horse").await.unwrap().id }
    });
    let (anna, bert, carl) = (anna.await, bert.await, carl.await);
    let given = terms("rand", TimeControl::Unlimited);
    assert_eq!(
        code(club.challenge(anna, "nobody", given.clone()).await),
        RefusalCode::NotFound
    );
    let offer = club.challenge(anna, "bert", given.clone()).await.unwrap();
    assert!(matches!(&offer.kind, OfferKind::Challenge { to } if to.id == bert));
    for (reader, count) in [(Some(anna), 1), (Some(bert), 1), (Some(carl), 0), (None, 0)] {
        let lobby = club.lobby_for(reader).await.unwrap();
        assert_eq!(lobby.challenges.len(), count);
    }
    assert_eq!(
        code(club.offer(&offer.id, Some(carl)).await),
        RefusalCode::NotFound
    );
    assert_eq!(
        code(club.accept(&offer.id, carl).await),
        RefusalCode::NotFound
    );
    assert_eq!(
        code(club.decline(&offer.id, carl).await),
        RefusalCode::NotFound
    );
    club.decline(&offer.id, bert).await.unwrap();
    let offer = club.challenge(anna, "bert", given).await.unwrap();
    let game = club.accept(&offer.id, bert).await.unwrap();
    let lobby = club.lobby_for(Some(carl)).await.unwrap();
    assert_eq!((lobby.running.len(), lobby.mine.len()), (1, 0));
    let lobby = club.lobby_for(Some(anna)).await.unwrap();
    assert_eq!((lobby.running.len(), lobby.mine[0].id), (0, game));
}

#[tokio::test(start_paused = true)]
async fn an_invitation_gives_a_seat_to_one_account_only() {
    let club = club().await;
    let [anna, bert, carl] =
        [club.guest().await, club.guest().await, club.guest().await].map(|guest| guest.unwrap().id);
    let invitation = club.invite(anna, terms("wild16", BLITZ)).await.unwrap();
    let lobby = club.lobby_for(Some(bert)).await.unwrap();
    assert!(lobby.seeks.is_empty());
    let id = offer_id(&invitation.id.0).unwrap();
    assert!(!club.offer(&id, None).await.unwrap().taken);
    let game = club.accept(&id, bert).await.unwrap();
    assert_eq!(code(club.accept(&id, carl).await), RefusalCode::Taken);
    for (reader, seen) in [
        (Some(anna), Some(game)),
        (Some(bert), Some(game)),
        (Some(carl), None),
        (None, None),
    ] {
        let offer = club.offer(&id, reader).await.unwrap();
        assert_eq!((offer.taken, offer.game), (true, seen));
    }
    assert_eq!(club.seat(game, Some(carl)).await, Ok(Listener::Room));
}

#[tokio::test(start_paused = true)]
async fn too_many_seeks_and_invalid_terms_are_refused() {
    let club = club().await;
    let anna = club.guest().await.unwrap().id;
    let bert = club.guest().await.unwrap().id;
    let good = terms("wild16", BLITZ);
    for _ in 0..5 {
        club.seek(anna, good.clone()).await.unwrap();
    }
    assert_eq!(
        code(club.seek(anna, good.clone()).await),
        RefusalCode::NotPossible
    );
    let clock = |initial, increment| TimeControl::Clock { initial, increment };
    for (time, expected) in [
        (clock(9_000, 0), RefusalCode::Invalid),
        (clock(10_801_000, 0), RefusalCode::Invalid),
        (clock(60_500, 0), RefusalCode::Invalid),
        (clock(60_000, 181_000), RefusalCode::Invalid),
        (clock(60_000, -1_000), RefusalCode::Invalid),
    ] {
        assert_eq!(code(club.seek(bert, terms("wild16", time)).await), expected);
    }
    assert_eq!(
        code(club.seek(bert, terms("chess", BLITZ)).await),
        RefusalCode::Invalid
    );
    let mut custom = good.clone();
    custom.custom = Some("from = \"nowhere\"".to_owned());
    assert_eq!(
        code(club.seek(bert, custom.clone()).await),
        RefusalCode::Invalid
    );
    custom.custom = Some("#".repeat(9000));
    assert_eq!(code(club.seek(bert, custom).await), RefusalCode::TooLarge);
    for text in ["", "../x", "a b", &"a".repeat(65)] {
        assert_eq!(code(offer_id(text)), RefusalCode::NotFound);
        assert_eq!(
            code(club::request_id(&format!("{text}!"))),
            RefusalCode::Invalid
        );
    }
    let mut white_wish = good;
    white_wish.color = ColorWish::Black;
    let seek = club.seek(bert, white_wish).await.unwrap();
    let game = club.accept(&seek.id, anna).await.unwrap();
    assert_eq!(club.seat(game, Some(bert)).await, Ok(Listener::Black));
}

#[tokio::test(start_paused = true)]
async fn long_unreadable_and_impossible_attempts_are_refused() {
    let mut scene = Scene::new(terms("wild16", BLITZ)).await;
    let white = rules::chess::Color::White;
    assert_eq!(
        scene.refused(white, &"x".repeat(201)).await,
        RefusalCode::TooLarge
    );
    assert_eq!(
        scene.refused(white, "\u{1f980}").await,
        RefusalCode::NotUnderstood
    );
    assert_eq!(scene.refused(white, "").await, RefusalCode::NotUnderstood);
    assert_eq!(
        scene.refused(white, "accept-draw").await,
        RefusalCode::NotPossible
    );
    assert_eq!(scene.refused(white, "any").await, RefusalCode::NotPossible);
}

/// The secrets of sessions, keys and invitations have their full length and are all different. The
/// unit tests of `token.rs` examine how random they are.
#[tokio::test(start_paused = true)]
async fn secrets_have_full_length_and_are_all_different() {
    let club = club().await;
    let anna = club.guest().await.unwrap().id;
    let mut all = std::collections::HashSet::new();
    let mut places = vec![std::collections::HashSet::new(); 64];
    for _ in 0..400 {
        let session = club.begin_session(anna).await.unwrap();
        let key = club.begin_key(anna).await.unwrap();
        let link = club.invite(anna, terms("wild16", BLITZ)).await.unwrap();
        club.decline(&link.id, anna).await.unwrap();
        // A hexadecimal digit has 4 bits, and a letter of a key has 5 bits.
        assert_eq!(
            (session.secret().len(), key.secret().len(), link.id.0.len()),
            (64, 16, 32)
        );
        for text in [session.secret(), key.secret(), &link.id.0] {
            assert!(all.insert(text.to_owned()), "a secret was given twice");
        }
        for (place, byte) in places.iter_mut().zip(session.secret().bytes()) {
            place.insert(byte);
        }
    }
    assert!(
        places.iter().all(|place| place.len() == 16),
        "every digit occurs at every place of a token"
    );
}

/// For every name, the check of a wrong password takes the same time. The name can belong to an
/// account with a password, to a guest without a password, or to no account.
///
/// Other programs can only make a check slower. So the test compares the least time of each case,
/// and takes more samples until the times are alike. Without the computation of a hash, a case
/// would always be faster. A fourth case shows that the test would notice such a difference. In
/// this case the name is too long to be looked up, so no hash is computed.
#[tokio::test]
async fn a_wrong_password_takes_equal_time_for_any_name() {
    let store: std::sync::Arc<dyn store::Store> =
        std::sync::Arc::new(store::MemoryStore::default());
    let settings = club::Settings {
        password_cost: club::PasswordCost {
            memory: 1024,
            passes: 1,
        },
        ..club::Settings::default()
    };
    let club = Club::open(store, TestClock::new(), settings).await.unwrap();
    let mut least = [Duration::MAX; 4];
    for n in 0..200 {
        let known = format!("anna{n}");
        club.register(&known, "correct horse").await.unwrap();
        let guest = club.guest().await.unwrap().name;
        let names = [known, guest, format!("nobody{n}"), "n".repeat(101)];
        for (least, name) in least.iter_mut().zip(names) {
            let begun = std::time::Instant::now();
            let wrong = club.sign_in(&name, "wrong horse").await;
            *least = begun.elapsed().min(*least);
            assert_eq!(code(wrong), RefusalCode::WrongPassword);
        }
        let [known, guest, nobody, unhashed] = least;
        let alike = known.max(guest).max(nobody) < known.min(guest).min(nobody) * 2;
        if n >= 8 && alike {
            assert!(unhashed * 2 < known, "the test must notice a missing hash");
            return;
        }
    }
    panic!("least times (known, guest, unknown, not hashed): {least:?}");
}
