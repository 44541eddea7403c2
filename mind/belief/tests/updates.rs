//! Tests of updates of a belief: with threads, with a watch, and without a sample. One test checks
//! that a sample is rebuilt when few of its positions are left.
#![allow(clippy::unwrap_used, reason = "a mistake here fails the test")]

use belief::{Belief, Model, Origin, Overflow, Regime, Settings, Situation, Size, Unheard, Watch};
use rules::{
    Announcement, Capture, Heard, Own, Reply, Reserve, Start, Tries, Try, Verdict, Wings,
    chess::{Board, Color, Role, Square},
    rulesets::WILD16,
};

fn turn(to_move: Color) -> Heard {
    Announcement::Turn { to_move }.into()
}

fn tries(count: u8) -> Heard {
    Announcement::Tries(Tries::Count(count)).into()
}

/// Returns what White hears about a move of White that captures nothing.
fn own(text: &str) -> Vec<Heard> {
    let t: Try = text.parse().unwrap();
    vec![
        Heard::own_verdict(Verdict::Moved, Color::White, t),
        tries(0),
        turn(Color::Black),
    ]
}

/// Returns what White hears about a move of Black. `lost` is the man that the move captured;
/// `count` is the number of White's pawn tries after the move.
fn theirs(lost: Option<(Square, Role)>, count: u8) -> Vec<Heard> {
    let moved = Reply::Verdict {
        verdict: Verdict::Moved,
        by: Color::Black,
        attempt: None,
    };
    let mut all: Vec<Heard> = vec![moved.into()];
    if let Some((square, man)) = lost {
        all.push(Heard::Lost { square, man });
        let capture = Capture {
            square: Some(square),
            man: Some(if man == Role::Pawn {
                rules::CapturedMan::Pawn
            } else {
                rules::CapturedMan::Piece
            }),
            en_passant: false,
        };
        all.push(Announcement::Capture(capture).into());
    }
    all.extend([tries(count), turn(Color::White)]);
    all
}

fn open(settings: Settings) -> Belief {
    let men = Own::of(&Board::new(), Color::White, Wings::BOTH, Reserve::EMPTY);
    let start = Start {
        rules: "wild16".into(),
        own: Some(men),
        reserves: Default::default(),
    };
    let mut belief = Belief::open(
        WILD16.choices,
        Color::White,
        &start,
        &Origin::Usual,
        settings,
    )
    .unwrap();
    hear(&mut belief, &[tries(0), turn(Color::White)]);
    belief
}

fn hear(belief: &mut Belief, all: &[Heard]) {
    for one in all {
        belief.hear(one).unwrap();
    }
}

/// Plays four moves of each side that capture nothing.
fn quiet(belief: &mut Belief) {
    for text in ["g1f3", "b1c3", "a2a3", "h2h3"] {
        hear(belief, &own(text));
        hear(belief, &theirs(None, 0));
    }
}

#[test]
fn number_of_threads_does_not_change_the_belief() {
    let listed = |threads, limit, model| {
        let mut belief = open(Settings {
            limit,
            model,
            threads,
            ..Settings::default()
        });
        quiet(&mut belief);
        let mut all = Vec::new();
        belief.each_position(|situation, weight| all.push((*situation, weight.to_bits())));
        (all, belief.size(), belief.regime())
    };
    for limit in [2_000_000, 5_000] {
        for model in [Model::Uniform, Model::fitted()] {
            let one = listed(1, limit, model.clone());
            assert!(one.0.len() > 4_000, "{limit} {:?} {}", one.1, one.0.len());
            assert_eq!(one, listed(3, limit, model));
        }
    }
}

#[test]
fn stopped_update_does_not_change_the_belief() {
    let mut belief = open(Settings::default());
    quiet(&mut belief);
    hear(&mut belief, &own("g2g3"));
    let before = belief.clone();
    let watch = Watch::default();
    watch.stop();
    let heard = theirs(None, 0);
    let (last, first) = heard.split_last().unwrap();
    hear(&mut belief, first);
    assert_eq!(belief.hear_watched(last, &watch), Err(Unheard::Stopped));
    assert_eq!(belief.kept(), before.kept());
    assert_eq!(belief.marginals(), before.marginals());
    // The belief accepts the same announcement again, without the watch.
    belief.hear(last).unwrap();
    let mut whole = before;
    hear(&mut whole, &heard);
    assert_eq!(belief, whole);
}

