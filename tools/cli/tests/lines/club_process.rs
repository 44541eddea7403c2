//! A server process with its doors.

use std::{
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
    thread,
};

use crate::running::{Folder, http, plain, words};

/// A running club. Dropping it kills the process.
pub struct ClubProcess {
    child: Child,
    url: String,
    pub ics: String,
    pub teletype: String,
}

impl ClubProcess {
    /// Opens the club over the folder's file. `through` is a command that comes
    /// before the program.
    #[allow(
        clippy::zombie_processes,
        reason = "the owner of the process waits for its end"
    )]
    pub fn open(folder: &Folder, through: &[String], at: &str, flags: &[&str]) -> ClubProcess {
        let program = env!("CARGO_BIN_EXE_kriegspiel");
        let mut command = match through.split_first() {
            None => Command::new(program),
            Some((first, rest)) => {
                let mut command = Command::new(first);
                command.args(rest).arg(program);
                command
            }
        };
        plain(&mut command);
        let door = format!("{at}:0");
        let mut child = command
            .args(words(&folder.file()))
            .args(["--ics", &door, "--teletype", &door])
            .args(flags)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut said = BufReader::new(child.stdout.take().unwrap());
        let (mut url, mut doors) = (String::new(), Vec::new());
        while doors.len() < 2 {
            let mut line = String::new();
            assert!(
                said.read_line(&mut line).unwrap() > 0,
                "the server ended early"
            );
            if let Some(rest) = line.strip_prefix("The club is open at http://") {
                url = rest.split(' ').next().unwrap().to_owned();
            }
            if let Some((_, port)) = line.split_once(&format!(": telnet {at} ")) {
                doors.push(port.trim().to_owned());
            }
        }
        // Keep reading, so that the server can print.
        thread::spawn(move || said.read_line(&mut String::new()));
        let [teletype, ics] = doors.try_into().unwrap();
        ClubProcess {
            child,
            url,
            ics,
            teletype,
        }
    }

    /// Creates an account.
    pub fn account(&self, name: &str) {
        let body = format!(r#"{{"name":"{name}","password":"secret-123"}}"#);
        let at = self.url.parse().unwrap();
        let (status, text) = http::ask(at, "POST", "/api/accounts", "", &body).unwrap();
        assert_eq!(status, 201, "{text}");
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Kills the process with SIGKILL, if it still runs, and waits for its end.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for ClubProcess {
    fn drop(&mut self) {
        let _dead = self.child.kill();
        let _dead = self.child.wait();
    }
}
