//! Properties that must hold for every input.
//!
//! The fuzz targets call these functions with bytes that the fuzzing engine generates.
//! The test `corpora` of the crate `kriegspiel` calls them with the stored corpus.

pub mod doors;

use std::time::Duration;

use kriegspiel::{
    notation::{BoardNames, Page, TypedError, read_ruleset, read_typed, write_ruleset},
    problems::certificate::Certificate,
    referee::{Event, Game, Opened, StartPosition},
    rules::{TurnState, chess::Color, rulesets},
    scores::{
        self, PgnReader, RecordedGames, Target, convert, follow,
        score::{ScoreFile, ScoreForm},
    },
    stream::{self, Desk, Form, Piped, Settings, Show, TableClock, TableSession},
    views::PlayerView,
    wire::{
        ActJson, ClientSays, CredentialsJson, HeardJson, NewChallengeJson, ServerSays, TryJson,
    },
};
use ksref::command::{self, Stop};

/// Start positions: a text that is read as a position can be printed, read again and
/// played. Any other text is rejected with a message.
pub fn fen(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    for id in ["wild16", "crazykrieg"] {
        let ruleset = rulesets::by_id(id).expect("the ruleset is built in");
        let start = match StartPosition::from_fen(text, &ruleset.choices) {
            Ok(start) => start,
            Err(error) => {
                assert!(!error.to_string().is_empty());
                continue;
            }
        };
        let again = StartPosition::from_fen(&start.fen(), &ruleset.choices);
        assert_eq!(again.as_ref(), Ok(&start), "{}", start.fen());

        let game = Game::open(Opened::new(ruleset, ruleset.choices, start));
        assert_eq!(game.over().is_none(), game.to_move().is_some());
        let opened = game.opened_event();
        assert_eq!(opened.to_string().parse::<Event>().as_ref(), Ok(&opened));
        // Every legal try is played. A replay of the log must give the same game.
        for what in game.sheet().legal_tries() {
            let Some(by) = game.to_move() else { break };
            let ruling = game
                .judge(by, what.into())
                .expect("the side to move may make any attempt");
            let mut live = game.clone();
            live.apply(&ruling.event);
            let log = [opened.clone(), ruling.event];
            assert_eq!(Game::replay(&log), Ok(live));
        }
    }
}

