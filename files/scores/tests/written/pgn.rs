//! PGN from other programs, and damaged PGN.

use std::{
    io::{self, BufReader, Read},
    time::Duration,
};

use proptest::prelude::*;
use referee::{Event, Game, Opened, StartPosition};
use rules::{Attempt, chess::Color, rulesets::WILD16};
use scores::{
    Damaged, Loss, PgnFault, PgnGame, PgnReader, RecordedGame, RecordedGameError, RecordedGames,
    Shown, Tags, Target, write_player_view, write_umpire_view,
};

fn all(text: &[u8]) -> Vec<Result<PgnGame, Damaged>> {
    PgnReader::new(text).map(|game| game.unwrap()).collect()
}

fn one(text: &str) -> PgnGame {
    let mut games = all(text.as_bytes());
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn fault(text: &[u8]) -> String {
    let games = all(text);
    assert_eq!(games.len(), 1);
    match games.into_iter().next() {
        Some(Err(damaged)) => damaged.to_string(),
        other => panic!("the game must be damaged: {other:?}"),
    }
}

#[test]
fn sample_of_each_form_is_read() {
    let berkeley =
        one("[Event \"x\"]\n\n1. e4 {(:)} e5 {(:)} 2. f4 {(P1:)} exf4 {(Xf4:d5,Bc5,\nQh4)} 1-0\n");
    let remark = berkeley.plies[3].note.remark.as_ref().unwrap();
    assert_eq!(remark.refused, ["d5", "Bc5", "\nQh4".trim()]);
    let older = one("1. e4 {(K::)} d5 {(K:e4:P1)} 2. exd5 {(K:f5,exf5:Td5)} *");
    let remark = older.plies[2].note.remark.as_ref().unwrap();
    assert_eq!(remark.refused.len(), 2);
    assert!(remark.capture.is_some());
    let long = one("1. e2-e4 {(:Nb1-c4)} Nb8-c6 {(:)} 2. Ng1-f3 *");
    assert_eq!(long.plies.len(), 3);
    let icc = one(
        "[Event \"ICC w16 1 0\"]\n[Site \"Internet Chess Club\"]\n[ICCResult \"White checkmated\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# {White checkmated} 0-1\n",
    );
    assert_eq!(icc.plies.len(), 4);
    let xboard =
        one("[Variant \"kriegspiel\"]\n\n1. e4 ? 2. d4 ?xd4 3. Qe2 ?\n{some announcement} *");
    assert_eq!(
        xboard.plies[3].shown,
        Shown::UnseenCapture(Some(rules::chess::Square::D4))
    );
    let black = one("[Variant \"Kriegspiel\"]\n\n1. ?? {(:)} d5 2. ?? {(Xd5:)} Qd5 *");
    assert_eq!(black.plies.len(), 4);
    let marked = one("1. e4 ?+ 2. Ke2 ?xe2# *");
    assert_eq!(marked.plies[1].shown, Shown::Unseen);
    assert_eq!(
        marked.plies[3].shown,
        Shown::UnseenCapture(Some(rules::chess::Square::E2))
    );
    let unseen_king = one("[FEN \"8/8/8/8/8/5n2/4P3/4K3 w - - 0 1\"]\n\n1. exf3 ? 2. Ke2 ?+ *");
    assert_eq!(unseen_king.plies.len(), 4);
    let black = one("[FEN \"4k2r/8/8/8/8/8/8/8 b k - 0 1\"]\n\n1... O-O 2. ? *");
    assert_eq!((black.plies[0].by, black.plies.len()), (Color::Black, 2));
    let nulls = one("1. e4 -- 2. d4 Z0 *");
    assert_eq!(nulls.plies[1].shown, Shown::Unseen);
}

#[test]
fn forms_of_printed_pgn_are_read() {
    let text = "\u{feff}% an escape\r\n[Event \"A \\\"quoted\\\" \\\\ name\"]\r\n\r\n1.e4$1 e5!? (1... c5 {a {nested} (2. Nf3)) 2.Nf3 ; to the end } of the line\r\n2... Nc6 3. Bb5 a6 { [%clk 0:01:02] } 4. O-O\r\n\r\n*\r\n";
    let game = one(text);
    assert_eq!(game.plies.len(), 7);
    assert_eq!(game.tags.get("Event"), Some("A \"quoted\" \\ name"));
    assert_eq!(game.plies[2].note.text, "to the end } of the line");
    assert_eq!(game.plies[5].note.clock, Some(Duration::from_secs(62)));
    assert_eq!(game.plies[6].line, 5);
    // A name in Latin-1.
    let game = all(b"[White \"J\xf6rg\"]\n\n1. e4 *").remove(0).unwrap();
    assert_eq!(game.tags.get("White"), Some("J\u{f6}rg"));
}

#[test]
fn damaged_game_is_reported_and_no_other_is_skipped() {
    #[rustfmt::skip]
    let rows = [
        ("1. e4 e5 2. Ke3 *", "line 1, column 13: move 2. `Ke3`: no such move is legal here"),
        (
            "[Event \"x\"]\n\n1. Nf3 Nf6 2. Nd4 Nd5 3. Nc3 e6 4. N4b5 Na6 5. Nb6 *",
            "line 3, column 48: move 5. `Nb6`: no such move is legal here",
        ),
        ("1. e4 }", "line 1, column 7: a } without a { before it; a comment cannot contain a comment"),
        ("1. e4 {a {b} c} *", "line 1, column 14: move 1... `c`: this is not the form of a move"),
        ("1. e4 {(P1", "line 1, column 7: a comment begins with {, but does not end with }"),
        ("1. e4 (1. d4", "line 1, column 7: a variation has no closing bracket, or no opening bracket"),
        ("[Event \"x]\n\n1. e4 *", "line 1, column 1: a line of the header must have the form [Name \"value\"]"),
        (
            "[Result \"1-0\"]\n\n1. e4 e5",
            "line 3, column 9: the game is cut off: its header gives the result 1-0, but the moves end without a result",
        ),
        ("1. e4 * 1. d4 *", "line 1, column 12: unexpected `d4` after the result; a new game begins with a line [Event \"...\"]"),
        ("1. e4 {[%ks w d2d4 moved]} *", "line 1, column 27: [%ks] says `w d2d4 moved`, but the move is e2e4"),
        (
            "1. e4 {[%ks w e2e4 mooved]} *",
            "line 1, column 28: in [%ks]: not an event of a game's log: `w e2e4 mooved` (unknown verdict `mooved`)",
        ),
        ("[Variant \"Atomic\"]\n\n1. e4 *", "line 1, column 1: a game of `Atomic`, which is neither Kriegspiel nor plain chess"),
        ("[Event \"ICC w27 3 0\"]\n\n1. e4 *", "line 1, column 1: a game of `ICC wild 27`, which is neither Kriegspiel nor plain chess"),
        ("[FEN \"8/8\"]\n\n*", "line 1, column 1: the start position: not a FEN"),
    ];
    for (text, said) in rows {
        let damaged = fault(text.as_bytes());
        assert!(damaged.starts_with(said), "{text}\n{damaged}");
    }
    // Each damaged game is put between two valid games, which must be read.
    let good = "[Event \"good\"]\n\n1. e4 e5 1/2-1/2\n\n";
    for bad in [
        "[Event \"bad\"]\n\n1. e4 {(P1\n\n",
        "[Event \"bad\"]\n\n1. e9 *\n\n",
        "[Event \"bad\"\n\n1. e4 *\n\n",
    ] {
        let text = format!("{good}{bad}{good}");
        let games = all(text.as_bytes());
        let good: Vec<bool> = games.iter().map(Result::is_ok).collect();
        assert_eq!(good, [true, false, true], "{text}");
        let Err(damaged) = &games[1] else {
            panic!("{text}")
        };
        assert!((5..=7).contains(&damaged.line), "{damaged}");
    }
    // Text before the first game is not a game.
    let games = all(b"\x00\xff\xfe\x01\x02{{{}}}[[[[\n\n[Event \"good\"]\n\n1. e4 *\n");
    assert!(matches!(games[..], [Ok(_)]), "{games:?}");
}

/// Long input: a beginning, `left` bytes of noise, and an end.
struct Noise {
    head: &'static [u8],
    left: usize,
    tail: &'static [u8],
}

impl Read for Noise {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if !self.head.is_empty() {
            return self.head.read(buffer);
        }
        if self.left > 0 {
            let n = buffer.len().min(self.left);
            buffer[..n].fill(b'x');
            self.left -= n;
            return Ok(n);
        }
        self.tail.read(buffer)
    }
}

