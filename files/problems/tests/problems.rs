//! Test of the shipped problems: the solver finds each verdict again, and the referee confirms the
//! certificate of each verdict. If the variable `KRIEGSPIEL_PROBLEMS_EVERY` is N, one problem in N
//! is checked.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    env,
};

use belief::{Settings, Watch};
use problems::certificate::{Certificate, CertificateError};
use problems::certify::certificate_of;
use problems::{
    Collection, KeptCertificate, SOLVER_BYTES, believe, kept_certificates, question, sha256,
};
use scores::Problem;
use solver::search::{Decision, MateQuestion, SearchLimits, Solver};

/// Number of moves that the check of a certificate may replay.
const MAX_REPLAYED: u64 = 2_000_000_000;
/// Positions that the solver may examine for a problem in a short run.
const FEW_NODES: u64 = 300_000;
/// Positions that the solver may examine for a problem in a long run.
const MANY_NODES: u64 = 2_000_000_000;
/// Maximum number of nodes of a certificate.
const MAX_NODES: usize = 1_000_000;
/// Maximum number of nodes of a certificate which proves that there is no shorter mate.
const FEW_PROOF_NODES: usize = 20_000;
/// Positions that the solver may examine to prove that there is no shorter mate.
const SHORTER_NODES: u64 = 20_000_000;
/// Only a problem of at least this number of own moves may lack a certificate.
const SEARCHED_MOVES: u8 = 5;

/// Solves a question. Returns `None` if the answer is not decided.
fn solve(
    question: &MateQuestion,
    solver: &mut Solver,
    limits: SearchLimits<'_>,
) -> Option<(bool, Decision)> {
    let outcome = solver.solve(question, limits);
    let decision = outcome.expect("the question is valid").decision;
    match decision {
        Decision::Mate(_) => Some((true, decision)),
        Decision::NoMate(_) => Some((false, decision)),
        Decision::Undecided => None,
    }
}

/// Makes the certificate of a decision. Returns `None` if no certificate can be made.
fn certify(
    problem: &Problem,
    question: &MateQuestion,
    decision: &Decision,
    solver: &mut Solver,
    limits: SearchLimits<'_>,
    most: usize,
) -> Option<Certificate> {
    let mut made = certificate_of(&problem.rules, question, decision, solver, limits, most)?;
    made.id.clone_from(&problem.id);
    Some(made)
}

/// Asserts that a certificate is about the verdict of a problem.
fn assert_fits(certificate: &Certificate, problem: &Problem, question: &MateQuestion) {
    let id = &problem.id;
    assert_eq!(certificate.id, *id);
    assert_eq!(certificate.rules, problem.rules, "{id}");
    assert_eq!(certificate.moves, question.moves, "{id}");
    let fen = |one: &belief::Situation| one.fen(u32::from(one.quiet), 1);
    let all: BTreeSet<String> = question.positions.iter().map(fen).collect();
    let named: BTreeSet<String> = certificate.positions.iter().cloned().collect();
    assert!(
        named.is_subset(&all),
        "{id}: positions are not those of the problem"
    );
    if certificate.mate {
        assert_eq!(named, all, "{id}: a position is missing");
    }
}

