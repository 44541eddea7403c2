//! Lets two players of `ks` meet at a club. Only the club's challenges are
//! used.
//!
//! Each end makes an offer with its wishes. The terms of a club cannot express every wish, so the
//! ends answer each other's offers with new offers. The end with the newer offer knows the older
//! offer, so it acts immediately. The end with the older offer waits, so that the other end can
//! act. No end accepts an offer while its own offer is open, so two games can never begin.

use wire::{ChallengeJson, ColorWish, LobbyJson, TermsJson, TimeControlJson};

use super::options::{Wish, Wishes, rules_id, rules_options};

/// Conditions of an offered game of `ks`.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct Offered {
    /// Colour of the player who makes the offer. `Any`: the club draws the
    /// colours at random.
    pub color: ColorWish,
    /// Whether captures and promotions are announced to both players.
    pub captures: bool,
    /// Whether pawn tries are counted and limited.
    pub pawns: bool,
}

impl Offered {
    /// Reads terms. Returns `None` if they are not terms of a game of `ks`.
    pub fn read(terms: &TermsJson) -> Option<Offered> {
        let (captures, pawns) = rules_options(&terms.rules)?;
        let plain = terms.custom.is_none() && !terms.rated;
        (plain && terms.time == TimeControlJson::Unlimited {}).then_some(Offered {
            color: terms.color,
            captures,
            pawns,
        })
    }

    /// Returns the conditions as terms of the club.
    pub fn terms(&self) -> TermsJson {
        TermsJson {
            rules: rules_id(self.captures, self.pawns).to_owned(),
            custom: None,
            time: TimeControlJson::Unlimited {},
            rated: false,
            color: self.color,
        }
    }

    /// Describes the offer in words. `maker` is the name of the player who
    /// makes the offer.
    pub fn words(&self, maker: &str) -> String {
        let rules = rules_id(self.captures, self.pawns);
        match self.color {
            ColorWish::Any => format!("{rules}, the club draws the colours"),
            ColorWish::White => format!("{rules}, White for {maker}"),
            ColorWish::Black => format!("{rules}, Black for {maker}"),
        }
    }
}

/// Open offers between two players of a club, as one of them sees the offers.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub struct OpenOffers {
    /// Own offers with their ids, oldest first.
    pub mine: Vec<(String, Offered)>,
    /// The opponent's oldest offer, with its id.
    pub theirs: Option<(String, Offered)>,
    /// Whether the oldest own offer is older than the opponent's offer.
    pub mine_is_older: bool,
}

impl OpenOffers {
    /// Reads the open offers of two players in a lobby.
    pub fn read(lobby: &LobbyJson, me: &str, opponent: &str) -> OpenOffers {
        let is = |one: &str, other: &str| one.eq_ignore_ascii_case(other);
        let mut standing = OpenOffers::default();
        for ChallengeJson { id, by, to, terms } in &lobby.challenges {
            let Some(offered) = Offered::read(terms) else {
                continue;
            };
            if is(&by.name, me) && is(&to.name, opponent) {
                standing.mine_is_older |= standing.theirs.is_none();
                standing.mine.push((id.clone(), offered));
            } else if is(&by.name, opponent) && is(&to.name, me) && standing.theirs.is_none() {
                standing.theirs = Some((id.clone(), offered));
            }
        }
        standing
    }

    /// Returns the next step of an end with these wishes. `late` says that the other end has had
    /// enough time to act on the open offers.
    pub fn next(&self, wishes: Wishes, late: bool) -> Next {
        let mine = self.mine.first().map(|(_, offered)| *offered);
        let Some((id, theirs)) = &self.theirs else {
            return match mine {
                Some(_) => Next::Wait,
                None => Next::Offer(answer(wishes, None)),
            };
        };
        if self.mine_is_older && mine.is_some() && !late {
            return Next::Wait;
        }
        // If the opponent's offer is newer than the own offer, it is an answer to the own offer.
        let draws_colors = self.mine_is_older && mine.is_some() && theirs.color == ColorWish::Any;
        if suits(wishes, *theirs) && (draws_colors || is_free(wishes, theirs.color)) {
            return Next::Accept(id.clone());
        }
        let answer = answer(wishes, Some(*theirs));
        let again = if self.mine_is_older && mine.is_some() {
            // If the own offer is made again, it becomes newer than the
            // opponent's offer.
            suits(wishes, *theirs)
        } else {
            mine != Some(answer)
        };
        if again {
            return Next::Offer(answer);
        }
        if late && !suits(wishes, *theirs) {
            Next::Clash(*theirs)
        } else {
            Next::Wait
        }
    }
}

