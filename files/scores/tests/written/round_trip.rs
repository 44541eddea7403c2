//! Tests that parsing a printed value gives the same value. The values are transcripts and
//! everything that can be heard.

use proptest::prelude::*;
use referee::EndCause;
use rules::{
    Announcement, Answer, Attempt, ByListener, Capture, CapturedMan, Directions, DrawTalk,
    GameSwitch, Heard, MoveAnnouncements, Over, Reason, Reply, Tries, Try, Verdict, Winner,
    chess::{Bitboard, Color, Role, Square},
};
use scores::{
    Answered, Asked, Entry, Header, Short, ShortList, Transcript, TranscriptLine, parse_heard,
    parse_list,
};
use wire::HeardJson;

fn color() -> impl Strategy<Value = Color> {
    prop_oneof![Just(Color::White), Just(Color::Black)]
}

fn square() -> impl Strategy<Value = Square> {
    proptest::sample::select(Square::ALL.to_vec())
}

fn role() -> impl Strategy<Value = Role> {
    proptest::sample::select(Role::ALL.to_vec())
}

fn attempt() -> impl Strategy<Value = Attempt> {
    let step =
        (square(), square(), proptest::option::of(role())).prop_map(|(from, to, promotion)| {
            Attempt::Try(Try::Step {
                from,
                to,
                promotion,
            })
        });
    let drop = (role(), square()).prop_map(|(role, to)| Attempt::Try(Try::Drop { role, to }));
    prop_oneof![
        step,
        drop,
        proptest::option::of(role()).prop_map(|promotion| Attempt::Px { promotion }),
        proptest::sample::select(vec![
            Attempt::Any,
            Attempt::Count,
            Attempt::Recap,
            Attempt::Resign,
            Attempt::OfferDraw,
            Attempt::AcceptDraw,
            Attempt::DeclineDraw,
            Attempt::WithdrawDraw,
        ]),
    ]
}

fn capture() -> impl Strategy<Value = Capture> {
    let man = prop_oneof![
        Just(CapturedMan::Pawn),
        Just(CapturedMan::Piece),
        role().prop_map(CapturedMan::Exactly)
    ];
    (
        proptest::option::of(square()),
        proptest::option::of(man),
        any::<bool>(),
    )
        .prop_map(|(square, man, en_passant)| Capture {
            square,
            man,
            en_passant,
        })
}

fn directions() -> impl Strategy<Value = Directions> {
    proptest::sample::subsequence(rules::Direction::ALL.to_vec(), 0..=5)
        .prop_map(|all| all.into_iter().collect())
}

fn squares() -> impl Strategy<Value = Bitboard> {
    prop_oneof![
        Just(Bitboard::EMPTY),
        square().prop_map(Bitboard::from_square),
        any::<u64>().prop_map(Bitboard),
    ]
}

fn tries() -> impl Strategy<Value = Tries> {
    prop_oneof![
        Just(Tries::Untold),
        any::<bool>().prop_map(Tries::Whether),
        any::<u8>().prop_map(Tries::Count),
        squares().prop_map(Tries::Squares),
        (squares(), squares())
            .prop_map(|(singles, doubles)| Tries::SinglesAndDoubles { singles, doubles }),
    ]
}

fn move_announcements() -> impl Strategy<Value = MoveAnnouncements> {
    (
        proptest::option::of(capture()),
        proptest::option::of((color(), role())),
        proptest::option::of(color()),
        proptest::option::of(directions()),
        proptest::option::of(tries()),
        proptest::option::of(color()),
    )
        .prop_map(
            |(capture, drop, promotion, check, tries, turn)| MoveAnnouncements {
                capture,
                drop,
                promotion,
                check,
                tries,
                turn,
            },
        )
}

