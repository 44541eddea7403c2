//! Programs that play.
//!
//! A [`Player`] is one of these programs in one seat. It gets what its seat knows (a
//! [`PlayerView`]) and the attempts worth making, and it answers with an attempt. The player gets
//! no other information. [`ALL`] lists all bots.
//!
//! This crate must never know about the referee, the club or the wire format. So a bot can use only
//! what its seat has heard.
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
//! let random = by_name("random").expect("a bot has this name");
//! let mut player = random.seat(Seed { seed: 1, stream: 0 });
//! let Attempt::Try(t) = player.attempt(&view, &tries) else {
//!     panic!("random only moves");
//! };
//! assert!(tries.contains(&t));
//! ```

mod attacks;
mod budget;
mod dice;
mod lapse;
mod master;
mod player;
mod random;
mod random_any;
mod rating;
mod review;
mod yardsticks;

pub use crate::{
    budget::Budget,
    dice::{Dice, Seed},
    lapse::{Lapse, Odds},
    master::{Master, WeightError, Weights, WeightsError, Worth},
    player::{Player, SeatOpening},
    random::Random,
    random_any::RandomAny,
    rating::Rating,
    review::{MARKED_COST, OwnTurns, ReviewedTurn, TurnReview, accuracy, expected_result},
    yardsticks::{Mcts, SemiRandom, Simple},
};

use rules::Choices;
#[cfg(doc)]
use views::PlayerView;

/// A built-in bot.
#[derive(Copy, Clone, Debug)]
pub struct Bot {
    /// Name of the bot, for commands and accounts.
    pub name: &'static str,
    /// Name of the bot in plain words.
    pub title: &'static str,
    /// Description in one line.
    pub about: &'static str,
    /// Measured rating, if the bot is a level.
    pub rating: Option<Rating>,
    seat: fn(Seed) -> Box<dyn Player>,
}

impl Bot {
    /// Returns the description of a bot that has no rating. `seat` creates a player for one seat of
    /// one game.
    pub const fn new(
        name: &'static str,
        about: &'static str,
        seat: fn(Seed) -> Box<dyn Player>,
    ) -> Bot {
        Bot {
            name,
            title: name,
            about,
            rating: None,
            seat,
        }
    }

    /// Returns a player for one seat of one game. With equal seeds, players make equal attempts if
    /// they hear the same and no budget limits the time.
    pub fn seat(&self, seed: Seed) -> Box<dyn Player> {
        (self.seat)(seed)
    }

    /// Computes the tables that the players of this bot need in many games. Does nothing if this
    /// process has computed them already. Returns when the tables are complete. Without this call,
    /// the first player that needs a table computes it in its turn, or plays without it.
    pub fn prepare(&self, choices: &Choices) {
        if master::knows_endings(self.name) {
            master::compute_tables(choices.check, &master::TABLED);
        }
    }
}

/// Number of the engine, which plays `master` and the levels. A change of their play raises it
/// (docs/bots.md).
pub const ENGINE: u32 = 4;

/// Ratings of `level-1` to `level-6`. docs/bots.md says how they were measured.
const LEVEL_RATINGS: [Rating; 6] = [
    Rating::new(1000, 1000, 1000),
    Rating::new(1230, 1190, 1270),
    Rating::new(1500, 1430, 1560),
    Rating::new(1730, 1640, 1810),
    Rating::new(1920, 1820, 2020),
    Rating::new(2120, 2000, 2250),
];

