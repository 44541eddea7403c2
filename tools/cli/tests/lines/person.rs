//! A person at a door, represented by the bytes that are sent and received.

use std::{
    io::{self, Read, Write},
    net::TcpStream,
    process::{Child, Command, Stdio},
    sync::{Arc, Condvar, Mutex},
    thread,
    time::{Duration, Instant},
};

/// Timeout of the tests, longer than any step takes on a busy machine.
const LONG: Duration = Duration::from_secs(60);
/// Timeout of a person whose [`gives_up`](Person::gives_up) is true. After the timeout, the
/// connection counts as dead.
const SHORT: Duration = Duration::from_secs(20);

#[derive(Default)]
struct Came {
    text: String,
    ended: bool,
}

/// Error: the connection is dead.
#[derive(Debug)]
pub struct Dead;

/// A connection: a socket, or an `nc` process on another machine.
pub struct Person {
    types: Box<dyn Write + Send>,
    nc: Option<Child>,
    socket: Option<TcpStream>,
    came: Arc<(Mutex<Came>, Condvar)>,
    /// Number of bytes in which `finds` has already searched.
    seen: usize,
    /// If a text does not come in time: true means that the connection is dead, false means that
    /// the test fails.
    pub gives_up: bool,
}

impl Person {
    /// Connects from this machine.
    pub fn call(port: &str) -> Person {
        Person::try_call(port).unwrap()
    }

    /// Like [`call`](Person::call), but the server may be down.
    pub fn try_call(port: &str) -> io::Result<Person> {
        let socket = TcpStream::connect(format!("127.0.0.1:{port}"))?;
        socket.set_nodelay(true)?;
        let (reads, types) = (socket.try_clone()?, socket.try_clone()?);
        Ok(Person::over(reads, Box::new(types), None, Some(socket)))
    }

    /// Connects from another machine.
    pub fn call_from(through: &[String], address: &str, port: &str) -> Person {
        let (first, rest) = through.split_first().unwrap();
        let mut nc = Command::new(first)
            .args(rest)
            .args(["nc", address, port])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let (reads, types) = (nc.stdout.take().unwrap(), nc.stdin.take().unwrap());
        Person::over(reads, Box::new(types), Some(nc), None)
    }

    fn over(
        mut reads: impl Read + Send + 'static,
        types: Box<dyn Write + Send>,
        nc: Option<Child>,
        socket: Option<TcpStream>,
    ) -> Person {
        let came = Arc::<(Mutex<Came>, Condvar)>::default();
        let keeps = Arc::clone(&came);
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(n @ 1..) = reads.read(&mut buffer) {
                // Telnet commands are not text, and no test searches for them.
                let text = String::from_utf8_lossy(&buffer[..n]);
                keeps.0.lock().unwrap().text.push_str(&text);
                keeps.1.notify_all();
            }
            keeps.0.lock().unwrap().ended = true;
            keeps.1.notify_all();
        });
        Person {
            types,
            nc,
            socket,
            came,
            seen: 0,
            gives_up: false,
        }
    }

    /// Types a line. If the connection is dead, the line does not arrive.
    pub fn types(&mut self, line: &str) {
        let _dead = write!(self.types, "{line}\r\n").and_then(|()| self.types.flush());
    }

    /// Waits for a text. The search begins after the text that was found before. Returns
    /// the received text up to the end of the found text.
    pub fn finds(&mut self, text: &str) -> Result<String, Dead> {
        let longest = if self.gives_up { SHORT } else { LONG };
        match self.finds_within(longest, text)? {
            Some(found) => Ok(found),
            None if self.gives_up => Err(Dead),
            None => panic!("`{text}` is not heard: {}", &self.all()[self.seen..]),
        }
    }

    /// Like [`finds`](Person::finds), but returns `None` if the text does not come within this
    /// time.
    pub fn finds_within(&mut self, longest: Duration, text: &str) -> Result<Option<String>, Dead> {
        let begun = Instant::now();
        let (came, changed) = &*self.came;
        let mut came = came.lock().unwrap();
        loop {
            if let Some(at) = came.text[self.seen..].find(text) {
                let end = self.seen + at + text.len();
                let found = came.text[self.seen..end].to_owned();
                self.seen = end;
                return Ok(Some(found));
            }
            if came.ended {
                return Err(Dead);
            }
            let Some(left) = longest.checked_sub(begun.elapsed()) else {
                return Ok(None);
            };
            let waited = changed.wait_timeout(came, left.min(Duration::from_secs(1)));
            came = waited.unwrap().0;
        }
    }

    /// Like [`finds`](Person::finds), but the test fails if the connection is dead.
    pub fn hears(&mut self, text: &str) -> String {
        match self.finds(text) {
            Ok(found) => found,
            Err(Dead) => panic!("the connection died before `{text}` came: {}", self.all()),
        }
    }

    /// Returns the whole received text.
    pub fn all(&self) -> String {
        self.came.0.lock().unwrap().text.clone()
    }

    /// Signs in at the door for chess clients, in the same way as their programs.
    pub fn signs_in(&mut self, name: &str) -> Result<(), Dead> {
        self.finds("login: ")?;
        self.types(name);
        self.finds("password: ")?;
        self.types("secret-123");
        self.finds(&format!("session as {name} ****"))?;
        self.finds("ics% ")?;
        for (command, answer) in [("style 12", "Style 12 set."), ("iset ms 1", "ms set.")] {
            self.types(command);
            self.finds(answer)?;
        }
        Ok(())
    }

    /// Requests the board in style 12 (the format of chess servers), and returns it.
    pub fn board(&mut self) -> Result<Board, Dead> {
        self.types("refresh");
        self.finds("<12> ")?;
        let line = self.finds("\n")?;
        Ok(Board::read(&line))
    }
}

impl Drop for Person {
    fn drop(&mut self) {
        if let Some(socket) = &self.socket {
            let _gone = socket.shutdown(std::net::Shutdown::Both);
        }
        if let Some(nc) = &mut self.nc {
            let _gone = nc.kill();
            let _gone = nc.wait();
        }
    }
}

/// Fields of a board in style 12, the one-line format of chess servers.
#[derive(Clone, Debug)]
pub struct Board {
    /// Ranks, from the eighth to the first.
    pub ranks: Vec<String>,
    /// Number of completed moves.
    pub plies: usize,
    /// Sum of the time left to both players, in milliseconds.
    pub left: i64,
}

impl Board {
    /// Returns the last board in a text.
    pub fn last(text: &str) -> Option<Board> {
        let (_, line) = text.rsplit_once("<12> ")?;
        line.lines().next().map(Board::read)
    }

    fn read(line: &str) -> Board {
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = |at: usize| words[at].parse::<i64>().unwrap();
        let moves = usize::try_from(number(25)).unwrap();
        Board {
            ranks: words[..8].iter().map(|&rank| rank.to_owned()).collect(),
            plies: 2 * (moves - 1) + usize::from(words[8] == "B"),
            left: number(23) + number(24),
        }
    }
}