#[test]
fn game_with_a_line_of_a_gigabyte_is_skipped() {
    let noise = Noise {
        head: b"[Event \"good\"]\n\n1. e4 *\n\n[Event \"long\"]\n\n1. ",
        left: 1 << 30,
        tail: b"\n\n[Event \"good\"]\n\n1. d4 *\n",
    };
    let mut reader = PgnReader::new(BufReader::with_capacity(1 << 20, noise));
    let mut next = || reader.next().map(|game| game.unwrap());
    assert!(matches!(next(), Some(Ok(_))));
    let long = next().unwrap().expect_err("the game is too long");
    assert_eq!((long.line, long.fault), (5, PgnFault::TooLong));
    assert!(matches!(next(), Some(Ok(_))));
    assert!(next().is_none());
    let games: Vec<Result<RecordedGame, RecordedGameError>> =
        RecordedGames::new(BufReader::new(Noise {
            head: b"{\"",
            left: 1 << 24,
            tail: b"",
        }))
        .unwrap()
        .map(|game| game.unwrap())
        .collect();
    assert!(matches!(
        games[..],
        [Err(RecordedGameError::TooLong { line: 1, .. })]
    ));
}

#[test]
fn line_of_almost_four_megabytes_is_read() {
    let mut text = "[Event \"long\"]\n\n".to_owned();
    for n in 0..300_000 {
        text.push_str(
            [
                "Nf3 ",
                "Nf6 ",
                "Ng1 ",
                "Ng8 {(:Nf5,Ng4,Rh5) and so on and on} ",
            ][n % 4],
        );
    }
    text.push_str("* 1. x");
    let damaged = fault(text.as_bytes());
    assert!(damaged.contains("after the result"), "{damaged}");
}

