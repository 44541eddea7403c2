//! Tests of signing in, disconnecting, challenges and talk.

use std::time::Duration;

use club::Leaving;
use doors::base::DoorLimits;
use tokio::time::sleep;

use crate::test_club::TestClub;

#[tokio::test(start_paused = true)]
async fn guests_and_accounts_sign_in_and_passwords_are_hidden() {
    let test_club = TestClub::new().await;
    test_club.club.register("Fred", "secret-123").await.unwrap();
    let (_person, name) = test_club.guest().await;
    // Clients accept a name of letters only.
    assert!(
        name.starts_with("guest") && name.bytes().all(|b| b.is_ascii_lowercase()),
        "{name}"
    );
    let mut fred = test_club.connect();
    let welcome = fred.hears().await;
    assert!(welcome.ends_with("login: "));
    for word in ["freechess", "chessclub", "FICS", "ICC"] {
        assert!(
            !welcome.contains(word),
            "this word changes the behaviour of clients"
        );
    }
    fred.sends(b"fred\r\n").await;
    sleep(Duration::from_millis(20)).await;
    let asked = fred.bytes();
    assert!(asked.starts_with(&[255, 251, 1]) && asked.ends_with(b"password: "));
    fred.sends(b"wrong-password\r\n").await;
    sleep(Duration::from_millis(20)).await;
    let told = fred.bytes();
    assert!(
        told.starts_with(&[255, 252, 1]),
        "after the password, the client must show typed text again"
    );
    assert!(String::from_utf8_lossy(&told[3..]).contains("password is wrong"));
    fred.sends(b"FRED\r\nsecret-123\r\n").await;
    sleep(Duration::from_millis(20)).await;
    let told = fred.bytes();
    assert!(
        String::from_utf8_lossy(&told)
            .contains("**** Starting Kriegspiel session as Fred ****\r\n")
    );
}

#[tokio::test(start_paused = true)]
async fn wrong_passwords_and_silence_close_the_connection() {
    let test_club = TestClub::new().await;
    let mut thief = test_club.connect();
    for _ in 0..3 {
        thief.sends(b"Fred\r\nguess-guess\r\n").await;
        sleep(Duration::from_millis(20)).await;
    }
    assert!(thief.is_gone());
    let silent = test_club.connect();
    sleep(Duration::from_secs(59)).await;
    assert!(!silent.is_gone());
    sleep(Duration::from_secs(2)).await;
    assert!(silent.is_gone());
}