fn heard() -> impl Strategy<Value = Heard> {
    let verdict = proptest::sample::select(vec![
        Verdict::Moved,
        Verdict::No,
        Verdict::Nonsense,
        Verdict::RepeatNo,
    ]);
    let winner = proptest::sample::select(vec![
        Winner::White,
        Winner::Black,
        Winner::Draw,
        Winner::Unfinished,
    ]);
    prop_oneof![
        (verdict, color(), proptest::option::of(attempt())).prop_map(|(verdict, by, attempt)| {
            Heard::Reply(Reply::Verdict {
                verdict,
                by,
                attempt,
            })
        }),
        (color(), any::<bool>()).prop_map(|(by, answer)| Heard::Reply(Reply::Any { by, answer })),
        (square(), role()).prop_map(|(square, man)| Heard::Lost { square, man }),
        capture().prop_map(|one| Heard::Announced(Announcement::Capture(one))),
        (color(), role()).prop_map(|(by, man)| Heard::Announced(Announcement::Drop { by, man })),
        color().prop_map(|by| Heard::Announced(Announcement::Promotion { by })),
        directions().prop_map(|directions| Heard::Announced(Announcement::Check { directions })),
        tries().prop_map(|one| Heard::Announced(Announcement::Tries(one))),
        color().prop_map(|to_move| Heard::Announced(Announcement::Turn { to_move })),
        (color(), any::<u32>()).prop_map(|(by, count)| Heard::Reply(Reply::Rebuffs { by, count })),
        (color(), move_announcements())
            .prop_map(|(by, announcements)| Heard::Reply(Reply::Recap { by, announcements })),
        color().prop_map(|by| Heard::Draw(DrawTalk::Offer { by })),
        color().prop_map(|by| Heard::Draw(DrawTalk::Declined { by })),
        color().prop_map(|by| Heard::Draw(DrawTalk::Withdrawn { by })),
        (winner, proptest::sample::select(Reason::ALL.to_vec()))
            .prop_map(|(winner, reason)| Heard::Over(Over { winner, reason })),
    ]
}

/// Checks whether an item announces tries without any information about them. No referee makes
/// such an announcement.
fn tells_no_tries(heard: &Heard) -> bool {
    match heard {
        Heard::Announced(Announcement::Tries(tries)) => *tries == Tries::Untold,
        Heard::Reply(Reply::Recap { announcements, .. }) => {
            announcements.tries == Some(Tries::Untold)
        }
        Heard::Reply(_)
        | Heard::Lost { .. }
        | Heard::Announced(_)
        | Heard::Draw(_)
        | Heard::Over(_) => false,
    }
}

fn list() -> impl Strategy<Value = Vec<Heard>> {
    proptest::collection::vec(heard(), 0..5)
}

fn asked() -> impl Strategy<Value = Asked> {
    prop_oneof![
        Just(Asked::Start),
        (color(), attempt()).prop_map(|(by, attempt)| Asked::Attempt { by, attempt }),
        (color(), "[ -!#-{}~]{0,20}").prop_map(|(by, text)| Asked::Unread { by, text }),
        color().prop_map(|color| Asked::End(EndCause::Flag(color))),
        color().prop_map(|color| Asked::End(EndCause::Gone(color))),
        Just(Asked::End(EndCause::Abort)),
    ]
}

fn answered() -> impl Strategy<Value = Answered> {
    let answer = proptest::sample::select(Answer::ALL.to_vec());
    prop_oneof![
        (answer, proptest::option::of(2..6u8))
            .prop_map(|(answer, row)| Answered::Ruled { answer, row }),
        Just(Answered::Refused),
        Just(Answered::NotUnderstood),
    ]
}

fn entry() -> impl Strategy<Value = Entry> {
    let columns =
        (list(), list(), list()).prop_map(|(white, black, room)| ByListener { white, black, room });
    let line = (
        asked(),
        proptest::option::of(answered()),
        proptest::option::of(columns),
    )
        .prop_map(|(asked, answered, heard)| {
            Entry::Line(TranscriptLine {
                answered: answered.filter(|_| asked != Asked::Start),
                asked,
                heard,
            })
        });
    prop_oneof![
        Just(Entry::Blank),
        "( [ -~]{0,30}[!-~])?".prop_map(Entry::Comment),
        line,
    ]
}

