//! Checks along games of self-play that the true position is in every belief.

use std::{
    ops::AddAssign,
    sync::atomic::{AtomicU64, Ordering},
    thread,
};

use belief::{Belief, Model, Origin, Overflow, Regime, Settings, Situation};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use referee::{Event, Game, Opened, StartPosition};
use rules::{Attempt, Calls, Listener, ReserveUse, Ruleset, Try, chess::Color, rulesets};
use testkit::self_play::Play;

/// Maximum number of plies of one game.
const MAX_PLIES: u64 = 120;
/// Number of plies between two lines of progress.
const PROGRESS: u64 = 500_000;

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name)
        .ok()
        .map_or(otherwise, |n| n.parse().expect("the variable is a number"))
}

/// Numbers of games and of plies, and numbers of beliefs by regime. The beliefs are counted after
/// every ply.
#[derive(Clone, Default)]
struct Counts {
    games: u64,
    /// Games that begin at a position of another game.
    later_starts: u64,
    plies_by_play: [u64; 3],
    plies_by_ruleset: [u64; 16],
    exact: u64,
    superset: u64,
    /// Number of beliefs that kept only the envelope, as the settings demand.
    envelope: u64,
    sampled: u64,
    /// Number of beliefs whose sample was empty, although the settings asked for a sample.
    empty_samples: u64,
}

impl AddAssign<&Counts> for Counts {
    fn add_assign(&mut self, other: &Counts) {
        self.games += other.games;
        self.later_starts += other.later_starts;
        for (sum, one) in self.plies_by_play.iter_mut().zip(other.plies_by_play) {
            *sum += one;
        }
        for (sum, one) in self.plies_by_ruleset.iter_mut().zip(other.plies_by_ruleset) {
            *sum += one;
        }
        self.exact += other.exact;
        self.superset += other.superset;
        self.envelope += other.envelope;
        self.sampled += other.sampled;
        self.empty_samples += other.empty_samples;
    }
}

impl Counts {
    fn plies(&self) -> u64 {
        self.plies_by_play.iter().sum()
    }

    fn add(&mut self, belief: &Belief, overflow: Overflow) {
        *match (belief.regime(), overflow) {
            (Regime::Exact, _) => &mut self.exact,
            (Regime::Superset, _) => &mut self.superset,
            (Regime::Sampled, _) => &mut self.sampled,
            (Regime::EnvelopeOnly, Overflow::Envelope) => &mut self.envelope,
            (Regime::EnvelopeOnly, Overflow::Sample) => &mut self.empty_samples,
        } += 1;
    }

    /// Prints the counts. No count of misses is printed, because the first miss ends the run.
    fn print(&self, limit: &str) {
        let print = |what: &str, number: u64| println!("figure: {limit}: {what} {number}");
        print("plies", self.plies());
        print("games", self.games);
        print(
            "games that start from a position of another game",
            self.later_starts,
        );
        print("exact beliefs with the truth", self.exact);
        print("supersets with the truth", self.superset);
        print("envelopes alone, with the truth", self.envelope);
        print(
            "envelopes beside a sample, with the truth",
            self.sampled + self.empty_samples,
        );
        print("samples that have become empty", self.empty_samples);
        for (play, plies) in Play::ALL.iter().zip(self.plies_by_play) {
            print(
                &format!("plies of {} self-play", format!("{play:?}").to_lowercase()),
                plies,
            );
        }
        for (ruleset, plies) in rulesets::ALL.iter().zip(self.plies_by_ruleset) {
            print(&format!("plies under {}", ruleset.id), plies);
        }
    }
}

/// Returns the true position in the form in which the seat's belief keeps positions.
fn truth(game: &Game, seat: Color) -> Situation {
    let sheet = game.sheet();
    Situation {
        position: *sheet.position(),
        seat,
        quiet: 0,
        drops: game.choices().reserve == ReserveUse::Drops,
    }
}

/// Returns how a belief excludes the true position, or `None` if it does not.
fn miss(belief: &Belief, game: &Game) -> Option<&'static str> {
    let truth = truth(game, belief.known().seat());
    if !belief.envelope().admits(&truth.men()) {
        Some("is outside the envelope")
    } else if !belief.certain().admits(&truth.men()) {
        Some("contradicts what is certain")
    } else if belief.is_complete() && !belief.contains(&truth) {
        Some("is not in the belief")
    } else {
        None
    }
}

