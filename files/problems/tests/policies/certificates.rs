//! The solver's certificates pass the check; altered certificates fail.

use std::collections::BTreeSet;

use belief::Situation;
use problems::certificate::{Certificate, CheckedCertificate, ProofNode, Refutation};
use problems::certify::{mate_certificate, no_mate_certificate};
use rules::{Ruleset, chess::Color, rulesets};
use solver::search::{Decision, MateQuestion, SearchLimits, SearchOutcome, Solver};

use super::random::random;

const LIMITS: SearchLimits<'static> = SearchLimits {
    nodes: u64::MAX,
    stop: &|| false,
};

/// Makes the certificate of a result.
pub fn certificate(
    solver: &mut Solver,
    question: &MateQuestion,
    outcome: &SearchOutcome,
    ruleset: &Ruleset,
) -> Option<Certificate> {
    let moves = question.moves;
    match &outcome.decision {
        Decision::Mate(policy) => Some(mate_certificate(
            &ruleset.id,
            moves,
            &question.positions,
            policy,
        )),
        Decision::NoMate(core) => {
            let nodes = solver.refute(question, core, LIMITS, 1 << 20).ok()??;
            let positions: Vec<Situation> = core.iter().map(|i| question.positions[*i]).collect();
            Some(no_mate_certificate(&ruleset.id, moves, &positions, &nodes))
        }
        Decision::Undecided => None,
    }
}

/// Checks a certificate, after it was written and read.
pub fn checked(certificate: &Certificate) -> Result<CheckedCertificate, String> {
    let read = Certificate::read(&certificate.write()).map_err(|error| error.to_string())?;
    assert_eq!(&read, certificate);
    read.check(2_000_000_000).map_err(|error| error.to_string())
}

/// Returns the verdict that a certificate proves.
pub fn proved(certificate: &Certificate) -> Result<bool, String> {
    Ok(checked(certificate)?.mate)
}

/// Returns certificates of random questions, with both verdicts.
fn some(wanted: usize) -> Vec<Certificate> {
    let mut solver = Solver::with_bytes(1 << 20);
    let mut all: Vec<Certificate> = Vec::new();
    for index in 1.. {
        let mates = all.iter().filter(|one| one.mate).count();
        if mates >= wanted && all.len() >= 2 * wanted {
            break;
        }
        let Some(random) = random(index) else {
            continue;
        };
        let question = MateQuestion {
            law: random.choices.into(),
            positions: random.situations(),
            moves: random.moves,
            turn: Default::default(),
        };
        let outcome = solver
            .solve(&question, LIMITS)
            .expect("the question is valid");
        all.extend(certificate(
            &mut solver,
            &question,
            &outcome,
            random.ruleset,
        ));
    }
    all
}

#[test]
fn certificate_with_the_opposite_verdict_is_refused() {
    for certificate in some(20) {
        assert_eq!(proved(&certificate), Ok(certificate.mate));
        let opposite = Certificate {
            mate: !certificate.mate,
            ..certificate
        };
        assert!(proved(&opposite).is_err(), "{}", opposite.write());
    }
}

#[test]
fn certificate_without_a_branch_is_refused() {
    let mut altered = 0;
    for certificate in some(80).into_iter().filter(|one| one.mate) {
        for node in 0..certificate.nodes.len() {
            let mut less = certificate.clone();
            let removed = match &mut less.nodes[node] {
                ProofNode::Try { next, refused, .. } => {
                    next.pop().is_some() || refused.take().is_some()
                }
                ProofNode::Any { yes, no } => yes.take().is_some() || no.take().is_some(),
                ProofNode::Refuted(_) => false,
            };
            if removed {
                altered += 1;
                assert!(proved(&less).is_err(), "node {node}: {}", less.write());
            }
        }
    }
    assert!(altered > 20, "{altered}");
}

