//! A separate terminal for each test: a tmux server with one pane, in which a
//! shell starts the built command.
#![allow(unreachable_pub, reason = "the module is a part of the test program")]

use std::{
    env,
    path::PathBuf,
    process::Command,
    thread,
    time::{Duration, Instant},
};

use tempfile::TempDir;

/// Longest time until an expected text is visible.
const WAIT_TIMEOUT: Duration = Duration::from_secs(60);

/// A pane. Dropping it closes its terminal.
pub struct Pane {
    /// Folder with the socket of tmux and the state of the programs in the pane.
    folder: TempDir,
}

impl Pane {
    /// Opens a terminal of this size, in which `kriegspiel` is started with
    /// these arguments.
    pub fn start((width, height): (u16, u16), words: &[&str]) -> Pane {
        let folder = TempDir::with_prefix("kriegspiel-tmux-");
        let pane = Pane {
            folder: folder.unwrap(),
        };
        let (width, height) = (width.to_string(), height.to_string());
        pane.ask(&[
            "-f",
            "/dev/null",
            "new-session",
            "-d",
            "-x",
            &width,
            "-y",
            &height,
            "env",
            "PS1=shell$ ",
            "LC_ALL=C.UTF-8",
            "ENV=",
            "bash",
            "--norc",
            "--noprofile",
            "-i",
        ]);
        pane.ask(&["set-option", "-g", "window-size", "manual"]);
        pane.until("shell$");
        let mut line = env!("CARGO_BIN_EXE_kriegspiel").to_owned();
        for word in words {
            line.push_str(&format!(" '{word}'"));
        }
        // `clear` removes the typed command from the screen before the program starts.
        pane.type_line(&format!("clear; {line}"));
        pane
    }

    fn ask(&self, words: &[&str]) -> String {
        let mut command = Command::new("tmux");
        command.env_remove("TMUX").env("LC_ALL", "C.UTF-8");
        for (name, _) in env::vars_os() {
            if name.to_string_lossy().starts_with("KRIEGSPIEL_") {
                command.env_remove(name);
            }
        }
        command.env_remove("NO_COLOR").env_remove("COLORFGBG");
        // The tests must not store anything in the home folder of the person who runs
        // them.
        command.env("XDG_STATE_HOME", self.state());
        let output = command
            .arg("-S")
            .arg(self.socket())
            .args(words)
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "tmux {words:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Returns the folder in which programs of this pane store their state.
    pub fn state(&self) -> PathBuf {
        self.folder.path().join("state")
    }

    fn socket(&self) -> PathBuf {
        self.folder.path().join("socket")
    }

    /// Returns the visible text.
    pub fn screen(&self) -> String {
        self.ask(&["capture-pane", "-p"])
    }

    /// Returns the visible text and the scroll-back.
    pub fn with_history(&self) -> String {
        self.ask(&["capture-pane", "-p", "-S", "-"])
    }

    /// Waits until the visible text no longer changes, and returns it.
    pub fn still(&self) -> String {
        let mut before = self.screen();
        loop {
            thread::sleep(Duration::from_millis(300));
            let now = self.screen();
            if now == before {
                return now.trim_end().to_owned();
            }
            before = now;
        }
    }

    fn wait(&self, what: &str, is_so: impl Fn(&str) -> bool) -> String {
        let end = Instant::now() + WAIT_TIMEOUT;
        loop {
            let screen = self.screen();
            if is_so(&screen) {
                // The screen may have been captured while it was drawn, so
                // check it again.
                thread::sleep(Duration::from_millis(60));
                if self.screen() == screen {
                    return screen;
                }
            }
            assert!(Instant::now() < end, "{what}, but there is:\n{screen}");
            thread::sleep(Duration::from_millis(30));
        }
    }

    /// Waits until this text is visible.
    pub fn until(&self, text: &str) -> String {
        self.wait(&format!("`{text}` should be visible"), |screen| {
            screen.contains(text)
        })
    }

    /// Waits until this text is no longer visible.
    pub fn until_gone(&self, text: &str) -> String {
        self.wait(&format!("`{text}` should disappear"), |screen| {
            !screen.contains(text)
        })
    }

    /// Presses a key, given by its tmux name.
    pub fn key(&self, key: &str) {
        self.ask(&["send-keys", key]);
    }

    /// Presses keys.
    pub fn keys(&self, keys: &[&str]) {
        keys.iter().for_each(|key| self.key(key));
    }

    /// Types a line and Enter.
    pub fn type_line(&self, line: &str) {
        self.ask(&["send-keys", "-l", line]);
        self.key("Enter");
    }

    /// Clicks at a position. The click is sent as a terminal reports it.
    pub fn click(&self, at: (u16, u16)) {
        self.drag(at, at);
    }

    /// Presses the mouse button at one position and releases it at another.
    pub fn drag(&self, from: (u16, u16), to: (u16, u16)) {
        let report = |(x, y): (u16, u16), end: char| format!("\x1b[<0;{};{}{end}", x + 1, y + 1);
        self.ask(&["send-keys", "-l", &report(from, 'M')]);
        self.ask(&["send-keys", "-l", &report(to, 'm')]);
    }

    /// Changes the size of the window.
    pub fn resize(&self, (width, height): (u16, u16)) {
        let (width, height) = (width.to_string(), height.to_string());
        self.ask(&["resize-window", "-x", &width, "-y", &height]);
    }

    /// Writes on the terminal as another program would.
    pub fn scribble(&self, text: &str) {
        let tty = self.ask(&["display-message", "-p", "#{pane_tty}"]);
        let text = format!("\x1b[5;5H{text}");
        std::fs::write(tty.trim(), text).unwrap();
    }

    /// Ends the program, and waits for the shell.
    pub fn quit(&self) {
        self.key("C-c");
        let asked = self.wait("the program should end or ask a question", |screen| {
            screen.contains("y: yes") || screen.trim_end().ends_with("shell$")
        });
        if asked.contains("y: yes") {
            self.key("y");
        }
        self.until("shell$");
        self.wait("the shell should be visible", |screen| {
            screen.trim_end().ends_with("shell$")
        });
    }
}

impl Drop for Pane {
    fn drop(&mut self) {
        // The server may already have ended.
        let _gone = Command::new("tmux")
            .arg("-S")
            .arg(self.socket())
            .arg("kill-server")
            .output();
    }
}