/// Problems have two formats. If a line with `history` can be read, a view accepts the hearings of
/// the problem. If a line in the project's own format can be read, the problem can be written and
/// read again. Any other text is rejected with a message.
pub fn problem(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    for line in text.lines() {
        match scores::Problem::read(line) {
            // A problem in the project's own format may contain hearings that no referee makes. So
            // its hearings are not passed to a view.
            Ok(problem) if !line.contains("\"history\"") => {
                let again = scores::Problem::read(&problem.write());
                assert_eq!(again.as_ref(), Ok(&problem));
            }
            Ok(problem) => {
                let mut view = PlayerView::initial(rulesets::BERKELEY.choices, Color::White);
                for heard in &problem.heard {
                    view.hear(heard);
                }
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

/// Certificates: a text that is read as a certificate can be written and read again. The check of
/// the certificate ends within a limit. The check confirms the certificate, or says what is wrong.
pub fn certificate(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    for line in text.lines() {
        match Certificate::read(line) {
            Ok(certificate) => {
                let again = Certificate::read(&certificate.write());
                assert_eq!(again.as_ref(), Ok(&certificate));
                if let Err(error) = certificate.check(2_000) {
                    assert!(!error.to_string().is_empty());
                }
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

/// Ruleset files: a file that is read gives a valid ruleset. The ruleset can be written and read
/// again. Any other file is rejected with a message.
pub fn toml(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let ruleset = match read_ruleset(text) {
        Ok(ruleset) => ruleset,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    assert_eq!(ruleset.choices.check(), Ok(()));
    let again = read_ruleset(&write_ruleset(&ruleset)).expect("the written text can be read again");
    assert_eq!(again.id, ruleset.id);
    assert_eq!(again.choices, ruleset.choices);
    assert!(!Page::of(&ruleset).text(80).is_empty());

    let start = StartPosition::initial();
    let game = Game::open(Opened::new(&ruleset, ruleset.choices, start));
    assert!(game.over().is_none());
}

/// Files of recorded games: every game is read, or there is a message about what is wrong with it.
/// Every game that is read can be audited under any ruleset. A game that is converted to PGN and
/// back has the same log. The same bytes are also read as a transcript and as lines of JSON.
pub fn pgn(data: &[u8]) {
    for game in PgnReader::new(data) {
        if let Err(damaged) = game.expect("bytes can always be read") {
            assert!(damaged.line >= 1 && damaged.to_string().starts_with("line "));
        }
    }
    for form in [
        scores::Form::Pgn,
        scores::Form::Transcript,
        scores::Form::Json,
    ] {
        for account in RecordedGames::of_form(data, form).take(8) {
            let account = match account.expect("bytes can always be read") {
                Ok(account) => account,
                Err(error) => {
                    assert!(!error.to_string().is_empty());
                    continue;
                }
            };
            let own = account.opening().ok();
            let opened = own.or_else(|| account.opening_under(&rulesets::RAND).ok());
            let Some(opened) = opened else { continue };
            let followed = follow(&account, opened.clone(), false);
            if followed.findings.is_empty() {
                assert_eq!(Game::replay(&followed.log()), Ok(followed.game.clone()));
            }
            let Ok(converted) = convert(&account, Some(opened), Target::Pgn) else {
                continue;
            };
            let again = PgnReader::new(converted.text.as_bytes())
                .next()
                .expect("the file contains a game")
                .expect("bytes can always be read")
                .expect("the written text can be read again");
            assert_eq!(again.log(), Some(followed.log()));
        }
    }
}

/// Attempts as typed: a text that is read is one attempt. Any other text is rejected with a
/// message. If a text has several possible meanings, the message about them names only own men.
pub fn attempt(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let choices = rulesets::KS.choices;
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/1PP2ppp/3p4/3Pp3/4P1R1/1P1p1N2/pN3PP1/R3K2R w KQkq e6 0 1",
    ] {
        let start = StartPosition::from_fen(fen, &choices).expect("the FEN is valid");
        for color in Color::ALL {
            let own = start.position().own(color);
            for board in [BoardNames::Usual, BoardNames::Reversed] {
                let read = || read_typed(&text, &own, &TurnState::default(), &choices, board);
                let first = read();
                assert_eq!(first, read());
                if let Err(error) = &first {
                    assert!(!error.to_string().is_empty());
                }
                if let Err(TypedError::Ambiguous { fits, .. }) = first {
                    // A single fit is castling, for a king that moves onto the own rook.
                    let castles = |t| own.is_castling(t);
                    assert!(fits.len() > 1 || fits.iter().all(|t| castles(*t)));
                    let rule = choices.promotion_man;
                    assert!(fits.iter().all(|t| own.imaginable(*t, rule) || castles(*t)));
                }
            }
        }
    }
}

/// Scores: a score that is read can be played, written in every form, and read
/// again. For any other text, the error contains the place of the fault.
pub fn score(data: &[u8]) {
    let file = match ScoreFile::read(data) {
        Ok(file) => file,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    let choices = rulesets::RAND.choices;
    let play = |file: &ScoreFile| file.play(StartPosition::initial(), &choices);
    match play(&file) {
        Ok(score) => {
            for form in [ScoreForm::Uci, ScoreForm::San, ScoreForm::Descriptive] {
                let text = score.written(form);
                let again =
                    ScoreFile::read(text.as_bytes()).expect("the written text can be read again");
                let again = play(&again).expect("what we wrote can be played");
                assert_eq!(again.moves, score.moves, "{text}");
            }
        }
        Err(stop) => {
            assert!(stop.to_string().starts_with("line "));
            let mut looks = 0;
            let mut enough = || {
                looks += 1;
                looks > 50
            };
            let repairs = file.repairs(StartPosition::initial(), &choices, &mut enough);
            assert!(
                repairs
                    .repairs
                    .iter()
                    .all(|repair| repair.changes.len() <= 6)
            );
        }
    }
}

/// The umpire's stream: every line except blank lines and comments gets one line of
/// JSON, and also an answer in words. Two runs give the same output.
///
/// The first byte selects the ruleset by its low four bits (`C` is `cincinnati`). If this byte is a
/// small letter, the stream also lists the tries.
pub fn stream(data: &[u8]) {
    let Some((first, input)) = data.split_first() else {
        return;
    };
    let ruleset = rulesets::ALL[usize::from(first & 15)].clone();
    let mut settings = Settings::new(ruleset);
    settings.tries = first.is_ascii_lowercase();
    settings.form = Form::Json;
    let json = answered(input, &settings);
    let lines: Vec<&str> = json.split_terminator('\n').collect();
    assert_eq!(
        lines.len(),
        input.split(|b| *b == b'\n').filter(|l| speaks(l)).count()
    );
    for line in lines {
        assert!(line.starts_with("{\"n\":") && line.ends_with('}'), "{line}");
    }
    assert_eq!(
        answered(input, &settings),
        json,
        "a second run must print the same"
    );

    settings.form = Form::Words {
        show: [
            None,
            Some(Show::Umpire),
            Some(Show::White),
            Some(Show::Black),
        ][usize::from(first >> 4 & 3)],
        prompt: input.len() % 2 == 0,
    };
    answered(input, &settings);
}

/// A person who referees at a table: every line is answered in words. Lines may also be takebacks,
/// choices from a menu and commands of the clock. Two runs give the same output, and the output
/// contains no control characters from the input.
///
/// The first byte selects the ruleset by its low four bits. If this byte is a small letter, two
/// players share the screen.
pub fn table(data: &[u8]) {
    let Some((first, input)) = data.split_first() else {
        return;
    };
    let ruleset = rulesets::ALL[usize::from(first & 15)].clone();
    let mut settings = Settings::new(ruleset);
    settings.form = Form::Words {
        show: None,
        prompt: true,
    };
    let two = first.is_ascii_lowercase();
    let run = || {
        let desk = Desk {
            clock: TableClock::read("5+1", || Duration::from_secs(1)).ok(),
            two,
            saves: false,
            ..Desk::default()
        };
        let mut session = TableSession::open(&settings, desk).expect("a new game begins");
        let mut output = Vec::new();
        session
            .run(&mut Piped::new(input), &mut output)
            .expect("memory can be read and written");
        String::from_utf8(output).expect("the session writes UTF-8")
    };
    let output = run();
    assert_eq!(run(), output, "a second run must print the same");
    // The session itself writes these escape sequences: styles, and the sequences that empty the
    // screen.
    let plain = output.replace("\u{1b}[", "");
    let order = |c: char| c.is_control() && c != '\n';
    assert!(!plain.contains(order), "{plain:?}");
}

/// The frames of the club's socket and the bodies of its HTTP API. If a text is read as a message,
/// this message can be written and read again, with the same result. Any other text is rejected
/// with a message.
pub fn wire(data: &[u8]) {
    fn both_ways<T>(data: &[u8])
    where
        T: serde::de::DeserializeOwned + serde::Serialize + PartialEq,
    {
        match serde_json::from_slice::<T>(data) {
            Ok(said) => {
                let text = serde_json::to_string(&said).expect("the value can be written as JSON");
                let again = serde_json::from_str::<T>(&text).ok();
                assert!(again.as_ref() == Some(&said), "{text}");
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    both_ways::<ClientSays>(data);
    both_ways::<ServerSays>(data);
    both_ways::<HeardJson>(data);
    both_ways::<TryJson>(data);
    both_ways::<ActJson>(data);
    both_ways::<NewChallengeJson>(data);
    both_ways::<CredentialsJson>(data);
}

/// The referee of 1975: for any numbers, it answers, or stops with a message. With the option
/// `--raw`, the number of printed lines is a multiple of 11. Two runs give the same output.
pub fn ksref(data: &[u8]) {
    let Some((first, input)) = data.split_first() else {
        return;
    };
    let args = command::Args {
        raw: first & 3 == 1,
        legal: first & 3 == 2,
        board: first & 4 != 0 && first & 8 == 0,
        paper: first & 8 != 0 && first & 3 != 1,
        fen: None,
    };
    let run = || {
        let (mut output, mut notes) = (Vec::new(), Vec::new());
        let stopped = command::main(&args, input, &mut output, &mut notes);
        let why = match stopped {
            Ok(()) => None,
            Err(Stop::Input(why)) => Some(why),
            Err(Stop::Io(error)) => panic!("memory can be read and written: {error}"),
        };
        (output, notes, why)
    };
    let (output, notes, why) = run();
    assert!(why.as_ref().is_none_or(|why| !why.is_empty()));
    if args.raw {
        assert_eq!(output.iter().filter(|b| **b == b'\n').count() % 11, 0);
    }
    assert_eq!(
        run(),
        (output, notes, why),
        "a second run must print the same"
    );
}

fn answered(input: &[u8], settings: &Settings) -> String {
    let mut output = Vec::new();
    stream::run(input, &mut output, settings).expect("memory can be read and written");
    String::from_utf8(output).expect("the stream writes UTF-8")
}

/// Whether a line gets an answer.
fn speaks(line: &[u8]) -> bool {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if line.first() == Some(&b'#') {
        return false;
    }
    let blank = std::str::from_utf8(line).is_ok_and(|text| text.trim().is_empty());
    !(blank && line.len() <= 4096)
}