/// Next step of an end.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum Next {
    /// Withdraw the own offers. If all of them were still open, accept the
    /// offer with this id.
    Accept(String),
    /// Make this offer, and withdraw the earlier own offers.
    Offer(Offered),
    /// Wait.
    Wait,
    /// Wait, and tell the player that the opponent's wishes in this offer
    /// contradict the player's own wishes.
    Clash(Offered),
}

/// Whether no option of an offer contradicts these wishes.
fn suits(wishes: Wishes, theirs: Offered) -> bool {
    let fits = |wish: Option<bool>, is| wish.is_none_or(|wish| wish == is);
    fits(wishes.captures, theirs.captures) && fits(wishes.pawns, theirs.pawns)
}

/// Whether the colour in the opponent's offer is compatible with the player's wish for a colour.
fn is_free(wishes: Wishes, theirs: ColorWish) -> bool {
    match wishes.color {
        None => true,
        Some(Wish::Coin) => theirs == ColorWish::Any,
        Some(Wish::White) => theirs == ColorWish::Black,
        Some(Wish::Black) => theirs == ColorWish::White,
    }
}

/// Whether an invitation can be accepted with these wishes. An invitation cannot be
/// answered with a new offer.
pub fn may_accept(wishes: Wishes, theirs: Offered) -> bool {
    suits(wishes, theirs) && is_free(wishes, theirs.color)
}

