//! Invalid input, floods of input and silence at one console do not disturb
//! other consoles.

use std::time::Duration;

use tokio::time::sleep;

use crate::test_club::TestClub;

#[tokio::test(start_paused = true)]
async fn noise_at_one_console_does_not_disturb_others() {
    let test_club = TestClub::new().await;
    let (mut anna, mut bert) = (test_club.named("Anna").await, test_club.named("Bert").await);
    anna.says("match Bert untimed wild16 white").await;
    bert.says("accept").await;
    anna.hears().await;
    let (mut noisy, _) = test_club.guest().await;
    // Telnet negotiation, incomplete commands, zero bytes, and bytes that are
    // not UTF-8.
    noisy
        .sends(&[255, 251, 31, 255, 253, 3, 255, 250, 24, 0, 255, 240])
        .await;
    noisy.sends(&[0, 1, 2, 255, 255, 0xc3, 0x28, b'\n']).await;
    noisy.sends(b"\xff").await;
    assert!(noisy.bytes().len() < 4096);
    noisy.sends(b"\xf1who\r\n").await;
    sleep(Duration::from_millis(50)).await;
    let told = String::from_utf8_lossy(&noisy.bytes()).into_owned();
    assert!(told.contains("at this door."), "{told}");
    // Send a line of one megabyte.
    for _ in 0..256 {
        noisy.sends(&[b'x'; 4096]).await;
    }
    let told = noisy.says("").await;
    assert!(told.contains("That line is too long"), "{told}");
    // If a client sends many lines at once, they are handled at the limited
    // rate.
    noisy.sends(&b"date\r\n".repeat(2000)).await;
    let told = noisy.hears().await;
    assert!(told.matches("(UTC)").count() <= 90);
    assert_eq!(bert.heard(), "");
    let told = anna.says("e2e4").await;
    assert!(told.contains("Black's move."), "{told}");
    assert!(bert.hears().await.contains("Black's move."));
}

#[tokio::test(start_paused = true)]
async fn thousand_silent_consoles_time_out_and_disturb_nobody() {
    let test_club = TestClub::new().await;
    let (mut anna, mut bert) = (test_club.named("Anna").await, test_club.named("Bert").await);
    let silent: Vec<_> = (0..1000).map(|_| test_club.connect()).collect();
    anna.says("match Bert untimed wild16 white").await;
    assert!(
        bert.says("accept")
            .await
            .contains("Creating unrated wild/16 match.")
    );
    assert!(anna.says("e2e4").await.contains("Black's move."));
    sleep(Duration::from_secs(62)).await;
    assert!(silent.iter().all(|one| one.is_gone()));
    assert!(bert.says("e7e5").await.contains("White's move."));
}

#[tokio::test(start_paused = true)]
async fn console_that_does_not_read_is_disconnected() {
    let test_club = TestClub::new().await;
    let (near, far) = tokio::io::duplex(256);
    let address = std::net::SocketAddr::from(([192, 0, 2, 9], 4000));
    let console =
        doors::base::Console::open(far, address, doors::base::ConnectionLimits::default());
    let talk = tokio::spawn(doors::ics::converse(test_club.door_state.clone(), console));
    let (_reads, mut writes) = tokio::io::split(near);
    for _ in 0..300 {
        let sent = tokio::io::AsyncWriteExt::write_all(&mut writes, b"guest\r\nhelp\r\n").await;
        if sent.is_err() {
            break;
        }
        sleep(Duration::from_millis(500)).await;
    }
    tokio::time::timeout(Duration::from_secs(120), talk)
        .await
        .unwrap()
        .unwrap();
    assert!(test_club.door_state.people().is_empty());
}

#[tokio::test(start_paused = true)]
async fn closing_door_informs_every_console() {
    let test_club = TestClub::new().await;
    let (person, _) = test_club.guest().await;
    let nobody = test_club.connect();
    test_club.door_state.closing().close();
    assert!(person.hears().await.contains("The club is closing."));
    assert!(nobody.heard().contains("The club is closing."));
    assert!(person.is_gone() && nobody.is_gone());
    let late = test_club.connect();
    sleep(Duration::from_millis(20)).await;
    assert!(late.is_gone());
}
