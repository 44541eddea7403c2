//! Tests of games at this door. The sessions in `golden/` cannot express these tests.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, AtomicUsize, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use doors::base::DoorLimits;
use store::{
    AppendError, MemoryStore, Store, StoreError,
    testing::{Append, Around, Tapped},
};
use tokio::time::{Instant, sleep};

use crate::test_club::{TestClock, TestClub};

fn twelve(told: &str) -> Vec<Vec<String>> {
    let lines = told.lines().filter(|line| line.starts_with("<12> "));
    let words = lines.map(|line| line.split(' ').map(str::to_owned).collect());
    words.collect()
}

/// Some fields of style 12 could reveal the opponent's men. In every board of a
/// game, these fields have the values that they have at the start.
#[tokio::test(start_paused = true)]
async fn style_12_shows_nothing_of_the_other_side() {
    let test_club = TestClub::new().await;
    let (mut anna, mut bert) = (test_club.named("Anna").await, test_club.named("Bert").await);
    anna.says("style 12").await;
    bert.says("style 12").await;
    anna.says("match Bert 5 5 wild16 white").await;
    let mut all = [String::new(), bert.says("accept").await];
    all[0].push_str(&anna.hears().await);
    for (n, text) in [
        "e2e4", "d7d5", "e4d5", "g8f6", "f1c4", "f6d5", "e1e2", "d5b6",
    ]
    .iter()
    .enumerate()
    {
        let one = if n % 2 == 0 { &mut anna } else { &mut bert };
        let told = one.says(text).await;
        assert!(!told.contains("Illegal"), "{text}: {told}");
        all[n % 2].push_str(&told);
        all[0].push_str(&anna.hears().await);
        all[1].push_str(&bert.hears().await);
    }
    for (seat, told) in all.iter().enumerate() {
        let boards = twelve(told);
        assert_eq!(
            boards.len(),
            9,
            "one board at the start and after each move"
        );
        for (n, board) in boards.iter().enumerate() {
            let men = board[1..9].concat();
            let theirs = |c: char| {
                if seat == 0 {
                    c.is_lowercase()
                } else {
                    c.is_uppercase()
                }
            };
            assert!(!men.chars().any(theirs), "{men}");
            assert_eq!(
                board[10], "-1",
                "the field for a double pawn step must be -1"
            );
            let castling = &board[11..15];
            let unseen = if seat == 0 {
                &castling[2..]
            } else {
                &castling[..2]
            };
            assert_eq!(unseen, ["0", "0"]);
            assert_eq!(
                board[15], "0",
                "the number of moves since the last irreversible move must be 0"
            );
            assert_eq!(
                board[22 + 1 - seat],
                "39",
                "the strength of the other side must stay as at the start"
            );
            let mine = n % 2 == seat;
            assert_eq!(board[19], if mine { "1" } else { "-1" });
            assert_eq!(board[26], (n / 2 + 1).to_string());
            if !mine || n == 0 {
                continue;
            }
            assert!(
                board[27].starts_with('?') && board[29].starts_with('?'),
                "{board:?}"
            );
        }
    }
    // Each player made one capture on d5, and the opponent heard the square.
    assert!(all[1].contains(" ?xd5 ("), "{}", all[1]);
    assert!(all[0].contains(" ?xd5 ("));
}

