//! A player that is an external program, connected by two pipes.

use std::{
    fmt,
    io::{self, BufRead, BufReader, Read, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel},
    thread,
    time::{Duration, Instant},
};

use bots::Budget;
use rules::{Choices, Heard, Start, Try};
use serde::Serialize;
use views::PlayerView;
use wire::HeardJson;

use crate::seat::{Seat, SeatAnswer};

/// Maximum length of a line of the program, in bytes. The rest of the line is cut off.
const MAX_LINE_BYTES: u64 = 4096;

/// Maximum time from the end of the game to the exit of the program. After this time, the program
/// is killed.
const EXIT_TIMEOUT: Duration = Duration::from_secs(1);

/// External program that plays. The program reads one JSON object per line (`heard`, `your_turn`,
/// `refused`) and writes one line for every `your_turn`.
///
/// Each pipe has its own thread. So a program that does not read, or does not write, never blocks
/// the arena.
#[derive(Debug)]
pub struct Program {
    child: Child,
    says: Option<Sender<Vec<u8>>>,
    hears: Receiver<Vec<u8>>,
    answer_timeout: Duration,
    pending: Vec<HeardJson>,
    /// Budget of this turn. A time becomes shorter with each answer; a number of nodes stays the
    /// same.
    budget: Budget,
}

#[derive(Serialize)]
struct HeardLine<'a> {
    heard: &'a [HeardJson],
}

#[derive(Serialize)]
struct YourTurn {
    your_turn: bool,
    tries: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
}

#[derive(Serialize)]
struct Refused {
    refused: String,
}

impl Program {
    /// Starts a program. If the program does not give an answer within `answer_timeout`,
    /// the answer is [`SeatAnswer::Gone`].
    ///
    /// # Errors
    /// The program cannot be started.
    pub fn start(command: &mut Command, answer_timeout: Duration) -> io::Result<Program> {
        // With its own process group, the program does not get Ctrl-C of the terminal. The arena
        // ends its programs itself.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("the program has no pipes"));
        };
        let (says, to_say) = channel();
        // The queue is bounded, so a program that writes too many lines blocks on its pipe.
        let (hear, hears) = sync_channel(4);
        thread::spawn(move || write_lines(&to_say, stdin));
        thread::spawn(move || read_lines(stdout, &hear));
        Ok(Program {
            child,
            says: Some(says),
            hears,
            answer_timeout,
            pending: Vec::new(),
            budget: Budget::Usual,
        })
    }

    /// Queues one line for the program. If the program has exited, this function reports no error,
    /// because the next answer of the program will be missing anyway.
    fn say(&self, line: &impl Serialize) {
        let mut text = serde_json::to_vec(line).expect("the keys of a JSON line are strings");
        text.push(b'\n');
        if let Some(says) = &self.says {
            let _gone = says.send(text);
        }
    }

    /// Returns the next line that is not blank; `None` after the timeout, or if
    /// the program has exited.
    fn line(&self) -> Option<Vec<u8>> {
        let end = Instant::now() + self.answer_timeout;
        loop {
            let line = self
                .hears
                .recv_timeout(end.saturating_duration_since(Instant::now()))
                .ok()?;
            if !line.trim_ascii().is_empty() {
                return Some(line);
            }
        }
    }
}

/// Writes queued lines until the queue or the pipe is closed.
fn write_lines(to_say: &Receiver<Vec<u8>>, mut stdin: ChildStdin) {
    for line in to_say {
        if stdin.write_all(&line).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

/// Reads lines until the program exits or the receiver is dropped. Cuts off the end of a line that
/// is too long.
fn read_lines(stdout: ChildStdout, hear: &SyncSender<Vec<u8>>) {
    let mut stdout = BufReader::new(stdout);
    loop {
        let mut line = Vec::new();
        match stdout
            .by_ref()
            .take(MAX_LINE_BYTES)
            .read_until(b'\n', &mut line)
        {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let whole = line.ends_with(b"\n");
        let too_long = !whole && line.len() as u64 == MAX_LINE_BYTES;
        if too_long && stdout.skip_until(b'\n').is_err() {
            return;
        }
        if hear.send(line).is_err() {
            return;
        }
    }
}

impl Seat for Program {
    fn open(&mut self, start: &Start, _choices: &Choices) {
        self.pending.push(HeardJson::from(start));
    }

    fn hear(&mut self, heard: &Heard) {
        self.pending.push(HeardJson::from(heard));
    }

    fn end_event(&mut self) {
        if !self.pending.is_empty() {
            self.say(&HeardLine {
                heard: &self.pending,
            });
            self.pending.clear();
        }
    }

    fn begin_turn(&mut self, budget: Budget) {
        self.budget = budget;
    }

    fn answer(&mut self, view: &PlayerView, tries: &[Try]) -> SeatAnswer {
        let mut tries: Vec<String> = tries.iter().map(Try::to_string).collect();
        tries.sort_unstable();
        self.say(&YourTurn {
            your_turn: true,
            tries,
            seconds: match self.budget {
                Budget::Time(time) => Some(time.as_secs_f64()),
                Budget::Usual | Budget::Within(_) | Budget::Nodes(_) => None,
            },
            nodes: match self.budget {
                Budget::Nodes(nodes) => Some(nodes),
                Budget::Usual | Budget::Within(_) | Budget::Time(_) => None,
            },
        });
        let begun = Instant::now();
        let Some(line) = self.line() else {
            return SeatAnswer::Gone;
        };
        if let Budget::Time(time) = &mut self.budget {
            *time = time.saturating_sub(begun.elapsed());
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim();
        match notation::read_attempt(text, view.own(), view.choices()) {
            Ok(attempt) => SeatAnswer::Attempt(attempt),
            Err(error) => SeatAnswer::Unreadable {
                text: text.to_owned(),
                why: error.to_string(),
            },
        }
    }

    fn refused(&mut self, why: &dyn fmt::Display) {
        self.say(&Refused {
            refused: why.to_string(),
        });
    }
}

impl Drop for Program {
    /// Closes the program's input. At the end of its input, the program should exit. Kills the
    /// program if it does not exit in time.
    #[allow(
        clippy::disallowed_methods,
        reason = "a match runs in its own thread, which waits for the program to exit"
    )]
    fn drop(&mut self) {
        self.says = None;
        let end = Instant::now() + self.answer_timeout.min(EXIT_TIMEOUT);
        let mut pause = Duration::from_micros(50);
        while Instant::now() < end {
            match self.child.try_wait() {
                Ok(Some(_)) | Err(_) => return,
                Ok(None) => thread::sleep(pause),
            }
            pause = (pause * 2).min(Duration::from_millis(10));
        }
        let _dead_already = self.child.kill();
        let _dead = self.child.wait();
    }
}
