//! Tests of the sentences that say what the referee announces or answers. Each ruleset uses the words of its source.

use notation::{answer_word, over_words, row_words, words};
use rules::{
    Announcement, Answer, Attempt, Capture, CapturedMan, Choices, Direction, Heard, Listener,
    NonsenseRow, Over, Reason, Reply, Tries, Try, Verdict, Winner,
    chess::{Bitboard, Color, Role, Square},
    rulesets::*,
};

fn said(heard: Heard, choices: &Choices, listener: Listener) -> String {
    words(&heard, choices, listener).unwrap_or_default()
}

fn verdict(verdict: Verdict, mine: bool) -> Heard {
    Heard::Reply(Reply::Verdict {
        verdict,
        by: Color::White,
        attempt: mine.then(|| Attempt::Try(Try::step(Square::E4, Square::D5))),
    })
}

#[test]
fn nonsense_is_said_in_the_words_of_the_source() {
    for (ruleset, mine, aloud) in [
        (RAND, "Hell no: e4d5.", "White is told hell no."),
        (CINCINNATI, "Nonsense: e4d5.", "White is told nonsense."),
        (BODLAENDER, "Impossible: e4d5.", "White is told impossible."),
        (WESTERN, "Heck-no: e4d5.", "White is told heck-no."),
        (WILD16, "No: e4d5.", "White is told no."),
    ] {
        let c = &ruleset.choices;
        assert_eq!(
            said(verdict(Verdict::Nonsense, true), c, Listener::White),
            mine
        );
        assert_eq!(
            said(verdict(Verdict::Nonsense, false), c, Listener::Room),
            aloud
        );
    }
    let c = &UMPIRE.choices;
    assert_eq!(
        said(verdict(Verdict::RepeatNo, true), c, Listener::White),
        "Repeat no: e4d5."
    );
    assert_eq!(
        said(verdict(Verdict::Moved, true), c, Listener::White),
        "You play e4d5."
    );
    assert_eq!(
        said(verdict(Verdict::Moved, false), c, Listener::Black),
        "White has moved."
    );
}

#[test]
fn the_answers_to_any_are_words_of_the_source() {
    for (ruleset, yes, no) in [
        (BODLAENDER, "White asks any? Try!", "White asks any? No."),
        (EASTERN, "White asks any? Some.", "White asks any? None."),
        (KS, "White asks any? Yes.", "White asks any? No."),
    ] {
        let any = |answer| {
            Heard::Reply(Reply::Any {
                by: Color::White,
                answer,
            })
        };
        let c = &ruleset.choices;
        assert_eq!(said(any(true), c, Listener::Black), yes);
        assert_eq!(said(any(false), c, Listener::Room), no);
    }
}

#[test]
fn word_of_an_answer_is_the_word_that_the_player_hears() {
    for (ruleset, nonsense, yes, none) in [
        (RAND, "hell no", "yes", "no"),
        (CINCINNATI, "nonsense", "yes", "no"),
        (BODLAENDER, "impossible", "try!", "no"),
        (EASTERN, "heck-no", "some", "none"),
        (WILD16, "no", "yes", "no"),
    ] {
        let word = |answer| answer_word(answer, &ruleset.choices);
        assert_eq!(word(Answer::Nonsense), Some(nonsense), "{}", ruleset.id);
        assert_eq!(word(Answer::No), Some("no"), "{}", ruleset.id);
        assert_eq!(word(Answer::RepeatNo), Some("repeat no"), "{}", ruleset.id);
        assert_eq!(word(Answer::Yes), Some(yes), "{}", ruleset.id);
        assert_eq!(word(Answer::None), Some(none), "{}", ruleset.id);
        for other in [Answer::Moved, Answer::Resigned, Answer::Count] {
            assert_eq!(word(other), None, "{}", ruleset.id);
        }
    }
}

