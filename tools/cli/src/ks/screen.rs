//! The full screen: the board, the lines of text, and an input line.

use std::{
    collections::VecDeque,
    io::{self, Write},
    thread,
};

use crossterm::{
    cursor::MoveTo,
    event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, read},
    queue,
    style::{Attribute, Print, SetAttribute},
    terminal::{
        Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode,
        enable_raw_mode, size,
    },
};
use doors::ks::Player;
use tokio::sync::mpsc;

use super::typed::Typed;

/// Maximum number of lines that are stored.
const LINES: usize = 500;
/// Number of lines of text that are printed below the board when the program ends.
const LAST: usize = 10;
/// Width and height of the board with its square names.
const BOARD: (u16, u16) = (19, 9);
/// Text of the last row if more text is below.
const MORE: &str = "-- more: PageDown --";
/// Minimum width for a board to the left of the text. On a narrower screen the board is above the
/// text.
const WIDE: u16 = 60;

/// Minimum size in columns and rows. A smaller screen does not show what the player hears.
const MIN: (u16, u16) = (30, 17);
/// Minimum number of rows if the board is to the left of the text.
const MIN_WIDE: u16 = 13;

/// Returns a warning if a screen of this size is too small to show what the player hears.
fn too_small(width: u16, height: u16) -> Option<String> {
    let (least, rows) = MIN;
    let rows = if width >= WIDE { MIN_WIDE } else { rows };
    (width < least || height < rows).then(|| format!("Too small: {least}x{rows} needed"))
}

/// State of the full screen.
pub(super) struct Screen {
    events: mpsc::UnboundedReceiver<Event>,
    lines: VecDeque<String>,
    /// Number of lines added after the last draw. The next draw must show the first of these lines.
    together: usize,
    /// Number of text rows below the visible rows.
    below: usize,
    /// Number of rows for text.
    rows: usize,
    typed: String,
    history: Vec<String>,
    at: usize,
    closed: bool,
    /// The heading and the board of the last draw.
    drawn: String,
}

impl Screen {
    pub(super) fn open() -> io::Result<Screen> {
        enable_raw_mode()?;
        queue!(io::stdout(), EnterAlternateScreen)?;
        let (to, events) = mpsc::unbounded_channel();
        // This thread ends with the process, because a read from a terminal cannot
        // be interrupted.
        thread::spawn(move || {
            while let Ok(event) = read() {
                if to.send(event).is_err() {
                    return;
                }
            }
        });
        Ok(Screen {
            events,
            lines: VecDeque::new(),
            together: 0,
            below: 0,
            rows: 1,
            typed: String::new(),
            history: Vec::new(),
            at: 0,
            closed: false,
            drawn: String::new(),
        })
    }

    /// Waits for the next typed line, or for a reason to draw.
    pub(super) async fn next(&mut self) -> Typed {
        loop {
            let Some(event) = self.events.recv().await else {
                if self.closed {
                    return std::future::pending().await;
                }
                self.closed = true;
                return Typed::End;
            };
            if let Event::Resize(..) = event {
                return Typed::Redraw;
            }
            if let Event::Key(key) = event
                && key.kind != KeyEventKind::Release
                && let Some(typed) = self.key(key)
            {
                return typed;
            }
            // Show the typed letter immediately.
            let _unseen = self.prompt();
        }
    }

