//! What each seat of a recorded game could know, step by step.

use std::collections::BTreeMap;

use belief::{Belief, Fact, Moment, Moments, Origin, Regime, ReviewLimits, StartError};
use referee::Opened;
use rules::{
    Choices, Heard, ROLES, Reply, Start, Verdict,
    chess::{Bitboard, Color, Role, Square},
};
use wire::{BeliefJson, FactJson, HeatJson, LineJson, Man, MomentJson, ParsedHeard, RegimeJson};

use crate::{
    ConvertError, RecordedGame, RecordedHeard, SeatRecord, Target, convert,
    mates::{MateReview, Mates},
};

/// What one seat of a recorded game could know: an iterator with one item for
/// each step at which the seat heard something. The first item is the start.
///
/// The items are computed from what this seat heard, from its own attempts, and
/// from the start position, which both sides know. If a seat hears the same in
/// two games, the items of the two games are equal.
#[derive(Debug)]
pub struct Beliefs {
    seat: Color,
    limits: BeliefLimits,
    moments: Moments,
    mates: Option<MateReview>,
    /// What the seat hears at each moment after the start.
    heard: std::vec::IntoIter<Vec<Heard>>,
    /// Number of completed moves at each moment after the start.
    moves: std::iter::Enumerate<std::vec::IntoIter<u32>>,
}

/// Limits on the cost of the beliefs of one game.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct BeliefLimits {
    /// Maximum number of positions kept at the same time.
    pub positions: usize,
    /// Maximum amount of work for the whole game: the number of positions for which the opponent's
    /// moves are computed.
    pub work: usize,
}

impl BeliefLimits {
    const fn of_review(self, own_untold: bool) -> ReviewLimits {
        ReviewLimits {
            positions: self.positions,
            work: self.work,
            own_untold,
        }
    }
}