/// A player who reconnects is back in the game and gets the present board. The same happens after
/// the club was closed and opened again.
#[tokio::test(start_paused = true)]
async fn game_resumes_after_a_disconnect_and_a_restart_of_the_club() {
    let test_club = TestClub::new().await;
    let (mut anna, mut bert) = (test_club.named("Anna").await, test_club.named("Bert").await);
    anna.says("match Bert untimed wild16 white").await;
    bert.says("accept").await;
    anna.says("e2e4").await;
    drop(anna);
    sleep(Duration::from_secs(20)).await;
    assert!(bert.heard().contains("Anna is not connected."));
    let mut anna = test_club.connect();
    anna.says("Anna").await;
    let told = anna.says("secret-123").await;
    assert!(
        told.contains("{Game 1 (Anna vs. Bert) Continuing unrated wild/16 match.}"),
        "{told}"
    );
    assert!(told.contains("Move # : 1 (Black)"), "{told}");
    assert!(bert.hears().await.contains("Anna is here again."));
    test_club.club.close().await;
    sleep(Duration::from_secs(5)).await;
    assert!(bert.heard().contains("The club is closing."));
    assert!(bert.is_gone());
    let test_club = TestClub::over(
        Arc::clone(&test_club.store),
        test_club.clock.clone(),
        DoorLimits::default(),
    )
    .await;
    let mut bert = test_club.connect();
    bert.says("Bert").await;
    let told = bert.says("secret-123").await;
    assert!(
        told.contains("{Game 1 (Anna vs. Bert) Continuing unrated wild/16 match.}"),
        "{told}"
    );
    assert!(told.contains("Move # : 1 (Black)"), "{told}");
    let told = bert.says("e7e5").await;
    assert!(told.contains("White's move."), "{told}");
}

/// Store that records the third attempt of a game, but returns the error `NoAnswer`.
struct LostAnswer(AtomicU32);

#[async_trait]
impl Around for LostAnswer {
    async fn append(&self, store: &dyn Store, append: Append<'_>) -> Result<(), AppendError> {
        let attempts = append.rows.iter().filter(|row| row.request.is_some());
        let attempts = u32::try_from(attempts.count()).expect("a game is short");
        let before = self.0.fetch_add(attempts, Ordering::Relaxed);
        let done = append.to(store, append.expected).await;
        match before < 3 && before + attempts >= 3 {
            true => Err(AppendError::Store(StoreError::NoAnswer(
                "no answer".to_owned(),
            ))),
            false => done,
        }
    }
}

/// The store has recorded the refused try, but its answer is lost. The club finds the row in the
/// log: under these rules, Bert hears each refused try, and hears of this one once.
#[tokio::test(start_paused = true)]
async fn unconfirmed_try_is_found_in_the_log() {
    let store = Tapped {
        store: MemoryStore::default(),
        around: LostAnswer(AtomicU32::new(0)),
    };
    let clock = Arc::new(TestClock(Instant::now()));
    let test_club = TestClub::over(Arc::new(store), clock, DoorLimits::default()).await;
    let (mut anna, mut bert) = (test_club.named("Anna").await, test_club.named("Bert").await);
    anna.says("match Bert untimed rand white").await;
    bert.says("accept").await;
    anna.says("e2e4").await;
    bert.says("e7e5").await;
    let _earlier = (anna.heard(), bert.heard());
    let told = anna.says("e4e5").await;
    assert!(told.contains("Illegal move (e4e5)."), "{told}");
    let heard = bert.hears().await;
    assert_eq!(heard.matches("White is told no.").count(), 1, "{heard}");
}

/// A spectator's comment is not sent to players of a running game.
#[tokio::test(start_paused = true)]
async fn players_do_not_hear_spectators() {
    let test_club = TestClub::new().await;
    let (mut anna, mut bert) = (test_club.named("Anna").await, test_club.named("Bert").await);
    let (mut carl, mut dora) = (test_club.named("Carl").await, test_club.named("Dora").await);
    anna.says("match Bert 5 5 rand white").await;
    bert.says("accept").await;
    anna.hears().await;
    for one in [&mut carl, &mut dora] {
        let told = one.says("observe 1").await;
        assert!(told.contains("You are now observing game 1."), "{told}");
        assert!(!told.contains(" P ") && !told.contains("*P"), "{told}");
    }
    for text in ["kibitz her queen hangs", "whisper her queen hangs"] {
        carl.says(text).await;
        assert!(dora.hears().await.contains("her queen hangs"));
        assert_eq!((anna.heard(), bert.heard()), (String::new(), String::new()));
    }
    let told = anna.says("whisper I will castle").await;
    assert!(told.contains("messages of the spectators only"), "{told}");
    assert_eq!((carl.heard(), bert.heard()), (String::new(), String::new()));
    bert.says("resign").await;
    anna.hears().await;
    assert!(carl.hears().await.contains("Bert resigns} 1-0"));
}