const PIECES: [&str; 24] = [
    "[Event \"x\"]\n",
    "[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n",
    "\n",
    " ",
    "1. ",
    "e4 ",
    "e5 ",
    "Nf3 ",
    "{",
    "}",
    "(",
    ")",
    "{(P1:)} ",
    "{(Xd5,CF:a3)}",
    "[%ks ",
    "w e2e4 moved; ",
    "]",
    "*",
    "1-0",
    ";",
    "%",
    "?? ",
    "O-O ",
    "\u{1F431}",
];

/// Characters and texts that mean something in PGN, and some that do not.
const IN_TAGS: [&str; 20] = [
    "\\",
    "\"",
    "\\\"",
    "\"\\",
    "[",
    "]",
    "\"]",
    "{",
    "}",
    ";",
    "%",
    "(",
    "$1",
    " ",
    "",
    "a",
    "\u{e9}",
    "\u{1f431}",
    "[%clk 0:00:01]",
    "1-0",
];

/// Log of a short game with tries that are refused.
fn short_log() -> Vec<Event> {
    log_of(&[
        (Color::White, "e2d3"),
        (Color::White, "e2e4"),
        (Color::Black, "e7d6"),
        (Color::Black, "e7e5"),
        (Color::White, "g1f3"),
        (Color::Black, "resign"),
    ])
}

/// Log of a game in which the players make these attempts.
fn log_of(attempts: &[(Color, &str)]) -> Vec<Event> {
    let opened = Opened::new(&WILD16, WILD16.choices, StartPosition::initial());
    let mut game = Game::open(opened.clone());
    let mut log = vec![Event::Opened(Box::new(opened))];
    for (by, text) in attempts {
        let attempt: Attempt = text.parse().unwrap();
        let event = game.judge(*by, attempt).unwrap().event;
        game.apply(&event);
        log.push(event);
    }
    log
}

/// If a player makes no move after a refused try, the try is in the view of this player, and in no
/// other view.
#[test]
fn players_view_has_no_tag_that_could_tell_of_hidden_moves() {
    let mut tags = Tags::default();
    let hidden = ["ECO", "Opening", "Variation", "NIC", "Moves", "fen", "Fen"];
    let public = ["WhiteElo", "TimeControl", "UTCDate", "Source", "Round"];
    for name in hidden.into_iter().chain(public) {
        tags.set(name, "value");
    }
    let log = short_log();
    let mut umpire = String::new();
    write_umpire_view(&mut umpire, &tags, &log, &[]);
    for name in hidden.into_iter().chain(public) {
        assert_eq!(one(&umpire).tags.get(name), Some("value"), "{umpire}");
    }
    let game = RecordedGame::from_pgn(one(&umpire)).unwrap();
    for player in [Color::White, Color::Black] {
        let mut text = String::new();
        write_player_view(&mut text, &tags, &log, &[], player);
        for name in hidden {
            assert_eq!(one(&text).tags.get(name), None, "{text}");
        }
        for name in public {
            assert_eq!(one(&text).tags.get(name), Some("value"), "{text}");
        }
        let converted = scores::convert(&game, None, Target::PlayerPgn(player));
        let converted = converted.unwrap();
        assert!(converted.losses.contains_key(&Loss::Tags));
        assert!(!converted.text.contains("Opening"), "{}", converted.text);
    }
}

