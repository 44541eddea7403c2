//! A bot that prefers attempts to squares near the middle of the board.
//!
//! ```console
//! $ cargo build --example bot -p kriegspiel
//! $ kriegspiel bot cmd:target/debug/examples/bot --url http://127.0.0.1:8080
//! ```

use std::{
    error::Error,
    io::{self, BufRead},
};

use kriegspiel::rules::{Try, chess::Square};
use serde_json::Value;

/// Number of king's steps from a square to the middle of the board, 0 to 3.
fn distance(square: Square) -> u32 {
    let from = |line: u32| line.abs_diff(3).min(line.abs_diff(4));
    from(square.file().into()).max(from(square.rank().into()))
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut state = u64::from(std::process::id());
    for line in io::stdin().lock().lines() {
        let said: Value = serde_json::from_str(&line?)?;
        let Some(tries) = said["tries"].as_array() else {
            continue;
        };
        let mut best = None;
        for text in tries.iter().filter_map(Value::as_str) {
            // Equal attempts are in random order.
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let attempt: Try = text.parse()?;
            let key = (distance(attempt.to()), state >> 40);
            if best.is_none_or(|(least, _)| key < least) {
                best = Some((key, text));
            }
        }
        println!("{}", best.map_or("resign", |(_, text)| text));
    }
    Ok(())
}
