//! Players that are external programs; in these tests, small shell scripts.

#![allow(clippy::unwrap_used, reason = "a test may fail")]
#![cfg(unix)]

mod common;

use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use arena::{Contestant, MAX_REFUSALS_PER_TURN, Run, RunError};
use common::{directory, files, run};
use rules::{
    Over, Reason, Winner,
    chess::Color,
    rulesets::{ENGLISH, WILD16},
};
use wire::{AnswerJson, LineJson};

/// Maximum time until a game with a program that does not answer is over.
const END_TIMEOUT: Duration = Duration::from_secs(60);

/// A script that makes the first of the tries that it receives.
const FIRST: &str = r#"
while read -r line; do
  case "$line" in
    *'"tries":[]'*) echo resign ;;
    *'"your_turn":true'*) t=${line#*'"tries":["'}; echo "${t%%\"*}" ;;
  esac
done
"#;

fn script(directory: &Path, text: &str) -> Contestant {
    let path = directory.join("player.sh");
    fs::write(&path, text).unwrap();
    format!("cmd:sh '{}'", path.display()).parse().unwrap()
}

/// Returns a run of one game in which White is a script.
fn scripted(name: &str, text: &str) -> Run {
    let directory = directory(&format!("program-{name}"));
    let mut run = run(&WILD16);
    run.games = 1;
    run.players[0] = script(&directory, text);
    run.out = Some(directory.join("out"));
    run
}

/// Ends the programs of a run, and returns the folder of the script.
fn ended(run: Run) -> PathBuf {
    let out = run.out.clone().unwrap();
    drop(run);
    out.parent().unwrap().to_owned()
}

fn over(run: &Run) -> Over {
    let outcome = run.play(|_| {});
    assert!(outcome.fault.is_none(), "{:?}", outcome.fault);
    outcome.games[0].played.over.unwrap()
}

fn lines(run: &Run) -> Vec<LineJson> {
    let (_, text) = files(run.out.as_ref().unwrap()).remove(0);
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

const ABANDONED: Over = Over {
    winner: Winner::Black,
    reason: Reason::Abandoned,
};

#[test]
fn a_program_plays_whole_games_in_either_colour() {
    let mut run = scripted("plays", FIRST);
    run.games = 4;
    run.swap = true;
    run.threads = 2;
    run.out = None;
    let first = run.play(|_| {});
    assert_eq!(first.games.len(), 4);
    for game in &first.games {
        let reason = game.played.over.unwrap().reason;
        assert!(!matches!(reason, Reason::Abandoned), "{game:?}");
    }
    run.threads = 1;
    assert_eq!(run.play(|_| {}).games, first.games);
}

#[test]
fn one_process_plays_one_game_after_another() {
    let mut run = scripted("again", &format!("echo $$ >> \"$0.started\"\n{FIRST}"));
    (run.games, run.threads, run.max_plies) = (6, 1, 10);
    assert_eq!(run.play(|_| {}).games.len(), 6);
    let directory = run.out.as_ref().unwrap().parent().unwrap();
    let started = fs::read_to_string(directory.join("player.sh.started")).unwrap();
    assert_eq!(started.lines().count(), 1, "{started}");
}

#[test]
fn a_program_is_told_what_its_seat_hears() {
    let run = scripted(
        "hears",
        r#"
while read -r line; do
  echo "$line" >> "$0.heard"
  case "$line" in
    *'"your_turn":true'*)
      n=$((n + 1))
      case $n in 1) echo e2e4 ;; 2) echo d8h4 ;; *) echo Resign ;; esac ;;
  esac
