//! Test of the shipped problems: the referee confirms a certificate of each verdict. The variable
//! `KRIEGSPIEL_PROBLEMS_EVERY` says which share of the problems is checked: one in this number.

use std::{collections::BTreeMap, env};

use belief::{Settings, Watch};
use kriegspiel::{
    certificate::Certificate,
    certify::{mate_certificate, no_mate_certificate},
    problems::{Collection, believe, question},
    scores::Problem,
    solver::search::{Decision, MateQuestion, SearchLimits, Solver},
};

/// Number of moves that the check of a certificate may replay.
const MOST_REPLAYED: u64 = 2_000_000_000;
/// Positions that the solver may examine for a problem in a short run.
const FEW_NODES: u64 = 2_000_000;

/// Solves a question, and makes the certificate of the answer. Returns `None` if the answer is not
/// decided, and no certificate if none can be made.
fn certify(
    problem: &Problem,
    question: &MateQuestion,
    solver: &mut Solver,
    nodes: u64,
) -> Option<(bool, Option<Certificate>)> {
    let limits = SearchLimits {
        nodes,
        stop: &|| false,
    };
    let solved = solver
        .solve(question, limits)
        .expect("the question is valid");
    let (rules, moves) = (&problem.rules, question.moves);
    match solved.decision {
        Decision::Mate(policy) => {
            let certificate = mate_certificate(rules, moves, &question.positions, &policy);
            Some((true, Some(certificate)))
        }
        Decision::NoMate(core) => {
            let limits = SearchLimits {
                nodes: u64::MAX,
                stop: &|| false,
            };
            let nodes = solver.refute(question, &core, limits, 1_000_000);
            let core: Vec<_> = core.iter().map(|i| question.positions[*i]).collect();
            let nodes = nodes.expect("the question is valid");
            let made = nodes.map(|nodes| no_mate_certificate(rules, moves, &core, &nodes));
            Some((false, made))
        }
        Decision::Undecided => None,
    }
}

#[test]
fn verdicts_of_shipped_problems_have_certificates() {
    let every = env::var("KRIEGSPIEL_PROBLEMS_EVERY").ok();
    let every: usize = every.map_or(20, |n| n.parse().expect("the variable is a number"));
    let most = if every == 1 { u64::MAX } else { FEW_NODES };
    let mut solver = Solver::with_bytes(32 << 20);
    // Made problems of each length: against a lone king, and all.
    let mut shares: BTreeMap<(Option<u32>, bool), (u32, u32)> = BTreeMap::new();
    let (mut proved, mut searched, mut shorter, mut skipped) = (0, 0, 0, 0);
    for problem in Collection::shipped().problems.iter().step_by(every) {
        let id = &problem.id;
        let Some(label) = problem.mate else {
            // The solver has not decided this problem yet (docs/problems.md).
            skipped += 1;
            continue;
        };
        let believed = believe(problem, Settings::default(), &Watch::default());
        let belief = believed
            .expect("the problem is valid")
            .expect("not stopped");
        let is_made = problem.author.as_deref() == Some("problems make");
        let mut is_lone = true;
        belief.each_position(|one, _| is_lone &= one.men.all().count() == 1);
        if is_made {
            let lone = shares.entry((problem.own_moves, label)).or_default();
            lone.0 += u32::from(is_lone);
            lone.1 += 1;
        }
        let moves = problem.own_moves.expect("the number of moves is given") as u8;
        let mut question = question(&belief, moves).expect("all positions are kept");
        let Some((mate, certificate)) = certify(problem, &question, &mut solver, most) else {
            skipped += 1;
            continue;
        };
        assert_eq!(mate, label, "{id}");
        match certificate {
            Some(certificate) => {
                let checked = certificate.check(MOST_REPLAYED);
                assert_eq!(checked.map(|one| one.mate), Ok(label), "{id}");
                proved += 1;
            }
            None => searched += 1,
        }
        // No made problem has a shorter mate.
        if mate && moves > 1 && is_made {
            question.moves = moves - 1;
            if let Some((mate, certificate)) = certify(problem, &question, &mut solver, most) {
                assert!(!mate, "{id}: there is a shorter mate");
                if let Some(certificate) = certificate {
                    let checked = certificate.check(MOST_REPLAYED);
                    assert_eq!(checked.map(|one| one.mate), Ok(false), "{id}");
                    shorter += 1;
                }
            }
        }
    }
    println!("count verdicts whose certificate the referee confirms {proved}");
    println!("count verdicts without a certificate {searched}");
    println!("count confirmed certificates that there is no shorter mate {shorter}");
    println!("count problems not decided within the limit {skipped}");
    if every == 1 {
        for (kind, (lone, all)) in shares {
            assert!(
                2 * lone <= all + 1,
                "{kind:?}: {lone} of {all} are against a lone king"
            );
        }
    }
    assert!(proved > 0);
    assert_eq!(searched, 0);
}
