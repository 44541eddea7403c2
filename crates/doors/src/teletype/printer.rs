//! Printing on a teletype, and asking for input.

use std::{net::IpAddr, time::Duration};

use club::ClubError;
use tokio::time::timeout;

use super::words;
use crate::base::{Console, Disconnected, Input};

/// Reason why a conversation ends early.
pub(super) enum End {
    /// The client is gone.
    Gone,
    /// The client was told why; the connection is to be closed.
    Told,
}

impl From<Disconnected> for End {
    fn from(_: Disconnected) -> End {
        End::Gone
    }
}

/// A console: what is printed, and whether input is asked for.
pub(super) struct Printer {
    console: Console,
    asked: bool,
}

impl Printer {
    pub(super) fn new(console: Console) -> Printer {
        Printer {
            console,
            asked: false,
        }
    }

    /// The address of the client.
    pub(super) fn address(&self) -> IpAddr {
        self.console.address.ip()
    }

    /// Closes the connection once everything is printed.
    pub(super) async fn close(self) {
        self.console.lines.close().await;
    }

    /// Prints lines; if input was asked for, it is not any more.
    pub(super) fn print(&mut self, text: &str) {
        let begin = if self.asked { "\n" } else { "" };
        self.asked = false;
        let end = if text.ends_with('\n') { "" } else { "\n" };
        self.console.output.say(&format!("{begin}{text}{end}"));
    }

    /// Asks for input, once.
    pub(super) fn ask(&mut self) {
        if !self.asked {
            self.asked = true;
            self.console.output.say(words::ASKS);
        }
    }

    /// A line came: whether it was asked for.
    pub(super) fn answered(&mut self) -> bool {
        std::mem::take(&mut self.asked)
    }

    /// Reads the next line once everything is printed, at the speed of a
    /// teletype, so that nobody fills the other's queue.
    pub(super) async fn next(&mut self) -> Result<Input, Disconnected> {
        self.console.output.flushed().await;
        self.console.lines.next().await
    }

    /// Reads the next line, `None` if none comes within `limit` after the
    /// question is printed.
    pub(super) async fn answer(&mut self, limit: Duration) -> Option<Result<Input, Disconnected>> {
        self.console.output.flushed().await;
        timeout(limit, self.next()).await.ok()
    }

    /// Prints the last words before the connection is closed.
    pub(super) fn end(&mut self, text: &str) -> End {
        self.print(text);
        End::Told
    }

    /// Prints why the club refuses.
    pub(super) fn refuse(&mut self, error: &ClubError) -> End {
        self.end(&words::sentence(&error.why))
    }
}
