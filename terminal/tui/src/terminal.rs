//! The terminal. While the screen is shown, the terminal is in raw mode; afterwards it is restored.

use std::{
    io::{self, IsTerminal, Stdout, Write},
    panic,
    sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    thread,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use ratatui::{
    Terminal,
    backend::CrosstermBackend,
    crossterm::{
        cursor::{Hide, Show},
        event::{self, DisableMouseCapture, EnableMouseCapture, Event},
        execute,
        terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode},
    },
    layout::Position,
};

use crate::{
    app::{App, Effect},
    keys,
    messages::{ClubMessage, ClubRequest, Guessed},
};

/// Interval at which a running clock is redrawn.
const CLOCK_REDRAW_INTERVAL: Duration = Duration::from_millis(200);

/// Input event.
#[derive(Debug)]
pub enum Input {
    /// Event of the terminal.
    Terminal(Event),
    /// Message of the club, with the index of the connection.
    Club(usize, ClubMessage),
}

/// Creates the input queue, and returns both its ends.
pub fn inbox() -> (Sender<Input>, Receiver<Input>) {
    channel()
}

type Screen = Terminal<CrosstermBackend<Stdout>>;

/// Shows the screen until the program ends. `ask` sends requests to the club;
/// `keep` stores guesses on this machine.
///
/// # Errors
/// There is no terminal, or drawing on it failed.
pub fn run(
    mut app: App,
    (sender, inbox): (Sender<Input>, Receiver<Input>),
    mut ask: impl FnMut(usize, ClubRequest),
    mut keep: impl FnMut(Guessed),
) -> io::Result<()> {
    if !io::stdout().is_terminal() {
        return Err(io::Error::other("standard output is not a terminal"));
    }
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |what| {
        let _gone = leave();
        before(what);
    }));
    let shown = show(&mut app, sender, &inbox, (&mut ask, &mut keep));
    let left = leave();
    shown.and(left)
}

fn show(
    app: &mut App,
    sender: Sender<Input>,
    inbox: &Receiver<Input>,
    (ask, keep): (
        &mut impl FnMut(usize, ClubRequest),
        &mut impl FnMut(Guessed),
    ),
) -> io::Result<()> {
    let mut screen = enter()?;
    // This thread ends with the process, because it cannot be interrupted while it
    // waits for a key.
    thread::spawn(move || {
        while let Ok(event) = event::read() {
            if sender.send(Input::Terminal(event)).is_err() {
                return;
            }
        }
        // The terminal is gone. The receiver may already be dropped.
        let _nobody = sender.send(Input::Club(0, ClubMessage::End));
    });
    loop {
        app.tick(now());
        let size = screen.size()?;
        app.resize(size.width, size.height);
        screen.draw(|frame| app.draw(frame))?;
        let Some(first) = next(app, inbox) else {
            return Ok(());
        };
        app.tick(now());
        // Handle all queued input before the next redraw.
        for input in first.into_iter().chain(inbox.try_iter()) {
            take(app, input);
        }
        for (line, what) in app.take_asks() {
            ask(line, what);
        }
        app.take_guessed().into_iter().for_each(&mut *keep);
        for effect in app.take_effects() {
            match effect {
                Effect::Quit => return Ok(()),
                Effect::Redraw => clear(&mut screen)?,
                Effect::Suspend => {
                    leave()?;
                    suspend()?;
                    screen = enter()?;
                    clear(&mut screen)?;
                }
            }
        }
    }
}

/// Forces a full redraw.
///
/// `Terminal::clear` cannot be used: it asks the terminal for the cursor
/// position, but the thread that reads keys would receive the answer.
fn clear(screen: &mut Screen) -> io::Result<()> {
    let size = screen.size()?;
    screen.resize((Position::ORIGIN, size).into())
}

/// Returns the next input, `Some(None)` after a timeout, or `None` if the queue
/// is closed.
fn next(app: &App, inbox: &Receiver<Input>) -> Option<Option<Input>> {
    if !app.has_running_clock() {
        return inbox.recv().ok().map(Some);
    }
    match inbox.recv_timeout(CLOCK_REDRAW_INTERVAL) {
        Ok(input) => Some(Some(input)),
        Err(RecvTimeoutError::Timeout) => Some(None),
        Err(RecvTimeoutError::Disconnected) => None,
    }
}

fn take(app: &mut App, input: Input) {
    match input {
        Input::Club(line, message) => app.take_message(line, message),
        Input::Terminal(event) => {
            if let Some(key) = event.as_key_event().and_then(keys::key_name) {
                app.key(&key);
            } else if let Event::Resize(width, height) = event {
                app.resize(width, height);
            } else if let Event::Mouse(at) = event
                && let Some(mouse) = keys::mouse(at.kind)
            {
                app.mouse(mouse, at.column, at.row);
            }
        }
    }
}

/// Asks for a password without showing it. Returns `None` if the user cancels.
///
/// # Errors
/// There is no terminal.
pub fn ask_password(question: &str) -> io::Result<Option<String>> {
    let mut output = io::stderr();
    write!(output, "{question}")?;
    output.flush()?;
    enable_raw_mode()?;
    let read = read_password();
    disable_raw_mode()?;
    writeln!(output)?;
    read
}

fn read_password() -> io::Result<Option<String>> {
    let mut password = String::new();
    loop {
        let key = event::read()?.as_key_event().and_then(keys::key_name);
        match key.as_deref() {
            Some("Enter") => return Ok(Some(password)),
            Some("Esc" | "Control-C" | "Control-D") => return Ok(None),
            Some("Backspace") => drop(password.pop()),
            Some("Space") => password.push(' '),
            Some(key) if key.chars().count() == 1 => password.push_str(key),
            Some(_) | None => {}
        }
    }
}

fn enter() -> io::Result<Screen> {
    enable_raw_mode()?;
    let mut output = io::stdout();
    execute!(output, EnterAlternateScreen, EnableMouseCapture, Hide)?;
    Terminal::new(CrosstermBackend::new(output))
}

/// Restores the terminal.
fn leave() -> io::Result<()> {
    let mut output = io::stdout();
    let left = execute!(output, DisableMouseCapture, LeaveAlternateScreen, Show);
    output.flush()?;
    disable_raw_mode()?;
    left
}

/// Suspends the process until the shell resumes it.
#[cfg(unix)]
fn suspend() -> io::Result<()> {
    use rustix::process::{Signal, getpid, kill_process};
    Ok(kill_process(getpid(), Signal::TSTP)?)
}

#[cfg(not(unix))]
fn suspend() -> io::Result<()> {
    Ok(())
}

fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |span| {
        i64::try_from(span.as_millis()).unwrap_or(i64::MAX)
    })
}
