//! Tests of `kriegspiel play` and `kriegspiel view` in a real terminal (tmux),
//! at two sizes.

use std::{fs, net::UdpSocket, path::Path, process::Command};

use crate::running::{Folder, Running};
use crate::tmux::Pane;

const SMALL: (u16, u16) = (80, 24);
const LARGE: (u16, u16) = (200, 60);

/// Waits until White's first move is made and it is the user's turn.
fn begun(pane: &Pane) {
    pane.until("White to move.");
    pane.until("Your turn");
}

#[test]
fn game_with_a_refused_try_and_a_resignation_is_played() {
    let pane = Pane::start(SMALL, &["play", "random", "--color", "white"]);
    begun(&pane);
    assert!(pane.screen().contains("| you may castle: both sides"));
    // The answer to a text that is not understood is shown completely.
    pane.type_line("castle now");
    pane.until("or `quit`.");
    // A slip is asked back, and a second Enter sends it.
    pane.type_line("a1a8");
    pane.until("fits no try");
    pane.key("Enter");
    // The man is back on its square, the target is marked, and the reason is given in words.
    pane.until("Your own men cannot do that");
    let screen = pane.still();
    assert!(screen.contains("No: a1a8."), "{screen}");
    assert!(
        screen.lines().any(|row| row.starts_with("      x ")),
        "{screen}"
    );
    pane.type_line("Nf3");
    pane.until("You play g1f3.");
    pane.until("2. White (you)");
    pane.type_line("P-K4");
    pane.until("You play e2e4.");
    pane.until("3. White (you)");
    pane.key("F9");
    pane.until("Resign? Your opponent wins.");
    pane.key("n");
    pane.until_gone("Resign? Your opponent wins.");
    pane.type_line("resign");
    pane.until("y: yes");
    pane.key("y");
    pane.until("White resigns");
    // The finished game is shown, including the refused try.
    let end = pane.until("F11 Look back Control-S Save");
    assert!(!end.contains("may castle"), "{end}");
    pane.key("F11");
    pane.key("Right");
    let back = pane.until("White says a1a8");
    for whole in ["you (White) against random", "0-1.", "q Back"] {
        assert!(back.contains(whole), "{whole}: {back}");
    }
    pane.key("q");
    pane.key("F10");
    pane.until("you are Black");
    pane.until("1. White");
    pane.quit();
}

#[test]
fn arrow_keys_clicks_and_drags_make_moves_in_a_large_window() {
    let pane = Pane::start(LARGE, &["play", "random", "--color", "white", "--ascii"]);
    begun(&pane);
    // The first key shows the cursor on e2.
    pane.keys(&["Up", "Enter", "Up", "Up", "Enter"]);
    pane.until("You play e2e4.");
    pane.until("2. White (you)");
    // At this size a square has twelve columns and six rows. These are
    // positions within d2 and d3.
    let (d2, d3) = (
        (3 + 3 * 12 + 6, 1 + 6 * 6 + 3),
        (3 + 3 * 12 + 6, 1 + 5 * 6 + 3),
    );
    pane.click(d2);
    pane.click(d3);
    pane.until("You play d2d3.");
    pane.until("3. White (you)");
    let (c2, c3) = (
        (3 + 2 * 12 + 6, 1 + 6 * 6 + 3),
        (3 + 2 * 12 + 6, 1 + 5 * 6 + 3),
    );
    pane.drag(c2, c3);
    pane.until("You play c2c3.");
    pane.quit();
}

#[test]
fn screen_survives_resize_redraw_and_suspension() {
    let pane = Pane::start(
        SMALL,
        &["play", "random", "--color", "white", "--theme", "mono"],
    );
    begun(&pane);
    let small = pane.still();
    pane.resize(LARGE);
    pane.until("nnn");
    let large = pane.still();
    assert!(large.lines().any(|row| row.len() > 100), "{large}");
    pane.resize((40, 10));
    pane.until("The window is too small");
    pane.resize(SMALL);
    pane.until("may castle");
    assert_eq!(pane.still(), small);
    // Another program writes on the screen.
    pane.scribble("SCRIBBLE");
    pane.until("SCRIBBLE");
    pane.key("C-l");
    pane.until_gone("SCRIBBLE");
    assert_eq!(pane.still(), small);
    // While the program is suspended, the shell is visible. Afterwards the screen is
    // visible again.
    pane.key("C-z");
    pane.until("shell$");
    pane.until_gone("may castle");
    pane.type_line("echo awake-$((40+2))");
    pane.until("awake-42");
    pane.type_line("fg");
    pane.until("may castle");
    assert_eq!(pane.still(), small);
    pane.quit();
    // The terminal is restored: typed text is shown, and the shell answers.
    pane.type_line("echo after-$((6*7))");
    pane.until("after-42");
    assert!(pane.screen().contains("echo after-$((6*7))"));
}

