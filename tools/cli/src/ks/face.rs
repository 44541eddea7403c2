//! Input and output of a player: plain lines, a full screen, or a window.

use std::io;

use doors::ks::{Player, Reaction};

use super::{plain::Plain, screen::Screen, setup::FaceKind, typed::Typed, window::Window};

/// Input and output of the player.
pub(super) enum Face {
    /// Plain lines.
    Plain(Plain),
    /// Full screen.
    Screen(Box<Screen>),
    /// A page in a browser.
    Window(Box<Window>),
}

impl Face {
    /// Opens the terminal or the window.
    pub(super) async fn open(kind: FaceKind) -> io::Result<Face> {
        Ok(match kind {
            FaceKind::Plain => Face::Plain(Plain::open()),
            FaceKind::Screen => Face::Screen(Box::new(Screen::open()?)),
            FaceKind::Window => Face::Window(Box::new(Window::open().await?)),
        })
    }

    /// Restores the terminal, or tells the page that the program ends.
    pub(super) async fn close(self) {
        match self {
            Face::Plain(plain) => drop(plain),
            Face::Screen(screen) => drop(screen),
            Face::Window(window) => window.close().await,
        }
    }

    /// Waits for the next input. Cancel safe.
    pub(super) async fn next(&mut self) -> Typed {
        match self {
            Face::Plain(plain) => plain.next().await,
            Face::Screen(screen) => screen.next().await,
            Face::Window(window) => window.next().await,
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
            Face::Window(window) => window.show(line),
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
            Face::Window(window) => {
                window.draw(player);
                Ok(())
            }
        }
    }

    /// Draws everything again.
    pub(super) fn redraw(&mut self, player: &Player) -> io::Result<()> {
        match self {
            Face::Plain(plain) => plain.board(player),
            Face::Screen(screen) => screen.draw(player, true),
            Face::Window(window) => {
                window.draw(player);
                Ok(())
            }
        }
    }
}
