//! Tests of the full screen, in tmux.

use std::{
    process::{Command, Output},
    thread,
    time::{Duration, Instant},
};

use crate::{
    club::Club,
    ends::{Folder, LONG, Pair},
};

/// Terminals that are closed when the test ends.
struct Tmux {
    folder: Folder,
}

impl Tmux {
    fn run(&self, words: &[&str]) -> Output {
        let mut command = Command::new("tmux");
        command.arg("-S").arg(self.folder.path().join("tmux"));
        command
            .args(["-f", "/dev/null"])
            .args(words)
            .output()
            .unwrap()
    }

    /// Opens a terminal of this size, in which a command runs.
    fn open(&self, name: &str, width: u16, height: u16, command: &Command) {
        let mut words: Vec<String> = ["new-session", "-d", "-s", name, "-x"]
            .map(str::to_owned)
            .to_vec();
        words.extend([
            width.to_string(),
            "-y".to_owned(),
            height.to_string(),
            "env".to_owned(),
        ]);
        for (key, value) in command.get_envs() {
            if let Some(value) = value {
                words.push(format!(
                    "{}={}",
                    key.to_string_lossy(),
                    value.to_string_lossy()
                ));
            }
        }
        words.push(command.get_program().to_string_lossy().into_owned());
        words.extend(
            command
                .get_args()
                .map(|word| word.to_string_lossy().into_owned()),
        );
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let opened = self.run(&words);
        assert!(opened.status.success(), "{opened:?}");
    }

    fn screen(&self, name: &str) -> String {
        let seen = self.run(&["capture-pane", "-p", "-t", name]).stdout;
        String::from_utf8_lossy(&seen).into_owned()
    }

    /// Waits for a screen that contains all these texts.
    fn sees(&self, name: &str, parts: &[&str]) -> String {
        let begun = Instant::now();
        loop {
            let screen = self.screen(name);
            if parts.iter().all(|part| screen.contains(part)) {
                // The screen may have been captured while it was drawn, so
                // check it again.
                thread::sleep(Duration::from_millis(60));
                if self.screen(name) == screen {
                    return screen;
                }
            }
            let late = begun.elapsed() > LONG;
            assert!(!late, "{name} does not see {parts:?}:\n{screen}");
            thread::sleep(Duration::from_millis(50));
        }
    }

    fn types(&self, name: &str, keys: &[&str]) {
        let words = ["send-keys", "-t", name];
        let words: Vec<&str> = words.iter().chain(keys).copied().collect();
        assert!(self.run(&words).status.success());
    }
}

impl Drop for Tmux {
    fn drop(&mut self) {
        let _ended = self.run(&["kill-server"]);
    }
}

