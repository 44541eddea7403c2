//! Players that are external programs, connected by pipes.

use std::{
    collections::VecDeque,
    fmt,
    io::{self, BufRead, BufReader, Read, Write},
    process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel},
    },
    thread,
    time::{Duration, Instant},
};

use bots::{Budget, Player, SeatOpening, Seed};
use rules::{Attempt, Choices, Heard, Start, Try, chess::Color};
use serde::Serialize;
use views::PlayerView;
use wire::{HeardJson, Side, named_choices};

use crate::{
    play::MAX_REFUSALS_PER_TURN,
    seat::{Seat, SeatAnswer},
};

/// Version of the lines. A program reads it in `new_game`.
pub const PROGRAM_PROTOCOL: u32 = 2;

/// Maximum length of a line of the program, in bytes. The rest of the line is cut off.
const MAX_LINE_BYTES: u64 = 4096;

/// Number of lines of standard error that a message about the end of a program repeats.
const LAST_LINES: usize = 5;

/// Maximum time from the last game to the exit of the program. After this time, the program is
/// killed.
const EXIT_TIMEOUT: Duration = Duration::from_secs(1);

/// Maximum time until the last lines of a program that has ended are read.
const LAST_LINES_TIMEOUT: Duration = Duration::from_millis(200);

/// A running program. It can play any number of games, one after another or several at once. It
/// reads one JSON object per line and writes one line for every `your_turn`. It has at most one
/// question to answer at a time, so a line needs no name of the game.
///
/// Each pipe has its own thread. So a program that does not read, or does not write, never blocks
/// its games.
#[derive(Debug)]
pub struct Program {
    name: String,
    /// Dropped first, so that the input of the program ends.
    says: Sender<Vec<u8>>,
    pipe: Mutex<Pipe>,
}

/// What only the game that asks a question uses.
#[derive(Debug)]
struct Pipe {
    child: Child,
    hears: Receiver<Vec<u8>>,
    last_lines: LastLines,
    /// Why the program can play no more.
    fault: Option<String>,
}

/// The last lines of standard error, and a channel that closes at their end.
#[derive(Debug)]
struct LastLines {
    lines: Arc<Mutex<VecDeque<String>>>,
    end: Receiver<()>,
}

#[derive(Serialize)]
struct NewGame<'a> {
    new_game: Facts<'a>,
}

#[derive(Serialize)]
struct Facts<'a> {
    protocol: u32,
    game: &'a str,
    seed: u64,
    color: Side,
    rules: String,
    choices: std::collections::BTreeMap<String, String>,
    clock: Option<ClockLine>,
}

#[derive(Serialize)]
struct ClockLine {
    initial: u32,
    increment: u32,
}

#[derive(Serialize)]
struct HeardLine<'a> {
    game: &'a str,
    heard: &'a [HeardJson],
}

#[derive(Serialize)]
struct YourTurn<'a> {
    game: &'a str,
    your_turn: bool,
    tries: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<f64>,
}

#[derive(Serialize)]
struct Refused<'a> {
    game: &'a str,
    refused: String,
}

#[derive(Serialize)]
struct EndGame<'a> {
    end_game: &'a str,
}

impl Program {
    /// Starts a program. `name` names it in messages.
    ///
    /// # Errors
    /// The program cannot be started.
    pub fn start(name: &str, command: &mut Command) -> io::Result<Program> {
        // With its own process group, the program does not get Ctrl-C of the terminal. Its games
        // end it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(io::Error::other("the program has no pipes"));
        };
        let (says, to_say) = channel();
        // The queue is bounded, so a program that writes too many lines blocks on its pipe.
        let (hear, hears) = sync_channel(4);
        thread::spawn(move || write_lines(&to_say, stdin));
        thread::spawn(move || read_lines(stdout, &hear));
        Ok(Program {
            name: name.to_owned(),
            says,
            pipe: Mutex::new(Pipe {
                child,
                hears,
                last_lines: LastLines::read(stderr),
                fault: None,
            }),
        })
    }

    /// Why the program can play no more, with the last lines of its standard error; `None` while
    /// it can.
    pub fn fault(&self) -> Option<String> {
        self.pipe().fault.clone()
    }

    /// Whether the program can begin another game: it has not failed, and no line of it is left.
    fn is_ready(&self) -> bool {
        let pipe = self.pipe();
        pipe.fault.is_none() && pipe.hears.try_recv().is_err()
    }

    fn pipe(&self) -> MutexGuard<'_, Pipe> {
        self.pipe.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queues one line for the program. If the program has exited, this function reports no error,
    /// because the next answer of the program will be missing anyway.
    fn say(&self, line: &impl Serialize) {
        let mut text = serde_json::to_vec(line).expect("the keys of a JSON line are strings");
        text.push(b'\n');
        let _gone = self.says.send(text);
    }

    /// Asks a question when no other question is open. Returns the next line that is not blank;
    /// `None` after the timeout, or if the program has exited.
    fn ask(&self, question: &impl Serialize, answer_timeout: Duration) -> Option<Vec<u8>> {
        let mut pipe = self.pipe();
        if pipe.fault.is_some() {
            return None;
        }
        self.say(question);
        let end = Instant::now() + answer_timeout;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match pipe.hears.recv_timeout(left) {
                Ok(line) if line.trim_ascii().is_empty() => {}
                Ok(line) => return Some(line),
                Err(end) => {
                    pipe.fail(&self.name, end, answer_timeout);
                    return None;
                }
            }
        }
    }
}

