//! Tests of `kriegspiel belief` as a program.

use std::{fs, process::Output};

use scores::Tags;
use tempfile::TempDir;
use testkit::pairs::Pair;

use crate::program::{run, text};

/// A short game with two captures: White captures on d5, and Black recaptures.
const GAME: &str = "\
title   Two captures
rules   wild16
source  ICC

attempt          | white | black | room
white e2e4 moved
black d7d5 moved
white e4d5 moved
black d8d5 moved
white b1c3 moved
black d5a5 moved
";

/// Returns an empty folder for one test.
fn folder() -> TempDir {
    TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap()
}

fn believe(args: &[&str], input: &str) -> Output {
    run(&[&["belief", "-"], args].concat(), input.as_bytes())
}

/// Returns the JSON that the command prints.
fn json(args: &[&str], input: &str) -> serde_json::Value {
    let output = believe(&[args, &["--json"]].concat(), input);
    assert!(output.status.success(), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn belief_fit_writes_weights_that_belief_reads() {
    let folder = folder();
    let weights = folder.path().join("weights.txt");
    let path = weights.to_str().unwrap();
    let fit = run(&["belief", "fit", "-", "--out", path], GAME.as_bytes());
    assert!(fit.status.success(), "{}", text(&fit.stderr));
    assert!(
        text(&fit.stderr).contains("6 moves"),
        "{}",
        text(&fit.stderr)
    );
    let written = fs::read_to_string(&weights).unwrap();
    assert!(written.starts_with("kriegspiel-opponent 1\nknight "));
    let again = run(&["belief", "fit", "-"], GAME.as_bytes());
    assert_eq!(text(&again.stdout), written);

    let uniform = json(&["--at", "6"], GAME);
    for model in ["fitted", path] {
        let other = json(&["--at", "6", "--model", model], GAME);
        assert_eq!(other["positions"], uniform["positions"]);
        assert_ne!(other["entropy"], uniform["entropy"], "{model}");
    }
}

#[test]
fn belief_fit_option_repeat_multiplies_a_players_moves() {
    let pgn = run(&["convert", "-", "--to", "pgn"], GAME.as_bytes());
    let pgn = text(&pgn.stdout);
    let named = pgn
        .replace("[White \"?\"]", "[White \"ann\"]")
        .replace("[Black \"?\"]", "[Black \"bob\"]");
    assert_ne!(named, pgn);
    for (repeat, moves) in [("ann=4", "15 moves"), ("bob=0", "3 moves")] {
        let fit = run(
            &["belief", "fit", "-", "--repeat", repeat],
            named.as_bytes(),
        );
        let said = text(&fit.stderr);
        assert!(fit.status.success() && said.contains(moves), "{said}");
    }
    let wrong = run(&["belief", "fit", "-", "--repeat", "ann"], named.as_bytes());
    assert_eq!(wrong.status.code(), Some(2));
    assert!(text(&wrong.stderr).contains("the name of a player"));
}

#[test]
fn belief_refuses_wrong_models_and_impossible_fits() {
    let folder = folder();
    let weights = folder.path().join("wrong.txt");
    let path = weights.to_str().unwrap();
    for (written, said) in [
        ("knight 1.0\n", "does not contain opponent weights"),
        ("kriegspiel-opponent 1\nunicorn 1\n", "line 2: `unicorn 1`"),
        ("kriegspiel-opponent 1\nknight 99\n", "line 2: a weight"),
    ] {
        fs::write(&weights, written).unwrap();
        let output = believe(&["--model", path], GAME);
        assert_eq!(output.status.code(), Some(2));
        assert!(
            text(&output.stderr).contains(said),
            "{}",
            text(&output.stderr)
        );
    }
    let missing = believe(&["--model", "missing.txt"], GAME);
    assert_eq!(missing.status.code(), Some(2));
    let nothing = run(&["belief", "fit", "-"], b"");
    assert_eq!(nothing.status.code(), Some(2), "{}", text(&nothing.stderr));
    let unwritable = ["belief", "fit", "-", "--out", "no-such-folder/weights.txt"];
    let unwritable = run(&unwritable, GAME.as_bytes());
    assert_eq!(unwritable.status.code(), Some(2));
    assert!(!text(&unwritable.stderr).contains("fitted to"));
}

/// If a seat hears the same in two games, the command prints the same for both
/// games.
#[test]
fn belief_is_equal_for_games_in_which_a_seat_hears_the_same() {
    let mut compared = 0;
    for index in 0..400 {
        if compared >= 4 {
            break;
        }
        let pair = Pair::make(11, index);
        let Some(seat) = pair.listener.color() else {
            continue;
        };
        // Both seats know the start position, so it must be the same in both
        // games.
        if pair.opened[0] != pair.opened[1] || pair.steps.len() < 8 {
            continue;
        }
        let files = [0, 1].map(|which| {
            let mut file = String::new();
            scores::write_umpire_view(&mut file, &Tags::default(), &pair.log(which), &[]);
            file
        });
        assert_ne!(files[0], files[1]);
        let seat = seat.to_string();
        for args in [&["--json"][..], &[], &["--follow"], &["--follow", "--json"]] {
            let args = [
                args,
                &["--seat", &seat, "--limit", "500", "--model", "fitted"],
            ]
            .concat();
            let [one, other] = [0, 1].map(|which| believe(&args, &files[which]));
            assert_eq!(one.status.code(), Some(0), "{}", text(&one.stderr));
            assert_eq!(text(&one.stdout), text(&other.stdout), "pair {index}");
            assert_eq!((one.status, one.stderr), (other.status, other.stderr));
        }
        compared += 1;
    }
    assert_eq!(compared, 4);
}

/// Returns a problem with one move of each side.
fn problem(theirs: &str) -> String {
    format!(
        "{{\"id\":\"p\",\"plies\":3,\"own_moves\":2,\"history\":[{{\"own\":\"e4\",\"refused\":[]}},{{\"opponent\":{theirs}}}]}}\n"
    )
}

#[test]
fn belief_names_the_announcement_that_nothing_explains() {
    let folder = folder();
    let file = folder.path().join("problems.jsonl");
    let path = file.to_str().unwrap();
    #[rustfmt::skip]
    let rows = [
        (r#"{"check":["rank"],"refused_count":0}"#, "no rook or queen can give that check"),
        (r#"{"check":["knight"],"refused_count":0}"#, "no knight can give that check"),
        (r#"{"capture":"e4","refused_count":0}"#, "no man can make that capture"),
        (r#"{"refused_count":99}"#, "no position agrees with the answers to the opponent's attempts"),
    ];
    for (theirs, said) in rows {
        let good = problem(r#"{"refused_count":0}"#);
        fs::write(&file, problem(theirs) + &good).unwrap();
        let output = run(&["belief", "--problems", path, "--json"], b"");
        assert_eq!(output.status.code(), Some(1));
        let lines: Vec<serde_json::Value> = text(&output.stdout)
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let error = lines[0]["error"].as_str().unwrap();
        assert!(
            error.starts_with("nothing agrees with announcement "),
            "{error}"
        );
        assert!(error.ends_with(said), "{error}");
        // The error does not stop the command: the second problem is examined, too.
        assert_eq!(lines[1]["positions"], 20, "{}", lines[1]);
    }
}

#[test]
fn belief_refuses_wrong_rulesets_limits_and_moments() {
    let cases = [
        (&["--rules", "unicorn"][..], "unicorn"),
        (&["--limit", "0"], "smallest limit is 100"),
        (&["--limit", "99"], "smallest limit is 100"),
        (&["--limit", "many"], "not a whole number"),
        (&["--limit", "900000000"], "largest limit is 100000000"),
        (&["--threads", "0"], "--threads"),
        (&["--game", "0"], "--game"),
        (&["--game", "2"], "has only 1 game"),
        (
            &["--at", "7"],
            "--at 7: the game has 6 half-moves (Black's move 3)",
        ),
        (&["--at", "4b"], "--at 4b: the game has 6 half-moves"),
        (&["--at", "0w"], "or a move, as 10w or 10b"),
        (&["--compat", "berkeley-database"], "--problems"),
        (
            &["--svg", "no-such-folder/heat.svg"],
            "--svg no-such-folder/heat.svg",
        ),
        (&["--problems", "-"], "--problems"),
    ];
    for (args, said) in cases {
        let output = believe(args, GAME);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(
            text(&output.stderr).contains(said),
            "{}",
            text(&output.stderr)
        );
        assert!(output.stdout.is_empty());
    }
    let named = GAME.replace("wild16", "unicorn");
    let output = believe(&[], &named);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("unicorn"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn belief_shows_the_part_before_the_fault_of_a_record() {
    // A file that ends between two lines is a shorter game.
    let (shorter, _) = GAME.split_once("white b1c3").unwrap();
    assert_eq!(
        json(&[], shorter)["positions"],
        json(&["--at", "4"], GAME)["positions"]
    );
    // A record may mark an illegal move as refused. A record that marks an illegal
    // move as made violates the rules.
    let wrong = GAME.replace("white b1c3 moved", "white b1b5 moved");
    let output = believe(&["--json"], &wrong);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stdout));
    let said = text(&output.stderr);
    assert!(
        said.contains("line 10: white b1b5: verdict wrong"),
        "{said}"
    );
    assert!(
        said.contains("the output shows what is known after 4 half-moves"),
        "{said}"
    );
    let shown: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(shown["moves"], 4);
    let folder = folder();
    let cut = folder.path().join("cut.pgn.gz");
    fs::write(&cut, [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1]).unwrap();
    let path = cut.to_str().unwrap();
    let output = run(&["belief", path], b"");
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
}

/// A score has only the moves. The command adds what the referee announces under the named ruleset.
#[test]
fn belief_reads_a_score() {
    let score = "1. P-K4 P-Q4\n2. PxP QxP\n3. N-QB3 Q-QR4\n";
    assert_eq!(json(&["--rules", "wild16"], score), json(&[], GAME));
    let tagged = format!("[White \"A\"]\n[Rules \"wild16\"]\n\n{score}");
    assert_eq!(json(&[], &tagged), json(&[], GAME));
    for (args, said) in [
        (&[][..], "name the ruleset"),
        (&["--rules", "wild16", "--game", "2"], "only 1 game"),
        (&["--rules", "wild16", "--at", "7"], "has 6 half-moves"),
    ] {
        let output = believe(args, score);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {error}");
        assert!(error.contains(said), "{args:?}: {error}");
    }
}

/// A file that is cut off in the middle of its last line gives the belief before that line, in every
/// format.
#[test]
fn belief_shows_the_part_before_the_cut_of_a_file() {
    let finished = format!("{GAME}white resign\n");
    for (form, last) in [
        ("transcript", "moved b d5a5"),
        ("pgn", "3... Qa5"),
        ("json", "d5a5"),
    ] {
        let output = run(&["convert", "-", "--to", form], finished.as_bytes());
        assert!(output.status.success(), "{}", text(&output.stderr));
        let whole = text(&output.stdout);
        let cut = &whole[..whole.find(last).unwrap() + last.len()];
        let output = believe(&["--json"], cut);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{form}: {said}");
        assert!(
            said.contains("the output shows the belief before this fault, after 5 half-moves"),
            "{form}: {said}"
        );
        let shown: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let before = json(&["--at", "5"], GAME);
        assert_eq!(shown["positions"], before["positions"], "{form}");
        let output = believe(&["--at", "6"], cut);
        assert_eq!(output.status.code(), Some(2), "{form}");
        let said = text(&output.stderr);
        assert!(
            said.contains("has 5 half-moves (White's move 3) before a fault"),
            "{form}: {said}"
        );
        // The file has only one game, and this game is cut off. There is no game 2.
        let output = believe(&["--game", "2"], cut);
        assert_eq!(output.status.code(), Some(2), "{form}");
    }
    let output = believe(&[], &GAME[..20]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
}

/// A compressed file that is cut off gives the belief before the cut.
#[test]
fn belief_shows_the_part_before_the_cut_of_a_packed_file() {
    let mut long = GAME.to_owned();
    for at in 0..2_000 {
        long.push_str(&format!("# remark {} {}\n", at, at * at % 977));
    }
    let mut bytes = Vec::new();
    let mut encoder = flate2::write::GzEncoder::new(&mut bytes, flate2::Compression::fast());
    std::io::Write::write_all(&mut encoder, long.as_bytes()).unwrap();
    encoder.finish().unwrap();
    let folder = folder();
    let cut = folder.path().join("part.txt.gz");
    fs::write(&cut, &bytes[..bytes.len() * 3 / 4]).unwrap();
    let output = run(&["belief", cut.to_str().unwrap(), "--json"], b"");
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("the file was cut off"), "{said}");
    assert!(said.contains("after 6 half-moves"), "{said}");
    let shown: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(shown["positions"], json(&[], GAME)["positions"]);
}

/// Each altered announcement in a record gets its own error.
#[test]
fn altered_announcements_are_noticed_in_every_format() {
    let converted = |form: &str| {
        let output = run(&["convert", "-", "--to", form], GAME.as_bytes());
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout).to_owned()
    };
    let (columns, json, pgn) = (converted("transcript"), converted("json"), converted("pgn"));
    let knight = "line 8: nothing agrees with announcement 7: no knight can give that check";
    #[rustfmt::skip]
    let cases = [
        // No position explains the altered announcement.
        (&columns, "moved b, tries 1, turn w ", "moved b, check knight, tries 1, turn w ", "white", knight),
        (
            &columns,
            "moved w e2e4, tries 0, turn b ",
            "moved w e2e5, tries 0, turn b",
            "white",
            "line 7: nothing agrees with announcement 5: the move is legal in no position",
        ),
        (
            &json,
            r#""white":[{"kind":"moved","by":"black"},{"kind":"tries","count":1}"#,
            r#""white":[{"kind":"moved","by":"black"},{"kind":"tries","count":7}"#,
            "white",
            "line 3: nothing agrees with announcement 7: no move leaves those pawn tries",
        ),
        (&pgn, "b d7d5 moved ?1", "b d7d5 moved ?0", "white", "the move is legal in no position"),
        // A position explains the altered announcement, but in the recorded game the referee
        // announces something else.
        (&columns, "moved b, tries 1, turn w ", "moved b, tries 0, turn w ", "black", "line 8: black d7d5: pawn tries wrong (White)"),
        // No position explains the altered announcement: Black can have only a pawn on d5.
        (
            &json,
            r#""square":"d5","man":"pawn""#,
            r#""square":"d5","man":"piece""#,
            "white",
            "line 4: nothing agrees with announcement 10: no man can make that capture",
        ),
        // A position explains the altered announcement, but in the recorded game the referee
        // announces something else.
        (&pgn, "{(P1:)}", "{(P2:)}", "white", "said `P2`, should be `P1`"),
    ];
    for (record, from, to, seat, said) in cases {
        let altered = record.replacen(from, to, 1);
        assert_ne!(&altered, record, "{from}");
        let args = ["--seat", seat, "--json"];
        assert_eq!(believe(&args, record).status.code(), Some(0), "{from}");
        let output = believe(&args, &altered);
        assert_eq!(output.status.code(), Some(1), "{from}");
        assert!(
            text(&output.stderr).contains(said),
            "{said}: {}",
            text(&output.stderr)
        );
        // The output shows what was possible before the altered announcement.
        let shown: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert!(shown["positions"].as_u64() > Some(0), "{shown}");
    }
    // An altered announcement after the moment that is shown makes no difference.
    let altered = columns.replacen("moved b, tries 1, turn w ", "moved b, tries 0, turn w ", 1);
    assert_eq!(believe(&["--at", "1"], &altered).status.code(), Some(0));
}

#[test]
fn randomly_altered_record_does_not_make_belief_panic() {
    let columns = run(&["convert", "-", "--to", "transcript"], GAME.as_bytes());
    let columns = text(&columns.stdout).to_owned();
    let words = [
        "check rank file",
        "lost e1 K",
        "lost d8 Q",
        "moved w h8h1",
        "no b a7a5",
        "tries 9",
        "turn w",
        "turn b",
        "over 1-0 checkmate",
        "x a1 piece",
        "promotes b",
        "drop b N",
        "any b yes",
        "-",
    ];
    let mut codes = std::collections::BTreeSet::new();
    for nth in 0..120_usize {
        // Replace one announcement with another one.
        let at: Vec<_> = columns.match_indices(", ").map(|(at, _)| at + 2).collect();
        let at = at[nth * 7 % at.len()];
        let end = at + columns[at..].find([',', ' ', '|']).unwrap();
        let rest = columns[end..].trim_start_matches(|c: char| !",|\n".contains(c));
        let altered = format!("{}{} {rest}", &columns[..at], words[nth % words.len()]);
        let seat = ["white", "black"][nth / 2 % 2];
        let output = believe(&["--seat", seat, "--limit", "1000", "--json"], &altered);
        codes.insert(output.status.code());
        let said = text(&output.stderr);
        assert!(
            matches!(output.status.code(), Some(0..=2)),
            "{said}\n{altered}"
        );
    }
    assert!(codes.contains(&Some(1)), "{codes:?}");
}

#[test]
fn input_without_an_end_is_refused() {
    use std::io::Write as _;

    for args in [
        &["belief", "-"][..],
        &["belief", "--problems", "-"],
        &["belief", "fit", "-"],
    ] {
        let line = format!("{{\"a\":\"{}\"}}\n", "x".repeat(50_000));
        for piece in ["x ".repeat(1 << 15), line, "\0".repeat(1 << 16)] {
            let mut child = crate::program::kriegspiel(args);
            let mut stdin = child.stdin.take().unwrap();
            let writer =
                std::thread::spawn(move || while stdin.write_all(piece.as_bytes()).is_ok() {});
            let output = child.wait_with_output().unwrap();
            writer.join().unwrap();
            let said = text(&output.stderr);
            // The first game of endless JSON is damaged, so nothing after it is read.
            let is_damaged = said.contains("game 1: line 1: not a line");
            let goes_on = said.contains("no game ends within");
            let code = if is_damaged && !goes_on { 1 } else { 2 };
            assert_eq!(output.status.code(), Some(code), "{args:?} {said}");
            let last = said.lines().last().unwrap_or_default();
            assert!(
                ["is it a file of", "longer than", "not a line"]
                    .iter()
                    .any(|words| last.contains(words)),
                "{args:?} {last}"
            );
        }
    }
}

#[test]
fn problems_are_read_from_standard_input() {
    let good = problem(r#"{"refused_count":0}"#);
    let output = run(&["belief", "--problems", "-"], good.as_bytes());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout), "p: 20 positions (exact)\n");
    let output = run(&["belief", "--problems", "-"], (good + "{}\n").as_bytes());
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stderr).contains("1 problem could not"),
        "{}",
        text(&output.stderr)
    );
    for flag in [
        "--follow",
        "--svg=x.svg",
        "--at=1",
        "--game=1",
        "--seat=black",
    ] {
        let output = run(&["belief", "--problems", "-", flag], b"");
        assert_eq!(output.status.code(), Some(2), "{flag}");
    }
}

#[test]
fn picture_is_written_and_no_empty_file_is_left() {
    let folder = folder();
    let picture = folder.path().join("heat.svg");
    let path = picture.to_str().unwrap();
    let output = believe(&["--svg", path], GAME);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let svg = fs::read_to_string(&picture).unwrap();
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    // A shorter picture replaces the whole file.
    let output = believe(&["--svg", path, "--at", "0"], GAME);
    assert_eq!(output.status.code(), Some(0));
    let shorter = fs::read_to_string(&picture).unwrap();
    assert!(shorter.ends_with("</svg>\n") && shorter.len() < svg.len());
}

/// The JSON of the command has the same keys as the review of the club's API.
#[test]
fn json_has_the_keys_of_the_review() {
    let json = json(&[], GAME);
    for key in ["seat", "moves", "positions", "regime", "heat", "facts"] {
        assert!(!json[key].is_null(), "{key}: {json}");
    }
    for (role, men) in [("king", 1.0), ("rook", 2.0), ("any", 15.0)] {
        let squares = json["heat"][role].as_object().unwrap();
        let all: f64 = squares.values().filter_map(serde_json::Value::as_f64).sum();
        assert!((all - men * 100.0).abs() < 0.1, "{role}: {all}");
    }
    assert_eq!(json["material"]["queen"], serde_json::json!([1, 1]));
}

/// Ctrl-C stops long work. The result so far is printed, and the exit code says that the
/// work was stopped.
#[cfg(unix)]
#[test]
fn ctrl_c_prints_the_belief_so_far() {
    use std::io::Write as _;

    use rustix::process::{Pid, Signal, kill_process};

    // Knights and rooks move back and forth, so the number of positions soon
    // reaches the limit.
    let mut game = String::from(
        "title   Long\nrules   berkeley\nsource  ICC\n\nattempt | white | black | room\n",
    );
    for (white, black) in [
        ("a2a3", "h7h6"),
        ("h2h3", "a7a6"),
        ("e2e3", "e7e6"),
        ("d2d3", "d7d6"),
    ] {
        game.push_str(&format!("white {white} moved\nblack {black} moved\n"));
    }
    for _ in 0..20 {
        for (white, black) in [
            ("g1f3", "g8f6"),
            ("b1c3", "b8c6"),
            ("f3g1", "f6g8"),
            ("c3b1", "c6b8"),
        ] {
            game.push_str(&format!("white {white} moved\nblack {black} moved\n"));
        }
    }
    // This padding is larger than the buffer of a pipe. When everything is written, the
    // program is reading its input, and therefore already catches signals.
    game.push_str(&"# padding\n".repeat(20_000));
    let mut child = crate::program::kriegspiel(&["belief", "-", "--json", "--limit", "3000000"]);
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(game.as_bytes()).unwrap();
    drop(stdin);
    let pid = Pid::from_child(&child);
    kill_process(pid, Signal::INT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", text(&output.stderr));
    assert!(
        text(&output.stderr).contains("stopped after"),
        "{}",
        text(&output.stderr)
    );
    let said: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(said["kept"].as_u64() > Some(0), "{said}");
}

#[test]
fn belief_sample_draws_positions_by_their_weights() {
    let args = ["--seat", "black", "--at", "1", "--sample", "2000"];
    let drawn = |seed: &str| json(&[&args[..], &["--seed", seed]].concat(), GAME)["sample"].clone();
    let first = drawn("1");
    assert_eq!(first, drawn("1"));
    assert_ne!(first, drawn("2"));
    let first: Vec<&str> = first
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|fen| fen.as_str())
        .collect();
    assert_eq!(first.len(), 2000);
    let pushed = first
        .iter()
        .filter(|fen| fen.starts_with("rnbqkbnr/pppppppp/8/8/4P3/"));
    // One of 20 equally likely first moves.
    assert!((60..140).contains(&pushed.count()));
}

#[test]
fn belief_all_prints_a_line_for_each_game() {
    let referee = ["referee", "--rules", "wild16", "--json"];
    let two = run(&referee, b"new\ne2e4\nd7d5\nnew\nd2d4\n").stdout;
    let output = believe(&["--all", "--json", "--sample", "3"], text(&two));
    assert!(output.status.success(), "{}", text(&output.stderr));
    let numbers: Vec<_> = text(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .map(|line| {
            (
                line["game"].clone(),
                line["sample"].as_array().map(Vec::len),
            )
        })
        .collect();
    assert_eq!(numbers, [(1.into(), Some(3)), (2.into(), Some(3))]);
}
