//! Whole games of `ks` in plain lines.

use std::{fs, path::PathBuf, process::Command};

use crate::ends::{End, Pair};

/// A game as both players see it. docs/ks.md contains the same game.
const GAME: &str = include_str!("game.txt");

/// Plays a script. For `anna < line`, the line is typed; for `anna > part`, the
/// function waits for a line that contains `part`.
fn play(script: &str, anna: &mut End, bert: &mut End) {
    for line in script.lines() {
        let Some((who, rest)) = line.split_once(' ') else {
            continue;
        };
        let end = match who {
            "anna" => &mut *anna,
            "bert" => &mut *bert,
            _ => continue,
        };
        match rest.split_once(' ') {
            Some(("<", typed)) => end.types(typed),
            Some((">", heard)) => drop(end.hears(heard)),
            _ => panic!("{line}"),
        }
    }
}

#[test]
fn a_game_is_played_to_its_end_and_recorded() {
    let pair = Pair::new();
    let (mut anna, mut bert) = pair.both(&["-dw"], &["-d"]);
    play(GAME, &mut anna, &mut bert);
    let mut wholes = Vec::new();
    for end in [anna, bert] {
        let (status, said) = end.ends();
        let said = said.join("\n");
        assert!(status.success(), "{said}");
        assert!(
            said.ends_with("The game is over, and both have heard it."),
            "{said}"
        );
        assert!(!said.contains('\u{1b}'), "{said}");
        // Both players get the full record, and a message that says how to view it.
        let path = named(&said);
        let text = fs::read_to_string(&path).unwrap();
        for tag in ["White \"anna\"", "Black \"bert\"", "Result \"0-1\""] {
            assert!(text.contains(tag), "{text}");
        }
        let transcript = converted(&path);
        for line in SEEN_AFTERWARDS {
            assert!(transcript.contains(line), "{line}: {transcript}");
        }
        wholes.push(text);
    }
    assert_eq!(wholes[0], wholes[1]);
}

/// Tries of the game in the script. During the game, the mover's opponent could not see these
/// tries.
const SEEN_AFTERWARDS: &[&str] = &["d7d5", "e2e4", "e4d6", "e1e2"];

/// Returns the path of the file that an end prints when the game is over.
fn named(said: &str) -> PathBuf {
    let named = said
        .lines()
        .find_map(|line| line.strip_prefix("The whole game: kriegspiel view "));
    PathBuf::from(named.unwrap_or_else(|| panic!("no file is named: {said}")))
}

/// Converts the file at `path` to a transcript with the command `convert`.
fn converted(path: &std::path::Path) -> String {
    let out = Command::new(env!("CARGO_BIN_EXE_kriegspiel"))
        .arg("convert")
        .arg(path)
        .args(["--to", "transcript"])
        .output()
        .unwrap();
    assert!(out.status.success(), "{out:?}");
    String::from_utf8_lossy(&out.stdout).into_owned()
}

/// Options of Anna and of Bert, Anna's colour (`?`: decided by the coin), and the rules.
const PAIRS: &[(&[&str], &[&str], char, &str)] = &[
    (&["-db"], &["-d"], 'b', "ks:"),
    (&["-d", "+a"], &["-dw", "+p"], 'b', "ks+ap:"),
    (&["-dc", "-ap"], &["-db", "-a"], '?', "ks:"),
    (&["-dw", "+a"], &["-d", "-a", "-s"], 'w', "ks"),
];

#[test]
fn both_players_hear_the_same_options() {
    for (annas, berts, color, rules) in PAIRS {
        let pair = Pair::new();
        let (mut anna, mut bert) = pair.both(annas, berts);
        let (first, second) = (anna.hears("You play "), bert.hears("You play "));
        let of = |line: &str| line.split(' ').nth(2).map(str::to_owned);
        assert_ne!(of(&first), of(&second));
        let by = |line: &str| line.split_once("by the rules ").map(|(_, r)| r.to_owned());
        assert_eq!(by(&first), by(&second));
        assert!(by(&first).is_some_and(|r| r.starts_with(rules)), "{first}");
        match color {
            'w' => assert!(first.contains("You play White"), "{first}"),
            'b' => assert!(first.contains("You play Black"), "{first}"),
            _ => assert!(anna.hears("The coin decided").contains("the colours")),
        }
    }
}

#[test]
fn option_s_chooses_which_end_is_the_host() {
    let pair = Pair::new();
    // Anna's end calls first, and repeats the call until Bert's end is running.
    let mut anna = pair.anna(&["-d", "-s"]);
    anna.hears("Calling bert");
    let mut bert = pair.bert(&["-dw", "+s"]);
    bert.hears("You play White");
    anna.hears("You play Black");
    // The host stays the host for the rest of the game.
    drop((anna, bert));
    for (end, why) in [
        (pair.anna(&["-d", "+s"]), "omit +s"),
        (pair.bert(&["-d", "-s"]), "omit -s"),
    ] {
        let (status, said) = end.ends();
        assert_eq!(status.code(), Some(2));
        assert!(said.join("\n").contains(why), "{said:?}");
    }
}

