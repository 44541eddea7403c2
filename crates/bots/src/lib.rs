//! Programs that play.
//!
//! A [`Player`] is one of these programs in one seat. It gets what its seat
//! knows (a [`PlayerView`]) and the attempts worth making, and it answers with
//! an attempt. It gets no other information. Each bot has one module and one
//! entry in [`ALL`].
//!
//! This crate does not depend on the referee, the club or the wire format. A bot can use only what
//! its seat has heard.
//!
//! ```
//! use bots::{Seed, by_name};
//! use rules::{Attempt, chess::Color, rulesets};
//! use views::PlayerView;
//!
//! let wild16 = rulesets::by_id("wild16").expect("the id names a ruleset");
//! let view = PlayerView::initial(wild16.choices, Color::White);
//! let tries = view.tries();
//!
//! let random = by_name("random").expect("the name is that of a bot");
//! let mut player = random.seat(Seed { seed: 1, stream: 0 });
//! let Attempt::Try(t) = player.attempt(&view, &tries) else {
//!     panic!("random only moves");
//! };
//! assert!(tries.contains(&t));
//! ```

mod baselines;
mod budget;
mod dice;
mod player;
mod random;
mod random_any;
mod sparring;

pub use crate::{
    baselines::{Mcts, MetapositionPlayer, SemiRandom, Simple},
    budget::Budget,
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
    /// Name of the bot.
    pub name: &'static str,
    /// Description in one line.
    pub about: &'static str,
    seat: fn(Seed) -> Box<dyn Player>,
}

impl Bot {
    /// Describes a bot. `seat` creates a player for one seat of one game.
    pub const fn new(
        name: &'static str,
        about: &'static str,
        seat: fn(Seed) -> Box<dyn Player>,
    ) -> Bot {
        Bot { name, about, seat }
    }

    /// Returns a player for one seat of one game. With equal seeds, players
    /// make equal attempts if they hear the same.
    pub fn seat(&self, seed: Seed) -> Box<dyn Player> {
        (self.seat)(seed)
    }
}

/// All bots.
pub static ALL: &[Bot] = &[
    Bot {
        name: "random",
        about: "makes any attempt worth making, each with the same probability; never asks a question",
        seat: |seed| Box::new(Random::new(seed)),
    },
    Bot {
        name: "random+any",
        about: "like random, but asks Any? one time in four; sometimes asks for the count or the \
                recap, uses px, or offers, accepts, declines or withdraws a draw",
        seat: |seed| Box::new(RandomAny::new(seed)),
    },
    Bot {
        name: "sparring",
        about: "plays to win: guesses the men that it cannot see, recaptures, uses \
                pawn tries, checks and promotion, mates a lone king",
        seat: |seed| Box::new(Sparring::new(seed)),
    },
    Bot {
        name: "semi-random",
        about: "makes random tries, but takes back, tries pawn captures and asks Any? first; \
                a baseline",
        seat: |seed| Box::new(SemiRandom::new(seed)),
    },
    Bot {
        name: "simple",
        about: "takes back, promotes, makes announced pawn captures, else moves to where its men \
                reach most squares; a baseline",
        seat: |seed| Box::new(Simple::new(seed)),
    },
    Bot {
        name: "metaposition",
        about: "searches two own moves ahead over metapositions (Ciancarini and Favini 2007); \
                a baseline",
        seat: |seed| Box::new(MetapositionPlayer::new(seed)),
    },
    Bot {
        name: "mcts",
        about: "information set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012); \
                a baseline",
        seat: |seed| Box::new(Mcts::new(seed)),
    },
];

/// Returns the bot with this name.
pub fn by_name(name: &str) -> Option<&'static Bot> {
    ALL.iter().find(|bot| bot.name == name)
}

/// Returns the names of all bots as one text, separated by commas.
pub fn names() -> String {
    let names: Vec<&str> = ALL.iter().map(|bot| bot.name).collect();
    names.join(", ")
}
