//! Evenings: points, places and pairings. All of it follows from the rows of the store.

use std::{cmp::Reverse, collections::HashMap};

use rules::{
    Winner,
    chess::{ByColor, Color},
};
use store::{
    AccountId, Evening, EveningGame, EveningId, EveningKind, EveningPlayer, Millis, Terms,
};
use wire::{EveningPlayerState, EveningStatus};

use crate::{account::Account, lobby::GameRow};

/// An evening in a list.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct EveningRow {
    /// Id.
    pub id: EveningId,
    /// Kind.
    pub kind: EveningKind,
    /// Name.
    pub name: String,
    /// Account that made it.
    pub by: Account,
    /// Terms of its games.
    pub terms: Terms,
    /// Time of its beginning.
    pub begins: Millis,
    /// Length, in minutes.
    pub minutes: u32,
    /// Status.
    pub status: EveningStatus,
    /// Number of players in its table.
    pub players: u32,
    /// Whether the reader has joined and not left.
    pub joined: bool,
}

/// An evening with its table and its games.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct EveningView {
    /// The evening.
    pub row: EveningRow,
    /// State of the reader, if the reader is in the table.
    pub you: Option<EveningPlayerState>,
    /// Players: most points first, then most games won.
    pub table: Vec<EveningPlace>,
    /// Its games that are not over, then the last that are over.
    pub games: Vec<GameRow>,
}

/// A player in the table of an evening.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct EveningPlace {
    /// Place, from 1; equal for players with equal points and wins.
    pub place: u32,
    /// Player.
    pub player: Account,
    /// Two for a win, one for a draw.
    pub points: u32,
    /// Games won.
    pub won: u32,
    /// Games with a result.
    pub games: u32,
    /// What the player does now.
    pub state: EveningPlayerState,
}

const MINUTE: Millis = 60_000;

/// Games that run at the end of an evening count if they end within this time, in milliseconds.
pub(crate) const GRACE: Millis = 15 * MINUTE;

pub(crate) fn end(evening: &Evening) -> Millis {
    evening.begins + Millis::from(evening.minutes) * MINUTE
}

pub(crate) fn status(evening: &Evening, now: Millis) -> EveningStatus {
    if evening.is_over {
        EveningStatus::Over
    } else if now < evening.begins {
        EveningStatus::Planned
    } else if now < end(evening) {
        EveningStatus::Running
    } else {
        EveningStatus::Ending
    }
}

/// What a player has done in an evening.
#[derive(Clone, Default, Debug)]
pub(crate) struct Tally {
    pub(crate) points: u32,
    pub(crate) won: u32,
    pub(crate) games: u32,
    /// Number of games with White minus number of games with Black.
    whites: i32,
    met: HashMap<AccountId, u32>,
    pub(crate) plays: bool,
    /// Time of the last pairing.
    pub(crate) paired: Option<Millis>,
}

/// Adds the games up.
pub(crate) fn tallies(games: &[EveningGame]) -> HashMap<AccountId, Tally> {
    let mut all: HashMap<AccountId, Tally> = HashMap::new();
    for game in games {
        for color in Color::ALL {
            let (own, other) = (game.players[color], game.players[color.other()]);
            let tally = all.entry(own).or_default();
            tally.whites += if color == Color::White { 1 } else { -1 };
            *tally.met.entry(other).or_default() += 1;
            tally.paired = tally.paired.max(Some(game.at));
            let Some(over) = game.over else {
                tally.plays = true;
                continue;
            };
            let points = match over.winner {
                Winner::Unfinished => continue,
                Winner::Draw => 1,
                Winner::White | Winner::Black if over.winner == Winner::from(color) => 2,
                Winner::White | Winner::Black => 0,
            };
            tally.points += points;
            tally.won += points / 2;
            tally.games += 1;
        }
    }
    all
}

/// Returns since when a player waits for a game. In an arena hour, a game ends the wait.
pub(crate) fn waits(kind: EveningKind, player: &EveningPlayer, tally: &Tally) -> Option<Millis> {
    let since = player.waits.filter(|_| !tally.plays);
    let is_first = |since| tally.paired.is_none_or(|paired| paired < since);
    since.filter(|since| kind == EveningKind::RoundRobin || is_first(*since))
}

pub(crate) fn state(
    kind: EveningKind,
    player: &EveningPlayer,
    tally: &Tally,
) -> EveningPlayerState {
    if tally.plays {
        EveningPlayerState::Playing
    } else if waits(kind, player, tally).is_some() {
        EveningPlayerState::Waiting
    } else {
        EveningPlayerState::Away
    }
}

/// Numbers the places of a table, and orders it.
pub(crate) fn order(table: &mut [EveningPlace]) {
    let rank = |place: &EveningPlace| Reverse((place.points, place.won));
    table.sort_by_key(rank);
    let (mut last, mut given) = (None, 0);
    for (number, place) in (1..).zip(table) {
        if last != Some(rank(place)) {
            (last, given) = (Some(rank(place)), number);
        }
        place.place = given;
    }
}