#[test]
fn update_that_is_cut_short_keeps_possible_positions() {
    let mut belief = open(Settings::default());
    quiet(&mut belief);
    hear(&mut belief, &own("g2g3"));
    let mut whole = belief.clone();
    let heard = theirs(None, 0);
    hear(&mut whole, &heard);
    assert!(whole.is_complete());
    let watch = Watch::cut_if(|| true);
    for one in &heard {
        belief.hear_watched(one, &watch).unwrap();
    }
    let (kept, all) = (belief.kept(), whole.kept());
    assert!((1_000..all).contains(&kept), "{kept} of {all}");
    assert_eq!(belief.regime(), Regime::Sampled);
    for (situation, _) in belief.positions(5) {
        assert!(whole.contains(&situation), "{situation:?}");
    }
    let envelope = belief.envelope();
    whole.each_position(|situation, _| assert!(envelope.admits(&situation.men())));
}

/// Black captures three men one after the other. Few positions of a small sample agree with these
/// captures.
#[test]
fn invented_positions_agree_with_the_last_capture() {
    let lost_all = |invented| {
        let mut belief = open(Settings {
            limit: 5_000,
            rebuild_work: Some(1),
            invented,
            ..Settings::default()
        });
        quiet(&mut belief);
        for (text, square, role, count) in [
            ("f3e5", Square::E5, Role::Knight, 0),
            ("c3d5", Square::D5, Role::Knight, 0),
            ("b2b4", Square::B4, Role::Pawn, 1),
        ] {
            hear(&mut belief, &own(text));
            hear(&mut belief, &theirs(Some((square, role)), count));
        }
        let mut all = Vec::new();
        belief.each_position(|situation, _| all.push(*situation));
        all
    };
    let (none, some) = (lost_all(0.0), lost_all(0.3));
    assert!(none.len() < some.len(), "{} {}", none.len(), some.len());
    for situation in some {
        let theirs = situation.men().all();
        assert!(theirs.contains(Square::B4), "{situation:?}");
        assert!((theirs & situation.position.side(situation.seat)).is_empty());
        assert_eq!(situation.men().by_role.king.count(), 1);
    }
}

/// Black captures two knights and a pawn one after the other. Only few positions of a small sample
/// agree with these captures, so the sample must be rebuilt.
#[test]
fn collapsed_sample_is_rebuilt() {
    let mut sampled = open(Settings {
        limit: 300,
        ..Settings::default()
    });
    let mut whole = open(Settings::default());
    for belief in [&mut sampled, &mut whole] {
        quiet(belief);
        for (text, square, role, count) in [
            ("f3e5", Square::E5, Role::Knight, 0),
            ("c3d5", Square::D5, Role::Knight, 0),
            ("b2b4", Square::B4, Role::Pawn, 1),
        ] {
            hear(belief, &own(text));
            hear(belief, &theirs(Some((square, role)), count));
        }
    }
    assert!(whole.is_complete());
    assert_eq!(sampled.regime(), Regime::Sampled, "{}", whole.kept());
    assert!(sampled.kept() > 0);
    // Every position of the sample is possible, and the envelope includes all
    // possible positions.
    let envelope = sampled.envelope();
    whole.each_position(|situation, _| assert!(envelope.admits(&situation.men())));
    let possible = |situation: &Situation| whole.contains(situation);
    sampled.each_position(|situation, _| assert!(possible(situation)));
}