    #[allow(
        clippy::wildcard_enum_match_arm,
        reason = "most keys have no meaning here"
    )]
    fn key(&mut self, key: KeyEvent) -> Option<Typed> {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('l') if control => return Some(Typed::Redraw),
            KeyCode::Char('c' | 'd') if control => return Some(Typed::Line("quit".to_owned())),
            KeyCode::Char('u') if control => self.typed.clear(),
            KeyCode::Char('h') if control => drop(self.typed.pop()),
            KeyCode::Char(c) if !control && self.typed.len() < 300 => self.typed.push(c),
            KeyCode::Backspace => drop(self.typed.pop()),
            KeyCode::Esc => self.typed.clear(),
            KeyCode::PageUp => {
                self.below += self.rows.saturating_sub(1);
                return Some(Typed::Redraw);
            }
            KeyCode::PageDown => {
                self.below = self.below.saturating_sub(self.rows.saturating_sub(1));
                return Some(Typed::Redraw);
            }
            KeyCode::Up => {
                self.at = self.at.saturating_sub(1);
                self.typed = self.history.get(self.at).cloned().unwrap_or_default();
            }
            KeyCode::Down => {
                self.at = (self.at + 1).min(self.history.len());
                self.typed = self.history.get(self.at).cloned().unwrap_or_default();
            }
            KeyCode::Enter => {
                let line = std::mem::take(&mut self.typed);
                if !line.trim().is_empty() {
                    self.history.push(line.clone());
                    self.show(&format!("> {line}"));
                }
                self.at = self.history.len();
                self.below = 0;
                return Some(Typed::Line(line));
            }
            _ => {}
        }
        None
    }

    /// Adds a line of text, which is visible after the next draw.
    pub(super) fn show(&mut self, line: &str) {
        if self.lines.len() == LINES {
            self.lines.pop_front();
        }
        self.lines.push_back(line.to_owned());
        self.together += 1;
    }

    /// Draws the screen. If `anew` is true, clears the screen first, in case another
    /// program has written to it.
    pub(super) fn draw(&mut self, player: &Player, anew: bool) -> io::Result<()> {
        let (width, height) = size()?;
        let mut out = io::stdout().lock();
        if anew {
            queue!(out, Clear(ClearType::All))?;
        }
        let heading = player.heading();
        let board = player.board();
        self.drawn = match &board {
            Some(board) => format!("{heading}\n\n{board}\n"),
            None => String::new(),
        };
        let heading = too_small(width, height).unwrap_or(heading);
        let heading: String = heading.chars().take(width.into()).collect();
        queue!(
            out,
            MoveTo(0, 0),
            Clear(ClearType::CurrentLine),
            SetAttribute(Attribute::Reverse),
            Print(format!("{heading:<w$}", w = usize::from(width))),
            SetAttribute(Attribute::Reset)
        )?;
        if let Some(board) = &board {
            for (row, line) in (2..).zip(board.lines()) {
                if row + 2 < height {
                    queue!(out, MoveTo(1, row), Print(format!("{line:<19}")))?;
                }
            }
        }
        let (left, top) = if board.is_none() {
            // Without a board, text begins in the first column, so that a link
            // can be copied in one piece.
            (0, 2)
        } else if width >= WIDE {
            (BOARD.0 + 4, 2)
        } else {
            (1, BOARD.1 + 3)
        };
        let rows = usize::from(height.saturating_sub(top + 2));
        let columns = usize::from(width.saturating_sub(left + 1)).max(10);
        let wrapped: Vec<String> = self.lines.iter().flat_map(|l| wrap(l, columns)).collect();
        let together = std::mem::take(&mut self.together);
        if together > 0 {
            let last = self.lines.iter().rev().take(together);
            let last: usize = last.map(|line| wrap(line, columns).len()).sum();
            self.below = last.saturating_sub(rows);
        }
        self.rows = rows;
        self.below = self.below.min(wrapped.len().saturating_sub(rows));
        let from = wrapped.len().saturating_sub(rows + self.below);
        for (at, row) in (top..).take(rows).enumerate() {
            let line = match wrapped.get(from + at) {
                Some(_) if self.below > 0 && at + 1 == rows => MORE,
                Some(line) => line,
                None => "",
            };
            queue!(out, MoveTo(left, row), Print(format!("{line:<columns$}")))?;
        }
        out.flush()?;
        drop(out);
        self.prompt()
    }

    fn prompt(&self) -> io::Result<()> {
        let (width, height) = size()?;
        let room = usize::from(width).saturating_sub(4).max(1);
        let letters: Vec<char> = self.typed.chars().collect();
        let seen: String = letters[letters.len().saturating_sub(room)..]
            .iter()
            .collect();
        let mut out = io::stdout().lock();
        queue!(
            out,
            MoveTo(0, height.saturating_sub(1)),
            Clear(ClearType::CurrentLine),
            Print("> "),
            Print(seen)
        )?;
        out.flush()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // Restore the terminal; errors cannot be handled here.
        let _torn = queue!(io::stdout(), LeaveAlternateScreen);
        let _torn = io::stdout().flush();
        let _torn = disable_raw_mode();
        // Print the last screen, so that it stays visible after the program ends.
        if !self.drawn.is_empty() {
            let _torn = writeln!(io::stdout(), "{}", self.drawn);
        }
        for line in self.lines.iter().rev().take(LAST).rev() {
            let _torn = writeln!(io::stdout(), "{line}");
        }
    }
}

/// Splits a line into pieces of at most `width` characters, at spaces if
/// possible.
fn wrap(line: &str, width: usize) -> Vec<String> {
    let mut pieces = vec![String::new()];
    for word in line.split(' ') {
        let mut word: Vec<char> = word.chars().collect();
        loop {
            let last = pieces.last_mut().expect("the list always contains a piece");
            let used = last.chars().count();
            let gap = usize::from(used > 0);
            if used + gap + word.len() <= width {
                if gap > 0 {
                    last.push(' ');
                }
                last.extend(word);
                break;
            }
            if used == 0 {
                last.extend(word.drain(..width.min(word.len())));
            }
            pieces.push(String::new());
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::{too_small, wrap};

    #[test]
    fn warning_appears_only_on_screens_below_the_minimum_size() {
        for (width, height, is) in [
            (80, 24, false),
            (60, 13, false),
            (59, 13, true),
            (30, 17, false),
            (29, 40, true),
        ] {
            assert_eq!(too_small(width, height).is_some(), is, "{width}x{height}");
        }
    }

    #[test]
    fn long_lines_are_broken_at_spaces() {
        assert_eq!(wrap("", 5), [""]);
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("abcdefghij k", 4), ["abcd", "efgh", "ij k"]);
    }
}
