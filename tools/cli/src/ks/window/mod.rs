//! The window of `xks`: a page on a local port, for one browser of this user.
//!
//! Only a request with the token of the printed address opens the page. The token works once; then
//! the browser has a cookie. Every request must name the address of the page as its host. A request
//! that sends a typed line must come from the page.

mod request;

use std::{
    collections::VecDeque,
    io::{self, Write},
    sync::Arc,
    time::Duration,
};

use doors::ks::Player;
use serde::Serialize;
use tokio::{
    net::TcpListener,
    sync::{mpsc, watch},
    task::JoinHandle,
    time::timeout,
};

use self::request::{Keys, serve};
use super::typed::Typed;

/// Maximum number of lines that are stored.
const LINES: usize = 500;
/// Longest time to wait until the page has read the last state.
const LAST_STATE_TIMEOUT: Duration = Duration::from_secs(3);

/// What the page shows: only what this player's seat heard.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct PageState {
    /// Number of the state; it grows with every change.
    n: u64,
    heading: String,
    /// `white` or `black`; `None` before the game.
    color: Option<&'static str>,
    /// Whether the names of the squares are rotated for Black.
    rotated: bool,
    /// The own men. Each entry is a square and the letter of the man on it, as in a FEN.
    men: Vec<(String, char)>,
    lines: VecDeque<String>,
    /// Whether the program has ended.
    ended: bool,
}

/// The window of one player.
pub(super) struct Window {
    state: watch::Sender<PageState>,
    typed: mpsc::UnboundedReceiver<Typed>,
    /// Number of the newest state that the page has read.
    read: watch::Receiver<u64>,
    server: JoinHandle<()>,
}

impl Window {
    /// Opens the port and prints the address of the page.
    pub(super) async fn open() -> io::Result<Window> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let keys = Keys::draw(listener.local_addr()?);
        writeln!(
            io::stdout(),
            "Open this address in a browser of this machine; it works once:\n{}",
            keys.address()
        )?;
        io::stdout().flush()?;
        let state = watch::Sender::new(PageState::default());
        let (to, typed) = mpsc::unbounded_channel();
        let (reads, read) = watch::channel(0);
        let server = tokio::spawn(serve(
            listener,
            Arc::new(keys),
            state.subscribe(),
            to,
            Arc::new(reads),
        ));
        Ok(Window {
            state,
            typed,
            read,
            server,
        })
    }

    /// Waits for the next line that the page sends. Cancel safe.
    pub(super) async fn next(&mut self) -> Typed {
        self.typed.recv().await.unwrap_or(Typed::End)
    }

    /// Adds a line of text. The terminal shows it too.
    pub(super) fn show(&mut self, line: &str) -> io::Result<()> {
        self.state.send_modify(|state| {
            if state.lines.len() == LINES {
                state.lines.pop_front();
            }
            state.lines.push_back(line.to_owned());
            state.n += 1;
        });
        writeln!(io::stdout(), "{line}")?;
        io::stdout().flush()
    }

    /// Shows the player's men and the heading.
    pub(super) fn draw(&mut self, player: &Player) {
        self.state.send_modify(|state| {
            state.heading = player.heading();
            state.rotated = player.is_rotated();
            if let Some((color, men)) = player.men() {
                state.color = Some(color.fold_wb("white", "black"));
                state.men = men;
            }
            state.n += 1;
        });
    }

    /// Tells the page that the program ends, and waits until the page has read this message.
    pub(super) async fn close(mut self) {
        self.state.send_modify(|state| {
            state.ended = true;
            state.n += 1;
        });
        let last = self.state.borrow().n;
        let opened = *self.read.borrow() > 0;
        if opened {
            let _late = timeout(LAST_STATE_TIMEOUT, self.read.wait_for(|n| *n >= last)).await;
            // The page may not have received the last state yet, so the server needs some time to
            // write it.
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        self.server.abort();
    }
}
