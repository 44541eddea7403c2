//! Tests the belief with a file of problems from the Berkeley Kriegspiel mate database. For
//! each problem, the belief must find as many positions as the file says. The file is not part
//! of the project: its path is in `KRIEGSPIEL_PROBLEMS`, or the file is in a folder next to the
//! project folder.

use std::{
    fs::File,
    io::{BufRead, BufReader},
    path::PathBuf,
};

use belief::{Belief, Origin, Settings, Watch};
use flate2::read::MultiGzDecoder;
use rules::{
    Own, Reserve, Start, Wings,
    chess::{Board, ByColor, Color},
    rulesets::BERKELEY,
};
use scores::Problem;

/// Returns the path of the file, if it is known.
fn path() -> Option<PathBuf> {
    let named = std::env::var_os("KRIEGSPIEL_PROBLEMS").map(PathBuf::from);
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/data/berkeley/sample.jsonl.gz");
    named.or_else(|| beside.exists().then_some(beside))
}

fn size(problem: &Problem) -> Result<f64, String> {
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
        berkeley: true,
        ..Settings::default()
    };
    let choices = BERKELEY.choices;
    let belief = Belief::open(choices, Color::White, &start, &Origin::Usual, settings);
    let mut belief = belief.map_err(|error| error.to_string())?;
    for heard in &problem.heard {
        belief
            .hear(heard, &Watch::default())
            .map_err(|error| error.to_string())?;
    }
    belief
        .size()
        .number()
        .ok_or("the size is unknown".to_owned())
}

#[test]
fn belief_sizes_agree_with_the_berkeley_database() {
    let Some(path) = path() else {
        println!("NOT RUN: there is no file of problems; KRIEGSPIEL_PROBLEMS can name one");
        return;
    };
    let file = File::open(&path).expect("the file of problems can be opened");
    let (mut agree, mut differ) = (0, Vec::new());
    for line in BufReader::new(MultiGzDecoder::new(file)).lines() {
        let problem =
            Problem::read(&line.expect("the line can be read")).expect("the problem can be read");
        let Some(expected) = problem.positions else {
            continue;
        };
        match size(&problem) {
            Ok(n) if n == expected as f64 => agree += 1,
            found => differ.push(format!("{}: {found:?}, not {expected}", problem.id)),
        }
    }
    println!(
        "figure: problems with the expected size {agree}\nfigure: problems with another size {}",
        differ.len()
    );
    println!("{}", differ.join("\n"));
    assert!(differ.is_empty());
}
