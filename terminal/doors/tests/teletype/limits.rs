//! Tests of the door's limits: printing speed, floods of input, noise, silent
//! users, and clients that do not read.

use std::time::Duration;

use doors::teletype::Settings;
use tokio::time::{Instant, sleep};

use crate::test_club::{Sitter, TestClub, moment};

fn open(cps: Option<u32>) -> Settings {
    Settings {
        as_in_1965: true,
        cps,
    }
}

#[tokio::test(start_paused = true)]
async fn a_teletype_prints_at_its_speed() {
    let test_club = TestClub::open(open(Some(10))).await;
    let one = Sitter::call(&test_club, 1);
    sleep(Duration::from_secs(60)).await;
    let pieces = one.take();
    let bytes: usize = pieces.iter().map(|(_, bytes)| bytes.len()).sum();
    assert!(bytes > 150, "{bytes}");
    for (n, (at, piece)) in (0..).zip(&pieces) {
        assert_eq!((*at, piece.len()), (n * 100, 1), "character {n}");
    }
}

#[tokio::test(start_paused = true)]
async fn lines_typed_during_printing_are_read_afterwards() {
    let test_club = TestClub::open(open(Some(10))).await;
    let mut one = Sitter::call(&test_club, 1);
    // Printing the header and the first question takes about 16 s.
    one.line("bye").await;
    sleep(Duration::from_secs(60)).await;
    let text = one.text();
    assert!(
        text.ends_with("Y/N\r\n****\u{7}\u{7}GOOD BYE\r\n"),
        "{text}"
    );
}

/// Printing the instruction at ten characters per second takes longer than the time in which the
/// first user must say who plays White. Printing the list of moves takes longer than the timeout
/// for closing a connection. Both times must begin after printing.
#[tokio::test(start_paused = true)]
async fn questions_wait_for_slow_printing_and_the_list_is_printed() {
    let test_club = TestClub::open(open(Some(10))).await;
    let mut one = Sitter::call(&test_club, 1);
    let mut two = Sitter::call(&test_club, 2);
    one.line("y").await;
    two.line("n").await;
    sleep(Duration::from_secs(300)).await;
    let told = one.text();
    assert!(
        told.ends_with("DO YOU PLAY WHITE Y/N\r\n****\u{7}\u{7}"),
        "{told}"
    );
    one.line("y").await;
    for n in 0..4 {
        for (who, line) in [
            (&mut one, ["qn1 qb3", "qb3 qn1"]),
            (&mut two, ["kn1 kb3", "kb3 kn1"]),
        ] {
            sleep(Duration::from_secs(100)).await;
            who.line(line[n % 2]).await;
        }
    }
    sleep(Duration::from_secs(100)).await;
    one.line("resign").await;
    sleep(Duration::from_secs(100)).await;
    let _played = (one.take(), two.take());
    for who in [&mut one, &mut two] {
        who.line("y").await;
    }
    sleep(Duration::from_secs(200)).await;
    let list = one.text();
    assert!(list.contains("   4  QB3 QN1      KB3 KN1"), "{list}");
    assert!(list.ends_with("GOOD BYE\r\n"), "{list}");
    assert_eq!(two.text(), list);
}

/// Slow output of one console does not delay the other console. A player's
/// tries are limited by the printing speed of the player's own console, so they
/// cannot fill the opponent's output queue.
#[tokio::test(start_paused = true)]
async fn many_tries_do_not_fill_the_opponents_queue() {
    let test_club = TestClub::open(open(Some(10))).await;
    let wait = || sleep(Duration::from_secs(100));
    let mut one = Sitter::call(&test_club, 1);
    one.line("n").await;
    wait().await;
    let mut two = Sitter::call(&test_club, 2);
    two.line("n").await;
    wait().await;
    one.line("y").await;
    wait().await;
    let _begun = (one.take(), two.take());
    one.send("k2 k5\r\n".repeat(2000).as_bytes()).await;
    let begun = Instant::now();
    sleep(Duration::from_secs(1000)).await;
    // The sender's own console prints 17 characters for each try: `(HELL NO)`
    // and a prompt.
    let heard = two.text().matches("(HELL NO)").count();
    // After 200 answers in a turn, one more is given every five seconds.
    assert!((340..=400).contains(&heard), "{heard}");
    assert_eq!(begun.elapsed().as_secs(), 1000);
    // The opponent's own lines are answered when the opponent's output queue is
    // empty.
    two.line("relist").await;
    sleep(Duration::from_secs(60)).await;
    assert!(two.text().contains("YOUR MEN, BLACK"));
}

