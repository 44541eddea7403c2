//! Tests of the viewer's screen with the beliefs of the players of a finished
//! game.
#![allow(
    clippy::unwrap_used,
    reason = "a screen that cannot be drawn fails the test"
)]

use ratatui::{Terminal, backend::TestBackend};
use tui::{App, ClubMessage, ClubRequest, MenStyle, Review, Start, Theme};
use wire::{HeatJson, MomentJson, RegimeJson, Side, StepJson};

/// Returns the viewer of a game with two steps: the opening, which both players
/// heard, and a step that only White heard.
fn app() -> App {
    let steps = r#"[
        {"by": null, "attempt": "new", "answer": "new", "white": ["a"], "black": ["a"], "room": [],
         "fen": "4k3/8/8/8/8/8/8/4K3 w - - 0 1"},
        {"by": "white", "attempt": "e1e3", "answer": "no", "white": ["No: e1e3."], "black": [],
         "room": [], "fen": "4k3/8/8/8/8/8/8/4K3 w - - 0 1"}
    ]"#;
    let steps: Vec<StepJson> = serde_json::from_str(steps).unwrap();
    let names = ["anna", "bert", "wild16", "Over."].map(str::to_owned);
    let [white, black, rules, end] = names;
    let start = Start {
        theme: Theme::Mono,
        men: MenStyle::Ascii,
        ..Start::default()
    };
    App::view(
        Review::new(white, black, rules, end, steps).with_beliefs(),
        start,
    )
}

fn screen(app: &App, width: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, 24)).unwrap();
    terminal.draw(|frame| app.draw(frame)).unwrap();
    terminal.backend().to_string()
}

fn moment(positions: u64, square: &str, percent: u8) -> ClubMessage {
    let mut heat = HeatJson::default();
    heat.king.insert(square.to_owned(), percent);
    heat.any.insert(square.to_owned(), percent);
    let moment = MomentJson {
        step: 0,
        moves: 0,
        positions: Some(positions),
        regime: RegimeJson::Exact,
        heat,
        certain: Vec::new(),
        facts: vec![format!("The king is on {square}.")],
        mate: None,
        missed: None,
    };
    let side = Side::White;
    ClubMessage::Moment {
        side,
        moment: Box::new(moment),
    }
}

#[test]
fn screen_shows_each_moment_after_its_message() {
    let mut app = app();
    app.key("b");
    assert_eq!(app.take_asks(), [(0, ClubRequest::Belief(Side::White))]);
    let waits = screen(&app, 80);
    assert!(waits.contains("being computed..."), "{waits}");
    // Before the belief is computed, the screen has no list of the facts that are certain.
    assert!(!waits.contains("Certain:"), "{waits}");
    app.take_message(0, moment(1, "e8", 100));
    app.take_message(0, moment(1500, "d8", 57));
    let first = screen(&app, 80);
    for words in [
        "White could know: 1 position",
        "The king is on e8.",
        "Black: all men, %",
        "100",
        "from 1 to 10^4",
    ] {
        assert!(first.contains(words), "{words}: {first}");
    }
    app.key("Right");
    let second = screen(&app, 80);
    for words in [
        "White says e1e3: no",
        "1,500 positions",
        "The king is on d8.",
        "57",
    ] {
        assert!(second.contains(words), "{words}: {second}");
    }
    // Black's queens can be on no square, so the map is empty.
    app.key("h");
    app.key("h");
    let queens = screen(&app, 80);
    assert!(queens.contains("Black: queens, %"), "{queens}");
    assert!(!queens.contains("57"), "{queens}");
    // All widths show the same number.
    for width in [60, 80, 120] {
        let narrow = screen(&app, width);
        assert!(narrow.contains("1,500"), "{width}: {narrow}");
    }
}

#[test]
fn belief_is_requested_once_and_its_failure_is_shown() {
    let mut app = app();
    app.key("b");
    app.key("b");
    let asks = app.take_asks();
    assert_eq!(asks.last(), Some(&(0, ClubRequest::Belief(Side::Black))));
    let why = "nothing agrees".to_owned();
    app.take_message(
        0,
        ClubMessage::MomentsEnd {
            side: Side::Black,
            why,
        },
    );
    let ended = screen(&app, 100);
    assert!(ended.contains("not known: nothing agrees"), "{ended}");
    app.key("b");
    assert!(screen(&app, 120).contains("The umpire's board"));
    app.key("b");
    assert_eq!(app.take_asks(), []);
}

#[test]
fn a_review_without_beliefs_requests_none() {
    let mut app = App::view(
        Review::new(
            "a".into(),
            "b".into(),
            "ks".into(),
            "Over.".into(),
            Vec::new(),
        ),
        Start::default(),
    );
    app.key("b");
    app.key("h");
    assert_eq!(app.take_asks(), []);
}
