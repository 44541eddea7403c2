//! Coming in and going away.

use std::time::Duration;

use doors::ics::Patience;
use tokio::time::sleep;

use crate::house::House;

#[tokio::test(start_paused = true)]
async fn guests_and_accounts_come_in_and_passwords_are_not_shown() {
    let house = House::new().await;
    house.club.register("Fred", "secret-123").await.unwrap();
    let (_person, name) = house.guest().await;
    assert!(name.starts_with("guest-"));
    let mut fred = house.connect();
    let welcome = fred.hears().await;
    assert!(welcome.ends_with("login: "));
    for word in ["freechess", "chessclub", "FICS", "ICC"] {
        assert!(!welcome.contains(word), "clients change their habits by it");
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
        "what is typed is shown again"
    );
    assert!(String::from_utf8_lossy(&told[3..]).contains("do not fit"));
    fred.sends(b"FRED\r\nsecret-123\r\n").await;
    sleep(Duration::from_millis(20)).await;
    let told = fred.bytes();
    assert!(String::from_utf8_lossy(&told).contains("**** You are Fred"));
}

#[tokio::test(start_paused = true)]
async fn three_wrong_passwords_are_enough_and_silence_is_sent_away() {
    let house = House::new().await;
    let mut thief = house.connect();
    for _ in 0..3 {
        thief.sends(b"Fred\r\nguess-guess\r\n").await;
        sleep(Duration::from_millis(20)).await;
    }
    assert!(thief.is_gone());
    let silent = house.connect();
    sleep(Duration::from_secs(59)).await;
    assert!(!silent.is_gone());
    sleep(Duration::from_secs(2)).await;
    assert!(silent.is_gone());
}

#[tokio::test(start_paused = true)]
async fn too_many_guests_and_passwords_of_one_address_are_told_so() {
    let house = House::with(Patience {
        guests: 2,
        passwords: 1,
        ..Patience::default()
    })
    .await;
    let _two = (house.guest().await, house.guest().await);
    let mut third = house.connect();
    assert!(third.says("guest").await.contains("Too many guests"));
    let mut thief = house.connect();
    thief
        .sends(b"Fred\r\nguess-guess\r\nFred\r\nguess-guess\r\n")
        .await;
    sleep(Duration::from_millis(20)).await;
    let told = thief.bytes();
    assert!(String::from_utf8_lossy(&told).contains("Too many passwords"));
    sleep(Duration::from_secs(61)).await;
    house.guest().await;
}

#[tokio::test(start_paused = true)]
async fn whoever_has_four_consoles_gets_no_fifth() {
    let house = House::new().await;
    let mut all = Vec::new();
    for _ in 0..4 {
        all.push(house.named("Fred").await);
    }
    let fifth = house.named("Fred").await;
    assert!(fifth.is_gone());
}

/// What is told of who plays, and for how long somebody has been silent,
/// changes by nothing that a player does in private.
#[tokio::test(start_paused = true)]
async fn who_and_finger_tell_nothing_of_a_try() {
    let house = House::new().await;
    let (mut anna, mut bert) = (house.named("Anna").await, house.named("Bert").await);
    anna.says("match Bert 5 5 wild16 white").await;
    bert.says("accept").await;
    anna.hears().await;
    let mut asked = Vec::new();
    for tries in [false, true] {
        if tries {
            // The minutes of `finger` must not change meanwhile.
            assert!(anna.says("e2e5").await.contains("Illegal move (e2e5)."));
            assert!(anna.says("e1e4").await.contains("Illegal move (e1e4)."));
        } else {
            sleep(Duration::from_millis(40)).await;
        }
        assert_eq!(bert.heard(), if tries { "" } else { bert.heard().leak() });
        let mut told = String::new();
        for line in [
            "who",
            "games",
            "sought",
            "pending",
            "history",
            "history Anna",
            "stored",
        ] {
            told.push_str(&bert.says(line).await);
        }
        asked.push(told);
    }
    assert_eq!(asked[0], asked[1]);
}
