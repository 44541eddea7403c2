//! The coin toss between the two ends of a game, host and guest, and what the coin decides.
//!
//! Each end commits to its random bytes and its wishes before it sees the random bytes and the
//! wishes of the other end. Then both ends reveal their bytes and wishes. The coin is computed from
//! the random bytes of both ends, so neither end can choose the result.

use std::fmt;

use rules::chess::Color;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::options::{Wish, Wishes, rules_id};

/// 32 bytes. The text form has 64 hexadecimal digits.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Bytes32(pub [u8; 32]);

impl fmt::Debug for Bytes32 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from(*self))
    }
}

impl From<Bytes32> for String {
    fn from(bytes: Bytes32) -> String {
        bytes.0.iter().map(|b| format!("{b:02x}")).collect()
    }
}

impl TryFrom<String> for Bytes32 {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Bytes32, &'static str> {
        const WRONG: &str = "32 bytes are written as 64 hexadecimal digits";
        let mut bytes = [0; 32];
        if text.len() != 64 || !text.is_ascii() {
            return Err(WRONG);
        }
        for (byte, at) in bytes.iter_mut().zip((0..64).step_by(2)) {
            *byte = u8::from_str_radix(&text[at..at + 2], 16).map_err(|_| WRONG)?;
        }
        Ok(Bytes32(bytes))
    }
}

/// One of the two ends of the connection: host or guest. A commitment is a hash of this value and
/// of the share. So the commitment of the host is not valid for the guest, and vice versa.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Endpoint {
    /// The end that runs the referee.
    Host,
    /// The other end.
    Guest,
}

/// Share of one end in the coin toss: its random bytes and its wishes.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CoinShare {
    /// Random bytes.
    pub lot: Bytes32,
    /// Wishes of the end.
    pub wishes: Wishes,
}

impl CoinShare {
    /// Returns a share with new random bytes.
    pub fn draw(wishes: Wishes) -> CoinShare {
        CoinShare {
            lot: Bytes32(rand::random()),
            wishes,
        }
    }

    /// Returns the hash that commits an end to this share without revealing the
    /// share.
    pub fn commitment(&self, end: Endpoint) -> Bytes32 {
        let mut hash = Sha256::new();
        hash.update(b"kriegspiel ks commitment 1\0");
        hash.update([match end {
            Endpoint::Host => b'h',
            Endpoint::Guest => b'g',
        }]);
        hash.update(self.lot.0);
        hash.update(wishes_bytes(self.wishes));
        Bytes32(hash.finalize().into())
    }

    /// Checks whether `commitment` is the commitment of `end` to this share.
    pub fn keeps(&self, commitment: Bytes32, end: Endpoint) -> bool {
        self.commitment(end) == commitment
    }
}

fn wishes_bytes(wishes: Wishes) -> [u8; 3] {
    let sign = |wish| match wish {
        None => b'0',
        Some(true) => b'+',
        Some(false) => b'-',
    };
    let color = match wishes.color {
        None => b'0',
        Some(Wish::White) => b'w',
        Some(Wish::Black) => b'b',
        Some(Wish::Coin) => b'c',
    };
    [color, sign(wishes.captures), sign(wishes.pawns)]
}

/// Result of the coin toss: one bit for each of three decisions.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct Coin {
    color: bool,
    captures: bool,
    pawns: bool,
}

impl Coin {
    /// Computes the coin from the random bytes of both ends.
    pub fn of(host: Bytes32, guest: Bytes32) -> Coin {
        let mut hash = Sha256::new();
        hash.update(b"kriegspiel ks coin 1\0");
        hash.update(host.0);
        hash.update(guest.0);
        let bytes: [u8; 32] = hash.finalize().into();
        let side = |byte: u8| byte & 1 == 1;
        Coin {
            color: side(bytes[0]),
            captures: side(bytes[1]),
            pawns: side(bytes[2]),
        }
    }
}

/// Terms of a game on which both ends have agreed.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub struct Agreed {
    /// Colour of the host's player.
    pub host: Color,
    /// Option a: whether captures and promotions are announced to both players.
    pub captures: bool,
    /// Option p: whether pawn tries are counted and limited.
    pub pawns: bool,
    /// Three answers: whether the coin decided the colour, the captures, and the pawn tries.
    pub by_coin: [bool; 3],
}