/// Three events at another club close the consoles of an account within two seconds: a changed
/// password, a sign-out everywhere, and a deletion. No other console is closed.
#[tokio::test(start_paused = true)]
async fn console_closes_when_its_session_ends_at_another_club() {
    let test_club = TestClub::new().await;
    let there = test_club.club.clone();
    let bert = test_club.named("Bert").await;
    for n in 0..3 {
        let name = format!("Anna{n}");
        let console = test_club.named(&name).await;
        let anna = there
            .sign_in(&name, "secret-123")
            .await
            .expect("the password is right");
        console.hears().await;
        sleep(Duration::from_secs(30)).await;
        assert!(!console.is_gone(), "nothing has changed yet");
        match n {
            0 => there
                .change_password(&anna, "secret-123", "battery staple")
                .await
                .map(|_| ()),
            1 => there.end_all_sessions(&anna).await,
            _ => there
                .delete_account(&anna, Some("secret-123"), Leaving::Resign)
                .await
                .map(|_| ()),
        }
        .expect("the sessions end");
        sleep(Duration::from_secs(2)).await;
        assert!(console.is_gone(), "case {n}");
        let told = console.heard();
        assert!(told.contains("Sign in again."), "{told}");
        assert!(
            !bert.is_gone(),
            "the session of another account must continue"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn guests_and_passwords_per_address_are_limited() {
    let test_club = TestClub::with(DoorLimits {
        guests: 2,
        sign_ins: 1,
        ..DoorLimits::default()
    })
    .await;
    let _two = (test_club.guest().await, test_club.guest().await);
    let mut third = test_club.connect();
    assert!(third.says("guest").await.contains("Too many guests"));
    let mut thief = test_club.connect();
    thief
        .sends(b"Fred\r\nguess-guess\r\nFred\r\nguess-guess\r\n")
        .await;
    sleep(Duration::from_millis(20)).await;
    let told = thief.bytes();
    assert!(String::from_utf8_lossy(&told).contains("Too many passwords"));
    sleep(Duration::from_secs(61)).await;
    let mut again = test_club.connect();
    let told = again.says("guest").await;
    assert!(
        told.contains("Too many guests"),
        "the limit of guests is per hour"
    );
    sleep(Duration::from_secs(3600)).await;
    test_club.guest().await;
}

/// All addresses of one IPv6 network count as one address.
#[tokio::test(start_paused = true)]
async fn an_ipv6_network_counts_as_one_address() {
    let test_club = TestClub::with(DoorLimits {
        guests: 1,
        sign_ins: 1,
        ..DoorLimits::default()
    })
    .await;
    for guest in [true, false] {
        let many = |last: u16| {
            let there = std::net::Ipv6Addr::from([0x2001, 0xdb8, 0, 1, 0, 0, 0, last]);
            test_club.door_state.is_too_many(there.into(), guest)
        };
        assert_eq!((many(1), many(2)), (false, true));
    }
}

/// An exact name has priority over names that begin with it. So `match anna` challenges Anna,
/// although Annabel is at this door and Anna is not.
#[tokio::test(start_paused = true)]
async fn exact_name_has_priority_over_longer_names() {
    let test_club = TestClub::new().await;
    test_club.club.register("Anna", "secret-123").await.unwrap();
    let mut annabel = test_club.named("Annabel").await;
    let mut bert = test_club.named("Bert").await;
    // Anna is not signed in at this door.
    assert!(bert.says("match anna").await.contains("Bert (----) Anna ("));
    assert_eq!(annabel.heard(), "");
    assert!(bert.says("match annab").await.contains(") Annabel ("));
    annabel.says("match bert 1 0").await;
    let mut anna = test_club.named("Anna").await;
    anna.says("match bert 3 0").await;
    assert!(bert.says("decline anna").await.contains("You decline"));
    assert!(
        annabel
            .says("pending")
            .await
            .contains("to Bert: unrated wild/16 1 0")
    );
    let told = anna.says("pending").await;
    assert!(told.contains("offer to Bert was declined"), "{told}");
    assert!(!told.contains("to Bert:"), "{told}");
    annabel.says("seek 1 0").await;
    anna.says("seek 3 0").await;
    bert.says("play anna").await;
    assert!(anna.hears().await.contains("Game 1 ("));
}

/// The talk of one person cannot fill the output queues of other people, so it
/// disconnects nobody.
#[tokio::test(start_paused = true)]
async fn talk_above_the_rate_is_refused() {
    let test_club = TestClub::new().await;
    let (mut anna, bert) = (test_club.named("Anna").await, test_club.named("Bert").await);
    bert.heard();
    for n in 0..50 {
        anna.sends(format!("tell bert {n}\r\nshout {n}\r\n").as_bytes())
            .await;
    }
    let told = anna.hears().await;
    assert!(told.contains("nobody has read this one"), "{told}");
    sleep(Duration::from_secs(3)).await;
    let lines = bert.heard().matches("Anna").count();
    assert!((2..=30).contains(&lines), "{lines}");
    sleep(Duration::from_secs(1)).await;
    assert!(anna.says("tell bert hello").await.contains("(told Bert)"));
}

#[tokio::test(start_paused = true)]
async fn fifth_console_of_an_account_closes_the_oldest() {
    let test_club = TestClub::new().await;
    let mut all = Vec::new();
    for _ in 0..4 {
        all.push(test_club.named("Fred").await);
    }
    let fifth = test_club.named("Fred").await;
    // The task of the first console closes the console and sends the last message. The task does
    // this only when it notices that there are too many consoles.
    sleep(Duration::from_millis(100)).await;
    let last = all[0].heard();
    assert!(last.contains("this one is closed."), "{last}");
    assert!(all[0].is_gone() && !fifth.is_gone());
    assert!(all[1..].iter().all(|one| !one.is_gone()));
}

/// The outputs of `who` and `finger` do not change when a player makes a
/// refused try.
#[tokio::test(start_paused = true)]
async fn who_and_finger_do_not_show_tries() {
    let mut asked = Vec::new();
    for tries in [false, true] {
        let test_club = TestClub::new().await;
        let (mut anna, mut bert) = (test_club.named("Anna").await, test_club.named("Bert").await);
        anna.says("match Bert 5 5 wild16 white").await;
        bert.says("accept").await;
        anna.hears().await;
        bert.heard();
        for line in ["e2e5", "e1e4"] {
            sleep(Duration::from_secs(10)).await;
            if tries {
                let told = anna.says(line).await;
                assert!(told.contains(&format!("Illegal move ({line}).")), "{told}");
            } else {
                // Wait as long as an answer to a try would take.
                anna.hears().await;
            }
        }
        assert_eq!(bert.heard(), "");
        let mut told = String::new();
        for line in [
            "finger Anna",
            "finger",
            "who",
            "games",
            "sought",
            "pending",
            "history",
            "history Anna",
            "best",
            "stored",
        ] {
            told.push_str(&bert.says(line).await);
        }
        for words in ["Finger of Anna", "Nobody has a rating that"] {
            assert!(told.contains(words), "{told}");
        }
        asked.push(told);
    }
    assert_eq!(asked[0], asked[1]);
}

/// Several games can have the same time. Then the club returns more games than `history` may list.
#[tokio::test(start_paused = true)]
async fn history_lists_at_most_ten_games() {
    let test_club = TestClub::new().await;
    let mut anna = test_club.named("Anna").await;
    let club = &test_club.club;
    let account = club.sign_in("Anna", "secret-123").await;
    let account = account.expect("the account exists").id;
    for _ in 0..12 {
        let bert = club.guest().await.expect("a guest can be created").id;
        let terms = club::Terms {
            rules: "wild16".to_owned(),
            custom: None,
            time: club::TimeControl::Unlimited,
            rated: false,
            color: club::ColorWish::White,
        };
        let link = club.invite(bert, terms).await.expect("a link").id;
        let game = club.accept(&link, account).await.expect("a game");
        let id = club::request_id("r1").expect("the id is valid");
        let resigned = club.say(game, bert, id, 1, "resign").await;
        resigned.expect("Bert can resign");
    }
    let search = club::FinishedSearch::of(account);
    let games = club.games(&search, None, 10).await;
    let same_time = games.expect("the games can be read").len();
    assert_eq!(same_time, 12, "all games must have the same time");
    anna.heard();
    let told = anna.says("history").await;
    let listed = told.lines().filter(|line| line.contains(" vs. Anna, "));
    assert_eq!(listed.count(), 10, "{told}");
}

/// When a console disconnects, its seeks are withdrawn, so nobody can accept
/// them.
#[tokio::test(start_paused = true)]
async fn seeks_are_withdrawn_when_their_console_disconnects() {
    let test_club = TestClub::new().await;
    let (mut anna, mut bert) = (test_club.named("Anna").await, test_club.named("Bert").await);
    anna.says("seek 5 5 rand").await;
    assert!(bert.says("sought").await.contains("Anna"));
    drop(anna);
    sleep(Duration::from_secs(1)).await;
    assert!(!bert.says("sought").await.contains("Anna"));
}

#[tokio::test(start_paused = true)]
async fn club_stores_settings_of_accounts_and_not_of_guests() {
    let test_club = TestClub::new().await;
    let mut fred = test_club.named("Fred").await;
    for line in ["set width 60", "alias f finger", "style 12", "iset ms 1"] {
        fred.says(line).await;
    }
    fred.says("quit").await;
    // The settings are in the store, so another club over this store knows them.
    let test_club = test_club.reopened().await;
    let mut again = test_club.named("Fred").await;
    again.heard();
    let told = again.says("variables").await;
    assert!(told.contains("style=1 width=60"), "{told}");
    assert!(told.contains("ms=0"), "{told}");
    assert!(again.says("alias").await.contains("f -> finger"));
    let (mut guest, _) = test_club.guest().await;
    guest.says("set width 60").await;
    guest.says("quit").await;
    let (mut next, _) = test_club.guest().await;
    assert!(next.says("variables").await.contains("width=79"));
}

/// The test sends the lines that xboard 4.9.1 sends by itself after the sign-in. The lines for a
/// seek graph and the lines of the Windows version are included.
#[tokio::test(start_paused = true)]
async fn lines_of_xboard_at_sign_in_are_understood() {
    let test_club = TestClub::new().await;
    let mut fred = test_club.named("Fred").await;
    for (line, answer) in [
        ("alias $ @", "Alias $ set."),
        ("$set interface xboard 4.9.1", "interface set."),
        ("$iset startpos 1", "startpos set."),
        ("$iset ms 1", "ms set."),
        (
            "$iset seekremove 1",
            "There is no interface variable `seekremove` here",
        ),
        ("$iset block 1", "There is no block mode here."),
        ("$set seek 1", "seek set to 1."),
        (
            "$iset nosuchthing 1",
            "There is no interface variable `nosuchthing` here",
        ),
        (
            "$set nosuchthing 1",
            "There is no variable `nosuchthing` here",
        ),
        ("$iset lock 1", "lock set."),
        ("$style 12", "Style 12 set."),
    ] {
        let told = fred.says(line).await;
        assert!(told.contains(answer), "{line}: {told}");
    }
    fred.says("quit").await;
    // The settings of a client program are not stored, because the next client program makes its
    // own settings.
    let test_club = test_club.reopened().await;
    let mut again = test_club.named("Fred").await;
    let told = again.says("variables").await;
    assert!(
        told.contains("style=1 ") && told.contains("lock=0"),
        "{told}"
    );
    assert!(told.contains("interface=\"\""), "{told}");
}

#[tokio::test(start_paused = true)]
async fn examine_shows_own_men_at_the_lower_edge() {
    let test_club = TestClub::new().await;
    let (mut anna, mut bert) = (test_club.named("Anna").await, test_club.named("Bert").await);
    anna.says("match Bert 5 5 white").await;
    bert.says("accept").await;
    anna.says("e2e4").await;
    bert.says("resign").await;
    for (person, lower) in [(&mut anna, "1"), (&mut bert, "8")] {
        person.says("style 12").await;
        let told = person.says("examine").await;
        let line = told.lines().find(|line| line.starts_with("<12>"));
        let fields: Vec<&str> = line.expect(&told).split(' ').collect();
        // The field says whether Black is at the lower edge.
        assert_eq!(fields[30], if lower == "1" { "0" } else { "1" }, "{told}");
    }
}
