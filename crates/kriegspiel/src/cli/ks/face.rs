//! Input and output of a player at the terminal: plain lines, or a full screen.

use std::io;

use doors::ks::{Player, Reaction};

use super::{plain::Plain, screen::Screen};

/// Input of the person at the terminal.
#[derive(Clone, Eq, PartialEq, Debug)]
pub(super) enum Typed {
    /// A line of text.
    Line(String),
    /// The whole screen must be drawn again.
    Redraw,
    /// End of the input.
    End,
}

/// Input and output at the terminal.
pub(super) enum Face {
    /// Plain lines.
    Plain(Plain),
    /// Full screen.
    Screen(Box<Screen>),
}

impl Face {
    /// Opens the terminal: with plain lines if `dumb`, otherwise with a full
    /// screen.
    pub(super) fn open(dumb: bool) -> io::Result<Face> {
        if dumb {
            return Ok(Face::Plain(Plain::open()));
        }
        Ok(Face::Screen(Box::new(Screen::open()?)))
    }

    /// Waits for the next input. Cancel safe.
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

    /// Shows the result of a typed line or a message.
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

    /// Draws everything again.
    pub(super) fn redraw(&mut self, player: &Player) -> io::Result<()> {
        match self {
            Face::Plain(plain) => plain.board(player),
            Face::Screen(screen) => screen.draw(player, true),
        }
    }
}
