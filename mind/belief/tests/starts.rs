//! Tests of start positions, and of announcements that no position explains.
#![allow(clippy::unwrap_used, reason = "a mistake here fails the test")]

use belief::{Belief, Origin, Overflow, Regime, Settings, Situation, Size, StartError};
use rules::{
    Announcement, Heard, Own, Reply, Start, Tries, Verdict, Wings,
    chess::{Bitboard, ByRole, Color, Square},
    rulesets::WILD16,
};

/// Returns White's men: a king on e1 and a rook on a1.
fn own() -> Own {
    Own {
        color: Color::White,
        men: ByRole {
            king: Bitboard::from_square(Square::E1),
            rook: Bitboard::from_square(Square::A1),
            ..ByRole::default()
        },
        castling: Wings::NONE,
        reserve: Default::default(),
    }
}

fn start() -> Start {
    Start {
        rules: "wild16".into(),
        own: Some(own()),
        reserves: Default::default(),
    }
}

fn unknown(pawns: u8, limit: usize) -> Result<Belief, StartError> {
    let settings = Settings {
        limit,
        ..Settings::default()
    };
    unknown_with(pawns, settings)
}

fn unknown_with(pawns: u8, settings: Settings) -> Result<Belief, StartError> {
    let men = ByRole {
        king: 1,
        pawn: pawns,
        ..ByRole::default()
    };
    let origin = Origin::Unknown {
        to_move: Color::White,
        men,
    };
    Belief::open(WILD16.choices, Color::White, &start(), &origin, settings)
}

#[test]
fn belief_has_every_legal_square_of_an_unknown_king() {
    let mut belief = unknown(0, 1_000).unwrap();
    let opening = [
        Announcement::Tries(Tries::Count(0)),
        Announcement::Turn {
            to_move: Color::White,
        },
    ];
    for heard in opening {
        belief.hear(&heard.into()).unwrap();
    }
    let mut legal = 0;
    for sq in Square::ALL {
        let mut rows = Vec::new();
        for rank in (0..8).rev() {
            let mut row = String::new();
            for file in 0..8 {
                let here = Square::new(rank * 8 + file);
                row.push(if here == Square::E1 {
                    'K'
                } else if here == Square::A1 {
                    'R'
                } else if here == sq {
                    'k'
                } else {
                    '1'
                });
            }
            rows.push(row);
        }
        let fen = format!("{} w - - 0 1", rows.join("/"));
        legal += u64::from(Situation::from_fen(&WILD16.choices, Color::White, &fen).is_ok());
    }
    assert!(legal > 30);
    assert_eq!(belief.size(), Size::Exactly(legal));
}

#[test]
fn too_many_unknown_placements_are_sampled() {
    let belief = unknown(5, 200).unwrap();
    assert_eq!(belief.regime(), Regime::Sampled);
    assert_eq!(belief.kept(), 200);
    let envelope = belief.envelope();
    belief.each_position(|situation, _| assert!(envelope.admits(&situation.men())));
    assert!(matches!(unknown(16, 10), Err(StartError::Men { .. })));
}

#[test]
fn belief_without_a_sample_keeps_only_the_envelope() {
    let sampled = unknown(5, 200).unwrap();
    let settings = Settings {
        limit: 200,
        overflow: Overflow::Envelope,
        ..Settings::default()
    };
    let belief = unknown_with(5, settings).unwrap();
    assert_eq!(belief.regime(), Regime::EnvelopeOnly);
    assert_eq!((belief.kept(), belief.size()), (0, Size::Unknown));
    assert_eq!(belief.envelope(), sampled.envelope());
}

#[test]
fn error_names_the_announcement_that_no_position_explains() {
    let mut belief = Belief::usual(WILD16.choices, Color::White);
    let e4 = "e2e4".parse().unwrap();
    let check = "rank".parse().unwrap();
    let heard: [Heard; 5] = [
        Heard::own_verdict(Verdict::Moved, Color::White, e4),
        Announcement::Tries(Tries::Count(0)).into(),
        Announcement::Turn {
            to_move: Color::Black,
        }
        .into(),
        Reply::Verdict {
            verdict: Verdict::Moved,
            by: Color::Black,
            attempt: None,
        }
        .into(),
        Announcement::Check {
            directions: [check].into_iter().collect(),
        }
        .into(),
    ];
    for one in heard {
        belief.hear(&one).unwrap();
    }
    let turn = Announcement::Turn {
        to_move: Color::White,
    };
    let error = belief
        .hear(&turn.into())
        .expect_err("no rook or queen of Black can give check");
    assert_eq!(
        error.to_string(),
        "nothing agrees with announcement 5: no rook or queen can give that check"
    );
}
