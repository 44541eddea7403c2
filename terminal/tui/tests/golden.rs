//! Compares screens with stored screens. A story is a file that contains what the
//! club says, what the player does, and the expected screens. `cargo xtask bless`
//! rewrites the screens.
//!
//! A story begins with a header (`size`, `rules`, `seat`, `two`, `theme`, `ascii`,
//! `lobby`), which ends at an empty line. The events come next, one in each line.
//! The line `screen` is followed by the rows of the expected screen, each after a
//! `|`. The line `sent` is followed by the requests to the club since the previous
//! `sent`, each after a `<`.
#![allow(
    clippy::unwrap_used,
    reason = "a story that cannot be run fails the test"
)]

mod sitting;

use std::{
    fs,
    path::{Path, PathBuf},
};

use sitting::Sitting;
use tui::Guessed;

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    files
}

fn split(line: &str) -> (String, String) {
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    (word.to_owned(), rest.to_owned())
}

/// Runs a story. Returns the story with the current screens and requests.
fn replay_story(story: &str) -> String {
    let mut lines = story.lines();
    let mut head = Vec::new();
    let mut text = String::new();
    for line in lines.by_ref() {
        text.push_str(line);
        text.push('\n');
        if line.is_empty() {
            break;
        }
        if !line.starts_with('#') {
            head.push(split(line));
        }
    }
    let mut sitting = Sitting::new(&head);
    for line in lines.filter(|line| !line.starts_with(['|', '<'])) {
        text.push_str(line);
        text.push('\n');
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (word, rest) = split(line);
        let (mark, rows) = match word.as_str() {
            "screen" => ("|", sitting.screen()),
            "sent" => ("<", sitting.sent()),
            _ => {
                sitting.obey(&word, &rest);
                continue;
            }
        };
        for row in rows {
            text.push_str(mark);
            text.push_str(&row);
            text.push('\n');
        }
    }
    text
}

#[test]
fn screens_equal_the_stored_screens() {
    let bless = std::env::var_os("KRIEGSPIEL_BLESS").is_some();
    let mut differing = Vec::new();
    for path in files() {
        let golden = fs::read_to_string(&path).unwrap();
        let replayed = replay_story(&golden);
        if golden != replayed {
            if bless {
                fs::write(&path, &replayed).unwrap();
            } else {
                println!("--- {}\n{replayed}", path.display());
                differing.push(path);
            }
        }
    }
    assert!(
        differing.is_empty(),
        "{differing:?} differ; if the screens printed above are right, run `cargo xtask bless`"
    );
}

/// Returns the rows of a `screen` of a story. The first screen has the number 0.
fn screen(story: &str, n: usize) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden")
        .join(story);
    let text = fs::read_to_string(path).unwrap();
    let part = text.split("\nscreen\n").nth(n + 1).unwrap();
    let rows: Vec<&str> = part
        .lines()
        .take_while(|line| line.starts_with('|'))
        .collect();
    rows.join("\n")
}

#[test]
fn hand_over_screens_show_nothing_of_the_game() {
    // The screen between the turns depends on the next player's name, and on nothing
    // that the players heard.
    let after_e4 = screen("hand-over.txt", 2);
    let after_d5 = screen("hand-over.txt", 4);
    assert!(after_e4.contains("It is Black's turn."));
    assert_eq!(
        after_e4.replace("Black", "White"),
        after_d5,
        "the two hand-over screens must differ only in the name of the next player"
    );
    for sign in ["e2", "e4", "d5", "♙", "♟", "♔", "♚", "moved", "play"] {
        assert!(!after_e4.contains(sign), "{sign}");
    }
}

