//! Compares a sampled belief with the exact belief, which uses the same weights, and
//! with the true position.
//!
//! At first the sampled belief contains all possible positions. When they are too many, it keeps a
//! sample. From then on, the beliefs are compared at each of White's turns. Each of these turns is
//! called a moment.
//!
//! `KRIEGSPIEL_SAMPLES` is the number of moments that are compared. `KRIEGSPIEL_SAMPLE_LIMIT` is the
//! number of positions that the sample keeps. An exact belief with more positions than
//! `KRIEGSPIEL_SAMPLE_EXACT` is not computed.

use belief::{Belief, Marginals, Model, Origin, Regime, Settings, Situation, Watch};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use referee::{Event, Game};
use rules::{
    Calls, Heard, Listener,
    chess::{Color, Role, Square},
    rulesets,
};
use testkit::self_play::Play;

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name)
        .ok()
        .map_or(otherwise, |n| n.parse().expect("the variable is a number"))
}

/// Number of bins of the reliability curve. The curve compares predicted probabilities with the true
/// position.
const BINS: usize = 10;

/// Sums over the compared moments.
#[derive(Default)]
struct Tally {
    moments: u64,
    /// Each moment has a mean absolute error of the occupancy. `error` is the sum of these means,
    /// and `worst` is the largest of them.
    error: f64,
    worst: f64,
    /// Maximum number of turns in one game for which a sampled belief was used.
    longest: u64,
    /// Four values for each bin. A cell is a role and a square. The values are:
    ///
    /// - the number of cells;
    /// - the sum of their predicted probabilities;
    /// - the sum of their exact probabilities;
    /// - the number of cells that are true: a man of this role is on this square.
    bins: [(u64, f64, f64, u64); BINS],
    /// One entry for each comparison of sizes. The first number is ln(estimated size / exact
    /// size). The second is the number of turns for which a sample was used.
    factors: Vec<(f64, u64)>,
}

impl Tally {
    fn compare(&mut self, sampled: &Marginals, exact: &Marginals, truth: &Situation) {
        let off = |sq| (sampled.occupied(sq) - exact.occupied(sq)).abs();
        let error = Square::ALL.into_iter().map(off).sum::<f64>() / 64.0;
        self.moments += 1;
        self.error += error;
        self.worst = self.worst.max(error);
        let men = truth.men();
        for role in Role::ALL {
            for sq in Square::ALL {
                let predicted = sampled.of(role, sq);
                if predicted == 0.0 {
                    continue;
                }
                let bin = ((predicted * BINS as f64) as usize).min(BINS - 1);
                let (cells, sum, by_exact, was) = &mut self.bins[bin];
                *cells += 1;
                *sum += predicted;
                *by_exact += exact.of(role, sq);
                *was += u64::from(men.by_role.get(role).contains(sq));
            }
        }
    }
}

