//! Random games of every ruleset are converted to every format and back. After the
//! conversion, each listener's column must be the same as before.
#![allow(clippy::unwrap_used, reason = "a mistake here fails the test")]

mod common;

use belief::{Belief, Origin, Settings, Situation};
use common::{Played, every, number, play};
use referee::{Event, Game};
use rules::{Attempt, Heard, Listener, Reply, ReserveUse, chess::Color};
use scores::{
    Answered, Asked, Begun, Entry, Form, Loss, PgnReader, RecordedGame, RecordedGameError,
    RecordedGames, SeatRecord, Shown, Tags, Target, Transcript, TranscriptLine, convert, steps,
    write_player_view, write_umpire_view,
};
use wire::{AnswerJson, Side};

fn only(text: &str, form: Form) -> RecordedGame {
    assert_eq!(Form::of(text.as_bytes()), form);
    let mut all = RecordedGames::new(text.as_bytes()).unwrap();
    let game = all.next().unwrap().unwrap();
    assert!(all.next().is_none(), "the text must contain only one game");
    game.unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn into(game: &RecordedGame, to: Target) -> scores::Converted {
    convert(game, None, to).unwrap_or_else(|e| panic!("{e}"))
}

/// Returns the transcript with only the information that a log can hold. Refused attempts and
/// unread texts are removed. An attempt `px` is replaced by the pawn capture that it became.
fn as_logged(played: &Played) -> Transcript {
    let mut transcript = played.transcript.clone();
    transcript.entries.retain(|entry| match entry {
        Entry::Line(line) => !matches!(
            line.answered,
            Some(Answered::Refused | Answered::NotUnderstood)
        ),
        Entry::Blank | Entry::Comment(_) => true,
    });
    let mut events = played.log.iter().skip(1);
    for entry in &mut transcript.entries {
        let Entry::Line(TranscriptLine { asked, .. }) = entry else {
            continue;
        };
        if *asked == Asked::Start {
            continue;
        }
        let event = events.next().unwrap();
        if let (
            Asked::Attempt {
                attempt: attempt @ (Attempt::Px { .. } | Attempt::Try(_)),
                ..
            },
            Event::Moved { what, .. } | Event::Rebuffed { what, .. },
        ) = (&mut *asked, event)
        {
            *attempt = Attempt::Try(*what);
        }
        // If a draw offer of the opponent is open, the log records a player's own draw offer as an
        // acceptance.
        if let (Asked::Attempt { attempt, .. }, Event::Agreed { .. }) = (asked, event) {
            *attempt = Attempt::AcceptDraw;
        }
    }
    transcript
}

/// Returns only the answers and what was heard. The attempts can differ: in a log, a promotion
/// always names its man.
fn heard(transcript: &Transcript) -> Vec<TranscriptLine> {
    let lines = transcript.lines();
    lines
        .map(|(_, line)| TranscriptLine {
            asked: Asked::Start,
            ..line.clone()
        })
        .collect()
}

#[test]
fn games_round_trip_through_every_format() {
    let games = number("KRIEGSPIEL_FORMATS", 8);
    let mut count = 0;
    for (ruleset, salt) in every() {
        for seed in 0..games {
            let most = if seed % 4 == 0 { 400 } else { 60 };
            let played = play(ruleset, salt + seed, most);
            let text = played.transcript.to_string();
            let game = only(&text, Form::Transcript);

            // A transcript that was converted to JSON and back must be the same text. Only two
            // parts may differ: the header, and the player of a text that was not understood.
            let json = into(&game, Target::Json);
            let back = into(&only(&json.text, Form::Json), Target::Transcript);
            let mut again: Transcript = back.text.parse().unwrap();
            again.header = played.transcript.header.clone();
            let spoken = |t: &Transcript| {
                let mut t = t.clone();
                for entry in &mut t.entries {
                    if let Entry::Line(TranscriptLine {
                        asked: Asked::Unread { by, .. },
                        ..
                    }) = entry
                    {
                        *by = Color::White;
                    }
                }
                t.to_string()
            };
            assert_eq!(spoken(&again), spoken(&played.transcript), "{}", ruleset.id);

            // The PGN must contain the complete log of the game.
            let pgn = into(&game, Target::Pgn);
            let game = PgnReader::new(pgn.text.as_bytes())
                .next()
                .unwrap()
                .unwrap()
                .unwrap_or_else(|e| panic!("{e}\n{}", pgn.text));
            assert_eq!(game.log().as_ref(), Some(&played.log));
            let log = game.log().unwrap();
            assert_eq!(Game::replay(&log), Ok(played.game.clone()));

            // A transcript that was converted to PGN and back has the same listener columns.
            let back = into(&only(&pgn.text, Form::Pgn), Target::Transcript);
            let again: Transcript = back.text.parse().unwrap();
            assert_eq!(heard(&again), heard(&as_logged(&played)), "{}", ruleset.id);
            assert_eq!(again.header, played.transcript.header);
            let json_of_pgn = into(&only(&pgn.text, Form::Pgn), Target::Json);
            let pgn_again = into(&only(&json_of_pgn.text, Form::Json), Target::Pgn);
            let moves = |text: &str| text.split_once("\n\n").map(|(_, m)| m.to_owned());
            assert_eq!(moves(&pgn_again.text), moves(&pgn.text));
            count += 1;
        }
    }
    println!("figure: games converted to every format and back {count}");
}

#[test]
fn view_of_a_player_holds_only_what_the_player_heard() {
    for (ruleset, salt) in every() {
        for seed in 0..4 {
            let played = play(ruleset, salt + 1000 + seed, 60);
            for color in Color::ALL {
                let mut text = String::new();
                write_player_view(&mut text, &Tags::default(), &played.log, &[], color);
                assert!(text.contains("[Variant \"Kriegspiel\"]") && !text.contains("%ks"));
                let game = PgnReader::new(text.as_bytes())
                    .next()
                    .unwrap()
                    .unwrap()
                    .unwrap_or_else(|e| panic!("{e}\n{text}"));
                let moves = played.log.iter().filter_map(|event| {
                    let Event::Moved { by, what, .. } = event else {
                        return None;
                    };
                    Some(if *by == color {
                        Shown::Move(*what)
                    } else {
                        Shown::Unseen
                    })
                });
                let shown = game.plies.iter().map(|ply| ply.shown);
                assert!(moves.eq(shown), "{text}");
                let usual = played.transcript.header.fen.is_none();
                assert_eq!(matches!(game.begun, Begun::From(_)), usual);
                let fault = RecordedGame::from_pgn(game);
                if text.contains("??") || !usual {
                    assert!(matches!(fault, Err(RecordedGameError::View { .. })));
                }
                // The view must not name a square that the player has not heard.
                let listener = Listener::from(color);
                let told: Vec<String> = played
                    .transcript
                    .lines()
                    .filter_map(|(_, line)| Some(line.heard.as_ref()?.get(listener)))
                    .flatten()
                    .map(|heard| scores::Short(heard).to_string())
                    .collect();
                let told = told.join(" ");
                for word in text
                    .split(['(', ',', ':', ')'])
                    .filter(|w| w.starts_with('X'))
                {
                    let square = &word[1..];
                    assert!(told.contains(square), "{word} in\n{text}");
                }
            }
        }
    }
}

#[test]
fn conversion_lists_what_it_leaves_out() {
    let text = "title   A pawn\nrules   wild16\nsource  ICC\nfen     4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1\n\n# The only capture.\nwhite \"h|m\"\n";
    let _columns: Result<Transcript, _> = text.parse();
    let text = text.replace("h|m", "hm");
    let text = format!("{text}white any refused\nwhite px moved\n");
    let game = only(&text, Form::Transcript);
    let pgn = into(&game, Target::Pgn);
    let kinds: Vec<Loss> = pgn.losses.keys().copied().collect();
    assert_eq!(
        kinds,
        [Loss::Comments, Loss::Refusals, Loss::Unread, Loss::Px]
    );
    let json = into(&game, Target::Json);
    let kinds: Vec<Loss> = json.losses.keys().copied().collect();
    assert_eq!(kinds, [Loss::Title, Loss::Comments]);
}

#[test]
fn conversion_keeps_clocks_and_headers() {
    let played = play(&rules::rulesets::RAND, 3, 20);
    let moves = played
        .log
        .iter()
        .filter(|e| matches!(e, Event::Moved { .. }))
        .count();
    let clocks: Vec<_> = (0..moves as u64)
        .map(|n| (n % 3 > 0).then(|| std::time::Duration::from_millis(100_700 - n * 100)))
        .collect();
    let mut tags = Tags::default();
    tags.set("White", "The \"Umpire\" \\ of RAND");
    tags.set("Annotator", "Nobody");
    let mut text = String::new();
    write_umpire_view(&mut text, &tags, &played.log, &clocks);
    let game = only(&text, Form::Pgn);
    let again = into(&game, Target::Pgn);
    assert_eq!(again.text, text);
    let json = into(&game, Target::Json);
    assert!(json.losses.contains_key(&Loss::Clocks) && json.losses.contains_key(&Loss::Tags));
}

#[test]
fn conversion_keeps_custom_rulesets() {
    let mut custom = rules::rulesets::ENGLISH;
    custom.id = "club-night".into();
    custom.choices.no_heard = rules::NoHeard::Mover;
    custom.choices.threefold = rules::Threefold::On;
    let played = play(&custom, 11, 60);
    let mut text = String::new();
    write_umpire_view(&mut text, &Tags::default(), &played.log, &[]);
    let game = only(&text, Form::Pgn);
    let opened = game.opening().unwrap();
    assert_eq!(
        (&*opened.rules, opened.choices),
        ("club-night", custom.choices)
    );
    let followed = scores::follow(&game, opened, false);
    assert_eq!(followed.findings, []);
    assert_eq!(followed.log(), played.log);
    let json = into(&game, Target::Json);
    assert!(json.losses.contains_key(&Loss::CustomRules));
}

/// In the steps of a game, a refused try and a question Any? have a word. Under every ruleset, the
/// sentence that the player heard contains this word.
#[test]
fn steps_answer_in_the_word_that_the_player_heard() {
    let mut count = 0;
    for (ruleset, salt) in every() {
        for seed in 0..4 {
            let text = play(ruleset, salt + seed, 60).transcript.to_string();
            let game = only(&text, Form::Transcript);
            for step in steps(&game, None).unwrap_or_else(|e| panic!("{e}")) {
                let heard = match step.by {
                    Some(Side::White) => &step.white,
                    Some(Side::Black) => &step.black,
                    None => &Vec::new(),
                };
                let refused = matches!(
                    step.answer,
                    AnswerJson::No | AnswerJson::Nonsense | AnswerJson::RepeatNo
                );
                let asked = step.attempt == "any"
                    && matches!(step.answer, AnswerJson::Yes | AnswerJson::None);
                let said = if refused {
                    let colon = heard.first().and_then(|words| words.split_once(':'));
                    colon.map(|(said, _)| said.to_lowercase())
                } else if asked {
                    let question = heard.first().and_then(|words| words.split_once("any? "));
                    question.map(|(_, said)| said.trim_end_matches('.').to_lowercase())
                } else {
                    None
                };
                assert_eq!(said.is_some(), refused || asked, "{step:?}");
                assert_eq!(step.word, said, "{}: {step:?}", ruleset.id);
                count += usize::from(refused || asked);
            }
        }
    }
    assert!(count > 1000, "{count} answers were compared");
}

/// The position after each move of a log, from the start.
fn positions(log: &[Event]) -> Vec<position::StartPosition> {
    let Some(Event::Opened(opened)) = log.first() else {
        panic!("a log begins with its opening");
    };
    let mut all = vec![opened.start.clone()];
    for what in log.iter().filter_map(Event::played) {
        let mut next = all[all.len() - 1].clone();
        next.play(what);
        all.push(next);
    }
    all
}

/// Hears a player's own file and checks that the true position stays possible. Returns the number
/// of moves and of refused tries that the file tells.
fn hear_own_file(
    file: &scores::PgnGame,
    ruleset: &rules::Ruleset,
    log: &[Event],
) -> (usize, usize) {
    let record = SeatRecord::of_player(file, ruleset).unwrap();
    let truths = positions(log);
    let origin = Origin::OneOf(vec![truths[0].fen()]);
    let settings = Settings {
        limit: 3_000,
        own_untold: record.own_untold,
        ..Settings::default()
    };
    let mut belief = Belief::open(
        record.choices,
        record.seat,
        &record.start,
        &origin,
        settings,
    )
    .unwrap();
    let mut refused = 0;
    for (n, one) in record.heard.iter().enumerate() {
        belief.hear(&one.heard).unwrap_or_else(|e| {
            panic!("{}: line {}: {e}: {:?}", ruleset.id, one.line, record.heard)
        });
        let no = rules::Verdict::No;
        refused += usize::from(
            matches!(one.heard, Heard::Reply(Reply::Verdict { verdict, .. }) if verdict == no),
        );
        let ends = record
            .heard
            .get(n + 1)
            .is_none_or(|next| next.act != one.act);
        if ends && (n > 0 || record.fen.is_some()) {
            let truth = Situation {
                position: *truths[one.moves].position(),
                seat: record.seat,
                quiet: 0,
                drops: false,
            };
            let holds = !belief.is_complete() || belief.contains(&truth);
            assert!(
                holds,
                "{}: {}: {:?}",
                ruleset.id,
                truths[one.moves].fen(),
                record.heard
            );
        }
    }
    (record.moves, refused)
}

#[test]
fn truth_is_possible_after_all_that_an_own_file_tells() {
    let (mut moves, mut refused, mut bare_moves) = (0, 0, 0);
    for (ruleset, base) in
        every().filter(|(ruleset, _)| ruleset.choices.reserve == ReserveUse::None)
    {
        // In game 189 of `ks+p`, the third refused pawn capture ends the game. In game 93 of
        // `bodlaender`, the first move captures en passant.
        let ended = match &*ruleset.id {
            "ks+p" => Some(189),
            "bodlaender" => Some(93),
            _ => None,
        };
        for seed in (0..number("KRIEGSPIEL_OWN_FILES", 2)).chain(ended) {
            let played = play(ruleset, base + seed, 14);
            for color in [Color::White, Color::Black] {
                let mut text = String::new();
                write_player_view(&mut text, &Tags::default(), &played.log, &[], color);
                let read = PgnReader::new(text.as_bytes()).next();
                let mut file = read.unwrap().unwrap().unwrap();
                if file.player().is_none() {
                    continue;
                }
                let (own, no) = hear_own_file(&file, ruleset, &played.log);
                (moves, refused) = (moves + own, refused + no);
                // The same file without remarks, with signs at the moves, as xboard writes it.
                for ply in &mut file.plies {
                    let remark = ply.note.remark.take().unwrap_or_default();
                    if ply.by != color {
                        ply.signs.check |= remark.check.is_some();
                        if let Some(square) = remark.capture {
                            ply.shown = Shown::UnseenCapture(square);
                        }
                    }
                }
                bare_moves += hear_own_file(&file, ruleset, &played.log).0;
            }
        }
    }
    println!("figure: own files: {moves} moves, {refused} refused tries, {bare_moves} bare moves");
    assert!(moves > 300 && refused > 30 && bare_moves > 300);
}
