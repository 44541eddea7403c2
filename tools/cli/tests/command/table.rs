//! Tests of `kriegspiel referee` for a person at a table: takebacks, the file, the voice, and two
//! players at one screen.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    time::Duration,
};

use rules::{Ruleset, rulesets};
use stream::{self, Desk, Form, Piped, Settings, TableClock, TableSession};

use crate::program::{CAPTURE, kriegspiel, run};

fn settings(ruleset: &Ruleset, prompt: bool) -> Settings {
    let mut settings = Settings::new(ruleset.clone());
    settings.form = Form::Words { show: None, prompt };
    settings
}

/// Returns what is printed for these lines, without styles.
fn seen(ruleset: &Ruleset, input: &str) -> String {
    let mut output = anstream::StripStream::new(Vec::new());
    stream::run(input.as_bytes(), &mut output, &settings(ruleset, false)).unwrap();
    String::from_utf8(output.into_inner()).unwrap()
}

/// Returns everything that a listener is told, in order.
fn told(ruleset: &Ruleset, input: &str, listener: &str) -> Vec<String> {
    let text = seen(ruleset, input);
    text.lines()
        .filter_map(|line| line.strip_prefix("     "))
        .filter_map(|line| line.split_once("  "))
        .filter(|(who, said)| {
            let of = |name: &str| who.split(", ").any(|w| w.trim() == name);
            (of(listener) || of("all")) && said.trim() != "-"
        })
        .map(|(_, said)| said.trim().to_owned())
        .collect()
}

