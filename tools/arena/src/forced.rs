//! Forced opening moves.

use bots::{Dice, Seed};
use referee::{Event, Game, Opened};
use rules::{Attempt, Calls, Try};

/// Number that is added to the seed of a run to get the seed of the openings. With this second
/// seed, the openings are independent of the random numbers of the players.
const OPENING_SEED: u64 = 0x6f70_656e_696e_6773;

/// Maximum number of openings that are drawn for one game. If an opening ends the game, another
/// opening is drawn.
const MAX_DRAWS: u32 = 100;

/// Returns `moves` random legal moves for each side, from the start of a game. Equal values of
/// `seed` and `number` give equal moves. The game is not over after these moves. The list is
/// shorter in two cases: each of [`MAX_DRAWS`] openings ended the game, or a player has no legal
/// move but the ruleset does not end the game.
pub(crate) fn random_moves(opened: &Opened, moves: u32, seed: u64, number: u64) -> Vec<Try> {
    let mut dice = Dice::new(Seed {
        seed: seed.wrapping_add(OPENING_SEED),
        stream: number,
    });
    let mut calls = Calls::new();
    let mut tries = Vec::new();
    for _ in 0..MAX_DRAWS {
        tries.clear();
        let mut game = Game::open(opened.clone());
        while tries.len() < 2 * moves as usize
            && let Some(by) = game.to_move()
            && let Some(t) = dice.pick(&game.sheet().legal_tries())
            && let Ok(Event::Moved { .. }) = game.attempt(by, Attempt::Try(t), &mut calls)
        {
            tries.push(t);
        }
        if game.to_move().is_some() {
            break;
        }
        // The last move ended the game, so it is left out.
        tries.pop();
    }
    tries
}