impl Pipe {
    /// Notes that the program can play no more, and says it on standard error.
    fn fail(&mut self, name: &str, end: RecvTimeoutError, answer_timeout: Duration) {
        let how = match end {
            RecvTimeoutError::Timeout => {
                format!("did not answer within {} s", answer_timeout.as_secs_f64())
            }
            RecvTimeoutError::Disconnected => self.ended(),
        };
        let _dead_already = self.child.kill();
        let lines = self.last_lines.get();
        let fault = format!("`cmd:{name}` {how}{lines}");
        let _unsaid = writeln!(io::stderr(), "{}", notation::printable_lines(&fault));
        self.fault = Some(fault);
    }

    /// Returns how the program ended. It has closed its output, so it is about to exit.
    fn ended(&mut self) -> String {
        let end = Instant::now() + EXIT_TIMEOUT;
        while Instant::now() < end {
            match self.child.try_wait() {
                Ok(Some(status)) => return format!("ended ({status})"),
                Ok(None) => pause(Duration::from_millis(2)),
                Err(_) => break,
            }
        }
        "closed its output".to_owned()
    }
}

impl LastLines {
    fn read(stderr: ChildStderr) -> LastLines {
        let lines = Arc::new(Mutex::new(VecDeque::new()));
        let (reads, end) = channel::<()>();
        let shared = Arc::clone(&lines);
        thread::spawn(move || {
            // The channel closes when this thread ends.
            let _reads = reads;
            let mut stderr = BufReader::new(stderr);
            while let Some(line) = next_line(&mut stderr) {
                let line = String::from_utf8_lossy(&line).trim_end().to_owned();
                let _unsaid = writeln!(io::stderr(), "{}", notation::printable_lines(&line));
                let mut lines = shared.lock().unwrap_or_else(PoisonError::into_inner);
                if lines.len() == LAST_LINES {
                    lines.pop_front();
                }
                lines.push_back(line);
            }
        });
        LastLines { lines, end }
    }

    fn get(&self) -> String {
        let _end = self.end.recv_timeout(LAST_LINES_TIMEOUT);
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        match lines.is_empty() {
            true => String::new(),
            false => format!(
                "; its last lines:\n  {}",
                Vec::from(lines.clone()).join("\n  ")
            ),
        }
    }
}

#[allow(
    clippy::disallowed_methods,
    reason = "each game of a program has its own thread, which waits for the program"
)]
fn pause(time: Duration) {
    thread::sleep(time);
}

