//! Input and output of a player: plain lines, or a full screen.

use std::io;

use doors::ks::{Player, Reaction};

use super::{plain::Plain, screen::Screen};

/// Input of the person at the terminal.
#[derive(Clone, Eq, PartialEq, Debug)]
pub(super) enum Typed {
    /// A line.
    Line(String),
    /// The screen is to be drawn anew.
    Redraw,
    /// The end of the input.
    End,
}

/// Output device.
pub(super) enum Face {
    /// Lines.
    Plain(Plain),
    /// A screen.
    Screen(Box<Screen>),
}

impl Face {
    /// Opens it.
    pub(super) fn open(dumb: bool) -> io::Result<Face> {
        if dumb {
            return Ok(Face::Plain(Plain::open()));
        }
        Ok(Face::Screen(Box::new(Screen::open()?)))
    }

    /// The next thing typed. It may be dropped and called again.
    pub(super) async fn next(&mut self) -> Typed {
        match self {
            Face::Plain(plain) => plain.next().await,
            Face::Screen(screen) => screen.next().await,
        }
    }

    /// Shows a line.
    pub(super) fn show(&mut self, line: &str) -> io::Result<()> {
        match self {
            Face::Plain(plain) => plain.show(line),
            Face::Screen(screen) => {
                screen.show(line);
                Ok(())
            }
        }
    }

    /// Shows what came of something.
    pub(super) fn react(&mut self, reaction: &Reaction, player: &Player) -> io::Result<()> {
        for line in &reaction.shows {
            self.show(line)?;
        }
        match self {
            Face::Plain(plain) if reaction.board => plain.board(player),
            Face::Plain(_) => Ok(()),
            Face::Screen(screen) => screen.draw(player, reaction.board),
        }
    }

    /// Shows everything anew.
    pub(super) fn redraw(&mut self, player: &Player) -> io::Result<()> {
        match self {
            Face::Plain(plain) => plain.board(player),
            Face::Screen(screen) => screen.draw(player, true),
        }
    }
}
