//! Tests of budgets, openings, faults and stored results, and of the figures of matches and round
//! robins.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod common;
#[path = "matches/factors.rs"]
mod factors;
#[path = "matches/tuning.rs"]
mod tuning;

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    time::Duration,
};

use arena::{
    Buffers, Contestant, FaultKind, Outcome, PlaySettings, RESULTS_NAME, ResultsError, Run,
    RunError, RunStatistics, Seat, SeatAnswer, Summary, merge, play_game,
};
use bots::{Bot, Budget, Player};
use common::{directory, files, run};
use rules::{
    Attempt, Heard, Reason, Reply, Try, Verdict, Winner,
    chess::Color,
    rulesets::{CINCINNATI, RAND, WILD16},
};
use views::PlayerView;
use wire::LineJson;

/// Returns a match with swapped colours.
fn match_of(first: &str, second: &str, games: u64) -> Run {
    let mut run = run(&WILD16);
    run.players = vec![first.parse().unwrap(), second.parse().unwrap()];
    run.swap = true;
    run.games = games;
    run.max_plies = 60;
    run
}

fn figures(run: &Run, outcome: &Outcome) -> RunStatistics {
    let names: Vec<String> = run.players.iter().map(ToString::to_string).collect();
    RunStatistics::new(outcome, &names)
}

#[test]
fn games_with_a_node_budget_are_reproducible() {
    for (first, second) in [("mcts", "simple"), ("level-3", "semi-random")] {
        let mut told = Vec::new();
        for threads in [1, 2] {
            let out = directory(&format!("nodes-{first}-{threads}"));
            let mut run = match_of(first, second, 4);
            run.budget = Budget::Nodes(300);
            run.random_moves = 2;
            run.threads = threads;
            run.max_plies = 40;
            run.out = Some(out.clone());
            let outcome = run.play(|_| {});
            assert!(outcome.fault.is_none());
            told.push((outcome.games, files(&out)));
        }
        assert!(told[0] == told[1]);
        assert_eq!(told[0].1.len(), 4);
    }
}

#[test]
fn more_nodes_change_the_games() {
    let played = |nodes| {
        let mut run = match_of("mcts", "simple", 2);
        run.budget = Budget::Nodes(nodes);
        run.max_plies = 30;
        run.out = Some(directory(&format!("nodes-{nodes}")));
        run.play(|_| {});
        files(run.out.as_ref().unwrap())
    };
    assert_ne!(played(100), played(600));
}

/// A seat that makes the first try of the list, and records budgets and own moves.
#[derive(Default)]
struct Listens {
    color: Option<Color>,
    budgets: Vec<Budget>,
    moves: Vec<String>,
}

impl Seat for Listens {
    fn hear(&mut self, heard: &Heard) {
        if let Heard::Reply(Reply::Verdict {
            verdict: Verdict::Moved,
            attempt: Some(attempt),
            by,
        }) = heard
        {
            self.color = Some(*by);
            self.moves.push(attempt.to_string());
        }
    }

    fn begin_turn(&mut self, budget: Budget) {
        self.budgets.push(budget);
    }

    fn answer(&mut self, _: &PlayerView, tries: &[Try]) -> SeatAnswer {
        SeatAnswer::Attempt(tries.first().map_or(Attempt::Resign, |t| Attempt::Try(*t)))
    }
}

#[test]
fn players_hear_forced_moves_and_are_not_asked_for_them() {
    let opening = run(&WILD16).opening;
    let forced: Vec<Try> = ["e2e4", "e7e5", "g1f3", "b8c6"]
        .map(|t| t.parse().unwrap())
        .to_vec();
    let settings = PlaySettings {
        max_plies: 6,
        budget: Budget::Nodes(7),
        forced: &forced,
        stop: None,
    };
    let (mut white, mut black) = (Listens::default(), Listens::default());
    let mut buffers = Buffers::default();
    let played = play_game(
        &opening,
        &settings,
        &mut white,
        &mut black,
        &mut (),
        &mut buffers,
    );
    assert_eq!(played.plies, 6);
    assert_eq!(white.moves[..2], ["e2e4", "g1f3"]);
    assert_eq!(black.moves[..2], ["e7e5", "b8c6"]);
    assert_eq!((white.moves.len(), black.moves.len()), (3, 3));
    assert_eq!(white.budgets, [Budget::Nodes(7)]);
    assert_eq!(
        (white.color, black.color),
        (Some(Color::White), Some(Color::Black))
    );
    // Forced moves are not turns of the players.
    let costs = buffers.costs();
    assert_eq!((costs.white.turns, costs.black.turns), (1, 1));
    assert!(costs.white.attempts >= 1 && costs.white.times.quantile(0.5).is_some());
}