impl Agreed {
    /// Computes the agreement from the shares of both ends.
    pub fn of(host: &CoinShare, guest: &CoinShare) -> Agreed {
        Agreed::with(host.wishes, guest.wishes, Coin::of(host.lot, guest.lot))
    }

    fn with(host: Wishes, guest: Wishes, coin: Coin) -> Agreed {
        let (color, color_tossed) = color(host.color, guest.color, coin.color);
        let (captures, captures_tossed) = option(host.captures, guest.captures, coin.captures);
        let (pawns, pawns_tossed) = option(host.pawns, guest.pawns, coin.pawns);
        Agreed {
            host: color,
            captures,
            pawns,
            by_coin: [color_tossed, captures_tossed, pawns_tossed],
        }
    }

    /// Returns the id of the ruleset.
    pub const fn rules(&self) -> &'static str {
        rules_id(self.captures, self.pawns)
    }

    /// Returns in words what the coin decided.
    pub fn tossed(&self) -> String {
        let names = ["the colours", "the option a", "the option p"];
        let tossed = names.iter().zip(self.by_coin);
        let tossed: Vec<&str> = tossed
            .filter(|(_, by)| *by)
            .map(|(name, _)| *name)
            .collect();
        tossed.join(", ")
    }
}

/// Returns the host's colour, and whether the coin decided it.
fn color(host: Option<Wish>, guest: Option<Wish>, coin: bool) -> (Color, bool) {
    let tossed = if coin { Color::White } else { Color::Black };
    match (host, guest) {
        (Some(Wish::White), None | Some(Wish::Black)) | (None, Some(Wish::Black)) => {
            (Color::White, false)
        }
        (Some(Wish::Black), None | Some(Wish::White)) | (None, Some(Wish::White)) => {
            (Color::Black, false)
        }
        (Some(Wish::White), Some(Wish::White))
        | (Some(Wish::Black), Some(Wish::Black))
        | (Some(Wish::Coin), _)
        | (_, Some(Wish::Coin))
        | (None, None) => (tossed, true),
    }
}

