//! The plan for beginners in docs/bots.md beats `level-1`.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

#[path = "../common/mod.rs"]
mod common;
mod plan;

use std::env;

use arena::{Buffers, Opening, PlaySettings, play_game};
use bots::{Player, Seed, by_name};
use common::{Silent, run};
use plan::Plan;
use rules::{Winner, chess::Color, rulesets};

/// Plays a game between a player that follows the plan and a bot. Returns the score of the plan: 2
/// for a win, 1 for a draw.
fn points(opening: &Opening, plan: Color, bot: &str, number: u64) -> u32 {
    let mut players: [Box<dyn Player>; 2] = [
        Box::new(Plan::default()),
        by_name(bot).unwrap().seat(Seed {
            seed: 60,
            stream: number,
        }),
    ];
    if plan == Color::Black {
        players.reverse();
    }
    let [white, black] = &mut players;
    let settings = PlaySettings::default();
    let played = play_game(
        opening,
        &settings,
        white,
        black,
        &mut Silent,
        &mut Buffers::default(),
    );
    match played.over.map(|over| over.winner) {
        Some(winner) if winner == Winner::from(plan) => 2,
        Some(Winner::Draw) | None => 1,
        Some(_) => 0,
    }
}

/// `KRIEGSPIEL_BEGINNER` is the number of games (default: 10), and `KRIEGSPIEL_BEGINNER_BOT` is the
/// bot (default: level-1).
#[test]
fn plan_for_beginners_beats_the_lowest_level() {
    let wanted = env::var("KRIEGSPIEL_BEGINNER").map_or(10, |n| n.parse().unwrap());
    let bot = env::var("KRIEGSPIEL_BEGINNER_BOT").unwrap_or("level-1".to_owned());
    let opening = run(&rulesets::WILD16).opening;
    let mut counts = [0_u32; 3];
    for number in 0..wanted {
        let plan = if number % 2 == 0 {
            Color::White
        } else {
            Color::Black
        };
        counts[points(&opening, plan, &bot, number) as usize] += 1;
    }
    let [lost, drawn, won] = counts;
    println!("figure: won {won}");
    println!("figure: drawn {drawn}");
    println!("figure: lost {lost}");
    assert!(2 * won + drawn > 2 * lost + drawn, "{won}-{drawn}-{lost}");
}
