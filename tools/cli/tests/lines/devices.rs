//! Tests of `kriegspiel teletype` at two devices. A connection breaks and is restored;
//! the command is killed, and started again with its file.

use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use crate::running::{Folder, plain};

/// Timeout of the tests, longer than any step takes on a busy machine.
const LONG: Duration = Duration::from_secs(60);

/// Two ports. Each is a link to the terminal of a tmux session.
struct Ports {
    folder: Folder,
}

impl Ports {
    fn tmux(&self, words: &[&str]) -> String {
        let done = Command::new("tmux")
            .arg("-S")
            .arg(self.folder.path().join("tmux"))
            .args(words)
            .output();
        let done = done.unwrap_or_else(|error| panic!("tmux: {error}: run `cargo xtask setup`"));
        String::from_utf8(done.stdout).unwrap()
    }

    fn port(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Connects a new terminal to a port.
    fn plug(&self, name: &str) {
        let session = ["new-session", "-d", "-s", name, "-x", "80", "-y", "60"];
        self.tmux(&[&["-f", "/dev/null"][..], &session, &["sleep 1d"]].concat());
        let device = self.tmux(&["list-panes", "-t", name, "-F", "#{pane_tty}"]);
        symlink(Path::new(device.trim()), self.port(name)).unwrap();
    }

    /// Disconnects the terminal of a port.
    fn pull(&self, name: &str) {
        fs::remove_file(self.port(name)).unwrap();
        self.tmux(&["kill-session", "-t", name]);
    }

    fn types(&self, name: &str, line: &str) {
        self.tmux(&["send-keys", "-t", name, line, "Enter"]);
    }

    fn screen(&self, name: &str) -> String {
        self.tmux(&["capture-pane", "-p", "-t", name])
    }

    /// Waits until a text is visible this number of times.
    fn shows(&self, name: &str, text: &str, times: usize) {
        let begun = Instant::now();
        while self.screen(name).matches(text).count() < times {
            let late = begun.elapsed() > LONG;
            assert!(
                !late,
                "{name} does not show `{text}`: {}",
                self.screen(name)
            );
            sleep(Duration::from_millis(20));
        }
    }

    fn key(&self, name: &str) -> String {
        self.shows(name, "YOUR KEY IS", 1);
        let screen = self.screen(name);
        let (_, rest) = screen.split_once("YOUR KEY IS ").unwrap();
        rest.split_whitespace().next().unwrap().to_owned()
    }

    fn play(&self) -> Child {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kriegspiel"));
        plain(&mut command);
        command.args(["teletype", "--1965", "--data"]);
        command.arg(self.folder.file());
        command.args([self.port("one"), self.port("two")]);
        let quiet = command.stdin(Stdio::null()).stdout(Stdio::null());
        quiet.spawn().unwrap()
    }
}

impl Drop for Ports {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}

#[test]
fn game_continues_after_a_lost_port_and_a_kill() {
    const ASKS: &str = "DO YOU WANT INSTRUCTION Y/N";
    let ports = Ports {
        folder: Folder::new(),
    };
    ports.plug("one");
    ports.plug("two");
    let mut command = ports.play();
    ports.shows("one", ASKS, 1);
    ports.types("one", "n");
    ports.shows("one", "WAITING FOR THE OTHER TELETYPE", 1);
    ports.shows("two", ASKS, 1);
    ports.types("two", "n");
    ports.shows("one", "DO YOU PLAY WHITE Y/N", 1);
    ports.types("one", "y");
    let keys = ["one", "two"].map(|name| ports.key(name));
    ports.types("one", "k2 k4");
    ports.shows("two", "(BLACK TO MOVE)", 1);

    // The connection breaks. Then another terminal is connected to the same port.
    ports.pull("two");
    ports.shows("one", "THE OTHER TELETYPE IS GONE", 1);
    ports.plug("two");
    ports.shows("two", ASKS, 1);
    ports.types("two", &format!("join {}", keys[1]));
    ports.shows("two", "YOU ARE BACK. YOU PLAY BLACK", 1);
    ports.shows("two", "(BLACK TO MOVE)", 1);
    ports.shows("one", "THE OTHER TELETYPE IS BACK", 1);
    ports.types("two", "q2 q4");
    ports.shows("two", "(WHITE TO MOVE)", 1);

    // The command is killed and started again.
    command.kill().unwrap();
    command.wait().unwrap();
    let mut command = ports.play();
    for (name, key) in ["one", "two"].into_iter().zip(&keys) {
        ports.shows(name, ASKS, 2);
        ports.types(name, &format!("join {key}"));
    }
    ports.shows("one", "YOU ARE BACK. YOU PLAY WHITE", 1);
    ports.shows("two", "YOU ARE BACK. YOU PLAY BLACK", 2);
    ports.shows("two", "(WHITE TO MOVE)\n(PAWN TRY Q5)", 1);
    ports.types("one", "resign");
    for name in ["one", "two"] {
        ports.shows(name, "(WHITE RESIGNS: BLACK WINS, 0-1)", 1);
        ports.types(name, "y");
        ports.shows(name, "   1  K2 K4        Q2 Q4\n", 1);
        ports.shows(name, "GOOD BYE", 1);
    }
    let begun = Instant::now();
    while command.try_wait().unwrap().is_none() {
        assert!(
            begun.elapsed() < LONG,
            "both users have left, so the command should have ended"
        );
        sleep(Duration::from_millis(20));
    }
}

/// Ctrl-C ends the command. The users of both consoles are told.
#[test]
fn ctrl_c_is_announced_at_both_consoles() {
    let ports = Ports {
        folder: Folder::new(),
    };
    ports.plug("one");
    ports.plug("two");
    let mut command = ports.play();
    for name in ["one", "two"] {
        ports.shows(name, "DO YOU WANT INSTRUCTION Y/N", 1);
        ports.types(name, "n");
        let waits = ["WAITING FOR THE OTHER TELETYPE", "YOU HAVE JOINED"];
        ports.shows(name, waits[usize::from(name == "two")], 1);
    }
    ports.shows("one", "DO YOU PLAY WHITE Y/N", 1);
    let id = command.id().to_string();
    let sent = Command::new("kill").args(["-INT", &id]).status();
    assert!(sent.unwrap().success());
    for name in ["one", "two"] {
        ports.shows(name, "THE CLUB IS CLOSING", 1);
    }
    assert!(command.wait().unwrap().success());
}