#[test]
fn every_announcement_has_its_sentence() {
    let c = &RAND.choices;
    let room = Listener::Room;
    let set = |squares: &[Square]| squares.iter().copied().collect::<Bitboard>();
    #[rustfmt::skip]
    let rows = [
        (Heard::Announced(Announcement::Tries(Tries::Squares(set(&[Square::E5])))), "Pawn try: e5."),
        (Heard::Announced(Announcement::Tries(Tries::Squares(set(&[Square::G5, Square::E5])))), "Pawn tries: e5, g5."),
        (Heard::Announced(Announcement::Tries(Tries::Squares(set(&[])))), "No pawn tries."),
        (Heard::Announced(Announcement::Tries(Tries::Count(0))), "0 pawn tries."),
        (Heard::Announced(Announcement::Tries(Tries::Count(1))), "1 pawn try."),
        (Heard::Announced(Announcement::Tries(Tries::Whether(true))), "Pawn capture."),
        (
            // Nothing is said.
            Heard::Announced(Announcement::Tries(Tries::Whether(false))),
            "",
        ),
        (
            Heard::Announced(Announcement::Tries(Tries::SinglesAndDoubles {
                singles: set(&[Square::B5]),
                doubles: set(&[Square::E5]),
            })),
            "Single pawn tries: b5. Double pawn tries: e5.",
        ),
        (
            Heard::Announced(Announcement::Check {
                directions: [Direction::Knight, Direction::File].into_iter().collect(),
            }),
            "Double check: on the file and by a knight.",
        ),
        (Heard::Announced(Announcement::Check { directions: [Direction::Short].into_iter().collect() }), "Check on the short diagonal."),
        (Heard::Lost { square: Square::D5, man: Role::Pawn }, "Your pawn on d5 is gone."),
        (Heard::Announced(Announcement::Promotion { by: Color::Black }), "Black promotes."),
        (Heard::Reply(Reply::Rebuffs { by: Color::White, count: 3 }), "White asks for the count: Black was rebuffed 3 times."),
    ];
    for (heard, text) in rows {
        assert_eq!(said(heard, c, room), text);
    }
}

#[test]
fn sentence_of_a_capture_depends_on_the_ruleset() {
    let capture = |square, man, en_passant| {
        Heard::Announced(Announcement::Capture(Capture {
            square,
            man,
            en_passant,
        }))
    };
    let d5 = Some(Square::D5);
    let pawn = Some(CapturedMan::Pawn);
    for (ruleset, heard, text) in [
        (RAND, capture(d5, pawn, false), "Pawn gone on d5."),
        (
            CRAZYKRIEG,
            capture(d5, Some(CapturedMan::Exactly(Role::Rook)), false),
            "Rook gone on d5.",
        ),
        (ENGLISH, capture(d5, None, false), "Capture on d5."),
        (
            BODLAENDER,
            capture(d5, None, true),
            "Capture on d5, en passant.",
        ),
        (
            KS_A,
            capture(None, Some(CapturedMan::Piece), false),
            "A piece is gone.",
        ),
        (WESTERN, capture(None, pawn, false), "You capture a pawn."),
        (EASTERN, capture(None, None, false), "You capture a man."),
    ] {
        assert_eq!(said(heard, &ruleset.choices, Listener::White), text);
    }
}

#[test]
fn every_end_of_a_game_has_a_sentence() {
    for ruleset in &ALL {
        for reason in Reason::ALL.iter().copied() {
            for winner in [
                Winner::White,
                Winner::Black,
                Winner::Draw,
                Winner::Unfinished,
            ] {
                let text = over_words(Over { winner, reason }, &ruleset.choices);
                assert!(
                    text.ends_with('.') && text.contains(winner.score()),
                    "{text}"
                );
            }
        }
    }
    let over = Over {
        winner: Winner::White,
        reason: Reason::Resignation,
    };
    assert_eq!(
        over_words(over, &RAND.choices),
        "Black resigns: White wins, 1-0."
    );
}

#[test]
fn reason_for_nonsense_names_the_obligation() {
    let due = NonsenseRow::PawnCaptureDue;
    assert_eq!(
        row_words(due, &ENGLISH.choices),
        "you must try a pawn capture"
    );
    assert_eq!(
        row_words(due, &EASTERN.choices),
        "you must make a pawn capture"
    );
}
