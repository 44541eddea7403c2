//! The schedule of a run: the players and colours of each game.

use std::{fmt, str::FromStr};

use rules::chess::Color;

/// One part of a run, for example part 3 of 16, for runs on several machines.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub struct Shard {
    part: u64,
    parts: u64,
}

impl Shard {
    /// The whole run as one part.
    pub const WHOLE: Shard = Shard { part: 1, parts: 1 };
}

impl Default for Shard {
    fn default() -> Shard {
        Shard::WHOLE
    }
}

/// Error: the text is not a part of a run.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("`{0}` is not a part of a run; write 3/16 for part 3 of 16")]
pub struct ShardError(String);

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Shard, ShardError> {
        let numbers = text
            .split_once('/')
            .and_then(|(part, parts)| Some((part.parse().ok()?, parts.parse().ok()?)));
        match numbers {
            Some((part, parts)) if 1 <= part && part <= parts => Ok(Shard { part, parts }),
            Some(_) | None => Err(ShardError(text.to_owned())),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.part, self.parts)
    }
}

/// The players and the colours of one game.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub struct Meeting {
    /// Number of the pair of players; see [`Schedule::pairing`].
    pub pairing: usize,
    /// Number of the unit among the units of this pair of players. A unit is two
    /// games with swapped colours, or one game if colours are not swapped.
    pub unit: u64,
    /// Colour of the first player of the pair.
    pub first: Color,
}

/// Assigns players and colours to the numbers of games.
///
/// Every pair of players plays the same number of games. The games are ordered in
/// rounds: in each round every pair of players plays two games. So if only the number of
/// games is increased, the first games stay the same.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub struct Schedule {
    /// Number of players; two or more.
    pub players: usize,
    /// Whether colours are swapped after every game.
    pub swap: bool,
    /// Number of games of each pair of players.
    pub games: u64,
    /// The part of the run that is played.
    pub shard: Shard,
}

impl Schedule {
    /// Returns the number of pairs of players.
    pub fn pairings(&self) -> usize {
        self.players * self.players.saturating_sub(1) / 2
    }

    /// Returns the two players of a pair. The pairs are ordered by the first
    /// player, then by the second.
    pub fn pairing(&self, pairing: usize) -> (usize, usize) {
        let mut left = pairing;
        for first in 0..self.players {
            let row = self.players - 1 - first;
            if left < row {
                return (first, first + 1 + left);
            }
            left -= row;
        }
        (0, 0)
    }

    /// Returns a number that is greater than the number of every game.
    pub fn end(&self) -> u64 {
        self.games.div_ceil(2) * 2 * self.pairings() as u64
    }

    /// Returns the players and colours of the game with this number, from 0. Returns `None` if the
    /// game is not part of this run or of this shard.
    pub fn meeting(&self, number: u64) -> Option<Meeting> {
        let pairings = (self.pairings() as u64).max(1);
        let (two, second) = (number / 2, number % 2);
        let round = two / pairings;
        let game = round * 2 + second;
        let ours = two % self.shard.parts == self.shard.part - 1;
        (game < self.games && ours).then_some(Meeting {
            pairing: usize::try_from(two % pairings).unwrap_or(0),
            unit: if self.swap { round } else { game },
            first: if self.swap && second == 1 {
                Color::Black
            } else {
                Color::White
            },
        })
    }

    /// Returns the number of games of this shard.
    pub fn count(&self) -> u64 {
        if self.shard == Shard::WHOLE {
            return self.games * self.pairings() as u64;
        }
        let numbers = (0..self.end()).filter(|n| self.meeting(*n).is_some());
        numbers.count() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MATCH: Schedule = Schedule {
        players: 2,
        swap: true,
        games: 5,
        shard: Shard::WHOLE,
    };

    #[test]
    fn every_pair_of_players_has_the_same_units_and_colours() {
        let all = Schedule {
            players: 4,
            ..MATCH
        };
        assert_eq!(all.pairings(), 6);
        let pairs: Vec<_> = (0..6).map(|pairing| all.pairing(pairing)).collect();
        assert_eq!(pairs, [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]);
        for pairing in 0..6 {
            let games = (0..all.end()).filter_map(|number| all.meeting(number));
            let games: Vec<_> = games
                .filter(|game| game.pairing == pairing)
                .map(|game| (game.unit, game.first))
                .collect();
            use Color::{Black, White};
            assert_eq!(
                games,
                [(0, White), (0, Black), (1, White), (1, Black), (2, White)]
            );
        }
        assert_eq!(all.count(), 30);
    }

    #[test]
    fn a_match_numbers_its_games_without_gaps() {
        let games: Vec<_> = (0..9)
            .map(|number| MATCH.meeting(number).is_some())
            .collect();
        assert_eq!(games[..5], [true; 5]);
        assert_eq!(games[5..], [false; 4]);
        let unswapped = Schedule {
            swap: false,
            ..MATCH
        };
        for number in 0..5 {
            let game = unswapped.meeting(number).unwrap();
            assert_eq!((game.unit, game.first), (number, Color::White));
        }
    }

    #[test]
    fn shards_divide_the_games_and_keep_units_together() {
        let of = |shard: &str| Schedule {
            players: 3,
            shard: shard.parse().unwrap(),
            ..MATCH
        };
        let whole = of("1/1");
        let shards = [of("1/4"), of("2/4"), of("3/4"), of("4/4")];
        for number in 0..whole.end() {
            let owners = shards.iter().filter(|s| s.meeting(number).is_some());
            let wanted = usize::from(whole.meeting(number).is_some());
            assert_eq!(owners.count(), wanted, "{number}");
        }
        let total: u64 = shards.iter().map(Schedule::count).sum();
        assert_eq!(total, whole.count());
        for shard in shards {
            let games: Vec<_> = (0..shard.end()).filter_map(|n| shard.meeting(n)).collect();
            for game in &games {
                let unit = |g: &&Meeting| (g.pairing, g.unit) == (game.pairing, game.unit);
                let size = if game.unit == 2 { 1 } else { 2 };
                assert_eq!(games.iter().filter(unit).count(), size);
            }
        }
    }

    #[test]
    fn a_text_that_is_no_shard_is_refused() {
        for text in ["0/4", "5/4", "1", "1/0", "a/b", "/", "1/2/3", "-1/2"] {
            let error = text.parse::<Shard>().unwrap_err().to_string();
            assert!(error.contains("write 3/16"), "{error}");
        }
        assert_eq!(
            "3/16".parse::<Shard>().map(|s| s.to_string()),
            Ok("3/16".into())
        );
    }
}