/// Plays a game of random moves. White has two beliefs, a sampled belief and an exact
/// belief.
fn play(index: u64, limit: usize, exact: usize, wanted: u64, tally: &mut Tally) {
    let mut rng = ChaCha8Rng::seed_from_u64(0x7361_6d70_6c65 ^ index);
    // The games use all rulesets in turn, also `crazykrieg`, which has a different kind
    // of belief.
    let ruleset = &rulesets::ALL[(index % 16) as usize];
    let mut game = Game::from(ruleset);
    let seat = Color::White;
    let listener = Listener::from(seat);
    let start = game.start(listener);
    let open = |limit| {
        let settings = Settings {
            limit,
            model: Model::Uniform,
            ..Settings::default()
        };
        Belief::open(ruleset.choices, seat, &start, &Origin::Usual, settings)
            .expect("the belief can be opened")
    };
    let (mut sampled, mut whole) = (open(limit), open(exact));
    let mut turns = 0;
    let heard = |calls: &Calls| -> Vec<Heard> {
        let mine = calls.iter().filter(|call| call.audience.includes(listener));
        mine.map(|call| call.heard).collect()
    };
    let mut told = heard(&game.opening_calls());
    loop {
        for one in &told {
            sampled
                .hear(one, &Watch::default())
                .expect("no belief excludes what was really heard");
            whole
                .hear(one, &Watch::default())
                .expect("no belief excludes what was really heard");
        }
        if !whole.is_complete() || tally.moments >= wanted {
            return;
        }
        let is_sampled = sampled.regime() == Regime::Sampled && sampled.kept() > 0;
        if is_sampled && whole.known().is_own_turn() {
            turns += 1;
            tally.longest = tally.longest.max(turns);
            let fen = game.sheet().fen();
            if let Ok(truth) = Situation::from_fen(game.choices(), seat, &fen) {
                tally.compare(&sampled.marginals(), &whole.marginals(), &truth);
                let sizes = (sampled.size().number(), whole.size().number());
                if let (Some(about), Some(exact)) = sizes {
                    tally.factors.push(((about / exact).ln(), turns));
                    if std::env::var_os("KRIEGSPIEL_SAMPLE_SIZES").is_some() {
                        println!(
                            "size game {index} turn {turns} {}: {about:.0} {exact} {:.2}",
                            ruleset.id,
                            about / exact
                        );
                    }
                }
            }
        }
        // Both sides choose at random among all legal moves, as the uniform
        // model assumes.
        told = Vec::new();
        for attempt in Play::Random.turn(&game, &mut rng) {
            let Some(by) = game.to_move() else { return };
            let Ok(ruling) = game.judge(by, attempt) else {
                continue;
            };
            game.apply(&ruling.event);
            told.extend(heard(&ruling.calls));
            if matches!(ruling.event, Event::Moved { .. }) {
                break;
            }
        }
        if told.is_empty() {
            return;
        }
    }
}

#[test]
fn a_sample_agrees_with_the_exact_belief() {
    let wanted = number("KRIEGSPIEL_SAMPLES", 40);
    let limit = number("KRIEGSPIEL_SAMPLE_LIMIT", 2_000) as usize;
    let exact = number("KRIEGSPIEL_SAMPLE_EXACT", 60_000) as usize;
    let mut tally = Tally::default();
    let mut index = 0;
    while tally.moments < wanted {
        play(index, limit, exact, wanted, &mut tally);
        index += 1;
    }
    let mean = tally.error / tally.moments as f64;
    println!("figure: moments compared {}", tally.moments);
    println!(
        "figure: largest number of turns with a sample in one game {}",
        tally.longest
    );
    println!(
        "figure: mean absolute error of occupancy, millionths {:.0}",
        mean * 1e6
    );
    println!("figure: worst moment, millionths {:.0}", tally.worst * 1e6);
    for (bin, (cells, predicted, exact, was)) in tally.bins.iter().enumerate() {
        let cells = (*cells).max(1) as f64;
        println!(
            "bin {}0 %: {cells} cells, predicted {:.4}, exact {:.4}, true {:.4}",
            bin,
            predicted / cells,
            exact / cells,
            *was as f64 / cells
        );
    }
    let mut off: Vec<f64> = tally.factors.iter().map(|(ln, _)| ln.abs()).collect();
    off.sort_by(f64::total_cmp);
    let quantile = |q: f64| off[((off.len() - 1) as f64 * q) as usize].exp();
    println!(
        "larger size / smaller size, of the estimate and the exact size: median {:.2}, 9 in 10 at most {:.2}, worst {:.2}",
        quantile(0.5),
        quantile(0.9),
        quantile(1.0)
    );
    for (from, to) in [(1, 1), (2, 3), (4, 7), (8, 15), (16, 1000)] {
        let among = tally
            .factors
            .iter()
            .filter(|(_, turns)| (from..=to).contains(turns));
        let all: Vec<f64> = among.map(|(ln, _)| *ln).collect();
        if !all.is_empty() {
            let mean = all.iter().sum::<f64>() / all.len() as f64;
            println!(
                "after {from} to {to} turns with a sample: {} sizes, geometric mean of estimate / exact size {:.2}",
                all.len(),
                mean.exp()
            );
        }
    }
    // With 100,000 positions, the error must be at most 0.01.
    let max_error = if limit >= 100_000 { 0.01 } else { 0.02 };
    assert!(mean <= max_error, "{mean}");
    assert!(tally.longest >= 2);
}