#[test]
fn second_host_and_second_end_of_a_player_are_refused() {
    let pair = Pair::new();
    let mut anna = pair.anna(&["-d", "+s"]);
    anna.hears("Waiting for bert");
    let (status, said) = pair.bert(&["-d", "+s"]).ends();
    assert_eq!(status.code(), Some(1));
    assert!(said.join("\n").contains("omit +s"), "{said:?}");
    let (status, said) = pair.anna(&["-d"]).ends();
    assert_eq!(status.code(), Some(1));
    assert!(said.join("\n").contains("is running"), "{said:?}");
}

#[test]
fn the_key_is_asked_for_once() {
    let pair = Pair::new();
    let mut anna = pair.command("anna", &["-d"], "bert");
    anna.env_remove("KRIEGSPIEL_KS_KEY");
    let mut anna = End::start(anna);
    let key = anna.hears("key: ").replace("key: ", "");
    let keyless = || {
        let mut bert = pair.command("bert", &["-d"], "anna");
        bert.env_remove("KRIEGSPIEL_KS_KEY");
        End::start(bert)
    };
    let mut bert = keyless();
    bert.types("no key");
    bert.hears("a key has 20 letters and digits");
    bert.types(&key.to_uppercase().replace('-', " "));
    bert.hears("You play ");
    bert.kill();
    // A wrong key does not delete the right one.
    let slip = ["-d", "--key", "23456-789ab-cdefg-hijkm"];
    let (status, said) = End::start(pair.command("bert", &slip, "anna")).ends();
    assert_eq!(status.code(), Some(2));
    assert!(said.join("\n").contains("has another key"), "{said:?}");
    let mut bert = keyless();
    bert.hears("You play ");
}

/// A key that the user typed wrongly, or that is stored and wrong, can be corrected.
#[test]
fn wrong_key_is_named_and_can_be_corrected() {
    const WRONG: &str = "23456-789ab-cdefg-hijkm";
    let pair = Pair::new();
    let keyless = |me: &str, other: &str| {
        let mut command = pair.command(me, &["-d"], other);
        command.env_remove("KRIEGSPIEL_KS_KEY");
        End::start(command)
    };
    let mut anna = keyless("anna", "bert");
    let key = anna.hears("key: ").replace("key: ", "");
    // Anna's end does not run, so the key that Bert types is stored but not compared.
    anna.kill();
    let mut bert = pair.command("bert", &["-d", "-s"], "anna");
    bert.env_remove("KRIEGSPIEL_KS_KEY");
    let mut bert = End::start(bert);
    bert.types(WRONG);
    bert.hears("nobody listens there");
    bert.types("quit");
    bert.ends();
    let mut anna = keyless("anna", "bert");
    anna.hears("Waiting for bert");
    let (status, said) = keyless("bert", "anna").ends();
    let said = said.join("\n");
    assert_eq!(status.code(), Some(1), "{said}");
    assert!(said.contains("The stored key is used"), "{said}");
    assert!(
        said.contains("the stored key is deleted; run the same command again"),
        "{said}"
    );
    // The same command asks for the key.
    let mut bert = keyless("bert", "anna");
    bert.types(&key);
    bert.hears("You play ");
    bert.kill();
    // If the wrong key was given with `--key`, the message says so.
    let other = Pair::new();
    let mut anna = other.command("anna", &["-d"], "bert");
    anna.env_remove("KRIEGSPIEL_KS_KEY");
    let mut anna = End::start(anna);
    anna.hears("Waiting for bert");
    let slip = other.command("bert", &["-d", "--key", WRONG], "anna");
    let said = End::start(slip).ends().1.join("\n");
    assert!(said.contains("give the right key with --key"), "{said}");
}

#[test]
fn wrong_arguments_are_explained() {
    let pair = Pair::new();
    for (me, options, opponent, why) in [
        ("anna", &["-x"][..], "bert", "is not an option"),
        ("anna", &["-wb"], "bert", "contradict"),
        ("anna", &["--key=abc"], "bert", "20 letters"),
        ("anna", &["--nonsense"], "bert", "unknown option"),
        ("anna", &["-d"], "anna", "anna is your own name"),
        ("an/na", &["-d"], "bert", "cannot be a name"),
        ("anna", &["-d"], "be/rt", "is not a name"),
    ] {
        let end = End::start(pair.command(me, options, opponent));
        let (status, said) = end.ends();
        assert_eq!(status.code(), Some(2), "{said:?}");
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(said[0].contains(why), "{said:?}");
    }
    for help in ["-h", "--help", "-wdh"] {
        let (status, said) = End::start(pair.command("anna", &[help], "bert")).ends();
        assert!(status.success());
        let said = said.join("\n");
        assert!(
            said.contains("-w -b -c") && said.contains("anna@far.example"),
            "{said}"
        );
        // Each option has its own line.
        assert!(said.contains("\n  +a -a      captures"), "{said}");
    }
}

#[test]
fn unreadable_state_is_reported_and_set_aside() {
    let pair = Pair::new();
    let kept = pair.kept("anna", "bert");
    fs::create_dir_all(&kept).unwrap();
    fs::write(kept.join("host.json"), "{torn").unwrap();
    let (status, said) = pair.anna(&["-d"]).ends();
    assert_eq!(status.code(), Some(2));
    let said = said.join("\n");
    assert!(
        said.contains("host.json cannot be read") && said.contains("--new"),
        "{said}"
    );
    pair.anna(&["-d", "--new"]).hears("Waiting for bert");
    let mut anna = pair.anna(&["-d"]);
    anna.hears("Waiting for bert");
}
