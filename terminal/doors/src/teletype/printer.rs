//! Prints on a teletype, and asks for input.

use std::{net::IpAddr, time::Duration};

use club::ClubError;
use tokio::time::timeout;

use super::words;
use crate::base::{Console, Disconnected, Input};

/// Reason why a dialogue ends early.
pub(super) enum End {
    /// The client has disconnected.
    Gone,
    /// The client was told the reason; the connection must be closed.
    Told,
}

impl From<Disconnected> for End {
    fn from(_: Disconnected) -> End {
        End::Gone
    }
}

/// A console, and whether the prompt for input is printed.
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

    /// Returns the address of the client.
    pub(super) fn address(&self) -> IpAddr {
        self.console.address.ip()
    }

    /// Notes that the user has a seat.
    pub(super) fn named(&self) {
        self.console.named();
    }

    /// Waits until everything is printed, then closes the connection.
    pub(super) async fn close(self) {
        self.console.lines.close().await;
    }

    /// Prints lines. If the prompt was already printed, the lines begin below
    /// it, and the prompt will be printed again before the next input.
    pub(super) fn print(&mut self, text: &str) {
        let begin = if self.asked { "\n" } else { "" };
        self.asked = false;
        let end = if text.ends_with('\n') { "" } else { "\n" };
        self.console.output.say(&format!("{begin}{text}{end}"));
    }

    /// Prints the prompt, unless it is already printed.
    pub(super) fn ask(&mut self) {
        if !self.asked {
            self.asked = true;
            self.console.output.say(words::ASKS);
        }
    }

    /// Notes that a line was typed. Returns whether the prompt was printed
    /// before this line.
    pub(super) fn answered(&mut self) -> bool {
        std::mem::take(&mut self.asked)
    }

    /// Waits until all text of this console is printed at the speed of the teletype, then reads the
    /// next line. A line can print text on both consoles. Because of the wait, a user who types fast
    /// cannot fill the output queue of the other console.
    pub(super) async fn next(&mut self) -> Result<Input, Disconnected> {
        self.console.output.flushed().await;
        self.console.lines.next().await
    }

    /// Reads the next line. Returns `None` if no line comes within `limit`
    /// after the question is printed.
    pub(super) async fn answer(&mut self, limit: Duration) -> Option<Result<Input, Disconnected>> {
        self.console.output.flushed().await;
        timeout(limit, self.next()).await.ok()
    }

    /// Prints the last message before the connection is closed.
    pub(super) fn end(&mut self, text: &str) -> End {
        self.print(text);
        End::Told
    }

    /// Prints the club's reason for a refusal.
    pub(super) fn refuse(&mut self, error: &ClubError) -> End {
        self.end(&words::sentence(&error.why))
    }
}
