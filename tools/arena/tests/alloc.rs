//! Checks that these steps of an attempt allocate no memory: `judge`, `apply`, `hear`, and the
//! listing of the tries into a reused buffer.
#![allow(clippy::unwrap_used, reason = "a mistake here fails the test")]

use std::alloc::System;

use referee::Game;
use rules::{Attempt, Calls, Listener, Ruleset, chess::ByColor, rulesets};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use views::PlayerView;

#[global_allocator]
static COUNTED: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Plays a game under a ruleset, the same game in each call. Returns the number of attempts,
/// or a description of the attempt that allocated.
fn play(ruleset: &Ruleset) -> Result<u32, String> {
    let mut judged = 0u32;
    let mut calls = Calls::new();
    let mut tries = Vec::with_capacity(2048);
    let mut game = Game::from(ruleset);
    let mut views = ByColor::new_with(|color| {
        let start = game.start(Listener::from(color));
        let mut view = PlayerView::open(*game.choices(), color, &start);
        view.hear_calls(&game.opening_calls());
        view
    });
    // A simple random number generator is enough for this test.
    let mut dice = 0x9e37_79b9_u64;
    // The game ends after 101 attempts in a row without a move of more than four calls, for example
    // a capture. The list of repetition keys has capacity for more, so it never grows.
    let mut since_irreversible = 0;
    while let Some(by) = game.to_move() {
        if since_irreversible > 100 {
            break;
        }
        let before = Region::new(COUNTED);
        views.get(by).tries_into(&mut tries);
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let Some(t) = tries.get((dice >> 33) as usize % tries.len().max(1)) else {
            break;
        };
        let attempt = Attempt::Try(*t);
        let ruling = game.judge(by, attempt).unwrap();
        let event = game.judge_into(by, attempt, &mut calls).unwrap();
        if judged.is_multiple_of(2) {
            game.apply(&event);
        } else {
            game.attempt(by, attempt, &mut calls).unwrap();
        }
        views.white.hear_calls(&calls);
        views.black.hear_calls(&calls);
        let spent = before.change();
        let spent = (spent.allocations, spent.reallocations, spent.deallocations);
        if spent != (0, 0, 0) {
            return Err(format!("{by} {attempt} under {}: {spent:?}", ruleset.id));
        }
        since_irreversible += 1;
        if ruling.answer() == rules::Answer::Moved && ruling.calls.len() > 4 {
            since_irreversible = 0;
        }
        judged += 1;
    }
    Ok(judged)
}

#[test]
fn no_attempt_allocates_memory() {
    let mut judged = 0;
    for ruleset in &rulesets::ALL {
        // Threads of the test runner sometimes allocate. So an allocation counts only if it occurs
        // in each of the three runs.
        let times: Vec<_> = (0..3).map(|_| play(ruleset)).collect();
        let quiet = times.iter().find_map(|time| time.as_ref().ok());
        judged += quiet.unwrap_or_else(|| panic!("{times:?}"));
    }
    assert!(judged > 1000, "{judged} attempts");
}
