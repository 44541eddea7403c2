//! Tests who hears a text. A table has a row for each state of the game and each
//! speaker, and a column for each command that sends a text.

use std::time::Duration;

use tokio::time::sleep;

use crate::test_club::{Person, TestClub};

/// Text that is said.
const TEXT: &str = "the-queen-hangs";

/// Names of all people at the door, in the order in which [`CELLS`] lists their initials. Anna plays
/// White and Bert plays Black in game 1. Carl and Dora watch game 1. Emil does neither.
const NAMES: [&str; 5] = ["Anna", "Bert", "Carl", "Dora", "Emil"];

/// The initials of the people who hear the text, for each state, speaker and command. `-` means
/// that nobody hears it.
///
/// Until a game is over, no command lets a player hear a spectator. No spectator hears the
/// `kibitz`, `whisper` or `say` of a player. In the state `second`, game 1 is adjourned, and Anna
/// plays game 2 against Emil.
const CELLS: &str = "
                  kibitz whisper say tell message shout
running   Anna    B      -       B   B    B       BCDE
running   Bert    A      -       A   A    A       ACDE
running   Carl    D      D       -   -    -       DE
running   Dora    C      C       -   -    -       CE
running   Emil    -      -       -   A    A       ABCD
adjourned Anna    B      -       B   B    B       BCDE
adjourned Bert    A      -       A   A    A       ACDE
adjourned Carl    D      D       -   -    -       DE
adjourned Dora    C      C       -   -    -       CE
adjourned Emil    -      -       -   A    A       ABCD
second    Anna    E      -       E   B    B       BCDE
second    Bert    A      -       A   A    A       ACDE
second    Carl    D      D       -   -    -       DE
second    Emil    A      -       A   A    A       ABCD
resumed   Anna    B      -       B   B    B       BCDE
resumed   Bert    A      -       A   A    A       ACDE
resumed   Carl    D      D       -   -    -       DE
finished  Anna    B      B       B   B    B       BCDE
finished  Bert    A      A       A   A    A       ACDE
finished  Carl    -      -       -   A    A       ABDE
finished  Emil    -      -       A   A    A       ABCD
";

/// Brings the people from the previous state to this state.
async fn reach(state: &str, people: &mut [Person]) {
    let lines: &[(usize, &str)] = match state {
        "running" => &[
            (0, "match Bert untimed wild16 white"),
            (1, "accept"),
            (2, "observe 1"),
            (3, "observe 1"),
        ],
        "adjourned" => &[(0, "adjourn"), (1, "adjourn")],
        "second" => &[(4, "match Anna untimed wild16 white"), (0, "accept")],
        "resumed" => &[(4, "resign"), (1, "resume 1"), (0, "resume 1")],
        "finished" => &[(1, "resign")],
        other => panic!("no state {other}"),
    };
    for (who, line) in lines {
        people[*who].says(line).await;
    }
}

/// Returns the initials of the people who received the text since the last call. Checks that the
/// speaker, who is person number `but`, did not receive the text.
fn heard(people: &[Person], but: usize) -> String {
    let mut initials = String::new();
    for (at, (person, name)) in people.iter().zip(NAMES).enumerate() {
        let text = person.heard();
        if text.contains(TEXT) {
            assert_ne!(at, but, "the speaker hears an echo: {text}");
            initials.push_str(&name[..1]);
        }
    }
    match initials.is_empty() {
        true => "-".to_owned(),
        false => initials,
    }
}