#[tokio::test(start_paused = true)]
async fn typed_questions_are_answered_to_the_player_alone() {
    let test_club = TestClub::new().await;
    let (mut anna, mut bert) = (test_club.named("Anna").await, test_club.named("Bert").await);
    anna.says("match Bert 5 5 rand white").await;
    bert.says("accept").await;
    anna.says("1. e four").await;
    bert.heard();
    for (asked, answer) in [
        ("p n", "Your men: knight b1, g1."),
        ("s e", "Your men: king e1; pawn e4."),
        ("s 8", "Your men: none."),
        ("l", "Black's move."),
        ("o", "Your opponent: Bert."),
        ("c", "White Clock : 5:0"),
        ("i", "by the rules of rand."),
    ] {
        let told = anna.says(asked).await;
        assert!(told.contains(answer), "{asked}: {told}");
        assert_eq!(bert.heard(), "", "{asked}");
    }
    // Questions back: the referee is not asked, although everybody hears a nonsense under `rand`.
    let told = bert.says("e8h8").await;
    assert!(told.contains("to castle, write e8g8"), "{told}");
    assert_eq!(anna.heard(), "");
}

/// Durations have milliseconds only for a reader who turned milliseconds on.
#[tokio::test(start_paused = true)]
async fn durations_have_milliseconds_only_on_request() {
    let test_club = TestClub::new().await;
    let (mut anna, mut bert) = (test_club.named("Anna").await, test_club.named("Bert").await);
    for line in ["iset ms 1", "style 12"] {
        anna.says(line).await;
    }
    bert.says("style 12").await;
    anna.says("match Bert 5 5 rand white").await;
    bert.says("accept").await;
    anna.says("e2e4").await;
    bert.says("e7e5").await;
    sleep(Duration::from_millis(3250)).await;
    anna.heard();
    bert.heard();
    let (told, heard) = (anna.says("d2d4").await, bert.heard());
    let (ms, whole) = (twelve(&told), twelve(&heard));
    let left: i64 = ms[0][24].parse().unwrap();
    assert!((301_000..302_000).contains(&left), "{left}");
    assert!(
        ms[0][28].starts_with("(0:03.") && ms[0][28].len() == 10,
        "{}",
        ms[0][28]
    );
    assert_eq!(whole[0][24], "301");
    assert_eq!(whole[0][28], "(0:03)");
}

/// A player who looks at the clocks or the board of an own game does not become
/// present in that game.
#[tokio::test(start_paused = true)]
async fn commands_about_a_game_do_not_make_the_player_present() {
    let test_club = TestClub::new().await;
    let mut anna = test_club.named("Anna").await;
    let club = &test_club.club;
    let id = club
        .sign_in("Anna", "secret-123")
        .await
        .expect("the account exists")
        .id;
    let mut games = Vec::new();
    for _ in 0..2 {
        let guest = club.guest().await.expect("a guest can be created");
        let (bert, name) = (guest.id, guest.name);
        let terms = club::Terms {
            rules: "wild16".to_owned(),
            custom: None,
            time: club::TimeControl::Unlimited,
            rated: false,
            color: club::ColorWish::Any,
        };
        let link = club
            .invite(bert, terms)
            .await
            .expect("the invitation can be created")
            .id;
        let game = club
            .accept(&link, id)
            .await
            .expect("the invitation can be accepted");
        games.push((bert, name, game));
    }
    anna.hears().await;
    let told = Arc::<AtomicUsize>::default();
    for (bert, _, game) in &games {
        let mut listening = club
            .listen(*game, Some(*bert), 0)
            .await
            .expect("the player can listen");
        let counts = Arc::clone(&told);
        tokio::spawn(async move {
            while listening.next().await.is_some() {
                counts.fetch_add(1, Ordering::Relaxed);
            }
        });
    }
    sleep(Duration::from_secs(1)).await;
    let before = told.load(Ordering::Relaxed);
    for (_, name, _) in &games {
        for asks in ["time", "refresh"] {
            let shown = anna.says(&format!("{asks} {name}")).await;
            assert!(shown.contains(name), "{shown}");
        }
    }
    sleep(Duration::from_secs(20)).await;
    let after = told.load(Ordering::Relaxed);
    assert_eq!(after, before, "no player may come or leave");
}

