//! Tests of requests about one account that come at the same time.

use std::{
    sync::{Arc, Mutex, OnceLock},
    time::Duration,
};

use async_trait::async_trait;
use club::{Account, AccountId, Club, Leaving, RecoveryCode, TimeControl, Token, request_id};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use referee::Event;
use rules::{Reason, Winner};
use store::{
    AccountChange, AccountState, MemoryStore, OfferId, Store,
    testing::{Around, Tapped},
};
use tokio::{join, time::sleep};
use wire::RefusalCode;

use crate::{
    accounts::{NOTICED, anna, two_clubs},
    common::{BLITZ, TestClock, open, terms},
    people::code,
};

const OLD: &str = "correct horse";
const ONE: &str = "battery staple";
const TWO: &str = "third password";

/// Delays each call of the store about an account by 0 to 20 milliseconds of the paused time. The
/// delays come from a seed, so the calls of two requests come in a different order with each seed.
struct Delays(Mutex<ChaCha8Rng>);

#[async_trait]
impl Around for Delays {
    async fn account_call(&self) {
        let delay = self.0.lock().unwrap().random_range(0..=20);
        sleep(Duration::from_millis(delay)).await;
    }
}

/// Returns a store that delays calls, two handles of a club over it, and the account of Anna.
async fn two_delayed_clubs(seed: u64) -> (Arc<dyn Store>, [Club; 2], Account) {
    let store: Arc<dyn Store> = Arc::new(Tapped {
        store: MemoryStore::default(),
        around: Delays(Mutex::new(ChaCha8Rng::seed_from_u64(seed))),
    });
    let clock = TestClock::new();
    let club = open(&store, &clock).await;
    let clubs = [club.clone(), club];
    let anna = anna(&clubs[0]).await;
    (store, clubs, anna)
}

/// Begins a session if the password was changed, as the server does.
async fn session_after(club: &Club, changed: &Result<Account, club::ClubError>) -> Option<Token> {
    match changed {
        Ok(account) => club.begin_session_of(account, "").await.ok(),
        Err(_) => None,
    }
}

/// Two requests run at the same time: a change of the password and a recovery, or two recoveries.
/// With each seed, their calls of the store come in a different order. At the end exactly one
/// password is right, and only the request that set this password may have a session.
#[tokio::test(start_paused = true)]
async fn racing_password_changes_leave_one_valid_password() {
    let mut both = 0;
    for seed in 0..150 {
        let (_store, clubs, anna) = two_delayed_clubs(seed).await;
        let [here, there] = &clubs;
        let codes = here.new_recovery_codes(&anna).await.unwrap();
        let (first, second) = (codes[0].shown(), codes[4].shown());
        let old = here.begin_session(anna.id).await.unwrap();
        let other = if seed % 2 == 0 { here } else { there };
        let one = async {
            let changed = match seed % 3 {
                0 => here.recover("Anna", &first, ONE).await,
                _ => here.change_password(&anna, OLD, ONE).await,
            };
            (session_after(here, &changed).await, changed)
        };
        let two = async {
            // The later the recovery begins, the more often both requests succeed.
            sleep(Duration::from_millis(seed % 70)).await;
            let changed = other.recover("Anna", &second, TWO).await;
            (session_after(other, &changed).await, changed)
        };
        let ((one_session, one), (two_session, two)) = join!(one, two);
        both += u32::from(one.is_ok() && two.is_ok());
        sleep(NOTICED).await;
        for club in &clubs {
            let mut right = Vec::new();
            for password in [OLD, ONE, TWO] {
                if club.sign_in("Anna", password).await.is_ok() {
                    right.push(password);
                }
            }
            assert_eq!(right.len(), 1, "{seed}: {one:?} {two:?} {right:?}");
            let ended = club.session(old.secret()).await;
            assert_eq!(code(ended), RefusalCode::SignIn, "{seed}");
            for (password, session) in [(ONE, &one_session), (TWO, &two_session)] {
                let lives = match session {
                    Some(session) => club.session(session.secret()).await.is_ok(),
                    None => false,
                };
                let may_live = right == [password];
                assert!(!lives || may_live, "{seed}: {right:?}, not {password}");
            }
        }
    }
    assert!(both > 10, "both requests succeed in {both} orders only");
}

