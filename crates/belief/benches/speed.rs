//! How fast a belief grows: successors a second, with and without merging, and
//! the time of one update. Run with `cargo bench -p belief`.

use std::hint::black_box;

use belief::{Belief, Origin, Settings};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rules::{
    Announcement, Heard, Reply, Start, Tries, Try, Verdict,
    chess::{Board, Color},
    rulesets::WILD16,
};

/// White's quiet moves, which leave room for Black's.
const MOVES: [&str; 5] = ["g1f3", "b1c3", "a2a3", "h2h3", "g2g3"];

/// What White hears of one own move, and then of a quiet one of Black.
fn own(text: &str) -> [Heard; 3] {
    let t: Try = text.parse().expect("a try");
    [
        Heard::own_verdict(Verdict::Moved, Color::White, t),
        Announcement::Tries(Tries::Count(0)).into(),
        turn(Color::Black),
    ]
}

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

/// A belief after so many quiet moves of both sides, Black to move next.
fn quiet(moves: usize) -> Belief {
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
    let settings = Settings {
        limit: 12_000_000,
        ..Settings::default()
    };
    let choices = WILD16.choices;
    let mut belief = Belief::open(choices, Color::White, &start, &Origin::Usual, settings)
        .expect("the usual start");
    let mut hear = |all: &[Heard]| {
        for one in all {
            belief.hear(one).expect("such a game can be");
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

fn update(c: &mut Criterion) {
    let mut group = c.benchmark_group("update");
    group.sample_size(10);
    for moves in [2, 3, 4] {
        let before = quiet(moves);
        let mut replies = 0;
        before.each_position(|situation, _| {
            replies += situation.legal_tries(before.choices()).len() as u64;
        });
        let mut after = before.clone();
        for one in theirs() {
            after.hear(&one).expect("such a game can be");
        }
        println!(
            "{} positions, {replies} replies, {} positions after, {} bytes",
            before.kept(),
            after.kept(),
            after.bytes()
        );
        drop(after);
        group.throughput(Throughput::Elements(replies));
        group.bench_function(format!("{} positions", before.kept()), |b| {
            b.iter_batched(
                || before.clone(),
                |mut belief| {
                    for one in theirs() {
                        belief.hear(&one).expect("such a game can be");
                    }
                    black_box(belief.kept())
                },
                criterion::BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

criterion_group!(benches, update);
criterion_main!(benches);
