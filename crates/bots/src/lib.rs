//! Players that are programs.
//!
//! A [`Player`] is asked for an attempt with what its seat knows, a
//! [`PlayerView`] and the attempts worth making, and with nothing else. Each
//! bot is one file and one row of [`ALL`].
//!
//! It must never know: the referee, the club, the wire. What a bot can read
//! its seat has heard.
//!
//! ```
//! use bots::{Seed, by_name};
//! use rules::{Attempt, chess::Color, rulesets};
//! use views::PlayerView;
//!
//! let wild16 = rulesets::by_id("wild16").expect("a named ruleset");
//! let view = PlayerView::initial(wild16.choices, Color::White);
//! let tries = view.tries();
//!
//! let random = by_name("random").expect("a bot");
//! let mut player = random.seat(Seed { seed: 1, stream: 0 });
//! let Attempt::Try(t) = player.attempt(&view, &tries) else {
//!     panic!("random only moves");
//! };
//! assert!(tries.contains(&t));
//! ```

mod dice;
mod player;
mod random;
mod random_any;
mod sparring;

pub use crate::{
    dice::{Dice, Seed},
    player::Player,
    random::Random,
    random_any::RandomAny,
    sparring::Sparring,
};

#[cfg(doc)]
use views::PlayerView;

/// A built-in bot.
#[derive(Copy, Clone, Debug)]
pub struct Bot {
    /// Its name.
    pub name: &'static str,
    /// Description in a line.
    pub about: &'static str,
    seat: fn(Seed) -> Box<dyn Player>,
}

impl Bot {
    /// Takes a seat for one game; equal seeds play equal games.
    pub fn seat(&self, seed: Seed) -> Box<dyn Player> {
        (self.seat)(seed)
    }
}

/// Every built-in bot.
pub static ALL: &[Bot] = &[
    Bot {
        name: "random",
        about: "any attempt worth making, each equally likely; never asks",
        seat: |seed| Box::new(Random::new(seed)),
    },
    Bot {
        name: "random+any",
        about: "as random; asks Any? one time in four, now and then counts, recaps, says px, \
                offers, accepts, declines and withdraws draws",
        seat: |seed| Box::new(RandomAny::new(seed)),
    },
    Bot {
        name: "sparring",
        about: "plays to win: guesses at what it cannot see, takes back where it was hit, uses \
                pawn tries, checks and promotion, mates a lone king",
        seat: |seed| Box::new(Sparring::new(seed)),
    },
];

/// The built-in bot of that name.
pub fn by_name(name: &str) -> Option<&'static Bot> {
    ALL.iter().find(|bot| bot.name == name)
}

/// The names of the built-in bots, for a message.
pub fn names() -> String {
    let names: Vec<&str> = ALL.iter().map(|bot| bot.name).collect();
    names.join(", ")
}
