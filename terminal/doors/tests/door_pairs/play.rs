//! Plays one game of a pair at a door.
//!
//! Each step takes one second of the game's time. Events that the listener does
//! not hear happen at the start of the step. Then the listener types lines, at
//! the same times in both games. Events that the listener hears come at the end
//! of the step.

use std::fmt;

use club::TimeControl;
use rand::{RngExt, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;
use referee::{Event, Game};
use rules::chess::ByColor;
use store::Act;
use testkit::pairs::{Happening, Pair, heard_by};
use tokio::runtime::Builder;

use crate::scene::{Door, Piece, Scene};

const STEP: i64 = 1000;

/// Maximum number of steps of a pair that are played. More steps would not test
/// anything new.
const MAX_STEPS: usize = 60;

/// Everything that reached the listener of one game.
#[derive(Debug, Default)]
pub struct Heard {
    /// The received bytes with their times, for each step.
    pub steps: Vec<Vec<Piece>>,
    /// Number of attempts that the listener did not hear.
    pub whispers: u64,
    /// Number of lines, other than attempts, that the listener typed.
    pub asked: u64,
    /// Number of messages between people who are not the listener.
    pub written: u64,
    /// Description of the first difference between the log and the events that the pair prescribes;
    /// `None` if there is no difference.
    pub wrong: Option<String>,
}

impl Heard {
    /// Returns the total number of received bytes.
    pub fn bytes(&self) -> u64 {
        let pieces = self.steps.iter().flatten();
        pieces.map(|piece| piece.bytes.len() as u64).sum()
    }
}

/// Plays one game of a pair, in its own paused time and its own club.
pub fn played(door: &dyn Door, pair: &Pair, which: usize) -> Heard {
    let runtime = Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    runtime.block_on(play(door, pair, which))
}

fn time(pair: &Pair) -> TimeControl {
    let clock = |initial, increment| TimeControl::Clock { initial, increment };
    match pair.index / 7 % 3 {
        0 => TimeControl::Unlimited,
        1 => clock(600_000, 2_000),
        _ => clock(900_000, 0),
    }
}

enum Do {
    Happen(Happening),
    /// People write to somebody who is not the listener.
    Write,
    Ask(&'static str),
}

async fn play(door: &dyn Door, pair: &Pair, which: usize) -> Heard {
    let mut heard = Heard::default();
    let seat = pair.listener.color();
    if seat.is_none() && !door.has_spectators() {
        return heard;
    }
    let mut scene = Scene::open(door, pair.listener, time(pair), &pair.opened[which]).await;
    let mut rng = ChaCha8Rng::seed_from_u64(pair.index);
    let mut game = Game::open(pair.opened[which].clone());
    let mut expected = vec![game.opened_event().to_string()];
    let mut moved: ByColor<Option<usize>> = ByColor::default();
    scene.time.until(900).await;
    heard.steps.push(scene.line.take());
    for (n, step) in (1..).zip(&pair.steps).take(MAX_STEPS) {
        let both_moved = moved.white.is_some() && moved.black.is_some();
        let last = moved.white.max(moved.black).unwrap_or(0);
        // In some pairs the attempts are random, and many steps would pass before both sides have
        // moved. The test stops such a pair early.
        if !both_moved && n >= last + 25 {
            break;
        }
        let begun = i64::try_from(n).unwrap() * STEP;
        let mut todo: Vec<(i64, Do)> = Vec::new();
        for at in [105, 420, 500] {
            let ask = *door.asks(seat.is_some()).choose(&mut rng).unwrap();
            if rng.random_bool(0.3) {
                todo.push((at, Do::Ask(ask)));
            }
        }
        // In some steps, people who are not the listener write to each other. They write different
        // texts in the two games, and write in more steps of the second game.
        if pair.index.is_multiple_of(2) && n % 6 < 1 + which {
            todo.push((102, Do::Write));
        }
        let (mut at, mut ends) = (100, false);
        let mut judged = game.clone();
        for &happening in &step.happenings[which] {
            let Ok(ruling) = happening.judged(&judged) else {
                continue;
            };
            // Only the club's own clock can end a game by timeout or absence, so the test stops
            // here.
            if let Happening::Ended(_) = happening {
                ends = true;
                break;
            }
            judged.apply(&ruling.event);
            if heard_by(pair.listener, &ruling.calls).is_empty() {
                heard.whispers += 1;
                todo.push((at, Do::Happen(happening)));
                at += 20;
            } else {
                todo.push((600, Do::Happen(happening)));
                break;
            }
        }
        if ends {
            break;
        }
        todo.sort_by_key(|(at, _)| *at);
        for (at, what) in todo {
            scene.time.until(begun + at).await;
            match what {
                Do::Ask(line) => {
                    heard.asked += 1;
                    scene.line.send(line).await;
                }
                Do::Write => {
                    let text = format!("game {which} after {} events", expected.len());
                    heard.written += scene.write_to_others(door, &text).await;
                }
                Do::Happen(happening) => {
                    let ruling = happening.judged(&game).unwrap();
                    if let Happening::Asked(by, attempt) = happening {
                        let text = door.says(attempt);
                        if seat == Some(by) {
                            scene.line.tries(&text).await;
                        } else {
                            scene.says(by, &text).await;
                        }
                    }
                    if let Event::Moved { by, .. } = ruling.event {
                        *moved.get_mut(by) = Some(n);
                    }
                    game.apply(&ruling.event);
                    expected.push(ruling.event.to_string());
                }
            }
        }
        scene.time.until(begun + 900).await;
        if game.over().is_some() {
            // After the end everybody may see everything, so the rest is not compared.
            break;
        }
        heard.steps.push(scene.line.take());
    }
    heard.wrong = wrong(&scene, &expected).await;
    heard
}

/// Describes the first difference between the log and the events of the pair.
async fn wrong(scene: &Scene, expected: &[String]) -> Option<String> {
    let rows = scene.store.rows(scene.game, 0).await.unwrap();
    let played = rows.iter().filter_map(|row| match &row.act {
        Act::Game(event) => Some(event.to_string()),
        Act::Table(_) => None,
    });
    let played: Vec<String> = played.collect();
    let at = (0..expected.len().max(played.len())).find(|&i| played.get(i) != expected.get(i))?;
    Some(format!(
        "event {at} is {:?} and should be {:?}",
        played.get(at),
        expected.get(at)
    ))
}

/// First difference between the two games of a pair.
pub struct Difference {
    pair: u64,
    rules: String,
    listener: String,
    /// Index of the step with the difference.
    pub step: usize,
    /// What came in each of the two games.
    pub is: [String; 2],
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "pair {} ({}, listener {}), step {}\n  in one game: {}\n  in the other: {}",
            self.pair, self.rules, self.listener, self.step, self.is[0], self.is[1]
        )
    }
}

/// Finds the first difference between the two games of a pair.
pub fn first_difference(pair: &Pair, both: &[Heard; 2]) -> Option<Difference> {
    let [one, other] = both;
    let last = one.steps.len().max(other.steps.len());
    let at = (0..last).find(|&n| one.steps.get(n) != other.steps.get(n))?;
    let shown = |heard: &Heard| match heard.steps.get(at) {
        None => "the end".to_owned(),
        Some(pieces) => {
            let shown = pieces.iter().map(|piece| {
                format!(
                    "at {}: {:?}",
                    piece.at,
                    String::from_utf8_lossy(&piece.bytes)
                )
            });
            shown.collect::<Vec<_>>().join("; ")
        }
    };
    Some(Difference {
        pair: pair.index,
        rules: pair.rules().to_owned(),
        listener: format!("{:?}", pair.listener),
        step: at,
        is: [shown(one), shown(other)],
    })
}