#[tokio::test(start_paused = true)]
async fn too_long_line_is_answered_at_its_console_only() {
    let test_club = TestClub::open(open(None)).await;
    let (mut one, two) = test_club.two().await;
    let _begun = (one.take(), two.take());
    for end in ["\n", "\r\n"] {
        one.send("K".repeat(1_000_000).as_bytes()).await;
        one.line(end.trim_end()).await;
        moment().await;
        assert_eq!(one.text(), "THE LINE IS TOO LONG\r\n****\u{7}\u{7}");
        assert_eq!(two.text(), "");
    }
    one.line("k2 k4").await;
    moment().await;
    assert_eq!(one.text(), "(BLACK TO MOVE)\r\n");
    assert_eq!(two.text(), "(BLACK TO MOVE)\r\n****\u{7}\u{7}");
}

#[tokio::test(start_paused = true)]
async fn noise_out_of_turn_is_answered_at_its_console_only() {
    let test_club = TestClub::open(open(None)).await;
    let (one, mut two) = test_club.two().await;
    let _begun = (one.take(), two.take());
    let mut noise: Vec<u8> = (0..20_000_u32)
        .map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8)
        .collect();
    noise.extend([255, 240, b'\n']);
    two.send(&noise).await;
    sleep(Duration::from_secs(60)).await;
    assert_eq!(one.text(), "");
    let two_was_told = two.bytes();
    assert!(!two_was_told.is_empty());
    two.line("relist").await;
    moment().await;
    assert!(two.text().contains("YOUR MEN, BLACK"));
}

#[tokio::test(start_paused = true)]
async fn silent_user_is_disconnected_and_waiting_user_is_not() {
    let test_club = TestClub::open(open(None)).await;
    let silent = Sitter::call(&test_club, 1);
    let mut waits = Sitter::call(&test_club, 2);
    waits.line("n").await;
    sleep(Duration::from_secs(330)).await;
    assert!(silent.text().ends_with("NO ANSWER. GOOD BYE\r\n"));
    assert!(silent.served.is_finished());
    sleep(Duration::from_secs(10_000)).await;
    assert!(!waits.served.is_finished());
    // The console that must say who plays White, and does not answer, loses its
    // place.
    let mut third = Sitter::call(&test_club, 3);
    third.line("n").await;
    sleep(Duration::from_secs(130)).await;
    assert!(waits.text().ends_with("NO ANSWER. GOOD BYE\r\n"));
    let text = third.text();
    let end = "THE OTHER TELETYPE IS GONE\r\nWAITING FOR THE OTHER TELETYPE\r\n";
    assert!(text.ends_with(end), "{text}");
}

/// A client that does not read, and does not close the connection, is
/// disconnected. Others are not disturbed.
#[tokio::test(start_paused = true)]
async fn a_console_that_reads_nothing_disturbs_nobody() {
    let test_club = TestClub::open(open(None)).await;
    let (mut one, two) = test_club.two().await;
    let _begun = (one.take(), two.take());
    two.stop_reading();
    for n in 0..30_000 {
        one.line(&format!("msg {n:0200}")).await;
        if two.served.is_finished() {
            break;
        }
    }
    sleep(Duration::from_secs(6000)).await;
    let _messages = one.take();
    one.line("k2 k4").await;
    moment().await;
    let text = one.text();
    assert!(text.ends_with("(BLACK TO MOVE)\r\n"), "{text}");
    assert!(
        two.served.is_finished(),
        "a client that does not read is disconnected"
    );
}

/// One thousand consoles connect at the same time and type nothing.
#[tokio::test(start_paused = true)]
async fn thousand_silent_consoles_delay_no_game() {
    let test_club = TestClub::open(open(None)).await;
    let silent: Vec<_> = (0..1000).map(|_| Sitter::call(&test_club, 9)).collect();
    let (mut one, two) = test_club.two().await;
    let _begun = (one.take(), two.take());
    one.line("k2 k4").await;
    moment().await;
    assert_eq!(two.text(), "(BLACK TO MOVE)\r\n****\u{7}\u{7}");
    sleep(Duration::from_secs(400)).await;
    assert!(silent.iter().all(|one| one.served.is_finished()));
}

#[tokio::test(start_paused = true)]
async fn abandoned_games_of_one_address_are_limited() {
    let test_club = TestClub::open(open(None)).await;
    let mut begun = 0;
    for _ in 0..70 {
        let (mut one, mut two) = test_club.two().await;
        if one.text().contains("TOO MANY GAMES WERE BEGUN") {
            break;
        }
        begun += 1;
        one.hang_up().await;
        two.hang_up().await;
    }
    // The limit is 60 games per hour; each minute allows one more game.
    assert!((60..70).contains(&begun), "{begun} games were begun");
    sleep(Duration::from_secs(3600)).await;
    let (one, _two) = test_club.two().await;
    assert!(one.text().contains("(WHITE TO MOVE)"));
}

#[tokio::test(start_paused = true)]
async fn closing_door_informs_both_consoles() {
    let test_club = TestClub::open(open(None)).await;
    let (one, two) = test_club.two().await;
    let waits = Sitter::call(&test_club, 3);
    test_club.door.closing().close();
    moment().await;
    for sitter in [&one, &two] {
        let text = sitter.text();
        assert!(
            text.ends_with("THE CLUB IS CLOSING. COME BACK WITH YOUR KEY\r\n"),
            "{text}"
        );
        assert!(sitter.served.is_finished());
    }
    assert!(
        waits
            .text()
            .ends_with("THE CLUB IS CLOSING. CALL AGAIN LATER\r\n")
    );
}

