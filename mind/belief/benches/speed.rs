//! Measures the time that the update of a belief takes. Run with `cargo bench
//! -p kriegspiel-belief`.
//!
//! The belief is White's under `wild16`, after moves without captures. It is updated with one
//! unseen move of Black. The bench measures four things: the computation of the moves alone, the
//! whole update on one thread, the whole update on two threads, and the update with the fitted
//! model. The bench prints both wall time and processor time. On a busy machine, only the processor
//! time is meaningful.

use std::{hint::black_box, time::Instant};

use belief::{Belief, Model, Origin, Report, Settings, Watch};
use rules::{
    Announcement, Heard, Reply, Start, Tries, Try, Verdict,
    chess::{Board, Color},
    rulesets::WILD16,
};
use rustix::time::{ClockId, clock_gettime};

/// White's moves. They capture nothing, and Black can answer each of them with a move that captures
/// nothing.
const MOVES: [&str; 6] = ["g1f3", "b1c3", "a2a3", "h2h3", "g2g3", "f1g2"];
/// Number of measurements of each figure. The smallest result is printed.
const ROUNDS: usize = 5;

/// Returns what White hears about a move of White that captures nothing.
fn own(text: &str) -> [Heard; 3] {
    let t: Try = text.parse().expect("the text is a try");
    [
        Heard::own_verdict(Verdict::Moved, Color::White, t),
        Announcement::Tries(Tries::Count(0)).into(),
        turn(Color::Black),
    ]
}

/// Returns what White hears about a move of Black that captures nothing.
fn theirs() -> [Heard; 3] {
    let moved = Reply::Verdict {
        verdict: Verdict::Moved,
        by: Color::Black,
        attempt: None,
    };
    [
        moved.into(),
        Announcement::Tries(Tries::Count(0)).into(),
        turn(Color::White),
    ]
}

fn turn(to_move: Color) -> Heard {
    Announcement::Turn { to_move }.into()
}

/// Returns a belief after `moves` moves of each side and one more move of White. Black is to move.
fn quiet(moves: usize, settings: Settings) -> Belief {
    let own_men = rules::Own::of(
        &Board::new(),
        Color::White,
        rules::Wings::BOTH,
        rules::Reserve::EMPTY,
    );
    let start = Start {
        rules: "wild16".into(),
        own: Some(own_men),
        reserves: Default::default(),
    };
    let choices = WILD16.choices;
    let mut belief = Belief::open(choices, Color::White, &start, &Origin::Usual, settings)
        .expect("the usual start position is valid");
    let mut hear = |all: &[Heard]| {
        for one in all {
            belief
                .hear(one, &Watch::default())
                .expect("this game is possible");
        }
    };
    hear(&[
        Announcement::Tries(Tries::Count(0)).into(),
        turn(Color::White),
    ]);
    for text in &MOVES[..moves] {
        hear(&own(text));
        hear(&theirs());
    }
    hear(&own(MOVES[moves]));
    belief
}

/// Returns the least wall time and the least processor time of `work`, in
/// seconds.
fn timed<T>(mut prepare: impl FnMut() -> T, mut work: impl FnMut(T)) -> (f64, f64) {
    let cpu = || {
        let now = clock_gettime(ClockId::ProcessCPUTime);
        now.tv_sec as f64 + now.tv_nsec as f64 * 1e-9
    };
    let mut least = (f64::INFINITY, f64::INFINITY);
    for _ in 0..ROUNDS {
        let prepared = prepare();
        let (began, began_cpu) = (Instant::now(), cpu());
        work(prepared);
        least.0 = least.0.min(began.elapsed().as_secs_f64());
        least.1 = least.1.min(cpu() - began_cpu);
    }
    least
}

fn line(name: &str, replies: u64, (wall, cpu): (f64, f64)) {
    println!(
        "| {name} | {:.1} | {:.1} | {:.1} |",
        wall * 1e3,
        cpu * 1e3,
        replies as f64 / cpu * 1e-6
    );
}

/// Updates the belief with a move of the opponent.
fn update(mut belief: Belief) {
    for one in theirs() {
        belief
            .hear(&one, &Watch::default())
            .expect("this game is possible");
    }
    black_box(belief.kept());
}

fn measure(moves: usize) {
    let settings = |threads, model| Settings {
        limit: 12_000_000,
        threads,
        model,
        ..Settings::default()
    };
    let before = quiet(moves, settings(1, Model::Uniform));
    let mut replies = 0;
    before.each_position(|situation, _| {
        replies += situation.legal_tries(before.law()).len() as u64;
    });
    let mut after = before.clone();
    for one in theirs() {
        after
            .hear(&one, &Watch::default())
            .expect("this game is possible");
    }
    println!(
        "\n{} positions, {replies} replies, {} positions after in {:.1} MB\n",
        before.kept(),
        after.kept(),
        after.bytes() as f64 * 1e-6,
    );
    println!("| part | wall ms | processor ms | million replies per second of processor time |");
    println!("| --- | ---: | ---: | ---: |");
    let quiet_report = Report {
        tries: Tries::Count(0),
        ..Report::default()
    };
    let expand = timed(
        || (),
        |()| {
            black_box(before.replies(&quiet_report));
        },
    );
    line("expand, announce and pack", replies, expand);
    for threads in [1, 2] {
        let belief = quiet(moves, settings(threads, Model::Uniform));
        let plural = if threads == 1 { "" } else { "s" };
        let name = format!("the update, {threads} thread{plural}");
        line(&name, replies, timed(|| belief.clone(), update));
    }
    let fitted = quiet(moves, settings(1, Model::fitted()));
    line(
        "the update with the fitted model, 1 thread",
        replies,
        timed(|| fitted.clone(), update),
    );
}

fn main() {
    // `cargo test --benches` also runs this program. Then nothing is measured.
    if !std::env::args().any(|arg| arg == "--bench") {
        return;
    }
    for moves in [3, 4, 5] {
        measure(moves);
    }
}
