//! Programs that play.
//!
//! A [`Player`] is one of these programs in one seat. It gets what its seat
//! knows (a [`PlayerView`]) and the attempts worth making, and it answers with
//! an attempt. It gets no other information. Each bot has one module and one
//! entry in [`ALL`].
//!
//! This crate does not depend on the referee, the club or the wire format. It uses the crates
//! `belief` and `solver`, whose public signatures name no type of the referee. So a bot can use only what its
//! seat has heard.
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
mod master;
mod player;
mod random;
mod random_any;
mod sparring;

pub use crate::{
    baselines::{Mcts, MetapositionPlayer, SemiRandom, Simple},
    budget::Budget,
    dice::{Dice, Seed},
    master::Master,
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
        about: "plays random moves; never asks a question",
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
        about: "plays random moves, but recaptures, tries pawn captures and asks Any? first; \
                a baseline",
        seat: |seed| Box::new(SemiRandom::new(seed)),
    },
    Bot {
        name: "simple",
        about: "recaptures, promotes, makes announced pawn captures, else moves to where its men \
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
    Bot {
        name: "master",
        about: "plays to win: weighs the positions that are possible, compares all attempts in the \
                same positions, expects recaptures, mates a lone king",
        seat: |seed| Box::new(Master::new(seed)),
    },
    Bot {
        name: "level-1",
        about: "a beginner: remembers little, looks at a few possible positions, does not think of \
                recaptures",
        seat: |seed| Box::new(Master::at_level(seed, 1)),
    },
    Bot {
        name: "level-2",
        about: "remembers a little more, seldom thinks of recaptures",
        seat: |seed| Box::new(Master::at_level(seed, 2)),
    },
    Bot {
        name: "level-3",
        about: "thinks of recaptures, but not enough; forgets what it heard some moves ago",
        seat: |seed| Box::new(Master::at_level(seed, 3)),
    },
    Bot {
        name: "level-4",
        about: "remembers more, and is seldom careless",
        seat: |seed| Box::new(Master::at_level(seed, 4)),
    },
    Bot {
        name: "level-5",
        about: "remembers most of what it heard",
        seat: |seed| Box::new(Master::at_level(seed, 5)),
    },
    Bot {
        name: "level-6",
        about: "the strongest level: plays like master",
        seat: |seed| Box::new(Master::at_level(seed, 6)),
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