/// Error: the beliefs of a recorded game cannot be computed.
#[derive(Debug, thiserror::Error)]
pub enum BeliefsError {
    /// The recorded game cannot be opened or does not follow the rules.
    #[error(transparent)]
    Record(#[from] ConvertError),
    /// A belief cannot be computed from this start.
    #[error(transparent)]
    Start(#[from] StartError),
}

impl Beliefs {
    /// Computes the beliefs of a seat in a recorded game. The game starts with
    /// `opened`, or with the start in the record if `opened` is `None`.
    ///
    /// # Errors
    /// The record cannot be opened or does not follow the rules, or no belief can be computed
    /// from its start.
    pub fn of(
        game: &RecordedGame,
        opened: Option<Opened>,
        seat: Color,
        limits: BeliefLimits,
    ) -> Result<Beliefs, BeliefsError> {
        let opened = match opened {
            Some(opened) => opened,
            None => game.opening().map_err(ConvertError::from)?,
        };
        let choices = opened.choices;
        let origin = Origin::OneOf(vec![opened.start.fen()]);
        let converted = convert(game, Some(opened), Target::Json)?;
        let mut start = None;
        let mut groups = Vec::new();
        for line in converted.text.lines() {
            let line: LineJson = serde_json::from_str(line).expect("own output can be parsed");
            let heard = match seat {
                Color::White => line.white,
                Color::Black => line.black,
            };
            if heard.is_empty() {
                continue;
            }
            let mut group = Vec::new();
            for one in &heard {
                let told = ParsedHeard::try_from(one).expect("own output can be parsed");
                match told.under(&choices) {
                    ParsedHeard::Start(opening) => start = Some(opening),
                    ParsedHeard::Heard(heard) => group.push(heard),
                }
            }
            groups.push(group);
        }
        let start: Start = start.ok_or(StartError::NoSeat)?;
        let limits = (limits, limits.of_review(false));
        Beliefs::open(choices, seat, &start, &origin, groups, limits)
    }

    /// Computes the beliefs of the player whose own file is in `record`, or who heard what a problem
    /// tells.
    ///
    /// # Errors
    /// The record has only the player's own men at the start, so no belief can be computed.
    pub fn of_player(record: &SeatRecord, limits: BeliefLimits) -> Result<Beliefs, BeliefsError> {
        let origin = match (&record.fen, record.their_men) {
            (None, Some(men)) => Origin::Unknown {
                to_move: record.first,
                men,
            },
            (fen, _) => Origin::OneOf(fen.iter().cloned().collect()),
        };
        let groups = record.groups().into_iter();
        let heard = |group: &[RecordedHeard]| group.iter().map(|one| one.heard).collect();
        let (choices, seat, start) = (record.choices, record.seat, &record.start);
        let limits = (limits, limits.of_review(record.own_untold));
        Beliefs::open(
            choices,
            seat,
            start,
            &origin,
            groups.map(heard).collect(),
            limits,
        )
    }

    fn open(
        choices: Choices,
        seat: Color,
        start: &Start,
        origin: &Origin,
        groups: Vec<Vec<Heard>>,
        (limits, of_review): (BeliefLimits, ReviewLimits),
    ) -> Result<Beliefs, BeliefsError> {
        let completed = groups.iter().scan(0, |moves, group| {
            *moves += group.iter().filter(|heard| is_move(heard)).count() as u32;
            Some(*moves)
        });
        let moves: Vec<u32> = completed.collect();
        Ok(Beliefs {
            seat,
            limits,
            mates: Some(MateReview::new(seat)),
            heard: groups.clone().into_iter(),
            moments: Moments::open(choices, seat, start, origin, groups, of_review)?,
            moves: moves.into_iter().enumerate(),
        })
    }

    /// Returns the number of moments that are not computed yet.
    pub fn left(&self) -> usize {
        self.moves.len()
    }

    /// Leaves the search for forced mates out.
    #[must_use]
    pub(crate) fn without_mates(self) -> Beliefs {
        Beliefs {
            mates: None,
            ..self
        }
    }

    /// Returns the belief at the last moment.
    pub(crate) fn belief(&self) -> &Belief {
        self.moments.belief()
    }

    /// Collects all items; in JSON they are called moments. Before each moment, `may_continue` is
    /// called. If the call returns false, the computation stops and `ended` holds the reason.
    pub fn json(self, may_continue: impl FnMut() -> bool) -> BeliefJson {
        let mut work = BeliefWork::from(self);
        work.advance(may_continue);
        work.finish()
    }
}

/// The beliefs of a game while they are computed in parts.
#[derive(Debug)]
pub struct BeliefWork {
    beliefs: Beliefs,
    json: BeliefJson,
    is_done: bool,
}

impl From<Beliefs> for BeliefWork {
    fn from(beliefs: Beliefs) -> BeliefWork {
        let json = BeliefJson {
            seat: beliefs.seat.into(),
            limit: u32::try_from(beliefs.limits.positions).unwrap_or(u32::MAX),
            moments: Vec::new(),
            complete: false,
            ended: None,
        };
        BeliefWork {
            beliefs,
            json,
            is_done: false,
        }
    }
}

impl BeliefWork {
    /// Computes moments until `may_continue`, which is called before each moment, returns false.
    /// Returns whether the work is done.
    pub fn advance(&mut self, mut may_continue: impl FnMut() -> bool) -> bool {
        while !self.is_done && may_continue() {
            match self.beliefs.next() {
                Some(Ok(moment)) => self.json.moments.push(moment),
                Some(Err(why)) => {
                    self.json.ended = Some(why);
                    self.is_done = true;
                }
                None => {
                    self.json.complete = true;
                    self.is_done = true;
                }
            }
        }
        self.is_done
    }

    /// Returns the number of computed moments, and the number of all moments.
    pub fn progress(&self) -> (usize, usize) {
        let done = self.json.moments.len();
        (done, done + self.beliefs.left())
    }

    /// Returns the computed moments. If some are missing, `ended` says why.
    pub fn finish(mut self) -> BeliefJson {
        if !self.is_done {
            self.json.ended = Some("it took too long".to_owned());
        }
        self.json
    }
}

impl Iterator for Beliefs {
    type Item = Result<MomentJson, String>;

    fn next(&mut self) -> Option<Self::Item> {
        let moment = self.moments.next()?;
        let (step, moves) = self.moves.next()?;
        let heard = self.heard.next().unwrap_or_default();
        let step = u32::try_from(step).unwrap_or(u32::MAX);
        Some(match moment {
            Ok(moment) => {
                let belief = self.moments.belief();
                let mates = self.mates.as_mut().map(|one| one.examine(&heard, belief));
                Ok(json(&moment, mates.unwrap_or_default(), step, moves))
            }
            Err(error) => Err(error.to_string()),
        })
    }
}

/// Checks whether an item is the verdict of a completed move. Both players hear every
/// completed move.
pub fn is_move(heard: &Heard) -> bool {
    matches!(
        heard,
        Heard::Reply(Reply::Verdict {
            verdict: Verdict::Moved,
            ..
        })
    )
}

fn json(moment: &Moment, mates: Mates, step: u32, moves: u32) -> MomentJson {
    MomentJson {
        step,
        moves,
        positions: moment.size.count(),
        regime: match moment.regime {
            Regime::Exact => RegimeJson::Exact,
            Regime::Superset => RegimeJson::Superset,
            Regime::Sampled => RegimeJson::Sampled,
            Regime::EnvelopeOnly => RegimeJson::Envelope,
        },
        heat: heat(moment),
        certain: moment.facts.iter().map(fact).collect(),
        facts: moment.facts.iter().map(ToString::to_string).collect(),
        mate: mates.now,
        missed: mates.missed,
    }
}

fn fact(fact: &Fact) -> FactJson {
    let squares = |set: Bitboard| {
        let mut squares: Vec<String> = set.into_iter().map(|sq| sq.to_string()).collect();
        squares.sort_unstable();
        squares
    };
    let (man, set, new): (_, _, fn(_, _) -> _) = match *fact {
        Fact::On(role, set) => (role, set, |man, squares| FactJson::On { man, squares }),
        Fact::OneOf(role, set) => (role, set, |man, squares| FactJson::OneOf { man, squares }),
        Fact::Among(role, set) => (role, set, |man, squares| FactJson::Among { man, squares }),
        Fact::Other(role, set) => (role, set, |man, squares| FactJson::Other { man, squares }),
        Fact::Occupied(square, roles) => {
            let men = ROLES.into_iter().filter(|role| *roles.get(*role));
            return FactJson::Occupied {
                square: square.to_string(),
                men: men.map(Man::from).collect(),
            };
        }
        Fact::Left(role, count) => {
            return FactJson::Left {
                man: role.into(),
                count,
            };
        }
    };
    new(man.into(), squares(set))
}

/// Returns the squares on which a man of the role, or any man, is certain.
fn certain(facts: &[Fact], only: Option<Role>) -> Bitboard {
    let of = |fact: &Fact| match *fact {
        Fact::On(role, squares) | Fact::Among(role, squares)
            if only.is_none_or(|only| only == role) =>
        {
            squares
        }
        Fact::OneOf(role, squares) | Fact::Other(role, squares)
            if squares.count() == 1 && only.is_none_or(|only| only == role) =>
        {
            squares
        }
        Fact::Occupied(square, _) if only.is_none() => Bitboard::from_square(square),
        Fact::On(..)
        | Fact::Among(..)
        | Fact::OneOf(..)
        | Fact::Other(..)
        | Fact::Occupied(..)
        | Fact::Left(..) => Bitboard::EMPTY,
    };
    facts
        .iter()
        .map(of)
        .fold(Bitboard::EMPTY, |all, squares| all | squares)
}

fn heat(moment: &Moment) -> HeatJson {
    let marginals = &moment.marginals;
    // What is true in every position of a sample is not certain.
    let sure = |only| match moment.regime {
        Regime::Exact | Regime::Superset => Bitboard::FULL,
        Regime::Sampled | Regime::EnvelopeOnly => certain(&moment.facts, only),
    };
    let of = |role: Role| per_cent(|sq| marginals.of(role, sq), sure(Some(role)));
    HeatJson {
        king: of(Role::King),
        queen: of(Role::Queen),
        rook: of(Role::Rook),
        bishop: of(Role::Bishop),
        knight: of(Role::Knight),
        pawn: of(Role::Pawn),
        any: per_cent(|sq| marginals.occupied(sq), sure(None)),
    }
}

/// Returns the squares with a probability above zero, and their probabilities in per cent: 100 only
/// on the squares of `sure`, and 99 only if the probability is over 99 per cent.
fn per_cent(probability: impl Fn(Square) -> f64, sure: Bitboard) -> BTreeMap<String, u8> {
    let of = |sq: Square| {
        let p = probability(sq);
        let rounded = match p {
            p if p >= 1.0 && sure.contains(sq) => 100,
            p if p > 0.99 => 99,
            p => (p * 100.0).round().min(98.0) as u8,
        };
        (p > 0.0).then(|| (sq.to_string(), rounded))
    };
    Square::ALL.into_iter().filter_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RecordedGames;

    /// A short game under `wild16`: e4, then d5 (White learns of d5 from the announced pawn
    /// try), an illegal try, and a capture.
    const GAME: &str = "\
title   The first moves
rules   wild16
source  ICC

attempt           | white | black | room
white e2e4
black d7d5
white d1d8
white e4d5
black resign
";

    fn beliefs(text: &str, seat: Color) -> BeliefJson {
        let game = RecordedGames::new(text.as_bytes()).unwrap().next();
        let game = game.unwrap().unwrap().unwrap();
        let limits = BeliefLimits {
            positions: 100_000,
            work: 1_000_000,
        };
        let beliefs = Beliefs::of(&game, None, seat, limits).unwrap();
        beliefs.json(|| true)
    }

    /// The fool's mate: Black can mate with d8h4, but plays another move.
    const MISSED: &str = "\
title   The mate that was missed
rules   wild16
source  ICC

attempt           | white | black | room
white f2f3
black e7e5
white g2g4
black a7a6
white e1f2
black resign
";

    #[test]
    fn review_reports_forced_and_missed_mates() {
        // Too many positions are possible, and in most of them d8h4 does not mate.
        let quiet = beliefs(MISSED, Color::Black);
        assert!(quiet.moments.iter().all(|moment| moment.mate.is_none()));
        // In an ending whose start position both players know, White mates with a1a8.
        let text = MISSED.replace(
            "source  ICC\n",
            "source  ICC\nfen     6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1\n",
        );
        let (head, _) = text.split_once("white f2f3").unwrap();
        let text = format!("{head}white g1f2\nblack h7h6\nwhite a1a8\nblack resign\n");
        let told = beliefs(&text, Color::White);
        let mates: Vec<_> = told
            .moments
            .iter()
            .map(|moment| moment.mate.clone())
            .collect();
        let first = mates[0].as_ref().unwrap();
        assert_eq!(
            (first.moves, first.line.as_slice()),
            (1, &["a1a8".to_owned()][..])
        );
        let missed: Vec<_> = told
            .moments
            .iter()
            .filter_map(|moment| moment.missed)
            .collect();
        assert_eq!(missed, [1]);
        // Nothing is missed if the mate is played, if the game is won before it is played, or if the
        // next mate is shorter.
        let silent = |moves: &str| {
            let told = beliefs(&format!("{head}{moves}"), Color::White);
            let found = told.moments.iter().any(|moment| moment.mate.is_some());
            found && told.moments.iter().all(|moment| moment.missed.is_none())
        };
        assert!(silent("white a1a8\n"));
        assert!(silent("white a1a7\nblack resign\n"));
        let late = text.replace("6k1/5ppp/8/8/8/8/8/R5K1", "7k/8/8/8/8/8/R7/1R4K1");
        let (head, _) = late.split_once("white g1f2").unwrap();
        let later = beliefs(
            &format!("{head}white a2a7\nblack h8g8\nwhite b1b8\n"),
            Color::White,
        );
        let seen: Vec<_> = later
            .moments
            .iter()
            .filter_map(|m| m.mate.as_ref())
            .collect();
        assert_eq!(
            seen.iter().map(|mate| mate.moves).collect::<Vec<_>>(),
            [2, 1]
        );
        assert!(later.moments.iter().all(|moment| moment.missed.is_none()));
        // White hears the same if Black makes another move, so White's beliefs are the same.
        let other = beliefs(&text.replace("h7h6", "g7g6"), Color::White);
        assert_eq!(told, other);
    }

    /// A sample is never used as if it were complete.
    #[test]
    fn review_of_a_sample_claims_no_mate_and_no_more_facts() {
        let head = GAME.split_once("white e2e4").unwrap().0;
        let head = head.replace(
            "source  ICC\n",
            "source  ICC\nfen     Q7/7K/6RB/8/8/8/5k2/8 b - - 0 1\n",
        );
        let text = format!(
            "{head}black f2e2\nwhite a8e8\nblack e2d3\nwhite g6g3\nblack d3c4\nwhite e8e4\nblack resign\n"
        );
        let game = RecordedGames::new(text.as_bytes()).unwrap().next();
        let game = game.unwrap().unwrap().unwrap();
        let of = |positions| {
            let limits = BeliefLimits {
                positions,
                work: 1_000_000,
            };
            Beliefs::of(&game, None, Color::White, limits)
                .unwrap()
                .json(|| true)
        };
        let (exact, sampled) = (of(1000), of(1));
        let mut alone = 0;
        for (exact, sampled) in exact.moments.iter().zip(&sampled.moments) {
            if sampled.regime == RegimeJson::Exact {
                continue;
            }
            alone += 1;
            assert_eq!(
                (&sampled.mate, sampled.missed),
                (&None, None),
                "step {}",
                sampled.step
            );
            let more = sampled
                .facts
                .iter()
                .find(|fact| !exact.facts.contains(fact));
            assert_eq!(more, None, "step {}", sampled.step);
        }
        assert!(alone > 3, "{alone}");
    }

    #[test]
    fn each_hearing_of_the_seat_is_a_moment() {
        let white = beliefs(GAME, Color::White);
        let sizes: Vec<_> = white.moments.iter().map(|m| m.positions).collect();
        // The start, e4, Black's reply, the illegal try, the capture, the end.
        assert_eq!(sizes, [1, 1, 2, 2, 1, 1].map(Some));
        let steps: Vec<_> = white.moments.iter().map(|m| (m.step, m.moves)).collect();
        assert_eq!(steps, [(0, 0), (1, 1), (2, 2), (3, 2), (4, 3), (5, 3)]);
        assert_eq!(white.moments[2].heat.pawn["d5"], 50);
        assert_eq!(white.moments[2].heat.any["f5"], 50);
        assert_eq!(white.moments[0].facts[0], "The king is on e8.");
        assert_eq!(white.ended, None);
        // Black does not hear White's illegal try.
        assert_eq!(beliefs(GAME, Color::Black).moments.len(), 5);
    }

    #[test]
    fn beliefs_ignore_what_only_the_other_side_heard() {
        let more = GAME.replace("white e4d5", "white a1a8\nwhite h1h8\nwhite e4d5");
        assert_eq!(beliefs(&more, Color::Black), beliefs(GAME, Color::Black));
        assert_ne!(beliefs(&more, Color::White), beliefs(GAME, Color::White));
    }

    #[test]
    fn beliefs_stop_when_time_is_up() {
        let game = RecordedGames::new(GAME.as_bytes()).unwrap().next();
        let game = game.unwrap().unwrap().unwrap();
        let limits = BeliefLimits {
            positions: 10,
            work: 10,
        };
        let beliefs = Beliefs::of(&game, None, Color::White, limits).unwrap();
        let mut steps = 0;
        let json = beliefs.json(|| {
            steps += 1;
            steps < 3
        });
        assert_eq!(json.moments.len(), 2);
        assert_eq!(json.ended.as_deref(), Some("it took too long"));
    }
}
