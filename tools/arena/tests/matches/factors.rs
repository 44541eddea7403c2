//! Tests of many changes of weights in the same games.

use std::{
    fs,
    path::PathBuf,
    sync::atomic::{AtomicBool, Ordering},
};

use arena::{ArenaTask, Args, FactorGains, FactorTest, FitError, ResultsError, RunError};
use bots::Weights;
use clap::Parser;
use rules::rulesets::WILD16;

use crate::common::{directory, run_from, scored_games, scores};

/// Position with few men, so that games are short and decided.
pub const FEW_MEN: &str = "3qk3/pppp4/8/8/8/8/4PPPP/3QK3 w - - 0 1";

/// Returns a test of eight games with this file of changes.
fn test(changes: &str, out: PathBuf, threads: usize) -> FactorTest {
    let file = out.with_extension("changes");
    fs::write(&file, format!("kriegspiel-factors 1\n{changes}\n")).unwrap();
    let words = [
        "arena",
        "factors",
        "--rules=wild16",
        "--nodes=20",
        "--out=x",
    ];
    let words = words.into_iter().chain([file.to_str().unwrap()]);
    let Some(ArenaTask::Factors(args)) = Cli::parse_from(words).args.task else {
        panic!("the command line has the task factors");
    };
    let mut test = args.test(&WILD16).unwrap();
    test.games = scored_games(8, out, threads);
    test.games.opening = run_from(&WILD16, Some(FEW_MEN)).opening;
    test.games.random_moves = 2;
    test
}

/// Plays the games of a test. Returns the gains and the text of the result.
fn gains(test: &FactorTest) -> (FactorGains, String) {
    let gains = test.test(&AtomicBool::new(false), |_| {}).unwrap();
    let text = fs::read_to_string(&test.games.out).unwrap();
    (gains.unwrap(), text)
}

/// Returns the gain of each factor and its standard error, in points of 100 games.
fn points(gains: &FactorGains) -> Vec<(f64, f64)> {
    let factors = gains.factors.iter().map(|factor| &factor.gain);
    factors
        .map(|gain| (gain.points, gain.standard_error))
        .collect()
}

/// Returns the lines of the stored scores, sorted.
fn sorted_scores(test: &FactorTest) -> Vec<String> {
    let text = fs::read_to_string(scores(&test.games.out)).unwrap();
    let mut lines: Vec<String> = text.lines().map(ToOwned::to_owned).collect();
    lines.sort();
    lines
}

const TWO_FACTORS: &str = "a pawn*2 rook*0.5\nb queen=0.1";

#[test]
fn gains_depend_neither_on_threads_nor_on_interruptions() {
    let folder = directory("factors");
    let one = test(TWO_FACTORS, folder.join("one.txt"), 1);
    let (whole, text) = gains(&one);
    assert_eq!((whole.games, whole.resumed), (8, 0));
    let made = "kriegspiel arena factors: 8 games, wild16, 20 nodes, seed 3, against itself\n";
    assert!(text.starts_with(made), "{text}");
    assert!(text.ends_with("  b queen=0.1\n"), "{text}");
    assert_ne!(points(&whole)[0], points(&whole)[1]);

    let two = test(TWO_FACTORS, folder.join("two.txt"), 2);
    assert_eq!(gains(&two).1, text);
    assert_eq!(sorted_scores(&one), sorted_scores(&two));

    // This test is interrupted after the third game.
    let three = test(TWO_FACTORS, folder.join("three.txt"), 1);
    let interrupt = AtomicBool::new(false);
    let stop_at_three = |games| interrupt.store(games == 3, Ordering::Relaxed);
    assert_eq!(three.test(&interrupt, stop_at_three).unwrap(), None);
    assert!(!three.games.out.exists());
    assert_eq!(sorted_scores(&three).len(), 1 + 3);
    // Then the program was killed while it wrote the line of the fourth game.
    let file = scores(&three.games.out);
    let stored = fs::read_to_string(&file).unwrap();
    fs::write(&file, format!("{stored}{{\"game\":4,\"sc")).unwrap();
    let (continued, same) = gains(&three);
    assert_eq!((continued.resumed, same), (3, text.clone()));
    assert_eq!(sorted_scores(&one), sorted_scores(&three));
    // Nothing is left to play.
    assert_eq!(gains(&three).0.resumed, 8);
}

#[test]
fn more_games_continue_a_test_and_other_settings_do_not() {
    let folder = directory("factors-settings");
    let mut test = test(TWO_FACTORS, folder.join("gains.txt"), 2);
    let (eight, _) = gains(&test);
    test.games.count = 10;
    let (ten, _) = gains(&test);
    assert_eq!((ten.games, ten.resumed), (10, 8));
    assert_ne!(points(&eight), points(&ten));
    // Fewer games than stored scores: the other scores are not used, but they are kept.
    test.games.count = 8;
    assert_eq!(points(&gains(&test).0), points(&eight));
    assert_eq!(sorted_scores(&test).len(), 1 + 10);

    let refused = |test: &FactorTest| {
        let fault = test.test(&AtomicBool::new(false), |_| {}).unwrap_err();
        let RunError::Results(ResultsError::OtherRun { setting, .. }) = &fault else {
            panic!("{fault}");
        };
        (setting.clone(), fault.to_string())
    };
    let mut other = test.clone();
    other.games.seed = 4;
    assert_eq!(refused(&other).0, "seed");
    let mut other = test.clone();
    other.games.against = Some("random".parse().unwrap());
    assert_eq!(refused(&other).0, "against");
    let mut other = test.clone();
    other.games.weights.set("trade", 0.5).unwrap();
    assert_eq!(refused(&other).0, "weights");
    let mut other = test.clone();
    other.factors[1].values[0].1 = 0.2;
    let (_, text) = refused(&other);
    let both = "`factor 2` is `b queen=0.1` there and `b queen=0.2` here; choose another --out";
    assert!(text.ends_with(both), "{text}");
    let mut other = test.clone();
    other.factors.pop();
    let (_, text) = refused(&other);
    let both = "`factor 2` is `b queen=0.1` there and `missing` here; choose another --out";
    assert!(text.ends_with(both), "{text}");
}

