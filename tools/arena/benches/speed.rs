//! Speed of the referee compared with chess alone.
//!
//! `cargo bench -p kriegspiel-arena --bench speed` measures loops that make attempts. It first prints the
//! speed of each loop, and the ratio of this speed to the speed of chess alone. Every figure is the
//! best of many short rounds. The loops take turns in one process, so that a slow phase of the
//! machine affects all of them. After the ratios, criterion measures each loop alone.
//!
//! Two *bare* loops do only the chess, with the referee's own bitboard code. They test whether an
//! attempt is legal, and make the move. Then they compute the directions of a check and the legal
//! pawn captures, and test whether a legal move exists. The bare loops have no ruleset, calls,
//! views, obligations or repetition.
//!
//! One bare loop replays recorded attempts. The other bare loop, called *live*, chooses its attempts
//! itself: it lists the tries imaginable from own men, and draws attempts from this list without
//! replacement. The row *by shakmaty* is about a third loop. It replays attempts too, but shakmaty
//! keeps the position. The position is converted to the referee's form before an attempt is tested
//! and before announcements are computed.

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

use arena::{Buffers, Opening, PlaySettings, play_game};
use bots::{Random, Seed};
use criterion::{Criterion, Throughput};
use position::{Position, StartPosition};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use referee::{Game, Opened};
use rules::{
    Attempt, Calls, Listener, Ruleset, Try,
    chess::{Bitboard, ByColor, Chess, Color, File, Move, Position as _, Role, Square},
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

/// Converts a legal try to a move of shakmaty.
fn shakmatys(chess: &Chess, t: Try) -> Option<Move> {
    let Try::Step {
        from,
        to,
        promotion,
    } = t
    else {
        return None;
    };
    let role = chess.board().role_at(from)?;
    let capture = chess.board().role_at(to);
    Some(
        if role == Role::King && from.file().distance(to.file()) == 2 {
            let file = if to > from { File::H } else { File::A };
            Move::Castle {
                king: from,
                rook: Square::from_coords(file, from.rank()),
            }
        } else if role == Role::Pawn && capture.is_none() && from.file() != to.file() {
            Move::EnPassant { from, to }
        } else {
            Move::Normal {
                role,
                from,
                capture,
                to,
                promotion,
            }
        },
    )
}

/// Does the same as [`bare_replay`], but shakmaty keeps the position. The position is converted to
/// the referee's form before an attempt is tested and before announcements are computed.
fn shakmaty_replay(recorded: &Recorded) -> u64 {
    let mut attempts = 0;
    for log in recorded {
        let mut chess = Chess::default();
        for (_, t) in log {
            attempts += 1;
            if Position::from(&chess).is_legal(*t)
                && let Some(m) = shakmatys(&chess, *t)
            {
                chess.play_unchecked(m);
                black_box(Position::from(&chess).announcements());
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
    let (mut bare_l, mut bare_r, mut shakmaty_r) = (0f64, 0f64, 0f64);
    for round in 0..rounds {
        for i in 0..openings.len() {
            live[i] = live[i].max(rate(|| referee_live(&openings[i], games, round)));
            replay[i] = replay[i].max(rate(|| referee_replay(&rulesets::ALL[i], &records[i])));
            // Measure the bare loops after each ruleset, so that they run under the same
            // varying load of the machine.
            bare_l = bare_l.max(rate(|| bare_live(games / 4 + 1, round)));
            bare_r = bare_r.max(rate(|| bare_replay(&records[wild16])));
            shakmaty_r = shakmaty_r.max(rate(|| shakmaty_replay(&records[wild16])));
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
    println!(
        "{:<14}{:>12}{:>8}{:>12.2} M{:>8.2}",
        "  by shakmaty",
        "",
        "",
        shakmaty_r / 1e6,
        shakmaty_r / bare_r
    );
    for (i, ruleset) in rulesets::ALL.iter().enumerate() {
        row(&ruleset.id, live[i], replay[i]);
    }
}

fn sizes() {
    let mut game = Game::from(&rulesets::WILD16);
    let began = Instant::now();
    for _ in 0..100_000 {
        black_box(game.clone());
    }
    let clone = began.elapsed().as_nanos() / 100_000;
    let mut position = *game.sheet().position();
    let began = Instant::now();
    for _ in 0..1_000_000 {
        position = black_box(position);
    }
    let copy = began.elapsed().as_nanos() as f64 / 1e6;
    black_box(&mut game);
    println!(
        "a running game: {} bytes, and {} bytes for its opening event; cloned in {clone} ns; \
         a player's view: {} bytes; a bare position: {} bytes, copied in {copy:.1} ns",
        size_of::<Game>(),
        size_of::<Opened>(),
        size_of::<PlayerView>(),
        size_of::<Position>(),
    );
}

fn singly(c: &mut Criterion) {
    let recorded = record(&rulesets::WILD16, 20, 11);
    let attempts = bare_replay(&recorded);
    let mut group = c.benchmark_group("replay");
    group.throughput(Throughput::Elements(attempts));
    group.bench_function("chess alone", |b| b.iter(|| bare_replay(&recorded)));
    for ruleset in &rulesets::ALL {
        let recorded = record(ruleset, 20, 11);
        group.throughput(Throughput::Elements(bare_attempts(&recorded)));
        group.bench_function(&*ruleset.id, |b| {
            b.iter(|| referee_replay(ruleset, &recorded))
        });
    }
    group.finish();

    let mut group = c.benchmark_group("live");
    group.throughput(Throughput::Elements(bare_live(20, 3)));
    group.bench_function("chess alone", |b| b.iter(|| bare_live(20, 3)));
    for ruleset in &rulesets::ALL {
        let opening = opening(ruleset);
        group.throughput(Throughput::Elements(referee_live(&opening, 20, 3)));
        group.bench_function(&*ruleset.id, |b| b.iter(|| referee_live(&opening, 20, 3)));
    }
    group.finish();
}

fn bare_attempts(recorded: &Recorded) -> u64 {
    recorded.iter().map(|log| log.len() as u64).sum()
}

fn main() {
    // `cargo test` runs benches without `--bench`. Then one short round is enough to show that the
    // loops work.
    let measured = std::env::args().any(|arg| arg == "--bench");
    if !measured {
        ratios(1, 2);
        return;
    }
    if !std::env::args().any(|arg| arg == "--singly") {
        ratios(120, 30);
        sizes();
    }
    if !std::env::args().any(|arg| arg == "--ratios") {
        let mut criterion = Criterion::default()
            .warm_up_time(Duration::from_millis(300))
            .measurement_time(Duration::from_secs(1));
        singly(&mut criterion);
        criterion.final_summary();
    }
}
