//! Plain lines, for simple terminals and for programs.

use std::{
    io::{self, BufRead, Read, Write},
    thread,
};

use doors::ks::Player;
use tokio::sync::mpsc;

use super::face::Typed;

/// Longest line that is read, in bytes.
const LONGEST: u64 = 1000;

/// Input and output in plain lines.
pub(super) struct Plain {
    lines: mpsc::UnboundedReceiver<Typed>,
}

impl Plain {
    pub(super) fn open() -> Plain {
        let (to, lines) = mpsc::unbounded_channel();
        // This thread ends with the process, because a read from a terminal cannot
        // be interrupted.
        thread::spawn(move || {
            let mut input = io::stdin().lock();
            while let Some(typed) = read(&mut input) {
                if to.send(typed).is_err() {
                    return;
                }
            }
            let _gone = to.send(Typed::End);
        });
        Plain { lines }
    }

    pub(super) async fn next(&mut self) -> Typed {
        match self.lines.recv().await {
            Some(typed) => typed,
            // The end of the input was already returned. Wait forever, because no
            // more input can come.
            None => std::future::pending().await,
        }
    }

    pub(super) fn show(&self, line: &str) -> io::Result<()> {
        let mut out = io::stdout().lock();
        writeln!(out, "{line}")?;
        out.flush()
    }

    pub(super) fn board(&self, player: &Player) -> io::Result<()> {
        if let Some(board) = player.board() {
            self.show(&board)?;
        }
        self.show(&player.heading())
    }
}

/// Reads a line. The text of a line that is too long is dropped.
pub(super) fn read(input: &mut impl BufRead) -> Option<Typed> {
    let mut line = Vec::new();
    let n = input
        .by_ref()
        .take(LONGEST)
        .read_until(b'\n', &mut line)
        .ok()?;
    if n == 0 {
        return None;
    }
    if !line.ends_with(b"\n") {
        input.skip_until(b'\n').ok()?;
        if n as u64 == LONGEST {
            return Some(Typed::Line("(a line that is too long)".to_owned()));
        }
        line.clear();
    }
    let text = String::from_utf8_lossy(&line);
    Some(match text.trim_matches(['\r', '\n', ' ']) {
        "\u{c}" => Typed::Redraw,
        text => Typed::Line(text.to_owned()),
    })
}

/// Asks a question and reads the answer, before other input is read.
pub(super) fn ask(question: &str) -> io::Result<Option<String>> {
    let mut out = io::stdout().lock();
    write!(out, "{question}")?;
    out.flush()?;
    let mut line = Vec::new();
    let mut input = io::stdin().lock().take(LONGEST + 1);
    input.read_until(b'\n', &mut line)?;
    let whole = line.pop() == Some(b'\n');
    Ok(whole.then(|| String::from_utf8_lossy(&line).into_owned()))
}
