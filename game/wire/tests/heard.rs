//! Tests of the JSON of heard items: the exact bytes, reading the JSON back, and
//! errors in the input. The tests of the crate `scores` read back every item that
//! can be heard.
#![allow(clippy::unwrap_used, reason = "a mistake here fails the test")]

use rules::{
    Announcement, Attempt, Capture, CapturedMan, Direction, DrawTalk, Heard, MoveAnnouncements,
    Over, Own, Reason, Reply, Reserve, Start, Tries, Try, Verdict, Wings, Winner,
    chess::{Bitboard, Board, ByColor, CastlingSide, Color, Role, Square},
};
use wire::{HeardJson, ParsedHeard};

fn json(heard: &Heard) -> String {
    serde_json::to_string(&HeardJson::from(heard)).unwrap()
}

#[test]
fn every_kind_of_heard_item_has_the_expected_json() {
    let by = Color::White;
    let e4d5 = Try::step(Square::E4, Square::D5);
    let squares: Bitboard = [Square::D5, Square::B4].into_iter().collect();
    let capture = Capture {
        square: Some(Square::D5),
        man: Some(CapturedMan::Pawn),
        en_passant: false,
    };
    #[rustfmt::skip]
    let cases = [
        (Heard::own_verdict(Verdict::Moved, by, e4d5), r#"{"kind":"moved","by":"white","attempt":"e4d5"}"#),
        (Heard::Reply(Reply::Verdict { verdict: Verdict::No, by, attempt: None }), r#"{"kind":"no","by":"white"}"#),
        (
            Heard::Reply(Reply::Verdict {
                verdict: Verdict::Nonsense,
                by: Color::Black,
                attempt: Some(Attempt::Any),
            }),
            r#"{"kind":"nonsense","by":"black","attempt":"any"}"#,
        ),
        (Heard::Reply(Reply::Verdict { verdict: Verdict::RepeatNo, by, attempt: None }), r#"{"kind":"repeat-no","by":"white"}"#),
        (Heard::Reply(Reply::Any { by, answer: true }), r#"{"kind":"any","by":"white","answer":true}"#),
        (Heard::Lost { square: Square::D5, man: Role::Queen }, r#"{"kind":"lost","square":"d5","man":"queen"}"#),
        (Heard::Announced(Announcement::Capture(capture)), r#"{"kind":"capture","square":"d5","man":"pawn","en_passant":false}"#),
        (
            Heard::Announced(Announcement::Capture(Capture {
                square: None,
                man: None,
                en_passant: true,
            })),
            r#"{"kind":"capture","square":null,"man":null,"en_passant":true}"#,
        ),
        (Heard::Announced(Announcement::Drop { by, man: Role::Knight }), r#"{"kind":"drop","by":"white","man":"knight"}"#),
        (Heard::Announced(Announcement::Promotion { by }), r#"{"kind":"promotion","by":"white"}"#),
        (
            Heard::Announced(Announcement::Check {
                directions: [Direction::Knight, Direction::Long].into_iter().collect(),
            }),
            r#"{"kind":"check","directions":["long","knight"]}"#,
        ),
        (Heard::Announced(Announcement::Tries(Tries::Whether(false))), r#"{"kind":"tries","any":false}"#),
        (Heard::Announced(Announcement::Tries(Tries::Count(2))), r#"{"kind":"tries","count":2}"#),
        (Heard::Announced(Announcement::Tries(Tries::Squares(squares))), r#"{"kind":"tries","squares":["b4","d5"]}"#),
        (
            Heard::Announced(Announcement::Tries(Tries::SinglesAndDoubles {
                singles: squares,
                doubles: Bitboard::EMPTY,
            })),
            r#"{"kind":"tries","squares":["b4","d5"],"double":[]}"#,
        ),
        (Heard::Announced(Announcement::Turn { to_move: Color::Black }), r#"{"kind":"turn","to_move":"black"}"#),
        (Heard::Reply(Reply::Rebuffs { by, count: 3 }), r#"{"kind":"rebuffs","by":"white","count":3}"#),
        (
            Heard::Reply(Reply::Recap {
                by,
                announcements: MoveAnnouncements {
                    capture: Some(capture),
                    turn: Some(Color::White),
                    ..MoveAnnouncements::NOTHING
                },
            }),
            r#"{"kind":"recap","by":"white","said":[{"kind":"capture","square":"d5","man":"pawn","en_passant":false},{"kind":"turn","to_move":"white"}]}"#,
        ),
        (Heard::Draw(DrawTalk::Offer { by }), r#"{"kind":"draw-offer","by":"white"}"#),
        (Heard::Draw(DrawTalk::Declined { by }), r#"{"kind":"draw-declined","by":"white"}"#),
        (Heard::Draw(DrawTalk::Withdrawn { by }), r#"{"kind":"draw-withdrawn","by":"white"}"#),
        (
            Heard::Over(Over {
                winner: Winner::Draw,
                reason: Reason::ExhaustedTries,
            }),
            r#"{"kind":"over","result":"1/2-1/2","reason":"exhausted-tries"}"#,
        ),
    ];
    for (heard, text) in cases {
        assert_eq!(json(&heard), text);
        let back: HeardJson = serde_json::from_str(text).unwrap();
        assert_eq!(Heard::try_from(&back), Ok(heard), "{text}");
        assert_eq!(
            ParsedHeard::try_from(&back),
            Ok(ParsedHeard::Heard(heard)),
            "{text}"
        );
    }
}

fn start_json(start: &Start) -> String {
    serde_json::to_string(&HeardJson::from(start)).unwrap()
}

#[test]
fn a_start_shows_own_men_only() {
    let own = |color| Own::of(&Board::new(), color, Wings::BOTH, Reserve::EMPTY);
    let mut start = Start {
        rules: "wild16".into(),
        own: Some(own(Color::Black)),
        reserves: ByColor::default(),
    };
    let text = start_json(&start);
    assert_eq!(
        text,
        r#"{"kind":"start","rules":"wild16","men":"rnbqkbnr/pppppppp/8/8/8/8/8/8","castling":"KQ"}"#
    );
    let back: HeardJson = serde_json::from_str(&text).unwrap();
    assert_eq!(
        ParsedHeard::try_from(&back),
        Ok(ParsedHeard::Start(start.clone()))
    );

    start.own = None;
    assert_eq!(
        start_json(&start),
        r#"{"kind":"start","rules":"wild16","men":null,"castling":null}"#
    );

    start.reserves.white.add(Role::Knight);
    start.reserves.white.add(Role::Queen);
    let mut white = own(Color::White);
    white.reserve = start.reserves.white;
    white.castling.discard(CastlingSide::KingSide);
    start.own = Some(white);
    let text = start_json(&start);
    assert_eq!(
        text,
        r#"{"kind":"start","rules":"wild16","men":"8/8/8/8/8/8/PPPPPPPP/RNBQKBNR","castling":"Q","reserves":{"white":"QN","black":""}}"#
    );
    let back: HeardJson = serde_json::from_str(&text).unwrap();
    assert_eq!(ParsedHeard::try_from(&back), Ok(ParsedHeard::Start(start)));
}

#[test]
fn error_names_the_invalid_part_of_json() {
    for (text, named) in [
        (r#"{"kind":"hint","by":"white"}"#, "hint"),
        (r#"{"kind":"turn","to_move":"white","clock":3}"#, "clock"),
        (r#"{"kind":"turn"}"#, "to_move"),
        (r#"{"kind":"turn","to_move":"red"}"#, "red"),
        (
            r#"{"kind":"capture","man":null,"en_passant":false}"#,
            "square",
        ),
        (r#"{"kind":"lost","square":"z9","man":"pawn"}"#, "z9"),
        (
            r#"{"kind":"moved","by":"white","attempt":"E2-E4"}"#,
            "E2-E4",
        ),
        (r#"{"kind":"check","directions":["sideways"]}"#, "sideways"),
        (r#"{"kind":"tries","count":null}"#, "null"),
        (r#"{"by":"white"}"#, "kind"),
    ] {
        let error = serde_json::from_str::<HeardJson>(text)
            .unwrap_err()
            .to_string();
        assert!(error.contains(named), "{text}: {error}");
    }
    for text in [
        r#"{"kind":"tries"}"#,
        r#"{"kind":"tries","any":true,"count":1}"#,
        r#"{"kind":"tries","double":[]}"#,
        r#"{"kind":"recap","by":"white","said":[{"kind":"draw-offer","by":"white"}]}"#,
        r#"{"kind":"recap","by":"white","said":[{"kind":"turn","to_move":"white"},{"kind":"turn","to_move":"black"}]}"#,
        r#"{"kind":"start","rules":"rand","men":"8/8/8/8/8/8/8/8","castling":""}"#,
        r#"{"kind":"start","rules":"rand","men":"k7/8/8/8/8/8/8/K7","castling":""}"#,
        r#"{"kind":"start","rules":"rand","men":"8/8/8/8/8/8/8/K7","castling":null}"#,
        r#"{"kind":"start","rules":"rand","men":null,"castling":null,"reserves":{"white":"K","black":""}}"#,
    ] {
        let json: HeardJson = serde_json::from_str(text).unwrap();
        assert!(ParsedHeard::try_from(&json).is_err(), "{text}");
    }
}

#[test]
fn captured_pawn_is_exact_if_the_ruleset_names_men() {
    let pawn = Heard::Announced(Announcement::Capture(Capture {
        square: None,
        man: Some(CapturedMan::Exactly(Role::Pawn)),
        en_passant: false,
    }));
    let back: HeardJson = serde_json::from_str(&json(&pawn)).unwrap();
    let parsed = ParsedHeard::try_from(&back).unwrap();
    let crazy = &rules::rulesets::CRAZYKRIEG.choices;
    assert_eq!(parsed.under(crazy), ParsedHeard::Heard(pawn));
}

/// The messages that the documentation prints whole are messages of the protocol.
#[test]
fn messages_in_the_documentation_can_be_read() {
    let page = include_str!("../../../docs/socket.md");
    let (mut from, mut to) = (0, 0);
    for line in page.lines() {
        if let Some(json) = line.strip_prefix("< ") {
            let says: wire::ServerSays = serde_json::from_str(json).expect(json);
            assert_eq!(serde_json::to_string(&says).unwrap(), json);
            from += 1;
        } else if let Some(json) = line.strip_prefix("> ") {
            let _: wire::ClientSays = serde_json::from_str(json).expect(json);
            to += 1;
        }
    }
    assert_eq!((from, to), (12, 3));
}
