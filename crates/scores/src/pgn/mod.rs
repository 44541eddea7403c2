//! PGN with tries: the form in which the umpire keeps a game that every chess
//! program can read.
//!
//! The umpire's view has a legal main line and no Variant tag (but
//! `Crazyhouse` where men can be dropped). After each move stands the remark
//! `{(<announcements>:<refused tries>)}`, see [`Remark`], and in a comment of
//! its own `[%clk h:mm:ss]` where the clock is known and one `[%ks ...]`
//! command with the events of the log, in [`Event`]'s compact form, separated
//! by `; `. The events of all `[%ks]` commands in a row are the whole log:
//! they read back without loss, custom rulesets too.
//!
//! A player's view has `[Variant "Kriegspiel"]`, `??` for every move of the
//! other side, and only what the player heard.
//!
//! [`PgnReader`] reads these, the archives of other programs (older remarks,
//! ICC headers, hidden moves written `?` and `?xd5`) and plain games, a game
//! at a time and in constant memory; a damaged game is reported by line and
//! column and skipped. docs/pgn.md describes the form with an example.
//!
//! ```
//! use scores::PgnReader;
//!
//! let text = "[Event \"Archive\"]\n\n1. e4 d5 {(P1:)} 2. exd5 {(Xd5:f5)} *\n\n[Event \"Cut\"]\n\n1. e4 {(P";
//! let mut reader = PgnReader::new(text.as_bytes());
//! let game = reader.next().expect("a game")??;
//! assert_eq!(game.plies.len(), 3);
//! assert_eq!(game.plies[2].note.remark.as_ref().map(|r| r.refused.len()), Some(1));
//!
//! let damaged = reader.next().expect("another")?.expect_err("it is cut off");
//! assert_eq!(damaged.to_string(), "line 7, column 7: a comment is opened with { and not closed with }");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cursor;
mod fault;
mod head;
mod note;
mod parse;
mod remark;
mod san;
mod stream;
mod write;

use std::time::Duration;

use referee::{Event, Opened, StartPosition};
use rules::{
    Own, Try, Winner,
    chess::{Color, Square},
};

pub use self::{
    fault::{Damaged, LONGEST_GAME, PgnFault},
    remark::{Remark, RemarkedCheck},
    san::{SanFault, read_own_san, read_san, write_own_san, write_san},
    stream::PgnReader,
    write::{write_player_view, write_umpire_view},
};

pub(crate) use self::{
    san::{castling_side, castling_text},
    write::{ROSTER, tag},
};

/// A line of a game's head: `[Name "value"]`.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Tag {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
}

/// A game's head, in order.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub struct Tags(pub Vec<Tag>);

impl Tags {
    /// The value of the first tag of that name.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0
            .iter()
            .find(|tag| tag.name == name)
            .map(|tag| tag.value.as_str())
    }

    /// Sets a tag, in its place if it is there, else as the last.
    pub fn set(&mut self, name: &str, value: &str) {
        match self.0.iter_mut().find(|tag| tag.name == name) {
            Some(tag) => value.clone_into(&mut tag.value),
            None => self.0.push(Tag {
                name: name.to_owned(),
                value: value.to_owned(),
            }),
        }
    }
}

/// A move as a PGN shows it.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Shown {
    /// The move.
    Move(Try),
    /// A move that the writer did not see.
    Unseen,
    /// Capture that the player did not see, and its square, if it is told.
    UnseenCapture(Option<Square>),
}

/// Content of the comments behind a move, or before the first one.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Note {
    /// The remark on announcements and refused tries.
    pub remark: Option<Remark>,
    /// The mover's clock after the move.
    pub clock: Option<Duration>,
    /// The events of `[%ks]` commands.
    pub events: Vec<Event>,
    /// Everything else, in words.
    pub text: String,
}

/// A move and what is noted behind it.
#[derive(Clone, PartialEq, Debug)]
pub struct Ply {
    /// The line of the file on which it stands.
    pub line: u64,
    /// The player who moved.
    pub by: Color,
    /// The move.
    pub shown: Shown,
    /// The comments behind it.
    pub note: Note,
}

/// Start of a game, as far as the writer knows.
#[derive(Clone, PartialEq, Debug)]
pub enum Begun {
    /// The true position.
    From(StartPosition),
    /// One side's men, where the writer knows no others.
    Own(Box<Own>),
}

/// A game as a PGN holds it. Every move that is shown is legal, or, where the
/// other side's moves are hidden, imaginable from the shown men.
#[derive(Clone, PartialEq, Debug)]
pub struct PgnGame {
    /// The line of the file on which it begins.
    pub line: u64,
    /// Its head.
    pub tags: Tags,
    /// Its beginning.
    pub begun: Begun,
    /// The opening, if a `[%ks]` command holds it.
    pub opened: Option<Box<Opened>>,
    /// Notes before the first move.
    pub before: Note,
    /// The moves.
    pub plies: Vec<Ply>,
    /// The result at the end, if there is one.
    pub result: Option<Winner>,
}

impl PgnGame {
    /// The events of all `[%ks]` commands in a row: the whole log, if it
    /// begins with [`Event::Opened`].
    pub fn events(&self) -> impl Iterator<Item = &Event> {
        let notes = std::iter::once(&self.before).chain(self.plies.iter().map(|ply| &ply.note));
        notes.flat_map(|note| &note.events)
    }

    /// The log, where the `[%ks]` commands hold it.
    pub fn log(&self) -> Option<Vec<Event>> {
        self.opened.as_ref()?;
        Some(self.events().cloned().collect())
    }
}