/// All bots.
pub static ALL: &[Bot] = &[
    Bot {
        name: "random",
        title: "Random moves",
        about: "plays random moves; never asks a question",
        rating: None,
        seat: |seed| Box::new(Random::new(seed)),
    },
    Bot {
        name: "random+any",
        title: "Random moves and questions",
        about: "like random, but asks Any? one time in four; sometimes asks for the count or the \
                recap, uses px, or offers, accepts, declines or withdraws a draw",
        rating: None,
        seat: |seed| Box::new(RandomAny::new(seed)),
    },
    // The account of a former bot.
    Bot {
        name: "sparring",
        title: "Sparring partner",
        about: "plays as level-4",
        rating: Some(LEVEL_RATINGS[3]),
        seat: |seed| Box::new(Master::at_level(seed, 4)),
    },
    Bot {
        name: "semi-random",
        title: "Random moves, captures first",
        about: "plays random moves, but recaptures, tries pawn captures and asks Any? first; \
                a yardstick",
        rating: None,
        seat: |seed| Box::new(SemiRandom::new(seed)),
    },
    Bot {
        name: "simple",
        title: "Rules of thumb",
        about: "recaptures, promotes, makes announced pawn captures, else moves to where its men \
                reach most squares; a yardstick",
        rating: None,
        seat: |seed| Box::new(Simple::new(seed)),
    },
    Bot {
        name: "mcts",
        title: "Tree search",
        about: "information set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012); \
                a yardstick",
        rating: None,
        seat: |seed| Box::new(Mcts::new(seed)),
    },
    Bot {
        name: "master",
        title: "Master",
        about: "plays to win: weighs the positions that are possible, compares all attempts in the \
                same positions, expects recaptures, mates a lone king",
        rating: None,
        seat: |seed| Box::new(Master::new(seed)),
    },
    Bot {
        name: "level-1",
        title: "Level 1 (beginner)",
        about: "remembers little, overlooks many moves, does not think of recaptures",
        rating: Some(LEVEL_RATINGS[0]),
        seat: |seed| Box::new(Master::at_level(seed, 1)),
    },
    Bot {
        name: "level-2",
        title: "Level 2 (easy)",
        about: "remembers a little more, overlooks fewer moves, seldom thinks of recaptures",
        rating: Some(LEVEL_RATINGS[1]),
        seat: |seed| Box::new(Master::at_level(seed, 2)),
    },
    Bot {
        name: "level-3",
        title: "Level 3 (medium)",
        about: "overlooks some moves, seldom thinks of recaptures, often forgets what it heard before",
        rating: Some(LEVEL_RATINGS[2]),
        seat: |seed| Box::new(Master::at_level(seed, 3)),
    },
    Bot {
        name: "level-4",
        title: "Level 4 (hard)",
        about: "remembers more, and is seldom careless",
        rating: Some(LEVEL_RATINGS[3]),
        seat: |seed| Box::new(Master::at_level(seed, 4)),
    },
    Bot {
        name: "level-5",
        title: "Level 5 (very hard)",
        about: "remembers most of what it heard",
        rating: Some(LEVEL_RATINGS[4]),
        seat: |seed| Box::new(Master::at_level(seed, 5)),
    },
    Bot {
        name: "level-6",
        title: "Level 6 (strongest)",
        about: "remembers everything that it heard, expects recaptures, mates a lone king",
        rating: Some(LEVEL_RATINGS[5]),
        seat: |seed| Box::new(Master::at_level(seed, 6)),
    },
];

/// Returns the bot with this name.
pub fn by_name(name: &str) -> Option<&'static Bot> {
    ALL.iter().find(|bot| bot.name == name)
}

/// Returns a list of bots as text, one line each: name, name in plain words, rating, description.
pub fn described<'a>(bots: impl IntoIterator<Item = &'a Bot>) -> String {
    let line = |bot: &Bot| {
        let rating = bot.rating.map(|rating| format!(", rating {rating}"));
        let Bot {
            name, title, about, ..
        } = bot;
        format!("{name}: {title}{}; {about}", rating.unwrap_or_default())
    };
    let lines: Vec<String> = bots.into_iter().map(line).collect();
    lines.join("\n")
}

/// Returns the names of all bots as one text, separated by commas.
pub fn names() -> String {
    let names: Vec<&str> = ALL.iter().map(|bot| bot.name).collect();
    names.join(", ")
}
