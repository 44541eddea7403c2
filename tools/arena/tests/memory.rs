//! The memory that a player keeps for a game is bounded by [`Player::set_memory`].

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod common;

use std::alloc::System;

use arena::{Buffers, PlaySettings, play_game};
use bots::{Budget, Player, Seed, by_name};
use common::{Silent, run};
use rules::{Attempt, Heard, Try, rulesets};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use views::PlayerView;

#[global_allocator]
static COUNTED: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Number of bytes by which the memory of the process may exceed the bound.
const FIXED: usize = 512 << 10;

/// A player, and the maximum number of bytes that the process kept after an attempt of the player.
struct Measured {
    player: Box<dyn Player>,
    region: Region<'static, System>,
    most: usize,
    turns: u32,
}

impl Player for Measured {
    fn hear(&mut self, heard: &Heard) {
        self.player.hear(heard);
    }

    fn begin_turn(&mut self, budget: Budget) {
        self.turns += 1;
        self.player.begin_turn(budget);
    }

    fn attempt(&mut self, view: &PlayerView, tries: &[Try]) -> Attempt {
        let attempt = self.player.attempt(view, tries);
        let now = self.region.change();
        let kept = now.bytes_allocated.saturating_sub(now.bytes_deallocated);
        self.most = self.most.max(kept);
        attempt
    }
}

/// Returns the number of turns of `level-6` in a game against `random`, and the maximum number of
/// bytes that the process kept after an attempt of `level-6`.
fn kept(memory: usize) -> (u32, usize) {
    let region = Region::new(COUNTED);
    let mut player = by_name("level-6")
        .unwrap()
        .seat(Seed { seed: 8, stream: 0 });
    player.set_memory(memory);
    let mut measured = Measured {
        player,
        region,
        most: 0,
        turns: 0,
    };
    let mut random = by_name("random").unwrap().seat(Seed { seed: 8, stream: 1 });
    let settings = PlaySettings {
        max_plies: 24,
        ..PlaySettings::default()
    };
    let opening = run(&rulesets::WILD16).opening;
    play_game(
        &opening,
        &settings,
        &mut measured,
        &mut random,
        &mut Silent,
        &mut Buffers::default(),
    );
    (measured.turns, measured.most)
}

#[test]
fn memory_of_a_player_stays_within_its_bound() {
    for memory in [256 << 10, 1 << 20] {
        let (turns, most) = kept(memory);
        println!("figure: limit {memory}, {turns} turns: most bytes kept {most}");
        assert!(turns >= 10, "{turns}");
        assert!(most <= memory + FIXED, "{most} of {memory}");
    }
}