/// The club closes while the first user is asked for a colour. Both consoles are told that the club
/// closes. Neither console is told that the other is gone.
#[tokio::test(start_paused = true)]
async fn closing_door_is_announced_during_the_question_for_the_color() {
    for _ in 0..32 {
        let test_club = TestClub::open(open(None)).await;
        let (mut one, mut two) = (Sitter::call(&test_club, 1), Sitter::call(&test_club, 2));
        one.line("n").await;
        moment().await;
        two.line("n").await;
        moment().await;
        assert!(one.text().contains("DO YOU PLAY WHITE Y/N"));
        test_club.door.closing().close();
        let _waits = test_club.door.close_pairing();
        moment().await;
        for sitter in [&one, &two] {
            let text = sitter.text();
            assert!(
                text.ends_with("THE CLUB IS CLOSING. CALL AGAIN LATER\r\n"),
                "{text}"
            );
        }
    }
}

/// If an operator disables an account while the club runs, the console of this account is closed.
#[tokio::test(start_paused = true)]
async fn a_console_is_closed_if_its_account_is_disabled() {
    let test_club = TestClub::open(open(None)).await;
    let (one, two) = test_club.two().await;
    let running = test_club.club.lobby_for(None).await.unwrap().running;
    let white = running[0].players.white.id;
    let (_, _) = (one.bytes(), two.bytes());
    let disable = store::AccountChange::Disable;
    let disabled = test_club.store.change_account(white, None, &disable).await;
    disabled.unwrap();
    // The club notices the disabled account within this wait.
    moment().await;
    let text = one.text();
    assert!(
        text.ends_with("YOUR KEY IS NO LONGER VALID. GOOD BYE\r\n"),
        "{text}"
    );
    assert!(one.served.is_finished() && !two.served.is_finished());
}

/// In the club, a game of teletypes is like any other game: the lobby lists it,
/// and spectators hear the announcements to everybody.
#[tokio::test(start_paused = true)]
async fn spectator_hears_public_announcements() {
    let test_club = TestClub::open(open(None)).await;
    let (mut one, _two) = test_club.two().await;
    for line in ["k2 k5", "p-k4", "relist", "k2 k4"] {
        one.line(line).await;
        moment().await;
    }
    let game = test_club.club.lobby_for(None).await.unwrap().running[0].clone();
    assert_eq!(game.terms.rules, "umpire");
    let mut listening = test_club.club.heard(game.id, None, 1).await.unwrap();
    let mut heard = Vec::new();
    while let Some(club::ListenerItem::Hearing(hearing)) = listening.ready() {
        for item in hearing.heard.iter() {
            if let club::HeardItem::Heard(one) = item {
                heard.extend(notation::words(
                    one,
                    listening.choices(),
                    rules::Listener::Room,
                ));
            }
        }
    }
    assert_eq!(
        heard,
        [
            "White is told hell no.",
            "White has moved.",
            "No pawn tries.",
            "Black to move."
        ]
    );
}

/// The first of two consoles never answers. The second console waits until the pairing ends, and
/// then gets a message.
#[tokio::test(start_paused = true)]
async fn waiting_user_is_told_that_the_other_never_answers() {
    let test_club = TestClub::open(open(None)).await;
    let silent = Sitter::call(&test_club, 1);
    let mut waits = Sitter::call(&test_club, 2);
    waits.line("n").await;
    sleep(Duration::from_secs(330)).await;
    assert!(silent.served.is_finished());
    assert!(!waits.served.is_finished());
    assert!(test_club.door.close_pairing());
    moment().await;
    let text = waits.text();
    let end = "THE OTHER TELETYPE DOES NOT ANSWER. GOOD BYE\r\n";
    assert!(text.ends_with(end), "{text}");
    assert!(waits.served.is_finished());
    let mut late = Sitter::call(&test_club, 3);
    late.line("n").await;
    moment().await;
    assert!(late.text().ends_with(end));
    assert!(!test_club.door.close_pairing());
}

/// After the game, no user answers whether to print the list of moves. Each user gets a message,
/// and the connection is closed.
#[tokio::test(start_paused = true)]
async fn unanswered_last_question_closes_the_connection() {
    let test_club = TestClub::open(open(None)).await;
    let (mut one, two) = test_club.two().await;
    one.line("resign").await;
    moment().await;
    one.line("perhaps").await;
    sleep(Duration::from_secs(700)).await;
    for sitter in [&one, &two] {
        let text = sitter.text();
        assert!(text.ends_with("NO ANSWER. GOOD BYE\r\n"), "{text}");
        assert!(sitter.served.is_finished());
    }
}
