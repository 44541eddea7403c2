//! Tests of `kriegspiel referee --json`: the exact bytes, and who hears what.

use std::fs;

use crate::program::{CAPTURE, lines};
use wire::LineJson;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn parsed(args: &[&str], input: &[u8]) -> Vec<LineJson> {
    lines(args, input)
        .iter()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn answers(args: &[&str], input: &[u8]) -> Vec<String> {
    parsed(args, input)
        .iter()
        .map(|line| {
            serde_json::to_string(&line.answer)
                .unwrap()
                .trim_matches('"')
                .to_owned()
        })
        .collect()
}

fn example() -> Vec<u8> {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../examples/hayes-juhasz-1971.txt"
    );
    fs::read(path).unwrap()
}

#[test]
fn output_under_wild16_has_the_expected_bytes() {
    let input = format!("new {CAPTURE}\ne4f5\ne4e6\npx\n");
    let fen = r#""fen":"4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1","to_move":"white","over":null}"#;
    assert_eq!(
        lines(&["wild16"], input.as_bytes()),
        [
            format!(
                "{}{}",
                r#"{"n":0,"by":null,"attempt":"new 4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1","answer":"new","white":[{"kind":"start","rules":"wild16","men":"8/8/8/8/4P3/8/8/4K3","castling":""},{"kind":"tries","count":1},{"kind":"turn","to_move":"white"}],"black":[{"kind":"start","rules":"wild16","men":"4k3/8/8/3p4/8/8/8/8","castling":""},{"kind":"tries","count":1},{"kind":"turn","to_move":"white"}],"room":[{"kind":"start","rules":"wild16","men":null,"castling":null},{"kind":"tries","count":1},{"kind":"turn","to_move":"white"}],"#,
                fen
            ),
            format!(
                "{}{}",
                r#"{"n":1,"by":"white","attempt":"e4f5","answer":"no","white":[{"kind":"no","by":"white","attempt":"e4f5"}],"black":[],"room":[],"#,
                fen
            ),
            format!(
                "{}{}",
                r#"{"n":2,"by":"white","attempt":"e4e6","answer":"nonsense","white":[{"kind":"no","by":"white","attempt":"e4e6"}],"black":[],"room":[],"#,
                fen
            ),
            r#"{"n":3,"by":"white","attempt":"px","answer":"moved","white":[{"kind":"moved","by":"white","attempt":"e4d5"},{"kind":"capture","square":"d5","man":"pawn","en_passant":false},{"kind":"tries","count":0},{"kind":"turn","to_move":"black"}],"black":[{"kind":"moved","by":"white"},{"kind":"lost","square":"d5","man":"pawn"},{"kind":"capture","square":"d5","man":"pawn","en_passant":false},{"kind":"tries","count":0},{"kind":"turn","to_move":"black"}],"room":[{"kind":"moved","by":"white"},{"kind":"capture","square":"d5","man":"pawn","en_passant":false},{"kind":"tries","count":0},{"kind":"turn","to_move":"black"}],"fen":"4k3/8/8/3P4/8/8/8/4K3 b - - 0 1","to_move":"black","over":null}"#.to_owned(),
        ]
    );
}