/// The rook mates in the first position and the queen in the second. Any? tells these positions
/// apart, because a pawn can take the knight. Under some rulesets the answer yes obliges the seat
/// to make a pawn capture, which does not mate. Without the bishop on f5, the seat can also try
/// g4f5, and the referee refuses this try. Under some rulesets this refused try is enough to meet
/// the obligation.
#[test]
fn certificates_follow_the_obligations_of_a_turn() {
    let fens = |bishop: &str| {
        [
            format!("6k1/5ppp/8/{bishop}n/6P1/2Q5/1B6/4R1K1 w - - 0 1"),
            format!("r5k1/5ppp/8/{bishop}1/6P1/2Q5/1B6/4R1K1 w - - 0 1"),
        ]
    };
    let (with, without) = (fens("5B1"), fens("7").map(|fen| fen.replace("71", "8")));
    for (rules, fens, mate) in [
        ("ks", &with, true),
        ("ks+a", &with, true),
        ("english", &with, false),
        ("english", &without, true),
        ("bodlaender", &with, false),
        ("bodlaender", &without, true),
        ("crazykrieg", &with, false),
        ("crazykrieg", &without, true),
        ("berkeley-any", &with, false),
        ("berkeley-any", &without, false),
        ("eastern", &with, false),
        ("eastern", &without, false),
        ("berkeley", &with, false),
    ] {
        let ruleset = rulesets::by_id(rules).expect("the ruleset exists");
        let read = |fen: &String| Situation::from_fen(&ruleset.choices, Color::White, fen);
        let question = MateQuestion {
            law: ruleset.choices.into(),
            positions: fens.iter().map(|fen| read(fen).expect(fen)).collect(),
            moves: 1,
            turn: Default::default(),
        };
        let mut solver = Solver::with_bytes(1 << 20);
        let outcome = solver.solve(&question, LIMITS);
        let outcome = outcome.expect("the question is valid");
        let made = certificate(&mut solver, &question, &outcome, ruleset);
        let whole = made.unwrap_or_else(|| panic!("{rules}: no certificate"));
        assert_eq!(whole.mate, mate, "{rules}: {fens:?}");
        assert_eq!(proved(&whole), Ok(mate), "{rules}: {}", whole.write());
        let mut parts = 0;
        for node in 0..whole.nodes.len() {
            let mut less = whole.clone();
            let ProofNode::Refuted(all) = &mut less.nodes[node] else {
                continue;
            };
            if all.iter().all(|one| one.rest.is_none()) {
                continue;
            }
            all.retain(|one| one.rest.is_none());
            parts += 1;
            assert!(
                proved(&less).is_err(),
                "{rules}, node {node}: {}",
                less.write()
            );
        }
        let asks = !mate && rules != "berkeley";
        assert_eq!(parts, u32::from(asks), "{rules}: {}", whole.write());
    }
}

#[test]
fn certificate_with_fewer_own_moves_is_refused() {
    for certificate in some(10).into_iter().filter(|one| one.mate && one.moves > 1) {
        let deep = certificate
            .nodes
            .iter()
            .any(|node| matches!(node, ProofNode::Try { next, .. } if !next.is_empty()));
        let fewer = Certificate {
            moves: certificate.moves - 1,
            ..certificate
        };
        assert_eq!(proved(&fewer).is_err(), deep, "{}", fewer.write());
    }
}