/// Two renewals of an account's recovery codes begin at the same time. At the end only the codes of
/// one renewal are right.
#[tokio::test(start_paused = true)]
async fn two_simultaneous_code_renewals_leave_one_valid_set() {
    for at_one_club in [true, false] {
        let (_store, here, there) = two_clubs().await;
        let second = if at_one_club { &here } else { &there };
        let anna = anna(&here).await;
        here.new_recovery_codes(&anna).await.unwrap();
        let (one, two) = join!(
            here.renew_recovery_codes(&anna, OLD),
            second.renew_recovery_codes(&anna, OLD),
        );
        let sets = [one, two].map(|renewed| match renewed {
            Ok(codes) => Some(codes),
            Err(refused) => {
                assert_eq!(refused.code, RefusalCode::Taken);
                assert!(refused.why.contains("another request"), "{refused}");
                None
            }
        });
        // If the second request began after the first had ended, both were carried out. Then only
        // the codes of the second request are right.
        let mut right = Vec::new();
        for codes in sets.into_iter().flatten() {
            let found = there.recover("Anna", &codes[0].shown(), ONE).await;
            if found.is_ok() {
                right.push(codes);
            }
        }
        assert_eq!(right.len(), 1, "one set of codes must be right");
        for (n, code) in right[0].iter().enumerate().skip(1) {
            let password = format!("password number {n}");
            let recovered = there.recover("Anna", &code.shown(), &password).await;
            recovered.unwrap();
        }
    }
}

/// A recovery with an old code and a renewal of the codes run at the same time. With each seed,
/// their calls of the store come in a different order. The recovery uses up no code of the new set.
#[tokio::test(start_paused = true)]
async fn a_recovery_during_a_code_renewal_uses_no_new_code() {
    let (mut recoveries, mut renewals) = (0, 0);
    for seed in 0..100 {
        let (_store, [here, there], anna) = two_delayed_clubs(seed).await;
        let codes = here.new_recovery_codes(&anna).await.unwrap();
        let old = codes[2].shown();
        let (recovered, renewed) = join!(
            there.recover("Anna", &old, TWO),
            here.renew_recovery_codes(&anna, OLD),
        );
        let left = here.own_account(anna.id).await.unwrap().recovery_codes;
        match (recovered, renewed) {
            (Ok(_), Err(error)) => {
                // The renewal was sent with the old password. The recovery has replaced this
                // password, so the renewal is refused.
                let usual = [RefusalCode::SignIn, RefusalCode::WrongPassword];
                assert!(usual.contains(&error.code), "{seed}: {error:?}");
                assert_eq!(left, 5, "{seed}");
                recoveries += 1;
            }
            (Err(error), Ok(new)) => {
                assert_eq!(
                    (error.code, left),
                    (RefusalCode::WrongPassword, 6),
                    "{seed}"
                );
                let new: Vec<String> = new.iter().map(RecoveryCode::shown).collect();
                here.recover("Anna", &new[2], ONE).await.unwrap();
                renewals += 1;
            }
            other => panic!("{seed}: {other:?}, {left} codes left"),
        }
    }
    assert!(recoveries > 5 && renewals > 5, "{recoveries} {renewals}");
}

/// Anna makes an offer while Anna's account is being deleted. Afterwards no lobby lists the offer.
#[tokio::test(start_paused = true)]
async fn an_offer_made_during_a_deletion_is_not_listed() {
    let (mut made, mut refused) = (0, 0);
    for seed in 0..60 {
        let (_store, [here, there], anna) = two_delayed_clubs(seed).await;
        // While another club is alive, this club reads the offers of the store at each heartbeat.
        // Such a read would remove a wrong offer from the lobby before the test sees the offer. So
        // the other club is closed.
        there.close().await;
        sleep(Duration::from_secs(60)).await;
        let bert = here.register("Bert", OLD).await.unwrap();
        let offer = here.challenge(anna.id, "Bert", terms("wild16", BLITZ));
        let deletion = async {
            sleep(Duration::from_millis(seed)).await;
            let password = Some(OLD);
            here.delete_account(&anna, password, Leaving::Resign).await
        };
        let (offer, deleted) = join!(offer, deletion);
        assert_eq!(deleted, Ok(true));
        match offer {
            Ok(_) => made += 1,
            Err(error) => {
                assert_eq!(error.code, RefusalCode::NotPossible, "{seed}");
                refused += 1;
            }
        }
        sleep(NOTICED).await;
        let lobby = here.lobby_for(Some(bert.id)).await.unwrap();
        assert_eq!(lobby.challenges, [], "{seed}");
    }
    assert!(made > 5 && refused > 5, "{made} {refused}");
}

/// Makes a second club answer each offer as soon as the offer is stored, as a built-in bot may do.
struct AnswersAtOnce {
    answering: OnceLock<(Club, AccountId)>,
    accepts: bool,
}

#[async_trait]
impl Around for AnswersAtOnce {
    async fn offer_created(&self, id: &OfferId) {
        let (club, account) = self.answering.get().unwrap();
        if self.accepts {
            club.accept(id, *account).await.unwrap();
        } else {
            club.decline(id, *account).await.unwrap();
        }
    }
}