#[test]
fn output_under_other_rulesets_has_the_expected_bytes() {
    // bodlaender: Any? obliges the player to try a pawn capture; everyone hears the answer
    // `nonsense`.
    let input = format!("new {CAPTURE}\nany\ne1e2\n");
    let fen = r#""fen":"4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1","to_move":"white","over":null}"#;
    assert_eq!(
        lines(&["bodlaender"], input.as_bytes())[1..],
        [
            format!(
                "{}{}",
                r#"{"n":1,"by":"white","attempt":"any","answer":"yes","white":[{"kind":"any","by":"white","answer":true}],"black":[{"kind":"any","by":"white","answer":true}],"room":[{"kind":"any","by":"white","answer":true}],"#,
                fen
            ),
            format!(
                "{}{}",
                r#"{"n":2,"by":"white","attempt":"e1e2","answer":"nonsense","white":[{"kind":"nonsense","by":"white","attempt":"e1e2"}],"black":[{"kind":"nonsense","by":"white"}],"room":[{"kind":"nonsense","by":"white"}],"#,
                fen
            ),
        ]
    );
    // western: the capturer hears whether a pawn or a piece is captured. The opponent hears which
    // man is lost. The spectators hear nothing.
    let input = format!("new {CAPTURE}\ne4d5\n");
    assert_eq!(
        lines(&["western"], input.as_bytes())[1],
        r#"{"n":1,"by":"white","attempt":"e4d5","answer":"moved","white":[{"kind":"moved","by":"white","attempt":"e4d5"},{"kind":"capture","square":null,"man":"pawn","en_passant":false},{"kind":"tries","squares":[],"double":[]},{"kind":"turn","to_move":"black"}],"black":[{"kind":"moved","by":"white"},{"kind":"lost","square":"d5","man":"pawn"},{"kind":"tries","squares":[],"double":[]},{"kind":"turn","to_move":"black"}],"room":[{"kind":"moved","by":"white"},{"kind":"tries","squares":[],"double":[]},{"kind":"turn","to_move":"black"}],"fen":"4k3/8/8/3P4/8/8/8/4K3 b - - 0 1","to_move":"black","over":null}"#
    );
    // umpire: a promotion without a named man becomes a queen; a repeated try
    // gets a separate answer.
    let input = b"new 7k/P7/8/8/8/8/6r1/7K w - - 0 1\nh1h2\nh1h2\na7a8\n";
    let umpire = lines(&["umpire"], input);
    assert!(umpire[2].contains(r#""answer":"repeat-no","white":[{"kind":"repeat-no","by":"white","attempt":"h1h2"}],"black":[{"kind":"repeat-no","by":"white"}]"#));
    assert!(umpire[3].starts_with(
        r#"{"n":3,"by":"white","attempt":"a7a8","answer":"moved","white":[{"kind":"moved","by":"white","attempt":"a7a8q"},{"kind":"promotion","by":"white"},{"kind":"check","directions":["rank"]},{"kind":"tries","squares":[]},{"kind":"turn","to_move":"black"}],"#
    ), "{}", umpire[3]);
    // crazykrieg: reserves at the start, drops, and promoted men.
    let input = b"new 4k3/8/8/8/8/8/8/Q~3K3[Nq] w - - 0 1\nN@f6\n";
    let crazy = lines(&["crazykrieg"], input);
    assert!(
        crazy[0].contains(
            r#""men":"8/8/8/8/8/8/8/Q3K3","castling":"","reserves":{"white":"N","black":"Q"}}"#
        ),
        "{}",
        crazy[0]
    );
    assert!(crazy[1].contains(r#"{"kind":"moved","by":"white"},{"kind":"drop","by":"white","man":"knight"},{"kind":"check","directions":["knight"]},{"kind":"turn","to_move":"black"}"#), "{}", crazy[1]);
    assert!(crazy[1].contains("Q~3K3[q] b"), "{}", crazy[1]);
    // rand: everyone hears the answers to count and recap.
    let rand = lines(&["rand"], b"e2e4\ncount\nrecap\n");
    assert!(
        rand[1]
            .contains(r#""answer":"count","white":[{"kind":"rebuffs","by":"black","count":0}],"#),
        "{}",
        rand[1]
    );
    assert!(rand[2].contains(r#""answer":"recap","white":[{"kind":"recap","by":"black","said":[{"kind":"tries","squares":[]},{"kind":"turn","to_move":"black"}]}],"#), "{}", rand[2]);
}

#[test]
fn blank_lines_get_no_answer_and_any_line_end_works() {
    let all = parsed(&["rand"], b"\n# e2e4\n   \r\n\xef\r\ne2e4\r\ne7e5");
    let texts: Vec<_> = all.iter().map(|l| (l.n, l.attempt.as_str())).collect();
    assert_eq!(texts, [(1, "\u{fffd}"), (2, "e2e4"), (3, "e7e5")]);
    assert!(lines(&["rand", "--fen", CAPTURE], b"").is_empty());
    assert!(lines(&["rand"], b"").is_empty());
}

#[test]
fn option_fen_has_the_effect_of_a_first_line_new_fen() {
    for input in ["e4d5\n", "new\nany\n", "rubbish\n", "# only a comment\n"] {
        let with = lines(&["rand", "--fen", CAPTURE], input.as_bytes());
        let without = lines(&["rand"], format!("new {CAPTURE}\n{input}").as_bytes());
        assert_eq!(with, without, "{input}");
    }
}

#[test]
fn unreadable_line_is_answered_and_the_stream_continues() {
    let long = "x".repeat(4097);
    let fits = "x".repeat(4096);
    let mut input = Vec::new();
    for line in [
        "zz",
        "white",
        "white new",
        "black ",
        "e2 e4",
        "e9e4",
        "offer draw",
        "\u{265a}",
        "\0",
        &long,
        &fits,
        "new rubbish",
        "new 9/8/8/8/8/8/8/8 w - - 0 1",
        "help",
    ] {
        input.extend_from_slice(line.as_bytes());
        input.push(b'\n');
    }
    input.extend_from_slice(b"e2\xff\xfe4\ne2e4\n");
    let all = parsed(&["rand"], &input);
    let (good, bad) = all.split_last().unwrap();
    assert_eq!((good.n, good.attempt.as_str()), (16, "e2e4"));
    assert_eq!(bad.len(), 15);
    for (i, line) in bad.iter().enumerate() {
        assert_eq!(line.n as usize, i + 1);
        assert_eq!(line.answer, wire::AnswerJson::NotUnderstood);
        assert_eq!(line.by, None);
        assert!(line.white.is_empty() && line.black.is_empty() && line.room.is_empty());
        assert!(line.attempt.chars().count() <= 200);
        assert_eq!(line.fen, START);
        assert!(
            line.why.as_ref().is_some_and(|why| why.len() > 15),
            "{line:?}"
        );
    }
    assert_eq!(bad[9].attempt.len(), 200);
    assert!(bad[9].why.as_ref().is_some_and(|why| why.contains("4096")));
    assert!(
        bad[10]
            .why
            .as_ref()
            .is_some_and(|why| why.contains("not an attempt"))
    );
    assert!(
        bad[14]
            .why
            .as_ref()
            .is_some_and(|why| why.contains("UTF-8"))
    );
}

#[test]
fn impossible_position_is_refused_and_the_game_continues() {
    for fen in [
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "4k3/8/8/8/8/8/8/4KK2 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K2P w - - 0 1",
        "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1",
    ] {
        let input = format!("e2e4\nnew {fen}\ne7e5\n");
        let all = parsed(&["wild16"], input.as_bytes());
        assert_eq!(all[1].answer, wire::AnswerJson::Refused, "{fen}");
        assert_eq!((all[1].n, all[1].by), (2, None));
        assert!(all[1].why.is_some());
        assert_eq!((all[2].n, all[2].answer), (3, wire::AnswerJson::Moved));
    }
}

#[test]
fn line_without_a_colour_gets_the_colour_that_can_act() {
    let says = |input: &str| {
        parsed(&["rand"], input.as_bytes())
            .last()
            .map(|l| (l.by.map(rules::chess::Color::from), l.answer))
            .unwrap()
    };
    use rules::chess::Color::{Black, White};
    use wire::AnswerJson::*;

    assert_eq!(says("offer-draw\naccept-draw\n"), (Some(Black), Drawn));
    assert_eq!(says("offer-draw\ndecline-draw\n"), (Some(Black), Declined));
    assert_eq!(
        says("black offer-draw\naccept-draw\n"),
        (Some(White), Drawn)
    );
    assert_eq!(
        says("black offer-draw\nwithdraw-draw\n"),
        (Some(Black), Withdrawn)
    );
    assert_eq!(says("e2e4\naccept-draw\n"), (Some(Black), Refused));
    assert_eq!(says("withdraw-draw\n"), (Some(White), Refused));
    assert_eq!(says("e2e4\nresign\n"), (Some(Black), Resigned));
    assert_eq!(says("white e2e4\nwhite resign\n"), (Some(White), Resigned));
    assert_eq!(says("flag\n"), (Some(White), Flag));
    assert_eq!(says("black flag\n"), (Some(Black), Flag));
    assert_eq!(says("flag\nflag\n"), (Some(White), Refused));
    assert_eq!(says("e2e4\nwhite e4e5\n"), (Some(White), Refused));
    assert_eq!(says("any\n"), (Some(White), Refused));
}

#[test]
fn answers_contain_over_from_the_end_until_the_next_game() {
    let all = parsed(&["rand", "--tries"], b"resign\ne2e4\nhelp\nnew\n");
    for line in &all[..3] {
        assert!(line.over.is_some() && line.to_move.is_none());
        assert_eq!(line.tries.as_deref(), Some(&[][..]));
    }
    assert!(all[3].over.is_none());
    let tries = all[3].tries.as_ref().unwrap();
    assert_eq!(tries.len(), 20);
    assert!(tries.is_sorted());
}

#[test]
fn game_switches_decide_when_a_game_ends() {
    let shuffle = "g1f3\ng8f6\nf3g1\nf6g8\n".repeat(2);
    let over = |args: &[&str]| {
        parsed(args, shuffle.as_bytes())
            .last()
            .is_some_and(|l| l.over.is_some())
    };
    assert!(over(&["wild16"]));
    assert!(!over(&["wild16", "--game", "no-3"]));
    assert!(!over(&["rand"]));
    assert!(over(&["rand", "--game", "50,3"]));
    assert!(over(&["rand", "--game", "no-3", "3"]));
    let mate = b"f2f3\ne7e5\ng2g4\nd8h4\n";
    assert!(parsed(&["umpire"], mate)[3].over.is_none());
    assert!(
        parsed(&["umpire", "--game", "mate"], mate)[3]
            .over
            .is_some()
    );
}

#[test]
fn game_of_1971_is_accepted_under_every_ruleset() {
    for ruleset in &rules::rulesets::ALL {
        let said = answers(&[&ruleset.id], &example());
        assert_eq!(said.len(), 112, "{}", ruleset.id);
        assert_eq!(said[111], "resigned", "{}", ruleset.id);
        assert!(said[..111].iter().all(|a| a == "moved"), "{}", ruleset.id);
    }
}

#[test]
fn two_runs_give_the_same_bytes_and_views_can_be_rebuilt() {
    for id in ["cincinnati", "wild16", "crazykrieg"] {
        let twice = [(); 2].map(|()| lines(&[id, "--tries"], &example()));
        assert_eq!(twice[0], twice[1]);
    }
    let choices = rules::rulesets::WILD16.choices;
    let all = parsed(&["wild16", "--tries"], &example());
    let mut heard = Vec::new();
    for line in &all {
        heard.extend(line.white.iter().cloned());
        if line.to_move == Some(wire::Side::White) {
            let view = wire::player_view(choices, rules::chess::Color::White, &heard).unwrap();
            let mut tries: Vec<_> = view.tries().iter().map(|t| t.to_string()).collect();
            tries.sort_unstable();
            assert_eq!(Some(tries), line.tries);
        }
    }
}

/// Castling rights of a FEN that no king and rook can have are ignored.
#[test]
fn answers_to_an_announced_check_are_judged_under_cincinnati() {
    let fen = "4r1k1/8/8/8/8/8/1P5P/R3K2R w KQkq - 0 1";
    for (id, expected) in [("cincinnati", "nonsense"), ("berkeley", "no")] {
        let said = answers(&[id, "--fen", fen], b"O-O\na1b1\nh1g1\nh2h3\n");
        assert_eq!(said[1..], [expected; 4], "{id}");
    }
}
