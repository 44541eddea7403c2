//! Speed of the referee compared with chess alone.
//!
//! `cargo bench -p kriegspiel-arena --bench speed` prints the speed of loops that make attempts, and the
//! ratio to the speed of chess alone. Every figure is the best of many short rounds. The loops take
//! turns in one process, so that a slow phase of the machine affects all of them.
//!
//! Two *bare* loops do only the chess, with the referee's own bitboard code: legality, the move, the
//! directions of a check, the legal pawn captures, and whether a legal move exists. One replays
//! recorded attempts. The other, called *live*, draws them from the tries imaginable from own men.

use std::{hint::black_box, time::Instant};

use arena::{Buffers, Opening, PlaySettings, play_game};
use bots::{Random, Seed};
use position::{Position, StartPosition};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use referee::{Game, Opened};
use rules::{
    Attempt, Calls, Listener, Ruleset, Try,
    chess::{Bitboard, ByColor, Color, Role},
    rulesets,
};
use views::{BothViews, PlayerView};

const MAX_PLIES: u32 = 600;

fn opening(ruleset: &Ruleset) -> Opening {
    let opened = Opened::new(ruleset, ruleset.choices, StartPosition::initial());
    Opening::new(opened, "new".to_owned())
}

fn below(rng: &mut ChaCha8Rng, n: usize) -> usize {
    ((u64::from(rng.next_u32()) * n as u64) >> 32) as usize
}

/// Lists the tries that are imaginable from the mover's own men.
fn list(position: &Position, tries: &mut Vec<Try>) {
    tries.clear();
    let own = position.own(position.turn());
    let all = own.all();
    let last = Bitboard::from_rank(own.last_rank());
    for (role, men) in own.men.zip_role() {
        for from in men {
            let targets = own.targets(role, from, all);
            if role == Role::Pawn {
                for to in targets & !last {
                    tries.push(Try::step(from, to));
                }
                for to in targets & last {
                    for man in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight] {
                        tries.push(Try::Step {
                            from,
                            to,
                            promotion: Some(man),
                        });
                    }
                }
            } else {
                for to in targets {
                    tries.push(Try::step(from, to));
                }
            }
        }
    }
}

/// Plays random games with the chess alone, without a referee; returns the number of attempts.
fn bare_live(games: u64, seed: u64) -> u64 {
    let start = *StartPosition::initial().position();
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut tries = Vec::new();
    let mut attempts = 0;
    for _ in 0..games {
        let mut position = start;
        let mut quiet = 0;
        for _ in 0..MAX_PLIES {
            list(&position, &mut tries);
            let played = loop {
                if tries.is_empty() {
                    break None;
                }
                let t = tries.swap_remove(below(&mut rng, tries.len()));
                attempts += 1;
                if position.is_legal(t) {
                    break Some(t);
                }
            };
            let Some(t) = played else { break };
            let pawn = t
                .from()
                .is_some_and(|from| position.men(Role::Pawn).contains(from));
            let captured = position.play(t, false);
            quiet = if pawn || captured.is_some() {
                0
            } else {
                quiet + 1
            };
            let (check, pawn_tries, any) = position.announcements();
            black_box((check, pawn_tries));
            if !any || quiet >= 100 || position.is_dead_material() {
                break;
            }
        }
    }
    attempts
}

/// Plays random games under a ruleset as `arena` does on one thread, with both views
/// and the list of tries. Returns the number of attempts.
fn referee_live(opening: &Opening, games: u64, seed: u64) -> u64 {
    let mut buffers = Buffers::default();
    let mut attempts = 0;
    let settings = PlaySettings {
        max_plies: MAX_PLIES,
        ..PlaySettings::default()
    };
    for game in 0..games {
        let mut white = Random::new(Seed {
            seed,
            stream: 2 * game,
        });
        let mut black = Random::new(Seed {
            seed,
            stream: 2 * game + 1,
        });
        let played = play_game(
            opening,
            &settings,
            &mut white,
            &mut black,
            &mut (),
            &mut buffers,
        );
        attempts += played.attempts;
    }
    attempts
}

type Recorded = Vec<Vec<(Color, Try)>>;

