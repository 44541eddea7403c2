//! Settings of a club.

use rand::{SeedableRng, rngs::StdRng};
use store::Millis;

/// Cost of a password's hash.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct PasswordCost {
    /// Memory, in KiB.
    pub memory: u32,
    /// Passes over it.
    pub passes: u32,
}

/// Settings of a club, fixed when it opens.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Settings {
    /// Cost of a password's hash.
    pub password_cost: PasswordCost,
    /// Number of passwords that are hashed at once.
    pub hashing_at_once: usize,
    /// Number of passwords that may wait to be hashed; further ones are refused.
    pub hashing_waits: usize,
    /// Duration of a session.
    pub session: Millis,
    /// Open seeks of one account; as many challenges and invitations each.
    pub open_offers: usize,
    /// Open seeks in all.
    pub seeks_in_all: usize,
    /// Open challenges and invitations in all: only their players see them in the lobby.
    pub private_offers_in_all: usize,
    /// Games of one person or guest that are not over.
    pub games_of_person: usize,
    /// Games of one account with built-in bots that are not over: nobody takes the bots from
    /// all others.
    pub games_with_built_in_bots: usize,
    /// Games of one program that are not over.
    pub games_of_program: usize,
    /// Games in all that are not over.
    pub games_in_all: usize,
    /// Rows of a lobby's list of other people's games.
    pub lobby_games: usize,
    /// Seed of the random colours, ids of games and intervals between signs of life;
    /// `None`: a random one. Secrets never come from it.
    pub seed: Option<u64>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            // The argon2 crate's own default, 27 to 31 ms on two cores.
            password_cost: PasswordCost {
                memory: 19 * 1024,
                passes: 2,
            },
            hashing_at_once: 2,
            hashing_waits: 64,
            session: 30 * 24 * 3600 * 1000,
            open_offers: 5,
            seeks_in_all: 1000,
            private_offers_in_all: 5000,
            games_of_person: 50,
            games_with_built_in_bots: 5,
            games_of_program: 500,
            games_in_all: 5000,
            lobby_games: 200,
            seed: None,
        }
    }
}

impl Settings {
    /// Starts a series of random numbers.
    pub(crate) fn rng(&self) -> StdRng {
        match self.seed {
            Some(seed) => StdRng::seed_from_u64(seed),
            None => StdRng::from_seed(rand::random()),
        }
    }

    /// Returns the default, but with cheap passwords: for tests alone.
    pub fn cheap() -> Settings {
        Settings {
            password_cost: PasswordCost {
                memory: 8,
                passes: 1,
            },
            ..Settings::default()
        }
    }
}
