//! Tests of requests about one account that come at the same time, at two clubs over one store.

use club::{Account, Club, Code, Leaving, TimeControl, request_id};
use referee::Event;
use rules::{Reason, Winner};
use store::{AccountChange, AccountState};
use tokio::{join, time::sleep};

use crate::{
    accounts::{HERE, NOTICED, anna, two_clubs},
    common::{open, terms},
    people::code,
};

const OLD: &str = "correct horse";
const ONE: &str = "battery staple";
const TWO: &str = "third password";

/// Checks that exactly one of two requests set its password, and that both clubs accept only this
/// password.
async fn assert_one_password(
    clubs: [&Club; 2],
    one: Result<Account, club::ClubError>,
    two: Result<Account, club::ClubError>,
) {
    let (right, wrong, refused) = match (one, two) {
        (Ok(_), Err(refused)) => (ONE, TWO, refused),
        (Err(refused), Ok(_)) => (TWO, ONE, refused),
        both => panic!("one of two must be refused: {both:?}"),
    };
    let is_usual = matches!(refused.code, Code::WrongPassword | Code::SignIn);
    assert!(is_usual, "{refused:?}");
    for club in clubs {
        club.sign_in("Anna", right).await.expect("Anna");
        for wrong in [wrong, OLD] {
            assert_eq!(code(club.sign_in("Anna", wrong).await), Code::WrongPassword);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_recovery_code_used_twice_at_once_works_once() {
    for at_one_club in [true, false] {
        let (_store, here, there) = two_clubs().await;
        let second = if at_one_club { &here } else { &there };
        let anna = anna(&here).await;
        let codes = here.new_recovery_codes(&anna).await.expect("codes");
        let code = codes[0].shown();
        let (one, two) = join!(
            here.recover("Anna", &code, ONE, HERE),
            second.recover("Anna", &code, TWO, HERE),
        );
        assert_one_password([&here, &there], one, two).await;
        let own = here.own_account(anna.id).await.expect("the account");
        assert_eq!(own.recovery_codes, 5);
    }
}

#[tokio::test(start_paused = true)]
async fn of_two_changes_of_a_password_at_once_one_is_made() {
    for recovers in [true, false] {
        let (_store, here, there) = two_clubs().await;
        let anna = anna(&here).await;
        let codes = here.new_recovery_codes(&anna).await.expect("codes");
        let code = codes[3].shown();
        let old = here.begin_session(anna.id).await.expect("a session");
        let other = async {
            if recovers {
                there.recover("Anna", &code, TWO, HERE).await
            } else {
                there.change_password(&anna, OLD, TWO, HERE).await
            }
        };
        let (one, two) = join!(here.change_password(&anna, OLD, ONE, HERE), other);
        assert_one_password([&here, &there], one, two).await;
        for club in [&here, &there] {
            let ended = club.session(old.secret()).await;
            assert_eq!(self::code(ended), Code::SignIn);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_guest_who_registers_twice_at_once_gets_one_name() {
    let (store, here, there) = two_clubs().await;
    let guest = here.guest().await.expect("a guest");
    let (one, two) = join!(
        here.register_guest(&guest, "Anna", OLD),
        there.register_guest(&guest, "Else", OLD),
    );
    let (name, free) = match (&one, &two) {
        (Ok(_), Err(_)) => ("Anna", "Else"),
        (Err(_), Ok(_)) => ("Else", "Anna"),
        both => panic!("one of two must be refused: {both:?}"),
    };
    assert_eq!(store.account(guest.id).await.expect("a row").name, name);
    assert!(here.register(free, OLD).await.is_ok(), "{free} is free");
}

/// The opponent and the account itself move at one club while the account is deleted at another.
/// Each answered move is in the log, in order, and the game ends by resignation.
#[tokio::test(start_paused = true)]
async fn a_deletion_during_moves_loses_no_answer() {
    let (store, here, there) = two_clubs().await;
    let anna = anna(&here).await;
    let bert = here.register("Bert", OLD).await.expect("Bert");
    let game = here.pair(anna.id, bert.id, terms("wild16", TimeControl::Unlimited));
    let game = game.await.expect("a game");
    let moves = async {
        let mut answered = Vec::new();
        for n in 0..32 {
            let (file, turn) = (char::from(b'a' + n / 2 % 8), n / 16);
            let (who, text) = match (n % 2, turn) {
                (0, 0) => (anna.id, format!("{file}2{file}3")),
                (0, _) => (anna.id, format!("{file}3{file}4")),
                (_, 0) => (bert.id, format!("{file}7{file}6")),
                (_, _) => (bert.id, format!("{file}6{file}5")),
            };
            let id = request_id(&format!("m{n}")).expect("an id");
            let after = here.seat_view(game, who).await.map_or(0, |seat| seat.n);
            match here.say(game, who, id, after, &text).await {
                Ok(answer) if answer.answer == "moved" => answered.push(text),
                Ok(answer) => panic!("{text}: {answer:?}"),
                // The game is over, or the account is gone.
                Err(_) => break,
            }
            tokio::task::yield_now().await;
        }
        answered
    };
    let deletion = there.delete_account(&anna, Some(OLD), Leaving::Resign, HERE);
    let (answered, deleted) = join!(moves, deletion);
    // A resignation that meets a move is repeated at the next heartbeat, and the answer is `false`.
    assert!(deleted.is_ok(), "{deleted:?}");
    sleep(NOTICED).await;
    assert_eq!(
        store.account(anna.id).await.expect("the row").state,
        AccountState::Deleted
    );
    let reopened = open(&store, &crate::common::TestClock::new()).await;
    for club in [&here, &there, &reopened] {
        let finished = club.finished(game).await.expect("the game is over");
        assert_eq!(
            (finished.over.winner, finished.over.reason),
            (Winner::Black, Reason::Resignation)
        );
        let is_move = |event: &&Event| matches!(event, Event::Moved { .. });
        let played = finished.log.iter().filter(is_move).count();
        assert_eq!(played, answered.len(), "{answered:?}");
        assert_eq!(finished.players.white.name, store::DELETED_NAME);
    }
}

#[tokio::test(start_paused = true)]
async fn an_account_deleted_twice_at_once_is_deleted_once() {
    let (store, here, there) = two_clubs().await;
    let anna = anna(&here).await;
    let bert = here.register("Bert", OLD).await.expect("Bert");
    let game = here.pair(anna.id, bert.id, terms("wild16", TimeControl::Unlimited));
    let game = game.await.expect("a game");
    let (one, two) = join!(
        here.delete_account(&anna, Some(OLD), Leaving::Resign, HERE),
        there.delete_account(&anna, Some(OLD), Leaving::Resign, HERE),
    );
    assert!(one.is_ok() || two.is_ok(), "{one:?} {two:?}");
    for refused in [one, two].into_iter().filter_map(Result::err) {
        // `Forbidden`: the account is being deleted already.
        let usual = [Code::WrongPassword, Code::SignIn, Code::Forbidden];
        let is_usual = usual.contains(&refused.code);
        assert!(is_usual, "{refused:?}");
    }
    sleep(NOTICED).await;
    let finished = there.finished(game).await.expect("the game is over");
    assert_eq!(finished.over.reason, Reason::Resignation);
    // A name that is free again does not give the new owner anything of the old account.
    let fresh = there.register("Anna", OLD).await.expect("a free name");
    assert_ne!(fresh.id, anna.id);
    let own = there.own_account(fresh.id).await.expect("an account");
    assert_eq!((own.running, own.recovery_codes), (Vec::new(), 0));
    assert_eq!(
        store.account(anna.id).await.expect("the row").state,
        AccountState::Deleted
    );
}

/// An operator renames an account during a session and a game. The session and the codes stay with
/// the account; the old name gives access to nothing, also when somebody else takes it.
#[tokio::test(start_paused = true)]
async fn a_renamed_account_keeps_its_sessions_and_codes() {
    let (store, here, there) = two_clubs().await;
    let anna = anna(&here).await;
    let bert = here.register("Bert", OLD).await.expect("Bert");
    let game = here.pair(anna.id, bert.id, terms("wild16", TimeControl::Unlimited));
    let game = game.await.expect("a game");
    let session = here.begin_session(anna.id).await.expect("a session");
    let codes = here.new_recovery_codes(&anna).await.expect("codes");
    let rename = AccountChange::Rename("Annabel".to_owned());
    let renamed = store.change_account(anna.id, None, &rename).await;
    renamed.expect("the account is renamed");
    let thief = there.register("Anna", OLD).await.expect("a free name");
    sleep(NOTICED).await;
    for club in [&here, &there] {
        let own = club.session(session.secret()).await.expect("the session");
        assert_eq!((own.id, own.name.as_str()), (anna.id, "Annabel"));
        let facts = club.facts(game, None).await.expect("facts");
        assert_eq!(facts.players.white.name, "Annabel");
        let signed = club.sign_in("Anna", OLD).await.expect("the new Anna");
        assert_eq!(signed.id, thief.id);
    }
    // A request that was read before the renaming is for the account, not for the name.
    let changed = here.change_password(&anna, OLD, ONE, HERE).await;
    assert_eq!(changed.expect("the password is changed").id, anna.id);
    let old_name = there.recover("Anna", &codes[0].shown(), TWO, HERE).await;
    assert_eq!(code(old_name), Code::WrongPassword);
    let new_name = there.recover("Annabel", &codes[0].shown(), TWO, HERE).await;
    assert_eq!(new_name.expect("the code is right").id, anna.id);
    there
        .sign_in("Anna", OLD)
        .await
        .expect("nothing of theirs changed");
}