/// Returns the offer of an end. `theirs` is the opponent's offer, if this end
/// has seen one.
pub fn answer(wishes: Wishes, theirs: Option<Offered>) -> Offered {
    let asked = theirs.map_or(ColorWish::Any, |theirs| theirs.color);
    let color = match (wishes.color, asked) {
        (None, ColorWish::White) => ColorWish::Black,
        (None, ColorWish::Black) => ColorWish::White,
        (Some(Wish::White), ColorWish::Any | ColorWish::Black) => ColorWish::White,
        (Some(Wish::Black), ColorWish::Any | ColorWish::White) => ColorWish::Black,
        // If both ends want the same colour, or one end wants the coin, the
        // coin decides the colour.
        (None, ColorWish::Any)
        | (Some(Wish::Coin), _)
        | (Some(Wish::White), ColorWish::White)
        | (Some(Wish::Black), ColorWish::Black) => ColorWish::Any,
    };
    let or = |wish: Option<bool>, asked: Option<bool>| wish.or(asked).unwrap_or(false);
    Offered {
        color,
        captures: or(wishes.captures, theirs.map(|t| t.captures)),
        pawns: or(wishes.pawns, theirs.map(|t| t.pawns)),
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng, rngs::StdRng, seq::IndexedRandom};

    use rules::rulesets;

    use super::*;
    use crate::ks::coin::tests::expected;

    /// A club as its two players see it.
    #[derive(Default)]
    struct Club {
        /// The offers, oldest first. Each entry has the index of the player who made the offer, the
        /// offer's id, and the offer.
        offers: Vec<(usize, String, Offered)>,
        made: usize,
        games: Vec<(usize, Offered)>,
    }

    impl Club {
        fn seen_by(&self, end: usize) -> OpenOffers {
            let mut standing = OpenOffers::default();
            for (by, id, offered) in &self.offers {
                if *by == end {
                    standing.mine_is_older |= standing.theirs.is_none();
                    standing.mine.push((id.clone(), *offered));
                } else if standing.theirs.is_none() {
                    standing.theirs = Some((id.clone(), *offered));
                }
            }
            standing
        }

        fn withdraw(&mut self, id: &str) -> bool {
            let stood = self.offers.len();
            self.offers.retain(|offer| offer.1 != id);
            self.offers.len() < stood
        }
    }

    /// Next action of an end: one request to the club.
    #[derive(Clone)]
    enum Request {
        Look,
        Withdraw(Vec<String>, Next),
        Do(Next),
    }

    /// Runs two ends in a random order until a game begins, or until the wishes
    /// of the ends clash.
    fn meet(wishes: [Wishes; 2], seed: u64) -> Club {
        let mut rng = StdRng::seed_from_u64(seed);
        let mut club = Club::default();
        let mut ends = [Request::Look, Request::Look];
        let mut idle = [0; 2];
        let mut clashes = [false; 2];
        for _ in 0..2000 {
            let end = rng.random_range(0..2);
            ends[end] = match ends[end].clone() {
                Request::Look => {
                    if !club.games.is_empty() || clashes == [true; 2] {
                        // The run ends only when both ends have nothing to do.
                        if matches!(ends[1 - end], Request::Look) {
                            break;
                        }
                        continue;
                    }
                    let standing = club.seen_by(end);
                    // After 20 steps without change, the other end has had time
                    // to act.
                    let late = idle[end] > 20;
                    let next = standing.next(wishes[end], late);
                    clashes[end] = matches!(next, Next::Clash(_));
                    match next {
                        Next::Wait | Next::Clash(_) => {
                            idle[end] += 1;
                            Request::Look
                        }
                        Next::Accept(_) | Next::Offer(_) => {
                            idle = [0; 2];
                            let mine = standing.mine.into_iter().map(|(id, _)| id).collect();
                            Request::Withdraw(mine, next)
                        }
                    }
                }
                Request::Withdraw(mine, next) => {
                    if mine.iter().all(|id| club.withdraw(id)) {
                        Request::Do(next)
                    } else {
                        Request::Look
                    }
                }
                Request::Do(Next::Accept(id)) => {
                    if let Some(at) = club.offers.iter().position(|offer| offer.1 == id) {
                        let (by, _, offered) = club.offers.remove(at);
                        club.games.push((by, offered));
                    }
                    Request::Look
                }
                Request::Do(Next::Offer(offered)) => {
                    club.made += 1;
                    club.offers.push((end, club.made.to_string(), offered));
                    Request::Look
                }
                Request::Do(Next::Wait | Next::Clash(_)) => Request::Look,
            };
        }
        club
    }

    fn every_wish() -> Vec<Wishes> {
        let colors = [None, Some(Wish::White), Some(Wish::Black), Some(Wish::Coin)];
        let signs = [None, Some(true), Some(false)];
        let mut all = Vec::new();
        for color in colors {
            for captures in signs {
                for pawns in signs {
                    all.push(Wishes {
                        color,
                        captures,
                        pawns,
                    });
                }
            }
        }
        all
    }

    /// Tests all pairs of wishes with several orders of steps. If the two ends have opposite wishes
    /// for an option, no game begins. Otherwise one game begins, with the same options as between
    /// two ends without a club.
    #[test]
    fn two_ends_meet_in_one_game_as_both_wish() {
        let mut rng = StdRng::seed_from_u64(7);
        for one in every_wish() {
            for other in every_wish() {
                let seeds: Vec<u64> = (0..1000).collect();
                for &seed in seeds.sample(&mut rng, 6) {
                    let club = meet([one, other], seed);
                    let (color, captures, pawns) = expected(one, other);
                    let what = format!("{one:?} {other:?} {seed}: {:?}", club.games);
                    let (Some(captures), Some(pawns)) = (captures, pawns) else {
                        assert_eq!(club.games, [], "{what}");
                        continue;
                    };
                    let [(maker, offered)] = club.games[..] else {
                        panic!("{what}");
                    };
                    assert_eq!(
                        (offered.captures, offered.pawns),
                        (captures, pawns),
                        "{what}"
                    );
                    let first_is_white = match offered.color {
                        ColorWish::Any => None,
                        ColorWish::White => Some(maker == 0),
                        ColorWish::Black => Some(maker == 1),
                    };
                    assert_eq!(first_is_white, color, "{what}");
                }
            }
        }
    }

    #[test]
    fn offers_of_other_games_are_not_read_as_ks_offers() {
        let offered = answer(Wishes::default(), None);
        assert_eq!(Offered::read(&offered.terms()), Some(offered));
        assert_eq!(offered.words("anna"), "ks, the club draws the colours");
        for (json, why) in [
            (r#"{"rules":"wild16","time":{"kind":"unlimited"}}"#, "rules"),
            (
                r#"{"rules":"ks","custom":"x","time":{"kind":"unlimited"}}"#,
                "custom",
            ),
            (
                r#"{"rules":"ks","rated":true,"time":{"kind":"unlimited"}}"#,
                "rated",
            ),
            (
                r#"{"rules":"ks","time":{"kind":"plain","initial":600}}"#,
                "clock",
            ),
        ] {
            let terms: TermsJson = serde_json::from_str(json).unwrap();
            assert_eq!(Offered::read(&terms), None, "{why}");
        }
        assert!(
            rulesets::ALL
                .iter()
                .filter(|r| rules_options(r.id.as_ref()).is_some())
                .count()
                == 4
        );
    }
}
