//! PGN with tries: a format for complete games that every chess program can read.
//!
//! A game is written in one of two views. In the umpire's view, the main line is legal, and there
//! is no Variant tag (except `Crazyhouse` if captured men can be dropped). Each move is followed by
//! the remark `{(<announcements>:<refused tries>)}`, see [`Remark`]. A second comment has
//! `[%clk h:mm:ss]` if the clock is known, and one `[%ks ...]` command. This command holds events
//! of the log in the compact form of [`Event`], separated by `; `. The events of all `[%ks]`
//! commands, in order, are the whole log. The log is read back without loss, also with a custom
//! ruleset.
//!
//! A player's view has `[Variant "Kriegspiel"]`, `??` for every move of the
//! opponent, and only what the player heard.
//!
//! [`PgnReader`] reads both views, plain games, and the archives of other programs. Such archives
//! can have older remarks, ICC headers, and hidden moves written `?` and `?xd5`. The reader keeps
//! only one game in memory. It splits the text into games before it reads them. A damaged game is reported with line and column, and
//! skipped. docs/pgn.md describes the format with an example.
//!
//! ```
//! use scores::PgnReader;
//!
//! let text = "[Event \"Archive\"]\n\n1. e4 d5 {(P1:)} 2. exd5 {(Xd5:f5)} *\n\n[Event \"Cut\"]\n\n1. e4 {(P";
//! let mut reader = PgnReader::new(text.as_bytes());
//! let game = reader.next().expect("there is a game")??;
//! assert_eq!(game.plies.len(), 3);
//! assert_eq!(game.plies[2].note.remark.as_ref().map(|r| r.refused.len()), Some(1));
//!
//! let damaged = reader.next().expect("there is a second game")?.expect_err("the second game is cut off");
//! assert_eq!(damaged.to_string(), "line 7, column 7: a comment begins with {, but does not end with }");
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
    fault::{Damaged, MAX_GAME, PgnFault},
    remark::{Remark, RemarkedCheck},
    san::{SanFault, read_own_san, read_san, write_own_san, write_san},
    stream::PgnReader,
    write::{write_player_file, write_player_view, write_umpire_view},
};

pub(crate) use self::{
    head::named_rules,
    san::{castling_side, castling_text},
    write::{
        AT_THE_END, EndText, ROSTER, UMPIRE_VIEW, is_public, tag, termination, variant,
        write_player, write_umpire,
    },
};

/// A tag of a game: `[Name "value"]`.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Tag {
    /// Name of the tag.
    pub name: String,
    /// Value of the tag.
    pub value: String,
}

/// All tags of a game, in order.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub struct Tags(pub Vec<Tag>);

impl Tags {
    /// Returns the value of the first tag with this name.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0
            .iter()
            .find(|tag| tag.name == name)
            .map(|tag| tag.value.as_str())
    }

    /// Sets the value of a tag. A new tag is added at the end.
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
    /// A move that is shown.
    Move(Try),
    /// A hidden move, written `?` or `??`.
    Unseen,
    /// A hidden move that captured; the square, if it is given.
    UnseenCapture(Option<Square>),
}

/// Content of the comments after a move, or before the first move.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Note {
    /// Remark on announcements and refused tries.
    pub remark: Option<Remark>,
    /// Time left on the mover's clock after the move.
    pub clock: Option<Duration>,
    /// Events of the `[%ks]` commands.
    pub events: Vec<Event>,
    /// The rest of the comments, in words.
    pub text: String,
}

/// What the text of a move says beside the move itself.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub struct Signs {
    /// A capture, `x`.
    pub captures: bool,
    /// A check, `+`.
    pub check: bool,
    /// A mate, `#`.
    pub mate: bool,
}

/// A move and its comments.
#[derive(Clone, PartialEq, Debug)]
pub struct Ply {
    /// Line of the file, from 1.
    pub line: u64,
    /// The player who moved.
    pub by: Color,
    /// The move, or the information that the move is hidden.
    pub shown: Shown,
    /// Signs in the text of the move.
    pub signs: Signs,
    /// Content of the comments after the move.
    pub note: Note,
}

/// Start of a game. The writer of the file may know only the men of one side.
#[derive(Clone, PartialEq, Debug)]
pub enum Begun {
    /// The true position.
    From(StartPosition),
    /// The men of one side, if the writer knows only these.
    Own(Box<Own>),
}

/// A game in PGN. If no move is hidden, every move is legal. If moves of one side are hidden, every
/// shown move is imaginable from the mover's own men.
#[derive(Clone, PartialEq, Debug)]
pub struct PgnGame {
    /// Line of the file on which the game begins, from 1.
    pub line: u64,
    /// Tags of the game.
    pub tags: Tags,
    /// Start of the game.
    pub begun: Begun,
    /// Opening event, if a `[%ks]` command holds one.
    pub opened: Option<Box<Opened>>,
    /// Content of the comments before the first move.
    pub before: Note,
    /// The moves.
    pub plies: Vec<Ply>,
    /// Result at the end of the moves, if given.
    pub result: Option<Winner>,
}

impl PgnGame {
    /// Returns the events of all `[%ks]` commands, in order. If the first event is
    /// [`Event::Opened`], these events are the whole log.
    pub fn events(&self) -> impl Iterator<Item = &Event> {
        let notes = std::iter::once(&self.before).chain(self.plies.iter().map(|ply| &ply.note));
        notes.flat_map(|note| &note.events)
    }

    /// Removes everything that says how the game ended.
    #[must_use]
    pub(crate) fn unfinished(mut self) -> PgnGame {
        let is_end = |tag: &Tag| matches!(&*tag.name, "Result" | "ICCResult" | "Termination");
        self.tags.0.retain(|tag| !is_end(tag));
        self.result = None;
        self
    }

    /// Returns the log, if the `[%ks]` commands contain the whole log.
    pub fn log(&self) -> Option<Vec<Event>> {
        self.opened.as_ref()?;
        Some(self.events().cloned().collect())
    }
}