/// Panics if a belief excludes the true position.
fn check(belief: &Belief, game: &Game, number: u64) {
    if let Some(fault) = miss(belief, game) {
        panic!(
            "game {number}, {}: {} {fault} of {}; KRIEGSPIEL_BELIEF_FROM={number} begins with this game",
            game.rules(),
            game.sheet().fen(),
            belief.known().seat(),
        );
    }
}

/// Returns the position after some plies of a game, if the game is not over then.
fn later_start(ruleset: &Ruleset, play: Play, rng: &mut ChaCha8Rng) -> Option<StartPosition> {
    let mut game = Game::from(ruleset);
    for _ in 0..rng.random_range(1..=MAX_PLIES) {
        let attempt = play.choose(&game, rng)?;
        let ruling = game.judge(game.to_move()?, attempt.into()).ok()?;
        game.apply(&ruling.event);
    }
    game.to_move()?;
    StartPosition::from_fen(&game.sheet().fen(), game.choices()).ok()
}

/// Opens a game. Half of the games begin at a position of another game, which both players know.
/// Such a start makes beliefs small even late in the game, when beliefs are usually large.
fn open(number: u64, ruleset: &Ruleset, play: Play, rng: &mut ChaCha8Rng) -> (Game, Origin) {
    let later = (number / 48 % 2 == 1).then(|| later_start(ruleset, play, rng));
    match later.flatten() {
        None => (Game::from(ruleset), Origin::Usual),
        Some(start) => {
            let fen = start.fen();
            let opened = Opened::new(ruleset, ruleset.choices, start);
            (Game::open(opened), Origin::OneOf(vec![fen]))
        }
    }
}

/// Length and settings of a run.
#[derive(Copy, Clone)]
struct Run {
    /// The run ends after this number of plies.
    plies: u64,
    /// Maximum number of positions of a belief.
    limit: usize,
    /// A game keeps a sample above the limit if the number of the game is a multiple of this
    /// number. All other games keep only the envelope above the limit. 0 means that no game keeps a
    /// sample.
    sampled: u64,
}

/// Plays one game, with a belief for each player.
fn self_play(number: u64, run: Run) -> Counts {
    let mut rng = ChaCha8Rng::seed_from_u64(0x7472_7574_6800 ^ number);
    let (row, style) = ((number % 16) as usize, (number / 16 % 3) as usize);
    let (ruleset, play) = (&rulesets::ALL[row], Play::ALL[style]);
    let keeps_sample = run.sampled > 0 && number.is_multiple_of(run.sampled);
    let overflow = if keeps_sample {
        Overflow::Sample
    } else {
        Overflow::Envelope
    };
    let settings = Settings {
        limit: run.limit,
        // The possible positions do not depend on the model, so the games use different models.
        model: if number % 3 == 2 {
            Model::fitted()
        } else {
            Model::Uniform
        },
        overflow,
        ..Settings::default()
    };
    let (mut game, origin) = open(number, ruleset, play, &mut rng);
    let mut beliefs = Color::ALL.map(|seat| {
        let start = game.start(Listener::from(seat));
        Belief::open(ruleset.choices, seat, &start, &origin, settings.clone())
            .expect("the belief can be opened")
    });
    let hear = |beliefs: &mut [Belief; 2], calls: &Calls| {
        for belief in beliefs {
            let listener = Listener::from(belief.known().seat());
            for call in calls.iter().filter(|call| call.audience.includes(listener)) {
                belief
                    .hear(&call.heard)
                    .unwrap_or_else(|error| panic!("game {number}, {}: {error}", ruleset.id));
            }
        }
    };
    hear(&mut beliefs, &game.opening_calls());
    let mut counts = Counts {
        games: 1,
        later_starts: u64::from(origin != Origin::Usual),
        ..Counts::default()
    };
    let most = run.plies.min(MAX_PLIES);
    while let Some(by) = game.to_move()
        && counts.plies() < most
    {
        let attempts = play.turn(&game, &mut rng);
        if attempts.is_empty() {
            break;
        }
        for attempt in attempts {
            if game.to_move() != Some(by) {
                break;
            }
            let Ok(ruling) = game.judge(by, attempt) else {
                continue;
            };
            game.apply(&ruling.event);
            hear(&mut beliefs, &ruling.calls);
            if matches!(ruling.event, Event::Moved { .. }) {
                counts.plies_by_play[style] += 1;
                counts.plies_by_ruleset[row] += 1;
                for belief in &beliefs {
                    counts.add(belief, overflow);
                    check(belief, &game, number);
                }
            }
        }
    }
    counts
}