#[test]
fn verdicts_of_shipped_problems_have_certificates() {
    let every = env::var("KRIEGSPIEL_PROBLEMS_EVERY").ok();
    let every: usize = every.map_or(240, |n| n.parse().expect("the variable is a number"));
    let is_long = every == 1;
    let most = if is_long { MANY_NODES } else { FEW_NODES };
    let mut solver = Solver::with_bytes(SOLVER_BYTES);
    let kept: HashMap<String, KeptCertificate> = kept_certificates()
        .map(|kept| (kept.id().to_owned(), kept))
        .collect();
    // For each number of moves and each verdict: the number of generated problems against a lone
    // king, and the number of all generated problems.
    let mut shares: BTreeMap<(Option<u32>, bool), (u32, u32)> = BTreeMap::new();
    let (mut shipped, mut proved, mut searched, mut shorter, mut skipped) = (0, 0, 0, 0, 0);
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
            .expect("the work is not stopped");
        let is_made = problem.author.as_deref() == Some("problems make");
        let mut is_lone = true;
        belief.each_position(|one, _| is_lone &= one.men().all().count() == 1);
        if is_made {
            let lone = shares.entry((problem.own_moves, label)).or_default();
            lone.0 += u32::from(is_lone);
            lone.1 += 1;
        }
        let moves = problem.own_moves.expect("the number of moves is given") as u8;
        let mut question = question(&belief, moves).expect("all positions are kept");
        let kept = kept.get(id);
        assert_eq!(kept.is_some(), is_made, "{id}");
        if let Some(KeptCertificate::Whole(certificate)) = kept {
            assert_fits(certificate, problem, &question);
            let checked = certificate.check(MAX_REPLAYED);
            assert_eq!(checked.map(|one| one.mate), Ok(label), "{id}");
            shipped += 1;
        }
        if !is_long && moves > 3 {
            // A short run checks only the problems of at most three own moves.
            skipped += 1;
            continue;
        }
        let limits = |nodes| SearchLimits {
            nodes,
            stop: &|| false,
        };
        let Some((mate, decision)) = solve(&question, &mut solver, limits(most)) else {
            skipped += 1;
            continue;
        };
        assert_eq!(mate, label, "{id}");
        let certificate = match kept {
            // There is no certificate to compare: the solver has found the verdict again, and this
            // is the only check.
            Some(KeptCertificate::Searched { .. }) => None,
            _ => {
                let limits = limits(most);
                certify(
                    problem,
                    &question,
                    &decision,
                    &mut solver,
                    limits,
                    MAX_NODES,
                )
            }
        };
        match (certificate, kept) {
            (Some(certificate), Some(KeptCertificate::Whole(same))) => {
                assert_eq!(certificate, *same, "{id}");
                proved += 1;
            }
            (Some(certificate), Some(KeptCertificate::Hash { sha256: hash, .. })) => {
                assert_eq!(sha256(&certificate.write()), *hash, "{id}");
                let checked = certificate.check(MAX_REPLAYED);
                assert_eq!(checked.map(|one| one.mate), Ok(label), "{id}");
                proved += 1;
            }
            (Some(certificate), None) => {
                let checked = certificate.check(MAX_REPLAYED);
                assert_eq!(checked.map(|one| one.mate), Ok(label), "{id}");
                proved += 1;
            }
            (_, Some(KeptCertificate::Searched { .. })) => {
                assert!(moves >= SEARCHED_MOVES, "{id}");
                searched += 1;
            }
            (None, _) => panic!("{id}: there is no certificate"),
        }
        // No generated problem has a shorter mate.
        if mate && moves > 1 && is_made {
            question.moves = moves - 1;
            let found = solve(&question, &mut solver, limits(most));
            if let Some((mate, decision)) = found {
                assert!(!mate, "{id}: there is a shorter mate");
                let limits = limits(most.min(SHORTER_NODES));
                let made = certify(
                    problem,
                    &question,
                    &decision,
                    &mut solver,
                    limits,
                    FEW_PROOF_NODES,
                );
                match made.map(|one| one.check(MAX_REPLAYED)) {
                    Some(Ok(checked)) => {
                        assert!(!checked.mate, "{id}");
                        shorter += 1;
                    }
                    None | Some(Err(CertificateError::Limit(_))) => {}
                    Some(Err(error)) => panic!("{id}: {error}"),
                }
            }
        }
    }
    println!("figure: shipped certificates that the referee confirms {shipped}");
    println!(
        "figure: verdicts that the solver finds again, with a certificate that the referee confirms {proved}"
    );
    println!("figure: verdicts without a certificate {searched}");
    println!("figure: confirmed certificates that there is no shorter mate {shorter}");
    println!("figure: problems not decided within the limit {skipped}");
    if is_long {
        for (kind, (lone, all)) in shares {
            assert!(
                2 * lone <= all + 1,
                "{kind:?}: {lone} of {all} are against a lone king"
            );
        }
    }
    assert!(proved > 0);
}

/// A change of a ruleset can contradict what was heard, and can change the possible positions.
#[test]
fn every_shipped_problem_agrees_with_a_position() {
    let mut kept = kept_certificates().peekable();
    for problem in Collection::shipped().problems {
        let id = &problem.id;
        let believed = believe(&problem, Settings::default(), &Watch::default());
        let belief = believed
            .unwrap_or_else(|error| panic!("{id}: {error}"))
            .expect("the work is not stopped");
        let moves = problem.own_moves.expect("the number of moves is given") as u8;
        let question = question(&belief, moves).expect("all positions are kept");
        assert!(!question.positions.is_empty(), "{id}: no position agrees");
        if let Some(KeptCertificate::Whole(certificate)) = kept.next_if(|kept| kept.id() == id) {
            assert_fits(&certificate, &problem, &question);
        }
    }
    assert_eq!(kept.next(), None);
}

#[test]
fn every_generated_problem_has_an_entry_for_its_certificate() {
    let all = Collection::shipped().problems;
    let made = all
        .iter()
        .filter(|problem| problem.author.as_deref() == Some("problems make"));
    let mut kept = kept_certificates();
    for problem in made {
        let entry = kept.next().expect("there is an entry");
        assert_eq!(entry.id(), problem.id);
        if matches!(entry, KeptCertificate::Searched { .. }) {
            assert!(
                problem.own_moves >= Some(SEARCHED_MOVES.into()),
                "{}",
                problem.id
            );
        }
    }
    assert!(kept.next().is_none());
}
