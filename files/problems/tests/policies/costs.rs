//! Positions in which one cost rule alone decides whether there is a mate.

use belief::Situation;
use rules::{Choices, Obligation, Try, TryLimit, TurnState, chess::Color, rulesets};
use solver::search::{Decision, MateQuestion, SearchLimits, Solver};

use super::certificates::{certificate, proved};

/// In each position another pawn capture is the only mate: a pawn leaves the line of a rook or of a
/// bishop. White does not know which pawn can capture.
const CAPTURES: [(&str, &str); 5] = [
    ("4k1N1/2K3P1/1N1p2P1/1P2P2B/B7/8/8/4R3 w - - 0 1", "e5d6"),
    ("4k1N1/2K3P1/1N3pP1/1P2P2B/B7/8/8/4R3 w - - 0 1", "e5f6"),
    ("4k1N1/2K3P1/pN4P1/1P2P2B/B7/8/8/4R3 w - - 0 1", "b5a6"),
    ("4k1N1/2K3Pp/1N4P1/1P2P2B/B7/8/8/4R3 w - - 0 1", "g6h7"),
    ("4k1N1/2K2pP1/1N4P1/1P2P2B/B7/8/8/4R3 w - - 0 1", "g6f7"),
];

/// The rook mates on e8. The pawn can capture on h5, which does not mate. It can try f5 only without
/// the bishop.
const WITH_BISHOP: &str = "6k1/5ppp/8/5B1n/6P1/2Q5/1B6/4R1K1 w - - 0 1";
const WITHOUT_BISHOP: &str = "6k1/5ppp/8/7n/6P1/2Q5/1B6/4R1K1 w - - 0 1";

const LIMITS: SearchLimits<'static> = SearchLimits {
    nodes: u64::MAX,
    stop: &|| false,
};

fn question(choices: Choices, fens: &[&str], turn: TurnState) -> MateQuestion {
    let read = |fen: &&str| Situation::from_fen(&choices, Color::White, fen);
    MateQuestion {
        choices,
        compat: None,
        positions: fens.iter().map(|fen| read(fen).expect(fen)).collect(),
        moves: 1,
        turn,
    }
}

fn mates(question: &MateQuestion) -> bool {
    let solved = Solver::with_bytes(1 << 20).solve(question, LIMITS);
    match solved.expect("the question is valid").decision {
        Decision::Mate(_) => true,
        Decision::NoMate(_) => false,
        Decision::Undecided => panic!("the search has no limit"),
    }
}

fn refused(choices: &Choices, tries: &[&str]) -> TurnState {
    let mut turn = TurnState::default();
    for text in tries {
        let t: Try = text.parse().expect("the text is a try");
        turn.refused(choices, true, t);
    }
    turn
}

/// A mate against n positions needs n - 1 refused captures. Under a limit of three, the capture
/// after the third refusal is nonsense.
#[test]
fn limit_of_tries_decides_at_three_refusals() {
    for (rules, most) in [("ks", 5), ("ks+p", 3), ("ks+ap", 3), ("english", 5)] {
        let ruleset = rulesets::by_id(rules).expect("the ruleset exists");
        for count in 1..=CAPTURES.len() {
            let fens: Vec<&str> = CAPTURES[..count].iter().map(|one| one.0).collect();
            let asked = question(ruleset.choices, &fens, TurnState::default());
            let mut solver = Solver::with_bytes(1 << 20);
            let outcome = solver.solve(&asked, LIMITS).expect("the question is valid");
            let made = certificate(&mut solver, &asked, &outcome, ruleset);
            let made = made.expect("there is a certificate");
            assert_eq!(
                proved(&made),
                Ok(count <= most),
                "{rules}: {count} positions"
            );
            assert_eq!(mates(&asked), count <= most, "{rules}: {count} positions");
        }
    }
}

/// Captures that were refused earlier in the turn count, too; a capture that is refused again does
/// not.
#[test]
fn limit_of_tries_counts_earlier_refusals_of_the_turn() {
    // Captures of empty squares, which are refused in every position.
    const IDLE: [&str; 3] = ["b5c6", "g7f8", "g7h8q"];
    for limit in [TryLimit::None, TryLimit::Three] {
        let choices = Choices {
            try_limit: limit,
            ..rulesets::by_id("ks+p").expect("the ruleset exists").choices
        };
        for earlier in 0..=IDLE.len() {
            for count in 1..=4 {
                let fens: Vec<&str> = CAPTURES[..count].iter().map(|one| one.0).collect();
                let turn = refused(&choices, &IDLE[..earlier]);
                let found = mates(&question(choices, &fens, turn));
                let expected = limit == TryLimit::None || earlier + count <= 3;
                assert_eq!(
                    found, expected,
                    "{limit:?}: {earlier} refused, {count} positions"
                );
            }
            let twice = [&IDLE[..earlier], &IDLE[..earlier]].concat();
            let turn = refused(&choices, &twice);
            assert_eq!(usize::from(turn.pawn_captures_refused), earlier);
        }
    }
}

/// Questions that begin after Any? was answered yes.
#[test]
fn obligation_decides_in_the_middle_of_a_turn() {
    use Obligation::{Make, None, Try};
    // Columns: obligation, position, tries refused before Any?, whether there is a mate.
    for (obligation, fen, earlier, mate) in [
        (None, WITH_BISHOP, &[][..], true),
        (Try, WITH_BISHOP, &[], false),
        (Make, WITH_BISHOP, &[], false),
        (None, WITHOUT_BISHOP, &[], true),
        // The refused try of f5 meets the obligation ...
        (Try, WITHOUT_BISHOP, &[], true),
        (Make, WITHOUT_BISHOP, &[], false),
        // ... unless it was refused before the question.
        (None, WITHOUT_BISHOP, &["g4f5"], true),
        (Try, WITHOUT_BISHOP, &["g4f5"], false),
        (Make, WITHOUT_BISHOP, &["g4f5"], false),
    ] {
        let choices = Choices {
            obligation,
            ..rulesets::by_id("english")
                .expect("the ruleset exists")
                .choices
        };
        let mut turn = refused(&choices, earlier);
        turn.any_answered(&choices, true);
        assert_eq!(turn.obliged, obligation != None, "{obligation:?}");
        let found = mates(&question(choices, &[fen], turn));
        assert_eq!(found, mate, "{obligation:?}: {fen} after {earlier:?}");
    }
    // Pawn captures that mate meet every obligation, after any number of refusals.
    for obligation in [None, Try, Make] {
        let choices = Choices {
            obligation,
            ..rulesets::by_id("english")
                .expect("the ruleset exists")
                .choices
        };
        for count in 2..=5 {
            let fens: Vec<&str> = CAPTURES[..count].iter().map(|one| one.0).collect();
            let mut turn = TurnState::default();
            turn.any_answered(&choices, true);
            assert!(
                mates(&question(choices, &fens, turn)),
                "{obligation:?}: {count}"
            );
        }
    }
}