/// Returns the first moves of a game, at most `plies`. `text` has the lines of the game.
fn moves(text: &str, plies: usize) -> Vec<String> {
    let moved = text.lines().filter(|l| l.contains(r#""answer":"moved""#));
    let attempt = |line: &str| {
        let line: LineJson = serde_json::from_str(line).unwrap();
        line.attempt
    };
    moved.take(plies).map(attempt).collect()
}

#[test]
fn both_games_of_a_pair_begin_with_the_same_random_moves() {
    let mut run = match_of("random", "simple", 8);
    run.random_moves = 3;
    run.out = Some(directory("openings"));
    run.play(|_| {});
    let openings: Vec<_> = files(run.out.as_ref().unwrap())
        .iter()
        .map(|(_, text)| moves(text, 6))
        .collect();
    for pair in openings.chunks(2) {
        assert_eq!(pair[0].len(), 6);
        assert_eq!(pair[0], pair[1]);
    }
    assert_ne!(openings[0], openings[2]);
    run.seed = 2;
    run.out = Some(directory("openings-2"));
    run.play(|_| {});
    let (_, other) = &files(run.out.as_ref().unwrap())[0];
    assert_ne!(moves(other, 6), openings[0]);
}

/// A player that panics in its third turn.
struct PanicsLater(u32);

impl Player for PanicsLater {
    fn begin_turn(&mut self, _: Budget) {
        self.0 += 1;
    }

    fn attempt(&mut self, _: &PlayerView, tries: &[Try]) -> Attempt {
        assert!(self.0 < 3, "this bot panics on purpose");
        tries.first().map_or(Attempt::Resign, |t| Attempt::Try(*t))
    }
}

/// A player that makes the same attempt again and again. The referee refuses this attempt.
struct Nonsense;

impl Player for Nonsense {
    fn attempt(&mut self, _: &PlayerView, _: &[Try]) -> Attempt {
        Attempt::Any
    }
}

static PANICS: Bot = Bot::new("panics", "panics in its third turn", |_| {
    Box::new(PanicsLater(0))
});
static PANICS_AT_ONCE: Bot = Bot::new("panics-at-once", "panics before the game", |_| {
    panic!("this bot panics on purpose")
});
static NONSENSE: Bot = Bot::new("nonsense", "asks Any? where nobody may", |_| {
    Box::new(Nonsense)
});

#[test]
fn bot_that_panics_or_is_refused_loses_only_its_game() {
    for (bot, kind) in [
        (&PANICS, FaultKind::Panicked),
        (&PANICS_AT_ONCE, FaultKind::Panicked),
        (&NONSENSE, FaultKind::Refusals),
    ] {
        let mut run = match_of("random", "random", 4);
        run.players[1] = Contestant::Bot(bot);
        run.threads = 2;
        let outcome = run.play(|_| {});
        assert!(outcome.fault.is_none());
        assert_eq!(outcome.games.len(), 4);
        for game in &outcome.games {
            let over = game.played.over.unwrap();
            assert_eq!(over.winner, Winner::from(game.first), "{game:?}");
            assert_eq!(over.reason, Reason::Abandoned);
            let fault = game.played.fault.unwrap();
            assert_eq!((fault.by, fault.kind), (game.first.other(), kind));
        }
        let figures = figures(&run, &outcome);
        assert!(figures.players[0].faults.is_empty());
        assert_eq!(figures.players[1].faults[kind.name()], [1, 2, 3, 4]);
    }
}

/// Plays a run, and returns the bytes of its results and of its games.
fn kept(run: &Run) -> (Outcome, String, Vec<(String, String)>) {
    let outcome = run.play(|_| {});
    assert!(outcome.fault.is_none(), "{:?}", outcome.fault);
    let out = run.out.as_ref().unwrap();
    let text = fs::read_to_string(out.join(RESULTS_NAME)).unwrap();
    (outcome, text, files(out))
}

#[test]
fn a_killed_run_continues_with_the_missing_games() {
    let mut run = match_of("simple", "semi-random", 6);
    run.out = Some(directory("resume-whole"));
    let (whole, _, games) = kept(&run);

    let out = directory("resume-killed");
    run.out = Some(out.clone());
    run.games = 4;
    let (_, text, _) = kept(&run);
    // The killed process has written three results, a part of the line of the fourth result, and
    // the record of the fourth game.
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let cut = format!("{}{}", lines[..4].concat(), &lines[4][..20]);
    fs::write(out.join(RESULTS_NAME), cut).unwrap();
    run.games = 6;
    let mut told = Vec::new();
    let outcome = run.play(|finished| told.push(finished));
    assert!(outcome.fault.is_none());
    assert_eq!(outcome.resumed, 3);
    assert_eq!(outcome.games, whole.games);
    assert_eq!(files(&out), games);
    // The costs were stored too. The times are not compared, because they differ between the runs.
    let (ours, theirs) = (figures(&run, &outcome), figures(&run, &whole));
    for (ours, theirs) in ours.players.iter().zip(&theirs.players) {
        assert_eq!(ours.turns, theirs.turns);
        assert_eq!(ours.attempts_per_turn, theirs.attempts_per_turn);
        assert_eq!(ours.results, theirs.results);
    }
    // Nothing is left to play.
    let again = run.play(|_| {});
    assert_eq!((again.resumed, again.new_attempts), (6, 0));
    assert_eq!(again.games, whole.games);
}

#[test]
fn a_run_whose_settings_line_was_cut_starts_again() {
    let path = directory("resume-first-line").join("cut.results");
    let mut run = match_of("random", "random", 2);
    run.out = Some(path.clone());
    let whole = run.play(|_| {});
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, &text[..30]).unwrap();
    let again = run.play(|_| {});
    assert_eq!((again.games, again.resumed), (whole.games, 0));
    assert!(path.is_file());
}

#[test]
fn results_of_another_run_are_refused() {
    let out = directory("mixed");
    let mut first = match_of("random", "simple", 2);
    first.out = Some(out.clone());
    kept(&first);
    let refused = |change: fn(&mut Run)| {
        let mut other = first.clone();
        change(&mut other);
        let outcome = other.play(|_| {});
        assert!(outcome.games.is_empty());
        outcome.fault.unwrap().to_string()
    };
    for (named, change) in [
        (
            "`seed` is 1 there and 2 here",
            (|r| r.seed = 2) as fn(&mut Run),
        ),
        ("`swap` is true there", |r| r.swap = false),
        ("`max_plies`", |r| r.max_plies = 70),
        ("`random_moves`", |r| r.random_moves = 1),
        ("`budget`", |r| r.budget = Budget::Nodes(5)),
        ("`players`", |r| r.players.swap(0, 1)),
        ("`shard`", |r| r.shard = "1/2".parse().unwrap()),
        ("`start`", |r| r.opening = run(&CINCINNATI).opening),
    ] {
        let fault = refused(change);
        assert!(fault.contains(named), "{fault}");
        assert!(fault.contains("choose another --out"), "{fault}");
        assert!(!fault.contains('\n'));
    }
    // Without the file of the results, the directory has only games.
    fs::remove_file(out.join(RESULTS_NAME)).unwrap();
    let outcome = first.play(|_| {});
    let other = ResultsError::OtherGames { path: out };
    assert_eq!(outcome.fault.unwrap().to_string(), other.to_string());
    // A file that does not contain results is not changed.
    let path = directory("mixed-file").join("notes.results");
    fs::write(&path, "my notes\n").unwrap();
    first.out = Some(path.clone());
    let fault = first.play(|_| {}).fault.unwrap();
    assert!(matches!(
        fault,
        RunError::Results(ResultsError::Line { line: 1, .. })
    ));
    assert_eq!(fs::read_to_string(&path).unwrap(), "my notes\n");
}

#[test]
fn a_file_in_use_by_another_run_is_refused() {
    let path = directory("in-use").join("run.results");
    let mut run = match_of("random", "random", 2);
    run.out = Some(path.clone());
    fs::write(&path, "").unwrap();
    let other = fs::File::open(&path).unwrap();
    other.lock().unwrap();
    let fault = run.play(|_| {}).fault.unwrap().to_string();
    assert!(fault.contains("is in use by another run"), "{fault}");
    drop(other);
    assert_eq!(run.play(|_| {}).games.len(), 2);
}

#[test]
fn merged_shards_give_the_figures_of_the_whole_run() {
    let mut run = run(&RAND);
    run.players = ["random", "simple", "semi-random"]
        .map(|name| name.parse().unwrap())
        .to_vec();
    run.swap = true;
    run.games = 6;
    run.max_plies = 80;
    let whole = run.play(|_| {});
    assert_eq!(whole.games.len(), 18);
    let directory = directory("shards");
    let mut paths: Vec<PathBuf> = Vec::new();
    for part in 1..=4 {
        // Part 1 gives `--out` as a directory, the other parts as a file.
        let name = if part == 1 {
            "one".to_owned()
        } else {
            format!("{part}.results")
        };
        let path = directory.join(name);
        run.shard = format!("{part}/4").parse().unwrap();
        run.out = Some(path.clone());
        assert!(run.play(|_| {}).fault.is_none());
        paths.push(path);
    }
    let merged = merge(&paths, None).unwrap();
    assert_eq!(merged.outcome.games, whole.games);
    assert_eq!((merged.rules.as_str(), merged.seed), ("rand", 1));
    let ours = RunStatistics::new(&merged.outcome, &merged.names);
    let theirs = figures(&run, &whole);
    assert_eq!(ours.pairs, theirs.pairs);
    assert_eq!(ours.draw_reasons, theirs.draw_reasons);
    for (ours, theirs) in ours.players.iter().zip(&theirs.players) {
        assert_eq!((&ours.player, ours.turns), (&theirs.player, theirs.turns));
        assert_eq!(ours.rating, theirs.rating);
        assert!(ours.rating.is_some());
    }

    let error = |paths: &[&Path]| {
        let paths: Vec<PathBuf> = paths.iter().map(|path| path.to_path_buf()).collect();
        merge(&paths, None).unwrap_err().to_string()
    };
    assert!(error(&[&paths[1], &paths[1]]).contains("give each part of the run once"));
    assert!(error(&[&directory.join("none.results")]).contains("cannot be read"));
    run.seed = 9;
    run.out = Some(directory.join("other.results"));
    run.play(|_| {});
    let other = directory.join("other.results");
    let said = error(&[&paths[1], &other]);
    assert!(said.contains("different runs: `seed` is 1 and 9"), "{said}");
    // The error names the line of the second result of a game.
    let text = fs::read_to_string(&other).unwrap();
    let first = text.lines().nth(1).unwrap();
    fs::write(&other, format!("{text}{first}\n")).unwrap();
    let line = text.lines().count() + 1;
    let said = error(&[&other]);
    let place = format!("other.results, line {line}: game ");
    assert!(
        said.contains(&place) && said.contains("occurs twice"),
        "{said}"
    );
}

#[test]
fn a_round_robin_counts_every_pair_of_players() {
    let mut run = run(&WILD16);
    run.players = ["random", "semi-random", "simple"]
        .map(|name| name.parse().unwrap())
        .to_vec();
    run.swap = true;
    run.games = 4;
    run.max_plies = 100;
    run.random_moves = 1;
    let outcome = run.play(|_| {});
    assert_eq!(outcome.games.len(), 12);
    let figures = figures(&run, &outcome);
    let pairs: Vec<_> = figures
        .pairs
        .iter()
        .map(|pair| {
            (
                pair.first.as_str(),
                pair.second.as_str(),
                pair.results.games,
            )
        })
        .collect();
    assert_eq!(
        pairs,
        [
            ("random", "semi-random", 4),
            ("random", "simple", 4),
            ("semi-random", "simple", 4)
        ]
    );
    let points = |r: &arena::Results| r.won as f64 + (r.drawn + r.unfinished) as f64 / 2.0;
    let all: f64 = figures.players.iter().map(|p| points(&p.results)).sum();
    assert!((all - 12.0).abs() < 1e-9);
    for player in &figures.players {
        assert_eq!((player.results.games, player.results.units), (8, 4));
        let score = player.results.score.unwrap();
        assert!((score.estimate - points(&player.results) / 8.0).abs() < 1e-9);
    }
    let mean: f64 = figures
        .players
        .iter()
        .map(|p| p.rating.unwrap().estimate)
        .sum();
    assert!(mean.abs() < 1e-6, "{mean}");
}

#[test]
fn sprt_decision_ends_the_match() {
    let mut run = match_of("sparring", "random", 400);
    run.max_plies = 400;
    run.players[0] = "simple".parse().unwrap();
    run.players[1] = Contestant::Bot(&PANICS);
    run.sprt = Some("0.5,0.9".parse().unwrap());
    let mut ended = Vec::new();
    for threads in [1, 3] {
        run.threads = threads;
        let outcome = run.play(|_| {});
        let figures = figures(&run, &outcome);
        let sprt = figures.sprt.unwrap();
        assert_eq!(sprt.decision, Some(0.9));
        assert!(sprt.llr >= sprt.bound && outcome.games.len() < 40);
        ended.push(outcome.games);
    }
    assert_eq!(ended[0], ended[1]);
}

/// A player that makes two attempts in each turn, and waits 2 ms before each of them.
struct Slow(Arc<Mutex<Vec<Budget>>>);

impl Player for Slow {
    fn begin_turn(&mut self, budget: Budget) {
        self.0.lock().unwrap().push(budget);
    }

    fn attempt(&mut self, view: &PlayerView, tries: &[Try]) -> Attempt {
        let begun = std::time::Instant::now();
        while begun.elapsed() < Duration::from_millis(2) {
            std::hint::spin_loop();
        }
        // The referee refuses the first attempt of a turn.
        let first = view.turn().refused_tries.is_empty();
        let t = if first { tries.last() } else { tries.first() };
        t.map_or(Attempt::Resign, |t| Attempt::Try(*t))
    }
}

#[test]
fn turn_over_its_time_budget_is_counted_but_not_stopped() {
    let opening = run(&WILD16).opening;
    let budgets = Arc::new(Mutex::new(Vec::new()));
    let time = |millis| {
        let settings = PlaySettings {
            max_plies: 8,
            budget: Budget::Time(Duration::from_millis(millis)),
            forced: &[],
            stop: None,
        };
        let mut buffers = Buffers::default();
        let played = play_game(
            &opening,
            &settings,
            &mut Slow(budgets.clone()),
            &mut Listens::default(),
            &mut (),
            &mut buffers,
        );
        assert_eq!(played.plies, 8);
        buffers.costs().white.clone()
    };
    let slow = time(1);
    assert_eq!((slow.turns, slow.overruns), (4, 4));
    assert!(slow.longest >= Duration::from_millis(2));
    assert!(slow.times.quantile(0.5) >= Some(Duration::from_millis(2)));
    assert_eq!(time(3_600_000).overruns, 0);
    assert_eq!(
        budgets.lock().unwrap()[0],
        Budget::Time(Duration::from_millis(1))
    );
}

#[test]
fn json_begins_with_the_keys_of_the_summary() {
    let run = match_of("random", "simple", 4);
    let outcome = run.play(|_| {});
    let figures = figures(&run, &outcome);
    let old = serde_json::to_string(&Summary::from(&outcome)).unwrap();
    let new = serde_json::to_string(&figures).unwrap();
    let same = old.strip_suffix('}').unwrap();
    assert!(new.starts_with(same), "{new}");
    let value: serde_json::Value = serde_json::from_str(&new).unwrap();
    let keys: Vec<&str> = value
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    for key in [
        "draw_reasons",
        "pairs",
        "players",
        "sprt",
        "peak_memory",
        "resumed",
    ] {
        assert!(keys.contains(&key), "{keys:?}");
    }
    for key in ["won", "score", "elo", "units", "games"] {
        assert!(value["pairs"][0][key] != serde_json::Value::Null, "{key}");
    }
    for key in [
        "attempts_per_turn",
        "p50_ms",
        "p99_ms",
        "longest_ms",
        "overruns",
        "faults",
    ] {
        assert!(value["players"][1][key] != serde_json::Value::Null, "{key}");
    }
}
