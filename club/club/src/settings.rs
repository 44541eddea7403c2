//! Settings of a club.

use rand::{SeedableRng, rngs::StdRng};
use store::Millis;

/// Cost of a password's hash.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct PasswordCost {
    /// Memory, in KiB.
    pub memory: u32,
    /// Number of passes over the memory.
    pub passes: u32,
}

/// Settings of a club, fixed when it opens.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Settings {
    /// Cost of a password's hash.
    pub password_cost: PasswordCost,
    /// Maximum number of passwords that are hashed at the same time.
    pub hashing_at_once: usize,
    /// Maximum number of passwords that wait to be hashed. Requests with further passwords are
    /// refused.
    pub hashing_waits: usize,
    /// Duration of a session, in milliseconds.
    pub session: Millis,
    /// Maximum number of open seeks of one account. The same limit applies separately to the
    /// account's challenges and to its invitations.
    pub open_offers: usize,
    /// Maximum number of open seeks of all accounts together.
    pub seeks_in_all: usize,
    /// Maximum number of open challenges and invitations of all accounts together.
    pub private_offers_in_all: usize,
    /// Maximum number of unfinished games of one person or guest.
    pub games_of_person: usize,
    /// Maximum number of unfinished games of one account against built-in bots. Because of this
    /// limit, one account cannot use the whole capacity of the bots.
    pub games_with_built_in_bots: usize,
    /// Maximum number of unfinished games of one program.
    pub games_of_program: usize,
    /// Maximum number of unfinished games of the club.
    pub games_in_all: usize,
    /// Maximum number of other people's games in a lobby.
    pub lobby_games: usize,
    /// Number of running games that are loaded at the same time when the club opens. The rows
    /// that credit an outage to these games are committed together.
    pub games_loaded_at_once: usize,
    /// Seed for the random colours, the ids of games and the intervals between heartbeats; `None`:
    /// a random seed. Secrets never come from this seed.
    pub seed: Option<u64>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            // The argon2 crate's default: 27 to 31 ms for each hash, measured on two cores.
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
            games_in_all: 12_000,
            lobby_games: 200,
            games_loaded_at_once: 256,
            seed: None,
        }
    }
}

impl Settings {
    /// Returns a generator of random numbers that starts from the seed.
    pub(crate) fn rng(&self) -> StdRng {
        match self.seed {
            Some(seed) => StdRng::seed_from_u64(seed),
            None => StdRng::from_seed(rand::random()),
        }
    }

    /// Returns the default settings with cheap password hashes: only for tests.
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