#[test]
fn guesses_are_in_no_message() {
    let head = [("seat".to_owned(), "white".to_owned())];
    let sent = |guesses: bool| {
        let mut sitting = Sitting::new(&head);
        sitting.obey("begin", "");
        if guesses {
            sitting.obey("right", "e5");
            sitting.obey("key", "q");
            sitting.obey("key", "Up Up Control-P n");
            sitting.obey("type", "guess bd6");
        }
        sitting.obey("type", "e4");
        let shown = sitting.screen().join("\n");
        assert_eq!(
            shown.contains('?') && shown.contains("3 guessed"),
            guesses,
            "{shown}"
        );
        if guesses {
            sitting.obey("type", "clear");
        }
        sitting.obey("type", "d4");
        sitting.sent()
    };
    assert_eq!(sent(true), sent(false));
}

/// The club's database may have recorded a try although the club answers `unavailable`.
#[test]
fn unconfirmed_try_is_repeated_with_the_same_id() {
    let mut sitting = Sitting::new(&head("white"));
    sitting.obey("begin", "");
    let mut ids = Vec::new();
    let mut attempt = |sitting: &mut Sitting, text: &str| {
        let _earlier = sitting.sent();
        sitting.obey("type", text);
        let sent = sitting.sent().join("\n");
        let (_, id) = sent.split_once(r#""id":""#).unwrap();
        let (id, _) = id.split_once('"').unwrap();
        ids.push(id.to_owned());
        let why = "The club's database does not answer.";
        let refused =
            format!(r#"{{"type":"refused","id":"{id}","code":"unavailable","why":"{why}"}}"#);
        sitting.obey("says", &refused);
        assert!(
            sitting
                .screen()
                .join("\n")
                .contains("Try again in a moment.")
        );
    };
    for text in ["e2e4", "d2d4", "e2e4"] {
        attempt(&mut sitting, text);
    }
    sitting.obey("hear", r#"[{"kind":"no","by":"white","attempt":"e2e4"}]"#);
    attempt(&mut sitting, "e2e4");
    assert_eq!(ids, ["t-1", "t-2", "t-1", "t-4"]);
}

/// Issue 39: a move that fits no try goes to the referee only after a second Enter.
#[test]
fn slip_is_asked_back_until_a_second_enter() {
    let refused = |id: &str, reason: &str| {
        format!(
            r#"{{"type":"refused","id":"{id}","code":"not-possible","reason":"{reason}","why":"-"}}"#
        )
    };
    let tried = |id: &str, ask: &str| {
        format!(r#"0 {{"type":"try","id":"{id}","game":"g1","after":1,"text":"Bc5"{ask}}}"#)
    };
    for (key, second) in [
        ("Enter", Some("")),
        ("Up Enter", None),
        ("B c 5 Enter", Some("")),
    ] {
        let mut sitting = Sitting::new(&head("white"));
        sitting.obey("begin", "");
        sitting.obey("type", "Bc5");
        assert!(sitting.sent().contains(&tried("t-1", r#","ask":true"#)));
        sitting.obey("says", &refused("t-1", "impossible"));
        assert!(sitting.screen().join(" ").contains("`Bc5` fits no try"));
        sitting.obey("key", key);
        let expected: Vec<String> = second.map(|ask| tried("t-2", ask)).into_iter().collect();
        assert_eq!(sitting.sent(), expected, "{key}");
    }
    let mut sitting = Sitting::new(&head("white"));
    sitting.obey("begin", "");
    sitting.obey("type", "leave");
    sitting.obey("says", &refused("t-1", "not-notation"));
    assert!(
        sitting
            .screen()
            .join(" ")
            .contains("`leave` is neither a move nor a command")
    );
}

#[test]
fn refused_drop_is_marked_only_for_men_of_its_kind() {
    let rules = ("rules".to_owned(), "crazykrieg".to_owned());
    let mut sitting = Sitting::new(&[rules]);
    sitting.obey("begin", "later");
    let start = r#"[{"kind":"start","rules":"crazykrieg","men":"8/8/8/8/8/8/PPPPPPPP/RNBQKBNR","castling":"KQ","reserves":{"white":"NPP","black":"Q"}}]"#;
    sitting.obey("hear", start);
    sitting.obey("hear", r#"[{"kind":"no","by":"white","attempt":"N@e5"}]"#);
    let mut marks = |key: &str| {
        sitting.obey("key", key);
        let rows = sitting.screen();
        let board = rows[1..18].iter().flat_map(|row| row.chars().take(36));
        let board: String = board.collect();
        (board.matches('x').count(), board.matches('.').count())
    };
    let (knight, pawn) = (marks("Tab"), marks("Tab"));
    assert_eq!((knight.0, pawn.0), (1, 0), "marks of refused drops");
    assert_eq!((knight.1, pawn.1), (47, 40), "marks of possible drops");
}

fn head(seat: &str) -> [(String, String); 1] {
    [("seat".to_owned(), seat.to_owned())]
}

#[test]
fn guesses_are_restored_per_seat_and_end_with_the_game() {
    let mut sitting = Sitting::new(&head("white"));
    sitting.obey("begin", "");
    assert_eq!(sitting.app.take_guessed(), []);
    sitting.obey("right", "e5");
    sitting.obey("key", "q");
    let kept = sitting.app.take_guessed();
    let shown = |guessed: &[Guessed]| {
        let one = guessed.iter();
        one.map(|g| format!("{} {:?} {}", g.game, g.seat, g.men))
            .collect::<Vec<_>>()
    };
    assert_eq!(shown(&kept), ["g1 White qe5"]);
    assert_eq!(
        sitting.app.take_guessed(),
        [],
        "the changed guesses are returned only once"
    );

    // The other seat in the same game, used by the same person on the same machine.
    let mut other = Sitting::with(&head("black"), kept.clone());
    other.obey("begin", "");
    assert!(!other.screen().join("\n").contains("guessed"));

    let mut again = Sitting::with(&head("white"), kept.clone());
    again.obey("begin", "");
    assert!(again.screen().join("\n").contains("1 guessed"));
    assert_eq!(
        again.app.take_guessed(),
        [],
        "unchanged guesses must not be returned"
    );
    let over =
        r#"{"status":"over","over":{"result":"1-0","reason":"time"},"over_words":"It is over."}"#;
    again.obey("facts", over);
    assert_eq!(shown(&again.app.take_guessed()), ["g1 White "]);

    // A game that ended while the program was not running.
    let mut late = Sitting::with(&head("white"), kept);
    late.obey("says", r#"{"type":"lobby","lobby":{"seeks":[],"challenges":[],"mine":[],"running":[],"programs":[]}}"#);
    assert_eq!(shown(&late.app.take_guessed()), ["g1 White "]);
}

#[test]
fn requests_made_while_disconnected_are_sent_once() {
    let mut sitting = Sitting::new(&head("white"));
    sitting.obey("begin", "");
    sitting.sent();
    sitting.obey("away", "The connection was lost.");
    sitting.obey("type", "adjourn");
    // The screen hands the request to the client once. The client sends the request
    // when there is a connection, and repeats it until there is an answer.
    let asked = [r#"0 {"type":"act","id":"t-1","game":"g1","act":"adjourn"}"#];
    assert_eq!(sitting.sent(), asked);
    let screen = sitting.screen().join("\n");
    assert!(screen.contains("sent to the club as soon as"), "{screen}");
    assert!(screen.contains("NO CONNECTION"), "{screen}");
    sitting.obey("connected", "");
    sitting.obey("type", "adjourn");
    assert_eq!(sitting.sent(), [""; 0], "the same request is in flight");
    sitting.obey("answer", "t-1 done Offered.");
    sitting.obey("away", "The connection was lost.");
    sitting.obey("connected", "");
    assert_eq!(sitting.sent(), [""; 0]);
    sitting.obey("type", "adjourn");
    assert_eq!(sitting.sent().len(), 1, "a new request is sent");
}