/// Ends the run for all threads if a thread panics.
struct EndOnPanic<'a>(&'a AtomicU64);

impl Drop for EndOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.store(u64::MAX / 2, Ordering::Relaxed);
        }
    }
}

/// Plays games from number `KRIEGSPIEL_BELIEF_FROM` on, until `run.plies` plies were made. A run
/// can be split into runs with different first numbers.
fn truth_run(run: Run) -> Counts {
    let first = number("KRIEGSPIEL_BELIEF_FROM", 0);
    let (next, plies) = (AtomicU64::new(first), AtomicU64::new(0));
    let worker = || {
        let _end = EndOnPanic(&plies);
        let mut sum = Counts::default();
        while plies.load(Ordering::Relaxed) < run.plies {
            let counts = self_play(next.fetch_add(1, Ordering::Relaxed), run);
            sum += &counts;
            let before = plies.fetch_add(counts.plies(), Ordering::Relaxed);
            let after = before + counts.plies();
            if before / PROGRESS < after / PROGRESS {
                let next = next.load(Ordering::Relaxed);
                eprintln!("{after} plies without a miss; the next game is {next}");
            }
        }
        sum
    };
    let mut sum = Counts::default();
    thread::scope(|scope| {
        let workers = thread::available_parallelism().map_or(1, usize::from);
        let all: Vec<_> = (0..workers).map(|_| scope.spawn(worker)).collect();
        for one in all {
            match one.join() {
                Ok(counts) => sum += &counts,
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    sum
}

/// A belief that did not hear a move excludes the position after that move.
#[test]
fn miss_reports_a_belief_that_excludes_the_truth() {
    let mut game = Game::from(&rulesets::WILD16);
    let beliefs = Color::ALL.map(|seat| Belief::usual(rulesets::WILD16.choices, seat));
    assert_eq!([0, 1].map(|at| miss(&beliefs[at], &game)), [None, None]);
    let attempt: Attempt = "e2e4".parse::<Try>().expect("the text is a try").into();
    let ruling = game.judge(Color::White, attempt).expect("White may move");
    game.apply(&ruling.event);
    let [white, black] = [0, 1].map(|at| miss(&beliefs[at], &game));
    assert_eq!(white, Some("is not in the belief"));
    assert_eq!(black, Some("is outside the envelope"));
}

#[test]
fn the_truth_is_in_every_belief_and_envelope() {
    let limit = number("KRIEGSPIEL_BELIEF_LIMIT", 300) as usize;
    let run = Run {
        plies: number("KRIEGSPIEL_BELIEF_PLIES", 10_000),
        limit,
        sampled: number("KRIEGSPIEL_BELIEF_SAMPLED", 13),
    };
    let counts = truth_run(run);
    counts.print(&format!("limit {limit}"));
    if counts.games >= 96 {
        assert!(counts.plies_by_ruleset.iter().all(|plies| *plies > 0));
        assert!(counts.plies_by_play.iter().all(|plies| *plies > 0));
        assert!(counts.exact > 0 && counts.envelope > 0 && counts.later_starts > 0);
    }
}

#[test]
fn the_truth_is_in_every_belief_with_the_usual_limit() {
    let run = Run {
        plies: number("KRIEGSPIEL_BELIEF_FULL_PLIES", 14),
        limit: Settings::default().limit,
        sampled: number("KRIEGSPIEL_BELIEF_FULL_SAMPLED", 1),
    };
    truth_run(run).print("usual limit");
}