/// A challenge may be answered before the club of its maker lists it. In this case the maker gets
/// no error, and no lobby lists the challenge.
#[tokio::test(start_paused = true)]
async fn a_challenge_answered_before_it_is_listed_gives_no_error() {
    for accepts in [true, false] {
        let answers = AnswersAtOnce {
            answering: OnceLock::new(),
            accepts,
        };
        let store = Arc::new(Tapped {
            store: MemoryStore::default(),
            around: answers,
        });
        let shared: Arc<dyn Store> = Arc::clone(&store) as Arc<dyn Store>;
        let clock = TestClock::new();
        let here = open(&shared, &clock).await;
        let there = here.clone();
        let anna = anna(&here).await;
        let bert = there.register("Bert", OLD).await.unwrap();
        let answering = store.around.answering.set((there, bert.id));
        assert!(answering.is_ok(), "the test sets the club once");
        let offer = here
            .challenge(anna.id, "Bert", terms("wild16", BLITZ))
            .await;
        assert!(offer.is_ok(), "{accepts}: {offer:?}");
        let lobby = here.lobby_for(Some(bert.id)).await.unwrap();
        assert_eq!(lobby.challenges, [], "{accepts}");
        let running = shared.running().await.unwrap().len();
        assert_eq!(running, usize::from(accepts));
    }
}

/// Checks the result of two requests that set a password. One of them must have set the final
/// password, and both clubs accept only this password. The other request must have been refused. If
/// `may_follow` is true, both requests may have been carried out, the first one before the second
/// one.
async fn assert_one_password(
    clubs: [&Club; 2],
    may_follow: bool,
    one: Result<Account, club::ClubError>,
    two: Result<Account, club::ClubError>,
) {
    let (right, wrong, refused) = match (one, two) {
        (Ok(_), Err(refused)) => (ONE, TWO, Some(refused)),
        (Err(refused), Ok(_)) => (TWO, ONE, Some(refused)),
        // If the recovery began after the end of the password change, both succeed. Then the later
        // password is right.
        (Ok(one), Ok(two)) if may_follow && one.generation < two.generation => (TWO, ONE, None),
        both => panic!("one of two must be refused: {both:?}"),
    };
    if let Some(refused) = refused {
        let is_usual = matches!(
            refused.code,
            RefusalCode::WrongPassword | RefusalCode::SignIn
        );
        assert!(is_usual, "{refused:?}");
    }
    for club in clubs {
        club.sign_in("Anna", right).await.unwrap();
        for wrong in [wrong, OLD] {
            assert_eq!(
                code(club.sign_in("Anna", wrong).await),
                RefusalCode::WrongPassword
            );
        }
    }
}

#[tokio::test(start_paused = true)]
async fn two_simultaneous_uses_of_a_code_set_one_password() {
    for at_one_club in [true, false] {
        let (_store, here, there) = two_clubs().await;
        let second = if at_one_club { &here } else { &there };
        let anna = anna(&here).await;
        let codes = here.new_recovery_codes(&anna).await.unwrap();
        let code = codes[0].shown();
        let (one, two) = join!(
            here.recover("Anna", &code, ONE),
            second.recover("Anna", &code, TWO),
        );
        assert_one_password([&here, &there], false, one, two).await;
        let own = here.own_account(anna.id).await.unwrap();
        assert_eq!(own.recovery_codes, 5);
    }
}