fn transcript() -> impl Strategy<Value = Transcript> {
    let header = (
        "([a-z][a-z,| ]{0,30}[a-z])?",
        "[a-z][a-z0-9+-]{0,12}",
        "[A-Z]{0,10}",
        proptest::sample::subsequence(GameSwitch::ALL.to_vec(), 0..=3),
        proptest::option::of("[1-8a-zA-Z/]{4,70} [wb] - - 0 1"),
    )
        .prop_map(|(title, rules, source, game, fen)| Header {
            title,
            rules,
            source,
            game,
            fen,
        });
    (header, proptest::collection::vec(entry(), 0..12))
        .prop_map(|(header, entries)| Transcript { header, entries })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1024) })]

    #[test]
    fn heard_items_round_trip(heard in heard()) {
        let text = Short(&heard).to_string();
        prop_assert_eq!(parse_heard(&text), Ok(heard), "{}", text);
    }

    #[test]
    fn json_of_heard_items_round_trips(heard in heard()) {
        // JSON does not distinguish two forms of a captured pawn: the exact man, and the word
        // "pawn".
        let heard = heard.with_capture(|capture| match capture.man {
            Some(CapturedMan::Exactly(Role::Pawn)) => Capture {
                man: Some(CapturedMan::Pawn),
                ..capture
            },
            None | Some(CapturedMan::Pawn | CapturedMan::Piece | CapturedMan::Exactly(_)) => capture,
        });
        prop_assume!(!tells_no_tries(&heard));
        let text = serde_json::to_string(&HeardJson::from(&heard)).unwrap();
        let back: HeardJson = serde_json::from_str(&text).expect(&text);
        prop_assert_eq!(Heard::try_from(&back), Ok(heard), "{}", text);
        prop_assert_eq!(serde_json::to_string(&back).unwrap(), text);
    }

    #[test]
    fn lists_of_heard_items_round_trip(list in list()) {
        let text = ShortList(&list).to_string();
        prop_assert_eq!(parse_list(&text), Ok(list), "{}", text);
    }

    #[test]
    fn different_heard_items_have_different_texts(a in heard(), b in heard()) {
        prop_assert_eq!(a == b, Short(&a).to_string() == Short(&b).to_string());
    }

    #[test]
    fn transcripts_round_trip(transcript in transcript()) {
        let text = transcript.to_string();
        let again: Transcript = text.parse().expect(&text);
        prop_assert_eq!(&again, &transcript, "{}", &text);
        prop_assert_eq!(again.to_string(), text);
    }

    #[test]
    fn line_numbers_match_the_printed_text(transcript in transcript()) {
        let text = transcript.to_string();
        let lines: Vec<&str> = text.lines().collect();
        for (i, line) in transcript.lines() {
            let printed = lines[transcript.line_number(i) - 1];
            prop_assert!(printed.starts_with(&line.asked.to_string()), "{}", printed);
        }
    }

    #[test]
    fn garbage_causes_no_panic(text in "[ -~\n|#]{0,200}") {
        let _ = text.parse::<Transcript>();
        let _ = parse_list(&text);
    }
}

#[test]
fn error_names_the_fault_and_its_line() {
    let head = "title t\nrules rand\nsource RAND\n\n";
    let fault = |text: &str| text.parse::<Transcript>().expect_err(text).to_string();
    assert_eq!(
        fault(&format!("{head}white e2e4\nwhit e2e4\n")),
        "line 6: `whit e2e4` is not an attempt of a player, and not flag, gone, abort or start"
    );
    assert_eq!(
        fault(&format!("{head}white e2e4 perhaps")),
        "line 5: `perhaps` is not an answer"
    );
    assert_eq!(
        fault(&format!(
            "{head}white e2e4 moved | moved w e2e4 | moved | -"
        )),
        "line 5: `moved` is not a short form of anything that can be heard"
    );
    assert_eq!(
        fault(&format!("{head}white e2e4 moved | moved w e2e4")),
        "line 5: a line must have one column, the attempt, or four columns; this line has 2"
    );
    assert_eq!(fault("rules rand\n"), "line 1: the header has no `title`");
    assert_eq!(
        fault("title a\nrules rand\nrules ks\n"),
        "line 3: the header has `rules` twice"
    );
}