/// With the factor `worse`, all men but pawns are almost worthless to `master`. The factor `same`
/// changes nothing.
#[test]
fn a_bad_factor_loses_points_and_no_change_gains_none() {
    let folder = directory("factors-worse");
    for against in [None, Some("sparring")] {
        let name = against.unwrap_or("itself");
        let changes = "same pawn*1\nworse queen=0.1 rook=0.1 bishop=0.1 knight=0.1";
        let mut test = test(changes, folder.join(name), 2);
        test.games.against = against.map(|bot| bot.parse().unwrap());
        (test.games.count, test.games.nodes) = (16, 10);
        test.games.max_plies = 150;
        let (gains, _) = gains(&test);
        let (same, worse) = (points(&gains)[0], points(&gains)[1]);
        assert!(same.0.abs() < 4.0 * same.1, "{gains}");
        assert!(worse.0 < -1.5 * worse.1, "{gains}");
        assert_eq!(gains.without_factors.is_some(), against.is_some());
    }
}

#[test]
fn equal_scores_of_all_games_give_no_gains() {
    let folder = directory("factors-equal");
    let mut test = test(TWO_FACTORS, folder.join("gains.txt"), 2);
    // Each game is stopped before a side can mate, and counts as a draw.
    test.games.max_plies = 4;
    let fault = test.test(&AtomicBool::new(false), |_| {}).unwrap_err();
    assert!(matches!(fault, RunError::Fit(FitError::Exact)), "{fault}");
    assert!(!test.games.out.exists());
}

#[test]
fn files_of_other_tasks_are_not_overwritten() {
    let folder = directory("factors-files");
    let test = test(TWO_FACTORS, folder.join("gains.txt"), 1);
    let fault = || {
        let gains = test.test(&AtomicBool::new(false), |_| {});
        gains.unwrap_err().to_string()
    };
    fs::write(&test.games.out, "letters").unwrap();
    assert!(fault().ends_with("gains.txt exists; choose another --out, or remove the file"));
    let tuning = "{\"tuning\":1}\n";
    fs::write(scores(&test.games.out), tuning).unwrap();
    let other =
        "the file does not contain scores of kriegspiel arena factors; choose another --out";
    assert!(fault().ends_with(&format!("gains.txt.games, line 1: {other}")));
    assert_eq!(fs::read_to_string(scores(&test.games.out)).unwrap(), tuning);
    assert_eq!(fs::read_to_string(&test.games.out).unwrap(), "letters");
}

#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    args: Args,
}

#[test]
fn wrong_options_of_a_test_of_factors_are_refused() {
    let folder = directory("factors-options");
    let file = folder.join("changes.txt");
    let refused = |changes: &str, options: &str| {
        fs::write(&file, format!("kriegspiel-factors 1\n{changes}\n")).unwrap();
        let words = "arena factors --rules wild16 --nodes 20 --out x.txt".split(' ');
        let words = words.chain([file.to_str().unwrap()]);
        let words = words.chain(options.split_whitespace());
        let Some(ArenaTask::Factors(args)) = Cli::parse_from(words).args.task else {
            panic!("the command line has the task factors");
        };
        args.test(&WILD16)
            .map(|_| ())
            .map_err(|fault| fault.to_string())
    };
    assert_eq!(refused("a pawn=1\nb rook=4", ""), Ok(()));
    let line = format!(
        "`{}`, line 2: `a` changes nothing: add a change",
        file.display()
    );
    let fault = refused("a", "").unwrap_err();
    assert!(fault.starts_with(&line), "{fault}");
    let few = refused("a pawn=1\nb rook=4", "--games 4").unwrap_err();
    let start = "--games: 4 games are too few for 2 factors: write at least ";
    assert!(few.starts_with(start), "{few}");
    let least = few[start.len()..].split(',').next().unwrap();
    assert_eq!(
        refused("a pawn=1\nb rook=4", &format!("--games {least}")),
        Ok(())
    );
    let fault = refused("a pawn=1", "--weights no-such-file").unwrap_err();
    assert!(
        fault.starts_with("--weights: `no-such-file` cannot be read"),
        "{fault}"
    );
    // The product is computed from the weights of the file.
    let weights = folder.join("weights.txt");
    let mut own = (*Weights::shipped()).clone();
    own.set("takes_checker", 0.5).unwrap();
    fs::write(&weights, own.to_string()).unwrap();
    assert!(refused("a takes_checker*1.5", "").is_err());
    let option = format!("--weights {}", weights.display());
    assert_eq!(refused("a takes_checker*1.5", &option), Ok(()));
}