#[tokio::test(start_paused = true)]
async fn each_text_reaches_exactly_the_listed_people() {
    let test_club = TestClub::new().await;
    let mut people = Vec::new();
    for name in NAMES {
        people.push(test_club.named(name).await);
    }
    let mut rows = CELLS.trim().lines();
    let commands: Vec<&str> = rows
        .next()
        .expect("the table has a head")
        .split_whitespace()
        .collect();
    let mut now = "";
    let mut wrong = Vec::new();
    for row in rows {
        let words: Vec<&str> = row.split_whitespace().collect();
        let [state, speaker, cells @ ..] = &words[..] else {
            panic!("{row}");
        };
        assert_eq!(cells.len(), commands.len(), "{row}");
        if *state != now {
            now = state;
            reach(state, &mut people).await;
        }
        let by = NAMES
            .iter()
            .position(|name| name == speaker)
            .expect("the speaker is one of the people");
        for (command, cell) in commands.iter().zip(cells) {
            let line = match *command {
                "tell" | "message" => {
                    format!("{command} {} {TEXT}", NAMES[usize::from(by == 0)])
                }
                command => format!("{command} {TEXT}"),
            };
            // After this pause, the rate limit no longer counts earlier texts.
            sleep(Duration::from_secs(20)).await;
            people.iter().for_each(|person| drop(person.heard()));
            people[by].sends(format!("{line}\r\n").as_bytes()).await;
            sleep(Duration::from_millis(20)).await;
            let hears = heard(&people, by);
            if hears != *cell {
                wrong.push(format!(
                    "{state}, {speaker}, {command}: {hears}, not {cell}"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A game of Anna and Bert that Carl observes.
async fn observed_game() -> (TestClub, Person, Person, Person) {
    let test_club = TestClub::new().await;
    let (mut anna, mut bert) = (test_club.named("Anna").await, test_club.named("Bert").await);
    let mut carl = test_club.named("Carl").await;
    anna.says("match Bert untimed wild16 white").await;
    bert.says("accept").await;
    carl.says("observe 1").await;
    (test_club, anna, bert, carl)
}

/// Spectators comment on a game. A player of this game does not hear the comments on a second
/// console either.
#[tokio::test(start_paused = true)]
async fn second_console_of_a_player_hears_no_comment() {
    let (test_club, mut anna, mut bert, mut carl) = observed_game().await;
    let mut second = test_club.named("Anna").await;
    for adjourns in [false, true] {
        if adjourns {
            anna.says("adjourn").await;
            bert.says("adjourn").await;
        }
        let told = second.says("observe 1").await;
        assert!(told.contains("You play in that game"), "{told}");
        for person in [&anna, &bert, &second] {
            person.heard();
        }
        let told = carl.says(&format!("kibitz {TEXT}")).await;
        assert!(told.contains("to game 1"), "{told}");
        for person in [&anna, &bert, &second] {
            assert!(!person.heard().contains(TEXT));
        }
    }
}

/// A message is shown once, at the next sign-in. The length of a message and the number of messages
/// of one sender are limited. A message of a censored sender is not shown.
#[tokio::test(start_paused = true)]
async fn only_the_recipient_reads_a_message_and_only_once() {
    let test_club = TestClub::new().await;
    let (mut anna, mut carl) = (test_club.named("Anna").await, test_club.named("Carl").await);
    let mut bert = test_club.named("Bert").await;
    let told = bert.says("censor carl").await;
    assert!(told.contains("Carl is on your censor list."), "{told}");
    bert.says("quit").await;
    let told = anna.says("message bert shall we play tonight").await;
    assert!(told.contains("(left a message for Bert)"), "{told}");
    let told = carl.says("message Bert buy things").await;
    assert!(told.contains("Bert has muted you"), "{told}");
    for (line, part) in [
        ("message Nobody hi", "person with an account"),
        ("message Bert", "Usage: message NAME TEXT"),
        ("message sparring hi", "person with an account"),
    ] {
        sleep(Duration::from_secs(20)).await;
        let told = anna.says(line).await;
        assert!(told.contains(part), "{line}: {told}");
    }
    for n in 2..=6 {
        sleep(Duration::from_secs(20)).await;
        let told = anna.says(&format!("message Bert again {n}")).await;
        let is_too_many = told.contains("many messages wait");
        assert_eq!(is_too_many, n == 6, "{told}");
    }
    // Nobody else reads the message, and Bert reads it once.
    let (mut guest, _) = test_club.guest().await;
    assert!(!guest.says("who").await.contains("tonight"));
    for is_first in [true, false] {
        let mut bert = test_club.connect();
        bert.says("Bert").await;
        let told = bert.says("secret-123").await;
        for part in ["Anna left a message", "shall we play tonight", "again 5"] {
            assert_eq!(told.contains(part), is_first, "{told}");
        }
        assert!(!told.contains("buy things"), "{told}");
        bert.says("quit").await;
    }
}

/// A person who is signed in reads a message at once, and again at the next sign-in.
#[tokio::test(start_paused = true)]
async fn a_message_to_a_signed_in_person_is_kept() {
    let test_club = TestClub::new().await;
    let (mut anna, mut bert) = (test_club.named("Anna").await, test_club.named("Bert").await);
    let told = anna.says("message bert shall we play tonight").await;
    assert!(told.contains("(left a message for Bert)"), "{told}");
    let text = "Anna left a message, ";
    let heard = bert.hears().await;
    assert!(heard.contains(text) && heard.contains("tonight"), "{heard}");
    bert.says("quit").await;
    let mut bert = test_club.connect();
    bert.says("Bert").await;
    let told = bert.says("secret-123").await;
    assert!(told.contains(text) && told.contains("tonight"), "{told}");
    // A guest reads the message at once, because nothing is kept for a guest.
    let (guest, name) = test_club.guest().await;
    sleep(Duration::from_secs(20)).await;
    let told = anna.says(&format!("message {name} hello")).await;
    assert!(told.contains(&format!("(told {name})")), "{told}");
    assert!(guest.hears().await.contains("tells you: hello"));
}

/// A command without its text sends nothing and shows its usage.
#[tokio::test(start_paused = true)]
async fn commands_without_a_text_show_their_usage() {
    let (_test_club, mut anna, bert, mut carl) = observed_game().await;
    for person in [&mut anna, &mut carl] {
        for (typed, usage) in [
            ("kibitz", "Usage: kibitz TEXT"),
            ("kibitz ", "Usage: kibitz TEXT"),
            ("*", "Usage: kibitz TEXT"),
            ("whisper", "Usage: whisper TEXT"),
            ("say", "Usage: say TEXT"),
            (",", "Usage: say TEXT"),
            ("shout", "Usage: shout TEXT"),
            ("tell", "Usage: tell NAME TEXT"),
            ("tell bert", "Usage: tell NAME TEXT"),
            ("message", "Usage: message NAME TEXT"),
            ("message bert ", "Usage: message NAME TEXT"),
        ] {
            bert.heard();
            let told = person.says(typed).await;
            assert!(told.contains(usage), "{typed}: {told}");
            assert_eq!(bert.heard(), "", "{typed}");
        }
    }
}