#[test]
fn missing_terminal_is_reported_without_output() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kriegspiel"));
    crate::running::plain(&mut command);
    let output = command.arg("play").output().expect("the program starts");
    assert!(!output.status.success() && output.stdout.is_empty());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("standard output is not a terminal"), "{said}");
}

#[test]
fn without_arguments_the_club_is_offered_and_opened() {
    let folder = Folder::new();
    let pane = Pane::start(LARGE, &["--version"]);
    let no_desktop = "env -u DISPLAY -u WAYLAND_DISPLAY";
    let (data, program) = (folder.file(), env!("CARGO_BIN_EXE_kriegspiel"));
    pane.type_line(&format!(
        "export KRIEGSPIEL_DATA={} KRIEGSPIEL_LISTEN=127.0.0.1:0",
        data.display()
    ));
    pane.type_line(&format!("clear; {no_desktop} {program}"));
    let offer = pane.until("Press Enter to open the club");
    let lines: Vec<&str> = offer.lines().filter(|line| !line.is_empty()).collect();
    assert!(
        lines.len() == 6 && lines[1].contains("kriegspiel play"),
        "{offer}"
    );
    pane.key("Enter");
    pane.until("The club is open at http://127.0.0.1:");
    let has_network = UdpSocket::bind("0.0.0.0:0").and_then(|socket| socket.connect("192.0.2.1:9"));
    if has_network.is_ok() {
        pane.until("Friends on the same network: kriegspiel serve --listen ");
    }
    pane.key("C-c");
    pane.until("shell$");
}

#[test]
fn color_option_is_refused_for_two_players() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kriegspiel"));
    crate::running::plain(&mut command);
    let output = command.args(["play", "--two", "--color", "black"]).output();
    let output = output.expect("the program starts");
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("both sides are played here"), "{said}");
}

#[test]
fn terminal_is_restored_after_a_signal() {
    let pane = Pane::start(SMALL, &["play", "random", "--color", "white"]);
    begun(&pane);
    pane.key("C-z");
    pane.until("shell$");
    pane.until_gone("may castle");
    // The program is resumed. At the same time it gets a signal to end.
    pane.type_line("kill %1; fg; echo after-$((6*7))");
    pane.until("after-42");
    pane.type_line("echo seen-$((40+3))");
    pane.until("seen-43");
    assert!(pane.screen().contains("echo seen-$((40+3))"));
}

/// Two players use one screen, without an umpire. The arrow key recalls only what the same player
/// typed, and the scroll-back buffer is empty.
#[test]
fn players_at_one_screen_recall_only_their_own_lines() {
    let pane = Pane::start(SMALL, &["referee", "--rules", "wild16", "--two"]);
    let cover = pane.until("It is White's turn.");
    assert!(!cover.contains("a b c"), "{cover}");
    pane.key("Enter");
    pane.until("White >");
    pane.type_line("e4");
    pane.until("Press Enter to hide the screen.");
    pane.key("Enter");
    pane.until("It is Black's turn.");
    for sign in ["e4", "a b c", "moved", "White >"] {
        assert!(
            !pane.with_history().contains(sign),
            "{sign}: {}",
            pane.still()
        );
    }
    pane.key("Enter");
    pane.until("Black >");
    pane.key("Up");
    pane.type_line("d5");
    pane.until("You play d7d5.");
    assert!(!pane.with_history().contains("e4"), "{}", pane.still());
    pane.key("Enter");
    pane.until("It is White's turn.");
    pane.key("Enter");
    pane.until("White >");
    pane.key("Up");
    pane.until("White > e4");
    pane.key("C-c");
    pane.until("The game is not saved");
    pane.key("C-c");
    pane.until("shell$");
    assert!(!pane.with_history().contains("e4"), "{}", pane.still());
}