fn views(game: &Game) -> ByColor<PlayerView> {
    ByColor::new_with(|color| {
        let mut view = PlayerView::open(*game.choices(), color, &game.start(Listener::from(color)));
        view.hear_calls(&game.opening_calls());
        view
    })
}

/// Records the attempts of random games, for a replay.
fn record(ruleset: &Ruleset, games: u64, seed: u64) -> Recorded {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (mut tries, mut calls) = (Vec::new(), Calls::new());
    let one = |_| {
        let mut game = Game::from(ruleset);
        let mut views = views(&game);
        let mut log = Vec::new();
        while let Some(by) = game.to_move() {
            views.get(by).tries_into(&mut tries);
            if tries.is_empty() || log.len() > 2000 {
                break;
            }
            let t = tries[below(&mut rng, tries.len())];
            log.push((by, t));
            let ruled = game.attempt(by, Attempt::Try(t), &mut calls);
            assert!(ruled.is_ok(), "a try of the side to move is not refused");
            views.white.hear_calls(&calls);
            views.black.hear_calls(&calls);
        }
        log
    };
    (0..games).map(one).collect()
}

fn bare_replay(recorded: &Recorded) -> u64 {
    let start = *StartPosition::initial().position();
    let mut attempts = 0;
    for log in recorded {
        let mut position = start;
        for (_, t) in log {
            attempts += 1;
            if position.is_legal(*t) {
                position.play(*t, false);
                black_box(position.announcements());
            }
        }
    }
    attempts
}

fn referee_replay(ruleset: &Ruleset, recorded: &Recorded) -> u64 {
    let mut attempts = 0;
    for log in recorded {
        let mut game = Game::from(ruleset);
        let mut views = views(&game);
        for (by, t) in log {
            attempts += 1;
            let mut both = BothViews {
                white: &mut views.white,
                black: &mut views.black,
            };
            let ruled = game.attempt_before(*by, Attempt::Try(*t), &mut both);
            black_box(ruled.is_ok());
        }
        black_box(&views);
    }
    attempts
}

/// Returns the number of attempts per second.
fn rate(run: impl FnOnce() -> u64) -> f64 {
    let began = Instant::now();
    let attempts = run();
    attempts as f64 / began.elapsed().as_secs_f64()
}

fn ratios(rounds: u64, games: u64) {
    let openings: Vec<Opening> = rulesets::ALL.iter().map(opening).collect();
    let records: Vec<Recorded> = rulesets::ALL
        .iter()
        .map(|ruleset| record(ruleset, games / 4 + 1, 11))
        .collect();
    let wild16 = rulesets::ALL
        .iter()
        .position(|r| r.id == "wild16")
        .expect("wild16 is a built-in ruleset");
    let mut live = vec![0f64; openings.len()];
    let mut replay = vec![0f64; openings.len()];
    let (mut bare_l, mut bare_r) = (0f64, 0f64);
    for round in 0..rounds {
        for i in 0..openings.len() {
            live[i] = live[i].max(rate(|| referee_live(&openings[i], games, round)));
            replay[i] = replay[i].max(rate(|| referee_replay(&rulesets::ALL[i], &records[i])));
            // Measure the bare loops after each ruleset, so that they run under the same
            // varying load of the machine.
            bare_l = bare_l.max(rate(|| bare_live(games / 4 + 1, round)));
            bare_r = bare_r.max(rate(|| bare_replay(&records[wild16])));
        }
    }
    println!(
        "attempts per second on one thread, best of {rounds} rounds; ratios to chess without a referee"
    );
    println!(
        "{:<14}{:>12}{:>8}{:>14}{:>8}",
        "", "live", "ratio", "replay", "ratio"
    );
    let row = |name: &str, l: f64, r: f64| {
        println!(
            "{name:<14}{:>10.2} M{:>8.2}{:>12.2} M{:>8.2}",
            l / 1e6,
            l / bare_l,
            r / 1e6,
            r / bare_r
        );
    };
    row("chess alone", bare_l, bare_r);
    for (i, ruleset) in rulesets::ALL.iter().enumerate() {
        row(&ruleset.id, live[i], replay[i]);
    }
}

fn main() {
    // `cargo test` runs benches without `--bench`. Then one short round is enough to show that the
    // loops work.
    match std::env::args().any(|arg| arg == "--bench") {
        true => ratios(120, 30),
        false => ratios(1, 2),
    }
}