/// The command `rules` describes custom rules before the game and in the game,
/// even if they have the name of a known ruleset.
#[tokio::test(start_paused = true)]
async fn custom_rules_are_described_by_their_content() {
    let test_club = TestClub::new().await;
    let mut anna = test_club.named("Anna").await;
    let club = &test_club.club;
    let wild = rules::rulesets::by_id("wild16").expect("`wild16` is a known ruleset");
    let text = notation::write_ruleset(wild)
        .replace("id = \"wild16\"", "id = \"kriegspiel\"")
        .replace("no_heard = \"mover\"", "no_heard = \"both\"");
    let bert = club.guest().await.expect("a guest can be created").id;
    let terms = club::Terms {
        rules: "kriegspiel".to_owned(),
        custom: Some(text),
        time: club::TimeControl::Unlimited,
        rated: false,
        color: club::ColorWish::Any,
    };
    club.seek(bert, terms).await.expect("the seek can be made");
    let sought = anna.says("sought").await;
    assert!(sought.contains("kriegspiel (own rules)"), "{sought}");
    let usual = anna.says("rules kriegspiel").await;
    let before = anna.says("rules 1").await;
    let begun = anna.says("play 1").await;
    assert!(begun.contains("kriegspiel (own rules)"), "{begun}");
    let at_table = anna.says("rules").await;
    let told = |text: &str| {
        let words: Vec<&str> = text.split_whitespace().collect();
        words
            .join(" ")
            .contains("Only the mover hears the answer no")
    };
    assert!(told(&usual), "{usual}");
    assert!(!told(&before), "{before}");
    assert!(!told(&at_table), "{at_table}");
    assert!(anna.says("rules 7").await.contains("not available"));
}

/// The answer to `flag` says why the game cannot be claimed, and whether it has clocks.
#[tokio::test(start_paused = true)]
async fn flag_says_why_the_game_cannot_be_claimed() {
    let test_club = TestClub::new().await;
    let mut anna = test_club.named("Anna").await;
    let one_line = |told: String| told.split_whitespace().collect::<Vec<_>>().join(" ");
    for (terms, clocks) in [
        (
            "5 5",
            "If your opponent's time runs out, the club ends the game.",
        ),
        (
            "untimed",
            "The game has no clocks, so nobody loses on time.",
        ),
    ] {
        let mut bert = test_club.named("Bert").await;
        let timed = terms != "untimed";
        anna.says(&format!("match Bert {terms} wild16 white")).await;
        bert.says("accept").await;
        anna.heard();
        let mut expects = Vec::new();
        if timed {
            let told = one_line(anna.says("flag").await);
            expects.push((told, "Nothing can be claimed before both sides have moved."));
        }
        anna.says("e2e4").await;
        bert.says("e7e5").await;
        anna.heard();
        let told = one_line(anna.says("flag").await);
        expects.push((told, "Nothing can be claimed: your opponent is connected."));
        drop(bert);
        sleep(Duration::from_secs(6)).await;
        anna.heard();
        let told = one_line(anna.says("flag").await);
        if timed {
            let wait = "Your opponent is gone: you may claim the game in ";
            assert!(told.contains(wait), "{told}");
        } else {
            expects.push((told, "Nothing can be claimed while it is your turn: "));
        }
        for (told, reason) in expects {
            assert!(told.contains(reason), "{terms}: {told}");
            assert!(told.contains(clocks), "{terms}: {told}");
        }
        anna.says("resign").await;
        let told = one_line(anna.says("flag").await);
        let commands = "The game is over: type `examine` to look through it with all men, or `rematch` for another.";
        assert!(told.contains(commands), "{terms}: {told}");
        assert!(!told.contains(clocks), "{terms}: {told}");
    }
}