#[test]
fn players_at_one_terminal_never_see_each_others_boards() {
    let pane = Pane::start(SMALL, &["play", "--two", "--ascii"]);
    let cover = pane.until("It is White's turn.");
    assert!(!cover.contains("a   b   c"), "{cover}");
    pane.key("Space");
    pane.until("you are White");
    pane.type_line("e4");
    pane.until("Your move is made");
    pane.key("Enter");
    pane.until("It is Black's turn.");
    let cover = pane.still();
    for sign in ["e4", "P ", "a   b   c", "moved", "The umpire", "Log"] {
        assert!(!cover.contains(sign), "{sign}: {cover}");
    }
    // The scroll-back of the terminal contains nothing that White saw, either.
    assert!(!pane.with_history().contains("You play e2e4"));
    pane.key("Space");
    let black = pane.until("you are Black");
    assert!(
        black.contains("White has moved.") && !black.contains("You play e2e4"),
        "{black}"
    );
    pane.type_line("resign");
    pane.key("y");
    pane.until("Black resigns");
    pane.until("F11 Look back");
    pane.key("F11");
    pane.until("White against Black | wild16");
    pane.key("q");
    pane.until("Control-S Save");
    pane.key("C-c");
    pane.until("A finished game is not saved");
    pane.key("y");
    pane.until("shell$");
}

/// Returns a command that starts a club on the folder's file, with a bot that moves immediately.
fn club_at(folder: &Folder, address: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kriegspiel"));
    crate::running::plain(&mut command);
    command.args([
        "serve", "--listen", address, "--bots", "random", "--think", "0", "--data",
    ]);
    command.arg(folder.file());
    command
}

#[test]
fn a_game_in_a_club_goes_on_after_the_club_was_killed() {
    let folder = Folder::new();
    let mut club = Running::start(club_at(&folder, "127.0.0.1:0"), &folder);
    let address = club.address.to_string();
    let url = format!("http://{address}");
    let pane = Pane::start(LARGE, &["play", "--url", &url, "--color", "white"]);
    pane.until("Challenge random");
    pane.type_line("challenge random");
    begun(&pane);
    pane.type_line("e4");
    pane.until("2. White (you)");
    club.kill();
    pane.until("NO CONNECTION");
    let _club = Running::start(club_at(&folder, &address), &folder);
    pane.until("Connected again.");
    pane.until_gone("NO CONNECTION");
    pane.type_line("d4");
    pane.until("3. White (you)");
    let screen = pane.still();
    // After the reconnection, each announcement is shown only once.
    assert_eq!(screen.matches("You play d2d4.").count(), 1, "{screen}");
    pane.quit();
}

#[test]
fn guesses_at_a_club_are_kept_until_the_game_ends() {
    let folder = Folder::new();
    let club = Running::start(club_at(&folder, "127.0.0.1:0"), &folder);
    let url = format!("http://{}", club.address);
    let token = crate::running::http::guest(club.address);
    let words = ["play", "--url", &url, "--token", &token, "--color", "white"];
    let pane = Pane::start(SMALL, &words);
    pane.until("Challenge random");
    for (line, words) in [
        ("finger random", "Ratings (deviation)"),
        ("history random", "No finished games."),
        ("best ks", "Nobody has a rating"),
    ] {
        pane.type_line(line);
        pane.until(words);
        pane.key("Escape");
        pane.until_gone(words);
    }
    pane.type_line("challenge random");
    begun(&pane);
    pane.keys(&["Up", "C-p", "n"]);
    pane.until("1 guessed");
    pane.quit();
    let kept = pane.state().join("kriegspiel/play");
    let kept = kept.join(club.address.to_string().replace(':', "_"));
    let files = || fs::read_dir(&kept).expect("the club has a folder").count();
    assert_eq!(files(), 1);

    let program = env!("CARGO_BIN_EXE_kriegspiel");
    pane.type_line(&format!("clear; {program} {}", words.join(" ")));
    pane.until("Continue against random");
    pane.keys(&["Home", "Enter"]);
    begun(&pane);
    pane.until("1 guessed");
    pane.type_line("resign");
    pane.until("y: yes");
    pane.key("y");
    pane.until("White resigns");
    pane.quit();
    assert_eq!(files(), 0, "the guesses of a finished game must be deleted");
}

