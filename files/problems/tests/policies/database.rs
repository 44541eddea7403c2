//! Compares the solver with labels of the Berkeley Kriegspiel mate database. The file is not part
//! of the project: its path is in `KRIEGSPIEL_PROBLEMS`, or the file is in a folder next to the
//! project folder.

use std::{
    fmt::Write,
    fs::File,
    io::{BufRead, BufReader},
    path::PathBuf,
};

use belief::{Belief, Compat, Origin, Settings, Situation};
use flate2::read::MultiGzDecoder;
use rules::{
    Own, Reserve, Start, Wings,
    chess::{Board, ByColor, Color},
    rulesets::BERKELEY,
};
use scores::Problem;
use solver::search::{Decision, MateQuestion, SearchLimits, Solver};

use sha2::{Digest, Sha256};

use super::{
    certificates::{certificate, checked},
    number,
};

fn path() -> Option<PathBuf> {
    let named = std::env::var_os("KRIEGSPIEL_PROBLEMS").map(PathBuf::from);
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/data/berkeley/sample.jsonl.gz");
    named.or_else(|| beside.exists().then_some(beside))
}

fn positions(problem: &Problem) -> Vec<Situation> {
    let start = Start {
        rules: BERKELEY.id.clone(),
        own: Some(Own::of(
            &Board::new(),
            Color::White,
            Wings::BOTH,
            Reserve::EMPTY,
        )),
        reserves: ByColor::default(),
    };
    let settings = Settings {
        compat: Some(Compat::BerkeleyDatabase),
        ..Settings::default()
    };
    let choices = BERKELEY.choices;
    let mut belief = Belief::open(choices, Color::White, &start, &Origin::Usual, settings)
        .expect("the usual start is valid");
    for heard in &problem.heard {
        belief.hear(heard).expect("the problem can be explained");
    }
    let mut all = Vec::new();
    belief.each_position(|one, _| all.push(*one));
    all
}

/// Ids of problems with the label "no mate", although a certificate proves a mate (docs/solver.md).
/// None are known.
const MISSED_MATES: &[&str] = &[];

#[test]
fn verdicts_agree_with_the_berkeley_database() {
    let Some(path) = path() else {
        println!("NOT RUN: there is no file of problems; KRIEGSPIEL_PROBLEMS can name one");
        return;
    };
    let most = number("KRIEGSPIEL_SOLVED_PLIES", 5) as u32;
    let file = File::open(&path).expect("the file of problems can be opened");
    let mut solver = Solver::with_bytes(16 << 20);
    let (mut agree, mut differ) = (0, Vec::new());
    let (mut parts, mut greater) = (0, 0);
    for line in BufReader::new(MultiGzDecoder::new(file)).lines() {
        let line = line.expect("the line can be read");
        let problem = Problem::read(&line).expect("the problem can be read");
        let (Some(moves), Some(mate)) = (problem.own_moves, problem.mate) else {
            continue;
        };
        if 2 * moves - 1 > most {
            continue;
        }
        let question = MateQuestion {
            choices: BERKELEY.choices,
            compat: Some(Compat::BerkeleyDatabase),
            positions: positions(&problem),
            moves: moves as u8,
            turn: Default::default(),
        };
        let limits = SearchLimits {
            nodes: u64::MAX,
            stop: &|| false,
        };
        let outcome = solver
            .solve(&question, limits)
            .expect("the question is valid");
        let found = matches!(outcome.decision, Decision::Mate(_));
        if moves == 2 && !found {
            let weights = vec![1.0; question.positions.len()];
            let best = solver.best(&question, &weights, limits);
            let best = best.expect("the question is valid");
            assert_eq!(best.lower, best.upper, "{}", problem.id);
            let label: serde_json::Value = serde_json::from_str(&line).expect("the line is JSON");
            let label = label["largest_mating_subset"].as_u64();
            let label = label.expect("the label is a number") as usize;
            assert!(best.positions.len() >= label, "{}", problem.id);
            parts += 1;
            greater += usize::from(best.positions.len() > label);
        }
        if found == mate || (found && MISSED_MATES.contains(&problem.id.as_str())) {
            agree += 1;
        } else {
            differ.push(format!("{}: {found}, not {mate}", problem.id));
        }
    }
    println!("figure: problems whose verdict agrees {agree}");
    println!("figure: problems whose verdict differs {}", differ.len());
    println!(
        "figure: problems in 2 whose best policy mates in at least as many positions as the label says {parts}"
    );
    println!(
        "figure: problems in 2 whose best policy mates in more positions than the label says {greater}"
    );
    println!("{}", differ.join("\n"));
    assert!(differ.is_empty());
}

/// List of the labels that are correct only under the rules of the database.
const ERRATA: &str = include_str!("../../../../docs/errata.csv");

/// Checks every verdict under the ruleset `berkeley` by its certificate. If a verdict differs from
/// its label, the list must have the problem.
#[test]
fn certificates_prove_the_verdicts_of_the_database() {
    let Some(path) = path() else {
        println!("NOT RUN: there is no file of problems; KRIEGSPIEL_PROBLEMS can name one");
        return;
    };
    let most = number("KRIEGSPIEL_PROVED_PLIES", 3) as u32;
    let limits = SearchLimits {
        nodes: u64::MAX,
        stop: &|| false,
    };
    let file = File::open(&path).expect("the file of problems can be opened");
    let mut solver = Solver::with_bytes(64 << 20);
    let (mut proved, mut replayed, mut rows) = (0, 0, Vec::new());
    for line in BufReader::new(MultiGzDecoder::new(file)).lines() {
        let line = line.expect("the line can be read");
        let problem = Problem::read(&line).expect("the problem can be read");
        let (Some(moves), Some(mate)) = (problem.own_moves, problem.mate) else {
            continue;
        };
        if 2 * moves - 1 > most {
            continue;
        }
        let question = MateQuestion {
            choices: BERKELEY.choices,
            compat: None,
            positions: positions(&problem),
            moves: moves as u8,
            turn: Default::default(),
        };
        let outcome = solver.solve(&question, limits);
        let outcome = outcome.expect("the question is valid");
        let mut certificate = certificate(&mut solver, &question, &outcome, &BERKELEY)
            .unwrap_or_else(|| panic!("{}: there is no certificate", problem.id));
        certificate.id.clone_from(&problem.id);
        let found = checked(&certificate).unwrap_or_else(|error| panic!("{}: {error}", problem.id));
        let is_mate = matches!(outcome.decision, Decision::Mate(_));
        assert_eq!(found.mate, is_mate, "{}", problem.id);
        proved += 1;
        replayed += found.replayed;
        if is_mate != mate {
            let hash = Sha256::digest(certificate.write());
            let hash = hash.iter().fold(String::new(), |mut text, byte| {
                write!(text, "{byte:02x}").expect("writing to a string cannot fail");
                text
            });
            let core = certificate.positions.len();
            rows.push(format!("{},{moves},{core},{hash}", problem.id));
        }
    }
    println!("figure: verdicts of the database proved by certificates {proved}");
    println!("figure: moves replayed for them {replayed}");
    println!("figure: verdicts that differ from the label {}", rows.len());
    let listed: Vec<&str> = ERRATA
        .lines()
        .skip(1)
        .filter(|line| {
            let moves = line.split(',').nth(1).expect("a row has columns");
            2 * moves.parse::<u32>().expect("a number of moves") - 1 <= most
        })
        .collect();
    assert_eq!(
        listed,
        rows,
        "the rows of docs/errata.csv\n{}",
        rows.join("\n")
    );
}