#[test]
fn two_players_play_a_game_on_full_screens() {
    let tmux = Tmux {
        folder: Folder::new(),
    };
    let pair = Pair::new();
    tmux.open("anna", 80, 24, &pair.command("anna", &["-w"], "bert"));
    let screen = tmux.sees("anna", &["anna waits for bert", "key: abcde-"]);
    assert!(!screen.contains("R N B"), "{screen}");
    tmux.open("bert", 50, 30, &pair.command("bert", &["-r"], "anna"));
    let screen = tmux.sees(
        "anna",
        &["1  R N B Q K B N R", "your move", "bert is here."],
    );
    assert!(
        screen.starts_with("White: anna, Black: bert; your move"),
        "{screen}"
    );
    assert!(!screen.contains("r n b"), "{screen}");
    let screen = tmux.sees("bert", &["1  r n b k q b n r", "anna is to move"]);
    assert!(!screen.contains("R N B"), "{screen}");

    // A wrong letter is deleted. Then the screen shows the move and the side to move.
    tmux.types("anna", &["p-k44"]);
    tmux.sees("anna", &["> p-k44"]);
    tmux.types("anna", &["BSpace", "Enter"]);
    tmux.sees(
        "anna",
        &["4  . . . . P . . .", "You play e2e4.", "bert is to move"],
    );
    tmux.sees("bert", &["White has moved.", "your move"]);
    // On the rotated board, the pawn in front of Black's queen goes from e2 to e4.
    tmux.types("bert", &["e2-e4", "Enter"]);
    tmux.sees("bert", &["4  . . . . p . . .", "You play e2e4."]);
    tmux.types("anna", &["pxq5", "Enter"]);
    tmux.sees("bert", &["4  . . . . . . . .", "on e4 is gone"]);
    // Control-L draws the screen again.
    let before = tmux.screen("anna");
    tmux.types("anna", &["C-l"]);
    thread::sleep(Duration::from_millis(200));
    assert_eq!(tmux.screen("anna"), before);
    tmux.types("bert", &["resign", "Enter"]);
    for name in ["anna", "bert"] {
        // The program closes the screen and restores the terminal.
        let begun = Instant::now();
        while tmux.run(&["has-session", "-t", name]).status.success() {
            assert!(begun.elapsed() < LONG, "{}", tmux.screen(name));
            thread::sleep(Duration::from_millis(50));
        }
    }
    // The guest views the record with the command that the last line proposed.
    let kept = std::fs::read_dir(pair.kept("bert", "anna")).unwrap();
    let mut kept = kept.map_while(Result::ok).map(|file| file.path());
    let whole = kept.find(|path| path.extension().is_some_and(|end| end == "pgn"));
    let mut view = Command::new(env!("CARGO_BIN_EXE_kriegspiel"));
    view.args(["view", "--ascii"]).arg(whole.unwrap());
    tmux.open("view", 120, 40, &view);
    let heads = ["White's board", "The umpire's board", "Black's board"];
    tmux.sees("view", &heads);
    tmux.types("view", &["End"]);
    tmux.sees("view", &["Black resigns"]);
    tmux.types("view", &["q"]);
}

/// At a club the screen looks the same as without a club. The password is not visible.
#[test]
fn password_is_requested_before_the_full_screen_opens() {
    let tmux = Tmux {
        folder: Folder::new(),
    };
    let club = Club::open();
    let [_, bert] = ["anna", "bert"].map(|name| club.account(name));
    let anna = club.command("", &["--name", "anna", "-w"], "bert");
    tmux.open("anna", 80, 24, &anna);
    tmux.sees("anna", &["Password of anna:"]);
    tmux.types("anna", &["a long one", "Enter"]);
    let screen = tmux.sees("anna", &["anna waits for bert", "bert is offered ks"]);
    assert!(!screen.contains("a long one"), "{screen}");
    let mut bert = club.end(&bert, &["-d"], "anna");
    tmux.sees(
        "anna",
        &["1  R N B Q K B N R", "your move", "bert is here."],
    );
    tmux.types("anna", &["e4", "Enter"]);
    tmux.sees("anna", &["4  . . . . P . . .", "bert is to move"]);
    bert.hears("White has moved.");
    let screen = tmux.sees("anna", &["Black to move."]);
    assert!(!screen.contains("r n b"), "{screen}");

    // A guest's link is on one line, so that the user can copy it.
    tmux.open("guest", 80, 24, &club.command("", &[], "carl"));
    let screen = tmux.sees("guest", &["/invitation/"]);
    let line = screen.lines().find(|line| line.contains("/invitation/"));
    let link = line.and_then(|line| line.split(' ').next()).unwrap();
    let (_, code) = link.split_once("/invitation/").unwrap();
    assert!(link.starts_with("http://") && code.len() == 32, "{screen}");
}