#[tokio::test(start_paused = true)]
async fn two_simultaneous_password_changes_set_one_password() {
    for recovers in [true, false] {
        let (_store, here, there) = two_clubs().await;
        let anna = anna(&here).await;
        let codes = here.new_recovery_codes(&anna).await.unwrap();
        let code = codes[3].shown();
        let old = here.begin_session(anna.id).await.unwrap();
        let other = async {
            if recovers {
                there.recover("Anna", &code, TWO).await
            } else {
                there.change_password(&anna, OLD, TWO).await
            }
        };
        let (one, two) = join!(here.change_password(&anna, OLD, ONE), other);
        assert_one_password([&here, &there], recovers, one, two).await;
        for club in [&here, &there] {
            let ended = club.session(old.secret()).await;
            assert_eq!(self::code(ended), RefusalCode::SignIn);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_guest_who_registers_twice_at_once_gets_one_name() {
    let (store, here, there) = two_clubs().await;
    let guest = here.guest().await.unwrap();
    let (one, two) = join!(
        here.register_guest(&guest, "Anna", OLD),
        there.register_guest(&guest, "Else", OLD),
    );
    let (name, free) = match (&one, &two) {
        (Ok(_), Err(_)) => ("Anna", "Else"),
        (Err(_), Ok(_)) => ("Else", "Anna"),
        both => panic!("one of two must be refused: {both:?}"),
    };
    assert_eq!(store.account(guest.id).await.unwrap().name, name);
    assert!(here.register(free, OLD).await.is_ok(), "{free} is free");
}

/// Anna and Bert make moves at one club while Anna's account is being deleted at another club. Each
/// answered move is in the log, in order, and the game ends by resignation.
#[tokio::test(start_paused = true)]
async fn a_deletion_during_moves_loses_no_answer() {
    let (store, here, there) = two_clubs().await;
    let anna = anna(&here).await;
    let bert = here.register("Bert", OLD).await.unwrap();
    let game = here.pair(anna.id, bert.id, terms("wild16", TimeControl::Unlimited));
    let game = game.await.unwrap();
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
            let id = request_id(&format!("m{n}")).unwrap();
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
    let deletion = there.delete_account(&anna, Some(OLD), Leaving::Resign);
    let (answered, deleted) = join!(moves, deletion);
    // A move at the same moment can prevent the resignation. Then the result of the deletion is
    // `Ok(false)`, and the club repeats the resignation at the next heartbeat.
    assert!(deleted.is_ok(), "{deleted:?}");
    sleep(NOTICED).await;
    assert_eq!(
        store.account(anna.id).await.unwrap().state,
        AccountState::Deleted
    );
    here.close().await;
    let reopened = open(&store, &TestClock::new()).await;
    for club in [&here, &there, &reopened] {
        let finished = club.finished(game).await.unwrap();
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
async fn two_simultaneous_deletions_delete_the_account() {
    let (store, here, there) = two_clubs().await;
    let anna = anna(&here).await;
    let bert = here.register("Bert", OLD).await.unwrap();
    let game = here.pair(anna.id, bert.id, terms("wild16", TimeControl::Unlimited));
    let game = game.await.unwrap();
    let (one, two) = join!(
        here.delete_account(&anna, Some(OLD), Leaving::Resign),
        there.delete_account(&anna, Some(OLD), Leaving::Resign),
    );
    assert!(one.is_ok() || two.is_ok(), "{one:?} {two:?}");
    for refused in [one, two].into_iter().filter_map(Result::err) {
        // `Forbidden`: the account is being deleted already.
        let usual = [
            RefusalCode::WrongPassword,
            RefusalCode::SignIn,
            RefusalCode::Forbidden,
        ];
        let is_usual = usual.contains(&refused.code);
        assert!(is_usual, "{refused:?}");
    }
    sleep(NOTICED).await;
    let finished = there.finished(game).await.unwrap();
    assert_eq!(finished.over.reason, Reason::Resignation);
    // The new owner of a name gets nothing that belonged to the old account.
    let fresh = there.register("Anna", OLD).await.unwrap();
    assert_ne!(fresh.id, anna.id);
    let own = there.own_account(fresh.id).await.unwrap();
    assert_eq!((own.running, own.recovery_codes), (Vec::new(), 0));
    assert_eq!(
        store.account(anna.id).await.unwrap().state,
        AccountState::Deleted
    );
}

/// An operator renames an account during a session and a game. The session and the codes stay with
/// the account. The old name gives no access to the account, even if somebody else takes this name.
#[tokio::test(start_paused = true)]
async fn a_renamed_account_keeps_its_sessions_and_codes() {
    let (store, here, there) = two_clubs().await;
    let anna = anna(&here).await;
    let bert = here.register("Bert", OLD).await.unwrap();
    let game = here.pair(anna.id, bert.id, terms("wild16", TimeControl::Unlimited));
    let game = game.await.unwrap();
    let session = here.begin_session(anna.id).await.unwrap();
    let codes = here.new_recovery_codes(&anna).await.unwrap();
    let rename = AccountChange::Rename("Annabel".to_owned());
    store.change_account(anna.id, None, &rename).await.unwrap();
    let thief = there.register("Anna", OLD).await.unwrap();
    sleep(NOTICED).await;
    for club in [&here, &there] {
        let own = club.session(session.secret()).await.unwrap();
        assert_eq!((own.id, own.name.as_str()), (anna.id, "Annabel"));
        let facts = club.facts(game, None).await.unwrap();
        assert_eq!(facts.players.white.name, "Annabel");
        let signed = club.sign_in("Anna", OLD).await.unwrap();
        assert_eq!(signed.id, thief.id);
    }
    // A request that was read before the renaming still reaches the same account, because it
    // contains the account's number and not its name.
    let changed = here.change_password(&anna, OLD, ONE).await;
    assert_eq!(changed.unwrap().id, anna.id);
    let old_name = there.recover("Anna", &codes[0].shown(), TWO).await;
    assert_eq!(code(old_name), RefusalCode::WrongPassword);
    let new_name = there.recover("Annabel", &codes[0].shown(), TWO).await;
    assert_eq!(new_name.unwrap().id, anna.id);
    there.sign_in("Anna", OLD).await.unwrap();
}
