//! Checks that `Seat::end_event` is called only for events about which the seat hears something.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod common;

use arena::{Buffers, PlaySettings, Seat, SeatAnswer, play_game};
use bots::Budget;
use rules::{Heard, Try, rulesets::WILD16};
use views::PlayerView;

/// Plays the given attempts, and counts the calls of `hear` and `end_event`.
struct Counting {
    words: std::vec::IntoIter<&'static str>,
    heard: u32,
    events: u32,
    turns: u32,
    /// Whether `hear` was called after the last `end_event`.
    pending: bool,
}

impl Counting {
    fn new(words: Vec<&'static str>) -> Counting {
        Counting {
            words: words.into_iter(),
            heard: 0,
            events: 0,
            turns: 0,
            pending: false,
        }
    }
}

impl Seat for Counting {
    fn hear(&mut self, _: &Heard) {
        self.heard += 1;
        self.pending = true;
    }

    fn end_event(&mut self) {
        assert!(self.pending, "`end_event` without `hear` before it");
        self.pending = false;
        self.events += 1;
    }

    fn begin_turn(&mut self, _: Budget) {
        assert!(!self.pending, "a turn must begin only after `end_event`");
        self.turns += 1;
    }

    fn answer(&mut self, _: &PlayerView, _: &[Try]) -> SeatAnswer {
        let word = self.words.next().unwrap_or("resign");
        SeatAnswer::Attempt(word.parse().unwrap())
    }
}

#[test]
fn end_event_is_called_only_if_the_seat_heard_something() {
    let opening = common::run(&WILD16).opening;
    let play = |noes: &[&'static str]| {
        let mut white = Counting::new(vec!["e2e4"]);
        let mut black = Counting::new([noes, &["e7e5"]].concat());
        let mut buffers = Buffers::default();
        let played = play_game(
            &opening,
            &PlaySettings::default(),
            &mut white,
            &mut black,
            &mut (),
            &mut buffers,
        );
        assert!(played.over.is_some());
        // White has two turns: a move and the resignation. Black has one turn, because a refused
        // try does not begin another turn.
        assert_eq!((white.turns, black.turns), (2, 1));
        (white.heard, white.events, black.events)
    };
    // The four events are the start, two moves and the end.
    let (heard, events, black) = play(&[]);
    assert_eq!((events, black), (4, 4));
    let noes = ["e7d6", "e7f6", "d7e6", "d7c6", "c7b6"];
    assert_eq!(play(&noes), (heard, 4, 9));
}
