//! Tests of players with other weights, and of the tuning of weights.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicBool},
};

use arena::{
    ArenaTask, Args, Contestant, ResultsError, Run, RunError, TunedWeight, Tuning, WeightedMaster,
};
use bots::{Budget, Weights};
use clap::Parser;
use rules::rulesets::WILD16;

use crate::{
    common::{directory, files, run_from, scored_games, scores},
    factors::FEW_MEN,
    match_of,
};

/// Returns a tuning of four games with few men.
fn tuning(out: PathBuf, threads: usize) -> Tuning {
    let mut games = scored_games(4, out, threads);
    games.opening = run_from(&WILD16, Some(FEW_MEN)).opening;
    Tuning {
        games,
        names: vec!["pawn".to_owned(), "queen".to_owned()],
        step: 0.1,
        rate: 0.5,
    }
}

/// Plays the games of a tuning. Returns the text of the new weights, and the number of games that
/// were stored before. The weights must have moved exactly if plus and minus had different scores
/// in at least one pair.
fn tune(tuning: &Tuning) -> (String, u64) {
    let tuned = tuning.tune(&AtomicBool::new(false), |_| {}).unwrap();
    let (text, tuned) = (
        fs::read_to_string(&tuning.games.out).unwrap(),
        tuned.unwrap(),
    );
    let moved = |weight: &TunedWeight| weight.start != weight.end;
    assert_eq!(tuned.weights.iter().any(moved), tuned.decided > 0);
    (text, tuned.resumed)
}