/// A belief with a sample and a belief without a sample become incomplete at the same move. The
/// two beliefs always have the same envelope.
#[test]
fn the_envelope_is_the_same_without_a_sample() {
    let mut captures = Vec::new();
    for (text, square, role, count) in [
        ("f3e5", Square::E5, Role::Knight, 0),
        ("c3d5", Square::D5, Role::Knight, 0),
        ("b2b4", Square::B4, Role::Pawn, 1),
    ] {
        captures.push((own(text), theirs(Some((square, role)), count)));
    }
    let quiet = ["g1f3", "b1c3", "a2a3", "h2h3"].map(|text| (own(text), theirs(None, 0)));
    for limit in [1, 20, 300, 7_000] {
        let [mut sampled, mut bare] = [Overflow::Sample, Overflow::Envelope].map(|overflow| {
            open(Settings {
                limit,
                overflow,
                ..Settings::default()
            })
        });
        for (own, theirs) in quiet.iter().chain(&captures) {
            for heard in [own, theirs] {
                hear(&mut sampled, heard);
                hear(&mut bare, heard);
                assert_eq!(sampled.is_complete(), bare.is_complete(), "{limit}");
                assert_eq!(sampled.envelope(), bare.envelope(), "{limit}");
                if bare.is_complete() {
                    assert_eq!(sampled.size(), bare.size(), "{limit}");
                }
            }
        }
        assert_eq!(bare.regime(), Regime::EnvelopeOnly, "{limit}");
        assert_eq!((bare.kept(), bare.size()), (0, Size::Unknown), "{limit}");
    }
}

/// If a belief keeps no position, it answers every question from its envelope, and no answer
/// contains a number of positions.
#[test]
fn an_envelope_alone_answers_every_question() {
    let mut belief = open(Settings {
        limit: 20,
        overflow: Overflow::Envelope,
        ..Settings::default()
    });
    quiet(&mut belief);
    assert_eq!(belief.regime(), Regime::EnvelopeOnly);
    assert_eq!(
        (belief.size(), belief.size().count()),
        (Size::Unknown, None)
    );
    assert_eq!((belief.kept(), belief.sample(10).kept()), (0, 0));
    assert!(belief.positions(10).is_empty());
    belief.each_position(|situation, _| panic!("{situation:?}"));
    assert_eq!((belief.entropy(), belief.effective_size()), (0.0, 0.0));
    for t in belief.view().tries() {
        let prospect = belief.prospect(t);
        assert_eq!(
            (prospect.moved, prospect.no, prospect.information_bits),
            (0.0, 0.0, 0.0)
        );
        assert!(prospect.reports.is_empty());
    }
    let (marginals, envelope) = (belief.marginals(), belief.envelope());
    let kings: f64 = Square::ALL
        .map(|sq| marginals.of(Role::King, sq))
        .iter()
        .sum();
    assert!(kings > 0.0 && kings < 1.0 + 1e-9, "{kings}");
    for sq in Square::ALL {
        let occupied = marginals.occupied(sq);
        assert!((0.0..1.0 + 1e-9).contains(&occupied), "{sq} {occupied}");
        assert_eq!(occupied > 0.0, envelope.all().contains(sq), "{sq}");
    }
    let certain = belief.certain();
    assert_eq!((certain.least.king, certain.most.king), (1, 1));
    assert!(certain.can.king.contains(Square::E8));
}

/// `wild16` has no limit on refused pawn captures. So three refused pawn captures do not end this
/// game. White's only legal move is another pawn capture, a4b5.
#[test]
fn without_a_limit_three_refused_captures_do_not_end_a_game() {
    let fen = "7k/8/8/pp4p1/P2p1pP1/3P1P2/5q2/7K w - - 0 1";
    let truth = Situation::from_fen(&WILD16.choices, Color::White, fen).unwrap();
    let start = Start {
        rules: "wild16".into(),
        own: Some(*truth.sides().get(Color::White)),
        reserves: Default::default(),
    };
    let origin = Origin::OneOf(vec![fen.to_owned()]);
    let settings = Settings::default();
    let mut belief = Belief::open(WILD16.choices, Color::White, &start, &origin, settings).unwrap();
    hear(&mut belief, &[tries(1), turn(Color::White)]);
    for text in ["d3c4", "d3e4", "f3e4"] {
        let what: Try = text.parse().unwrap();
        let refused = Heard::own_verdict(Verdict::No, Color::White, what);
        hear(&mut belief, &[refused]);
    }
    assert_eq!(belief.kept(), 1);
}
