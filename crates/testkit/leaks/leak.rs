//! The switch of the planted leaks, and what they share.
//!
//! It is a module of `club` in the copy of the tree that `cargo xtask leaks`
//! makes, and nowhere else. Each leak is silent until a test opens it for its
//! own thread.

use std::{
    cell::{Cell, RefCell},
    cmp::Reverse,
    collections::HashMap,
};

use referee::{Event, Game, Ruling};
use rules::{
    Answer, Attempt, Heard, Reply, Try, Verdict,
    chess::{Board, Color, Role},
};
use store::{Act, Row};

use crate::{Club, GameId, GameRow, SeatView};

thread_local! {
    static OPEN: Cell<Option<&'static str>> = const { Cell::new(None) };
    static COUNTED: Cell<u64> = const { Cell::new(0) };
    static NOTED: RefCell<HashMap<u64, i64>> = RefCell::default();
}

/// Opens one leak on this thread, or none. Resets the count and the notes.
pub fn open(name: Option<&'static str>) {
    OPEN.set(name);
    COUNTED.set(0);
    NOTED.with_borrow_mut(HashMap::clear);
}

/// Whether that leak is open on this thread.
pub fn on(name: &str) -> bool {
    OPEN.get() == Some(name)
}

/// Counts the calls on this thread and returns their number.
pub fn count() -> u64 {
    COUNTED.set(COUNTED.get() + 1);
    COUNTED.get()
}

/// Keeps a number under a key, on this thread.
pub fn note(key: u64, number: i64) {
    NOTED.with_borrow_mut(|noted| noted.insert(key, number));
}

/// The number kept under a key on this thread.
pub fn noted(key: u64) -> Option<i64> {
    NOTED.with_borrow(|noted| noted.get(&key).copied())
}

/// Whether it is a no, to whomever.
pub(crate) fn is_no(heard: &Heard) -> bool {
    matches!(
        heard,
        Heard::Reply(Reply::Verdict {
            verdict: Verdict::No,
            ..
        })
    )
}

/// Returns the number of a seat's tries that are legal in the true position.
pub(crate) fn legal(game: &Game, seat: Color, view: &SeatView) -> usize {
    let moves = |attempt| {
        let ruling = game.judge(seat, attempt);
        ruling.is_ok_and(|ruling| matches!(ruling.event, Event::Moved { .. }))
    };
    let tries = view.view.tries().into_iter();
    tries.filter(|t| moves(Attempt::Try(*t))).count()
}

/// Leaves out the words that would get a plain no.
pub(crate) fn useful_words(rows: &[Row], seat: Color, view: &mut SeatView) {
    let events = rows.iter().filter_map(|row| match &row.act {
        Act::Game(event) => Some(event.clone()),
        Act::Table(_) => None,
    });
    let Ok(game) = Game::replay(&events.collect::<Vec<_>>()) else {
        return;
    };
    let none = |ruling: Ruling| matches!(ruling.answer(), Answer::None);
    if game.judge(seat, Attempt::Any).is_ok_and(none) {
        view.words.retain(|word| *word != "any");
    }
}

/// The games in which something happened of late first.
pub(crate) fn by_activity(list: &mut [GameRow], last: impl Fn(&GameRow) -> Option<i64>) {
    list.sort_by_key(|row| Reverse(last(row)));
}

impl Club {
    /// The moves of a running game since the last that cannot be taken back,
    /// as the men truly stand; for a door's leak.
    pub async fn leaked_half_moves(&self, game: GameId) -> u32 {
        let rows = self.0.store.rows(game, 0).await.unwrap_or_default();
        let (mut board, mut count) = (Board::empty(), 0);
        for row in &rows {
            match &row.act {
                Act::Game(Event::Opened(opened)) => {
                    let fen = opened.start.fen();
                    let men = fen.split(' ').next().and_then(|men| men.parse().ok());
                    board = men.unwrap_or(board);
                }
                Act::Game(Event::Moved { what, .. }) => {
                    count = if stands_for_ever(&mut board, *what) {
                        0
                    } else {
                        count + 1
                    };
                }
                Act::Game(_) | Act::Table(_) => {}
            }
        }
        count
    }
}

/// Plays a move; whether it cannot be taken back.
fn stands_for_ever(board: &mut Board, what: Try) -> bool {
    let taken = board.remove_piece_at(what.to());
    let man = what.from().and_then(|from| board.remove_piece_at(from));
    if let Some(man) = man {
        board.set_piece_at(what.to(), man);
    }
    taken.is_some() || man.is_none_or(|man| man.role == Role::Pawn)
}