#[test]
fn tuned_weights_depend_neither_on_threads_nor_on_interruptions() {
    let folder = directory("tuning");
    let one = tuning(folder.join("one.txt"), 1);
    let (weights, resumed) = tune(&one);
    assert_eq!(resumed, 0);
    let made = "# kriegspiel arena tune: 4 games, wild16, 20 nodes, seed 3";
    assert_eq!(weights.lines().nth(1), Some(made));
    let parsed: Weights = weights.parse().unwrap();
    assert_eq!(parsed.get("rook"), Weights::shipped().get("rook"));

    let two = tuning(folder.join("two.txt"), 2);
    assert_eq!(tune(&two), (weights.clone(), 0));
    let lines = |tuning: &Tuning| {
        let text = fs::read_to_string(scores(&tuning.games.out)).unwrap();
        let mut lines: Vec<String> = text.lines().map(ToOwned::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(lines(&one), lines(&two));

    // The run was killed while it wrote the line of the fourth game.
    let text = fs::read_to_string(scores(&one.games.out)).unwrap();
    fs::write(scores(&one.games.out), &text[..text.len() - 5]).unwrap();
    fs::remove_file(&one.games.out).unwrap();
    assert_eq!(tune(&one), (weights.clone(), 3));
    // Nothing is left to play.
    assert_eq!(tune(&one), (weights, 4));

    let mut other = one.clone();
    other.games.seed = 4;
    let fault = other.tune(&AtomicBool::new(false), |_| {}).unwrap_err();
    assert!(
        matches!(&fault, RunError::Results(ResultsError::OtherRun { setting, .. }) if setting == "seed"),
        "{fault}"
    );
}

/// In each pair of games against `random`, `master` plays with two sets of weights: with the *plus*
/// point in the first game, with the *minus* point in the second game.
#[test]
fn weights_stay_if_plus_and_minus_point_score_equally() {
    let mut tuning = tuning(directory("tuning-against").join("new.txt"), 2);
    tuning.games.against = Some("random".parse().unwrap());
    let tuned = tuning
        .tune(&AtomicBool::new(false), |_| {})
        .unwrap()
        .unwrap();
    assert_eq!((tuned.pairs, tuned.decided), (2, 0));
    assert!(
        tuned
            .weights
            .iter()
            .all(|weight| weight.start == weight.end)
    );
    // `master` wins every game. The file has the score for the plus point. So a win of the minus
    // point, in the second game of a pair, has the opposite sign.
    let text = fs::read_to_string(scores(&tuning.games.out)).unwrap();
    let mut lines: Vec<&str> = text.lines().skip(1).collect();
    lines.sort_unstable();
    let line = |game: u64, score: f64| format!(r#"{{"game":{game},"score":{score:?}}}"#);
    assert_eq!(
        lines,
        [line(1, 0.5), line(2, -0.5), line(3, 0.5), line(4, -0.5)]
    );
}

#[test]
fn files_of_other_kinds_are_not_overwritten() {
    let folder = directory("tuning-files");
    let tuning = tuning(folder.join("new.txt"), 1);
    let fault = || {
        let tuned = tuning.tune(&AtomicBool::new(false), |_| {});
        tuned.unwrap_err().to_string()
    };
    fs::write(&tuning.games.out, "letters").unwrap();
    assert!(fault().ends_with("new.txt exists; choose another --out, or remove the file"));
    fs::write(scores(&tuning.games.out), "letters").unwrap();
    let other = "the file does not contain scores of kriegspiel arena tune; choose another --out";
    assert!(fault().ends_with(&format!("new.txt.games, line 1: {other}")));
    assert_eq!(
        fs::read_to_string(scores(&tuning.games.out)).unwrap(),
        "letters"
    );
    assert_eq!(fs::read_to_string(&tuning.games.out).unwrap(), "letters");
}

#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    args: Args,
}

/// Returns the error of the command line `tune WORDS`.
fn refused(words: &str) -> String {
    let words = format!("arena tune --rules wild16 --nodes 20 --out x.txt {words}");
    let args = match Cli::try_parse_from(words.split(' ')) {
        Ok(cli) => cli.args,
        Err(fault) => return fault.to_string(),
    };
    let Some(ArenaTask::Tune(args)) = args.task else {
        panic!("the command line has the task tune");
    };
    args.tuning(&WILD16).unwrap_err().to_string()
}

#[test]
fn wrong_options_of_a_tuning_are_refused() {
    let even = "--games: write an even number, because games are played in pairs";
    assert_eq!(refused("--games 5"), even);
    assert!(refused("--names rook,rok").starts_with("--names: there is no weight `rok`; "));
    assert_eq!(refused("--names pawn,pawn"), "--names: `pawn` occurs twice");
    assert!(refused("--weights no-such-file").starts_with("--weights: `no-such-file` cannot"));
    for share in ["0", "-1", "11", "x", "NaN"] {
        let fault = refused(&format!("--step={share}"));
        assert!(
            fault.contains("write a number above 0 and at most 10"),
            "{fault}"
        );
    }
}

/// Returns the attempts of a short game of two players, and the run.
fn game(first: Contestant, name: &str) -> (Run, Vec<(String, String)>) {
    let mut run = match_of("master", "sparring", 1);
    run.players[0] = first;
    (run.budget, run.max_plies) = (Budget::Nodes(60), 40);
    let out = directory(name);
    run.out = Some(out.clone());
    assert!(run.play(|_| {}).fault.is_none());
    let mut games = files(&out);
    for (_, text) in &mut games {
        // The first line names the players.
        text.drain(..=text.find('\n').unwrap());
    }
    (run, games)
}

#[test]
fn master_with_a_file_of_weights_plays_by_these_weights() {
    let (_, usual) = game("master".parse().unwrap(), "weights-usual");
    let file = directory("weights-file").join("weights.txt");
    let mut weights = (*Weights::shipped()).clone();
    fs::write(&file, weights.to_string()).unwrap();
    let player = || -> Contestant { format!("master@{}", file.display()).parse().unwrap() };
    assert_eq!(game(player(), "weights-same").1, usual);

    for (name, value) in [("queen", 0.1), ("pawn", 20.0)] {
        weights.set(name, value).unwrap();
    }
    fs::write(&file, format!("{weights}# a comment\n")).unwrap();
    let (mut run, others) = game(player(), "weights-other");
    assert_ne!(others, usual);

    // The results of a run name the weights, so a run is not continued with other weights.
    run.players[0] = Contestant::Weighted(WeightedMaster {
        name: file.display().to_string(),
        weights: Arc::new((*Weights::shipped()).clone()),
    });
    let fault = run.play(|_| {}).fault.unwrap().to_string();
    assert!(
        fault.contains("has games of another run: `players`"),
        "{fault}"
    );
    let (line, last) = (
        fault_of(&format!("{weights}rook 5\n"), &file),
        Weights::NAMES.len() + 2,
    );
    assert!(
        line.contains(&format!("line {last}: `rook` has a value already")),
        "{line}"
    );
}

/// Returns the error of a player whose file of weights has this text.
fn fault_of(text: &str, file: &Path) -> String {
    fs::write(file, text).unwrap();
    let player = format!("master@{}", file.display()).parse::<Contestant>();
    player.unwrap_err().to_string()
}