#[test]
fn view_shows_three_boards_or_one() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let game = root.join("examples/castling.txt");
    let file = game.display().to_string();
    let pane = Pane::start(LARGE, &["view", &file, "--ascii"]);
    let wide = pane.until("The game opens.");
    for head in [
        "White's board",
        "The umpire's board",
        "Black's board",
        "Black hears",
    ] {
        assert!(wide.contains(head), "{head}: {wide}");
    }
    pane.key("End");
    pane.until_gone("The game opens.");
    pane.resize(SMALL);
    pane.until_gone("White's board");
    pane.until("The umpire's board");
    pane.key("Tab");
    let narrow = pane.until("Black's board");
    assert!(narrow.contains("q Quit"), "{narrow}");
    pane.key("Home");
    pane.until("The game opens.");
    pane.key("q");
    pane.until("shell$");
}

#[test]
fn view_opens_printed_scores_several_files_and_folders() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let score = root.join("examples/hayes-juhasz-1971-score.txt");
    let castling = root.join("examples/castling.txt");
    let folder = Folder::new();
    for (name, from) in [("a.txt", &castling), ("b.txt", &score)] {
        fs::copy(from, folder.path().join(name)).unwrap();
    }
    let article = "Games\n\nPlayed at a club in 1971.\n\n \
        1. P-KB4     P-KB3     3. P-KN3     K-B2\n \
        2. N-KB3     P-QB3     4. B-R3      P-K3\n\nNote the careful preparations.\n";
    let page = folder.path().join("c.txt");
    fs::write(&page, article).unwrap();
    let [score, castling, all] =
        [&score, &castling, &folder.path().to_path_buf()].map(|path| path.display().to_string());
    let page = page.display().to_string();
    for (args, last) in [
        (
            &["view", &score, "--rules", "cincinnati"][..],
            "Step 0 of 112",
        ),
        (&["view", &page, "--rules", "cincinnati"][..], "Step 0 of 8"),
        (
            &[
                "view",
                &castling,
                &page,
                "--rules",
                "cincinnati",
                "--game",
                "2",
            ],
            "Step 0 of 8",
        ),
        (
            &["view", &all, "--rules", "cincinnati", "--game", "3"],
            "Step 0 of 8",
        ),
        (
            &["view", &castling, &castling, "--game", "2"],
            "Step 0 of 6",
        ),
    ] {
        let pane = Pane::start(LARGE, &[args, &["--ascii"]].concat());
        pane.until("The game opens.");
        pane.until(last);
        pane.key("q");
        pane.until("shell$");
    }
}

#[test]
fn key_b_shows_what_each_player_could_know() {
    let folder = Folder::new();
    let file = folder.path().join("game.txt");
    let game = "title   The first moves\nrules   wild16\nsource  ICC\n\n\
        attempt | white | black | room\nwhite e2e4\nblack d7d5\nblack resign\n";
    fs::write(&file, game).unwrap();
    let pane = Pane::start(LARGE, &["view", &file.display().to_string(), "--ascii"]);
    pane.until("The game opens.");
    pane.key("b");
    let first = pane.until("White could know: 1 position");
    assert!(first.contains("The king is on e8."), "{first}");
    pane.key("Right");
    pane.key("Right");
    let second = pane.until("White could know: 2 positions");
    assert!(second.contains("50"), "{second}");
    pane.key("b");
    pane.until("Black could know:");
    pane.key("b");
    pane.until("The umpire's board");
    pane.key("q");
    pane.until("shell$");
}

#[test]
fn played_game_is_saved_and_viewed() {
    let folder = Folder::new();
    let file = folder.path().join("mine.pgn").display().to_string();
    let pane = Pane::start(SMALL, &["play", "random", "--color", "white"]);
    begun(&pane);
    pane.type_line("e2e5");
    pane.until("fits no try");
    pane.key("Enter");
    pane.until("No: e2e5.");
    pane.type_line("resign");
    pane.key("y");
    pane.until("White resigns");
    pane.type_line(&format!("save {file}"));
    pane.until("Saved:");
    pane.type_line(&format!("save {file}"));
    pane.until("already exists: choose");
    // The game is saved, so the program asks no question.
    pane.key("C-c");
    pane.until("shell$");
    let saved = fs::read_to_string(&file).unwrap();
    assert!(saved.contains("e5"));
    // White has the login name of the user, or `player-1`.
    assert!(!saved.contains("guest"), "{saved}");
    assert!(saved.contains("[Black \"random\"]"), "{saved}");
    let pane = Pane::start(SMALL, &["view", &file]);
    pane.key("Right");
    pane.until("White says e2e5");
    pane.key("q");
    pane.until("shell$");
}
