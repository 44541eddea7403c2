//! Where the games of a PGN file begin and end: a bad game costs only itself.

use scores::{Form, PgnReader, RecordedGame, RecordedGames, Target, convert};

const GOOD: &str = "[Event \"good\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n\n";

/// Returns one word for each game: its event and number of half-moves, or `-` if it is damaged.
fn games(text: &str) -> String {
    let words = PgnReader::new(text.as_bytes()).map(|game| match game.unwrap() {
        Ok(game) => format!(
            "{}{}",
            game.tags.get("Event").unwrap_or(""),
            game.plies.len()
        ),
        Err(_) => "-".to_owned(),
    });
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn damaged_game_is_one_game_and_the_next_is_read() {
    for bad in [
        // Lines of a header that are no tags.
        "[Event \"bad\"]\n[Annotator O Neil]\n[White \"a\"]\n\n1. e4 e5 1-0\n\n",
        "[Event \"bad\"]\n[White \"Joe \"The Rock\" Smith\"]\n[Black \"b\"]\n\n1. e4 e5 1-0\n\n",
        "[Event \"bad\"]\n[White \"a\"\n[Black \"b\"]\n\n1. e4 e5 1-0\n\n",
        "[Event \"bad\"\n[Black \"b\"]\n\n1. e4 e5 1-0\n\n",
        "[Event bad]\n[Black \"b\"]\n\n1. e4 e5 1-0\n\n",
        "Event \"bad\"]\n[Black \"b\"]\n\n1. e4 e5 1-0\n\n",
        "[Event \"bad\"]\nA fine game of 21 moves.\n[Black \"b\"]\n\n1. e4 e5 1-0\n\n",
        "[Event \"bad\"]\n3. round of the club\n[Black \"b\"]\n\n1. e4 e5 1-0\n\n",
        "[Event \"bad\"]\n{note}\n[Black \"b\"]\n\n1. e4 e5 1-0\n\n",
        "[Event \"bad\"]\n\n[Black b]\n\n1. e4 e5 1-0\n\n",
        "[Event \"bad\"]\n\nAn exciting game.\n\n1. e4 e5 1-0\n\n",
        // Tags among the moves.
        "[Event \"bad\"]\n\n1. e4 e5\n[Annotator \"a\"]\n2. Nf3 Nc6 1-0\n\n",
        "[Event \"bad\"]\n\n1. e4 e5\n\n[Annotator \"a\"]\n\n2. Nf3 Nc6 1-0\n\n",
        // Comments and variations that do not end, and braces in the wrong place.
        "[Event \"bad\"]\n\n1. e4 {(P1\n\n",
        "[Event \"bad\"]\n\n1. e4 (1. d4 d5\n\n",
        "[Event \"bad\"]\n\n1. e4 } e5 1-0\n\n",
        "[Event \"bad\"]\n\n1. e4 {a {b} c} 1-0\n\n",
        // Moves.
        "[Event \"bad\"]\n\n1. e9 *\n\n",
        "[Event \"bad\"]\n\n1. e4 Ke2 *\n\n",
        "[Event \"bad\"]\n[Result \"1-0\"]\n\n1. e4 e5\n\n",
        "[Event \"bad\"]\n[FEN \"8/8\"]\n\n1. e4 *\n\n",
        "[Event \"ICC w27 3 0\"]\n\n1. e4 *\n\n",
    ] {
        for ends in ["\n", "\r\n"] {
            let text = format!("\u{feff}{GOOD}{bad}{GOOD}{GOOD}").replace('\n', ends);
            assert_eq!(games(&text), "good3 - good3 good3", "{bad}");
            let text = format!("{bad}{GOOD}").replace('\n', ends);
            assert_eq!(games(&text), "- good3", "{bad}");
            let text = format!("{GOOD}{bad}").replace('\n', ends);
            assert_eq!(games(&text), "good3 -", "{bad}");
        }
    }
}

#[test]
fn good_games_are_split_without_blank_lines_and_events() {
    #[rustfmt::skip]
    let rows = [
        // Blank lines that are missing, or that are too many.
        ("[Event \"a\"]\n1. e4 *\n[Event \"b\"]\n1. d4 d5 *\n", "a1 b2"),
        ("[Event \"a\"]\n\n\n[White \"w\"]\n\n\n1. e4 *\n\n\n\n[Event \"b\"]\n\n1. d4 d5 *\n", "a1 b2"),
        ("[Event \"a\"]\n\n1. e4\n\ne5\n\n*\n\n[Event \"b\"]\n\n1. d4 d5 *\n", "a2 b2"),
        // No event, no tags, no result, no moves.
        ("[White \"a\"]\n\n1. e4 *\n[White \"b\"]\n\n1. d4 d5 *\n", "1 2"),
        ("[White \"a\"]\n\n1. e4\n\n[Date \"b\"]\n[White \"b\"]\n\n1. d4 d5\n", "1 2"),
        ("1. e4 *\n\n1. d4 d5 *\n", "1 2"),
        ("1. e4 *\n1. d4 d5 *\n", "1 2"),
        ("1. e4 e5\n\n1. d4 d5 2. c4\n", "2 3"),
        ("[Event \"a\"]\n[Result \"*\"]\n\n[Event \"b\"]\n\n1. d4 d5 *\n", "a0 b2"),
        ("[White \"a\"]\n\n[White \"b\"]\n\n1. d4 d5 *\n", "0 2"),
        // Comments and variations with brackets.
        ("[Event \"a\"]\n\n1. e4 {compare\n[Event \"x\"]\n[Site \"x\"]\nand others} e5 *\n\n[Event \"b\"]\n\n1. d4 d5 *\n", "a2 b2"),
        ("[Event \"a\"]\n\n1. e4 {1-0\n\n1. e4\n} e5 *\n\n[Event \"b\"]\n\n1. d4 d5 *\n", "a2 b2"),
        ("[Event \"a\"]\n\n1. e4 (1. d4 (1. c4 1-0) d5 *)\n\n1... e5 *\n\n[Event \"b\"]\n\n1. d4 d5 *\n", "a2 b2"),
        ("[Event \"a\"]\n\n1. e4 {[%clk 0:01:00]}\n{[%ks w e2e4 moved]} e5 *\n", "a2"),
        ("[Event \"a\"]\n\n1. e4 ; 1-0 [Event \"x\"]\n1... e5 *\n", "a2"),
        ("[Event \"a\"]\n\n1. e4 e5 1-0\n\n{White was winning.}\n\n[Event \"b\"]\n\n1. d4 d5 *\n", "a2 b2"),
        // Lines that begin with %, in and between games.
        ("% by hand\n[Event \"a\"]\n% [Event \"x\"]\n\n1. e4 e5\n%1-0\n2. Nf3 *\n%\n[Event \"b\"]\n\n1. d4 d5 *\n", "a3 b2"),
        // Text that belongs to no game.
        (
            "Games of the evening.\n\n[Event \"a\"]\n\n1. e4 *\n\nThe next one is short.\n\n[Event \"b\"]\n\n1. d4 d5 *\n\nThe end.\n",
            "a1 b2",
        ),
        ("Games of the evening\n[Event \"a\"]\n\n1. e4 *\n\n---\n[Event \"b\"]\n\n1. d4 d5 *\n", "a1 b2"),
        ("{by hand}\n[Event \"a\"]\n\n1. e4 *\n", "a1"),
        ("", ""),
        ("\u{feff}\n \n", ""),
        ("Dear reader,\n\nthis is a letter.\n", ""),
    ];
    for (text, expected) in rows {
        for ends in ["\n", "\r\n"] {
            let text = text.replace('\n', ends);
            assert_eq!(games(&text), expected, "{text}");
        }
    }
}

#[test]
fn faults_name_lines_of_the_file() {
    let bad = "[Event \"bad\"]\n\n1. e4\n\n[Annotator \"a\"]\n\n2. Ke3 *\n\n";
    let open = "[Event \"open\"]\n\n1. e4 {(P1\n\n";
    let text = format!("{GOOD}{open}{GOOD}{bad}{GOOD}");
    let all: Vec<_> = PgnReader::new(text.as_bytes())
        .map(|game| match game.unwrap() {
            Ok(game) => game.line,
            Err(damaged) => damaged.line,
        })
        .collect();
    assert_eq!(all, [1, 8, 10, 19, 23]);
}

#[test]
fn damaged_line_of_json_costs_one_game() {
    let text = "title t\nrules rand\n\nstart\nwhite e2e4\n";
    let game = RecordedGame::from_transcript(text).unwrap();
    let game = convert(&game, None, Target::Json).unwrap().text;
    let (new, first) = game.split_at(game.find('\n').unwrap() + 1);
    let whole = "{\"game\":\"x\"}\n";
    for (bad, expected) in [
        (format!("{new}{{\"n\":1,\n"), "ok - ok"),
        (format!("{}{game}", &new[20..]), "- ok ok"),
        (format!("{{\"n\":0,\n{first}"), "ok - ok"),
        ("{\"n\":0,\n{\"n\":0,\n".to_owned(), "ok - - ok"),
        (whole.to_owned(), "ok - ok"),
        (whole.repeat(2), "ok - - ok"),
    ] {
        let text = format!("{game}{bad}{game}");
        let all =
            RecordedGames::of_form(text.as_bytes(), Form::Json).map(|game| match game.unwrap() {
                Ok(_) => "ok",
                Err(_) => "-",
            });
        assert_eq!(all.collect::<Vec<_>>().join(" "), expected, "{text}");
    }
}

#[test]
fn event_of_icc_names_the_ruleset() {
    for (tag, expected) in [
        ("[Event \"ICC w16 5 0\"]", Some("wild16")),
        ("[Event \"ICC w16\"]", Some("wild16")),
        ("[Variant \"wild/16\"]", Some("wild16")),
        ("[Variant \"cincinnati\"]", Some("cincinnati")),
        ("[Event \"ICC w16 5 0\"]\n[Rules \"rand\"]", Some("rand")),
        ("[Event \"ICC 5 0\"]", None),
    ] {
        let text = format!("{tag}\n\n1. e4 *\n");
        let game = RecordedGames::new(text.as_bytes()).unwrap().next();
        let game = game.unwrap().unwrap().unwrap();
        assert_eq!(game.rules.as_deref(), expected, "{tag}");
    }
}