/// Returns whether an option is on, and whether the coin decided it.
fn option(host: Option<bool>, guest: Option<bool>, coin: bool) -> (bool, bool) {
    match (host, guest) {
        (None, None) => (false, false),
        (Some(wish), None) | (None, Some(wish)) => (wish, false),
        (Some(one), Some(other)) if one == other => (one, false),
        (Some(_), Some(_)) => (coin, true),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    const COLORS: [Option<Wish>; 4] =
        [None, Some(Wish::White), Some(Wish::Black), Some(Wish::Coin)];
    const SIGNS: [Option<bool>; 3] = [None, Some(true), Some(false)];

    /// Host's colour for each pair of wishes. Rows: the host's wish (none, w,
    /// b, c). Columns: the guest's wish, in the same order. `W`, `B`: the
    /// host's colour; `?`: the coin decides.
    const COLOR_TABLE: [&str; 4] = ["?BW?", "W?W?", "BB??", "????"];
    /// Value of an option for each pair of wishes. Rows: the host's wish (none, +, -). Columns: the
    /// guest's wish, in the same order. `?`: the coin decides.
    const OPTION_TABLE: [&str; 3] = ["-+-", "++?", "-?-"];

    fn coin(n: u8) -> Coin {
        Coin {
            color: n & 1 != 0,
            captures: n & 2 != 0,
            pawns: n & 4 != 0,
        }
    }

    /// Returns three decisions: whether the end `one` plays White, whether the option a is on, and
    /// whether the option p is on. A decision is `None` if the coin makes it.
    pub fn expected(one: Wishes, other: Wishes) -> (Option<bool>, Option<bool>, Option<bool>) {
        let agreed = Agreed::with(one, other, coin(0));
        let [color, captures, pawns] = agreed.by_coin;
        (
            (!color).then_some(agreed.host.is_white()),
            (!captures).then_some(agreed.captures),
            (!pawns).then_some(agreed.pawns),
        )
    }

    #[test]
    fn every_pair_of_colour_wishes_gives_the_listed_colour() {
        for (host, row) in COLORS.into_iter().zip(COLOR_TABLE) {
            for (guest, cell) in COLORS.into_iter().zip(row.chars()) {
                for heads in [false, true] {
                    let (got, tossed) = color(host, guest, heads);
                    let expected = match cell {
                        'W' => (Color::White, false),
                        'B' => (Color::Black, false),
                        _ if heads => (Color::White, true),
                        _ => (Color::Black, true),
                    };
                    assert_eq!((got, tossed), expected, "{host:?} {guest:?}");
                }
            }
        }
    }

    #[test]
    fn every_pair_of_option_wishes_gives_the_listed_value() {
        for (host, row) in SIGNS.into_iter().zip(OPTION_TABLE) {
            for (guest, cell) in SIGNS.into_iter().zip(row.chars()) {
                for n in 0..8 {
                    let one = coin(n);
                    let expected = |heads| match cell {
                        '+' => (true, false),
                        '-' => (false, false),
                        _ => (heads, true),
                    };
                    let wishes = |a, p| Wishes {
                        color: None,
                        captures: a,
                        pawns: p,
                    };
                    let a = Agreed::with(wishes(host, None), wishes(guest, None), one);
                    assert_eq!((a.captures, a.by_coin[1]), expected(one.captures));
                    assert_eq!((a.pawns, a.by_coin[2]), (false, false));
                    let p = Agreed::with(wishes(None, host), wishes(None, guest), one);
                    assert_eq!((p.pawns, p.by_coin[2]), expected(one.pawns));
                    assert_eq!((p.captures, p.by_coin[1]), (false, false));
                }
            }
        }
    }

    #[test]
    fn reveal_that_breaks_the_commitment_is_refused() {
        let lot = CoinShare::draw(Wishes::default());
        let bound = lot.commitment(Endpoint::Host);
        assert!(lot.keeps(bound, Endpoint::Host));
        assert!(!lot.keeps(bound, Endpoint::Guest));
        for bit in 0..256 {
            let mut other = lot;
            other.lot.0[bit / 8] ^= 1 << (bit % 8);
            assert!(!other.keeps(bound, Endpoint::Host));
        }
        for color in COLORS {
            for captures in SIGNS {
                for pawns in SIGNS {
                    let wishes = Wishes {
                        color,
                        captures,
                        pawns,
                    };
                    let other = CoinShare { wishes, ..lot };
                    assert_eq!(other.keeps(bound, Endpoint::Host), wishes == lot.wishes);
                }
            }
        }
    }

    /// If the bytes of one end are random, both sides of the coin are equally likely, whatever
    /// bytes the other end uses.
    #[test]
    fn coin_is_fair_if_one_end_chooses_its_bytes() {
        const TOSSES: u32 = 4000;
        for (fixed, end) in [([0; 32], Endpoint::Host), ([0xff; 32], Endpoint::Guest)] {
            let mut heads = [0u32; 3];
            for n in 0..TOSSES {
                let other: [u8; 32] = Sha256::digest(n.to_be_bytes()).into();
                let coin = match end {
                    Endpoint::Host => Coin::of(Bytes32(fixed), Bytes32(other)),
                    Endpoint::Guest => Coin::of(Bytes32(other), Bytes32(fixed)),
                };
                for (sum, side) in heads
                    .iter_mut()
                    .zip([coin.color, coin.captures, coin.pawns])
                {
                    *sum += u32::from(side);
                }
            }
            // Tolerance: five standard deviations.
            for sum in heads {
                assert!(sum.abs_diff(TOSSES / 2) < 160, "{heads:?}");
            }
        }
        assert_ne!(
            CoinShare::draw(Wishes::default()),
            CoinShare::draw(Wishes::default())
        );
    }

    #[test]
    fn bytes_are_written_and_read() {
        let bytes = Bytes32(rand::random());
        assert_eq!(Bytes32::try_from(String::from(bytes)), Ok(bytes));
        for wrong in [
            "",
            "00",
            &"g".repeat(64),
            &"0".repeat(63),
            &"\u{e9}".repeat(32),
        ] {
            assert!(Bytes32::try_from(wrong.to_owned()).is_err(), "{wrong}");
        }
    }
}