/// Pairs the players who wait, who are ordered by the beginning of their wait: each, beginning with
/// the first, gets the opponent whom this player has met least, then the nearest in points, then the
/// one with the most opposite colours. Returns the pairs, and who is left over.
pub(crate) fn pairs(
    waiting: &[AccountId],
    tallies: &HashMap<AccountId, Tally>,
    may_meet: impl Fn(AccountId, AccountId) -> bool,
) -> (Vec<ByColor<AccountId>>, Vec<AccountId>) {
    let none = Tally::default();
    let of = |id: &AccountId| tallies.get(id).unwrap_or(&none);
    let mut free = waiting.to_vec();
    let (mut pairs, mut left) = (Vec::new(), Vec::new());
    while !free.is_empty() {
        let first = free.remove(0);
        let own = of(&first);
        let places = (0..free.len()).filter(|place| may_meet(first, free[*place]));
        let best = places.min_by_key(|place| {
            let other = of(&free[*place]);
            let met = own.met.get(&free[*place]).copied().unwrap_or(0);
            let colors = (own.whites + other.whites).abs();
            (met, own.points.abs_diff(other.points), colors)
        });
        match best {
            Some(place) => {
                let other = free.remove(place);
                pairs.push(match own.whites > of(&other).whites {
                    true => ByColor {
                        white: other,
                        black: first,
                    },
                    false => ByColor {
                        white: first,
                        black: other,
                    },
                });
            }
            None => left.push(first),
        }
    }
    (pairs, left)
}

/// Returns the seats, White first, that meet in a round of the Berger table, as FIDE publishes it
/// (Handbook C.05, annex 1). `seats` is even; `round` is below `seats - 1`, from 0.
pub(crate) fn berger(seats: usize, round: usize) -> Vec<(usize, usize)> {
    let circle = seats - 1;
    let first = round * (seats / 2) % circle;
    let meets_last = match round % 2 {
        0 => (first, circle),
        _ => (circle, first),
    };
    let across = |step| ((first + step) % circle, (first + circle - step) % circle);
    std::iter::once(meets_last)
        .chain((1..seats / 2).map(across))
        .collect()
}

/// Returns the colours of a game against a program.
pub(crate) fn with_program(
    person: AccountId,
    program: AccountId,
    tally: &Tally,
) -> ByColor<AccountId> {
    match tally.whites > 0 {
        true => ByColor {
            white: program,
            black: person,
        },
        false => ByColor {
            white: person,
            black: program,
        },
    }
}

#[cfg(test)]
mod tests {
    use rules::{Over, Reason};
    use store::GameId;

    use super::*;

    /// Reads games as `1-2 w`: players, and `w`, `b`, `d` for the winner, `-` without a result.
    fn games(text: &str) -> Vec<EveningGame> {
        let game = |(at, game): (i64, &str)| {
            let number = |place: usize| i64::from(game.as_bytes()[place] - b'0');
            let winner = match &game[3..] {
                "w" => Winner::White,
                "b" => Winner::Black,
                "d" => Winner::Draw,
                _ => Winner::Unfinished,
            };
            let reason = Reason::Resignation;
            EveningGame {
                game: GameId::from_chance(at.unsigned_abs()),
                players: ByColor {
                    white: AccountId(number(0)),
                    black: AccountId(number(2)),
                },
                round: 0,
                at,
                begun: true,
                over: Some(Over { winner, reason }),
            }
        };
        (0..).zip(text.split_whitespace()).map(game).collect()
    }

    #[test]
    fn pairs_meet_least_then_have_near_points_and_balance() {
        for (played, waiting, expected) in [
            ("", &[1, 2, 3][..], "1-2 left 3"),
            // Met least.
            ("1-2w", &[1, 2, 3, 4], "3-1 2-4"),
            // 3 has not met anybody else so often, but 4 has as many points as 1.
            ("1-5w 4-5w 3-5b", &[1, 3, 4], "1-4 left 3"),
            // Colours are exchanged.
            ("1-2w", &[1, 2], "2-1"),
            ("1-2-", &[1, 2], "2-1"),
            // 3 has had Black, 4 has had White: 4 gets Black against 1, so 1 gets 3's opposite.
            ("1-5d 6-3d 4-7d", &[1, 4, 3], "3-1 left 4"),
            // 8 and 9 do not meet.
            ("", &[8, 9], " left 8 9"),
        ] {
            let waiting: Vec<AccountId> = waiting.iter().copied().map(AccountId).collect();
            let may_meet = |one: AccountId, two: AccountId| one.0 + two.0 != 17;
            let (pairs, left) = pairs(&waiting, &tallies(&games(played)), may_meet);
            let name = |pair: &ByColor<AccountId>| format!("{}-{}", pair.white.0, pair.black.0);
            let mut found = pairs.iter().map(name).collect::<Vec<_>>().join(" ");
            if !left.is_empty() {
                found += " left";
            }
            for id in left {
                found += &format!(" {}", id.0);
            }
            assert_eq!(found, expected, "{played}");
        }
    }

    #[test]
    fn berger_table_is_the_published_one() {
        let table = |seats| {
            let round = |round| {
                let pairs = berger(seats, round).into_iter();
                let pairs = pairs.map(|(white, black)| format!("{}-{}", white + 1, black + 1));
                pairs.collect::<Vec<_>>().join(" ")
            };
            (0..seats - 1).map(round).collect::<Vec<_>>().join(", ")
        };
        assert_eq!(table(2), "1-2");
        assert_eq!(table(4), "1-4 2-3, 4-3 1-2, 2-4 3-1");
        assert_eq!(
            table(6),
            "1-6 2-5 3-4, 6-4 5-3 1-2, 2-6 3-1 4-5, 6-5 1-4 2-3, 3-6 4-2 5-1"
        );
    }

    #[test]
    fn points_count_two_for_a_win_and_one_for_a_draw() {
        let all = tallies(&games("1-2w 2-1d 1-2b 1-2-"));
        for (id, points, won) in [(1, 3, 1), (2, 3, 1)] {
            let tally = &all[&AccountId(id)];
            assert_eq!((tally.points, tally.won, tally.games), (points, won, 3));
        }
    }
}
