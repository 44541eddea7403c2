//! Tests of changes, recoveries and deletions of accounts, and of attempts to abuse them.

use std::{sync::Arc, time::Duration};

use club::{Account, AccountKind, Club, Leaving, LobbyItem, TimeControl};
use rules::{Listener, Reason, Winner, chess::Color};
use store::{AccountState, MemoryStore, Store};
use tokio::time::{sleep, timeout};
use wire::{RefusalCode, TableAct};

use crate::{
    common::{BLITZ, Scene, TestClock, open, terms},
    people::code,
};

/// Every club must notice a change within this time.
pub const NOTICED: Duration = Duration::from_secs(2);

/// Returns two handles of one club, and its store.
pub async fn two_clubs() -> (Arc<dyn Store>, Club, Club) {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let clock = TestClock::new();
    let club = open(&store, &clock).await;
    (store, club.clone(), club)
}

pub async fn anna(club: &Club) -> Account {
    club.register("Anna", "correct horse").await.unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_changed_password_ends_sessions_at_every_club() {
    let (_store, here, there) = two_clubs().await;
    let anna = anna(&here).await;
    let old = here.begin_session(anna.id).await.unwrap();
    let key = there.begin_key(anna.id).await.unwrap();
    let watched = there.session(old.secret()).await.unwrap();
    let noticed = tokio::spawn({
        let there = there.clone();
        async move { timeout(NOTICED, there.account_ends(&watched)).await }
    });
    sleep(Duration::from_millis(700)).await;
    let changed = here.change_password(&anna, "wrong horse", "battery staple");
    assert_eq!(code(changed.await), RefusalCode::WrongPassword);
    assert!(!noticed.is_finished());
    let changed = here.change_password(&anna, "correct horse", "short");
    assert_eq!(code(changed.await), RefusalCode::Invalid);
    let changed = here.change_password(&anna, "correct horse", "battery staple");
    let changed = changed.await.unwrap();
    assert_eq!(noticed.await.unwrap(), Ok(()));
    for club in [&here, &there] {
        assert_eq!(code(club.session(old.secret()).await), RefusalCode::SignIn);
        assert_eq!(code(club.key(key.secret()).await), RefusalCode::SignIn);
        let signed = club.sign_in("Anna", "correct horse").await;
        assert_eq!(code(signed), RefusalCode::WrongPassword);
        club.sign_in("Anna", "battery staple").await.unwrap();
    }
    // A client whose old password was checked before the change gets no session, and cannot change
    // the account.
    assert_eq!(
        code(here.begin_session_of(&anna, "").await),
        RefusalCode::SignIn
    );
    assert_eq!(
        code(here.end_all_sessions(&anna).await),
        RefusalCode::SignIn
    );
    let new = here.begin_session_of(&changed, "").await.unwrap();
    assert!(there.session(new.secret()).await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn each_recovery_code_sets_a_password_once() {
    let (_store, here, there) = two_clubs().await;
    let anna = anna(&here).await;
    let old = here.begin_session(anna.id).await.unwrap();
    let codes = here.new_recovery_codes(&anna).await.unwrap();
    let shown: Vec<String> = codes.iter().map(club::RecoveryCode::shown).collect();
    assert_eq!(shown.len(), 6);
    let recovered = there.recover("anna", &shown[2], "battery staple");
    let recovered = recovered.await.unwrap();
    assert_eq!(recovered.id, anna.id);
    assert_eq!(code(here.session(old.secret()).await), RefusalCode::SignIn);
    let again = here.recover("Anna", &shown[2], "third password").await;
    assert_eq!(code(again), RefusalCode::WrongPassword);
    // The other codes stay valid until they are renewed.
    let typed = shown[0].to_uppercase().replace('-', " ");
    let second = here.recover("Anna", &typed, "third password").await;
    let second = second.unwrap();
    let own = here.own_account(anna.id).await.unwrap();
    assert_eq!(own.recovery_codes, 4);
    let renewed = here.renew_recovery_codes(&second, "third password");
    assert_eq!(renewed.await.unwrap().len(), 6);
    let old_code = here.recover("Anna", &shown[1], "fourth password");
    assert_eq!(code(old_code.await), RefusalCode::WrongPassword);
}

/// A code of another account, an unknown name and a malformed code get the same answer. Guesses of
/// codes and of passwords are counted together.
#[tokio::test(start_paused = true)]
async fn wrong_recovery_codes_get_the_same_answer_and_limit() {
    let (_store, here, _there) = two_clubs().await;
    let anna = anna(&here).await;
    let bert = here.register("Bert", "correct horse").await.unwrap();
    let codes = here.new_recovery_codes(&anna).await.unwrap();
    let own = codes[0].shown();
    let others = here.new_recovery_codes(&bert).await.unwrap();
    let bert_code = others[0].shown();
    let guessed = here.recover("Anna", &bert_code, "battery staple");
    let right_answer = guessed.await.expect_err("this code is Bert's");
    assert_eq!(right_answer.code, RefusalCode::WrongPassword);
    for (name, guess) in [
        ("nobody", own.as_str()),
        ("Anna", ""),
        ("Anna", "zzzz-zzzz-zzzz-zzzz"),
    ] {
        let refused = here.recover(name, guess, "battery staple").await;
        assert_eq!(refused, Err(right_answer.clone()), "{name} {guess}");
    }
    let guest = here.guest().await.unwrap();
    let none = here.recover(&guest.name, &own, "battery staple").await;
    assert_eq!(none, Err(right_answer));
    assert_eq!(
        code(here.new_recovery_codes(&guest).await),
        RefusalCode::NotPossible
    );
    // Wrong codes do not use up the passwords.
    for _ in 0..20 {
        let guess = here.recover("Anna", "aaaa-aaaa-aaaa-aaaa", "battery staple");
        assert_eq!(code(guess.await), RefusalCode::WrongPassword);
    }
    assert!(here.sign_in("Anna", "correct horse").await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn sessions_are_listed_and_ended_by_their_owner_only() {
    let (_store, here, there) = two_clubs().await;
    let anna = anna(&here).await;
    let first = here.begin_session(anna.id).await.unwrap();
    sleep(Duration::from_secs(1)).await;
    let second = there.begin_session(anna.id).await.unwrap();
    let listed = here.sessions(anna.id, Some(second.secret())).await.unwrap();
    assert_eq!(listed.len(), 2);
    assert_eq!((listed[0].current, listed[1].current), (false, true));
    assert!(!first.secret().contains(&listed[0].id));
    let bert = here.register("Bert", "correct horse").await.unwrap();
    let foreign = here.end_own_session(bert.id, &listed[0].id).await;
    assert_eq!(code(foreign), RefusalCode::NotFound);
    assert!(here.session(first.secret()).await.is_ok());
    here.end_own_session(anna.id, &listed[0].id).await.unwrap();
    assert_eq!(
        code(there.session(first.secret()).await),
        RefusalCode::SignIn
    );
    assert!(here.session(second.secret()).await.is_ok());
    here.end_all_sessions(&anna).await.unwrap();
    assert_eq!(
        code(here.session(second.secret()).await),
        RefusalCode::SignIn
    );
}

#[tokio::test(start_paused = true)]
async fn the_games_of_a_guest_belong_to_the_new_account() {
    let mut scene = Scene::new(terms("wild16", TimeControl::Unlimited)).await;
    let there = scene.club.clone();
    let guest = scene.white.clone();
    let old = scene.club.begin_session(guest.id).await.unwrap();
    scene.say(Color::White, "e2e4").await;
    let taken = scene.club.register("Dora", "correct horse").await;
    let other = taken.unwrap();
    let refused = scene.club.register_guest(&guest, "dora", "correct horse");
    assert_eq!(code(refused.await), RefusalCode::Taken);
    let person = scene.club.register_guest(&guest, "Anna", "correct horse");
    let person = person.await.unwrap();
    assert_eq!((person.id, person.kind), (guest.id, AccountKind::Person));
    let twice = scene.club.register_guest(&guest, "Else", "correct horse");
    assert_eq!(code(twice.await), RefusalCode::SignIn);
    let no_guest = scene.club.register_guest(&other, "Else", "correct horse");
    assert_eq!(code(no_guest.await), RefusalCode::Taken);
    assert_eq!(
        code(scene.club.session(old.secret()).await),
        RefusalCode::SignIn
    );
    sleep(NOTICED).await;
    for club in [&scene.club, &there] {
        let facts = club.facts(scene.game, None).await.unwrap();
        assert_eq!(facts.players.white.name, "Anna");
        let lobby = club.lobby_for(Some(person.id)).await.unwrap();
        assert_eq!(lobby.mine[0].players.white.name, "Anna");
        assert_eq!(
            club.seat(scene.game, Some(person.id)).await,
            Ok(Listener::White)
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_deleted_account_resigns_and_leaves_a_neutral_name() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let clock = TestClock::new();
    let here = open(&store, &clock).await;
    let there = here.clone();
    let anna = anna(&here).await;
    let bert = here.register("Bert", "correct horse").await.unwrap();
    let old = here.begin_session(anna.id).await.unwrap();
    here.new_recovery_codes(&anna).await.unwrap();
    let game = here.pair(anna.id, bert.id, terms("wild16", BLITZ)).await;
    let game = game.unwrap();
    // No id that a client chooses is the id with which the club resigns for the account.
    let id = club::request_id("account-deleted").unwrap();
    let moved = here.say(game, anna.id, id, 1, "e2e4").await;
    assert!(moved.is_ok(), "{moved:?}");
    let seek = here.seek(anna.id, terms("wild16", BLITZ)).await.unwrap();
    let wrong = here.delete_account(&anna, Some("wrong horse"), Leaving::Resign);
    assert_eq!(code(wrong.await), RefusalCode::WrongPassword);
    let none = here.delete_account(&anna, None, Leaving::Resign);
    assert_eq!(code(none.await), RefusalCode::WrongPassword);
    assert!(here.session(old.secret()).await.is_ok());
    let deleted = here.delete_account(&anna, Some("correct horse"), Leaving::Resign);
    assert_eq!(deleted.await, Ok(true));
    sleep(NOTICED).await;
    for club in [&here, &there] {
        assert_eq!(code(club.session(old.secret()).await), RefusalCode::SignIn);
        let facts = club.facts(game, Some(bert.id)).await.unwrap();
        assert_eq!(facts.players.white.name, store::DELETED_NAME);
        let over = facts.standing.over.unwrap();
        assert_eq!(
            (over.winner, over.reason),
            (Winner::Black, Reason::Resignation)
        );
        let finished = club.finished(game).await.unwrap();
        assert_eq!(finished.players.white.name, store::DELETED_NAME);
        assert_eq!(
            code(club.accept(&seek.id, bert.id).await),
            RefusalCode::NotFound
        );
        let signed = club.sign_in("Anna", "correct horse").await;
        assert_eq!(code(signed), RefusalCode::WrongPassword);
        let named = club.sign_in(store::DELETED_NAME, "correct horse").await;
        assert_eq!(code(named), RefusalCode::WrongPassword);
        let challenge = club.challenge(bert.id, store::DELETED_NAME, terms("wild16", BLITZ));
        assert_eq!(code(challenge.await), RefusalCode::NotFound);
    }
    let rematch = club::request_id("again").unwrap();
    let rematch = here.act(game, bert.id, rematch, TableAct::Rematch).await;
    assert_eq!(code(rematch), RefusalCode::NotPossible);
    let reserved = here.register(store::DELETED_NAME, "correct horse").await;
    assert_eq!(code(reserved), RefusalCode::Taken);
    // The name is free again, for another account.
    let new = here.register("Anna", "correct horse").await.unwrap();
    assert_ne!(new.id, anna.id);
    assert_eq!(
        here.games(&club::FinishedSearch::of(new.id), None, 10)
            .await
            .map(|g| g.len()),
        Ok(0)
    );
}

/// When an account is closed, its offers disappear from the lobby. Clients that subscribe to
/// changes of the lobby get a message about this.
#[tokio::test(start_paused = true)]
async fn offers_of_a_closed_account_leave_the_lobby() {
    for by_operator in [false, true] {
        let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
        let club = open(&store, &TestClock::new()).await;
        let anna = anna(&club).await;
        let bert = club.register("Bert", "correct horse").await.unwrap();
        let blitz = || terms("wild16", BLITZ);
        club.seek(anna.id, blitz()).await.unwrap();
        club.challenge(anna.id, "Bert", blitz()).await.unwrap();
        club.challenge(bert.id, "Anna", blitz()).await.unwrap();
        let stays = club.seek(bert.id, blitz()).await.unwrap();
        let mut listening = club.listen_to_lobby(Some(bert.id));
        let LobbyItem::Whole(lobby) = listening.next().await.unwrap() else {
            panic!("the first item is the whole lobby");
        };
        assert_eq!((lobby.seeks.len(), lobby.challenges.len()), (2, 2));
        if by_operator {
            let disable = store::AccountChange::Disable;
            store.change_account(anna.id, None, &disable).await.unwrap();
        } else {
            let password = Some("correct horse");
            let deleted = club.delete_account(&anna, password, Leaving::Resign);
            assert_eq!(deleted.await, Ok(true));
        }
        sleep(NOTICED).await;
        for reader in [None, Some(bert.id)] {
            let lobby = club.lobby_for(reader).await.unwrap();
            let seeks: Vec<_> = lobby.seeks.iter().map(|seek| &seek.id).collect();
            assert_eq!(seeks, [&stays.id], "by the operator: {by_operator}");
            assert_eq!(lobby.challenges, []);
        }
        assert_eq!(club.waiting_for(bert.id), (Vec::new(), Vec::new()));
        let changed = timeout(NOTICED, listening.next()).await;
        match changed.unwrap() {
            Some(LobbyItem::Changes(changes)) => assert_eq!(changes.gone_offers.len(), 3),
            // The name of a deleted account changes, and then everybody gets the whole lobby.
            Some(LobbyItem::Whole(lobby)) => {
                assert_eq!((lobby.seeks.len(), lobby.challenges.len()), (1, 0));
            }
            None => panic!("the club is open"),
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_deletion_can_wait_for_the_end_of_the_last_game() {
    let (store, here, there) = two_clubs().await;
    let anna = anna(&here).await;
    let bert = here.register("Bert", "correct horse").await.unwrap();
    let session = here.begin_session(anna.id).await.unwrap();
    let game = here.pair(anna.id, bert.id, terms("wild16", BLITZ)).await;
    let game = game.unwrap();
    let waits = async || {
        let password = Some("correct horse");
        here.delete_account(&anna, password, Leaving::Wait).await
    };
    assert_eq!(waits().await, Ok(false));
    assert!(
        here.session(session.secret()).await.is_ok(),
        "the account can be used until it is deleted"
    );
    let seek = there.seek(anna.id, terms("wild16", BLITZ)).await;
    assert_eq!(code(seek), RefusalCode::NotPossible);
    let pair = there.pair(bert.id, anna.id, terms("wild16", BLITZ)).await;
    assert_eq!(code(pair), RefusalCode::NotPossible);
    sleep(NOTICED).await;
    assert!(here.own_account(anna.id).await.unwrap().leaving);
    // The owner cancels the deletion, and then asks for it again.
    here.keep_account(&anna).await.unwrap();
    assert_eq!(
        code(here.keep_account(&anna).await),
        RefusalCode::NotPossible
    );
    assert_eq!(waits().await, Ok(false));
    let id = club::request_id("r").unwrap();
    there.say(game, bert.id, id, 0, "resign").await.unwrap();
    sleep(NOTICED).await;
    let left = store.account(anna.id).await.unwrap();
    assert_eq!(left.state, AccountState::Deleted);
    for club in [&here, &there] {
        let facts = club.facts(game, None).await.unwrap();
        assert_eq!(facts.players.white.name, store::DELETED_NAME);
        assert_eq!(
            code(club.session(session.secret()).await),
            RefusalCode::SignIn
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_disabled_account_cannot_be_used() {
    let (store, here, there) = two_clubs().await;
    let anna = anna(&here).await;
    let codes = here.new_recovery_codes(&anna).await.unwrap();
    let session = here.begin_session(anna.id).await.unwrap();
    let disable = store::AccountChange::Disable;
    store.change_account(anna.id, None, &disable).await.unwrap();
    for club in [&here, &there] {
        assert_eq!(
            code(club.session(session.secret()).await),
            RefusalCode::SignIn
        );
        let signed = club.sign_in("Anna", "correct horse").await;
        assert_eq!(code(signed), RefusalCode::Forbidden);
        // A client that does not know the password learns nothing about the account.
        let guessed = club.sign_in("Anna", "wrong horse").await;
        assert_eq!(code(guessed), RefusalCode::WrongPassword);
    }
    let unused = codes[0].shown();
    let recovered = here.recover("Anna", &unused, "battery staple");
    assert_eq!(code(recovered.await), RefusalCode::Forbidden);
    let enable = store::AccountChange::Enable;
    store.change_account(anna.id, None, &enable).await.unwrap();
    here.sign_in("Anna", "correct horse").await.unwrap();
}