/// Returns a certificate: White cannot mate in five moves with the king alone. The pawns block each
/// other. Node 0 stands for the first square of the White king. Each other node stands for a number
/// of moves and a square of the White king. The Black king moves between h8 and g8. The moves
/// between a1 and b1 come last in each node, and the check begins with the last move.
fn king_walks() -> Certificate {
    type Place = (u8, u8);
    let name = |(file, rank): Place| format!("{}{}", char::from(b'a' + file), rank + 1);
    let around = |(file, rank): Place| -> Vec<Place> {
        let files = file.saturating_sub(1)..=file + 1;
        let all = files.flat_map(|f| (rank.saturating_sub(1)..=rank + 1).map(move |r| (f, r)));
        let mut all: Vec<Place> = all.filter(|place| *place != (file, rank)).collect();
        all.sort_by_key(|to| (to.0 + file, to.1 + rank) == (1, 0));
        all
    };
    let mut places: Vec<Vec<Place>> = vec![vec![(0, 0)]];
    for depth in 1..5 {
        let next: BTreeSet<Place> = places[depth - 1].iter().flat_map(|p| around(*p)).collect();
        places.push(next.into_iter().collect());
    }
    let mut certificate = Certificate::new("wild16", Color::White, 5, false);
    certificate.positions = vec!["7k/8/8/8/7p/7P/8/K7 w - - 0 1".to_owned()];
    let mut begins = 0;
    for depth in 0..5 {
        begins += places[depth].len();
        let reply = ["h8g8", "g8h8"][depth % 2];
        for from in &places[depth] {
            let listed = places.get(depth + 1).map(|next| {
                let refuted = |to: Place| Refutation {
                    what: name(*from) + &name(to),
                    by: vec![(0, Some(reply.to_owned()))],
                    to: next
                        .iter()
                        .position(|place| *place == to)
                        .map(|n| begins + n),
                    rest: None,
                };
                around(*from).into_iter().map(refuted).collect()
            });
            let node = ProofNode::Refuted(listed.unwrap_or_default());
            certificate.nodes.push(node);
        }
    }
    certificate
}

/// Under `wild16` the third occurrence of a position ends the game. After Kb1, Ka1 and Kb1, the
/// move Ka1 and its reply end the game. After Ka2, Kb2 and Kb1 they do not, although the position
/// is the same. So a certificate must refute Ka1 there too.
#[test]
fn equal_positions_with_other_earlier_moves_are_checked() {
    let mut certificate = king_walks();
    assert_eq!(proved(&certificate), Ok(false));
    let mut cut = 0;
    for node in &mut certificate.nodes {
        let ProofNode::Refuted(listed) = node else {
            panic!("every node refutes");
        };
        let returns = listed.iter_mut().filter(|one| one.what == "b1a1");
        // The last such node is the one before the fourth own move.
        for one in returns {
            cut += 1;
            if cut == 3 {
                one.to = None;
            }
        }
    }
    assert_eq!(cut, 3);
    let error = proved(&certificate).expect_err("one refutation does not end");
    assert!(error.contains("b1a1 does not end"), "{error}");
}

#[test]
fn bad_certificates_say_what_is_wrong() {
    let good = r#"{"certificate":1,"rules":"berkeley","seat":"white","moves":1,"mate":true,"positions":["7k/8/6K1/8/8/8/8/1Q6 w - - 0 1"],"nodes":[{"try":{"what":"b1b8"}}]}"#;
    let read = Certificate::read(good).expect("the text is a certificate");
    assert_eq!(proved(&read), Ok(true));
    for (from, to, said) in [
        ("\"certificate\":1", "\"certificate\":2", "version 2"),
        ("berkeley", "chess", "no ruleset"),
        ("white", "red", "white or black"),
        ("\"moves\":1", "\"moves\":0", "from 1 to 32"),
        ("7k/8", "7k/9", "position 0"),
        (" w ", " b ", "position 0"),
        ("b1b8", "b1c8", "nothing follows"),
        ("b1b8", "b1c1", "no own move is left"),
        ("b1b8", "any", "not a try"),
        ("{\"try\":{\"what\":\"b1b8\"}}", "", "no such node"),
        ("\"nodes\"", "\"knots\"", "not a certificate"),
        (
            "{\"try\":{\"what\":\"b1b8\"}}",
            "{\"refuted\":[]}",
            "claims a mate",
        ),
        (
            "{\"try\":{\"what\":\"b1b8\"}}",
            "{\"any\":{\"yes\":0,\"no\":0}}",
            "refuses",
        ),
    ] {
        let text = good.replace(from, to);
        assert_ne!(text, good, "{from}");
        let found = Certificate::read(&text).and_then(|certificate| certificate.check(1_000));
        let error = found.expect_err(said).to_string();
        assert!(error.contains(said), "{error}");
    }
    let ids: Vec<&str> = rulesets::ALL.iter().map(|ruleset| &*ruleset.id).collect();
    assert!(ids.contains(&"berkeley"));
}