#[test]
fn a_window_may_change_its_size() {
    let tmux = Tmux {
        folder: Folder::new(),
    };
    let pair = Pair::new();
    tmux.open("anna", 80, 24, &pair.command("anna", &["-w"], "bert"));
    tmux.sees("anna", &["key: abcde-"]);
    let _bert = pair.bert(&["-d"]);
    tmux.sees("anna", &["1  R N B Q K B N R"]);
    for (width, height) in [("40", "24"), ("200", "60"), ("20", "8"), ("80", "24")] {
        tmux.run(&["resize-window", "-t", "anna", "-x", width, "-y", height]);
        let own = if height == "8" {
            "8  . . ."
        } else {
            "1  R N B Q K B N"
        };
        tmux.sees("anna", &[own, ">"]);
    }
    tmux.types("anna", &["help", "Enter"]);
    // A text longer than the window is shown from its first line.
    tmux.sees("anna", &["Type a move, in any", "-- more: PageDown --"]);
    tmux.types("anna", &["NPage"]);
    tmux.sees("anna", &["castling; or move", "command continues it"]);
    tmux.types("anna", &["PPage"]);
    tmux.sees("anna", &["Type a move, in any", "-- more: PageDown --"]);
    tmux.types("anna", &["quit", "Enter"]);
    let begun = Instant::now();
    while tmux.run(&["has-session", "-t", "anna"]).status.success() {
        assert!(begun.elapsed() < LONG);
        thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn terminated_ks_restores_the_terminal() {
    let tmux = Tmux {
        folder: Folder::new(),
    };
    let pair = Pair::new();
    let ks = pair.command("anna", &["-w"], "bert");
    let mut shell = Command::new("sh");
    shell.args(["-c", "\"$@\"; echo ended $?; stty -a; sleep 1000", "sh"]);
    shell.arg(ks.get_program()).args(ks.get_args());
    for (key, value) in ks.get_envs() {
        if let Some(value) = value {
            shell.env(key, value);
        }
    }
    tmux.open("anna", 80, 24, &shell);
    tmux.sees("anna", &["anna waits for bert", "key: abcde-"]);
    let pid = tmux.run(&["display-message", "-p", "-t", "anna", "#{pane_pid}"]);
    let pid = String::from_utf8_lossy(&pid.stdout).trim().to_owned();
    let children = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children"));
    let child = children.unwrap().trim().to_owned();
    let killed = Command::new("kill").args(["-TERM", &child]).status();
    assert!(killed.unwrap().success());
    let screen = tmux.sees("anna", &["You leave ", "ended 0", "icanon"]);
    assert!(!screen.contains("-icanon"), "{screen}");
}

/// With -d, Control-L shows the board at once, without Enter. On a full screen
/// the last screen stays in the terminal, and a small window gets a warning.
#[test]
fn control_l_redraws_at_once_and_last_screen_stays() {
    let tmux = Tmux {
        folder: Folder::new(),
    };
    let pair = Pair::new();
    let ks = pair.command("anna", &["-w"], "bert");
    let mut shell = Command::new("sh");
    shell.args(["-c", "\"$@\"; echo ended $?; sleep 1000", "sh"]);
    shell.arg(ks.get_program()).args(ks.get_args());
    for (key, value) in ks.get_envs() {
        if let Some(value) = value {
            shell.env(key, value);
        }
    }
    tmux.open("anna", 80, 40, &shell);
    tmux.sees("anna", &["key: abcde-"]);
    tmux.open("bert", 80, 60, &pair.command("bert", &["-d"], "anna"));
    const HOME: &str = "8  r n b k q b n r";
    tmux.sees("bert", &[HOME, "White to move."]);
    tmux.types("bert", &["say h", "C-l"]);
    let begun = Instant::now();
    while tmux.screen("bert").matches(HOME).count() < 2 {
        assert!(begun.elapsed() < LONG, "{}", tmux.screen("bert"));
        thread::sleep(Duration::from_millis(20));
    }
    // The text before Control-L is kept.
    tmux.types("bert", &["ello", "Enter"]);
    tmux.sees("anna", &["1  R N B Q K B N R", "bert says: hello"]);
    tmux.run(&["resize-window", "-t", "anna", "-x", "28", "-y", "40"]);
    tmux.sees("anna", &["Too small: 30x17 needed"]);
    tmux.run(&["resize-window", "-t", "anna", "-x", "80", "-y", "40"]);
    tmux.sees("anna", &["White: anna, Black: bert; your move"]);
    tmux.types("anna", &["e4", "Enter"]);
    tmux.sees("anna", &["4  . . . . P . . .", "bert is to move"]);
    tmux.types("anna", &["resign", "Enter"]);
    let last = ["4  . . . . P . . .", "White resigns: Black wins", "ended 0"];
    let screen = tmux.sees("anna", &last);
    assert!(!screen.contains("r n b"), "{screen}");
}