/// Returns an empty folder for the files of a test.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _absent = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn a_number_chooses_one_of_several_moves() {
    let text = seen(
        &rulesets::WILD16,
        "N-B3\n2\nblack N-B3\nblack 1\n1\ne5\n7\n",
    );
    for part in [
        "`N-B3` may mean b1c3 or g1f3: write the one you mean.\n      1  b1c3\n      2  g1f3\n",
        "  1  White g1f3: moved\n",
        "      1  b8c6\n      2  g8f6\n",
        // The menu is valid only for the next line. That line names a colour, so it does not choose
        // from the menu, and the menu is closed.
        "     black 1: not understood",
        "     1: not understood",
        "  2  Black e7e5: moved\n",
        "     7: not understood",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn a_target_square_chooses_one_of_several_moves() {
    let text = seen(&rulesets::WILD16, "N-B3\nf3\n");
    // The pawn can go to f3, too.
    let part = "     f3: not understood: `f3` may mean g1f3 or f2f3: write the one you mean.\n      1  g1f3\n      2  f2f3\n";
    assert!(text.contains(part), "{text}");
    let text = seen(&rulesets::WILD16, "f4\na6\nN-B3\nF3\nB-K2\n");
    assert!(text.contains("  3  White g1f3: moved\n"), "{text}");
}

#[test]
fn a_long_menu_fits_into_80_columns() {
    let text = seen(&rulesets::CINCINNATI, "PxP\n14\nPxP\nd3\n3\n");
    for part in [
        "     PxP: not understood: `PxP` may mean 14 moves.\n",
        "      1  a2b3     2  b2a3     3  b2c3     4  c2b3     5  c2d3     6  d2c3\n      7  d2e3",
        "  1  White h2g3: nonsense\n",
        "`d3` may mean c2d3, e2d3 or d2d3: write the one you mean.\n      1  c2d3\n",
        "  2  White d2d3: moved\n",
        "     Type the number or the target square, or write the move in another way.\n",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // Each line of the menu has at most 80 columns. A line with announcements may be longer.
    let menu = |line: &&str| line.starts_with("      ");
    assert!(
        text.lines().filter(menu).all(|line| line.len() <= 80),
        "{text}"
    );
}

#[test]
fn a_takeback_restores_the_game() {
    let played = format!("new {CAPTURE}\ne4d5\ne8e7\ntakeback 2\nboard\ne4f5\ne4d5\n");
    let text = seen(&rulesets::RAND, &played);
    for part in [
        "     takeback: these lines are void; only you see them:\n    1. White e4d5: moved\n    2. Black e8e7: moved\n",
        "all           Taken back: the last 2 announcements are void. White to move.",
        "5  . . . p . . . .",
        "  1  White e4f5: nonsense\n",
        "  2  White e4d5: moved\n",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let none = seen(
        &rulesets::RAND,
        "takeback\ne2e4\ntakeback 2\ntakeback x\ntakeback\ne2e4\n",
    );
    for part in [
        "Nothing is taken back: there is no line yet.",
        "Nothing is taken back: there is only 1 line.",
        "Not understood: write how many lines, as in `takeback 2`, or the first line, as in `takeback from 12`.",
        "     takeback: this line is void; only you see it:\n    1. White e2e4: moved\n",
        "  1  White e2e4: moved",
    ] {
        assert!(none.contains(part), "{part}: {none}");
    }
    // The end of a game can be taken back too.
    let over = seen(&rulesets::RAND, "resign\ntakeback\ne2e4\n");
    assert!(over.contains("White e2e4: moved"), "{over}");
}

/// Only an attempt that the referee has answered gets a number. A line that is refused or not
/// understood has no number. `takeback 2` takes back the attempts with the last two numbers.
#[test]
fn only_answered_attempts_are_numbered() {
    let text = seen(
        &rulesets::RAND,
        "e4\nblack d4\nrubbish\nwhite e5\ne5\nwithdraw-draw\nNf3\ntakeback from 2\nd5\ntakeback from 4\ntakeback from 0\nNc3\ntakeback 2\n",
    );
    let numbered: Vec<&str> = text
        .lines()
        .filter_map(|line| line.split_once(": ")?.0.strip_prefix("  "))
        .filter(|line| line.as_bytes().first().is_some_and(u8::is_ascii_digit))
        .collect();
    assert_eq!(
        numbered,
        [
            "1  White e2e4",
            "2  Black d7d4",
            "3  Black e7e5",
            "4  White g1f3",
            "2  Black d7d5",
            "3  White b1c3",
        ]
    );
    for part in [
        "     rubbish: not understood: ",
        "     White e4e5: refused: it is Black's turn.\n",
        "     White withdraw-draw: refused: White has no draw offer to withdraw.\n",
        "are void; only you see them:\n    2. Black d7d4: nonsense\n    3. Black e7e5: moved\n    4. White g1f3: moved\n",
        "Nothing is taken back: there is no line 4: the last line is 2.",
        "Nothing is taken back: there is no line 0: the last line is 2.",
        "are void; only you see them:\n    2. Black d7d5: moved\n    3. White b1c3: moved\n",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

/// A person who types `takeback 12` may mean line 12.
#[test]
fn long_takeback_must_be_typed_twice() {
    let typed = |lines: &str| {
        let mut output = anstream::StripStream::new(Vec::new());
        let settings = settings(&rulesets::RAND, true);
        stream::run(lines.as_bytes(), &mut output, &settings).unwrap();
        text(&output.into_inner())
    };
    let moves = "e4\ne5\nNf3\nNc6\nBc4\n";
    let once = typed(&format!("{moves}takeback 4\nmoves\n"));
    assert!(
        once.contains("This takes 4 lines back, from line 2 to line 5. Type `takeback 4` again")
            && once.contains("1. e2e4 e7e5 2. g1f3 b8c6 3. f1c4"),
        "{once}"
    );
    let other = typed(&format!("{moves}takeback 4\nagain\ntakeback 4\nmoves\n"));
    assert!(other.contains("3. f1c4"), "{other}");
    let twice = typed(&format!("{moves}takeback 4\ntakeback 4\nmoves\n"));
    assert!(twice.contains("     1. e2e4\n"), "{twice}");
    // Another large number is another command: it must be typed twice, too.
    let changed = typed(&format!("{moves}takeback 4\ntakeback 5\nmoves\n"));
    assert!(
        changed.contains("This takes 5 lines back") && changed.contains("3. f1c4"),
        "{changed}"
    );
    let back = typed(&format!(
        "{moves}takeback 4\ntakeback 5\ntakeback 4\nmoves\n"
    ));
    assert!(back.contains("3. f1c4"), "{back}");
    // After the first is done, the next one counts the lines that are left.
    let again = typed(&format!(
        "{moves}takeback 4\ntakeback 4\ntakeback 4\ne5\ntakeback\nmoves\n"
    ));
    assert!(again.contains("there is only 1 line"), "{again}");
    assert!(
        again.ends_with("     1. e2e4\n") || again.contains("     1. e2e4\n"),
        "{again}"
    );
    let few = typed(&format!("{moves}takeback 3\nmoves\n"));
    assert!(few.contains("     1. e2e4 e7e5\n"), "{few}");
}

/// A move that no man of the mover can make gets the same answer in every notation. Messages say
/// "the mover", not "you".
#[test]
fn an_impossible_move_is_nonsense_in_every_notation() {
    let answers = |word: &str| {
        let text = seen(&rulesets::RAND, &format!("{word}\ne4\n"));
        assert!(text.contains("  2  White e2e4: moved"), "{text}");
        text
    };
    let exact = answers("c1f4");
    assert!(exact.starts_with("  1  White c1f4: nonsense\n"), "{exact}");
    for word in ["Bf4", "B-KB4", "bishop to f4"] {
        assert_eq!(answers(word), exact, "{word}");
    }
    let none = seen(&rulesets::RAND, "RxQ\n");
    assert!(
        none.starts_with("     RxQ: not understood: `RxQ` is a move, but none of the mover's men"),
        "{none}"
    );
    // A session with JSON understands coordinates only.
    let mut json = settings(&rulesets::RAND, false);
    json.form = Form::Json;
    let mut output = Vec::new();
    stream::run(&b"Bf4\n"[..], &mut output, &json).unwrap();
    assert!(text(&output).contains(r#""answer":"not-understood""#));
}

#[test]
fn referee_without_a_ruleset_suggests_a_ruleset() {
    let none = run(&["referee"], b"e4\n");
    assert_eq!(none.status.code(), Some(2));
    let said = text(&none.stderr);
    assert!(
        said.contains("--rules wild16") && said.contains("`kriegspiel rules` lists the rulesets"),
        "{said}"
    );
}

/// If a private "no" is taken back, the other listeners hear nothing of it.
#[test]
fn only_listeners_who_heard_an_attempt_hear_its_takeback() {
    let start = format!("new {CAPTURE}\n");
    let wild16 = &rulesets::WILD16;
    // Pairs of games: White's private tries differ. Black and the spectators hear the same in both
    // games.
    for (one, other) in [
        ("e4f5\ntakeback\ne4d5\n", "e4d5\n"),
        ("e4f5\ne4d5\ntakeback 2\ne1e2\n", "e4d5\ntakeback\ne1e2\n"),
        ("e4f5\ntakeback\ne4d5\n", "e4f5\ne4e6\ntakeback 2\ne4d5\n"),
        (
            "e4d5\ne8f8\nd5d6\ntakeback 2\ne8e7\n",
            "e1e1\ne4d5\ne8f8\ne1e8\nd5d6\ntakeback 3\ne8e7\n",
        ),
    ] {
        let (one, other) = (format!("{start}{one}"), format!("{start}{other}"));
        for listener in ["Black", "room"] {
            let (a, b) = (told(wild16, &one, listener), told(wild16, &other, listener));
            assert_eq!(a, b, "{listener}: {one}{other}");
            assert!(!a.is_empty());
        }
        assert_ne!(told(wild16, &one, "White"), told(wild16, &other, "White"));
    }
    let white = told(wild16, &format!("{start}e4f5\ne4e6\ntakeback 2\n"), "White");
    assert_eq!(
        white.last().map(String::as_str),
        Some("Taken back: the last 2 announcements are void. White to move.")
    );
    // Only the players hear a draw offer.
    let offer = "e2e4\noffer-draw\ntakeback\n";
    assert_eq!(told(wild16, offer, "room").len(), 1);
    assert_eq!(told(wild16, offer, "White").len(), 3);
}

#[test]
fn again_command_prints_the_last_move_and_later_lines() {
    let text = seen(&rulesets::RAND, "again\ne2e4\nd7d5\ne4e5\ncount\nagain\n");
    assert!(text.starts_with("  0  new: a new game\n"), "{text}");
    let (_, last) = text.rsplit_once("  3  White e4e5").unwrap();
    assert!(last.contains("  4  Black count: count"), "{text}");
    assert!(!last.contains("d7d5"), "{text}");
}

#[test]
fn moves_are_listed_and_mistyped_words_are_guessed() {
    let mut output = anstream::StripStream::new(Vec::new());
    let lines = "moves\ne4\ne5\nNf3\nundo\nmoves\nmoves 2\ntakebak\nresing\nNd7\n";
    stream::run(
        lines.as_bytes(),
        &mut output,
        &settings(&rulesets::RAND, true),
    )
    .unwrap();
    let output = text(&output.into_inner());
    for expected in [
        "     There is no move yet.\n",
        "    3. White g1f3: moved\n",
        "     1. e2e4 e7e5\n",
        "write `moves` alone",
        "Did you mean `takeback`?",
        "Did you mean `resign`?",
    ] {
        assert!(output.contains(expected), "{expected}: {output}");
    }
    // A short word may be a move, so nothing is guessed.
    assert_eq!(output.matches("Did you mean").count(), 2, "{output}");
    let from_black = "new 4k3/8/8/8/8/8/4P3/4K3 b - - 0 1\nKd7\ne4\nKe6\nmoves\n";
    let listed = seen(&rulesets::RAND, from_black);
    assert!(
        listed.contains("     1. ... e8d7 2. e2e4 d7e6\n"),
        "{listed}"
    );
}

#[test]
fn void_lines_are_saved_as_comments() {
    let folder = folder("saved");
    let names = ["game.txt", "game.pgn", "game.jsonl"].map(|name| folder.join(name));
    let saves: String = names
        .iter()
        .map(|name| format!("save {}\n", name.display()))
        .collect();
    let input = format!(
        "e4\ne5\nd4\ntakeback\nNf3\nsave\n{saves}save {}\n",
        names[1].display()
    );
    let output = run(&["referee", "--rules", "cincinnati"], input.as_bytes());
    let said = text(&output.stdout);
    assert!(said.contains("Name a file: `save evening.txt`"), "{said}");
    assert!(
        said.contains("Not saved: ") && said.contains("exists already"),
        "{said}"
    );
    let saved = fs::read_to_string(&names[0]).unwrap();
    assert!(saved.contains("\n# void: white d2d4 moved | "), "{saved}");
    assert!(saved.contains("\nwhite g1f3 moved"), "{saved}");
    let audited = run(&["audit", &names[0].display().to_string()], b"");
    assert_eq!(audited.status.code(), Some(0), "{}", text(&audited.stdout));
    let pgn = fs::read_to_string(&names[1]).unwrap();
    assert!(
        pgn.contains("[Rules \"cincinnati\"]") && pgn.contains("2. Nf3"),
        "{pgn}"
    );
    assert!(!pgn.contains("d4"), "{pgn}");
    let json = fs::read_to_string(&names[2]).unwrap();
    assert_eq!(json.lines().count(), 4, "{json}");
}

#[test]
fn a_killed_referee_continues_where_it_was() {
    let file = folder("kept").join("evening.txt");
    let name = file.display().to_string();
    let mut child = kriegspiel(&[
        "referee",
        "--rules",
        "cincinnati",
        "--data",
        &name,
        "--clock",
        "10+5",
    ]);
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut until = |line: &str, expected: &str| {
        writeln!(stdin, "{line}").unwrap();
        let mut read = String::new();
        while !read.contains(expected) {
            let before = read.len();
            stdout.read_line(&mut read).unwrap();
            assert!(read.len() > before, "{expected}: {read}");
        }
    };
    until("e4", "White e2e4: moved");
    until("rubbish", "not understood");
    until("a7a4", "Black a7a4: nonsense");
    until("takeback", "    2. Black a7a4: nonsense");
    until("e5", "Black e7e5: moved");
    // A second program cannot referee the same game.
    let second = run(&["referee", "--data", &name], b"");
    assert_eq!(second.status.code(), Some(2));
    assert!(text(&second.stderr).contains("another program referees this game"));
    child.kill().unwrap();
    child.wait().unwrap();
    // The program answers a line only after it has written the line completely.
    let mut torn = fs::OpenOptions::new().append(true).open(&file).unwrap();
    torn.write_all(b"white d2d4 mov").unwrap();
    drop(torn);
    let output = run(
        &["referee", "--data", &name, "--clock", "10+5"],
        b"clock\nNf3\n",
    );
    let said = text(&output.stdout);
    assert!(
        said.contains("evening.txt continues after line 2."),
        "{said}"
    );
    assert!(said.contains("  2  Black e7e5: moved"), "{said}");
    assert!(said.contains(" clock white 10:05 black "), "{said}");
    assert!(said.contains("  3  White g1f3: moved"), "{said}");
    let kept = fs::read_to_string(&file).unwrap();
    assert!(kept.contains("# void: black a7a4 nonsense 2"), "{kept}");
    let audited = run(&["audit", &name], b"");
    assert_eq!(audited.status.code(), Some(0), "{}", text(&audited.stdout));
}

#[test]
fn file_that_cannot_be_continued_is_not_changed() {
    let folder = folder("faults");
    let game = folder.join("game.txt");
    let written = run(
        &[
            "referee",
            "--rules",
            "rand",
            "--data",
            &game.display().to_string(),
        ],
        b"e4\nnew\n",
    );
    assert!(text(&written.stdout).contains("holds this game: `quit`"));
    let other = folder.join("letter.txt");
    fs::write(&other, "Dear umpire,\n").unwrap();
    let changed = folder.join("changed.txt");
    let kept = fs::read_to_string(&game).unwrap();
    fs::write(&changed, kept.replace("rand", "wild16")).unwrap();
    #[rustfmt::skip]
    let rows = [
        (&game, vec!["--rules", "wild16"], "is played under `rand`, not `wild16`"),
        (&game, vec!["--fen", CAPTURE], "leave out --fen and --game"),
        (&other, vec![], "--data needs a game of `kriegspiel referee`"),
        (&changed, vec![], "changed.txt: line 7: under the ruleset of this session, the listeners do not hear what this line"),
        (&folder.join("new.txt"), vec![], "holds no game yet; name the ruleset, as in --rules wild16"),
        (&folder, vec![], "faults: "),
    ];
    for (file, args, expected) in rows {
        let before = fs::read(file).ok();
        let name = file.display().to_string();
        let output = run(
            &[&["referee", "--data", &name], args.as_slice()].concat(),
            b"",
        );
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(expected), "{said}");
        assert!(fs::read(file).ok().unwrap_or_default() == before.unwrap_or_default());
    }
}

#[cfg(unix)]
#[test]
fn the_voice_says_what_the_room_hears() {
    let folder = folder("voice");
    let spoken = |name: &str, input: &str| {
        let heard = folder.join(name);
        let program = folder.join(format!("{name}.sh"));
        let script = format!(
            "#!/bin/sh\nprintf '%s\\n' \"$1\" >> '{}'\n",
            heard.display()
        );
        write_program(&program, &script);
        let voice = format!("--voice={}", program.display());
        let output = run(&["referee", "--rules", "wild16", &voice], input.as_bytes());
        assert!(output.status.success(), "{}", text(&output.stderr));
        fs::read_to_string(&heard).unwrap_or_default()
    };
    let quiet = spoken("quiet", &format!("new {CAPTURE}\ne4d5\n"));
    let busy = format!(
        "new {CAPTURE}\ne4f5\ntakeback\nboard\nhelp\ne4e6\noffer-draw\nwithdraw-draw\ne4d5\nagain\n"
    );
    assert_eq!(spoken("busy", &busy), quiet);
    assert_eq!(quiet.lines().count(), 2, "{quiet}");
    assert!(
        quiet.contains("White has moved. Pawn gone on d5."),
        "{quiet}"
    );
    let none = run(&["referee", "--rules", "rand", "--voice=/none"], b"");
    assert_eq!(none.status.code(), Some(2));
    assert!(text(&none.stderr).contains("cannot be started"));
}

#[cfg(unix)]
fn write_program(path: &Path, script: &str) {
    use std::os::unix::fs::OpenOptionsExt;
    let mut options = fs::OpenOptions::new();
    let mut file = options
        .write(true)
        .create_new(true)
        .mode(0o755)
        .open(path)
        .unwrap();
    file.write_all(script.as_bytes()).unwrap();
}

/// Returns the screens of a session of two players, in order.
fn screens(ruleset: &Ruleset, input: &str, clock: bool) -> Vec<String> {
    let settings = settings(ruleset, true);
    let clock = clock.then(|| TableClock::read("5+3", || Duration::ZERO).unwrap());
    let desk = Desk {
        two: true,
        clock,
        ..Desk::default()
    };
    let mut output = Vec::new();
    TableSession::open(&settings, desk)
        .unwrap()
        .run(&mut Piped::new(input.as_bytes()), &mut output)
        .unwrap();
    let output = text(&output);
    output
        .split("\u{1b}[H\u{1b}[2J\u{1b}[3J")
        .map(str::to_owned)
        .collect()
}

/// In both games of a pair Black hears the same, so all of Black's screens must be the same.
/// Between two turns the screen shows only whose turn it is.
#[test]
fn players_at_one_screen_see_what_they_heard() {
    let wild16 = &rulesets::WILD16;
    for clock in [false, true] {
        let quiet = screens(
            wild16,
            "\ne4\n\n\nd5\n\n\nexd5\n\n\nboard\nagain\nQxd5\n\n",
            clock,
        );
        let busy = screens(
            wild16,
            "\nexd5\nN-B3\nRa4\ntakeback\nundo\nmoves\nhelp\ne4\n\n\nd5\n\n\ne4f5\nagain\nexd5\n\n\nboard\nagain\nQxd5\n\n",
            clock,
        );
        assert_eq!(quiet.len(), busy.len());
        let mut blacks = 0;
        for (i, (one, other)) in quiet.iter().zip(&busy).enumerate() {
            let cover = one.starts_with("It is ");
            let white = one.contains("White > ") || one.contains("White [");
            if white {
                continue;
            }
            assert_eq!(one, other, "screen {i}");
            if cover {
                assert_eq!(one.lines().count(), 1, "{one}");
                assert!(one.contains("looks away;"), "{one}");
            } else if one.contains("Black > ") || one.contains("Black [") {
                blacks += 1;
                assert!(!one.contains("e2e4") && !one.contains("e4d5"), "{one}");
            }
        }
        assert_eq!(blacks, 2);
        assert!(quiet.iter().zip(&busy).any(|(one, other)| one != other));
    }
    let all = screens(
        wild16,
        "\ne4\n\n\nwhite resign\nflag\nnew\nsave x\nresign\nquit\n",
        false,
    );
    let last = all.iter().rev().nth(1).unwrap();
    assert!(last.starts_with("Black resigns"), "{all:?}");
    assert!(
        all.iter()
            .any(|one| one.contains("Without an umpire") || one.contains("Type your own move"))
    );
}

/// NO_COLOR does not remove the escape sequences that hide a screen.
#[test]
fn a_screen_is_hidden_without_colours_too() {
    let two = |term: &str| {
        std::process::Command::new(env!("CARGO_BIN_EXE_kriegspiel"))
            .args(["referee", "--rules", "wild16", "--two"])
            .env("NO_COLOR", "1")
            .env("TERM", term)
            .stdin(std::process::Stdio::null())
            .output()
            .unwrap()
    };
    let said = two("xterm");
    assert!(text(&said.stdout).contains("\u{1b}[H\u{1b}[2J\u{1b}[3J"));
    let refused = two("dumb");
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("use another terminal"));
}
