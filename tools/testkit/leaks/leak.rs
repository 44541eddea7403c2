//! Switches the planted leaks on and off, and contains the code that they
//! share.
//!
//! In the copy of the source tree that `cargo xtask leaks` makes, this file is a module of `club`.
//! The file is not part of the product. A leak has no effect until a test switches it on for the
//! test's own thread.

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

/// Switches one leak on for this thread, or all leaks off. Clears the counter
/// and the stored numbers.
pub fn open(name: Option<&'static str>) {
    OPEN.set(name);
    COUNTED.set(0);
    NOTED.with_borrow_mut(HashMap::clear);
}

/// Whether the leak with this name is switched on for this thread.
pub fn on(name: &str) -> bool {
    OPEN.get() == Some(name)
}

/// Adds 1 to the counter of this thread, and returns the new count.
pub fn count() -> u64 {
    COUNTED.set(COUNTED.get() + 1);
    COUNTED.get()
}

/// Stores a number under a key, for this thread.
pub fn note(key: u64, number: i64) {
    NOTED.with_borrow_mut(|noted| noted.insert(key, number));
}

/// Returns the number stored under a key, for this thread.
pub fn noted(key: u64) -> Option<i64> {
    NOTED.with_borrow(|noted| noted.get(&key).copied())
}

/// Whether the listener heard the answer "no".
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

/// Removes `any` from the words of a view if the answer would be "no". This is a leak, because the
/// listener could see that the word is missing.
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

/// Sorts the games so that the game with the latest activity comes first.
pub(crate) fn by_activity(list: &mut [GameRow], last: impl Fn(&GameRow) -> Option<i64>) {
    list.sort_by_key(|row| Reverse(last(row)));
}

impl Club {
    /// Returns the number of half-moves since the last capture, pawn move or
    /// drop in the true game. One of the planted leaks reveals this number at a door.
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

/// Plays a move. Returns whether the move cannot be undone, because it is a
/// capture, a pawn move or a drop.
fn stands_for_ever(board: &mut Board, what: Try) -> bool {
    let taken = board.remove_piece_at(what.to());
    let man = what.from().and_then(|from| board.remove_piece_at(from));
    if let Some(man) = man {
        board.set_piece_at(what.to(), man);
    }
    taken.is_some() || man.is_none_or(|man| man.role == Role::Pawn)
}