done
"#,
    );
    let mut run = run;
    run.seed = 4;
    let over = over(&run);
    assert_eq!(
        (over.winner, over.reason),
        (Winner::Black, Reason::Resignation)
    );
    let heard = fs::read_to_string(ended(run).join("player.sh.heard")).unwrap();
    let mut heard = heard.lines();
    let mut next = || heard.next().unwrap_or("nothing");
    let new = next();
    assert!(
        new.starts_with(r#"{"new_game":{"protocol":2,"game":"1","seed":"#),
        "{new}"
    );
    assert!(
        new.contains(r#","color":"white","rules":"wild16","choices":{"#),
        "{new}"
    );
    assert!(new.ends_with(r#"},"clock":null}}"#), "{new}");
    assert_eq!(
        next(),
        r#"{"game":"1","heard":[{"kind":"start","rules":"wild16","men":"8/8/8/8/8/8/PPPPPPPP/RNBQKBNR","castling":"KQ"},{"kind":"tries","count":0},{"kind":"turn","to_move":"white"}]}"#
    );
    let turn = next();
    assert!(
        turn.starts_with(r#"{"game":"1","your_turn":true,"tries":["a2a3","a2a4","b1a3","#),
        "{turn}"
    );
    assert!(turn.ends_with(r#","h2h4"]}"#), "{turn}");
    assert_eq!(
        next(),
        r#"{"game":"1","heard":[{"kind":"moved","by":"white","attempt":"e2e4"},{"kind":"tries","count":0},{"kind":"turn","to_move":"black"}]}"#
    );
    // Under `wild16`, White does not hear Black's refused tries.
    assert!(next().starts_with(r#"{"game":"1","heard":[{"kind":"moved","by":"black"},"#));
    assert!(next().starts_with(r#"{"game":"1","your_turn":true,"#));
    assert_eq!(
        next(),
        r#"{"game":"1","heard":[{"kind":"no","by":"white","attempt":"d8h4"}]}"#
    );
    assert!(next().starts_with(r#"{"game":"1","your_turn":true,"#));
    assert_eq!(
        next(),
        r#"{"game":"1","heard":[{"kind":"over","result":"0-1","reason":"resignation"}]}"#
    );
    assert_eq!(next(), r#"{"end_game":"1"}"#);
    assert_eq!(next(), "nothing");
}

#[test]
fn private_no_of_black_changes_no_byte_that_white_gets() {
    // White records its input, plays e2e4 and d2d4, and resigns.
    const WHITE: &str = r#"
while read -r line; do
  echo "$line" >> "$0.heard"
  case "$line" in
    *'"your_turn":true'*)
      n=$((n + 1))
      case $n in 1) echo e2e4 ;; 2) echo d2d4 ;; *) echo resign ;; esac ;;
  esac
done
"#;
    let input = |noes: &[&str]| {
        let name = format!("noes-{}", noes.len());
        let mut run = scripted(&name, WHITE);
        let directory = run.out.as_ref().unwrap().parent().unwrap().join("black");
        fs::create_dir(&directory).unwrap();
        let words = [noes, &["e7e5", "a7a6"]].concat().join(" ");
        run.players[1] = script(
            &directory,
            &format!(
                r#"
set -- {words}
while read -r line; do
  case "$line" in *'"your_turn":true'*) echo "$1"; shift ;; esac
done
"#
            ),
        );
        assert_eq!(over(&run).reason, Reason::Resignation);
        let answered = |wanted| lines(&run).iter().filter(|l| l.answer == wanted).count();
        assert_eq!(answered(AnswerJson::No), noes.len());
        assert_eq!(answered(AnswerJson::Moved), 4);
        fs::read(ended(run).join("player.sh.heard")).unwrap()
    };
    let none = input(&[]);
    assert!(!none.is_empty());
    assert_eq!(input(&["e7d6", "e7f6", "d7e6", "d7c6", "c7b6"]), none);
}

#[test]
fn silent_program_loses_with_the_reason_abandoned() {
    let mut run = scripted("silent", "while read -r line; do :; done\n");
    run.answer_timeout = Duration::from_millis(60);
    let begun = Instant::now();
    assert_eq!(over(&run), ABANDONED);
    assert!(begun.elapsed() < END_TIMEOUT);
    let last = lines(&run).pop().unwrap();
    assert_eq!(last.answer, AnswerJson::Gone);
    assert_eq!(last.attempt, "gone");
    assert_eq!(last.over.unwrap(), ABANDONED.into());

    // A program that does not read and does not exit counts as gone.
    let mut run = scripted("deaf", "exec sleep 1000\n");
    run.answer_timeout = Duration::from_millis(60);
    assert_eq!(over(&run), ABANDONED);
    assert!(begun.elapsed() < END_TIMEOUT);
}

#[test]
fn program_that_exits_loses_at_once_with_reason_abandoned() {
    let mut run = scripted("ends", "read -r line; read -r line; echo e2e4; exit 3\n");
    run.answer_timeout = 2 * END_TIMEOUT;
    let begun = Instant::now();
    assert_eq!(over(&run), ABANDONED);
    assert!(begun.elapsed() < END_TIMEOUT);
    assert_eq!(lines(&run)[1].attempt, "e2e4");

    // The result is the same if Black is the player who is gone.
    run.players.swap(0, 1);
    run.out = None;
    assert_eq!(over(&run).winner, Winner::White);
}

#[test]
fn program_is_asked_again_after_a_refused_or_unreadable_line() {
    let mut run = scripted(
        "refused",
        r#"
while read -r line; do
  case "$line" in
    *'"refused":'*) echo "$line" >> "$0.refused" ;;
    *'"your_turn":true'*)
      n=$((n + 1))
      case $n in 1) echo any; ;; 2) echo "what now?" ;; 3) echo; echo e2e4 ;; *) echo resign ;; esac ;;
  esac
done
"#,
    );
    run.players[1] = "random+any".parse().unwrap();
    assert_eq!(over(&run).reason, Reason::Resignation);
    let lines = lines(&run);
    let refused = fs::read_to_string(ended(run).join("player.sh.refused")).unwrap();
    let refused: Vec<&str> = refused.lines().collect();
    assert_eq!(
        refused[0],
        r#"{"game":"1","refused":"Any? cannot be asked under this ruleset"}"#
    );
    assert!(
        refused[1].starts_with(r#"{"game":"1","refused":"`what now?`"#),
        "{refused:?}"
    );
    assert_eq!(refused.len(), 2);
    assert_eq!(lines[1].answer, AnswerJson::Refused);
    assert_eq!(lines[2].answer, AnswerJson::NotUnderstood);
    assert_eq!(
        (lines[2].by, lines[2].attempt.as_str()),
        (None, "what now?")
    );
    assert_eq!(lines[3].answer, AnswerJson::Moved);
    assert_eq!(lines[3].n, 3);
}

#[test]
fn a_program_is_asked_again_a_hundred_times_and_no_more() {
    let run = scripted("babbles", "while :; do echo '\u{7f}gar\u{e4}bage'; done\n");
    assert_eq!(over(&run), ABANDONED);
    let lines = lines(&run);
    let unread = lines
        .iter()
        .filter(|l| l.answer == AnswerJson::NotUnderstood)
        .count();
    assert_eq!(unread as u32, MAX_REFUSALS_PER_TURN + 1);
}

#[test]
fn too_long_line_is_not_an_attempt() {
    let run = scripted(
        "long",
        "head -c 100000 /dev/zero | tr '\\0' x; echo; while :; do echo resign; done\n",
    );
    assert_eq!(over(&run).reason, Reason::Resignation);
    let lines = lines(&run);
    assert_eq!(lines[1].answer, AnswerJson::NotUnderstood);
    assert_eq!(lines[1].attempt.len(), 200);
    assert_eq!(lines[2].attempt, "resign");
}

#[test]
fn program_that_never_ends_its_turn_loses_as_abandoned() {
    let mut run = scripted("endless", "while :; do echo e2e5; done\n");
    run.out = None;
    run.opening = common::run(&ENGLISH).opening;
    assert_eq!(over(&run), ABANDONED);
}

#[test]
fn a_program_that_cannot_be_started_stops_the_run() {
    let mut run = run(&WILD16);
    run.players[1] = "cmd:/no/such/program -x".parse().unwrap();
    run.threads = 2;
    let outcome = run.play(|_| {});
    assert!(outcome.games.is_empty());
    let fault = outcome.fault.unwrap();
    assert!(matches!(fault, RunError::Start { .. }));
    let said = fault.to_string();
    assert!(
        said.starts_with("`cmd:/no/such/program -x` cannot be started: "),
        "{said}"
    );
    assert!(!said.contains('\n'));
}

#[test]
fn stopped_game_is_announced_as_aborted() {
    let mut run = scripted("stopped", &format!("tee -a \"$0.heard\" | ( {FIRST} )"));
    run.max_plies = 6;
    let outcome = run.play(|_| {});
    assert_eq!(outcome.games[0].played.over, None);
    assert_eq!(outcome.games[0].first, Color::White);
    let heard = fs::read_to_string(ended(run).join("player.sh.heard")).unwrap();
    assert_eq!(
        heard.lines().rev().nth(1).unwrap(),
        r#"{"game":"1","heard":[{"kind":"over","result":"*","reason":"aborted"}]}"#
    );
}