/// Writes queued lines until the queue or the pipe is closed.
fn write_lines(to_say: &Receiver<Vec<u8>>, mut stdin: ChildStdin) {
    for line in to_say {
        if stdin.write_all(&line).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

/// Reads lines until the program exits or the receiver is dropped.
fn read_lines(stdout: ChildStdout, hear: &SyncSender<Vec<u8>>) {
    let mut stdout = BufReader::new(stdout);
    while let Some(line) = next_line(&mut stdout) {
        if hear.send(line).is_err() {
            return;
        }
    }
}

/// Reads a line; `None` at the end. Cuts off the end of a line that is too long.
fn next_line(input: &mut impl BufRead) -> Option<Vec<u8>> {
    let mut line = Vec::new();
    let read = input
        .by_ref()
        .take(MAX_LINE_BYTES)
        .read_until(b'\n', &mut line);
    if !matches!(read, Ok(1..)) {
        return None;
    }
    if line.len() as u64 == MAX_LINE_BYTES && !line.ends_with(b"\n") {
        input.skip_until(b'\n').ok()?;
    }
    Some(line)
}

impl Drop for Pipe {
    /// The program's input is closed by now. At the end of its input, the program should exit.
    /// Kills the program if it does not exit in time.
    fn drop(&mut self) {
        let end = Instant::now() + EXIT_TIMEOUT;
        let mut length = Duration::from_micros(50);
        while self.fault.is_none() && Instant::now() < end {
            match self.child.try_wait() {
                Ok(Some(_)) | Err(_) => return,
                Ok(None) => pause(length),
            }
            length = (length * 2).min(Duration::from_millis(10));
        }
        let _dead_already = self.child.kill();
        let _dead = self.child.wait();
    }
}

/// A seat of a program in one game.
#[derive(Debug)]
pub struct ProgramSeat {
    program: Arc<Program>,
    /// Where the program waits for the next game; `None` if it plays several at once.
    idle: Option<IdlePrograms>,
    game: String,
    seed: u64,
    answer_timeout: Duration,
    pending: Vec<HeardJson>,
    /// Budget of this turn. A time becomes shorter with each answer; a number of nodes stays the
    /// same.
    budget: Budget,
    clock: Option<Duration>,
    /// Whether the program has answered and has heard nothing since.
    answered: bool,
}

/// Programs that wait for their next game.
#[derive(Clone, Debug, Default)]
pub struct IdlePrograms(Arc<Mutex<Vec<Arc<Program>>>>);

impl IdlePrograms {
    /// Takes a program that waits, or starts one.
    ///
    /// # Errors
    /// As for [`Program::start`].
    pub(crate) fn take(
        &self,
        start: impl FnOnce() -> io::Result<Program>,
    ) -> io::Result<Arc<Program>> {
        let idle = self.lock().pop();
        idle.map_or_else(|| start().map(Arc::new), Ok)
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Arc<Program>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ProgramSeat {
    /// Creates a seat. If the program does not give an answer within `answer_timeout`, the answer
    /// is [`SeatAnswer::Gone`].
    pub fn new(program: Arc<Program>, seed: Seed, answer_timeout: Duration) -> ProgramSeat {
        ProgramSeat {
            program,
            idle: None,
            // Each game of the arena has two streams.
            game: (seed.stream / 2 + 1).to_string(),
            seed: seed.seed.wrapping_add(seed.stream),
            answer_timeout,
            pending: Vec::new(),
            budget: Budget::Usual,
            clock: None,
            answered: false,
        }
    }

    /// After the game, the program waits there for the next one.
    pub(crate) fn waiting_in(mut self, idle: &IdlePrograms) -> ProgramSeat {
        self.idle = Some(idle.clone());
        self
    }

    fn new_game(
        &mut self,
        color: Color,
        start: &Start,
        choices: &Choices,
        clock: Option<ClockLine>,
    ) {
        self.program.say(&NewGame {
            new_game: Facts {
                protocol: PROGRAM_PROTOCOL,
                game: &self.game,
                seed: self.seed,
                color: color.into(),
                rules: start.rules.to_string(),
                choices: named_choices(choices),
                clock,
            },
        });
        self.pending.push(HeardJson::from(start));
    }
}

impl Seat for ProgramSeat {
    fn open(&mut self, color: Color, start: &Start, choices: &Choices) {
        self.new_game(color, start, choices, None);
    }

    fn hear(&mut self, heard: &Heard) {
        self.answered = false;
        self.pending.push(HeardJson::from(heard));
    }

    fn end_event(&mut self) {
        if !self.pending.is_empty() {
            self.program.say(&HeardLine {
                game: &self.game,
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
        let question = YourTurn {
            game: &self.game,
            your_turn: true,
            tries,
            seconds: match self.budget {
                Budget::Time(time) | Budget::Within(time) => Some(time.as_secs_f64()),
                Budget::Usual | Budget::Nodes(_) => None,
            },
            nodes: match self.budget {
                Budget::Nodes(nodes) => Some(nodes),
                Budget::Usual | Budget::Within(_) | Budget::Time(_) => None,
            },
            clock: self.clock.map(|clock| clock.as_secs_f64()),
        };
        let begun = Instant::now();
        let Some(line) = self.program.ask(&question, self.answer_timeout) else {
            return SeatAnswer::Gone;
        };
        if let Budget::Time(time) = &mut self.budget {
            *time = time.saturating_sub(begun.elapsed());
        }
        self.answered = true;
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
        self.program.say(&Refused {
            game: &self.game,
            refused: why.to_string(),
        });
    }
}

/// A seat of a program at a club. If the program can play no more, the player panics without a
/// message, because [`Program::fault`] has it.
#[derive(Debug)]
pub struct ProgramPlayer(pub ProgramSeat);

impl Player for ProgramPlayer {
    fn open(&mut self, opening: &SeatOpening<'_>) {
        opening.game.clone_into(&mut self.0.game);
        let clock = opening
            .clock
            .map(|(initial, increment)| ClockLine { initial, increment });
        self.0
            .new_game(opening.color, opening.start, opening.choices, clock);
    }

    fn set_clock(&mut self, left: Duration) {
        self.0.clock = Some(left);
    }

    fn hear(&mut self, heard: &Heard) {
        self.0.hear(heard);
    }

    fn begin_turn(&mut self, budget: Budget) {
        self.0.begin_turn(budget);
    }

    fn attempt(&mut self, view: &PlayerView, tries: &[Try]) -> Attempt {
        self.0.end_event();
        if self.0.answered {
            self.0.refused(&"the club refused your last attempt");
        }
        for _ in 0..MAX_REFUSALS_PER_TURN {
            match self.0.answer(view, tries) {
                SeatAnswer::Attempt(attempt) => return attempt,
                SeatAnswer::Unreadable { why, .. } => self.0.refused(&why),
                SeatAnswer::Gone | SeatAnswer::Panicked => {
                    std::panic::resume_unwind(Box::new("the program is gone"))
                }
            }
        }
        Attempt::Resign
    }
}

impl Drop for ProgramSeat {
    fn drop(&mut self) {
        // What is heard last, as the end of the game.
        self.end_event();
        self.program.say(&EndGame {
            end_game: &self.game,
        });
        if let Some(idle) = &self.idle
            && self.program.is_ready()
        {
            idle.lock().push(Arc::clone(&self.program));
        }
    }
}
