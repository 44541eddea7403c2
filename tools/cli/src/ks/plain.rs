//! Plain lines, for simple terminals and for programs.

use std::{
    io::{self, BufRead, Read, Write},
    thread,
};

use doors::ks::Player;
use tokio::sync::mpsc;

use super::typed::Typed;

/// Longest line that is read, in bytes.
const MAX_LENGTH: usize = 1000;

/// The key that shows the board again.
const CONTROL_L: u8 = 0x0c;

/// Input and output in plain lines.
pub(super) struct Plain {
    lines: mpsc::UnboundedReceiver<Typed>,
    /// Restores the terminal at the end.
    _at_once: Option<ControlLAtOnce>,
}

impl Plain {
    pub(super) fn open() -> Plain {
        let (to, lines) = mpsc::unbounded_channel();
        // This thread ends with the process, because a read from a terminal cannot
        // be interrupted.
        thread::spawn(move || {
            let mut input = io::stdin().lock();
            let mut line = Vec::new();
            while let Some(typed) = read(&mut input, &mut line) {
                if to.send(typed).is_err() {
                    return;
                }
            }
            let _gone = to.send(Typed::End);
        });
        Plain {
            lines,
            _at_once: ControlLAtOnce::set(),
        }
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

/// Terminal that ends a line not only at Enter but also at Control-L, so that
/// the program reads Control-L at once. Dropping this restores the terminal.
struct ControlLAtOnce(#[cfg(unix)] rustix::termios::Termios);

#[cfg(unix)]
impl ControlLAtOnce {
    /// Sets the terminal of the standard input so that Control-L ends a line. Returns `None` if the
    /// standard input is not a terminal.
    fn set() -> Option<ControlLAtOnce> {
        use rustix::termios::{OptionalActions, SpecialCodeIndex, tcgetattr, tcsetattr};

        let before = tcgetattr(io::stdin()).ok()?;
        let mut changed = before.clone();
        changed.special_codes[SpecialCodeIndex::VEOL] = CONTROL_L;
        tcsetattr(io::stdin(), OptionalActions::Now, &changed).ok()?;
        Some(ControlLAtOnce(before))
    }
}

#[cfg(unix)]
impl Drop for ControlLAtOnce {
    fn drop(&mut self) {
        use rustix::termios::{OptionalActions, tcsetattr};

        let _torn = tcsetattr(io::stdin(), OptionalActions::Now, &self.0);
    }
}

#[cfg(not(unix))]
impl ControlLAtOnce {
    fn set() -> Option<ControlLAtOnce> {
        None
    }
}

/// Reads until the end of a line, or until Control-L. `line` keeps the text that
/// was typed before Control-L. The text of a line that is too long is dropped.
/// Returns `None` at the end of the input.
fn read(input: &mut impl BufRead, line: &mut Vec<u8>) -> Option<Typed> {
    loop {
        let buffer = match input.fill_buf() {
            Ok(buffer) => buffer,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => return None,
        };
        if buffer.is_empty() {
            return None;
        }
        let end = buffer.iter().position(|b| [b'\n', CONTROL_L].contains(b));
        let taken = end.map_or(buffer.len(), |end| end + 1);
        let text = &buffer[..end.unwrap_or(taken)];
        // One byte more than the limit shows that the line is too long.
        let room = (MAX_LENGTH + 1).saturating_sub(line.len());
        line.extend_from_slice(&text[..text.len().min(room)]);
        let is_redraw = end.is_some_and(|end| buffer[end] == CONTROL_L);
        input.consume(taken);
        if is_redraw {
            return Some(Typed::Redraw);
        }
        if end.is_some() {
            let line = std::mem::take(line);
            if line.len() > MAX_LENGTH {
                return Some(Typed::Line("(a line that is too long)".to_owned()));
            }
            let text = String::from_utf8_lossy(&line);
            return Some(Typed::Line(text.trim_matches(['\r', ' ']).to_owned()));
        }
    }
}

/// Asks a question and reads one line as the answer. Returns `None` at the end of the input. Must
/// be called before [`Plain::open`], which starts a thread that reads all further input.
pub(super) fn ask(question: &str) -> io::Result<Option<String>> {
    let mut out = io::stdout().lock();
    write!(out, "{question}")?;
    out.flush()?;
    let mut line = Vec::new();
    let mut input = io::stdin().lock().take(MAX_LENGTH as u64 + 1);
    input.read_until(b'\n', &mut line)?;
    let whole = line.pop() == Some(b'\n');
    Ok(whole.then(|| String::from_utf8_lossy(&line).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_l_is_read_at_once_and_keeps_the_line() {
        let long = "x".repeat(MAX_LENGTH + 1);
        let input = format!("e4\r\nd2\u{c}-d4\n\u{c}\n{long}\n{}\nresi", &long[1..]);
        let (mut input, mut line) = (input.as_bytes(), Vec::new());
        let mut read = || read(&mut input, &mut line);
        let said = |text: &str| Some(Typed::Line(text.to_owned()));
        assert_eq!(read(), said("e4"));
        assert_eq!(read(), Some(Typed::Redraw));
        assert_eq!(read(), said("d2-d4"));
        assert_eq!(read(), Some(Typed::Redraw));
        assert_eq!(read(), said(""));
        assert_eq!(read(), said("(a line that is too long)"));
        assert_eq!(read(), said(&long[1..]));
        assert_eq!(read(), None);
    }
}