#[test]
fn tries_refused_after_the_last_move_are_in_the_movers_view() {
    let log = log_of(&[
        (Color::White, "e2e4"),
        (Color::Black, "e7e5"),
        (Color::White, "e4d5"),
        (Color::White, "d1h5"),
        (Color::Black, "e5d4"),
        (Color::Black, "e5f4"),
        (Color::Black, "resign"),
    ]);
    let view = |player| {
        let mut text = String::new();
        write_player_view(&mut text, &Tags::default(), &log, &[], player);
        text
    };
    let (white, black) = (view(Color::White), view(Color::Black));
    assert!(
        black.contains("{answered no at the end: exd4, exf4}\n1-0"),
        "{black}"
    );
    assert!(!white.contains("at the end"), "{white}");
    assert!(!white.contains("d4") && !black.contains("d5"));
    assert!(white.contains("{(:exd5)}"), "{white}");
    for (player, text) in [(Color::White, &white), (Color::Black, &black)] {
        let game = one(text);
        assert_eq!(game.plies.len(), 3, "{text}");
        assert!(game.plies[2].note.remark.is_some(), "{player:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    /// The umpire's view and each player's view are read back with the same tags and clocks. The
    /// tags can contain anything, and any of the clocks can be unknown.
    #[test]
    fn tags_and_clocks_round_trip_in_every_view(
        names in proptest::collection::vec(proptest::collection::vec(0..IN_TAGS.len(), 0..8), 4),
        clocks in proptest::collection::vec(proptest::option::of(0_u64..400_000_000), 3),
    ) {
        let values: Vec<String> = names
            .iter()
            .map(|pieces| pieces.iter().map(|piece| IN_TAGS[*piece]).collect())
            .collect();
        let mut tags = Tags::default();
        let kinds = ["Event", "White", "Black", "Annotator"];
        for (kind, value) in kinds.iter().zip(&values) {
            tags.set(kind, value);
        }
        let clocks: Vec<Option<Duration>> =
            clocks.into_iter().map(|left| left.map(Duration::from_millis)).collect();
        let log = short_log();
        for player in [None, Some(Color::White), Some(Color::Black)] {
            let mut text = String::new();
            match player {
                None => write_umpire_view(&mut text, &tags, &log, &clocks),
                Some(player) => write_player_view(&mut text, &tags, &log, &clocks, player),
            }
            let game = one(&text);
            for (kind, value) in kinds.iter().zip(&values) {
                prop_assert_eq!(game.tags.get(kind), Some(value.as_str()), "{}", text);
            }
            let read: Vec<_> = game.plies.iter().map(|ply| ply.note.clock).collect();
            let own = |n: usize| player.is_none_or(|color| color == Color::from_white(n.is_multiple_of(2)));
            let expected: Vec<_> =
                clocks.iter().enumerate().map(|(n, left)| left.filter(|_| own(n))).collect();
            prop_assert_eq!(read, expected, "{}", text);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn garbage_causes_no_panic(pieces in proptest::collection::vec(0..PIECES.len(), 0..40), noise in proptest::collection::vec(any::<u8>(), 0..20)) {
        let mut text: Vec<u8> = pieces.iter().flat_map(|i| PIECES[*i].bytes()).collect();
        text.extend(noise);
        for game in all(&text) {
            match game {
                Ok(game) => {
                    let _account = RecordedGame::from_pgn(game);
                }
                Err(damaged) => assert!(damaged.to_string().starts_with("line ")),
            }
        }
        for form in [scores::Form::Transcript, scores::Form::Pgn, scores::Form::Json] {
            for game in RecordedGames::of_form(text.as_slice(), form) {
                let _account = game.unwrap();
            }
        }
    }
}
